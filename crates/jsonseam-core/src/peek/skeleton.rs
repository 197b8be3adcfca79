//! Members and elements ahead: whether what stands there is one, and whether what follows fits.

use super::Peek;
use super::strings::is_quote;
use crate::fault::Container;

/// Words that some writer uses for a value which is no string.
const VALUE_WORDS: [&str; 11] =
    ["true", "false", "null", "True", "False", "None", "TRUE", "FALSE", "NULL", "undefined", "NaN"];

impl Peek<'_> {
    /// The position after the scalar that starts at `pos`: a quoted text on one line, a number, or one of the words that stand for a value.
    pub(crate) fn scalar_end(&self, pos: usize) -> Option<usize> {
        match self.char_at(pos)? {
            quote if is_quote(quote) => self.quoted_end(pos, quote),
            _ => {
                let word = self.word_at(pos);
                (is_number(word) || VALUE_WORDS.contains(&word)).then_some(pos + word.len())
            }
        }
    }

    /// Whether a value starts at `pos`: a bracket or a scalar.
    pub(crate) fn value_is_at(&self, pos: usize) -> bool {
        matches!(self.char_at(pos), Some('{' | '[')) || self.scalar_end(pos).is_some()
    }

    /// Whether a whole member stands at `pos`: a key, a colon and a value, behind which the object can go on or end.
    pub(crate) fn member_is_at(&self, pos: usize) -> bool {
        let Some(after_key) = self.key_end(pos) else {
            return false;
        };
        let colon = self.skip_blanks(after_key);
        self.starts_with(colon, ":") && self.value_fits_at(self.skip_blanks(colon + 1), Container::Object)
    }

    /// Whether a whole element stands at `pos`: a value, behind which the array can go on or end.
    pub(crate) fn element_is_at(&self, pos: usize) -> bool {
        self.value_fits_at(pos, Container::Array)
    }

    /// Whether a value stands at `pos`; if it is a scalar, also whether `container` can go on or end behind it.
    pub(crate) fn value_fits_at(&self, pos: usize, container: Container) -> bool {
        match self.char_at(pos) {
            Some('{' | '[') => true,
            _ => self.scalar_end(pos).is_some_and(|end| self.goes_on_at(end, container)),
        }
    }

    /// Whether a value stands at `pos` behind which a member ends for certain: a closing brace follows, or a comma and a member,
    /// or, if the value is no string, a comma and a key with a value right behind it.
    pub(crate) fn value_ends_member_at(&self, pos: usize) -> bool {
        let is_text = self.char_at(pos).is_some_and(is_quote);
        if matches!(self.char_at(pos), Some('{' | '[')) {
            return true;
        }
        let Some(end) = self.scalar_end(pos) else {
            return false;
        };
        let next = self.skip_blanks(end);
        let after = self.skip_blanks(next + 1);
        match self.char_at(next) {
            Some('}') => true,
            Some(',') => {
                self.starts_with(after, "}") || self.member_is_at(after) || (!is_text && self.pair_is_at(after))
            }
            _ => false,
        }
    }

    /// Whether a quoted key and a value that is no string stand at `pos`, with nothing between them.
    fn pair_is_at(&self, pos: usize) -> bool {
        let is_value = |pos| !self.char_at(pos).is_some_and(is_quote) && self.value_is_at(pos);
        let is_quoted = self.char_at(pos).is_some_and(is_quote);
        is_quoted && self.key_end(pos).is_some_and(|end| is_value(self.skip_blanks(end)))
    }

    /// Whether `container` goes on or ends at `pos`, right behind a value. A separator may be a foreign one, and one more may be missing if something parts the two.
    fn goes_on_at(&self, pos: usize, container: Container) -> bool {
        if self.value_could_end(pos, Some(container)) {
            return true;
        }
        let next = self.skip_blanks(pos);
        let Some(char) = self.char_at(next) else {
            return true;
        };
        let is_separator = matches!(char, ',' | ';' | '，' | '、');
        let start = if is_separator { self.skip_blanks(next + char.len_utf8()) } else { next };
        if !is_separator && next == pos {
            return false;
        }
        if is_separator && matches!(self.char_at(start), Some('}' | ']')) {
            return true;
        }
        match container {
            Container::Object => self.key_end(start).is_some_and(|end| self.sign_follows(end)),
            Container::Array => self.value_is_at(start) && !self.key_is_at(start),
        }
    }

    /// Whether a colon, or what some writer puts in its place, comes at or after `pos`.
    fn sign_follows(&self, pos: usize) -> bool {
        let next = self.skip_blanks(pos);
        [":", "=", "->", "："].into_iter().any(|sign| self.starts_with(next, sign))
    }

    /// The position after the key at `pos`, without its colon.
    fn key_end(&self, pos: usize) -> Option<usize> {
        match self.char_at(pos) {
            Some(quote) if is_quote(quote) => self.quoted_end(pos, quote),
            _ => self.identifier_at(pos).map(|name| pos + name.len()),
        }
    }
}

/// Whether `word` is a number, in any spelling that is read as one.
fn is_number(word: &str) -> bool {
    let digits = word.trim_start_matches(['-', '+']);
    digits.starts_with(|char: char| char.is_ascii_digit())
        && digits.bytes().all(|byte| byte.is_ascii_hexdigit() || matches!(byte, b'.' | b'x' | b'+' | b'-' | b'_'))
}
