//! `unescaped-quote`: double quotes inside a string.

use std::ops::Range;

use jsonseam_core::{Fault, Proposals, RepairRule, rule};

use crate::shared::ends::{self, Ending};

rule! {
    /// Escapes double quotes that belong to the text of a value.
    ///
    /// # What
    /// A value holds double quotes without a backslash. Each gets one.
    ///
    /// # Why
    /// Models quote speech, code and HTML in their texts, and forget that the text itself is in quotes.
    ///
    /// # Example
    /// `{"a": "he said "hi", then left", "b": 1}` becomes `{"a": "he said \"hi\", then left", "b": 1}`.
    ///
    /// # Limits
    /// Every quote at which the value may end is considered; the reading that explains the rest of the text at the lowest cost wins, if it leads clearly.
    /// A single extra quote needs more evidence: members on lines of their own, a key that the contract declares, or an inch mark.
    /// Without such evidence, text could become a member that the model did not write, and the payload is refused.
    /// It is refused, too, where only brackets and commas are between two quotes, as in `"a"], ["b"`: then the first quote probably ends the string.
    pub struct UnescapedQuote {
        name: "unescaped-quote",
        risk: Guess,
        answers: [Value, Key, Colon, Comma],
        reaches: [Tokens(4), OpenString, Suspects],
    }
}

impl RepairRule for UnescapedQuote {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if fault.string().is_some() || fault.is_at_end() {
            return;
        }
        ends::offer_credible(fault, to, &|ending| ending == Ending::Mark, &|end, closed| {
            let closing = closed? - 1;
            (end.pos > closing && !ends_before_structure(fault, end.start..closing)).then_some(closing)
        });
    }
}

/// Whether what follows the quote after `content` shows that it ends the string: a closer that closes nothing in it, or a colon and an opener.
fn ends_before_structure(fault: &Fault<'_>, content: Range<usize>) -> bool {
    let after = fault.at(content.end + 1).skip_json_space();
    let opener = match after.peek() {
        // What is before the colon is a key.
        Some(':') => return matches!(after.after(1).skip_json_space().peek(), Some('{' | '[')),
        Some('}') => '{',
        Some(']') => '[',
        _ => return false,
    };
    !fault.at(content.start).slice_to(content.end).contains(opener)
}

#[cfg(test)]
jsonseam_testkit::laws!(UnescapedQuote);
