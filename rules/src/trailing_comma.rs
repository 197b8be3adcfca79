//! `trailing-comma`: a comma before a closing bracket.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Removes a comma right before the end of an object or array.
    ///
    /// # What
    /// A value or key is expected after a comma, and there is `}` or `]` instead.
    /// The comma is removed; white space stays.
    ///
    /// # Why
    /// JSON5, JSONC, JavaScript and Python all allow the comma and read the same value, so models trained on them write it.
    ///
    /// # Example
    /// `{"a": [1, 2,],}` becomes `{"a": [1, 2]}`.
    ///
    /// # Limits
    /// A comma after nothing (`[,]`) or after another comma (`[1,,]`) is another defect.
    pub struct TrailingComma {
        name: "trailing-comma",
        risk: Certain,
        answers: [Value, Key],
        next: ["}]"],
        previous: [Comma],
        reaches: [LastComma],
    }
}

impl RepairRule for TrailingComma {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        fault.remove_previous()
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(TrailingComma);
