//! Members, closers and what may follow a value ahead.

use jsonseam_text::is_quote;

use super::Peek;

impl Peek<'_> {
    pub(crate) fn colon_follows(&self, pos: usize) -> bool {
        self.starts_with(self.skip_blanks(pos), ":")
    }

    /// Whether a key and its colon stand at `pos`.
    pub(crate) fn key_is_at(&self, pos: usize) -> bool {
        let after = match self.char_at(pos) {
            Some(quote) if is_quote(quote) => self.quoted_end(pos, quote),
            _ => self.bare_key_end(pos),
        };
        after.is_some_and(|after| self.colon_follows(after))
    }
}
