//! Quotation marks: which open, which end, and which are apostrophes and inch marks (SPEC L0a).

use std::ops::Range;

use crate::cursor::Finder;

/// A quotation that is open.
pub(super) struct Quotation {
    /// Which of [`QUOTATIONS`] it is.
    kind: usize,
    /// The marks that end it.
    closers: &'static [char],
    /// Where its content begins.
    pub(super) start: usize,
    /// Whether white space follows the mark that opens it.
    pub(super) is_spaced: bool,
    /// How many quotations of its kind are open within it, once it went on over a blank line.
    within: Option<i32>,
    /// Up to where its end was looked for, from where on, and where it is.
    known: Option<(Range<usize>, Option<usize>)>,
}

/// The marks that open quotations, and those that end them. A mark that other languages use the other way round is found by what is beside it.
const QUOTATIONS: [(char, &[char]); 30] = [
    ('"', &['"']),
    ('\'', &['\'']),
    ('\u{201C}', &['\u{201D}']),
    ('\u{201D}', &['\u{201D}']),
    ('\u{201E}', &['\u{201C}', '\u{201D}', '\u{201F}']),
    ('\u{2018}', &['\u{2019}']),
    ('\u{201A}', &['\u{2018}', '\u{2019}']),
    ('\u{AB}', &['\u{BB}']),
    ('\u{BB}', &['\u{AB}', '\u{BB}']),
    ('\u{2039}', &['\u{203A}']),
    ('\u{300C}', &['\u{300D}']),
    ('\u{300E}', &['\u{300F}']),
    ('\u{FF02}', &['\u{FF02}']),
    ('\u{FF07}', &['\u{FF07}']),
    ('\u{2033}', &['\u{2033}', '\u{2036}']),
    ('\u{2036}', &['\u{2033}']),
    ('\u{B4}', &['\u{B4}']),
    ('\u{201F}', &['\u{201D}']),
    ('\u{201B}', &['\u{2019}']),
    ('\u{2E42}', &['\u{201C}', '\u{201D}']),
    ('\u{275B}', &['\u{275C}']),
    ('\u{275D}', &['\u{275E}']),
    ('\u{301D}', &['\u{301E}', '\u{301F}']),
    ('\u{300A}', &['\u{300B}']),
    ('\u{3008}', &['\u{3009}']),
    ('\u{27E8}', &['\u{27E9}']),
    ('\u{27EA}', &['\u{27EB}']),
    ('\u{FE41}', &['\u{FE42}']),
    ('\u{FE43}', &['\u{FE44}']),
    ('\u{FF62}', &['\u{FF63}']),
];

/// The marks that only ever open.
const DIRECTED: [char; 18] = [
    '\u{201C}', '\u{201E}', '\u{201F}', '\u{AB}', '\u{2039}', '\u{300C}', '\u{300E}', '\u{2E42}', '\u{275B}',
    '\u{275D}', '\u{301D}', '\u{300A}', '\u{3008}', '\u{27E8}', '\u{27EA}', '\u{FE41}', '\u{FE43}', '\u{FF62}',
];

/// Whether quotation marks that belong together are directly on both sides of a part of the text.
pub(super) fn is_enclosed(text: &str, part: Range<usize>) -> bool {
    let (before, after) = (last_of(text, part.start), first_of(text, part.end));
    let is_pair = |&(open, closers): &(char, &[char])| {
        before == Some(open) && after.is_some_and(|after| closers.contains(&after))
    };
    QUOTATIONS.iter().any(is_pair)
}

impl Quotation {
    /// Whether a character is a mark that opens quotations.
    #[cfg(feature = "stream")]
    pub(super) fn may_open(mark: char) -> bool {
        QUOTATIONS.iter().any(|(open, _)| *open == mark)
    }

    /// The quotation that `mark` opens between these two characters. An inch mark follows a digit, an apostrophe a letter.
    pub(super) fn opened_by(mark: char, start: usize, before: Option<char>, rest: &str) -> Option<Self> {
        let after = rest.chars().next();
        let (kind, (_, closers)) = QUOTATIONS.into_iter().enumerate().find(|(_, (open, _))| *open == mark)?;
        let is_directed = DIRECTED.contains(&mark);
        let is_letter = |before: char| before.is_alphanumeric() && !is_unspaced(before);
        let begins = before.is_none_or(|before| !is_letter(before) && !matches!(before, '.' | ',' | '!' | '?'));
        // Before a digit, or after another one, it is an apostrophe.
        let is_apostrophe = matches!(mark, '\'' | '\u{2018}')
            && (after.is_some_and(|after| after.is_ascii_digit()) || before == Some('\''));
        let is_spaced = after.is_some_and(char::is_whitespace);
        // After a mark with white space on both sides only markup is quoted.
        let goes_on = !is_spaced || after == Some('\n') || rest.trim_start().starts_with(['<', '[', '{']);
        let opens = is_directed || begins && goes_on && !is_apostrophe;
        opens.then_some(Self { kind, closers, start, is_spaced, within: None, known: None })
    }

    fn is_closed_by(&self, mark: char, after: Option<char>) -> bool {
        self.closers.contains(&mark) && !is_within_word(mark, after)
    }

    /// Where a mark that ends it is in a part of its paragraph.
    fn end_in(&self, part: &str) -> Option<usize> {
        let mut marks = part.char_indices().filter(|(_, char)| self.closers.contains(char));
        marks.find(|&(at, mark)| self.is_closed_by(mark, first_of(part, at + mark.len_utf8()))).map(|(at, _)| at)
    }

    /// Whether it ends with the mark that is read at `at`.
    pub(super) fn is_ended(&mut self, text: &str, at: usize, mark: char, after: Option<char>) -> bool {
        match &mut self.within {
            None => self.is_closed_by(mark, after),
            Some(within) => {
                *within += turn(self.kind, text, at, mark);
                *within < 0
            }
        }
    }

    /// Where the first mark after `end` is that ends it, in the paragraph that goes on there. Asked again and again, it reads the paragraph once.
    pub(super) fn end_after(&mut self, finder: &Finder<'_>, text: &str, end: usize) -> Option<usize> {
        if self.within.is_some() {
            return None;
        }
        if let Some((asked, found)) = &self.known
            && asked.contains(&end)
            && found.is_none_or(|found| found >= end)
        {
            return *found;
        }
        let limit = finder.find("\n\n", end).unwrap_or(text.len());
        let found = self.end_in(text.get(end..limit).unwrap_or_default()).map(|at| end + at);
        finder.charge(found.unwrap_or(limit) - end);
        self.known = Some((end..limit + 1, found));
        found
    }
}

/// The marks of each kind of quotation in a text, read once when a quotation goes on over a blank line.
#[derive(Default)]
pub(super) struct Quotations {
    kinds: [Option<Vec<Balance>>; QUOTATIONS.len()],
}

/// A mark of a kind of quotation.
struct Balance {
    at: usize,
    /// How many more quotations are open before it than at the start of the text.
    before: i32,
    /// The least that are open after it, or after any later one.
    least: i32,
}

impl Quotations {
    /// An open quotation before a blank line at `at`: it goes on if a mark in a later paragraph ends it.
    pub(super) fn go_on(&mut self, mut open: Quotation, text: &str, at: usize) -> Option<Quotation> {
        if !self.ends_after(&open, text, at) {
            return None;
        }
        open.within.get_or_insert(0);
        Some(open)
    }

    /// Whether a mark after `end` ends a quotation, in whichever paragraph it is. As many may open and end within it.
    pub(super) fn ends_after(&mut self, open: &Quotation, text: &str, end: usize) -> bool {
        let Some(known) = self.kinds.get_mut(open.kind) else { return false };
        let marks = known.get_or_insert_with(|| balances(open.kind, text));
        let next = marks.get(marks.partition_point(|mark| mark.at < end));
        next.is_some_and(|next| next.least < next.before - open.within.unwrap_or(0))
    }
}

fn balances(kind: usize, text: &str) -> Vec<Balance> {
    let Some((open, closers)) = QUOTATIONS.get(kind) else { return Vec::new() };
    let marks = text.char_indices().filter(|(_, char)| char == open || closers.contains(char));
    let mut balance = 0;
    let mut marks: Vec<_> = marks
        .map(|(at, mark)| {
            let before = balance;
            balance += turn(kind, text, at, mark);
            Balance { at, before, least: balance }
        })
        .collect();
    let mut least = i32::MAX;
    for mark in marks.iter_mut().rev() {
        least = least.min(mark.least);
        mark.least = least;
    }
    marks
}

/// What a mark does to how many quotations of a kind are open: 1 where it opens one, -1 where it ends one.
/// A mark that both open and end with is told by what is beside it; one with which a paragraph begins repeats that the quotation goes on.
fn turn(kind: usize, text: &str, at: usize, mark: char) -> i32 {
    let Some(&(opener, closers)) = QUOTATIONS.get(kind) else { return 0 };
    let (before, after) = (last_of(text, at), first_of(text, at + mark.len_utf8()));
    if before == Some('\\') {
        return 0;
    }
    let opens = before.is_none_or(|before| before.is_whitespace() || matches!(before, ':' | '=' | '(' | '[' | '{'));
    let is_letter = |char: Option<char>| char.is_some_and(char::is_alphanumeric);
    // An apostrophe after a letter ends a quotation only before a bracket or a comma.
    let is_apostrophe = mark == '\'' && is_letter(before) && !matches!(after, Some(')' | ']' | '}' | ','));
    let is_closing = || !opens && !is_letter(after) && !is_apostrophe;
    if closers.contains(&mark) && !is_within_word(mark, after) && (mark != opener || is_closing()) {
        return -1;
    }
    let is_opening = mark == opener && (!closers.contains(&opener) || opens);
    i32::from(is_opening && !begins_paragraph(text, at))
}

/// Whether a character is of a script that puts no spaces between words: ideographs, kana, Thai and their neighbours.
fn is_unspaced(char: char) -> bool {
    matches!(char, '\u{0E00}'..='\u{0EFF}' | '\u{1000}'..='\u{109F}' | '\u{1780}'..='\u{17FF}' | '\u{2E80}'..='\u{9FFF}' | '\u{F900}'..='\u{FAFF}' | '\u{20000}'..='\u{3FFFF}')
}

/// Whether an apostrophe is within a word.
fn is_within_word(mark: char, after: Option<char>) -> bool {
    matches!(mark, '\'' | '\u{2019}') && after.is_some_and(char::is_alphanumeric)
}

/// Whether a blank line is before a place.
fn begins_paragraph(text: &str, at: usize) -> bool {
    let before = text.get(..at).unwrap_or_default();
    let blank = before.get(before.trim_end().len()..).unwrap_or_default();
    blank.bytes().filter(|&byte| byte == b'\n').count() > 1
}

fn last_of(text: &str, end: usize) -> Option<char> {
    text.get(..end)?.chars().next_back()
}

fn first_of(text: &str, start: usize) -> Option<char> {
    text.get(start..)?.chars().next()
}
