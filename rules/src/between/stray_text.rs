//! `stray-text`: words between tokens.

use jsonseam_core::{Container, Expected, Fault, Proposals, TokenKind, rule};

use crate::shared::{clues, members, program};

rule! {
    /// Removes words between members or elements that cannot be data.
    ///
    /// # What
    /// After a closing bracket, or in parentheses after `true`, `false` or `null`, there are words before the comma or closer;
    /// or before a quoted key and its whole member; also a remark in parentheses or after an arrow on the line before one,
    /// and a single name between a comma and the end of that line.
    /// The marks of Markdown around a key, of a list before the elements of an array or the keys of an object on lines, and of a quotation (`>`)
    /// at the start of each line, are removed too; so is a control token (`<|im_end|>`).
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
        answers: [Value, Key, Colon, Comma],
        next: ["(*-<>", Letter, Digit, NonAscii],
        answer: stray_text,
    }
}

fn stray_text(fault: &Fault<'_>, to: &mut Proposals) {
    if let Some(len) = stray_len(fault) {
        to.offer(fault.blank_ahead(len)).clue(clues::DROPPED_TEXT);
    } else if let Some(len) = mark_len(fault) {
        to.offer(fault.blank_ahead(len));
    }
}

/// The length of a control token, or of a mark that Markdown puts around a key or before an element, a key or a line
/// (`**"a"**: 1`, `- "a"`, `2. "b"`, `> "c"`).
fn mark_len(fault: &Fault<'_>) -> Option<usize> {
    let (expected, first) = (fault.expected(), fault.next_char()?);
    if !matches!(first, '*' | '-' | '•' | '<' | '>' | '0'..='9') {
        return None;
    }
    let mut after = fault.ahead();
    if first == '<' {
        after.eat("<|");
        let name = after.take_while(|char| char.is_alphanumeric() || char == '_');
        return (!name.is_empty() && after.eat("|>")).then(|| after.pos() - fault.pos());
    }
    let begins_line = || fault.ahead().indent().is_some();
    if first == '>' {
        return (begins_line() && matches!(fault.at(fault.region_start()).before(3), "> " | "\n> ")).then_some(1);
    }
    if first == '*' && after.eat("**") {
        let next = match expected {
            Expected::Key => '"',
            Expected::Colon => ':',
            Expected::Value if fault.previous_is(TokenKind::Colon) => ' ',
            _ => return None,
        };
        return (after.peek() == Some(next)).then_some(2);
    }
    let is_object = fault.container() == Some(Container::Object);
    let is_due = expected == Expected::Comma || expected == if is_object { Expected::Key } else { Expected::Value };
    // Texts and containers are listed; most elements follow one another on a line.
    let is_listed = |kind| is_object || !matches!(kind, TokenKind::Number | TokenKind::Literal);
    let previous = fault.token(0).filter(|token| is_due && is_listed(token.kind))?;
    if !begins_line() || !fault.at(previous.span.end).slice_to(fault.pos()).contains(['\n', '\r']) {
        return None;
    }
    let number = after.take_while(|char| char.is_ascii_digit());
    let is_mark = if number.is_empty() { after.bump().is_some() && after.eat(" ") } else { after.eat(". ") };
    let is_followed = if is_object {
        after.peek() == Some('"') && after.has_key()
    } else {
        matches!(after.peek(), Some('"' | '{' | '['))
    };
    (is_mark && is_followed).then(|| after.pos() - fault.pos())
}

/// The length of words at the fault that cannot be data: after a closer, in parentheses after a literal, or before a quoted key
/// and its whole member. They hold no quote, bracket, colon, comma or newline.
fn stray_len(fault: &Fault<'_>) -> Option<usize> {
    if !matches!(fault.expected(), Expected::Comma | Expected::Key) {
        return None;
    }
    let previous = fault.token(0)?.kind;
    let is_noted = fault.next_char() == Some('(') && previous == TokenKind::Literal;
    let is_word = |char: char| char.is_alphabetic() || matches!(char, '(' | '*' | '-' | '–' | '—' | '←');
    let points_back = || fault.next_char() == Some('<') && fault.ahead().starts_with("<-");
    let is_stray = fault.next_char().is_some_and(is_word) || points_back();
    if !is_stray || program::continues_expression(fault.ahead()) {
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
            let next = ahead.skip_json_space();
            let is_remark = run.starts_with('(') && run.ends_with(')') || run.starts_with("<-") || run.starts_with('←');
            let is_name = run.chars().all(|char| char.is_alphanumeric() || char == '_');
            let is_followed = if next.pos() == ahead.pos() {
                is_words && next.has_member()
            } else {
                // A name on the line of a comma, before the next line, is not a member.
                let is_left = || is_name && previous == TokenKind::Comma && fault.ahead().indent().is_none();
                (is_remark || is_left()) && next.indent().is_some() && next.has_key()
            };
            (is_followed && next.starts_with("\"")).then_some(run.len())
        }
        _ => None,
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(StrayText);
