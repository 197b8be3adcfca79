//! `missing-end-quote`: a value without its closing quote.

use jsonseam_core::{Fault, Proposals, RepairRule, rule};

use crate::shared::ends::{self, Ending};

rule! {
    /// Closes a string where the text after it continues as data.
    ///
    /// # What
    /// A value or a key has no closing quote. One is inserted before the comma, the line break or the closer that ended the value, or before the colon.
    ///
    /// # Why
    /// Models that write long texts forget the closing quote, most often at the last line of an answer with several paragraphs.
    ///
    /// # Example
    /// `{"a": "x, y, "b": 1}` becomes `{"a": "x, y", "b": 1}`.
    ///
    /// # Limits
    /// Only where the quotes before that place are paired and the text after it continues as members or elements to the end.
    /// A truncated text is `unclosed-string`.
    pub struct MissingEndQuote {
        name: "missing-end-quote",
        risk: Guess,
        answers: [String, Comma, Colon],
        reaches: [Tokens(4), OpenString, Suspects],
        cases: "missing_end_quote.toml",
    }
}

impl RepairRule for MissingEndQuote {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        ends::offer_early(fault, to, &|ending| ending == Ending::Missing);
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(MissingEndQuote);
