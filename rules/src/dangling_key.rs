//! `dangling-key`: a key and nothing else.

use jsonseam_core::{Edits, Fault, RepairRule, TokenKind, rule};

rule! {
    /// Reads `null` for a key that has neither colon nor value.
    ///
    /// # What
    /// After a key stands a comma and a whole member, or, if a member stands before the key, the closing brace. A colon and `null` are inserted.
    ///
    /// # Why
    /// Models list a field that they know nothing about, or stop thinking in the middle of a member.
    ///
    /// # Example
    /// `{"a", "b": 1}` becomes `{"a": null, "b": 1}`.
    ///
    /// # Limits
    /// The value is invented, hence the risk.
    /// Braces without any colon are a set or nothing at all. Only in the middle: where the text ends, `cut-member` answers.
    pub struct DanglingKey {
        name: "dangling-key",
        risk: Lossy,
        answers: [Colon],
        cases: "dangling_key.toml",
    }
}

impl RepairRule for DanglingKey {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let is_among = fault.token(1)?.kind == TokenKind::Comma && fault.closes_after(0);
        let is_before = fault.ahead_is(",") && fault.goes_on_after(1);
        if is_among || is_before { fault.insert_after_previous(": null") } else { None }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(DanglingKey);
