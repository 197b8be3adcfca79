//! Members and elements ahead: whether one comes next, and whether what follows a value fits its container.
//!
//! Rules read text ahead that other rules have not repaired yet, so these answers tolerate every quote style, comments, bare keys
//! and the words of other languages. One answer to "is a member next?" serves them all.

use jsonseam_core::{Ahead, Container, Fault, TokenKind};

use super::closers;

/// Whether a key and its colon come at the fault: a string of any quote style, or a word. Remembered, since several rules ask it, and what is read
/// twice is work twice.
pub fn key_is_next(fault: &Fault<'_>) -> bool {
    #[derive(PartialEq, Eq, Hash)]
    struct KeyAt(usize);
    fault.memo(KeyAt(fault.pos()), || fault.ahead().has_key())
}

/// Whether the array around the fault ends at the cursor with the closer that belongs to its opener as it was written: `)` or `}`.
pub fn row_ends(fault: &Fault<'_>, ahead: Ahead<'_>) -> bool {
    let closer = match fault.opener().filter(|_| fault.container() == Some(Container::Array)) {
        Some('(') => ')',
        Some('{') => '}',
        _ => return false,
    };
    ahead.skip_space_and_comments().peek() == Some(closer)
}

/// Whether the innermost container could go on `skip` bytes after the fault, if a comma were there:
/// a whole member comes next in an object, a whole element in an array.
pub fn continues_after(fault: &Fault<'_>, skip: usize) -> bool {
    let next = || fault.ahead().after(skip).skip_space_and_comments();
    match fault.container() {
        Some(Container::Object) => next().has_member(),
        Some(Container::Array) => next().has_value_of(Container::Array),
        None => false,
    }
}

/// Whether the closer of the innermost container comes `skip` bytes after the fault, after blanks.
pub fn closes_after(fault: &Fault<'_>, skip: usize) -> bool {
    let Some(closer) = fault.container().map(closers::closer_of) else { return false };
    fault.ahead().after(skip).skip_space_and_comments().peek() == Some(closer)
}

/// Whether a comma and a whole member come at the fault, where a value is due, or the closer.
pub fn lacks_value(fault: &Fault<'_>) -> bool {
    closes_after(fault, 0) || fault.next_char() == Some(',') && (continues_after(fault, 1) || closes_after(fault, 1))
}

/// Whether the value of a member comes `skip` bytes after the fault, and the object goes on or ends after it.
pub fn value_follows(fault: &Fault<'_>, skip: usize) -> bool {
    fault.ahead().after(skip).skip_space_and_comments().has_value_of(Container::Object)
}

/// How many bytes from the fault on a comma ends that comes `skip` bytes after it, after blanks.
pub fn comma_after(fault: &Fault<'_>, skip: usize) -> Option<usize> {
    let next = fault.ahead().after(skip).skip_space_and_comments();
    (next.peek() == Some(',')).then(|| next.pos() + 1 - fault.pos())
}

/// Whether the key before the fault comes right after a member whose value is a string, on one line with it: `"a": "x", "y"`.
pub fn follows_text_on_line(fault: &Fault<'_>) -> bool {
    let (Some(key), Some(value)) = (fault.token(0), fault.token(2)) else { return false };
    value.kind == TokenKind::String && !fault.at(value.span.end).slice_to(key.span.start).contains('\n')
}

/// Whether two members of an object meet at the fault without a comma: a key comes next, on a later line than the nearest token (SPEC M1, M2).
pub fn members_meet(fault: &Fault<'_>) -> bool {
    fault.container() == Some(Container::Object) && fault.gap_has_newline() && key_is_next(fault)
}

/// Whether the token before the fault and the scalar at it have a line each to themselves, a comma aside.
pub fn are_lines(fault: &Fault<'_>) -> bool {
    let Some(previous) = fault.token(0).filter(|token| token.kind.is_scalar()) else { return false };
    let is_line = |text: &str| matches!(text.trim_start_matches(','), "" | "\r");
    let begins_line = fault.at(previous.span.start).indent().is_some();
    let is_whole = || !fault.at(previous.span.start).slice_to(previous.span.end).contains('\n');
    begins_line && is_whole() && fault.ahead().scalar_end().is_some_and(|after| is_line(after.line()))
}

/// Whether a text that ends with a word and a comma is before the fault, and a quote at it: `"red," "blue"`.
pub fn follows_comma_in_quotes(fault: &Fault<'_>) -> bool {
    let text = fault.token(0).filter(|token| token.kind == TokenKind::String && token.span.len() > 3);
    let end = text.map(|token| fault.at(token.span.end)).filter(|end| end.before(2) == ",\"");
    let last = end.and_then(|end| fault.at(end.pos() - 2).char_before());
    last.is_some_and(char::is_alphanumeric) && fault.ahead().starts_with("\"")
}

/// Whether the token before the fault and the value at it are two elements rather than one that has come apart:
/// blanks separate two strings, and neither has a blank where they meet; two numbers on one line are not the groups of one.
pub fn are_two_elements(fault: &Fault<'_>) -> bool {
    let Some(previous) = fault.token(0) else { return false };
    let next = fault.next_char();
    if previous.kind.is_closer() || matches!(next, Some('{' | '[')) {
        return true;
    }
    let is_text = next.is_some_and(|char| !(char.is_alphanumeric() || matches!(char, '-' | '+' | '.' | '_')));
    match previous.kind {
        TokenKind::String if is_text => {
            // Both are inside the quotes, which may be of any kind.
            let last = fault.at(previous.span.end).before(8).chars().rev().nth(1);
            let mut ahead = fault.ahead();
            let first = ahead.bump().and_then(|_| ahead.peek());
            let is_blank = |char: Option<char>| char.is_some_and(char::is_whitespace);
            fault.gap_len() > 0 && !is_blank(last) && !is_blank(first)
        }
        TokenKind::Number if !is_text && !fault.gap_has_newline() => {
            let word = fault.ahead().word();
            let is_group = word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_digit());
            !((1..=3).contains(&previous.span.len()) && is_group)
        }
        _ => fault.gap_len() > 0,
    }
}
