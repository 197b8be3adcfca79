//! What a rule sees of a payload that was read to its end, and what it may say of it.

use std::cell::OnceCell;
use std::fmt;
use std::ops::Range;

use crate::ahead::{Ahead, CountedText};
use crate::journal::{Entry, Journal};
use crate::peek::text_to;

/// A payload that was read to its end, with the edits made on the way: what [`RepairRule::review`](crate::RepairRule::review) is given.
///
/// A backslash of the payload is part of a string, as JSON has none anywhere else, and no edit begins or ends within an escape.
/// All places are bytes of the completion, and what is read is counted.
pub struct ReadPayload<'r> {
    text: CountedText<'r>,
    payload: Range<usize>,
    journal: &'r Journal,
    escapes: OnceCell<Vec<usize>>,
}

impl fmt::Debug for ReadPayload<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ReadPayload").field("payload", &self.payload).finish_non_exhaustive()
    }
}

impl<'r> ReadPayload<'r> {
    pub(crate) fn new(completion: &'r str, payload: Range<usize>, journal: &'r Journal) -> Self {
        Self { text: text_to(completion, payload.end), payload, journal, escapes: OnceCell::new() }
    }

    /// A cursor at a place of the payload as it was written.
    pub fn at(&self, pos: usize) -> Ahead<'_> {
        self.text.at(pos)
    }

    /// The edits in order: what each replaces, and the replacement.
    pub fn edits(&self) -> impl Iterator<Item = (Range<usize>, &'r str)> {
        self.text.charge(self.journal.len());
        self.journal.entries().iter().map(|entry| (entry.span(), self.journal.replacement(entry)))
    }

    /// The escapes of the payload that no edit made, each by the place of its backslash, in order. They are looked for once, whoever asks.
    pub fn escapes(&self) -> &[usize] {
        let found = self.escapes.get_or_init(|| self.kept().flat_map(|part| self.escapes_within(part)).collect());
        self.text.charge(found.len());
        found
    }

    fn escapes_within(&self, part: Range<usize>) -> impl Iterator<Item = usize> {
        let text = self.at(part.start).slice_to(part.end).as_bytes();
        let mut from = 0;
        std::iter::from_fn(move || {
            let pos = from + memchr::memchr(b'\\', text.get(from..)?)?;
            from = pos + 2;
            Some(part.start + pos)
        })
    }

    /// How much was read since the payload was made.
    pub(crate) fn examined(&self) -> u64 {
        self.text.examined()
    }

    /// The parts of the payload that no edit replaced, in order.
    fn kept(&self) -> impl Iterator<Item = Range<usize>> {
        let spans = || self.journal.entries().iter().map(Entry::span);
        let starts = std::iter::once(self.payload.start).chain(spans().map(|span| span.end));
        let ends = spans().map(|span| span.start).chain([self.payload.end]);
        starts.zip(ends).map(|(start, end)| start..end)
    }

    /// Whether an edit replaced a backslash: only then is anyone asked to review the payload.
    pub(crate) fn has_edited_backslash(&self) -> bool {
        let replaces_backslash = |span: Range<usize>| !span.is_empty() && self.at(span.start).starts_with("\\");
        self.journal.entries().iter().map(Entry::span).any(replaces_backslash)
    }
}

/// What a rule says of a payload that was read to its end (SPEC R7).
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Review {
    /// These escapes are none: the backslash of each is doubled. Places that are no [escapes](ReadPayload::escapes), and those of a quote or a backslash,
    /// are passed over.
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
