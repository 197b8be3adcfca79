//! Where strings in double quotes are open in a text around a payload: a tag in one is text.

/// The strings of what follows a place, from its first bracket on.
#[derive(Debug)]
pub struct Strings {
    at: usize,
    has_bracket: bool,
    is_open: bool,
    is_escaped: bool,
}

impl Strings {
    /// Those of what follows `at`.
    pub fn from(at: usize) -> Self {
        Self { at, has_bracket: false, is_open: false, is_escaped: false }
    }

    /// Whether one is open at `pos`. What comes before it is read once.
    pub fn are_open_at(&mut self, pos: usize, text: &str) -> bool {
        for &byte in text.as_bytes().get(self.at..pos).unwrap_or_default() {
            self.has_bracket |= matches!(byte, b'{' | b'[');
            if self.has_bracket {
                self.is_open ^= byte == b'"' && !self.is_escaped;
                self.is_escaped = byte == b'\\' && !self.is_escaped;
            }
        }
        self.at = self.at.max(pos);
        self.is_open
    }

    /// Whether there was a bracket, as far as the text was read.
    pub fn have_begun(&self) -> bool {
        self.has_bracket
    }
}
