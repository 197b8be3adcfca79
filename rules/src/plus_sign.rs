//! `plus-sign`: a number with a plus sign.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

use crate::shared::numbers;

rule! {
    /// Removes the plus sign before a number.
    ///
    /// # What
    /// A value is expected, and there is a decimal number with a `+` right before it. The `+` is removed; the digits stay.
    ///
    /// # Why
    /// JSON5, JavaScript and Python all read `+1` as `1`; JSON allows a minus only.
    ///
    /// # Example
    /// `{"a": +1, "b": [+2.5e3]}` becomes `{"a": 1, "b": [2.5e3]}`.
    ///
    /// # Limits
    /// Phone numbers are left alone: `+49 170`, `+49-170` and `+0049`. So is a truncated number.
    pub struct PlusSign {
        name: "plus-sign",
        risk: Certain,
        answers: [Value],
        next: ["+"],
        reaches: [Fault],
    }
}

impl RepairRule for PlusSign {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let decimal = numbers::decimal(fault)?;
        (!decimal.has_leading_zero()).then(|| fault.replace_ahead(1, ""))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(PlusSign);
