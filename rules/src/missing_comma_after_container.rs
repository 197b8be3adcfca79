//! `missing-comma-after-container`: two members on two lines, the first a container.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

use crate::shared::members;

rule! {
    /// Inserts the comma between two members of an object when the first ends in `}` or `]` and the second starts on a new line.
    ///
    /// # What
    /// In an object, `}` or `]` is followed by white space with a newline and then by a key and its colon.
    /// One comma is inserted right after the bracket.
    ///
    /// # Why
    /// After a long nested value, models close the bracket and forget the comma.
    ///
    /// # Example
    /// `{"a": [1]⏎ "b": 2}` becomes `{"a": [1],⏎ "b": 2}` (⏎ is a newline).
    ///
    /// # Limits
    /// Never in arrays, never without a newline, and never if anything but a key follows.
    pub struct MissingCommaAfterContainer {
        name: "missing-comma-after-container",
        risk: Likely,
        answers: [Comma],
        next: ["\"'`_$", Letter, Digit, NonAscii],
        previous: [ObjectEnd, ArrayEnd],
        reaches: [Fault],
    }
}

impl RepairRule for MissingCommaAfterContainer {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        if members::members_meet(fault) { fault.insert_after_previous(",") } else { None }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(MissingCommaAfterContainer);
