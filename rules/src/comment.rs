//! `comment`: comments between tokens.

use jsonseam_core::{Ahead, Edits, Expected, Fault, RepairRule, TokenKind, rule};

use crate::shared::{blanks, placeholders};

rule! {
    /// Removes comments between tokens.
    ///
    /// # What
    /// Between tokens there is `/* … */`, or `//` or `#` up to the end of the line. The newline stays.
    ///
    /// # Why
    /// JSON5, JSONC and JavaScript (`//`, `/* */`) and Python (`#`) read comments as white space, and models explain their output in them.
    ///
    /// # Example
    /// `{"a": 1 /* one */}` becomes `{"a": 1 }`.
    ///
    /// # Limits
    /// Where a value is expected, `#` followed by a letter or digit (`#fff`) is not a comment.
    /// A comment that starts with dots marks what was left out, and is left alone (`ellipsis`).
    /// Never inside a string, so never inside a URL. A block comment without its end is left alone, and so is a line comment
    /// that no newline ends and that holds a bracket or a quote: removing it could remove the rest of a text on one line.
    /// So is `//` between two numbers (`7 // 2`): Python divides there.
    pub struct Comment {
        name: "comment",
        risk: Certain,
        answers: [Value, Key, Colon, Comma, End],
        next: ["/#"],
        reaches: [Fault],
    }
}

impl RepairRule for Comment {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        if placeholders::len(fault).is_some() {
            return None;
        }
        let mut ahead = fault.ahead();
        let is_hash = fault.next_char() == Some('#');
        // Where a value is due, `#fff` is one that lacks its quotes.
        let is_word = || ahead.after(1).peek().is_some_and(char::is_alphanumeric);
        if is_hash && (fault.expected() == Expected::Value && is_word() || is_colour(fault.ahead().after(1))) {
            return None;
        }
        let comment = if ahead.starts_with("/*") {
            ahead.slice_to(ahead.after(2).find("*/")? + 2)
        } else if is_hash || ahead.starts_with("//") {
            let comment = ahead.take_while(|char| !matches!(char, '\n' | '\r'));
            let hides_data = comment.contains(['"', '\'', '{', '}', '[', ']']) && ahead.peek().is_none();
            if hides_data || (fault.previous_is(TokenKind::Number) && is_division(comment)) {
                return None;
            }
            comment
        } else {
            return None;
        };
        (!blanks::ends_text(fault, comment)).then(|| fault.blank_ahead(comment.len()))
    }
}

/// Whether what follows a number sign is a colour of CSS, and nothing after it on its line but commas and closers.
fn is_colour(mut ahead: Ahead<'_>) -> bool {
    let digits = ahead.take_while(|char| char.is_ascii_hexdigit());
    matches!(digits.len(), 3 | 6 | 8) && ahead.line().chars().all(|char| matches!(char, ' ' | ',' | '}' | ']'))
}

/// Whether `comment`, after a number, is the rest of an integer division in Python: numbers and operators, perhaps with the comma after it.
fn is_division(comment: &str) -> bool {
    let divisor = comment.strip_prefix("//").unwrap_or_default().trim().trim_end_matches(',');
    let is_sum =
        |char: char| char.is_ascii_digit() || matches!(char, '.' | '_' | '+' | '-' | '*' | '/' | ' ' | '(' | ')');
    divisor.contains(|char: char| char.is_ascii_digit()) && divisor.chars().all(is_sum)
}

#[cfg(test)]
jsonseam_testkit::laws!(Comment);
