//! `unclosed-comment`: a truncated block comment.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Removes a block comment that was truncated.
    ///
    /// # What
    /// Between tokens there is `/*`, no `*/` follows up to the end of the region, and the rest holds no quote, bracket or colon.
    ///
    /// # Why
    /// A model that runs out of tokens may stop in the middle of its own remark.
    ///
    /// # Example
    /// `{"a": 1 /* and so` becomes `{"a": 1 }`, together with `unclosed-container`.
    ///
    /// # Limits
    /// If the rest holds anything that could be data, the end of the comment cannot be known, and the text is left alone.
    pub struct UnclosedComment {
        name: "unclosed-comment",
        risk: Likely,
        answers: [Value, Key, Colon, Comma, End],
        next: ["/"],
        reaches: [Fault],
    }
}

impl RepairRule for UnclosedComment {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let mut ahead = fault.ahead();
        if !ahead.starts_with("/*") || ahead.after(2).find("*/").is_some() {
            return None;
        }
        let is_plain = |char| !matches!(char, '"' | '\'' | '{' | '}' | '[' | ']' | ':' | '`' | '\u{201C}' | '\u{201D}');
        let comment = ahead.take_while(is_plain);
        ahead.peek().is_none().then(|| fault.blank_ahead(comment.len()))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(UnclosedComment);
