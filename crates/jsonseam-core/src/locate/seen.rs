//! What was read of a completion and is kept: locators ask for the same things one after the other, and so does the search for further payloads.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;

/// How many bytes a search reads in a step, at least.
pub(super) const STEP: usize = 8;

/// How many values are remembered that were read: the payload, and a few beside it.
const VALUES: usize = 8;

/// Bytes that one locator after the other asks for, and that most completions do not hold: those of fences and tags.
const TOGETHER: [u8; 3] = [b'<', b'`', b'~'];

/// The word and the bit of a byte in a set of bytes.
fn place_of(byte: u8) -> (usize, u64) {
    (usize::from(byte >> 6), 1 << (byte & 63))
}

/// What is known of one completion.
#[derive(Default)]
pub(crate) struct Seen {
    /// Which bytes were asked for, a bit for each, and which of them the completion holds.
    asked: [Cell<u64>; 4],
    held: [Cell<u64>; 4],
    /// The region whose whole text was read last, which counts once.
    pub(super) read: Cell<Option<(usize, usize)>>,
    /// The fenced blocks of the region that was asked for them last.
    pub(super) blocks: RefCell<Option<(Range<usize>, Vec<Block>)>>,
    /// The values that were read as they are, and how far.
    values: RefCell<Vec<(Range<usize>, Reached)>>,
    /// Where comments begin that were passed in a region with this end, and what follows them and all other comments and blanks.
    pub(super) comments: RefCell<BTreeMap<(usize, usize), usize>>,
}

/// A fenced code block of a region.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Block {
    /// Where its tag is.
    pub(super) tag: Range<usize>,
    /// Where the line of the opening fence starts.
    pub start: usize,
    /// The content, white space included.
    pub body: Range<usize>,
    /// Whether text is before the opening fence on its line.
    pub is_after_text: bool,
}

/// Where reading a value as it is has stopped.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Reached {
    /// The value fills its span.
    End,
    /// The root had ended, and something follows it here.
    AfterRoot(usize),
    /// It is not valid, or not whole.
    Fault(usize),
}

impl Seen {
    /// Whether the completion holds `byte`, if it was looked for.
    #[inline]
    pub(super) fn holds(&self, byte: u8) -> Option<bool> {
        let (word, bit) = place_of(byte);
        (self.asked[word].get() & bit != 0).then(|| self.held[word].get() & bit != 0)
    }

    /// Looks for a byte, and for those that are rare together with it. Returns whether it is there, and how many steps this took.
    #[inline(never)]
    pub(super) fn look_for(&self, byte: u8, completion: &str) -> (bool, usize) {
        let text = completion.as_bytes();
        let mut from = 0;
        if TOGETHER.contains(&byte) {
            from = memchr::memchr3(b'<', b'`', b'~', text).unwrap_or(text.len());
            match text.get(from) {
                Some(&first) => self.note(first, true),
                None => TOGETHER.into_iter().for_each(|byte| self.note(byte, false)),
            }
        }
        let found = memchr::memchr(byte, &text[from..]);
        self.note(byte, found.is_some());
        (found.is_some(), found.map_or(text.len(), |found| from + found) / STEP)
    }

    fn note(&self, byte: u8, is_held: bool) {
        let (word, bit) = place_of(byte);
        self.asked[word].set(self.asked[word].get() | bit);
        self.held[word].set(self.held[word].get() | if is_held { bit } else { 0 });
    }

    /// How far the value in `span` is valid, read at most once; of many values some are read again.
    pub(crate) fn value(&self, span: &Range<usize>, read: impl FnOnce() -> Reached) -> Reached {
        // What follows a root is not part of it, wherever the span ends.
        let tells = |(known, reached): &&(Range<usize>, Reached)| {
            let is_enough = matches!(reached, Reached::AfterRoot(pos) if *pos < span.end) || known.end == span.end;
            known.start == span.start && is_enough
        };
        if let Some((_, reached)) = self.values.borrow().iter().find(tells) {
            return *reached;
        }
        let reached = read();
        self.remember_value(span.clone(), reached);
        reached
    }

    /// Remembers how far a value is valid.
    pub(crate) fn remember_value(&self, span: Range<usize>, reached: Reached) {
        let mut values = self.values.borrow_mut();
        if values.len() < VALUES {
            values.push((span, reached));
        }
    }
}
