//! Values and keys that are written bare: numbers of other notations, literals of other languages, words.

use super::Peek;

impl Peek<'_> {
    /// Where a bare key at `pos` ends: an identifier, a word with hyphens or points inside, or a whole number whose colon is not that of a time.
    pub(super) fn bare_key_end(&self, pos: usize) -> Option<usize> {
        let identifier = self.identifier_at(pos).map_or(0, str::len);
        let word = self.word_at(pos);
        if identifier >= word.len() {
            return (identifier > 0).then_some(pos + identifier);
        }
        let end = pos + word.len();
        let is_inner = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$' | '-' | '.');
        let is_name = word.starts_with(char::is_alphanumeric)
            && word.ends_with(char::is_alphanumeric)
            && word.chars().all(is_inner);
        let is_key = if word.contains(char::is_alphabetic) {
            is_name
        } else {
            let is_time = self.char_at(end + 1).is_some_and(|char| char.is_ascii_digit());
            word.bytes().all(|byte| byte.is_ascii_digit()) && !is_time
        };
        is_key.then_some(end)
    }
}
