//! What lines and closers behind say about the nesting: indentation, and closers that may have come too early.

use super::Peek;
use super::strings::is_quote;

/// No line is looked back over further than this.
const MAX_INDENT: usize = 256;

/// Closers of an object, inside an object, behind which another member follows: had one come too early, the text would look the same.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct EarlyClosers {
    /// Whether there is one at all.
    pub(crate) any: bool,
    /// Whether there is one right behind another closer, where it is easily written once too often.
    pub(crate) in_run: bool,
}

impl Peek<'_> {
    /// How far the line is indented on which `pos` is the first that is no blank; `None` if it is not the first.
    pub(crate) fn indent_at(&self, pos: usize) -> Option<usize> {
        let before = self.source.as_bytes().get(pos.saturating_sub(MAX_INDENT)..pos)?;
        let blanks = before.iter().rev().take_while(|&&byte| matches!(byte, b' ' | b'\t')).count();
        self.charge(blanks + 1);
        let is_first = match before.len().checked_sub(blanks + 1) {
            Some(last) => matches!(before[last], b'\n' | b'\r'),
            // Blanks before the whole text are how a model starts its answer, and indent nothing.
            None if blanks == pos => return Some(0),
            None => false,
        };
        is_first.then_some(blanks)
    }

    /// The closers between `start` and `end` that may have come too early.
    pub(crate) fn early_closers(&self, start: usize, end: usize) -> EarlyClosers {
        let bytes = self.source.as_bytes();
        let mut found = EarlyClosers::default();
        let (mut open, mut arrays) = (Vec::new(), 0_usize);
        let (mut pos, mut is_after_closer) = (start, false);
        self.charge(end.saturating_sub(start));
        while let Some(&byte) = bytes.get(pos).filter(|_| pos < end) {
            let mut next = pos + 1;
            match byte {
                b'"' => next = self.quoted_end(pos, '"').unwrap_or(next),
                b'{' | b'[' => {
                    open.push(byte);
                    arrays += usize::from(byte == b'[');
                }
                b'}' | b']' => {
                    arrays -= usize::from(open.pop() == Some(b'['));
                    if byte == b'}' && arrays == 0 && !open.is_empty() && self.member_follows_comma(next) {
                        found.any = true;
                        found.in_run |= is_after_closer;
                    }
                }
                _ => {}
            }
            if !byte.is_ascii_whitespace() {
                is_after_closer = matches!(byte, b'}' | b']');
            }
            pos = next;
        }
        found
    }

    /// Whether the object that opens at `start` and goes on to `end` has a member with this key, spelled so, quotes and all.
    pub(crate) fn object_has_key(&self, start: usize, end: usize, key: &str) -> bool {
        let bytes = self.source.as_bytes();
        let (mut pos, mut depth) = (start, 0_usize);
        self.charge(end.saturating_sub(start));
        while let Some(&byte) = bytes.get(pos).filter(|_| pos < end) {
            let mut next = pos + 1;
            match byte {
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth = depth.saturating_sub(1),
                b'"' => {
                    next = self.quoted_end(pos, '"').unwrap_or(next);
                    if depth == 1 && self.source.get(pos..next) == Some(key) && self.colon_follows(next) {
                        return true;
                    }
                }
                _ => {}
            }
            pos = next;
        }
        false
    }

    fn member_follows_comma(&self, pos: usize) -> bool {
        let comma = self.skip_blanks(pos);
        let next = self.skip_blanks(comma + 1);
        self.starts_with(comma, ",") && self.char_at(next).is_some_and(is_quote)
    }
}
