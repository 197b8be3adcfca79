//! What is noted of a text as it comes, each byte once: what decides how much of it may be settled.

use crate::edits::reach::Reach;

/// What is noted of the text as it comes.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Watch {
    seen: usize,
    /// Where what is neither blank nor comma ends.
    pub(super) solid: usize,
    /// Where the latest back-tick is.
    pub(super) mark: Option<usize>,
    /// The first escape that a review may double, and up to where they were looked for.
    pub(super) escape: Option<usize>,
    escapes_seen: usize,
}

impl Watch {
    pub(super) fn at(start: usize) -> Self {
        Self { seen: start, solid: start, mark: None, escape: None, escapes_seen: start }
    }

    /// Notes what is new up to `end`.
    pub(super) fn see(&mut self, text: &str, end: usize, reach: Reach) {
        let new = text.get(self.seen..end).unwrap_or_default();
        let solid = new.trim_end_matches(|char: char| char.is_whitespace() || char == ',');
        if !solid.is_empty() {
            self.solid = self.seen + solid.len();
        }
        self.mark = memchr::memrchr(b'`', new.as_bytes()).map(|at| self.seen + at).or(self.mark);
        self.seen = self.seen.max(end);
        if !reach.has_escapes || self.escape.is_some() {
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
}
