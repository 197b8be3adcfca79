//! Members, closers and what may follow a value ahead.

use super::Peek;
use super::strings::is_quote;
use crate::fault::Container;

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

    /// Whether the root, which closed before `pos`, has ended there (SPEC P2).
    /// A comma, a colon or another closer says that it has not, behind a comment too; so does a member, whose key would be lost without a word.
    pub(crate) fn root_has_ended(&self, pos: usize) -> bool {
        let next = self.skip_blanks(pos);
        match self.char_at(next) {
            Some(',' | ':' | '}' | ']') => false,
            Some(';') => !self.key_is_at(self.skip_blanks(next + 1)),
            Some(quote) if is_quote(quote) => !self.key_is_at(next),
            _ => true,
        }
    }

    /// The same for a span that ends at the last closer of its region, where prose may go on in any way:
    /// only a colon, a member, or a comma with something like a value or nothing behind it says that more was meant.
    pub(crate) fn span_has_ended(&self, end: usize) -> bool {
        let next = self.skip_blanks(end);
        match self.char_at(next) {
            Some(',') => {
                let after = self.skip_blanks(next + 1);
                self.char_at(after).is_some_and(|char| !is_quote(char) && !matches!(char, '{' | '[' | '-' | '0'..='9'))
            }
            Some('}' | ']') => true,
            _ => self.root_has_ended(next),
        }
    }

    /// Whether a value that ends before `pos` is followed by what `container` allows next.
    pub(crate) fn value_could_end(&self, pos: usize, container: Option<Container>) -> bool {
        let next = self.skip_blanks(pos);
        let Some(char) = self.char_at(next) else {
            return true;
        };
        let Some(container) = container else {
            return false;
        };
        match (container, char) {
            (Container::Object, '}') | (Container::Array, ']') => true,
            (_, ',') => self.fits_after_comma(next + 1, container),
            (Container::Object, _) => self.slice(pos..next).contains(['\n', '\r']) && self.key_is_at(next),
            (Container::Array, _) => false,
        }
    }

    pub(super) fn fits_after_comma(&self, pos: usize, container: Container) -> bool {
        let next = self.skip_blanks(pos);
        let Some(char) = self.char_at(next) else {
            return true;
        };
        match container {
            Container::Object => char == '}' || self.key_is_at(next),
            Container::Array => match char {
                ']' | '[' | '{' | '-' | '0'..='9' => true,
                char if is_quote(char) => true,
                _ => self.foreign_scalar_is_at(next),
            },
        }
    }
}
