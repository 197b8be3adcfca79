//! `stray-text`: words between tokens.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Removes words between members or elements that can be no data.
    ///
    /// # What
    /// Behind a closing bracket, or in parentheses behind any value but a string, words stand before the comma or closer; or before a quoted key and its whole member.
    ///
    /// # Why
    /// Models comment on what they write without marking it as a comment.
    ///
    /// # Example
    /// `{"a": [1] as before, "b": 2}` becomes `{"a": [1] , "b": 2}`.
    ///
    /// # Limits
    /// The words are lost, hence the risk.
    /// Words behind a string may belong to it, and words behind a number may be its unit: both are left alone. So is everything that holds a quote, a bracket, a colon or a comma, and what stands where a value is due.
    pub struct StrayText {
        name: "stray-text",
        risk: Lossy,
        answers: [Comma, Key],
        cases: "stray_text.toml",
    }
}

impl RepairRule for StrayText {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        Some(fault.blank_ahead(fault.stray_len()?))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(StrayText);
