//! Scalars and keys byte by byte: those that a segment's end cuts, that go on from an earlier segment, or that are bad, and single ones.

use super::state::{Next, Number, Partial, State, Stop, TokenKind, Trace, Word};
use crate::reading::scan::{continues_scalar, string_content_end};

/// What a slow step gives back, besides the state: where to go on or why not.
pub(super) type Step = Result<usize, Stop>;

#[cold]
#[inline(never)]
pub(super) fn resume<T: Trace>(state: &mut State, text: &[u8], pos: usize, trace: &mut T) -> Step {
    match state.partial {
        Partial::None => Ok(pos),
        Partial::Text { escape } => string(state, text, pos, escape, trace),
        Partial::Number(from) => number(state, text, pos, from, trace),
        Partial::Literal { word, matched } => literal(state, text, pos, word, matched, trace),
    }
}

/// The open token, which may have started in an earlier segment, is complete.
pub(super) fn complete_open<T: Trace>(state: &mut State, kind: TokenKind, end: usize, trace: &mut T) {
    state.partial = Partial::None;
    let before = *state;
    state.next = if kind == TokenKind::Key { Next::Colon } else { state.after_value() };
    trace.token(&before, kind, state.token_start..end, state.content_start);
}

/// Reads string content from `pos` on, inside or outside an escape.
#[inline(never)]
pub(super) fn string<T: Trace>(state: &mut State, text: &[u8], mut pos: usize, mut escape: u8, trace: &mut T) -> Step {
    loop {
        if escape != 0 {
            let (read, end) = escaped(text, pos, escape);
            let Some(end) = end else {
                state.partial = Partial::Text { escape: 0 };
                return Err(Stop::BadEscape);
            };
            pos = end;
            state.partial = Partial::Text { escape: read };
            if read != 0 {
                return Ok(pos);
            }
        }
        pos = string_content_end(text, pos);
        match text.get(pos) {
            Some(b'"') => {
                let kind = if state.expects_key() { TokenKind::Key } else { TokenKind::String };
                complete_open(state, kind, trace.end(pos + 1), trace);
                return Ok(pos + 1);
            }
            Some(b'\\') if text.get(pos + 1).is_some_and(|&byte| is_short_escape(byte)) => (pos, escape) = (pos + 2, 0),
            Some(b'\\') => {
                state.escape_start = trace.start(pos);
                escape = 1;
                pos += 1;
            }
            Some(_) => {
                state.partial = Partial::Text { escape: 0 };
                return Err(Stop::Control(pos));
            }
            None => {
                state.partial = Partial::Text { escape: 0 };
                return Ok(pos);
            }
        }
    }
}

/// Whether `byte` makes an escape of two bytes with the backslash before it.
pub(super) const fn is_short_escape(byte: u8) -> bool {
    matches!(byte, b'"' | b'\\' | b'/' | b'b' | b'f' | b'n' | b'r' | b't')
}

/// Goes on inside an escape: how far it has come where it or the segment ends (0: complete), and that place; `None` if it is not an escape.
fn escaped(text: &[u8], mut pos: usize, mut escape: u8) -> (u8, Option<usize>) {
    while let Some(&byte) = text.get(pos) {
        escape = match (escape, byte) {
            (1, byte) if is_short_escape(byte) => 0,
            (1, b'u') => 2,
            (2..=4, byte) if byte.is_ascii_hexdigit() => escape + 1,
            (5, byte) if byte.is_ascii_hexdigit() => 0,
            _ => return (escape, None),
        };
        pos += 1;
        if escape == 0 {
            break;
        }
    }
    (escape, Some(pos))
}

/// Reads a number byte by byte: one that is bad, or that a segment's end cuts.
#[inline(never)]
pub(super) fn number<T: Trace>(state: &mut State, text: &[u8], mut pos: usize, from: Number, trace: &mut T) -> Step {
    let mut number = from;
    while let Some(&byte) = text.get(pos) {
        number = match (number, byte) {
            (Number::Integer | Number::Fraction | Number::Power, b'0'..=b'9') => number,
            (Number::Start, b'-') => Number::Minus,
            (Number::Start | Number::Minus, b'1'..=b'9') => Number::Integer,
            (Number::Start | Number::Minus, b'0') => Number::Zero,
            (Number::Zero | Number::Integer, b'.') => Number::Point,
            (Number::Point, b'0'..=b'9') => Number::Fraction,
            (Number::Zero | Number::Integer | Number::Fraction, b'e' | b'E') => Number::Exponent,
            (Number::Exponent, b'+' | b'-') => Number::Sign,
            (Number::Exponent | Number::Sign, b'0'..=b'9') => Number::Power,
            _ if number.is_complete() && !continues_scalar(byte) => {
                complete_open(state, TokenKind::Number, trace.end(pos), trace);
                return Ok(pos);
            }
            _ => {
                state.partial = Partial::None;
                return Err(Stop::BadScalar);
            }
        };
        pos += 1;
    }
    state.partial = Partial::Number(number);
    Ok(pos)
}

/// Reads a literal byte by byte: one that is bad, or that a segment's end cuts.
#[inline(never)]
pub(super) fn literal<T: Trace>(
    state: &mut State,
    text: &[u8],
    mut pos: usize,
    word: Word,
    mut matched: u8,
    trace: &mut T,
) -> Step {
    loop {
        let due = word.spelling().as_bytes().get(usize::from(matched));
        match (text.get(pos), due) {
            (None, _) => {
                state.partial = Partial::Literal { word, matched };
                return Ok(pos);
            }
            (Some(byte), Some(due)) if byte == due => {
                matched += 1;
                pos += 1;
            }
            (Some(&byte), None) if !continues_scalar(byte) => {
                complete_open(state, TokenKind::Literal, trace.end(pos), trace);
                return Ok(pos);
            }
            _ => {
                state.partial = Partial::None;
                return Err(Stop::BadScalar);
            }
        }
    }
}
