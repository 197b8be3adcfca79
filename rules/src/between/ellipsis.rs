//! `ellipsis`: dots for what was left out.

use jsonseam_core::{Edit, Edits, Expected, Fault, TokenKind, rule};

use crate::shared::{members, placeholders};

rule! {
    /// Removes the dots in place of elements or members that were left out.
    ///
    /// # What
    /// `...` or `…` is among elements or members, in place of one or after the last, as a comment (`// ...`) too. It is removed with its comma.
    /// On a line of its own it needs none; so is a remark in parentheses right after it (`... (97 more)`).
    ///
    /// # Why
    /// Models shorten a long list this way, as their examples did.
    ///
    /// # Example
    /// `[1, 2, ...]` becomes `[1, 2 ]`.
    ///
    /// # Limits
    /// What was left out is lost, hence the risk.
    /// Dots in place of the only element, or of a value after a colon, are left alone: there the model did not answer.
    /// A spread (`...rest`) is left alone.
    pub struct Ellipsis {
        name: "ellipsis",
        risk: Lossy,
        answers: [Value, Key, Comma],
        next: ["./#", NonAscii],
        repair: ellipsis,
    }
}

fn ellipsis(fault: &Fault<'_>) -> Option<Edits> {
    let len = placeholders::len(fault)?;
    let previous = fault.token(0)?.kind;
    let is_among = fault.expected() == Expected::Comma || previous == TokenKind::Comma;
    let with_comma = members::comma_after(fault, len);
    if previous == TokenKind::Colon || !(is_among || with_comma.is_some()) {
        return None;
    }
    match with_comma {
        Some(after) if fault.expected() != Expected::Comma => Some(fault.blank_ahead(after)),
        None if previous == TokenKind::Comma && members::closes_after(fault, len) => {
            Some(fault.remove_previous()?.and(Edit::remove(fault.pos()..fault.pos() + len)))
        }
        Some(_) => Some(fault.blank_ahead(len)),
        None => (members::closes_after(fault, len) || is_line(fault, len) && members::continues_after(fault, len))
            .then(|| fault.blank_ahead(len)),
    }
}

/// Whether what comes at the fault has a line to itself.
fn is_line(fault: &Fault<'_>, len: usize) -> bool {
    fault.ahead().indent().is_some() && fault.ahead().after(len).line().trim().is_empty()
}

#[cfg(test)]
jsonseam_testkit::laws!(Ellipsis);
