//! What a rule may ask about the contract.

use super::Fault;

impl<'e> Fault<'e> {
    /// Whether the contract allows the key `name` in the innermost open object.
    ///
    /// `Some(true)`: it declares it; `Some(false)`: it lists the keys allowed here, and this is none of them; `None`: nothing is known.
    /// `name` is the content of a key as JSON spells it: escapes are read, nothing else is changed (SPEC K1).
    ///
    /// A declared key is strong evidence that a member starts where it stands.
    /// A key that a closed list does not hold is evidence only where another reading is left: a member that the contract forbids must be
    /// refused by the contract, and not be read into the value before it.
    pub fn declares_key(&self, name: &str) -> Option<bool> {
        self.declares_key_outward(0, name)
    }

    /// The same for the open object that is `outward` objects out from the innermost one.
    pub fn declares_key_outward(&self, outward: usize, name: &str) -> Option<bool> {
        self.setting.peek.declares_key(outward, name)
    }

    /// The content of the key at `pos`: a quoted text of any style or an identifier, with a colon behind it.
    pub fn key_at(&self, pos: usize) -> Option<&'e str> {
        self.setting.peek.key_at(pos)
    }

    /// Whether the contract declares the key that stands at `pos` for the innermost open object. Free of any reading without a contract.
    pub fn declared_key_is_at(&self, pos: usize) -> bool {
        self.setting.peek.declared_key_is_at(pos)
    }
}
