//! `comma-for-colon`: a comma where a colon is due.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Reads a comma between a key and its value as a colon.
    ///
    /// # What
    /// After a key stands a comma, behind it a value with which the member ends, and the object has another member with a colon.
    ///
    /// # Why
    /// Models that list names and values in pairs slip from one form into the other.
    ///
    /// # Example
    /// `{"a": 1, "b", 2}` becomes `{"a": 1, "b": 2}`.
    ///
    /// # Limits
    /// Without a colon anywhere, braces are a set.
    /// If a member follows the comma, the key has lost its value: that is `dangling-key`.
    pub struct CommaForColon {
        name: "comma-for-colon",
        risk: Guess,
        answers: [Colon],
        cases: "comma_for_colon.toml",
    }
}

impl RepairRule for CommaForColon {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let is_pair = fault.ahead_is(",") && !fault.goes_on_after(1) && fault.value_ends_member_after(1);
        (is_pair && fault.has_other_member(1)).then(|| fault.replace_ahead(1, ":"))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(CommaForColon);
