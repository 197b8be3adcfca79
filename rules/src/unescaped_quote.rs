//! `unescaped-quote`: double quotes inside a string.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Escapes double quotes that belong to the text of a value.
    ///
    /// # What
    /// A value holds double quotes without a backslash. Each gets one.
    ///
    /// # Why
    /// Models quote speech, code and HTML in their texts, and forget that the text itself stands in quotes.
    ///
    /// # Example
    /// `{"a": "he said "hi", then left", "b": 1}` becomes `{"a": "he said \"hi\", then left", "b": 1}`.
    ///
    /// # Limits
    /// The value ends at the first quote that has pairs of quotes before it and behind which members or elements go on, which is read on trial.
    /// With one quote too many it takes more: lines of their own for the members, a key that the contract declares, or a mark of inches.
    /// Where that is missing, text could become a member that nobody wrote, and the payload is refused.
    pub struct UnescapedQuote {
        name: "unescaped-quote",
        risk: Guess,
        answers: [Value, Key, Colon, Comma],
        cases: "unescaped_quote.toml",
    }
}

impl RepairRule for UnescapedQuote {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        fault.escape_inner_quotes()
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(UnescapedQuote);
