//! What is noted of a text as it comes, each byte once: what decides how much of it may be settled.

use super::task::Task;
use crate::edits::reach::Reach;

/// How much is looked through for the end of a string that a fault is in.
const MOST_OF_TAIL: usize = 1024;

/// What is known of the text that was read, for what may be settled of it.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Sight {
    /// How far back edits may start.
    pub(crate) reach: Reach,
    /// Up to where it was looked at.
    seen: usize,
    /// Where what is neither blank nor comma ends in it.
    pub(crate) solid: usize,
    /// Where the latest back-tick is.
    pub(super) mark: Option<usize>,
    /// The first escape that a review may double, and up to where they were looked for.
    escape: Option<usize>,
    escapes_seen: usize,
}

impl Sight {
    /// From the start of a payload on, which rules repair that reach so far.
    pub(crate) fn at(start: usize, reach: Reach) -> Self {
        Self { reach, seen: start, solid: start, escapes_seen: start, ..Self::default() }
    }

    /// Notes what is new up to `end`.
    pub(crate) fn see(&mut self, text: &str, end: usize) {
        let new = text.get(self.seen..end).unwrap_or_default();
        let solid = new.trim_end_matches(|char: char| char.is_whitespace() || char == ',');
        if !solid.is_empty() {
            self.solid = self.seen + solid.len();
        }
        self.mark = memchr::memrchr(b'`', new.as_bytes()).map(|at| self.seen + at).or(self.mark);
        self.seen = self.seen.max(end);
        if !self.reach.has_escapes || self.escape.is_some() {
            return;
        }
        let bytes = text.as_bytes().get(..end).unwrap_or_default();
        while let Some(at) = bytes.get(self.escapes_seen..).and_then(|rest| memchr::memchr(b'\\', rest)) {
            let at = self.escapes_seen + at;
            if !matches!(bytes.get(at + 1), Some(b'"' | b'\\')) {
                // What it begins is not there yet, or may be doubled.
                self.escape = Some(at);
                return;
            }
            self.escapes_seen = at + 2;
        }
        self.escapes_seen = self.escapes_seen.max(end);
    }

    /// Nothing from here on is settled: a review may double an escape.
    pub(super) fn most(self) -> usize {
        self.escape.unwrap_or(usize::MAX)
    }

    /// Where what is neither blank nor comma ends before `pos`; an earlier place if that is far.
    pub(super) fn solid_before(self, pos: usize, task: &Task<'_>) -> usize {
        if pos >= self.seen {
            return self.solid;
        }
        let from = pos.saturating_sub(MOST_OF_TAIL);
        let is_solid = |byte: &u8| !matches!(byte, b',' | b' ' | b'\t' | b'\n' | b'\r' | 0x80..);
        let bytes = task.completion.as_bytes().get(from..pos).unwrap_or_default();
        bytes.iter().rposition(is_solid).map_or(0, |at| from + at + 1)
    }
}
