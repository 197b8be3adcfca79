//! `html-comment`: comments of HTML between tokens.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

use crate::shared::blanks;

rule! {
    /// Removes comments of HTML between tokens.
    ///
    /// # What
    /// There is `<!-- … -->` between tokens.
    ///
    /// # Why
    /// Models that answer in Markdown or XML leave notes in comments of those languages.
    ///
    /// # Example
    /// `{"a": 1 <!-- one -->}` becomes `{"a": 1 }`.
    ///
    /// # Limits
    /// A comment without its end is left alone. If it is in place of a value, the value is still missing, and the payload is refused.
    /// JavaScript reads `<!--` as a comment to the end of the line, so the grammars do not agree, and the risk is `likely`.
    pub struct HtmlComment {
        name: "html-comment",
        risk: Likely,
        answers: [Value, Key, Colon, Comma, End],
        next: ["<"],
        reaches: [Fault],
    }
}

impl RepairRule for HtmlComment {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let ahead = fault.ahead();
        if !ahead.starts_with("<!--") {
            return None;
        }
        let comment = ahead.slice_to(ahead.after(4).find("-->")? + 3);
        (!blanks::is_within_text(fault, comment)).then(|| fault.blank_ahead(comment.len()))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(HtmlComment);
