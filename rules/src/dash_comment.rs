//! `dash-comment`: comments of SQL between members.

use jsonseam_core::{Edits, Fault, RepairRule, rule};

rule! {
    /// Removes comments that begin with two dashes.
    ///
    /// # What
    /// Where a key, a comma or a closer is expected stands `--` and a blank. What follows up to the end of the line is removed; the newline stays.
    ///
    /// # Why
    /// SQL, Lua and Haskell write comments so.
    ///
    /// # Example
    /// `{"a": 1, -- the first⏎"b": 2}` becomes `{"a": 1, ⏎"b": 2}` (⏎ is a newline).
    ///
    /// # Limits
    /// Only when the line ends and holds no quote, bracket or colon: otherwise data could vanish with it. Never where a value is due, and never without the blank.
    pub struct DashComment {
        name: "dash-comment",
        risk: Likely,
        answers: [Key, Comma],
        cases: "dash_comment.toml",
    }
}

impl RepairRule for DashComment {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        if !fault.ahead_is("-- ") {
            return None;
        }
        let len = fault.run_len(|char| !matches!(char, '\n' | '\r'));
        let comment = fault.text_ahead(len + 1);
        let is_ended = comment.len() > len;
        let is_plain = !comment.contains(['"', '\'', '{', '}', '[', ']', ':']);
        (is_ended && is_plain).then(|| fault.blank_ahead(len))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(DashComment);
