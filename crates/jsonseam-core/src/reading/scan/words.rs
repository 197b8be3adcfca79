//! Where a string may end and where white space does, word by word: for processors without a fast way to a bit for each byte.

/// Finds the ends of strings and of white space. It remembers nothing.
pub(crate) struct Cursor;

impl Cursor {
    #[inline]
    pub(crate) const fn at(_: usize) -> Self {
        Self
    }

    /// The first position from `pos` on that holds a quote, a backslash or a control character; the length if none does.
    #[inline(always)]
    #[allow(clippy::inline_always, clippy::unused_self, reason = "it has the interface of `Blocks`")]
    pub(crate) fn content_end(&mut self, text: &[u8], pos: usize) -> usize {
        super::string_content_end(text, pos)
    }

    /// The first position from `pos` on that is not white space; the length if all is.
    #[inline]
    #[allow(clippy::unused_self, reason = "it has the interface of `Blocks`")]
    pub(crate) fn skip_blanks(&mut self, text: &[u8], pos: usize) -> usize {
        super::skip_blanks(text, pos)
    }
}
