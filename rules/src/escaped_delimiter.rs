//! `escaped-delimiter`: a backslash before the quotes of a string.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Removes the backslash before the quotes that delimit a string.
    ///
    /// # What
    /// A key or value starts with `\"`, and ends with `\"` too, or with a plain quote. The backslashes are removed.
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
        fault.unescape_delimiters()
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(EscapedDelimiter);
