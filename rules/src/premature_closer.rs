//! `premature-closer`: a closer before its time.

use jsonseam_core::{BracketDefect, Edit, Edits, Fault, RepairRule, rule};

rule! {
    /// Removes a closer that comes too early.
    ///
    /// # What
    /// The root is complete, and a comma and a member follow.
    /// Without the closer, the rest of the payload closes where it should.
    ///
    /// # Why
    /// Models that lose count close the object around the one they meant, and go on as if it were open.
    ///
    /// # Example
    /// `{"a": {"b": 1}}, "c": 2}` becomes `{"a": {"b": 1}, "c": 2}`.
    ///
    /// # Limits
    /// The tail is never dropped.
    /// If another closer further up is as likely to be the one too many, nothing is done, unless the lines tell.
    /// A closer too early that leaves no fault where it stands is not seen at all.
    pub struct PrematureCloser {
        name: "premature-closer",
        risk: Guess,
        answers: [End, Comma],
        cases: "premature_closer.toml",
    }
}

impl RepairRule for PrematureCloser {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let BracketDefect::PrematureCloser(span) = fault.bracket_defect()? else { return None };
        Some(Edit::remove(span.clone()).into())
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(PrematureCloser);
