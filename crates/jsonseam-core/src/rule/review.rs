//! What a rule sees of a payload that was read to its end, and what it may say of it.

use std::cell::OnceCell;
use std::ops::Range;

use crate::derived::debug_facts;
use crate::edits::journal::{Entry, Journal};
use crate::looking::ahead::{Ahead, CountedText};
use crate::looking::peek::text_to;

/// A payload that was read to its end, with the edits made on the way: what [`RepairRule::review`](crate::RepairRule::review) is given.
///
/// A backslash of the payload is part of a string, as JSON has none anywhere else, and no edit begins or ends within an escape.
/// All places are bytes of the completion, and what is read is counted.
pub struct ReadPayload<'r> {
    pub(crate) text: CountedText<'r>,
    payload: Range<usize>,
    journal: &'r Journal,
    escapes: OnceCell<Vec<usize>>,
}

debug_facts!(ReadPayload<'_>, |read| payload: read.payload);

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
        let found = self.escapes.get_or_init(|| self.find_escapes());
        self.text.charge(found.len());
        found
    }

    /// The backslashes between the edits, but for those that another one hides.
    fn find_escapes(&self) -> Vec<usize> {
        let mut found = Vec::new();
        let mut pos = self.payload.start;
        let spans = self.journal.entries().iter().map(Entry::span);
        for edit in spans.chain(std::iter::once(self.payload.end..self.payload.end)) {
            let kept = self.at(pos).slice_to(edit.start).as_bytes();
            let mut from = 0;
            while let Some(len) = kept.get(from..).and_then(|rest| memchr::memchr(b'\\', rest)) {
                found.push(pos + from + len);
                from += len + 2;
            }
            pos = edit.end;
        }
        found
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
