//! Quoted texts ahead, in any style, and escapes that were not meant as such.

use jsonseam_text::closers_of;

use super::Peek;

impl Peek<'_> {
    /// The position after a quoted text on one line that opens at `pos` with `quote`.
    pub(crate) fn quoted_end(&self, pos: usize, quote: char) -> Option<usize> {
        let start = pos + quote.len_utf8();
        let closers = closers_of(quote);
        let mut is_escaped = false;
        for (offset, char) in self.ahead(start).char_indices() {
            if is_escaped {
                is_escaped = false;
            } else if char == '\\' {
                is_escaped = true;
            } else if closers.contains(&char) {
                self.charge(offset + char.len_utf8());
                return Some(start + offset + char.len_utf8());
            }
            if char < ' ' {
                self.charge(offset + 1);
                return None;
            }
        }
        self.charge(self.end.saturating_sub(start));
        None
    }
}
