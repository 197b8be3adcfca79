//! `missing-comma-after-scalar`: two members on two lines, the first a scalar.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

use crate::shared::members;

rule! {
    /// Inserts the comma between two members of an object when the first ends in a scalar and the second starts on a new line.
    ///
    /// # What
    /// In an object, a string, a number, `true`, `false` or `null` is followed by white space with a newline and then by a key and its colon.
    /// One comma is inserted right at the value's end.
    ///
    /// # Why
    /// Some models drop the comma at a line's end, and at temperature zero they drop it again on every retry.
    ///
    /// # Example
    /// `{"a": "x"⏎ "b": 2}` becomes `{"a": "x",⏎ "b": 2}` (⏎ is a newline).
    ///
    /// # Limits
    /// Never in arrays, never without a newline, and never if anything but a key follows.
    pub struct MissingCommaAfterScalar {
        name: "missing-comma-after-scalar",
        risk: Likely,
        answers: [Comma],
        next: ["\"'`_$", Letter, Digit, NonAscii],
        previous: [String, Number, Literal],
        reaches: [Fault],
    }
}

impl RepairRule for MissingCommaAfterScalar {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        if members::members_meet(fault) { fault.insert_after_previous(",") } else { None }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(MissingCommaAfterScalar);
