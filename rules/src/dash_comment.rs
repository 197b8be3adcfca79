//! `dash-comment`: comments of SQL between members.

use jsonseam_core::{Edits, Fault, RepairRule, TokenKind, rule};

rule! {
    /// Removes comments that begin with two dashes.
    ///
    /// # What
    /// A key, a comma or a closer is expected, and there is `--` and a blank. The text up to the end of the line is removed; the newline stays.
    ///
    /// # Why
    /// SQL, Lua and Haskell write comments this way.
    ///
    /// # Example
    /// `{"a": 1, -- the first⏎"b": 2}` becomes `{"a": 1, ⏎"b": 2}` (⏎ is a newline).
    ///
    /// # Limits
    /// Only when the line ends and holds no quote, bracket or colon, no comma that more follows, and no number or literal at its start:
    /// otherwise data could vanish with it. Never after a number (`10 -- 20` is a range), where a value is due, or without the blank.
    pub struct DashComment {
        name: "dash-comment",
        risk: Likely,
        answers: [Key, Comma],
        next: ["-"],
        reaches: [Fault],
    }
}

const MARK: &str = "-- ";

impl RepairRule for DashComment {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let mut ahead = fault.ahead();
        if !ahead.starts_with(MARK) || fault.previous_is(TokenKind::Number) {
            return None;
        }
        let comment = ahead.take_while(|char| !matches!(char, '\n' | '\r'));
        let is_ended = ahead.peek().is_some();
        let is_plain = !comment.contains(['"', '\'', '{', '}', '[', ']', ':']);
        (is_ended && is_plain && !may_be_data(&comment[MARK.len()..])).then(|| fault.blank_ahead(comment.len()))
    }
}

/// Whether `comment` reads like values rather than words: it begins with a number or a literal, or holds a comma that more follows.
fn may_be_data(comment: &str) -> bool {
    let comment = comment.trim();
    let word = comment.split(|char: char| char.is_whitespace() || char == ',').next().unwrap_or_default();
    word.starts_with(|char: char| char.is_ascii_digit() || matches!(char, '-' | '+' | '.'))
        || ["true", "false", "null", "none"].iter().any(|literal| word.eq_ignore_ascii_case(literal))
        || comment.split_once(',').is_some_and(|(_, more)| !more.trim().is_empty())
}

#[cfg(test)]
jsonseam_testkit::laws!(DashComment);
