//! Signs: backslashes that show that the strings of a payload were not escaped, and the escapes that they make doubtful (SPEC R7).

use jsonseam_core::{Ahead, ReadPayload};

use super::commands::{LEAVES_WORD, is_listed};
use crate::shared::quoted::is_escape;

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

/// The doubtful escapes of the payload, in order: none without a sign.
pub fn doubtful<'r>(payload: &'r ReadPayload<'_>) -> impl Iterator<Item = DoubtfulEscape> + 'r {
    let signs = Signs::of(payload);
    let escapes = if signs.path.is_some() || signs.formula.is_some() { payload.escapes() } else { &[] };
    let (mut path, mut string) = (Stretch::default(), Stretch::default());
    escapes.iter().filter_map(move |&pos| {
        let escape = payload.at(pos);
        if !matches!(escape.char_after(), Some('b' | 'f' | 'n' | 'r' | 't')) {
            return None;
        }
        if let Some(sign) = signs.path.filter(|_| may_be_of_path(escape)) {
            path.reach(escape, ends_path);
            return signs.doubt(&path, escape).map(|is_literal| DoubtfulEscape { pos, sign, is_literal });
        }
        let command = letters(escape);
        let sign = signs.formula.filter(|_| is_listed(command))?;
        let is_sure = !LEAVES_WORD.contains(&command) || escape.after(1 + command.len()).starts_with("{");
        let is_literal = is_sure || {
            string.reach(escape, |char| char == '"');
            string.text.contains('$') || signs.are_in(&string)
        };
        Some(DoubtfulEscape { pos, sign, is_literal })
    })
}

/// The backslashes of a payload that begin no escape and were doubled.
#[derive(Debug, Default)]
struct Signs {
    /// All that are before a letter, in order.
    all: Vec<usize>,
    /// The first one of a path, and of a formula.
    path: Option<usize>,
    formula: Option<usize>,
}

impl Signs {
    fn of(payload: &ReadPayload<'_>) -> Self {
        let mut signs = Self::default();
        for (span, _) in payload.edits().filter(|(_, replacement)| *replacement == "\\\\") {
            let backslash = payload.at(span.start);
            let mut ahead = backslash;
            let is_backslash = ahead.bump() == Some('\\');
            let Some(letter) = ahead.peek().filter(|letter| is_backslash && letter.is_alphabetic()) else { continue };
            if is_escape(ahead.slice_to(ahead.pos() + if letter == 'u' { 5 } else { 1 }).as_bytes()) {
                continue;
            }
            signs.all.push(span.start);
            let is_of_path = match backslash.char_before() {
                Some(':') => is_drive(backslash),
                Some(before) => (is_word(before) || before == '.') && !is_class(backslash),
                None => false,
            };
            if is_of_path {
                signs.path.get_or_insert(span.start);
            } else if is_letter(letter) && ahead.after(1).peek().is_some_and(is_letter) {
                signs.formula.get_or_insert(span.start);
            }
        }
        signs
    }

    fn are_in(&self, stretch: &Stretch<'_>) -> bool {
        let first = self.all.partition_point(|&sign| sign < stretch.start);
        self.all.get(first).is_some_and(|&sign| sign < stretch.start + stretch.text.len())
    }

    /// Whether an escape that may be of a path is doubtful, and then whether it is rather a backslash.
    fn doubt(&self, path: &Stretch<'_>, escape: Ahead<'_>) -> Option<bool> {
        let goes_on = || path.text.get(escape.pos() + 1 - path.start..).is_some_and(|rest| rest.contains('\\'));
        // `A:\nYes` may be the answer to a question.
        let is_doubtful = !is_drive(escape) || is_never_meant(escape) || path.is_string(escape) || goes_on();
        is_doubtful.then(|| is_never_meant(escape) || self.are_of_path(path, escape))
    }

    /// Whether a stretch is written like a path: it holds a sign of its own, or is a whole string and names a file.
    /// What follows the name of a file (`main.py\nnext`) is no part of its path.
    fn are_of_path(&self, path: &Stretch<'_>, escape: Ahead<'_>) -> bool {
        let is_whole = || path.is_string(escape) && names_file(path.text.rsplit('\\').next().unwrap_or_default());
        !names_file(escape.before_while(|char| char != '\\' && !ends_path(char))) && (self.are_in(path) || is_whole())
    }
}

/// A stretch of the text around an escape. Escapes are asked about in order, so it is read once for all that are in it.
#[derive(Debug, Default)]
struct Stretch<'t> {
    start: usize,
    text: &'t str,
}

impl<'t> Stretch<'t> {
    /// Goes on to the stretch that `escape` is in, which characters that `ends` names do not belong to.
    fn reach(&mut self, escape: Ahead<'t>, ends: impl Fn(char) -> bool) {
        if escape.pos() >= self.start + self.text.len() {
            self.start = escape.pos() - escape.before_while(|char| !ends(char)).len();
            self.text = escape.at(self.start).take_while(|char| !ends(char));
        }
    }

    /// Whether it is all of a string.
    fn is_string(&self, escape: Ahead<'_>) -> bool {
        let (start, end) = (escape.at(self.start), escape.at(self.start + self.text.len()));
        let opens = start.char_before() == Some('"') && start.before(2) != "\\\"";
        opens && end.starts_with("\"") && !self.text.ends_with('\\')
    }
}

fn is_word(char: char) -> bool {
    char.is_alphanumeric() || char == '_'
}

/// Whether an escape is that of a backspace or a form feed.
fn is_never_meant(escape: Ahead<'_>) -> bool {
    matches!(escape.char_after(), Some('b' | 'f'))
}

/// Whether an escape is where a backslash of a path could be: between two word characters that are no escapes (a dot may begin the second
/// part), or before one and after a drive letter, a variable, or the dots of a relative path.
fn may_be_of_path(escape: Ahead<'_>) -> bool {
    let mut after = escape.after(2);
    after.eat(".");
    let is_part = after.peek().is_some_and(is_word) || is_never_meant(escape);
    let Some(before) = escape.char_before().filter(|_| is_part) else { return false };
    let mut back = escape.before(12).chars().rev().skip(1);
    let further = back.next();
    let begins_path = |char: char| matches!(char, '"' | '=' | '\'' | '(' | '\\' | '/') || char.is_whitespace();
    match before {
        // The letter of an escape before it.
        'b' | 'f' | 'n' | 'r' | 't' if further == Some('\\') => false,
        ':' => is_drive(escape),
        // Three dots are an ellipsis.
        '.' if further == Some('.') => back.next().is_none_or(begins_path),
        '.' => further.is_none_or(begins_path),
        '%' => further.is_some_and(char::is_alphabetic),
        before => is_word(before),
    }
}

/// Whether the backslash begins the class of a regular expression, `\d \w \s` or its complement.
fn is_class(backslash: Ahead<'_>) -> bool {
    let is_letter = matches!(backslash.char_after(), Some('d' | 'D' | 'w' | 'W' | 's' | 'S'));
    is_letter && !backslash.after(2).peek().is_some_and(is_word)
}

/// The letters after the backslash.
fn letters(backslash: Ahead<'_>) -> &str {
    backslash.after(1).take_while(is_letter)
}

const fn is_letter(char: char) -> bool {
    char.is_ascii_alphabetic()
}

/// Whether the backslash follows a drive letter and its colon.
fn is_drive(backslash: Ahead<'_>) -> bool {
    if backslash.char_before() != Some(':') {
        return false;
    }
    let mut before = backslash.at(backslash.pos() - 1).before(8).chars().rev();
    before.next().is_some_and(|drive| drive.is_ascii_alphabetic()) && !before.next().is_some_and(is_word)
}

fn ends_path(char: char) -> bool {
    char.is_whitespace()
        || char.is_control()
        || matches!(char, '"' | '<' | '>' | '|' | '*' | '?' | ';' | ',' | '(' | ')')
}

/// Whether the last part of a path is the name of a file: a dot, and up to four letters or digits after it.
fn names_file(name: &str) -> bool {
    let is_ending = |ending: &str| {
        (1..=4).contains(&ending.len()) && ending.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_')
    };
    name.rsplit_once('.').is_some_and(|(stem, ending)| is_ending(ending) && stem.ends_with(is_word))
}
