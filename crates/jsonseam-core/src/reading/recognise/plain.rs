//! The grammar of RFC 8259 for text that is valid: the path that almost every byte takes, with all it knows in registers.
//!
//! It reads as far as the text is made of whole and valid tokens, and halts before the first token that is anything else.
//! The reader goes on from there, and says what it is: so there is one place that names faults, and this one only ever agrees with it.

use super::cut::is_short_escape;
use super::state::{Next, State, TokenKind, Trace, Word};
use crate::reading::scan::{Cursor, continues_scalar};

/// Reads from `pos` on, in a state between tokens, to the first token that the reader must look at. Gives its place.
#[inline(never)]
#[allow(clippy::too_many_lines, reason = "what is in registers stays there only within one function")]
pub(super) fn run_plain<T: Trace>(
    state: &mut State,
    text: &[u8],
    mut pos: usize,
    max_depth: u8,
    trace: &mut T,
) -> usize {
    let mut cursor = Cursor::at(pos);
    let mut depth = state.depth;
    let mut containers = state.containers;
    let mut is_in_object = state.is_in_object();

    // Halts before what is at `pos`, where the grammar allows this.
    macro_rules! halt {
        ($next:expr) => {{
            state.next = $next;
            state.depth = depth;
            state.containers = containers;
            return pos;
        }};
    }
    // Tells of the token from `pos` to `end`, which began where the grammar allowed `next`.
    macro_rules! tell {
        ($next:expr, $kind:expr, $end:expr, $content_start:expr) => {{
            let before = State { next: $next, depth, containers, ..State::START };
            trace.token(&before, $kind, trace.start(pos)..trace.end($end), $content_start);
        }};
    }
    macro_rules! scalar {
        ($next:expr, $kind:expr, $end:expr) => {
            match $end {
                Some(end) => {
                    tell!($next, $kind, end, trace.end(pos + 1));
                    pos = end;
                }
                None => halt!($next),
            }
        };
    }
    macro_rules! close {
        ($next:expr) => {{
            tell!($next, if is_in_object { TokenKind::ObjectEnd } else { TokenKind::ArrayEnd }, pos + 1, 0);
            pos += 1;
            depth -= 1;
            containers >>= 1;
            is_in_object = containers & 1 == 1;
        }};
    }
    // The next byte that is not blank.
    macro_rules! peek {
        ($next:expr) => {
            match text.get(pos) {
                Some(&byte) if byte > b' ' => byte,
                Some(_) => {
                    pos = cursor.skip_blanks(text, pos);
                    match text.get(pos) {
                        Some(&byte) => byte,
                        None => halt!($next),
                    }
                }
                None => halt!($next),
            }
        };
    }
    // A key, which `byte` begins, and its colon.
    macro_rules! member {
        ($byte:expr, $next:expr) => {{
            if $byte != b'"' {
                halt!($next);
            }
            scalar!($next, TokenKind::Key, string_end(text, pos + 1, &mut cursor));
            // Most colons follow their key at once, and most values their colon after one space.
            if text.get(pos..pos + 2) == Some(b": ") {
                tell!(Next::Colon, TokenKind::Colon, pos + 1, 0);
                pos += 2;
            } else {
                if peek!(Next::Colon) != b':' {
                    halt!(Next::Colon);
                }
                tell!(Next::Colon, TokenKind::Colon, pos + 1, 0);
                pos += 1;
            }
        }};
    }

    // What a value that is due is due as: after `[` a closer may come instead.
    let mut due = Next::Value;
    let mut is_at_value = match state.next {
        Next::Value => true,
        Next::ValueOrClose => {
            due = Next::ValueOrClose;
            true
        }
        Next::CommaOrClose => false,
        // A reading that goes on in the middle of a member is rare: the reader takes it.
        Next::Key | Next::KeyOrClose | Next::Colon | Next::End => return pos,
    };
    loop {
        if is_at_value {
            match peek!(due) {
                b'"' => scalar!(due, TokenKind::String, string_end(text, pos + 1, &mut cursor)),
                b'{' if depth < max_depth => {
                    tell!(due, TokenKind::ObjectStart, pos + 1, 0);
                    pos += 1;
                    depth += 1;
                    containers = (containers << 1) | 1;
                    is_in_object = true;
                    let byte = peek!(Next::KeyOrClose);
                    if byte != b'}' {
                        member!(byte, Next::KeyOrClose);
                        due = Next::Value;
                        continue;
                    }
                    close!(Next::KeyOrClose);
                }
                b'[' if depth < max_depth => {
                    tell!(due, TokenKind::ArrayStart, pos + 1, 0);
                    pos += 1;
                    depth += 1;
                    containers <<= 1;
                    is_in_object = false;
                    due = Next::ValueOrClose;
                    continue;
                }
                b'-' | b'0'..=b'9' => scalar!(due, TokenKind::Number, whole_number(text, pos)),
                byte @ (b't' | b'f' | b'n') => {
                    scalar!(due, TokenKind::Literal, whole_word(text, pos, Word::starting_with(byte)));
                }
                b']' if due == Next::ValueOrClose => close!(due),
                _ => halt!(due),
            }
            if depth == 0 {
                halt!(Next::End);
            }
        }
        let byte = peek!(Next::CommaOrClose);
        if byte == b',' {
            tell!(Next::CommaOrClose, TokenKind::Comma, pos + 1, 0);
            pos += 1;
            // On one line there is one space: that is foreseen, and its end need not be looked for.
            if text.get(pos) == Some(&b' ') {
                pos += 1;
            }
            if is_in_object {
                let byte = peek!(Next::Key);
                member!(byte, Next::Key);
            }
            due = Next::Value;
            is_at_value = true;
        } else if byte == if is_in_object { b'}' } else { b']' } {
            close!(Next::CommaOrClose);
            if depth == 0 {
                halt!(Next::End);
            }
            is_at_value = false;
        } else {
            halt!(Next::CommaOrClose);
        }
    }
}

/// The end of a string whose content starts at `pos`, if it is whole and valid.
#[inline(always)]
#[allow(clippy::inline_always, reason = "measured: a call for every string costs a tenth")]
fn string_end(text: &[u8], pos: usize, cursor: &mut Cursor) -> Option<usize> {
    let pos = cursor.content_end(text, pos);
    if text.get(pos) == Some(&b'"') { Some(pos + 1) } else { string_end_with_escapes(text, pos) }
}

#[inline(never)]
fn string_end_with_escapes(text: &[u8], mut pos: usize) -> Option<usize> {
    // A cursor of its own: the caller's stays in registers.
    let mut cursor = Cursor::at(pos);
    loop {
        match text.get(pos)? {
            b'"' => return Some(pos + 1),
            b'\\' => match *text.get(pos + 1)? {
                b'u' if text.get(pos + 2..pos + 6)?.iter().all(u8::is_ascii_hexdigit) => pos += 6,
                byte if is_short_escape(byte) => pos += 2,
                _ => return None,
            },
            _ => return None,
        }
        pos = cursor.content_end(text, pos);
    }
}

/// The end of a number that starts at `pos`, if it is valid and something that ends it follows in the segment.
///
/// Digit by digit: a processor foresees how many there are better than it computes it.
#[inline(always)]
#[allow(clippy::inline_always, reason = "measured: an array of numbers takes a third more without it")]
fn whole_number(text: &[u8], mut pos: usize) -> Option<usize> {
    let mut byte = *text.get(pos)?;
    // Goes on while there are digits; one is due.
    macro_rules! digits {
        () => {
            if !byte.is_ascii_digit() {
                return None;
            }
            while byte.is_ascii_digit() {
                pos += 1;
                byte = *text.get(pos)?;
            }
        };
    }
    macro_rules! next {
        () => {
            pos += 1;
            byte = *text.get(pos)?;
        };
    }
    if byte == b'-' {
        next!();
    }
    if byte == b'0' {
        next!();
    } else {
        digits!();
    }
    if byte == b'.' {
        next!();
        digits!();
    }
    if byte | 0x20 == b'e' {
        next!();
        if matches!(byte, b'+' | b'-') {
            next!();
        }
        digits!();
    }
    (byte == b',' || !continues_scalar(byte)).then_some(pos)
}

/// The end of the literal that starts at `pos`, if it is whole and something that ends it follows in the segment.
#[inline]
fn whole_word(text: &[u8], pos: usize, word: Word) -> Option<usize> {
    let spelling = word.spelling().as_bytes();
    let end = pos + spelling.len();
    let is_whole = text.get(pos..end)? == spelling && !continues_scalar(*text.get(end)?);
    is_whole.then_some(end)
}
