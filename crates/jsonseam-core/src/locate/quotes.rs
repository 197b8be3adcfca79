//! Where double-quoted strings are open in a text that may not be JSON.

use super::region::Region;
use crate::derived::debug_facts;

/// Where double-quoted strings are open. Places are asked for from left to right, and every byte is read once.
///
/// A backslash hides the byte after it outside of strings too: the quotes of an escaped payload open nothing.
#[derive(Clone)]
pub struct OpenStrings<'r> {
    text: &'r [u8],
    at: usize,
    has_bracket: bool,
    is_open: bool,
}

debug_facts!(OpenStrings<'_>, |strings| at: strings.at);

impl<'r> Region<'r> {
    /// Where strings are open from the first bracket at or after `from` on: before it, quotes are those of prose.
    /// The whole text of the region counts as read.
    ///
    /// ```
    /// use jsonseam_core::Region;
    ///
    /// /// Whether the mark at `pos` is text of a payload that follows the tag which ends at `from`.
    /// fn is_text(region: &Region<'_>, from: usize, pos: usize) -> bool {
    ///     region.strings_from(from).are_open_at(pos)
    /// }
    /// ```
    pub fn strings_from(&self, from: usize) -> OpenStrings<'r> {
        self.text();
        OpenStrings::new(self, from, false)
    }
}

impl<'r> OpenStrings<'r> {
    /// Those from `at` on, where `has_bracket` says that a payload begins there. The caller counts what is read.
    pub(super) fn new(region: &Region<'r>, at: usize, has_bracket: bool) -> Self {
        let text = region.completion.as_bytes().get(..region.span.end).unwrap_or_default();
        Self { text, at, has_bracket, is_open: false }
    }

    /// Whether a string is open at `pos`.
    pub fn are_open_at(&mut self, pos: usize) -> bool {
        if !self.has_bracket_before(pos) {
            return false;
        }
        while let Some(ahead) = self.text.get(self.at..pos).filter(|ahead| !ahead.is_empty()) {
            let plain = memchr::memchr(b'\\', ahead).unwrap_or(ahead.len());
            self.is_open ^= memchr::memchr_iter(b'"', &ahead[..plain]).count() % 2 == 1;
            self.at += if plain < ahead.len() { plain + 2 } else { plain };
        }
        self.is_open
    }

    /// Whether the first bracket is before `pos`.
    pub fn has_bracket_before(&mut self, pos: usize) -> bool {
        if !self.has_bracket
            && let Some(ahead) = self.text.get(self.at..pos)
        {
            let bracket = memchr::memchr2(b'{', b'[', ahead);
            self.has_bracket = bracket.is_some();
            self.at += bracket.unwrap_or(ahead.len());
        }
        self.has_bracket
    }
}
