//! Finding the places where a string may end: the text is read once, and no further than somebody asked.

use std::ops::Range;

use jsonseam_core::{Container, CountedText, Fault};

use super::end::{Doubtful, End, Ending};
use super::parts::Parts;
use super::swallowed::{colon_of_member, line_key_end};
use super::view::{View, char_at, char_before, is_document, key_end, near_key, skip_space_and_comments};
use crate::shared::runs::tells_at;

/// How far further ends are looked for after the first one.
const FURTHER: usize = 512;

/// How much of what follows a string is looked at.
pub(super) const NEAR: usize = 256;

/// How much of it is where the look is not rationed.
pub(super) const GLANCE: usize = 64;

/// How many brackets, commas and blanks before a quote are looked at.
const STRUCTURE: usize = 64;

/// How long the key of a swallowed member may be.
const LONGEST_KEY: usize = 60;

/// How many swallowed members count at most.
const MOST_SWALLOWED: usize = 4;

/// How many ends of one string are listed.
const MOST: usize = 7;

/// How many of one that spans lines and escapes no mark: in raw code many a quote could be its end.
const MOST_OF_CODE: usize = 10;

/// Up to `len` bytes from `start` on, reduced to whole characters, and whether they reach the region's end. It is a far look-ahead, and so rationed.
pub(in crate::shared) fn window<'e>(fault: &Fault<'e>, start: usize, len: usize) -> (&'e str, bool) {
    near(fault, start, fault.allowance(fault.at(start).left_of(len)))
}

/// The same where `len` is small.
pub(in crate::shared) fn near<'e>(fault: &Fault<'e>, start: usize, len: usize) -> (&'e str, bool) {
    let ahead = fault.at(start);
    let left = ahead.left_of(len + 1);
    let mut end = start + left.min(len);
    let mut text = ahead.slice_to(end);
    while text.is_empty() && end > start {
        end -= 1;
        text = ahead.slice_to(end);
    }
    (text, left <= len && end == start + left)
}

/// How far the text was read, and what was found.
#[derive(Clone, Default)]
pub(super) struct Progress {
    at: usize,
    /// Offsets of the marks in the content that nothing hides.
    pub(super) inner: Vec<usize>,
    hidden: usize,
    first_backslash: Option<usize>,
    /// Where a comma first follows a single quote or a back-tick: before it the content holds no parts in such marks.
    first_part: Option<usize>,
    first_control: Option<usize>,
    has_raw_controls: bool,
    /// How many more brackets open than close before `at`, and how many on its line of those that the container closes with.
    open: i32,
    owed: i32,
    /// The latest double quote on the line: the key of a member may begin there.
    quote: Option<usize>,
    /// The colons of what looks like members: each follows a key in quotes or at the start of a line, and the start of a value follows it.
    pub(super) colons: Vec<usize>,
    /// Where the latest run of closers, commas and blanks ends, and the latest one of blanks, line breaks and comments. Each run is read once.
    structure_end: usize,
    blank_end: usize,
    /// The latest gap of brackets, commas and blanks that was asked for.
    pub(super) gap: Range<usize>,
    parts: Parts,
    pub(super) found: Vec<End>,
}

impl Progress {
    /// How many ends are listed.
    fn most(&self) -> usize {
        if self.has_raw_controls && self.hidden == 0 { MOST_OF_CODE } else { MOST }
    }
}

/// The bytes at which something may end: marks, backslashes, structure, and control characters.
const TELLS: [bool; 256] = tells_at(b"\"'`\\{}[]:");

pub(super) struct Search<'k> {
    pub(super) view: View<'k>,
    pub(super) known: &'k mut Progress,
}

impl Search<'_> {
    /// Reads on up to `limit`. Whether what was read holds an end, and all that may be others.
    pub(super) fn run(&mut self, limit: usize) -> bool {
        let bytes = self.view.text.as_bytes();
        let is_double = self.view.string.mark == '"';
        let mut until = bytes.len();
        while self.known.found.len() < self.known.most() {
            if let Some(first) = self.known.found.first() {
                until = until.min(first.pos - self.view.string.start + FURTHER);
            }
            let end = until.min(limit);
            // Most bytes tell nothing.
            let rest = bytes.get(self.known.at..end).unwrap_or_default();
            let Some(plain) = rest.iter().position(|&byte| TELLS[usize::from(byte)]) else {
                self.known.at = self.known.at.max(end);
                break;
            };
            self.known.at += plain;
            self.known.at += self.step(bytes, self.known.at, is_double);
        }
        self.known.found.len() >= self.known.most() || until < bytes.len()
    }

    /// Looks at the byte at `at`. How many bytes this passes.
    fn step(&mut self, bytes: &[u8], at: usize, is_double: bool) -> usize {
        let string = self.view.string;
        let may_end_part = |at: usize| matches!(bytes.get(at..at + 2), Some(b"'," | b"`,"));
        if may_end_part(at) {
            self.note_part(bytes, at);
        }
        match bytes[at] {
            b'\\' => {
                self.known.first_backslash.get_or_insert(at);
                if may_end_part(at + 1) {
                    self.note_part(bytes, at + 1);
                }
                if bytes.get(at + 1) == Some(&b'"') && is_double {
                    self.known.hidden += 1;
                    let is_odd = self.known.hidden % 2 == 1;
                    if is_odd && self.known.inner.is_empty() && self.view.follows(at + 2) {
                        self.push(at, at + 2, Ending::Escaped);
                    }
                }
                self.count(bytes, at + 1);
                return 2;
            }
            b'"' => {
                self.note_member(at);
                self.missing_before_quote(at);
                if is_double {
                    self.mark_at(at);
                }
            }
            byte if char::from(byte) == string.mark => self.mark_at(at),
            b'\n' => {
                self.known.has_raw_controls = true;
                self.note_member(at);
                if is_double {
                    self.missing_at_line(at);
                }
            }
            0..=0x1f => self.known.has_raw_controls = true,
            b'}' | b']' if is_double && !string.is_key => self.missing_at_closer(at),
            b':' if is_double && string.is_key && self.known.inner.is_empty() => self.missing_after_key(at),
            _ => {}
        }
        // Most that is looked at is quotes.
        if bytes[at] != b'"' {
            self.count(bytes, at);
        }
        1
    }

    /// Counts the byte at `at` if it is a bracket or a control character.
    fn count(&mut self, bytes: &[u8], at: usize) {
        let Some(&byte) = bytes.get(at) else { return };
        if byte == b'\n' {
            self.known.owed = 0;
        }
        if byte < b' ' {
            self.known.first_control.get_or_insert(at);
        }
        let opens = opens(byte);
        if opens != 0 {
            let is_own = matches!(byte, b'{' | b'}') == (self.view.string.container == Container::Object);
            self.known.open += opens;
            self.known.owed += if is_own { opens } else { 0 };
        }
    }

    /// Notes the colon after the key that the quote at `at` ends, or that begins the line after the line break at `at`.
    fn note_member(&mut self, at: usize) {
        let near = || near_key(self.view.text, at);
        // Most quotes and line breaks are followed by what no member goes on with.
        let next = self.view.text.as_bytes().get(at + 1);
        let colon = if self.view.text.as_bytes()[at] == b'\n' {
            self.known.quote = None;
            let may_be_key =
                next.is_some_and(|next| !matches!(next, b'"' | b'{' | b'[' | b'}' | b']' | b'A'..=b'Z' | b'0'..=b'9'));
            if may_be_key { line_key_end(near().at(at + 1)).and_then(colon_of_member) } else { None }
        } else {
            let is_key = |quote: usize| (1..=LONGEST_KEY).contains(&(at - quote - 1));
            let quote = self.known.quote.replace(at);
            let may_be_key = matches!(next, Some(b':' | b' ' | b'\t' | b'\n' | b'\r'));
            if may_be_key && quote.is_some_and(is_key) { colon_of_member(near().at(at + 1)) } else { None }
        };
        self.known.colons.extend(colon);
    }

    /// Notes where a part in single quotes or back-ticks may end, before a comma, and the first one if a key in the same quotes follows it.
    fn note_part(&mut self, bytes: &[u8], at: usize) {
        if self.known.first_part.is_some() {
            return;
        }
        self.known.first_part = Some(at);
        let next = self.blank_end(at + 2);
        let is_member = self.view.string.container == Container::Object && !self.view.string.is_key;
        if is_member && bytes.get(next) == Some(&bytes[at]) && key_end(self.view.text, next).is_some() {
            let found = self.known.found.len();
            self.missing(at + 1, at + 1);
            self.known.found.iter_mut().skip(found).for_each(|place| place.takes_over = true);
        }
    }

    /// The mark at `at` may end the string, or open what follows it.
    fn mark_at(&mut self, at: usize) {
        let is_apostrophe = self.view.string.mark == '\''
            && char_before(self.view.text, at).is_some_and(char::is_alphanumeric)
            && char_at(self.view.text, at + 1).is_some_and(char::is_alphabetic);
        if self.view.follows(at + 1) {
            self.push(at, at + 1, Ending::Mark);
        }
        if !is_apostrophe {
            if self.known.inner.is_empty() {
                // Where one mark is not the end, many are not.
                self.known.inner.reserve(32);
            }
            self.known.inner.push(at);
        }
    }

    /// Where the blanks, line breaks and comments end among which `at` is.
    fn blank_end(&mut self, at: usize) -> usize {
        if at >= self.known.blank_end {
            self.known.blank_end = skip_space_and_comments(self.view.text, at);
        }
        self.known.blank_end
    }

    /// The end before the quote at `at`, if that opens a key or an element.
    fn missing_before_quote(&mut self, at: usize) {
        let bytes = self.view.text.as_bytes();
        // Most quotes follow a word, or a colon and a blank.
        let before = &bytes[..at];
        if self.view.string.is_key || matches!(before, [] | [.., b':', b' ']) || before[at - 1].is_ascii_alphanumeric()
        {
            return;
        }
        let is_gap = |byte: &u8| matches!(byte, b',' | b' ' | b'\t' | b'\r' | b'\n');
        // An opener may stand before the quote: then what is before that is structure too.
        let is_opener = |byte: &u8| matches!(byte, b'{' | b'[') || is_gap(byte);
        let end = at - bytes[..at].iter().rev().take(STRUCTURE).take_while(|&byte| is_opener(byte)).count();
        let gap = &bytes[end..at];
        let is_direct = gap.iter().all(is_gap);
        let is_parted = gap.contains(&b',') || gap.contains(&b'\n');
        if end == 0 || !is_parted || bytes[end - 1] == b':' {
            return;
        }
        let is_object = self.view.string.container == Container::Object;
        let is_key = bytes[at] == b'"' && key_end(self.view.text, at).is_some();
        if is_object && !is_key || !is_direct && !is_key && !matches!(bytes[end - 1], b'}' | b']') {
            return;
        }
        self.missing(end, end);
        // Closers before it are structure too.
        if matches!(bytes[end - 1], b'}' | b']') {
            let is_structure = |byte: &u8| matches!(byte, b'}' | b']' | b' ' | b'\t' | b'\n' | b'\r' | b',');
            let end = end - bytes[..end].iter().rev().take_while(|&byte| is_structure(byte)).count();
            if end > 0 {
                self.missing(end, end);
            }
        }
    }

    /// The end of the line that ends at `at`, if the next one goes on as the container does.
    fn missing_at_line(&mut self, at: usize) {
        let bytes = self.view.text.as_bytes();
        let is_gap = |byte: &u8| matches!(byte, b',' | b' ' | b'\t' | b'\r');
        let end = at - bytes[..at].iter().rev().take_while(|&byte| is_gap(byte)).count();
        if self.view.string.is_key || end == 0 {
            return;
        }
        let next = self.blank_end(at);
        let goes_on = match (self.view.string.container, bytes.get(next)) {
            (_, None) => false,
            (Container::Object, Some(b'}')) | (Container::Array, Some(b']')) => true,
            (Container::Object, _) => key_end(self.view.text, next).is_some(),
            // Another element begins the next line.
            (Container::Array, Some(byte)) => {
                let is_literal = || CountedText::new(self.view.text).at(next).literal().is_some();
                let is_value = matches!(byte, b'"' | b'[' | b'{' | b'-' | b'0'..=b'9') || is_literal();
                is_value && bytes[end..at].contains(&b',')
            }
        };
        if goes_on {
            self.missing(end, end);
        }
    }

    /// The end before the closer at `at`, if closers end the line.
    fn missing_at_closer(&mut self, at: usize) {
        let bytes = self.view.text.as_bytes();
        let closer = if self.view.string.container == Container::Object { b'}' } else { b']' };
        if bytes[at] != closer {
            return;
        }
        if at >= self.known.structure_end {
            let is_structure = |byte: &&u8| matches!(byte, b'}' | b']' | b',' | b' ' | b'\t' | b'\r');
            self.known.structure_end = at + bytes[at..].iter().take_while(is_structure).count();
        }
        let ends_line = match bytes.get(self.known.structure_end) {
            None => self.view.is_whole,
            Some(byte) => *byte == b'\n',
        };
        let end = at - bytes[..at].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        if !ends_line || end == 0 || bytes[end - 1] == b'"' {
            return;
        }
        if self.known.owed <= 0 {
            self.missing(end, end);
            if let Some(found) = self.known.found.last_mut().filter(|found| found.pos == self.view.string.start + end) {
                found.closers += 1;
            }
        }
    }

    /// The end of a key before the colon at `at`.
    fn missing_after_key(&mut self, at: usize) {
        let bytes = self.view.text.as_bytes();
        let end = at - bytes[..at].iter().rev().take_while(|byte| byte.is_ascii_whitespace()).count();
        let name = self.view.text[..end].trim_end_matches(['\'', '`', '\u{2019}', '\u{201D}']);
        let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '-' | ' ' | '.' | '$');
        let is_whole = end - name.len() <= 3 && (1..=64).contains(&end);
        if is_whole && name.chars().all(is_name) && !bytes[at..].starts_with(b"://") {
            self.missing(end, end);
        }
    }

    fn missing(&mut self, end: usize, after: usize) {
        let text = &self.view.text[..end];
        let Some(last) = text.chars().next_back() else { return };
        let count = |mark: char| text.matches(mark).count();
        // Most texts hold no mark with a comma after it.
        let may_hold_parts = !self.view.is_ascii || self.known.first_part.is_some_and(|first| first < end);
        if may_hold_parts && self.known.parts.go_on_before(end, self.view.text) {
            return;
        }
        let ending = match last {
            '"' if !text.ends_with("\\\"") || self.known.hidden % 2 == 1 => return,
            '\u{201D}' if count('\u{201D}') > count('\u{201C}') => Ending::OtherMark(last.len_utf8()),
            '\'' if count('\'') == 1 && (self.view.string.is_key || !is_plural_owner(text)) => Ending::OtherMark(1),
            '`' if count('`') % 2 == 1 => Ending::OtherMark(1),
            '\\' => return,
            _ => Ending::Missing,
        };
        self.push(end, after, ending);
    }

    fn push(&mut self, end: usize, after: usize, ending: Ending) {
        let (known, Doubtful { start, is_key, .. }) = (&mut *self.known, self.view.string);
        let inner = known.inner.partition_point(|&at| at < end);
        // A text that is a document itself swallows nothing.
        let is_document = is_document(&self.view.text[..end]);
        let members = known.colons.iter().take_while(|&&colon| !is_document && colon <= after).count();
        let is_marked = ending == Ending::Mark && known.hidden == 0;
        let holds_members = is_marked && self.view.holds_members(&known.colons[..members], inner, end);
        let before = |place: Option<usize>| place.filter(|&place| place < end);
        let between = self.view.text.as_bytes().get(end..known.at).unwrap_or_default();
        known.found.push(End {
            start,
            pos: start + end,
            after: start + after,
            is_key,
            ending,
            takes_over: false,
            inner,
            hidden: known.hidden,
            first_backslash: before(known.first_backslash),
            first_control: before(known.first_control),
            has_raw_controls: known.has_raw_controls,
            open: known.open - between.iter().copied().map(opens).sum::<i32>(),
            closers: 0,
            members,
            charged: if holds_members { 0 } else { members.min(MOST_SWALLOWED) },
            weight: None,
            doubts: None,
        });
    }
}

/// How many brackets a byte opens: less than none if it closes one.
fn opens(byte: u8) -> i32 {
    i32::from(matches!(byte, b'{' | b'[')) - i32::from(matches!(byte, b'}' | b']'))
}

/// Whether a text of several words ends as in "the dogs'": the mark may belong to it.
fn is_plural_owner(text: &str) -> bool {
    text.ends_with("s'") && text.contains(' ')
}
