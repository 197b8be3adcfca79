//! `escaped-end-quote`: a backslash before the closing quote of a string.

use jsonseam_core::{Fault, Proposals, RepairRule, rule};

use crate::shared::ends::{self, Ending};

rule! {
    /// Removes the backslash before the closing quote of a value.
    ///
    /// # What
    /// A value in double quotes ends with `\"`, and runs on into what follows it. The backslash is removed.
    ///
    /// # Why
    /// Models that have just escaped the quotes in a text escape the closing one too.
    ///
    /// # Example
    /// `{"a": "x\", "b": 1}` becomes `{"a": "x", "b": 1}`.
    ///
    /// # Limits
    /// The escaped quotes before it must be in pairs, so that this one is left over, and the text after it must continue as data.
    /// A value that also begins with an escaped quote is `escaped-delimiter`.
    pub struct EscapedEndQuote {
        name: "escaped-end-quote",
        risk: Guess,
        answers: [String, Comma],
        reaches: [Tokens(4), OpenString, Suspects],
    }
}

impl RepairRule for EscapedEndQuote {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        ends::offer_early(fault, to, &|ending| ending == Ending::Escaped);
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(EscapedEndQuote);
