//! `python-tuple`: parentheses around values.

use jsonseam_core::{Container, Edit, Edits, Expected, Fault, RepairRule, TokenKind, rule};

use crate::shared::rows;

rule! {
    /// Reads a Python tuple as an array.
    ///
    /// # What
    /// A value is expected and there is `(`, and up to its `)` there are only values and at least one comma, or nothing.
    /// The parentheses become brackets.
    ///
    /// # Why
    /// Models write tuples when the prompt shows Python.
    ///
    /// # Example
    /// `{"a": [("x", 1), ("y", 2)]}` becomes `{"a": [["x", 1], ["y", 2]]}`.
    ///
    /// # Limits
    /// A value in parentheses without a comma is not a tuple, and words in parentheses are prose: both are left alone.
    /// So is arithmetic, `(1 + 2) * 3`.
    pub struct PythonTuple {
        name: "python-tuple",
        risk: Likely,
        answers: [Value, Comma],
        next: ["()"],
        reaches: [LastComma],
    }
}

impl RepairRule for PythonTuple {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        if fault.expected() == Expected::Value && tuple_is_next(fault) {
            return Some(fault.replace_ahead(1, "["));
        }
        let is_tuple = fault.container() == Some(Container::Array) && fault.opener() == Some('(');
        if !is_tuple || fault.next_char() != Some(')') {
            return None;
        }
        if fault.previous_is(TokenKind::Comma) {
            return Some(fault.remove_previous()?.and(Edit::replace(fault.pos()..fault.pos() + 1, "]")));
        }
        Some(fault.replace_ahead(1, "]"))
    }

    fn why_not(&self, fault: &Fault<'_>) -> Option<&'static str> {
        let is_value = fault.expected() == Expected::Value && fault.next_char() == Some('(');
        is_value.then_some(
            "these parentheses hold no tuple: one value, words or arithmetic; write the value without them, or a list with brackets",
        )
    }
}

/// Whether a Python tuple is at the fault: values in parentheses, with a comma among them or after the only one, or none at all.
fn tuple_is_next(fault: &Fault<'_>) -> bool {
    fault.next_char() == Some('(') && rows::at(fault, fault.pos()).is_some_and(|row| row.len != 1 || row.has_last_comma)
}

#[cfg(test)]
jsonseam_testkit::laws!(PythonTuple);
