//! `comma-for-colon`: a comma where a colon is expected.

use jsonseam_core::{Ahead, Fault, Proposals, RepairRule, TokenKind, is_quote, rule};

use crate::shared::members;

rule! {
    /// Reads a comma between a key and its value as a colon.
    ///
    /// # What
    /// A comma follows a key, then a value with which the member ends, and the object has another member with a colon.
    ///
    /// # Why
    /// Models that list names and values in pairs slip from one form into the other.
    ///
    /// # Example
    /// `{"a": 1, "b", 2}` becomes `{"a": 1, "b": 2}`.
    ///
    /// # Limits
    /// Without a colon anywhere, braces are a set.
    /// If a member follows the comma, the key has lost its value: that is `dangling-key`.
    pub struct CommaForColon {
        name: "comma-for-colon",
        risk: Guess,
        answers: [Colon],
        next: [","],
        cases: "comma_for_colon.toml",
    }
}

impl RepairRule for CommaForColon {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let value = fault.ahead().after(1).skip_space_and_comments();
        let is_pair = !members::continues_after(fault, 1) && value.has_last_value_of_member();
        if is_pair && has_other_member(fault, value) {
            let offer = to.offer(fault.replace_ahead(1, ":"));
            if value.peek().is_some_and(is_quote) && members::follows_text_on_line(fault) {
                offer.doubt("both may be elements of an array without brackets");
            }
        }
    }
}

/// Whether the object has a member before the key, or one after the value.
fn has_other_member(fault: &Fault<'_>, value: Ahead<'_>) -> bool {
    let follows = || {
        let mut comma = value.scalar_end()?.skip_space_and_comments();
        Some(comma.eat(",") && comma.skip_space_and_comments().has_member())
    };
    fault.token(1).is_some_and(|token| token.kind == TokenKind::Comma) || follows() == Some(true)
}

#[cfg(test)]
jsonseam_testkit::laws!(CommaForColon);
