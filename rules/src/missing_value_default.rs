//! `missing-value-default`: a member without a value, for which the contract has one.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

use crate::shared::members;

rule! {
    /// Gives a member without a value the one that the contract states.
    ///
    /// # What
    /// A colon is followed by a comma and a whole member, or by the closing brace, and the schema at that place has a `default`. It is inserted.
    ///
    /// # Why
    /// Models leave a field empty that they know nothing about, and the author of the schema said what that means.
    ///
    /// # Example
    /// `{"a": , "b": 1}` becomes `{"a": 0, "b": 1}`, if the schema of `a` has `"default": 0`.
    ///
    /// # Limits
    /// Only with a contract, and only where its schema states a default at that very place; without one, `missing-value` answers.
    /// The value is invented, hence the risk.
    /// A member that is absent as a whole is left to the cast `default`.
    pub struct MissingValueDefault {
        name: "missing-value-default",
        risk: Lossy,
        answers: [Value],
        next: [",}/#\u{B}\u{C}", NonAscii],
        previous: [Colon],
    }
}

impl RepairRule for MissingValueDefault {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let default = fault.default_value()?;
        members::lacks_value(fault).then(|| fault.insert(default.to_owned()))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(MissingValueDefault);
