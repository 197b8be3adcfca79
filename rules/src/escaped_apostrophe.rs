//! `escaped-apostrophe`: `\'` in a string.

use jsonseam_core::{Edits, Fault, RepairRule, StringProblem, rule};

rule! {
    /// Removes the backslash before an apostrophe in a string.
    ///
    /// # What
    /// A string holds `\'`, which is not an escape of JSON. The backslash is removed.
    ///
    /// # Why
    /// JSON5, JavaScript and Python all read the escape, and all read an apostrophe.
    ///
    /// # Example
    /// `{"a": "it\'s"}` becomes `{"a": "it's"}`.
    ///
    /// # Limits
    /// Only in a string that is in double quotes already. Other false escapes are `invalid-escape`.
    pub struct EscapedApostrophe {
        name: "escaped-apostrophe",
        risk: Certain,
        answers: [String],
        next: ["\\"],
        reaches: [Fault],
    }
}

impl RepairRule for EscapedApostrophe {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let is_escape = fault.string()?.problem == StringProblem::Escape && fault.ahead().starts_with("\\'");
        is_escape.then(|| fault.replace_ahead(1, ""))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(EscapedApostrophe);
