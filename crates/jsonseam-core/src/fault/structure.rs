//! What a rule may ask about members and the gaps between tokens.

use std::ops::Range;

use super::{Container, Fault};
use crate::trace::Held;

impl Fault<'_> {
    /// Whether the text between the nearest token and the fault holds a line feed or a carriage return that no edit removed.
    pub fn gap_has_newline(&self) -> bool {
        let from = self.setting.recorder.behind(0).map_or(self.setting.start, Held::end);
        let (memo_from, memo_to, memo_found) = self.setting.gap.get();
        let (mut pos, mut found) =
            if memo_from == from && memo_to <= self.pos { (memo_to, memo_found) } else { (from, false) };
        let entries = self.setting.journal.entries();
        let first = self.setting.journal.place_for(pos, self.setting.sealed);
        for entry in entries.get(first..).unwrap_or_default() {
            let span = entry.span();
            if span.start >= self.pos {
                break;
            }
            found |= self.has_newline(pos..span.start);
            pos = span.end;
        }
        found |= self.has_newline(pos..self.pos);
        self.setting.gap.set((from, self.pos, found));
        found
    }

    fn has_newline(&self, span: Range<usize>) -> bool {
        self.setting.peek.slice(span).bytes().any(|byte| matches!(byte, b'\n' | b'\r'))
    }

    /// Whether a key stands at the fault: a string of any quote style, or an identifier, and a colon behind it.
    pub fn key_is_next(&self) -> bool {
        *self.key_is_next.get_or_init(|| self.setting.peek.key_is_at(self.pos))
    }

    /// Whether two members of an object meet here without a comma: a key stands at the fault, on a later line than the nearest token (SPEC M1, M2).
    pub fn members_meet(&self) -> bool {
        self.container() == Some(Container::Object) && self.key_is_next() && self.gap_has_newline()
    }

    /// Whether a colon comes at or after `pos`, behind nothing but white space and comments.
    pub fn colon_follows(&self, pos: usize) -> bool {
        self.setting.peek.colon_follows(pos)
    }
}
