//! `missing-value`: a member without a value.

use jsonseam_core::{Fault, Proposals, RepairRule, rule};

use crate::shared::{clues, members};

rule! {
    /// Reads `null` where a member has no value.
    ///
    /// # What
    /// A colon is followed by a comma and a whole member, or by the closing brace. `null` is inserted.
    ///
    /// # Why
    /// Models leave a field empty that they know nothing about.
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
        next: [",}/#\u{B}\u{C}", NonAscii],
        previous: [Colon],
    }
}

impl RepairRule for MissingValue {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if members::lacks_value(fault) {
            to.offer(fault.insert("null")).clue(clues::INVENTED);
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(MissingValue);
