//! `comment`: comments between tokens.

use jsonseam_core::{Edits, Expected, Fault, RepairRule, TokenKind, rule};

rule! {
    /// Removes comments between tokens.
    ///
    /// # What
    /// Where JSON syntax is expected stands `/* … */`, or `//` or `#` up to the end of the line. The newline stays.
    ///
    /// # Why
    /// JSON5, JSONC and JavaScript (`//`, `/* */`) and Python (`#`) read comments as white space, and models explain their output in them.
    ///
    /// # Example
    /// `{"a": 1 /* one */}` becomes `{"a": 1 }`.
    ///
    /// # Limits
    /// Where a value is due, `#` and a letter or digit behind it (`#fff`) are no comment.
    /// A comment that starts with dots stands for what was left out, and is left alone (`ellipsis`).
    /// Never inside a string, so never inside a URL. A block comment without its end is left alone, and so is a line comment
    /// that no newline ends and that holds a bracket or a quote: the rest of a text on one line would vanish with it.
    /// So is `//` between two numbers (`7 // 2`): Python divides there.
    pub struct Comment {
        name: "comment",
        risk: Certain,
        answers: [Value, Key, Colon, Comma, End],
        cases: "comment.toml",
    }
}

impl RepairRule for Comment {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        if fault.placeholder_len().is_some() {
            return None;
        }
        // Where a value is due, `#fff` is one that lacks its quotes.
        let is_bare_value = fault.expected() == Expected::Value && fault.ahead_is("#");
        if is_bare_value && fault.text_ahead(2).ends_with(|char: char| char.is_ascii_alphanumeric()) {
            return None;
        }
        let len = if fault.ahead_is("/*") {
            fault.find_ahead("*/", 2)? + 2 - fault.pos()
        } else if fault.ahead_is("//") || fault.ahead_is("#") {
            let len = fault.run_len(|char| !matches!(char, '\n' | '\r'));
            let comment = fault.text_ahead(len + 1);
            let is_ended = comment.len() > len;
            let hides_data = !is_ended && comment.contains(['"', '\'', '{', '}', '[', ']']);
            if hides_data || (fault.previous_is(TokenKind::Number) && is_division(comment)) {
                return None;
            }
            len
        } else {
            return None;
        };
        // Right behind a quote it is rather the text that the quote was meant to stand in: `"see "#1" there"`.
        let is_in_text = fault.touches_string() && fault.text_ahead(len).matches('"').count() % 2 == 1;
        (!is_in_text).then(|| fault.blank_ahead(len))
    }
}

/// Whether `comment`, behind a number, is the rest of an integer division in Python: numbers and operators, perhaps with the comma behind it.
fn is_division(comment: &str) -> bool {
    let divisor = comment.strip_prefix("//").unwrap_or_default().trim().trim_end_matches(',');
    let is_sum =
        |char: char| char.is_ascii_digit() || matches!(char, '.' | '_' | '+' | '-' | '*' | '/' | ' ' | '(' | ')');
    divisor.contains(|char: char| char.is_ascii_digit()) && divisor.chars().all(is_sum)
}

#[cfg(test)]
jsonseam_testkit::laws!(Comment);
