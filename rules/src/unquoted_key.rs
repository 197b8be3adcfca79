//! `unquoted-key`: keys written as identifiers.

use jsonseam_core::{Edits, Fault, Literal, Notation, RepairRule, rule};

use crate::shared::{layout, program};

rule! {
    /// Puts quotes around a key that is written as an identifier.
    ///
    /// # What
    /// A key is expected, and there are a JavaScript identifier (ECMA-262 section 12.7) and a colon.
    ///
    /// # Why
    /// Object literals of JavaScript and JSON5 are written this way, and both read the identifier as the key of the same spelling.
    ///
    /// # Example
    /// `{name: "x"}` becomes `{"name": "x"}`.
    ///
    /// # Limits
    /// `True`, `False` and `None` are left alone: Python reads them as values, JavaScript as names.
    /// Keys with hyphens or spaces, and numbers, are not identifiers.
    pub struct UnquotedKey {
        name: "unquoted-key",
        risk: Certain,
        answers: [Key],
        next: ["_$", Letter, NonAscii],
        reaches: [Fault],
    }
}

impl RepairRule for UnquotedKey {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let name = fault.ahead().identifier()?;
        let is_python_value = Literal::of(name).is_some_and(|literal| literal.notation == Notation::Python);
        (!is_python_value
            && !layout::is_label(fault)
            && !program::is_of_type(fault)
            && fault.ahead().after(name.len()).has_colon())
        .then(|| fault.quote_ahead(name.len()))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(UnquotedKey);
