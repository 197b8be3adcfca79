//! `missing-end-quote`: a value without its closing quote.

use jsonseam_core::{Expected, Fault, Proposals, RepairRule, TokenKind, rule};

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
    /// A whole string that is alone in its braces and has several words before its first colon is a sentence, and no key and value.
    pub struct MissingEndQuote {
        name: "missing-end-quote",
        risk: Guess,
        answers: [String, Comma, Colon],
        reaches: [Tokens(4), OpenString, Suspects],
    }
}

impl RepairRule for MissingEndQuote {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if is_sentence_alone(fault) {
            return;
        }
        ends::offer_early(fault, to, &|ending| ending == Ending::Missing);
    }
}

/// Whether a whole string that is alone in its braces comes before the fault, with several words before its first colon.
fn is_sentence_alone(fault: &Fault<'_>) -> bool {
    let (Some(key), Some(brace)) = (fault.token(0), fault.token(1)) else { return false };
    let is_alone = fault.expected() == Expected::Colon && brace.kind == TokenKind::ObjectStart;
    if !is_alone || fault.next_char() != Some('}') {
        return false;
    }
    let label = fault.at(key.span.start + 1).slice_to(key.span.end).split_once(':').map(|(label, _)| label);
    label.is_some_and(|label| label.trim().contains(' '))
}

#[cfg(test)]
jsonseam_testkit::laws!(MissingEndQuote);
