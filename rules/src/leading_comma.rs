//! `leading-comma`: a comma before the first member or element.

use jsonseam_core::{Edits, Fault, RepairRule, TokenKind, rule};

rule! {
    /// Removes a comma right behind the opening bracket.
    ///
    /// # What
    /// A comma is the first thing in an object or array, and a member or an element stands behind it.
    /// The comma is removed; white space stays.
    ///
    /// # Why
    /// Models that continue a list they believe begun start with the comma.
    ///
    /// # Example
    /// `[, 1, 2]` becomes `[ 1, 2]`.
    ///
    /// # Limits
    /// `[,]` and `{,}` are left alone: JavaScript reads a hole in the first, and nothing says what was left out.
    pub struct LeadingComma {
        name: "leading-comma",
        risk: Likely,
        answers: [Value, Key],
        cases: "leading_comma.toml",
    }
}

impl RepairRule for LeadingComma {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let previous = fault.previous()?.kind;
        let is_first = matches!(previous, TokenKind::ObjectStart | TokenKind::ArrayStart) && fault.ahead_is(",");
        (is_first && fault.goes_on_after(1)).then(|| fault.blank_ahead(1))
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(LeadingComma);
