//! `stray-text`: words between tokens.

use jsonseam_core::{Clue, Expected, Fault, Proposals, RepairRule, TokenKind, rule};

use crate::shared::members;

rule! {
    /// Removes words between members or elements that cannot be data.
    ///
    /// # What
    /// After a closing bracket, or in parentheses after any value but a string, there are words before the comma or closer;
    /// or before a quoted key and its whole member.
    ///
    /// # Why
    /// Models comment on what they write without marking it as a comment.
    ///
    /// # Example
    /// `{"a": [1] as before, "b": 2}` becomes `{"a": [1] , "b": 2}`.
    ///
    /// # Limits
    /// The words are lost, hence the risk.
    /// Words after a string may belong to it, and words after a number may be its unit: both are left alone.
    /// So are words where a value is expected, and everything that holds a quote, a bracket, a colon or a comma.
    pub struct StrayText {
        name: "stray-text",
        risk: Lossy,
        answers: [Comma, Key],
        next: ["(*-", Letter, NonAscii],
        cases: "stray_text.toml",
    }
}

impl RepairRule for StrayText {
    fn propose(&self, fault: &Fault<'_>, to: &mut Proposals) {
        if let Some(len) = stray_len(fault) {
            to.offer(fault.blank_ahead(len)).clue(Clue::DroppedText);
        }
    }
}

/// The length of words at the fault that cannot be data: after a closer, in parentheses after a number or literal, or before a quoted key
/// and its whole member. They hold no quote, bracket, colon, comma or newline.
fn stray_len(fault: &Fault<'_>) -> Option<usize> {
    let previous = fault.token(0)?.kind;
    let is_noted = fault.next_char() == Some('(') && matches!(previous, TokenKind::Number | TokenKind::Literal);
    let is_word = |char: char| char.is_alphabetic() || matches!(char, '(' | '*' | '-' | '–' | '—');
    if !fault.next_char().is_some_and(is_word) {
        return None;
    }
    let mut ahead = fault.ahead();
    let run = ahead.take_while(|char| {
        !matches!(char, '"' | '\'' | '`' | '{' | '}' | '[' | ']' | ':' | ',' | '\n' | '\r' | '\\' | '“' | '”')
    });
    let run = run.trim_end();
    let goes_on = |after: usize| members::continues_after(fault, after) || members::closes_after(fault, after);
    match fault.expected() {
        Expected::Comma if previous.is_closer() || (is_noted && run.ends_with(')')) => {
            let is_followed = members::comma_after(fault, run.len()).is_some_and(goes_on);
            (is_followed || members::closes_after(fault, run.len())).then_some(run.len())
        }
        Expected::Key if matches!(previous, TokenKind::Comma | TokenKind::ObjectStart) => {
            let is_words = run.chars().all(|char| char.is_alphabetic() || char == ' ');
            (is_words && ahead.starts_with("\"") && members::member_is_at(ahead)).then_some(run.len())
        }
        _ => None,
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(StrayText);
