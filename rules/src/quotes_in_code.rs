//! `quotes-in-code`: double quotes inside the code spans of a string.

use jsonseam_core::{Container, Edits, Fault, Proposals, RepairRule, rule};

use crate::shared::{clues, code_spans, content, ends, escapes};

rule! {
    /// Escapes double quotes in code spans of a value.
    ///
    /// # What
    /// A value holds Markdown, and all of its double quotes without a backslash are between backticks. Each gets a backslash; the first quote after
    /// them that is in no code ends the value.
    ///
    /// # Why
    /// Models that explain code quote it in backticks (CommonMark section 6.1), and forget that the text is itself in quotes.
    ///
    /// # Example
    /// `{"a": "call \u{60}f("x")\u{60} once"}` becomes `{"a": "call \u{60}f(\"x\")\u{60} once"}` (`\u{60}` is a backtick).
    ///
    /// # Limits
    /// A span is on one line, and its quotes come in pairs that open and close where code lets them; its brackets are balanced.
    /// One whose backslashes contradict each other is left alone, and in an array one that may be the border of two elements,
    /// and one after an element whose backticks do not come in pairs: the same defect has cut that.
    /// What follows the end of the value must fit the grammar. A span that holds escaped quotes beside plain ones is left alone, and so is a value with
    /// quotes outside of its spans: `unescaped-quote` compares its possible ends.
    pub struct QuotesInCode {
        name: "quotes-in-code",
        risk: Likely,
        answers: [Value, Key, Colon, Comma],
        reaches: [TokensAfterMark(3)],
    }
}

impl RepairRule for QuotesInCode {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if fault.string().is_some() || fault.is_at_end() {
            return;
        }
        for (string, closed) in ends::doubtful(fault) {
            if let Some((edits, quotes)) = closed.and_then(|closed| escaped(fault, string, closed - 1)) {
                to.offer(edits).clues(clues::INNER_MARK, quotes.min(10));
            }
        }
    }
}

/// The edits for a value that was read to end at `closing`, within code, and how many quotes they escape.
fn escaped(fault: &Fault<'_>, string: ends::Doubtful, closing: usize) -> Option<(Edits, usize)> {
    let code = code_spans::of(fault, string.start).filter(|code| !string.is_key && code.first == closing)?;
    // `", "` between backticks is a separator in code, or the border of two elements.
    if string.container == Container::Array && (code.may_part_elements || code_spans::is_open_before(fault)) {
        return None;
    }
    let text = fault.at(string.start).slice_to(code.end);
    let edited = closing - string.start..code.last + 1 - string.start;
    if !ends::fits_at_a_glance(fault, string, code.end + 1) || escapes::loses_accidental(text, edited) {
        return None;
    }
    let quoted = fault.at(closing).slice_to(code.last + 1);
    Some((Edits::group(content::mended(quoted, closing))?, code.quotes))
}

#[cfg(test)]
jsonseam_testkit::laws!(QuotesInCode);
