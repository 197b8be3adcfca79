//! `python-set`: braces around values.

use jsonseam_core::{Container, Edit, Edits, Expected, Fault, RepairRule, Token, TokenKind, rule};

use crate::shared::{layout, rows};

rule! {
    /// Reads a set in braces as an array.
    ///
    /// # What
    /// Between `{` and `}` there are at least two values, separated by commas, and no colon. The braces become brackets. An empty set is `set()`.
    ///
    /// # Why
    /// Python writes sets this way, and small models write lists of words this way.
    ///
    /// # Example
    /// `{"a": {"x", "y"}}` becomes `{"a": ["x", "y"]}`.
    ///
    /// # Limits
    /// The order of a set means nothing; that of the text is kept.
    /// A set that is the whole payload must have its lines to itself: `{1, 2}` in a sentence is prose.
    /// Where every second value is a name in quotes, from the first on, and not all others are strings, they may be keys and values: they are left alone.
    /// A single value in braces is left alone: it may be a key without its value. So is an object in which only some members lack a colon.
    pub struct PythonSet {
        name: "python-set",
        risk: Guess,
        answers: [Value, Key, Colon, Comma],
    }
}

impl RepairRule for PythonSet {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let closes_set = fault.container() == Some(Container::Array) && fault.opener() == Some('{');
        if closes_set && fault.next_char() == Some('}') {
            return Some(fault.replace_ahead(1, "]"));
        }
        if fault.expected() == Expected::Value && fault.ahead().starts_with("set()") {
            return Some(fault.replace_ahead(5, "[]"));
        }
        let brace = set_start(fault)?;
        // Braces around words of prose are no data: a set that is the whole payload has its lines to itself.
        let is_data = fault.depth() > 1 || layout::payload_fills_its_lines(fault, '}');
        is_data.then(|| Edit::replace(brace.span, "[").into())
    }
}

/// The brace before the fault that opens a set: at least two values and no colon up to its closer.
/// A string and one value of another kind are not a set: there a comma may be in the place of the colon.
fn set_start(fault: &Fault<'_>) -> Option<Token> {
    // A comment is taken out of the way first, so that a run of them is not read again and again.
    if fault.next_char().is_none_or(|char| char.is_whitespace() || matches!(char, '/' | '#')) {
        return None;
    }
    let brace = match fault.expected() {
        Expected::Key => fault.token(0),
        Expected::Colon => fault.token(1),
        _ => None,
    };
    let brace = brace.filter(|brace| brace.kind == TokenKind::ObjectStart)?;
    let row = rows::at(fault, brace.span.start)?;
    let is_text =
        || fault.ahead().after(1).skip_space_and_comments().peek().is_some_and(|char| matches!(char, '"' | '\''));
    let is_pair = row.len == 2 && fault.expected() == Expected::Colon && !is_text();
    // `"name", "x", "age", 3`: commas may be in the place of colons.
    (row.len >= 2 && !is_pair && !row.may_be_members).then_some(brace)
}

#[cfg(test)]
jsonseam_testkit::laws!(PythonSet);
