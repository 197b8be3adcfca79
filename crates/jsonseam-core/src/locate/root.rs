//! The root of a payload: which elements are of another kind, and where it has ended (SPEC P2 to P4).

use jsonseam_text::is_quote;

use crate::looking::ahead::Ahead;
use crate::reading::limits::MAX_DEPTH;
use crate::reading::openers::unclosed;
use crate::reading::recognise::{State, Stop, run};

/// Whether `before` ends where an element of another container than the wanted one is due, which opens with `other` (SPEC P3).
pub(crate) fn is_element(before: &[u8], other: u8) -> bool {
    if memchr::memchr(other, before).is_none() {
        return false;
    }
    let is_inside_other = match unclosed(before, &[other], |_| None) {
        // An object in a remark in brackets is not an element of an array; what reads as one, up to the object, is.
        Some(opener) if other == b'[' && opener > 0 => reads_as_array(&before[opener..]),
        opener => opener.is_some(),
    };
    is_inside_other || before.trim_ascii_end().last() == Some(&other)
}

/// Whether `text` starts an array whose next element is due at its end.
fn reads_as_array(text: &[u8]) -> bool {
    let mut state = State::START;
    let is_read = run(&mut state, text, 0, MAX_DEPTH, &mut ()) == Stop::Exhausted;
    is_read && state.expects_value() && !state.is_in_string()
}

/// Whether the root that closed before `pos` has ended there (SPEC P2): one definition for every preset.
///
/// A colon, a closer or a quote says that it has not, after a comment too; so does a member, whose key would be lost silently,
/// and a comma with something like a value or a key after it. A comma with nothing or only prose after it is outside the payload.
/// Where a quote directly precedes the root (`before`), one directly after it quotes it as a whole.
pub(crate) fn has_ended(after: Ahead<'_>, before: Option<u8>) -> bool {
    has_ended_before(after, before, after.skip_space_and_comments())
}

/// The same, where `next` is the first place from `after` on that holds neither blank nor comment.
pub(crate) fn has_ended_before(after: Ahead<'_>, before: Option<u8>, next: Ahead<'_>) -> bool {
    match next.peek() {
        Some(':' | '}' | ']') => false,
        Some('"') => next.pos() == after.pos() && before == Some(b'"') && !next.has_key(),
        Some(',') => !goes_on(next.after(1)) && !ends_as_payload(next),
        // An operator and its operand: the root is part of an expression.
        Some('*' | '+') if !next.before_while(char::is_whitespace).contains('\n') => {
            let operand = next.after(1).skip_json_space();
            operand.pos() == next.pos() + 1 || !operand.peek().is_some_and(|char| char.is_alphanumeric() || char == '(')
        }
        // In a payload that is inside a string, white space is spelled.
        Some('\\') => {
            let spelled = skip_escaped_blanks_and_comments(next);
            match spelled.peek() {
                _ if spelled.pos() == next.pos() => !ends_as_payload(next),
                Some(':' | '}' | ']') => false,
                Some(',') => !goes_on(spelled.after(1)),
                _ => !ends_as_payload(next),
            }
        }
        Some(';') => !next.after(1).skip_space_and_comments().has_key(),
        Some(quote) if is_quote(quote) => !next.has_key() && !ends_as_payload(next),
        // Another payload follows.
        Some('{' | '[') | None => true,
        Some(_) => !ends_as_payload(next),
    }
}

/// How long what follows a root may be to be looked at for the end of a string, in bytes.
const TAIL: usize = 1024;

/// Whether the text from `pos` on ends as a payload does, with a quote or a bracket that it did not open: then a string was cut by a quote of its own,
/// as in `["ends in "]. So", 1]`, or members follow a closer that came too early, as in `{"a": 1}. "b": 2}`.
fn ends_as_payload(next: Ahead<'_>) -> bool {
    let len = next.left_of(TAIL + 1);
    if len > TAIL {
        return false;
    }
    let tail = next.slice_to(next.pos() + len).trim_ascii_end();
    let quotes = || tail.matches('"').count() - tail.matches("\\\"").count();
    let closers = || tail.matches(['}', ']']).count() > tail.matches(['{', '[']).count();
    tail.ends_with(['}', ']']) && (quotes() % 2 == 1 || tail.contains(':') && closers())
}

/// After white space that is spelled as escapes, and the blanks and comments after each.
fn skip_escaped_blanks_and_comments(mut next: Ahead<'_>) -> Ahead<'_> {
    while next.eat_escaped_blank() {
        next = next.skip_space_and_comments();
    }
    next
}

/// Whether something like a value or a key comes after a comma that ends before the cursor.
fn goes_on(after: Ahead<'_>) -> bool {
    let mut next = skip_escaped_blanks_and_comments(after.skip_space_and_comments());
    while next.eat(",") {
        next = skip_escaped_blanks_and_comments(next.skip_space_and_comments());
    }
    match next.peek() {
        None => false,
        Some('{' | '[' | '}' | ']' | '-' | '0'..='9') => true,
        Some('\\') => next.starts_with("\\\""),
        Some(quote) if is_quote(quote) => true,
        Some(_) if next.has_key() => true,
        // A word alone, as the literal of a value would be.
        Some(_) => {
            let word = next.word();
            let after = next.after(word.len()).skip_space_and_comments();
            !word.is_empty() && matches!(after.peek(), Some(',' | '}' | ']'))
        }
    }
}
