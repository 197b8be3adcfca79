//! What a rule may ask about members and the gaps between tokens.

use std::ops::Range;

use super::Fault;
use crate::edits::journal::Entry;
use crate::looking::trace::RecordedToken;

impl Fault<'_> {
    /// Whether the text between the nearest token and the fault holds a line feed or a carriage return that no edit removed.
    pub fn gap_has_newline(&self) -> bool {
        let from = self.context.recorder.nth_back(0).map_or(self.context.start, RecordedToken::end);
        let (memo_from, memo_to, memo_found) = self.context.gap.get();
        let (mut pos, mut found) =
            if memo_from == from && memo_to <= self.site.pos { (memo_to, memo_found) } else { (from, false) };
        let entries = self.context.journal.entries();
        let first = self.context.journal.place_for(pos, self.context.sealed);
        let spans = entries.get(first..).unwrap_or_default().iter().map(Entry::span);
        for span in spans.take_while(|span| span.start < self.site.pos) {
            found |= self.has_newline(pos..span.start);
            pos = span.end;
        }
        found |= self.has_newline(pos..self.site.pos);
        self.context.gap.set((from, self.site.pos, found));
        found
    }

    fn has_newline(&self, span: Range<usize>) -> bool {
        self.at(span.start).slice_to(span.end).bytes().any(|byte| matches!(byte, b'\n' | b'\r'))
    }

    /// The character that opens the innermost container in the source: `(` or `{` where an edit has made an array of it.
    pub fn opener(&self) -> Option<char> {
        self.opened()?.peek()
    }

    /// How many bytes are between the nearest token and the fault.
    pub fn gap_len(&self) -> usize {
        self.site.pos
            - self.context.recorder.nth_back(0).map_or(self.context.start, RecordedToken::end).min(self.site.pos)
    }
}
