//! `unquoted-key`: keys written as identifiers.

use jsonseam_core::{Fault, Literal, Notation, Proposals, RepairRule, rule};

use crate::shared::{layout, members, program};

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
        cases: "unquoted_key.toml",
    }
}

impl RepairRule for UnquotedKey {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let Some(name) = fault.ahead().identifier() else { return };
        let is_python_value = Literal::of(name).is_some_and(|literal| literal.notation == Notation::Python);
        if !is_python_value
            && !layout::is_label(fault)
            && !program::is_of_type(fault)
            && fault.ahead().after(name.len()).has_colon()
        {
            members::name_key(fault, fault.quote_ahead(name.len()), to);
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(UnquotedKey);
