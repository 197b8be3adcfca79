//! The string at the fault: whether it is a key, what it holds, and whether what follows fits.

use std::ops::Range;

use jsonseam_core::{Ahead, Expected, Fault, TokenKind};

use super::members;
use super::quoted::{is_escape, is_short_escape};

/// A string in foreign quotes at the fault that is *simple* (SPEC P5): the span of its content.
/// It ends at the first of `closers`, its content holds no `"`, backslash or control character, and what follows fits the grammar.
pub fn simple(fault: &Fault<'_>, closers: &[char]) -> Option<Range<usize>> {
    let mut ahead = fault.ahead();
    ahead.bump()?;
    let start = ahead.pos();
    ahead.take_while(|char| char >= ' ' && !matches!(char, '"' | '\\') && !closers.contains(&char));
    let content = start..ahead.pos();
    let is_closed = ahead.bump().is_some_and(|char| closers.contains(&char));
    // Two strings in apostrophes are one in Python; no language joins two in curly quotes, so the first one is a key without its colon.
    let lacks_colon = || !closers.contains(&'\'') && fault.expected() == Expected::Key && ahead.lacks_colon();
    (is_closed && (could_end(fault, ahead) || lacks_colon())).then_some(content)
}

/// A string in foreign quotes at the fault: the span of its content. It ends at the first of `closers` that no backslash hides,
/// its escapes are those of JSON or hide one of `closers`, and what follows fits the grammar.
/// Its content may hold tabs, and that of a value line breaks.
pub fn with_escapes(fault: &Fault<'_>, closers: &[char]) -> Option<Range<usize>> {
    let mut ahead = fault.ahead();
    ahead.bump()?;
    let start = ahead.pos();
    let spans_lines = !is_key_due(fault);
    loop {
        let end = ahead.pos();
        let is_content = match ahead.bump()? {
            char if closers.contains(&char) => return could_end(fault, ahead).then_some(start..end),
            '\\' => match ahead.bump()? {
                'u' => is_escape(ahead.at(end + 1).slice_to(end + 6).as_bytes()),
                hidden => closers.contains(&hidden) || is_short_escape(hidden),
            },
            '\n' | '\r' => spans_lines,
            char => char >= ' ' || char == '\t',
        };
        if !is_content {
            return None;
        }
    }
}

/// Whether the string that starts at the fault, or is open there, is a key.
pub fn is_key_due(fault: &Fault<'_>) -> bool {
    match fault.expected() {
        Expected::Key => true,
        Expected::String => fault.string().is_some_and(|string| string.is_key),
        _ => false,
    }
}

/// Whether a string that starts at the fault, or is open there, could end before the cursor: whether what follows is what the grammar allows next.
pub fn could_end(fault: &Fault<'_>, ahead: Ahead<'_>) -> bool {
    if is_key_due(fault) {
        return ahead.has_colon();
    }
    ahead.could_end_value(fault.container()) || members::row_ends(fault, ahead)
}

/// Where the closing quote of the nearest token is, if that is a string and its quote was written.
pub fn closing_quote(fault: &Fault<'_>) -> Option<usize> {
    let token = fault.token(0).filter(|token| matches!(token.kind, TokenKind::Key | TokenKind::String))?;
    let closing = token.span.end.checked_sub(1).filter(|&closing| closing > token.span.start)?;
    fault.at(closing).starts_with("\"").then_some(closing)
}
