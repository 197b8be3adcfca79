//! `missing-comma-on-line`: members on one line without a comma between them.

use jsonseam_core::{Ahead, Container, Edits, Fault, RepairRule, TokenKind, rule};

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
    /// After a string, only a key in quotes that begins as a name does is taken for one: `"x" y: 1` and `"x"", ": 1` may be a string with quotes in it.
    /// Across lines, `missing-comma-after-scalar` and `missing-comma-after-container` answer.
    pub struct MissingCommaOnLine {
        name: "missing-comma-on-line",
        risk: Likely,
        answers: [Comma],
        next: ["\"'`_$", Letter, NonAscii],
        reaches: [Fault],
    }
}

impl RepairRule for MissingCommaOnLine {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let previous = fault.token(0)?.kind;
        let is_parted = previous != TokenKind::String || is_quoted_name(fault.ahead());
        let meets = fault.container() == Some(Container::Object) && is_parted && fault.ahead().has_member();
        if meets && !fault.gap_has_newline() { fault.insert_after_previous(",") } else { None }
    }
}

/// Whether what comes next is in quotes, and begins as the name of a member does.
fn is_quoted_name(ahead: Ahead<'_>) -> bool {
    let is_name = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$' | '@' | '#' | '-' | '/' | '.');
    !ahead.peek().is_some_and(char::is_alphabetic) && ahead.after(1).peek().is_some_and(is_name)
}

#[cfg(test)]
jsonseam_testkit::laws!(MissingCommaOnLine);
