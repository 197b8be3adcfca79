//! `extra-inner-closer`: a closer that closes nothing.

use jsonseam_core::{Fault, Proposals, RepairRule, rule};

use crate::shared::{closers, clues};

rule! {
    /// Removes a closer in the middle that closes nothing.
    ///
    /// # What
    /// The closer at the fault does not fit, and without it the rest of the payload closes where it should.
    ///
    /// # Why
    /// Models that lose count close an inner object twice.
    ///
    /// # Example
    /// `{"a": [{"b": 1}}], "c": 2}` becomes `{"a": [{"b": 1}], "c": 2}`.
    ///
    /// # Limits
    /// The rest of the text is read to its end for every way to repair the bracket; the edit is made only if it is the one that works.
    /// An extra closer that fits the grammar where it is closes its container too early: that is `premature-closer`.
    pub struct ExtraInnerCloser {
        name: "extra-inner-closer",
        risk: Guess,
        answers: [Comma, Key, Value],
    }
}

impl RepairRule for ExtraInnerCloser {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if closers::closer_at(fault).is_some() {
            to.offer(fault.blank_ahead(1)).clue(clues::BRACKET);
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(ExtraInnerCloser);
