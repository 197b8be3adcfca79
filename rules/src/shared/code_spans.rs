//! Code spans of Markdown in the content of a string (`CommonMark` section 6.1), and the quotes in them.

use jsonseam_core::Fault;

use super::ends;

/// How much of a string is looked at, in bytes.
const LONGEST: usize = 8192;

/// The quotes of a string that are in code, where all that nothing hides do.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct QuotedCode {
    /// Where the first one is.
    pub first: usize,
    /// Where the last one is.
    pub last: usize,
    /// How many there are.
    pub quotes: usize,
    /// Where the first quote after them is that is in no code: the end of the string.
    pub end: usize,
}

/// Those of the string whose content starts at `start`. `None` if it has none, or has no end in sight.
pub fn of(fault: &Fault<'_>, start: usize) -> Option<QuotedCode> {
    #[derive(Clone, Copy)]
    struct Found(Option<QuotedCode>);
    let find_out = || {
        let len = LONGEST.min(fault.region_end().saturating_sub(start));
        let ahead = fault.at(start);
        let mut before_quote = ahead;
        // A string without code is read no further than to its first quote.
        if !before_quote.take_while(|char| char != '"').contains('`') {
            return Found(None);
        }
        let mut end = start + fault.allowance(len);
        let mut text = ahead.slice_to(end);
        while text.is_empty() && end > start {
            end -= 1;
            text = ahead.slice_to(end);
        }
        Found(quoted(text).map(|code| QuotedCode {
            first: start + code.first,
            last: start + code.last,
            quotes: code.quotes,
            end: start + code.end,
        }))
    };
    fault.memo(start, find_out).0
}

/// Whether the fault follows a quote that is in code of the string before it.
pub fn has_split_string(fault: &Fault<'_>) -> bool {
    let string = ends::doubtful(fault).into_iter().next();
    string.is_some_and(|(string, closed)| {
        closed == Some(fault.pos()) && of(fault, string.start).is_some_and(|code| code.first + 1 == fault.pos())
    })
}

fn quoted(text: &str) -> Option<QuotedCode> {
    let bytes = text.as_bytes();
    let mut code: Option<QuotedCode> = None;
    let mut at = 0;
    loop {
        at += bytes.get(at..)?.iter().position(|byte| matches!(byte, b'"' | b'`' | b'\\'))?;
        match bytes[at] {
            b'"' => return code.map(|code| QuotedCode { end: at, ..code }),
            b'\\' => at += 2,
            _ => {
                let ticks = run_of_ticks(bytes, at);
                let Some(inside) = span_after(text, at, ticks) else {
                    at += ticks;
                    continue;
                };
                let quotes =
                    || inside.bytes().enumerate().filter(|(_, byte)| *byte == b'"').map(|(nth, _)| at + ticks + nth);
                if let (Some(first), Some(last)) = (quotes().next(), quotes().next_back()) {
                    let before = code.map_or(0, |code| code.quotes);
                    let first = code.map_or(first, |code| code.first);
                    code = Some(QuotedCode { first, last, quotes: before + quotes().count(), end: last });
                }
                at += inside.len() + 2 * ticks;
            }
        }
    }
}

fn run_of_ticks(bytes: &[u8], at: usize) -> usize {
    bytes[at..].iter().take_while(|&&byte| byte == b'`').count()
}

/// What is in the code span that so many backticks open at `at`. The next run of backticks closes it, if it is as long.
fn span_after(text: &str, at: usize, ticks: usize) -> Option<&str> {
    let start = at + ticks;
    let end = start + text.get(start..)?.find(['`', '\n', '\r'])?;
    let inside = &text[start..end];
    if run_of_ticks(text.as_bytes(), end) != ticks {
        return None;
    }
    let is_word = |char: char| char.is_alphanumeric() || char == '_';
    let is_apart = !text[..at].ends_with(is_word) && !text[end + ticks..].starts_with(is_word);
    let is_tight = !inside.starts_with(' ') && !inside.ends_with(' ');
    (is_apart && is_tight && is_code(inside)).then_some(inside)
}

/// Whether the quotes of a text come in pairs as strings of code do, and its brackets outside of them are balanced.
fn is_code(text: &str) -> bool {
    if !text.contains('"') {
        return true;
    }
    let can_open_after = |before: Option<char>| before.is_none_or(|char| " ([{=,:+!<>'/-".contains(char));
    let can_close_before = |after: Option<char>| after.is_none_or(|char| " )]},:.;+=!<>'/-".contains(char));
    let mut owed: Vec<char> = Vec::new();
    let mut is_in_quotes = false;
    let mut before = None;
    let mut rest = text.chars();
    while let Some(char) = rest.next() {
        match char {
            // Where some quotes are hidden and others are not, no one knows what was meant.
            '\\' if rest.next() == Some('"') => return false,
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
    !is_in_quotes && owed.is_empty()
}
