//! `semicolon-separator`: a semicolon in place of a comma.

use jsonseam_core::{Container, Fault, Proposals, RepairRule, Token, TokenKind, rule};

use crate::shared::members;

rule! {
    /// Reads a semicolon between members or elements as a comma, and drops one at the end of a container.
    ///
    /// # What
    /// A comma or a closer is expected, and there is a semicolon.
    /// If a whole member or element follows, the semicolon becomes a comma; if the closer follows, it is removed.
    ///
    /// # Why
    /// Models mix JSON with languages that end each line with a semicolon.
    ///
    /// # Example
    /// `{"a": 1; "b": 2}` becomes `{"a": 1, "b": 2}`.
    ///
    /// # Limits
    /// Only between tokens, and only if a member or an element follows, which may be broken itself.
    /// Never between numbers or words of an array with a comma beside one of them: there a semicolon separates rows.
    /// After the root a semicolon is not part of the payload.
    pub struct SemicolonSeparator {
        name: "semicolon-separator",
        risk: Likely,
        answers: [Comma],
        next: [";"],
        reaches: [Fault],
    }
}

impl RepairRule for SemicolonSeparator {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if members::closes_after(fault, 1) {
            to.sole(fault.blank_ahead(1));
            return;
        }
        let is_in_array = fault.container() == Some(Container::Array);
        if is_in_array && has_comma_beside(fault) {
            to.offer(fault.replace_ahead(1, ",")).doubt("a semicolon parts the rows of a matrix, as in `[1, 2; 3, 4]`");
            return;
        }
        let next = fault.ahead().after(1).skip_space_and_comments();
        if members::continues_after(fault, 1) {
            to.sole(fault.replace_ahead(1, ","));
        } else if if is_in_array { next.has_value() } else { next.has_key() } {
            // What follows may be broken itself.
            to.offer(fault.replace_ahead(1, ","));
        }
    }
}

/// Whether a comma that was written, not put there by an edit, is beside one of the two elements around the semicolon:
/// before the preceding one, if that is a scalar, or after the scalar that follows. Strings are no part of a matrix.
fn has_comma_beside(fault: &Fault<'_>) -> bool {
    let is_scalar = fault.token(0).is_some_and(|token| token.kind.is_scalar());
    let has_string =
        fault.previous_is(TokenKind::String) || fault.ahead().after(1).skip_space_and_comments().starts_with("\"");
    let is_comma = |token: Token| token.kind == TokenKind::Comma && fault.at(token.span.start).starts_with(",");
    let follows = || {
        let after = fault.ahead().after(1).skip_space_and_comments().scalar_end()?;
        Some(after.skip_space_and_comments().starts_with(","))
    };
    !has_string && (is_scalar && fault.token(1).is_some_and(is_comma) || follows() == Some(true))
}

#[cfg(test)]
jsonseam_testkit::laws!(SemicolonSeparator);
