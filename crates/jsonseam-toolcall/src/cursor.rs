//! A place in the completion, and what can be read from there.

use std::cell::{Cell, OnceCell, RefCell};
use std::collections::HashMap;
use std::ops::Range;

/// What editors put before a text.
pub(crate) const BYTE_ORDER_MARK: &str = "\u{FEFF}";

/// Why reading stopped.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Stop {
    /// The text ends before what was begun does.
    Cut,
    /// What is at this byte is nothing that the format knows.
    Malformed(usize),
    /// The JSON value at this byte was read, and is no call.
    NoCall(usize),
    /// Nested deeper than the limit, or one of more broken calls than are read, at this byte.
    TooDeep(usize),
    /// What may be there once only is there twice, or spelled in another way, at this byte.
    Repeated(usize),
    /// A value goes on over the head of another call or argument, at this byte.
    RunsOver(usize),
}

impl Stop {
    /// How much it says about a call that was meant: a cut most, then what was read furthest.
    pub(crate) fn rank(self) -> (u8, usize) {
        match self {
            Self::NoCall(pos) | Self::Malformed(pos) => (0, pos),
            Self::TooDeep(pos) => (1, pos),
            Self::Cut => (2, 0),
            Self::Repeated(pos) | Self::RunsOver(pos) => (3, pos),
        }
    }

    /// The same at another byte.
    pub(crate) fn at(self, pos: usize) -> Self {
        match self {
            Self::Cut => Self::Cut,
            Self::Malformed(_) => Self::Malformed(pos),
            Self::NoCall(_) => Self::NoCall(pos),
            Self::TooDeep(_) => Self::TooDeep(pos),
            Self::Repeated(_) => Self::Repeated(pos),
            Self::RunsOver(_) => Self::RunsOver(pos),
        }
    }
}

/// A place in a text.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Cursor<'a> {
    pub(crate) text: &'a str,
    pub(crate) pos: usize,
}

impl<'a> Cursor<'a> {
    pub(crate) fn new(text: &'a str, pos: usize) -> Self {
        Self { text, pos }
    }

    pub(crate) fn rest(&self) -> &'a str {
        self.text.get(self.pos..).unwrap_or_default()
    }

    pub(crate) fn peek(&self) -> Option<char> {
        self.rest().chars().next()
    }

    pub(crate) fn skip_blanks(&mut self) {
        let rest = self.rest();
        self.pos += rest.len() - rest.trim_start().len();
    }

    /// Passes over `text` if it is here.
    pub(crate) fn eat(&mut self, text: &str) -> bool {
        let stands_here = self.rest().starts_with(text);
        if stands_here {
            self.pos += text.len();
        }
        stands_here
    }

    /// Passes over `text`, or says whether the end came first.
    pub(crate) fn expect(&mut self, text: &str) -> Result<(), Stop> {
        if self.eat(text) {
            return Ok(());
        }
        Err(self.stopped_before(text))
    }

    /// Why `text` does not stand here.
    pub(crate) fn stopped_before(&self, text: &str) -> Stop {
        if text.starts_with(self.rest()) { Stop::Cut } else { Stop::Malformed(self.pos) }
    }

    /// What is wrong with the character here: there is none, or it does not belong.
    pub(crate) fn stop(&self) -> Stop {
        if self.rest().is_empty() { Stop::Cut } else { Stop::Malformed(self.pos) }
    }

    /// Passes over the characters that belong, and says where they are.
    pub(crate) fn take_while(&mut self, belongs: impl Fn(char) -> bool) -> Range<usize> {
        let rest = self.rest();
        let len = rest.find(|char| !belongs(char)).unwrap_or(rest.len());
        self.pos += len;
        self.pos - len..self.pos
    }
}

/// `span` without the white space at both ends.
pub(crate) fn trimmed(text: &str, span: Range<usize>) -> Range<usize> {
    let part = text.get(span.clone()).unwrap_or_default();
    let start = span.start + part.len() - part.trim_start().len();
    start..start + part.trim().len()
}

/// Searches a text for marks, and remembers what it found: asking again and again for a mark that is far away, or nowhere, costs one pass.
#[derive(Debug)]
pub(crate) struct Finder<'a> {
    text: &'a str,
    /// For each mark: where the latest search began, and what it found.
    found: RefCell<HashMap<String, (usize, Option<usize>)>>,
    /// How many bytes were read, here and by whoever counts with it.
    examined: Cell<u64>,
    /// Which pairs of neighbouring bytes the text has, a bit for each, if it is long.
    pairs: OnceCell<Vec<u64>>,
    /// Where each JSON value is, in order, of a text that is nothing else.
    values: OnceCell<Vec<Range<usize>>>,
    /// The ends of the lines that are a word or a rule, by what they are.
    lines: OnceCell<HashMap<String, Vec<usize>>>,
}

/// The longest line that is looked up as a whole.
const LONGEST_LINE: usize = 260;

/// From so many bytes on, one pass that tells which marks cannot occur costs less than a pass for each of them.
const LONG: usize = 1 << 14;

impl<'a> Finder<'a> {
    pub(crate) fn new(text: &'a str) -> Self {
        Self {
            text,
            found: RefCell::new(HashMap::new()),
            examined: Cell::new(0),
            pairs: OnceCell::new(),
            values: OnceCell::new(),
            lines: OnceCell::new(),
        }
    }

    /// Remembers where the values are of a text that is nothing but JSON.
    pub(crate) fn keep(&self, values: Vec<Range<usize>>) {
        let _ = self.values.set(values);
    }

    /// Where the value that begins at `pos` ends, if it is one of those that are remembered.
    pub(crate) fn kept_end(&self, pos: usize) -> Option<usize> {
        let values = self.values.get()?;
        let at = values.binary_search_by_key(&pos, |value| value.start).ok()?;
        values.get(at).map(|value| value.end)
    }

    /// The end of the first line that begins after `pos` and is `line`, but for blanks around it and punctuation after it.
    pub(crate) fn line_after(&self, line: &str, pos: usize) -> Option<usize> {
        let lines = self.lines.get_or_init(|| {
            self.charge(self.text.len());
            let mut lines: HashMap<String, Vec<usize>> = HashMap::new();
            let mut start = 0;
            for line in self.text.split_inclusive('\n') {
                let known = line.trim().trim_end_matches([';', ',', ')']);
                if !known.is_empty() && known.len() <= LONGEST_LINE {
                    lines.entry(known.to_owned()).or_default().push(start + line.trim_end().len());
                }
                start += line.len();
            }
            lines
        });
        let ends = lines.get(line)?;
        ends.get(ends.partition_point(|&end| end < pos + line.len())).copied()
    }

    /// Counts bytes that were read.
    pub(crate) fn charge(&self, bytes: usize) {
        self.examined.set(self.examined.get() + bytes as u64);
    }

    /// Counts what was read of a text that was made of this one.
    pub(crate) fn absorb(&self, other: &Finder<'_>) {
        self.examined.set(self.examined.get() + other.examined.get());
    }

    /// How many bytes were read so far.
    #[cfg(test)]
    pub(crate) fn examined(&self) -> u64 {
        self.examined.get()
    }

    /// Whether a mark may occur: in a long text every pair of its bytes does.
    pub(crate) fn may_occur(&self, mark: &str) -> bool {
        if self.text.len() < LONG {
            return true;
        }
        let pairs = self.pairs.get_or_init(|| {
            self.charge(self.text.len());
            let mut pairs = vec![0_u64; 1 << 10];
            let mut before = None;
            for &byte in self.text.as_bytes() {
                if let Some(before) = before.replace(byte) {
                    let (word, bit) = place_of(before, byte);
                    if let Some(word) = pairs.get_mut(word) {
                        *word |= 1 << bit;
                    }
                }
            }
            pairs
        });
        let mut places = mark.bytes().zip(mark.bytes().skip(1)).map(|(before, byte)| place_of(before, byte));
        places.all(|(word, bit)| pairs.get(word).is_some_and(|word| word >> bit & 1 == 1))
    }

    /// Where `mark` next is, from `pos` on.
    pub(crate) fn find(&self, mark: &str, pos: usize) -> Option<usize> {
        if !self.may_occur(mark) {
            return None;
        }
        let mut known = self.found.borrow_mut();
        if let Some(&(from, found)) = known.get(mark)
            && from <= pos
            && found.is_none_or(|found| found >= pos)
        {
            return found;
        }
        let rest = self.text.as_bytes().get(pos..).unwrap_or_default();
        let found = memchr::memmem::find(rest, mark.as_bytes()).map(|offset| pos + offset);
        self.charge(found.unwrap_or(self.text.len()).saturating_sub(pos) + 1);
        known.insert(mark.to_owned(), (pos, found));
        found
    }
}

/// Where the bit of a pair of bytes is.
fn place_of(before: u8, byte: u8) -> (usize, u8) {
    (usize::from(before) << 2 | usize::from(byte >> 6), byte & 63)
}
