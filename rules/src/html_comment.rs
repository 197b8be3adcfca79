//! `html-comment`: comments of HTML between tokens.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Removes comments of HTML between tokens.
    ///
    /// # What
    /// Where JSON syntax is expected stands `<!-- … -->`.
    ///
    /// # Why
    /// Models that answer in Markdown or XML leave notes in the comments of those.
    ///
    /// # Example
    /// `{"a": 1 <!-- one -->}` becomes `{"a": 1 }`.
    ///
    /// # Limits
    /// A comment without its end is left alone. Where it stands in for a value, the value is still missing, and the payload is refused.
    /// JavaScript reads `<!--` as a comment to the end of the line, so the grammars do not agree, and the risk is `likely`.
    pub struct HtmlComment {
        name: "html-comment",
        risk: Likely,
        answers: [Value, Key, Colon, Comma, End],
        cases: "html_comment.toml",
    }
}

impl RepairRule for HtmlComment {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        if !fault.ahead_is("<!--") {
            return None;
        }
        let end = fault.find_ahead("-->", 4)? + 3;
        let len = end - fault.pos();
        let is_in_text = fault.touches_string() && fault.text_ahead(len).matches('"').count() % 2 == 1;
        (!is_in_text).then(|| fault.blank_ahead(len))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(HtmlComment);
