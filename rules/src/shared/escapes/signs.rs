//! Signs: backslashes that show that the strings of a payload were not escaped, and the escapes that they make doubtful (SPEC R7).

use std::ops::Range;

use jsonseam_core::{Objection, ReadPayload};

use super::commands::{is_listed, leaves_word};
use crate::shared::content::is_escape;

/// An escape that is valid by chance where the signs are right.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DoubtfulEscape {
    /// Where its backslash is.
    pub pos: usize,
    /// The sign that makes it doubtful.
    pub sign: usize,
    /// Whether it is rather a backslash than an escape; else both are as likely.
    pub is_literal: bool,
}

/// The first sign of each kind that a payload holds.
#[derive(Debug, Default)]
struct Signs {
    path: Option<usize>,
    formula: Option<usize>,
}

/// The doubtful escapes of the payload, in order: none without a sign.
pub fn doubtful(payload: &ReadPayload<'_>) -> Vec<DoubtfulEscape> {
    let text = payload.completion();
    let mut signs = Signs::default();
    for (span, replacement) in payload.edits().filter(|(_, replacement)| replacement.starts_with("\\\\")) {
        signs.note(text, &span, replacement);
    }
    let Signs { path, formula } = signs;
    if path.is_none() && formula.is_none() {
        return Vec::new();
    }
    let doubt = |pos: usize| {
        let by_path = path.filter(|_| is_between_word_characters(text, pos) || continues_drive(text, pos));
        let by_formula = || formula.filter(|_| is_listed(letters(text, pos)));
        by_path.map(|sign| (sign, true)).or_else(|| by_formula().map(|sign| (sign, false)))
    };
    let escapes = payload.escapes().iter().copied().filter(|&pos| is_control_escape(text, pos));
    let found = escapes.filter_map(|pos| doubt(pos).map(|(sign, in_path)| (pos, sign, in_path)));
    found
        .map(|(pos, sign, in_path)| {
            let is_literal = if in_path { is_in_path(text, pos) } else { is_in_formula(text, pos) };
            DoubtfulEscape { pos, sign, is_literal }
        })
        .collect()
}

/// What refuses a payload for its first doubtful escape.
pub fn objection(doubtful: &[DoubtfulEscape]) -> Option<Objection> {
    doubtful.first().map(|first| Objection {
        at: first.pos,
        because: first.sign,
        doubt: "a backslash that begins no escape speaks against the escapes of all strings",
    })
}

impl Signs {
    /// Notes the sign that a backslash was, if an edit doubled it and it begins no escape.
    fn note(&mut self, text: &str, span: &Range<usize>, replacement: &str) {
        let rest = text.get(span.start..).unwrap_or_default();
        let is_false = |rest: &str| !is_escape(rest.as_bytes());
        let Some(after) = rest.strip_prefix('\\').filter(|after| replacement.len() == 2 && is_false(after)) else {
            return;
        };
        let Some(letter) = after.chars().next().filter(|char| char.is_alphabetic()) else { return };
        let pos = span.start;
        let is_class = matches!(letter, 'd' | 'D' | 'w' | 'W' | 's' | 'S') && !after[1..].starts_with(is_word);
        let before = text.get(..pos).and_then(|before| before.chars().next_back());
        if is_drive(text, pos) || before.is_some_and(|before| is_word(before) || before == '.') && !is_class {
            self.path.get_or_insert(pos);
        } else if letters(text, pos).len() > 1 {
            self.formula.get_or_insert(pos);
        }
    }
}

/// Whether the backslash begins one of the escapes that stand for a control character by one letter.
fn is_control_escape(text: &str, pos: usize) -> bool {
    matches!(text.as_bytes().get(pos + 1), Some(b'b' | b'f' | b'n' | b'r' | b't'))
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

fn is_between_word_characters(text: &str, pos: usize) -> bool {
    let before = text.get(..pos).and_then(|before| before.chars().next_back());
    let after = text.get(pos + 1..).and_then(|after| after.chars().next());
    before.is_some_and(is_word) && after.is_some_and(is_word)
}

/// The letters after the backslash.
fn letters(text: &str, pos: usize) -> &str {
    let after = text.get(pos + 1..).unwrap_or_default();
    &after[..after.bytes().take_while(u8::is_ascii_alphabetic).count()]
}

/// Whether the backslash follows a drive letter and its colon.
fn is_drive(text: &str, pos: usize) -> bool {
    let mut before = text.get(..pos).unwrap_or_default().chars().rev();
    before.next() == Some(':')
        && before.next().is_some_and(|drive| drive.is_ascii_alphabetic())
        && !before.next().is_some_and(is_word)
}

/// The most bytes of a path or of a string that are looked at around an escape.
const REACH: usize = 256;

/// Whether the escape is what follows a drive in a path that goes on with another backslash.
fn continues_drive(text: &str, pos: usize) -> bool {
    is_drive(text, pos) && run_after(text, pos).matches('\\').count() > 1
}

/// What follows `pos` up to a blank, a quote or what no path holds.
fn run_after(text: &str, pos: usize) -> &str {
    let after = text.get(pos..).unwrap_or_default();
    let is_end = |(at, char): &(usize, char)| *at > REACH || ends_path(*char);
    &after[..after.char_indices().find(is_end).map_or(after.len(), |(at, _)| at)]
}

/// What precedes `pos` back to a blank, a quote or what no path holds.
fn run_before(text: &str, pos: usize) -> &str {
    let before = text.get(..pos).unwrap_or_default();
    let is_end = |(at, char): &(usize, char)| before.len() - at > REACH || ends_path(*char);
    let start = before.char_indices().rev().find(is_end).map_or(0, |(at, char)| at + char.len_utf8());
    &before[start..]
}

fn ends_path(char: char) -> bool {
    char.is_whitespace()
        || char.is_control()
        || matches!(char, '"' | '<' | '>' | '|' | '*' | '?' | ';' | ',' | '(' | ')')
}

fn holds_false_escape(run: &str) -> bool {
    let is_false = |(at, _): (usize, &str)| {
        let after = &run[at + 1..];
        after.starts_with(char::is_alphabetic) && !is_escape(after.as_bytes())
    };
    run.match_indices('\\').any(is_false)
}

/// Whether the escape is within what is written like a path: the run around it holds a sign of its own, or is the whole string and names a file.
/// What follows the name of a file (`main.py\nnext`) is no part of its path.
fn is_in_path(text: &str, pos: usize) -> bool {
    let (before, after) = (run_before(text, pos), run_after(text, pos));
    let (start, end) = (pos - before.len(), pos + after.len());
    let is_whole = || text[..start].ends_with('"') && text[end..].starts_with('"') && names_file(after);
    !names_file(before) && (holds_false_escape(before) || holds_false_escape(after) || is_whole())
}

/// Whether a path ends in the name of a file: letters or digits, a dot and up to four of them.
fn names_file(path: &str) -> bool {
    let name = path.rsplit('\\').next().unwrap_or_default();
    let is_plain =
        |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
    name.rsplit_once('.').is_some_and(|(stem, ending)| is_plain(ending) && ending.len() <= 4 && stem.ends_with(is_word))
}

/// Whether the escape begins a command: what is left without its first letter is no word, or a formula is around it.
fn is_in_formula(text: &str, pos: usize) -> bool {
    let command = letters(text, pos);
    if !leaves_word(command) || text[pos + 1 + command.len()..].starts_with('{') {
        return true;
    }
    let before = &text[..pos];
    let start = before.char_indices().rev().find(|(at, char)| *char == '"' || pos - at > REACH).map_or(0, |(at, _)| at);
    let rest = &text[pos..];
    let end = rest.char_indices().find(|(at, char)| *char == '"' || *at > REACH).map_or(rest.len(), |(at, _)| at);
    let around = &text[start..pos + end];
    around.contains('$') || holds_false_escape(around)
}
