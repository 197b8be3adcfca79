//! What the contract says of keys ahead.

use super::Peek;

impl Peek<'_> {
    /// Whether the innermost open object may have this key; `None` without a contract, or where it says nothing.
    pub(crate) fn declares_key(&self, name: &str) -> Option<bool> {
        let cursor = self.cursor.as_ref()?;
        self.charge(name.len());
        cursor.allows(name)
    }
}
