//! `missing-opener`: an opener before its time has come.

use jsonseam_core::{BracketDefect, Container, Edit, Edits, Fault, RepairRule, rule};

rule! {
    /// Inserts an opener that is missing before the members or elements it belongs to.
    ///
    /// # What
    /// `"key":` stands where a value is due or has just been read as one: a brace is missing before it. Or `"key": 1, 2]` does: the bracket before the first value is missing.
    /// With it, the rest of the payload closes where it should.
    ///
    /// # Why
    /// Models drop the brace of an object in a list when they write many of them.
    ///
    /// # Example
    /// `[{"a": 1}, "a": 2}]` becomes `[{"a": 1}, {"a": 2}]`.
    ///
    /// # Limits
    /// The rest of the text is read to its end for every way to mend the bracket: only if this is the one that works is it taken.
    /// An array that lost its opener is seen only if it starts with at most one scalar before the fault.
    pub struct MissingOpener {
        name: "missing-opener",
        risk: Guess,
        answers: [Comma, Key, Colon],
        cases: "missing_opener.toml",
    }
}

impl RepairRule for MissingOpener {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let BracketDefect::MissingOpener(kind, at) = fault.bracket_defect()? else { return None };
        let opener = if *kind == Container::Object { "{" } else { "[" };
        Some(Edit::insert(*at, opener).into())
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(MissingOpener);
