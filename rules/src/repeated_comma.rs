//! `repeated-comma`: two commas in place of one.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Removes a comma directly after another one.
    ///
    /// # What
    /// There is a comma where a value or a key is expected, and the token before it is a comma too.
    /// The second comma is removed; white space stays.
    ///
    /// # Why
    /// Models that skip an element while they write a list leave its comma.
    ///
    /// # Example
    /// `[1,, 2]` becomes `[1, 2]`.
    ///
    /// # Limits
    /// JavaScript reads a hole in `[1,,2]`; here no value is invented for it.
    /// A comma right after a bracket is another defect, `leading-comma`.
    pub struct RepeatedComma {
        name: "repeated-comma",
        risk: Likely,
        answers: [Value, Key],
        next: [","],
        previous: [Comma],
        reaches: [Fault],
    }
}

impl RepairRule for RepeatedComma {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        Some(fault.blank_ahead(1))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(RepeatedComma);
