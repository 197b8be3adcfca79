//! `unescaped-quote`: double quotes inside a string.

use jsonseam_core::{Fault, Proposals, RepairRule, rule};

use crate::shared::ends::{self, Ending};

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
    /// Every quote at which the value may end is offered, and the reading that explains the rest of the text at the least cost wins if it leads clearly.
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
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if fault.string().is_some() || fault.is_at_end() {
            return;
        }
        ends::offer_credible(fault, to, |end, closed| {
            let closing = closed? - 1;
            (end.ending == Ending::Mark && end.pos > closing).then_some(closing)
        });
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(UnescapedQuote);
