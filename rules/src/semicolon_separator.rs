//! `semicolon-separator`: a semicolon where a comma is due.

use jsonseam_core::{Container, Edits, Fault, RepairRule, Token, TokenKind, rule};

use crate::shared::{blanks, members};

rule! {
    /// Reads a semicolon between members or elements as a comma, and drops one at the end of a container.
    ///
    /// # What
    /// A comma or a closer is due, and a semicolon stands there.
    /// If a whole member or element follows, it becomes a comma; if the closer follows, it is removed.
    ///
    /// # Why
    /// Models mix JSON with languages that end each line with a semicolon.
    ///
    /// # Example
    /// `{"a": 1; "b": 2}` becomes `{"a": 1, "b": 2}`.
    ///
    /// # Limits
    /// Only between tokens, and only if what follows reads well.
    /// Never in an array with a comma beside one of the elements: there a semicolon parts rows.
    /// Behind the root a semicolon is no part of the payload.
    pub struct SemicolonSeparator {
        name: "semicolon-separator",
        risk: Likely,
        answers: [Comma],
        next: [";"],
        cases: "semicolon_separator.toml",
    }
}

impl RepairRule for SemicolonSeparator {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        if fault.next_char() != Some(';') {
            return None;
        }
        if members::closes_after(fault, 1) {
            return Some(fault.blank_ahead(1));
        }
        // `[1, 2; 3, 4]` are two rows.
        if fault.container() == Some(Container::Array) && has_comma_beside(fault) {
            return None;
        }
        members::goes_on_after(fault, 1).then(|| fault.replace_ahead(1, ","))
    }
}

/// Whether a comma that was written, not put there by an edit, is beside one of the two elements around the semicolon:
/// before the preceding one, if that is a scalar, or after the scalar that follows.
fn has_comma_beside(fault: &Fault<'_>) -> bool {
    let is_scalar = fault.token(0).is_some_and(|token| token.kind.is_scalar());
    let is_comma = |token: Token| token.kind == TokenKind::Comma && fault.at(token.span.start).starts_with(",");
    let follows = || {
        let after = members::scalar_end(blanks::skip(fault.ahead().after(1)))?;
        Some(blanks::skip(after).starts_with(","))
    };
    is_scalar && fault.token(1).is_some_and(is_comma) || follows() == Some(true)
}

#[cfg(test)]
jsonseam_testkit::laws!(SemicolonSeparator);
