//! What a rule may ask about the contract.

use super::Fault;
use crate::looking::evidence::Shape;
use crate::looking::frames::Guide;

impl Fault<'_> {
    /// Whether the contract allows the key `name` in the innermost open object.
    ///
    /// `Some(true)`: it declares it; `Some(false)`: it lists the keys allowed here, and this is not one of them; `None`: nothing is known.
    /// `name` is the content of a key as JSON spells it: escapes are read, nothing else is changed (SPEC K1).
    ///
    /// A declared key is strong evidence that a member starts where it is.
    /// A key that a closed list does not hold is evidence only where another reading is left: a member that the contract forbids must be
    /// refused by the contract, and not be read into the value before it.
    ///
    /// ```
    /// use jsonseam_core::{Edits, Fault};
    ///
    /// /// Quotes a word as a key if the contract declares it.
    /// fn quote(fault: &Fault<'_>) -> Option<Edits> {
    ///     let word = fault.ahead().take_while(char::is_alphanumeric);
    ///     (fault.declares_key(word) == Some(true)).then(|| fault.quote_ahead(word.len()))
    /// }
    /// ```
    pub fn declares_key(&self, name: &str) -> Option<bool> {
        let evidence = self.context.evidence?;
        self.context.peek.text.charge(name.len());
        self.context.recorder.frames.allows(name, Some(evidence))
    }

    /// Whether the contract lists `text` among the strings that the value at the fault may be, as an enumeration does.
    pub fn lists_word(&self, text: &str) -> bool {
        self.shape().is_some_and(|shape| shape.lists(text))
    }

    /// What the contract says a value is that is absent at the fault, spelled as JSON spells it.
    pub fn default_value(&self) -> Option<&str> {
        self.shape()?.default.as_deref()
    }

    fn shape(&self) -> Option<&Shape> {
        let Self { context, .. } = self;
        let guide = Guide { source: context.source, evidence: context.evidence };
        guide.types()?;
        let (shape, examined) = context.recorder.frames.shape_of_value(guide);
        context.peek.text.charge(usize::try_from(examined).unwrap_or(usize::MAX));
        shape
    }
}
