//! What the contract says of keys ahead.

use super::Peek;
use super::strings::is_quote;

impl<'e> Peek<'e> {
    /// The content of the key at `pos`, if a colon follows it.
    pub(crate) fn key_at(&self, pos: usize) -> Option<&'e str> {
        let (content, after) = match self.char_at(pos) {
            Some(quote) if is_quote(quote) => {
                let after = self.quoted_end(pos, quote)?;
                let closer = self.source.get(..after)?.chars().next_back()?;
                (pos + quote.len_utf8()..after - closer.len_utf8(), after)
            }
            _ => {
                let len = self.identifier_at(pos)?.len();
                (pos..pos + len, pos + len)
            }
        };
        self.colon_follows(after).then(|| self.source.get(content).unwrap_or_default())
    }

    /// Whether the open object `outward` objects out may have this key; `None` without a contract, or where it says nothing.
    pub(crate) fn declares_key(&self, outward: usize, name: &str) -> Option<bool> {
        let guide = self.guide.as_ref()?;
        self.charge(name.len());
        guide.allows(outward, name)
    }

    /// Whether the contract declares the key at `pos` for the innermost open object.
    pub(crate) fn declared_key_is_at(&self, pos: usize) -> bool {
        self.guide.is_some() && self.key_at(pos).is_some_and(|key| self.declares_key(0, key) == Some(true))
    }
}
