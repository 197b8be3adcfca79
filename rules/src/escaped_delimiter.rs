//! `escaped-delimiter`: a backslash before the quotes of a string.

use jsonseam_core::{Edit, Edits, Fault, RepairRule, rule};

rule! {
    /// Removes the backslash before the quotes that delimit a string.
    ///
    /// # What
    /// A key or value starts with `\"`, and ends with `\"` too. Both backslashes are removed.
    ///
    /// # Why
    /// Models that write JSON inside JSON all day escape a quote too many.
    ///
    /// # Example
    /// `{"a": \"x\"}` becomes `{"a": "x"}`.
    ///
    /// # Limits
    /// The content holds no quote, escaped or not, and no line break, and what follows must fit the grammar.
    /// Other backslashes in it count as one level of escapes only in a value whose own key is in plain quotes; elsewhere the whole payload may be escaped.
    pub struct EscapedDelimiter {
        name: "escaped-delimiter",
        risk: Likely,
        answers: [Value, Key],
        cases: "escaped_delimiter.toml",
    }
}

impl RepairRule for EscapedDelimiter {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let content = fault.escaped_string()?;
        let opening = Edit::remove(fault.pos()..fault.pos() + 1);
        Some(Edits::from(opening).and(Edit::remove(content.end..content.end + 1)))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(EscapedDelimiter);
