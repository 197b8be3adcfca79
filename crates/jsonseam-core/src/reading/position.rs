//! Places in a text: bytes, lines and columns.

use serde::Serialize;

/// A place in the completion.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Position {
    /// Bytes from the start of the completion.
    pub offset: usize,
    /// Line, from 1; a line ends with a line feed.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
}

impl Position {
    /// The place of `offset` in `text`. Reads the text up to there.
    ///
    /// ```
    /// use jsonseam_core::Position;
    ///
    /// let position = Position::of(5, "é\n{a}");
    /// assert_eq!((position.line, position.column), (2, 3));
    /// ```
    pub fn of(offset: usize, text: &str) -> Self {
        let before = &text.as_bytes()[..offset.min(text.len())];
        let line_start = memchr::memrchr(b'\n', before).map_or(0, |newline| newline + 1);
        Self {
            offset,
            line: memchr::memchr_iter(b'\n', before).count() + 1,
            column: before[line_start..].iter().filter(|&&byte| byte & 0xC0 != 0x80).count() + 1,
        }
    }
}
