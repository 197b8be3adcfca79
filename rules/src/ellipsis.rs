//! `ellipsis`: dots for what was left out.

use jsonseam_core::{Edit, Edits, Expected, Fault, RepairRule, TokenKind, rule};

rule! {
    /// Removes the dots that stand for elements or members left out.
    ///
    /// # What
    /// `...` or `…` stands among elements or members, in place of one or behind the last, as a comment (`// ...`) too. It is removed with its comma.
    ///
    /// # Why
    /// Models that shorten a long list write so, as their examples did.
    ///
    /// # Example
    /// `[1, 2, ...]` becomes `[1, 2 ]`.
    ///
    /// # Limits
    /// What was left out is lost, hence the risk.
    /// Dots in place of the only element, or of a value behind a colon, are left alone: there the model did not answer.
    /// A spread (`...rest`) is left alone.
    pub struct Ellipsis {
        name: "ellipsis",
        risk: Lossy,
        answers: [Value, Key, Comma],
        cases: "ellipsis.toml",
    }
}

impl RepairRule for Ellipsis {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let len = fault.placeholder_len()?;
        let previous = fault.previous()?.kind;
        let is_among = match fault.expected() {
            Expected::Comma => true,
            _ => previous == TokenKind::Comma,
        };
        let with_comma = fault.comma_after(len);
        if previous == TokenKind::Colon || !(is_among || with_comma.is_some()) {
            return None;
        }
        match with_comma {
            Some(after) if fault.expected() != Expected::Comma => Some(fault.blank_ahead(after)),
            None if previous == TokenKind::Comma && fault.closes_after(len) => {
                Some(fault.remove_previous()?.and(Edit::remove(fault.pos()..fault.pos() + len)))
            }
            Some(_) => Some(fault.blank_ahead(len)),
            None => fault.closes_after(len).then(|| fault.blank_ahead(len)),
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(Ellipsis);
