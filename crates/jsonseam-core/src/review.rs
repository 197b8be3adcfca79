//! What a rule sees of a payload that was read to its end, and what it may say of it.

use std::cell::{Cell, OnceCell};
use std::ops::Range;

use crate::journal::{Entry, Journal};

/// A payload that was read to its end, with the edits made on the way: what [`RepairRule::review`](crate::RepairRule::review) is given.
///
/// A backslash of the payload is part of a string, as JSON has none anywhere else, and no edit begins or ends within an escape.
pub struct ReadPayload<'r> {
    completion: &'r str,
    payload: Range<usize>,
    journal: &'r Journal,
    /// Bytes and edits that were asked for.
    examined: Cell<u64>,
    escapes: OnceCell<Vec<usize>>,
}

impl<'r> ReadPayload<'r> {
    pub(crate) fn new(completion: &'r str, payload: Range<usize>, journal: &'r Journal) -> Self {
        Self { completion, payload, journal, examined: Cell::new(0), escapes: OnceCell::new() }
    }

    /// The completion, in which all places here are bytes.
    pub fn completion(&self) -> &'r str {
        self.completion
    }

    /// The edits in order: what each replaces, and the replacement.
    pub fn edits(&self) -> impl Iterator<Item = (Range<usize>, &'r str)> {
        self.charge(self.journal.len());
        self.journal.entries().iter().map(|entry| (entry.span(), self.journal.replacement(entry)))
    }

    /// The escapes of the payload that no edit made, each by the place of its backslash, in order. They are looked for once, whoever asks.
    pub fn escapes(&self) -> &[usize] {
        let found = self.escapes.get_or_init(|| {
            self.charge(self.payload.len());
            self.kept().flat_map(|part| self.escapes_within(part)).collect()
        });
        self.charge(found.len());
        found
    }

    fn escapes_within(&self, part: Range<usize>) -> impl Iterator<Item = usize> {
        let bytes = self.completion.as_bytes();
        let mut from = part.start;
        std::iter::from_fn(move || {
            let pos = from + bytes.get(from..part.end)?.iter().position(|&byte| byte == b'\\')?;
            from = pos + 2;
            Some(pos)
        })
    }

    fn charge(&self, len: usize) {
        self.examined.set(self.examined.get() + len as u64);
    }

    /// How much was read since the payload was made.
    pub(crate) fn examined(&self) -> u64 {
        self.examined.get()
    }

    /// The parts of the payload that no edit replaced, in order.
    fn kept(&self) -> impl Iterator<Item = Range<usize>> {
        let starts =
            std::iter::once(self.payload.start).chain(self.journal.entries().iter().map(|edit| edit.span().end));
        let ends = self.journal.entries().iter().map(|edit| edit.span().start).chain([self.payload.end]);
        starts.zip(ends).map(|(start, end)| start..end)
    }

    /// Whether an edit replaced a backslash: only then is anyone asked to review the payload.
    pub(crate) fn has_edited_backslash(&self) -> bool {
        let is_backslash = |entry: &Entry| {
            let span = entry.span();
            !span.is_empty() && self.completion.as_bytes().get(span.start) == Some(&b'\\')
        };
        self.journal.entries().iter().any(is_backslash)
    }
}

/// What a rule says of a payload that was read to its end (SPEC R7).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Review {
    /// These escapes are none: the backslash of each is doubled. Places that are no [escapes](ReadPayload::escapes) are passed over.
    Double(Vec<usize>),
    /// The payload is refused.
    Refuse(Objection),
}

/// Why a payload is refused that was read to its end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Objection {
    /// The byte of the completion that is doubtful.
    pub at: usize,
    /// The byte that makes it so.
    pub because: usize,
    /// The reason: a sentence without text of the payload.
    pub doubt: &'static str,
}
