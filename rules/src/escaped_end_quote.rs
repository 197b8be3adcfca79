//! `escaped-end-quote`: a backslash before the closing quote of a string.

use jsonseam_core::{Fault, Proposals, RepairRule, rule};

use crate::shared::ends::{self, Ending};

rule! {
    /// Removes the backslash that hides the closing quote of a value.
    ///
    /// # What
    /// A value in double quotes ends with `\"`, and runs on into what follows it. The backslash is removed.
    ///
    /// # Why
    /// Models that have just escaped the quotes of a text escape the one behind it too.
    ///
    /// # Example
    /// `{"a": "x\", "b": 1}` becomes `{"a": "x", "b": 1}`.
    ///
    /// # Limits
    /// The escaped quotes before it are pairs, so that it is left over, and the text behind it reads on as data.
    /// A value that begins with one too is `escaped-delimiter`.
    pub struct EscapedEndQuote {
        name: "escaped-end-quote",
        risk: Guess,
        answers: [String, Comma],
        cases: "escaped_end_quote.toml",
    }
}

impl RepairRule for EscapedEndQuote {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        ends::offer_early(fault, to, |ending| ending == Ending::Escaped);
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(EscapedEndQuote);
