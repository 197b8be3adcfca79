//! Code spans of Markdown in the content of a string (`CommonMark` section 6.1), and the quotes in them.

use jsonseam_core::{Fault, TokenKind};

use super::ends::{self, near, window};
use super::words;

/// How far a string is read, in bytes: most end soon.
const WINDOWS: [usize; 4] = [64, 256, 1024, 8192];

/// Windows up to this size are no far look-ahead.
const NEAR: usize = 256;

/// The quotes of a string that are in code, where all that nothing hides do.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct QuotedCode {
    /// Where the first one is.
    pub first: usize,
    /// Where the last one is.
    pub last: usize,
    /// How many there are.
    pub quotes: usize,
    /// Whether two of them may as well be the ends of two strings, with elements between them.
    pub may_part_elements: bool,
    /// Where the first quote after them is that is in no code: the end of the string.
    pub end: usize,
}

/// Those of the string whose content starts at `start`. `None` if it has none, if they are not those of code alone, or if no end is in sight.
pub fn of(fault: &Fault<'_>, start: usize) -> Option<QuotedCode> {
    #[derive(PartialEq, Eq, Hash)]
    struct CodeFrom(usize);
    let find_out = || {
        // A string without code is read no further than to its first quote.
        if !fault.at(start).take_while(|char| char != '"').contains('`') {
            return None;
        }
        for len in WINDOWS {
            let (text, is_whole) = if len <= NEAR { near(fault, start, len) } else { window(fault, start, len) };
            let code = read(text, start);
            if code.is_some() || is_whole || text.len() < len / 2 {
                return code.filter(|code| code.quotes > 0);
            }
        }
        None
    };
    fault.memo(CodeFrom(start), find_out)
}

/// Whether the fault follows a quote that may be in code of the string before it: a backtick is open there.
pub fn may_split_string(fault: &Fault<'_>) -> bool {
    let string = ends::doubtful(fault).next();
    string.is_some_and(|(string, closed)| {
        let is_here = closed == Some(fault.pos());
        let ticks = || fault.at(string.start).slice_to(fault.pos()).matches('`').count();
        is_here && ticks() % 2 == 1
    })
}

/// Whether one of the two elements before the string at the fault holds a backtick without a partner: a quote in code may have cut it.
pub fn is_open_before(fault: &Fault<'_>) -> bool {
    let strings =
        [2, 4].into_iter().filter_map(|back| fault.token(back)).filter(|token| token.kind == TokenKind::String);
    strings
        .map(|token| token.span)
        .any(|span| span.len() <= NEAR && fault.at(span.start).slice_to(span.end).matches('`').count() % 2 == 1)
}

/// What a text, with which the content of a string starts at `start`, says of the quotes in its code: there are none if not all are in code alone.
/// `None` if it ends before that can be said.
fn read(text: &str, start: usize) -> Option<QuotedCode> {
    let bytes = text.as_bytes();
    let mut code = QuotedCode::default();
    let mut at = 0;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| matches!(byte, b'"' | b'`' | b'\\'))?;
        match bytes[at] {
            b'"' => return Some(QuotedCode { end: start + at, ..code }),
            b'\\' => at += 2,
            _ => {
                let ticks = run_of_ticks(bytes, at);
                let opened = at + ticks;
                let end = opened + text[opened..].find(['`', '\n', '\r'])?;
                if run_of_ticks(bytes, end) != ticks {
                    // It opens nothing.
                    at = opened;
                    continue;
                }
                let inside = &text[opened..end];
                if !is_span(&text[..at], inside, &text[end + ticks..]) {
                    return Some(QuotedCode::default());
                }
                code.add(inside, start + opened);
                at = end + ticks;
            }
        }
    }
}

fn run_of_ticks(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().take_while(|&&byte| byte == b'`').count()
}

impl QuotedCode {
    /// Adds the quotes of a code span that starts at `start`, if it holds any and nothing hides one.
    fn add(&mut self, inside: &str, start: usize) {
        if inside.contains("\\\"") {
            return;
        }
        for (quote, _) in inside.match_indices('"') {
            self.first = if self.quotes == 0 { start + quote } else { self.first };
            self.last = start + quote;
            self.quotes += 1;
        }
        let between = inside.strip_prefix('"').and_then(|rest| rest.strip_suffix('"'));
        self.may_part_elements |= between.is_some_and(is_structure);
    }
}

/// Whether a text could be what is between two elements of an array: blanks, punctuation, numbers and literals.
fn is_structure(text: &str) -> bool {
    let mut words = text.split(|char: char| !char.is_alphabetic());
    !text.is_empty()
        && !text.contains('"')
        && words.all(|word| matches!(word, "" | "true" | "false" | "null" | "e" | "E"))
}

/// Whether what is between two runs of backticks is a code span, in which quotes are those of code.
fn is_span(before: &str, inside: &str, after: &str) -> bool {
    let is_word = |char: char| words::is_spaced(char) || char == '_';
    let is_apart = !before.ends_with(is_word) && !after.starts_with(is_word);
    let is_tight = !inside.starts_with(' ') && !inside.ends_with(' ');
    let is_hidden = inside.matches('"').count() == inside.matches("\\\"").count();
    is_hidden || is_apart && is_tight && is_code(inside)
}

/// Whether the quotes of a text come in pairs as strings of code do, and its brackets outside of them are balanced.
fn is_code(text: &str) -> bool {
    let can_open_after = |before: Option<char>| before.is_none_or(|char| " ([{=,:+!<>'/-".contains(char));
    let can_close_before = |after: Option<char>| after.is_none_or(|char| " )]},:.;+=!<>'/-".contains(char));
    let mut owed: Vec<char> = Vec::new();
    let (mut escapes, mut false_escapes) = (0, 0);
    let mut is_in_quotes = false;
    let mut before = None;
    let mut rest = text.chars();
    while let Some(char) = rest.next() {
        match char {
            '\\' => match rest.next() {
                // Where some quotes are hidden and others are not, what was meant is unknown, but it was not these two control characters.
                Some('"' | 'b' | 'f') => return false,
                Some('n' | 't' | 'r' | 'u') => escapes += 1,
                Some('\\' | '/') => {}
                _ => false_escapes += 1,
            },
            '"' if is_in_quotes && !can_close_before(rest.clone().next()) => return false,
            '"' if !is_in_quotes && !can_open_after(before) => return false,
            '"' => is_in_quotes = !is_in_quotes,
            '(' if !is_in_quotes => owed.push(')'),
            '[' if !is_in_quotes => owed.push(']'),
            '{' if !is_in_quotes => owed.push('}'),
            ')' | ']' | '}' if !is_in_quotes && owed.pop() != Some(char) => return false,
            _ => {}
        }
        before = Some(char);
    }
    // Backslashes of code that was not escaped at all mean one thing, and valid escapes another.
    !is_in_quotes && owed.is_empty() && (escapes == 0 || false_escapes == 0)
}
