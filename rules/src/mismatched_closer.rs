//! `mismatched-closer`: a closer of the wrong kind.

use jsonseam_core::{BracketDefect, Edit, Edits, Fault, RepairRule, rule};

rule! {
    /// Writes the closer that the container asks for.
    ///
    /// # What
    /// The closer at the fault is of the wrong kind, or it has changed places with the next one, and with the right one the rest of the payload closes where it should.
    ///
    /// # Why
    /// Models that nest deeply lose track of what they opened.
    ///
    /// # Example
    /// `{"a": [1, 2}, "b": 3}` becomes `{"a": [1, 2], "b": 3}`.
    ///
    /// # Limits
    /// The rest of the text is read to its end for every way to mend the bracket: only if this is the one that works is it taken.
    /// A text that ends before it closes is left alone.
    pub struct MismatchedCloser {
        name: "mismatched-closer",
        risk: Guess,
        answers: [Comma, Key, Value],
        cases: "mismatched_closer.toml",
    }
}

impl RepairRule for MismatchedCloser {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let closers = fault.closers();
        let (first, second) = (closers.get(..1)?.to_owned(), closers.get(1..2).unwrap_or_default().to_owned());
        match fault.bracket_defect()? {
            BracketDefect::WrongCloser => Some(fault.replace_ahead(1, first)),
            BracketDefect::SwappedClosers(other) => {
                Some(fault.replace_ahead(1, first).and(Edit::replace(*other..*other + 1, second)))
            }
            _ => None,
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(MismatchedCloser);
