//! The RFC 8259 recogniser: one grammar that stops at the first fault and can go on from any state.
//!
//! The state is small and `Copy`, so the engine keeps one for every token it may have to return to.
//! A text may arrive in segments (source, replacement, source …), and a token may span several of them.
//! Invariant: this module alone knows the grammar of JSON.

mod cut;
mod plain;
mod reader;
mod state;

use self::reader::Reader;
pub use self::state::TokenKind;
pub(crate) use self::state::{Next, Partial, State, Stop, Trace};
use super::limits::MAX_DEPTH;
use super::scan::is_json_space;

/// A text shorter than this is read token by token.
const SHORT: usize = 8;

/// Reads `text` from `pos` to its end, going on from `state`.
///
/// At a stop, `state` is where the grammar stood before the offending byte, token or escape. Time is linear in what is read; nothing is allocated.
pub(crate) fn run<T: Trace>(state: &mut State, text: &[u8], pos: usize, max_depth: u8, trace: &mut T) -> Stop {
    debug_assert!(max_depth <= MAX_DEPTH);
    // Many edits are empty, and many begin where the last one ended.
    if pos >= text.len() {
        return Stop::Exhausted;
    }
    let mut reader = Reader { state, text, pos, max_depth, trace };
    loop {
        // What goes on from an earlier segment or in the middle of a member is brought to a value.
        if let Err(stop) = reader.enter() {
            return stop;
        }
        // What is short is not worth the way there: most replacements are one character.
        if text.len() - reader.pos.min(text.len()) >= SHORT {
            reader.pos = plain::run_plain(reader.state, text, reader.pos, max_depth, reader.trace);
        }
        // Most often this is the end, or a fault.
        if let Err(stop) = reader.enter().and_then(|is_at_value| reader.read(is_at_value)) {
            return stop;
        }
    }
}

/// What the end of the whole text means, after the last segment.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// A complete JSON text.
    Complete,
    /// Something is still due, between tokens.
    Missing,
    /// A string is open, outside any escape.
    OpenString,
    /// A string is open, inside an escape that starts at `state.escape_start`.
    OpenEscape,
    /// A number or literal is cut; it starts at `state.token_start`.
    CutScalar,
}

/// Ends the text at `end` (in the source): completes the number or literal that is there, if it can be complete.
pub(crate) fn finish<T: Trace>(state: &mut State, end: usize, trace: &mut T) -> Ending {
    match state.partial {
        Partial::Text { escape: 0 } => return Ending::OpenString,
        Partial::Text { .. } => {
            state.partial = Partial::Text { escape: 0 };
            return Ending::OpenEscape;
        }
        Partial::Number(number) if number.is_complete() => cut::complete_open(state, TokenKind::Number, end, trace),
        Partial::Literal { word, matched } if word.spelling().len() == usize::from(matched) => {
            cut::complete_open(state, TokenKind::Literal, end, trace);
        }
        Partial::Number(_) | Partial::Literal { .. } => {
            state.partial = Partial::None;
            return Ending::CutScalar;
        }
        Partial::None => {}
    }
    if state.next == Next::End { Ending::Complete } else { Ending::Missing }
}

/// Whether `text` is one JSON text of RFC 8259 within the depth.
pub(crate) fn is_valid(text: &[u8], max_depth: u8) -> bool {
    let mut state = State::START;
    run(&mut state, text, 0, max_depth, &mut ()) == Stop::Exhausted
        && finish(&mut state, text.len(), &mut ()) == Ending::Complete
}

/// Whether `text` holds nothing but white space.
pub(crate) fn is_all_blank(text: &str) -> bool {
    text.bytes().all(is_json_space)
}
