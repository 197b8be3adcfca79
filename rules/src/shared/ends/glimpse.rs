//! Whether an open string can have an end before its first fault at all, told from the few bytes around that.

use jsonseam_core::{Fault, StringProblem};

/// How much of a string is looked at.
const CONTENT: usize = 64;

/// How much of what follows the fault is.
const GAP: usize = 16;

/// Whether nothing near the fault tells of an end of the open string that is at the fault or before it. Ends at a mark of its own are no matter here.
pub(super) fn shows_no_end(fault: &Fault<'_>) -> bool {
    let Some(string) = fault.string() else { return false };
    // A string with more than one fault is read once for all of them.
    let is_first = string.content.start == string.start && string.content.len() <= CONTENT;
    if string.problem == StringProblem::Unclosed || !is_first {
        return false;
    }
    let content = fault.at(string.start).slice_to(string.content.end).as_bytes();
    let is_gap = |byte: u8| matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b' ' | b'\t' | b'\r' | b'\n');
    let mut len = 0;
    let mut rest = fault.ahead();
    let gap = rest.take_while(|char| {
        len += 1;
        len <= GAP && u8::try_from(char).is_ok_and(is_gap)
    });
    if len > GAP || gap.is_empty() && rest.starts_with("\\\"") {
        return false;
    }
    if string.is_key {
        return !content.iter().any(|byte| matches!(byte, b'"' | b'\\' | b':')) && !rest.starts_with(":");
    }
    // A comma before a quote parts two strings.
    let last_comma = content.iter().rposition(|&byte| !is_gap(byte) || byte == b',').filter(|&at| content[at] == b',');
    let tells = |byte: &u8| matches!(byte, b'"' | b'\\' | b'\n' | b'}' | b']');
    !content.iter().any(tells) && !gap.bytes().any(|byte| tells(&byte) || byte == b',') && last_comma.is_none()
}
