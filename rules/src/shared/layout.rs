//! What lines and places say about a payload: whether it is data, or brackets in prose.

use jsonseam_core::{Ahead, Container, Fault, TokenKind, is_quote};

use super::closers;
use super::runs::at_most;

/// How far the line of the payload's first bracket is read backwards, in bytes.
const REACH: usize = 63;

/// How much of a line is read for a mark that ends it.
const LINE: usize = 256;

/// Whether what comes at the fault is clearly data, and not a phrase of prose in brackets:
/// an object is around the innermost container; or, in an object, another member or a key in quotes precedes it,
/// or nothing else precedes the payload on its line.
pub fn is_not_prose(fault: &Fault<'_>) -> bool {
    let is_inner = || fault.depth() > 1 && fault.closers().ends_with('}');
    let has_quoted_key = || {
        fault.token(1).is_some_and(|token| {
            token.kind == TokenKind::Key && fault.at(token.span.start).peek().is_some_and(is_quote)
        })
    };
    let is_member = fault.container() == Some(Container::Object);
    is_member && (fault.previous_is(TokenKind::Comma) || has_quoted_key() || payload_begins_its_line(fault))
        || is_inner()
}

/// Whether nothing but blanks, or the mark of byte order, precedes the payload on its line.
pub fn payload_begins_its_line(fault: &Fault<'_>) -> bool {
    let start = fault.at(fault.region_start());
    let blanks = start.before_while(at_most(REACH, |char| matches!(char, ' ' | '\t' | '\u{FEFF}')));
    let line = start.at(start.pos() - blanks.len());
    line.pos() == 0 || matches!(line.before(1), "\n" | "\r")
}

/// Whether the payload begins on a line of its own and `closer` ends the region: nothing of either line is prose.
pub fn payload_fills_its_lines(fault: &Fault<'_>, closer: char) -> bool {
    let end = fault.at(fault.region_end());
    let blanks = end.before_while(at_most(REACH, |char| char.is_ascii_whitespace()));
    let ends = end.at(end.pos() - blanks.len()).before(closer.len_utf8()).ends_with(closer);
    ends && payload_begins_its_line(fault)
}

/// Whether the bare key at the fault is rather a label of the prose after a payload that lost its end, as in `{"a": 1⏎⏎Final: {"a": 2}`:
/// it begins a line that is indented no deeper than the payload's own, and a blank line precedes it, or no comma, where the label has a capital letter
/// and a payload follows it. Where the first key is not in quotes either, it is a key.
pub fn is_label(fault: &Fault<'_>) -> bool {
    let Some(indent) = fault.ahead().indent() else { return false };
    let start = fault.at(fault.region_start());
    if indent > closers::line_indent(start) {
        return false;
    }
    let mut first_key = start;
    first_key.take_while(|char| matches!(char, '{' | '[') || char.is_whitespace());
    let lines = fault.ahead().before_while(char::is_whitespace).matches('\n').count();
    let is_capital = fault.next_char().is_some_and(char::is_uppercase);
    let lacks_comma = || fault.token(0).is_some_and(|comma| comma.span.is_empty());
    let precedes_payload = || {
        line_to(fault.ahead(), ':')
            .is_some_and(|label| matches!(fault.ahead().after(label.len()).skip_json_space().peek(), Some('{' | '[')))
    };
    // Blank lines are between members too: a comma is before them, and a whole member after them.
    let is_member = || !is_capital && !lacks_comma() && fault.ahead().has_member();
    first_key.peek().is_some_and(is_quote)
        && (lines > 1 && !is_member() || is_capital && lacks_comma() && precedes_payload())
}

/// The text from the cursor to the next `end` on its line, which it includes; at most 256 bytes are looked at.
pub fn line_to(mut ahead: Ahead<'_>, end: char) -> Option<&str> {
    let (from, mut left) = (ahead, LINE);
    ahead.take_while(|char| {
        left = left.saturating_sub(char.len_utf8());
        left > 0 && char != end && !matches!(char, '\n' | '\r')
    });
    (ahead.bump()? == end).then(|| from.slice_to(ahead.pos()))
}
