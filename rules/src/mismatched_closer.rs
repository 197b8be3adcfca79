//! `mismatched-closer`: a closer of the wrong kind.

use jsonseam_core::{Edit, Fault, Proposals, RepairRule, rule};

use crate::shared::{closers, clues};

rule! {
    /// Replaces a closer of the wrong kind by the one that the container needs.
    ///
    /// # What
    /// The closer at the fault is of the wrong kind, or it has changed places with the next one, and with the right one
    /// the rest of the payload closes where it should.
    ///
    /// # Why
    /// Models that nest deeply lose track of what they opened.
    ///
    /// # Example
    /// `{"a": [1, 2}, "b": 3}` becomes `{"a": [1, 2], "b": 3}`.
    ///
    /// # Limits
    /// The rest of the text is read to its end for every way to repair the bracket; the edit is made only if it is the one that works.
    /// A text that ends before its root closes is left alone.
    pub struct MismatchedCloser {
        name: "mismatched-closer",
        risk: Guess,
        answers: [Comma, Key, Value],
    }
}

impl RepairRule for MismatchedCloser {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let Some(closer) = closers::closer_at(fault) else { return };
        let closers = fault.closers();
        let own = closers.get(..1).unwrap_or_default().to_owned();
        let outer = closers.get(1..2).unwrap_or_default().to_owned();
        let second = fault.ahead().after(1).skip_space_and_comments().pos();
        if outer.starts_with(closer) && fault.at(second).peek() == own.chars().next() {
            to.offer(fault.replace_ahead(1, own.clone()).and(Edit::replace(second..second + 1, outer)))
                .clue(clues::BRACKET)
                .clue(clues::SECOND_BRACKET);
        }
        to.offer(fault.replace_ahead(1, own)).clue(clues::BRACKET);
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(MismatchedCloser);
