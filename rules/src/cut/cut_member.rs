//! `cut-member`: the truncated last member or element.

use std::ops::Range;

use jsonseam_core::{Edit, Expected, Fault, Notation, Proposals, RepairRule, TokenKind, rule};

use crate::shared::clues;

rule! {
    /// Drops the member or element at which the text was truncated.
    ///
    /// # What
    /// The completion ends inside a key, after one, after its colon, or inside a number or a word.
    /// What is there of the member or element is removed, with the comma before it.
    /// The report says `truncated`.
    ///
    /// # Why
    /// A model that runs out of tokens stops anywhere; half a word is not a value, and half a key is not a key.
    ///
    /// # Example
    /// `{"a": 1, "b": tr` becomes `{"a": 1}`, together with `unclosed-container`.
    ///
    /// # Limits
    /// Nothing is ever completed: `tr` is not read as `true`, nor `1.` as a number.
    /// A string value is closed by `unclosed-string`, and a number that could be whole is kept.
    /// With `null = true`, a member whose key is whole keeps it, with `null` for the value.
    /// A key that holds a colon and closers may have lost its quote, and is refused. Only where the completion ends.
    pub struct CutMember {
        name: "cut-member",
        risk: Lossy,
        answers: [Value, Key, Colon, String],
        reaches: [Tokens(4), OpenString, Cut],
        options: {
            /// Whether a member whose key is whole is kept, with `null` for its value.
            null: bool = false,
        },
    }
}

impl RepairRule for CutMember {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        let Some(tail) = cut_tail(fault) else { return };
        let (expected, end) = (fault.expected(), tail.end);
        // A key that holds a colon and ends in closers has rather lost its quote.
        let has_closer = || fault.at(end).before(1) == "}" && fault.at(tail.start).slice_to(end).contains(':');
        let is_unlikely = expected == Expected::String && has_closer();
        let edit = match expected {
            Expected::Value if self.null && fault.previous_is(TokenKind::Colon) => {
                Edit::replace(fault.pos()..end, "null")
            }
            Expected::Colon if self.null => Edit::replace(fault.pos()..end, ": null"),
            _ => Edit::remove(tail),
        };
        let offer = to.offer(edit).clues(clues::STRUCTURE_IN_KEY, usize::from(is_unlikely));
        offer.doubt_if(is_unlikely, "a key may have lost its quote");
    }
}

/// What the end of the completion cuts, from the comma before the member or element on: a key, with or without its colon, or a word or number
/// that is not whole. `None` if what precedes the end is complete, or a string value.
fn cut_tail(fault: &Fault<'_>) -> Option<Range<usize>> {
    fault.container()?;
    if !fault.is_cut() {
        // A key in another notation, before its colon.
        let is_ahead = fault.expected() == Expected::Key && fault.ahead().is_cut_name() && fault.may_be_cut();
        return is_ahead.then(|| from_comma(fault, 0)).flatten();
    }
    // A word for a value in another notation is whole.
    let is_whole = || fault.ahead().literal().is_some_and(|(_, literal)| literal.notation != Notation::NotFinite);
    let has_rest = fault.next_char().is_some();
    let back = match fault.expected() {
        Expected::Value if is_whole() => return None,
        Expected::Value if fault.previous_is(TokenKind::Colon) => 2,
        Expected::Value | Expected::Key if has_rest => 0,
        Expected::Colon => 1,
        Expected::String if fault.string()?.is_key => 0,
        _ => return None,
    };
    from_comma(fault, back)
}

/// From the comma or the opener that is so many tokens back to the end.
fn from_comma(fault: &Fault<'_>, back: usize) -> Option<Range<usize>> {
    let before = fault.token(back)?;
    let start = match before.kind {
        TokenKind::Comma => before.span.start,
        TokenKind::ObjectStart | TokenKind::ArrayStart => before.span.end,
        _ => return None,
    };
    Some(start..fault.region_end())
}

#[cfg(test)]
jsonseam_testkit::laws!(CutMember);
