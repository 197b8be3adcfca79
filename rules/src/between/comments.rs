//! Comments between tokens, in the notations of other languages: each row a notation, and what shows that it is no data.

use jsonseam_core::{Ahead, Edits, Expected, Fault, TokenKind, rule};

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
        only_ahead: comment,
    }

    /// Removes a block comment that was truncated.
    ///
    /// # What
    /// Between tokens there is `/*`, no `*/` follows up to the end of the region, and the rest holds no quote, bracket or colon.
    ///
    /// # Why
    /// A model that runs out of tokens may stop in the middle of its own remark.
    ///
    /// # Example
    /// `{"a": 1 /* and so` becomes `{"a": 1 }`, together with `unclosed-container`.
    ///
    /// # Limits
    /// If the rest holds anything that could be data, the end of the comment cannot be known, and the text is left alone.
    pub struct UnclosedComment {
        name: "unclosed-comment",
        risk: Likely,
        answers: [Value, Key, Colon, Comma, End],
        next: ["/"],
        only_ahead: unclosed_comment,
    }

    /// Removes comments of HTML between tokens.
    ///
    /// # What
    /// There is `<!-- … -->` between tokens.
    ///
    /// # Why
    /// Models that answer in Markdown or XML leave notes in comments of those languages.
    ///
    /// # Example
    /// `{"a": 1 <!-- one -->}` becomes `{"a": 1 }`.
    ///
    /// # Limits
    /// A comment without its end is left alone. If it is in place of a value, the value is still missing, and the payload is refused.
    /// JavaScript reads `<!--` as a comment to the end of the line, so the grammars do not agree, and the risk is `likely`.
    pub struct HtmlComment {
        name: "html-comment",
        risk: Likely,
        answers: [Value, Key, Colon, Comma, End],
        next: ["<"],
        only_ahead: html_comment,
    }

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
        only_ahead: dash_comment,
    }
}

fn comment(fault: &Fault<'_>) -> Option<Edits> {
    let mut ahead = fault.ahead();
    let is_hash = fault.next_char() == Some('#');
    // Where a value is due, `#fff` is one that lacks its quotes.
    let is_word = || ahead.after(1).peek().is_some_and(char::is_alphanumeric);
    let is_value = || fault.expected() == Expected::Value && is_word() || is_colour(fault.ahead().after(1));
    if placeholders::len(fault).is_some() || is_hash && is_value() {
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

fn unclosed_comment(fault: &Fault<'_>) -> Option<Edits> {
    let mut ahead = fault.ahead();
    if !ahead.starts_with("/*") || ahead.after(2).find("*/").is_some() {
        return None;
    }
    let is_plain = |char| !matches!(char, '"' | '\'' | '{' | '}' | '[' | ']' | ':' | '`' | '\u{201C}' | '\u{201D}');
    let comment = ahead.take_while(is_plain);
    ahead.peek().is_none().then(|| fault.blank_ahead(comment.len()))
}

fn html_comment(fault: &Fault<'_>) -> Option<Edits> {
    let ahead = fault.ahead();
    if !ahead.starts_with("<!--") {
        return None;
    }
    let comment = ahead.slice_to(ahead.after(4).find("-->")? + 3);
    (!blanks::is_within_text(fault, comment)).then(|| fault.blank_ahead(comment.len()))
}

const MARK: &str = "-- ";

fn dash_comment(fault: &Fault<'_>) -> Option<Edits> {
    let mut ahead = fault.ahead();
    if !ahead.starts_with(MARK) || fault.previous_is(TokenKind::Number) {
        return None;
    }
    let comment = ahead.take_while(|char| !matches!(char, '\n' | '\r'));
    let is_ended = ahead.peek().is_some();
    let is_plain = !comment.contains(['"', '\'', '{', '}', '[', ']', ':']);
    (is_ended && is_plain && !may_be_data(&comment[MARK.len()..])).then(|| fault.blank_ahead(comment.len()))
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
jsonseam_testkit::laws! {
    comment: Comment,
    unclosed_comment: UnclosedComment,
    html_comment: HtmlComment,
    dash_comment: DashComment,
}
