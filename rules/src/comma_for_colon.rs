//! `comma-for-colon`: a comma where a colon is expected, or a colon before the quote.

use jsonseam_core::{Ahead, Edit, Edits, Fault, Proposals, RepairRule, TokenKind, is_quote, rule};

use crate::shared::members;

rule! {
    /// Reads a comma between a key and its value as a colon.
    ///
    /// # What
    /// A comma follows a key, then a value with which the member ends, and the object has another member with a colon.
    /// So does a colon right before the quote that ends the key: it changes places with that.
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
        next: [",\"-{[", Digit, Letter],
    }
}

impl RepairRule for CommaForColon {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if fault.next_char() != Some(',') {
            if let Some(edits) = colon_in_key(fault) {
                to.offer(edits);
            }
            return;
        }
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

/// `"name:" "Ann"`: the colon is inside the quotes of the key, which is otherwise a word or several.
fn colon_in_key(fault: &Fault<'_>) -> Option<Edits> {
    let key = fault.token(0).filter(|key| key.span.len() > 3 && fault.gap_len() > 0)?;
    let colon = key.span.end - 2;
    if !fault.at(colon).starts_with(":\"") {
        return None;
    }
    let name = fault.at(key.span.start).slice_to(colon);
    let is_name = name.ends_with(char::is_alphanumeric) && !name.contains(':');
    let is_value = || fault.ahead().has_last_value_of_member() || precedes_alike(fault.ahead());
    (is_name && is_value()).then(|| Edit::replace(colon..key.span.end, "\":").into())
}

/// Whether a scalar comes next, a comma, and another key with its colon inside.
fn precedes_alike(value: Ahead<'_>) -> bool {
    value.scalar_end().is_some_and(|after| {
        let mut comma = after.skip_space_and_comments();
        comma.eat(",") && comma.skip_space_and_comments().quoted_content().is_some_and(|key| key.ends_with(':'))
    })
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
