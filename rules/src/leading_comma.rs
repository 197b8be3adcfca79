//! `leading-comma`: a comma before the first member or element.

use jsonseam_core::{Container, Edits, Fault, RepairRule, rule};

use crate::shared::members;

rule! {
    /// Removes a comma directly after the opening bracket.
    ///
    /// # What
    /// A comma is the first thing in an object or array, and a key and its colon or an element follow it.
    /// The comma is removed; white space stays.
    ///
    /// # Why
    /// Models that believe they are continuing a list start with the comma.
    ///
    /// # Example
    /// `[, 1, 2]` becomes `[ 1, 2]`.
    ///
    /// # Limits
    /// `[,]` and `{,}` are left alone: JavaScript reads a hole in the first, and what was left out is not known.
    pub struct LeadingComma {
        name: "leading-comma",
        risk: Likely,
        answers: [Value, Key],
        next: [","],
        previous: [ObjectStart, ArrayStart],
        reaches: [Fault],
    }
}

impl RepairRule for LeadingComma {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let next = || fault.ahead().after(1).skip_space_and_comments();
        let is_member = || fault.container() == Some(Container::Object) && next().has_key();
        (members::continues_after(fault, 1) || is_member()).then(|| fault.blank_ahead(1))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(LeadingComma);
