//! `concatenated-strings`: literals joined by a plus sign.

use jsonseam_core::{Edit, Edits, Fault, RepairRule, TokenKind, rule};

use crate::shared::{blanks, strings};

rule! {
    /// Joins string literals with a plus sign between them.
    ///
    /// # What
    /// A value is a string, then `+`, then another string in double quotes. The two quotes, the sign and the white space between them are removed.
    ///
    /// # Why
    /// Models break long texts over several lines as they would in code. JavaScript and Python read the expression alike.
    ///
    /// # Example
    /// `{"a": "x" + "y"}` becomes `{"a": "xy"}`.
    ///
    /// # Limits
    /// Strings only: with a name, a number or a call in the sum its value is not known, and the payload is refused.
    pub struct ConcatenatedStrings {
        name: "concatenated-strings",
        risk: Certain,
        answers: [Comma],
        next: ["+"],
        previous: [String],
        cases: "concatenated_strings.toml",
    }
}

impl RepairRule for ConcatenatedStrings {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        if fault.next_char() != Some('+') || !fault.previous_is(TokenKind::String) {
            return None;
        }
        let closing = strings::closing_quote(fault)?;
        let opening = blanks::skip(fault.ahead().after(1));
        opening.starts_with("\"").then(|| Edit::remove(closing..opening.pos() + 1).into())
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(ConcatenatedStrings);
