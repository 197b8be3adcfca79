//! `missing-comma-on-line`: members on one line without a comma between them.

use jsonseam_core::{Container, Edits, Fault, RepairRule, TokenKind, rule};

use crate::shared::members;

rule! {
    /// Inserts the comma between two members of an object on one line.
    ///
    /// # What
    /// In an object, a value is followed by a whole member on the same line: a key, a colon, and a well-formed value.
    /// One comma is inserted right at the value's end.
    ///
    /// # Why
    /// Models that write compact text lose commas too, mostly between short members.
    ///
    /// # Example
    /// `{"a": 1 "b": 2}` becomes `{"a": 1, "b": 2}`.
    ///
    /// # Limits
    /// The whole member must be well formed, because a quote inside a string looks like the start of a key.
    /// After a string, an unquoted name is not taken for a key: `"x" y: 1` may be a string with a quote in it.
    /// Across lines, `missing-comma-after-scalar` and `missing-comma-after-container` answer.
    pub struct MissingCommaOnLine {
        name: "missing-comma-on-line",
        risk: Likely,
        answers: [Comma],
        next: ["\"'`_$", Letter, NonAscii],
        cases: "missing_comma_on_line.toml",
    }
}

impl RepairRule for MissingCommaOnLine {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let previous = fault.token(0)?.kind;
        let is_parted = previous != TokenKind::String || fault.next_char().is_some_and(|char| !char.is_alphabetic());
        let meets = fault.container() == Some(Container::Object) && is_parted && members::member_is_at(fault.ahead());
        if meets && !fault.gap_has_newline() { fault.insert_after_previous(",") } else { None }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(MissingCommaOnLine);
