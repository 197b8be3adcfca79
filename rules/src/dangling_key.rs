//! `dangling-key`: a key and nothing else.

use jsonseam_core::{Clue, Fault, Proposals, RepairRule, TokenKind, rule};

use crate::shared::members;

rule! {
    /// Reads `null` for a key that has neither colon nor value.
    ///
    /// # What
    /// A key is followed by a comma and a whole member, or, if a member precedes the key, by the closing brace. A colon and `null` are inserted.
    ///
    /// # Why
    /// Models list a field that they know nothing about, or lose the thread in the middle of a member.
    ///
    /// # Example
    /// `{"a", "b": 1}` becomes `{"a": null, "b": 1}`.
    ///
    /// # Limits
    /// The value is invented, hence the risk.
    /// Braces without any colon are a set, or not data at all. Only in the middle: where the text ends, `cut-member` answers.
    pub struct DanglingKey {
        name: "dangling-key",
        risk: Lossy,
        answers: [Colon],
        next: [",}/#\u{B}\u{C}", NonAscii],
        cases: "dangling_key.toml",
    }
}

impl RepairRule for DanglingKey {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let is_among =
            fault.token(1).is_some_and(|before| before.kind == TokenKind::Comma) && members::closes_after(fault, 0);
        let is_before = fault.next_char() == Some(',') && members::continues_after(fault, 1);
        if let Some(edits) = fault.insert_after_previous(": null").filter(|_| is_among || is_before) {
            let offer = to.offer(edits).clue(Clue::Invented);
            if fault.token(0).is_some_and(|key| is_sentence(fault.at(key.span.start).slice_to(key.span.end))) {
                offer.clue(Clue::SentenceAsKey);
            }
        }
    }
}

/// Whether the text of a key reads like a piece of a sentence or of code.
fn is_sentence(key: &str) -> bool {
    key.starts_with("\" ")
        || key.matches(' ').count() > 3
        || key.contains(['(', ')', ';', '{', '}'])
        || key.contains(", ")
}

#[cfg(test)]
jsonseam_testkit::laws!(DanglingKey);
