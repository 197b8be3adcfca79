//! `missing-opener`: members or elements whose opener is missing.

use jsonseam_core::{Ahead, Container, Edit, Expected, Fault, Proposals, RepairRule, TokenKind, rule};

use crate::shared::clues;

rule! {
    /// Inserts an opener that is missing before the members or elements it belongs to.
    ///
    /// # What
    /// There is `"key":` where a value is expected or has just been read: a brace is missing before it. Or there is `"key": 1, 2]`:
    /// the bracket before the first value is missing.
    /// With the opener, the rest of the payload closes where it should.
    ///
    /// # Why
    /// Models drop the brace of an object in a list when they write many of them.
    ///
    /// # Example
    /// `[{"a": 1}, "a": 2}]` becomes `[{"a": 1}, {"a": 2}]`.
    ///
    /// # Limits
    /// The rest of the text is read to its end for every way to repair the bracket; the edit is made only if it is the one that works.
    /// An array without its opener is found only if at most one scalar precedes the fault.
    pub struct MissingOpener {
        name: "missing-opener",
        risk: Guess,
        answers: [Comma, Key, Colon],
        reaches: [Tokens(4), OpenString, Suspects],
    }
}

impl RepairRule for MissingOpener {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if let Some((opener, at)) =
            lost_object(fault).map(|at| ("{", at)).or_else(|| lost_array(fault).map(|at| ("[", at)))
        {
            // A closer that waits for it speaks for it.
            let is_closed = fault.expected() == Expected::Comma && fault.next_char() == Some(']');
            let clue = if is_closed { clues::SECOND_BRACKET } else { clues::OPENER };
            let offer = to.offer(Edit::insert(at, opener)).clue(clues::BRACKET).clue(clue);
            // Before a bracket or a remark it may be whole.
            let is_remark = || fault.ahead().after(fault.ahead().word().len()).starts_with(" ");
            if fault.expected() == Expected::Key && (matches!(fault.next_char(), Some('{' | '[')) || is_remark()) {
                offer.doubt("the value before it may be whole");
            }
        }
    }
}

/// Where an object begins whose first key has just been read as an element, or as a value.
fn lost_object(fault: &Fault<'_>) -> Option<usize> {
    let is_key =
        fault.expected() == Expected::Comma && fault.ahead().starts_with(":") && fault.previous_is(TokenKind::String);
    let text = |back| fault.token(back).map(|token| fault.at(token.span.start).slice_to(token.span.end));
    // A key that comes twice is a slip of the writer.
    fault.token(0).filter(|_| is_key && text(0) != text(2)).map(|key| key.span.start)
}

/// Where an array begins after `"key": scalar,` or `"key": scalar]`.
fn lost_array(fault: &Fault<'_>) -> Option<usize> {
    if fault.container() != Some(Container::Object) {
        return None;
    }
    let last = match fault.expected() {
        Expected::Key if fault.previous_is(TokenKind::Comma) => 1,
        Expected::Colon if fault.ahead().starts_with(",") || fault.ahead().starts_with("]") => 2,
        Expected::Comma if fault.ahead().starts_with("]") => 0,
        _ => return None,
    };
    let is_row = last < 2 || fault.token(1)?.kind == TokenKind::Comma;
    let first = fault.token(last).filter(|first| is_row && first.kind.is_scalar())?;
    if first.kind == TokenKind::Number && is_decimal_comma(fault.at(first.span.end)) {
        return None;
    }
    (fault.token(last + 1)?.kind == TokenKind::Colon).then_some(first.span.start)
}

/// Whether a digit follows the comma at the cursor at once, and no closer the digits: `3,5` is rather a number as much of Europe writes it.
fn is_decimal_comma(mut ahead: Ahead<'_>) -> bool {
    let digits = ahead.take_while(|char| char.is_ascii_digit() || matches!(char, ',' | '.'));
    digits.as_bytes().get(1).is_some_and(u8::is_ascii_digit) && !ahead.skip_json_space().starts_with("]")
}

#[cfg(test)]
jsonseam_testkit::laws!(MissingOpener);
