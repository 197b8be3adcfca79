//! `missing-value`: a member without a value.

use jsonseam_core::{Edits, Fault, RepairRule, TokenKind, rule};

rule! {
    /// Reads `null` where a member has no value.
    ///
    /// # What
    /// After a colon stand a comma and a whole member, or the closing brace. `null` is inserted.
    ///
    /// # Why
    /// Models leave a field empty that they do not know.
    ///
    /// # Example
    /// `{"a": , "b": 1}` becomes `{"a": null, "b": 1}`.
    ///
    /// # Limits
    /// The value is invented, hence the risk.
    /// Only in the middle: where the text ends, `cut-member` answers. Never in arrays.
    pub struct MissingValue {
        name: "missing-value",
        risk: Lossy,
        answers: [Value],
        cases: "missing_value.toml",
    }
}

impl RepairRule for MissingValue {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let goes_on = fault.closes_after(0) || (fault.ahead_is(",") && fault.goes_on_after(1));
        (fault.previous_is(TokenKind::Colon) && goes_on).then(|| fault.insert("null"))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(MissingValue);
