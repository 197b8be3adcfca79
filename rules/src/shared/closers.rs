//! Brackets that do not fit: what several rules ask about them.

use jsonseam_core::{Ahead, Container, Expected, Fault, TokenKind, is_quote};

/// How many closers in a row are taken for missing.
pub const MOST_MISSING: usize = 4;

/// The closer of a container.
pub const fn closer_of(container: Container) -> char {
    match container {
        Container::Object => '}',
        Container::Array => ']',
    }
}

/// The closer at the fault that closes something else than the innermost container, after a value or an opener.
pub fn closer_at(fault: &Fault<'_>) -> Option<char> {
    let is_opener = |kind| matches!(kind, TokenKind::ObjectStart | TokenKind::ArrayStart);
    let is_after_value = match fault.expected() {
        Expected::Comma => true,
        Expected::Key | Expected::Value => fault.token(0).is_some_and(|token| is_opener(token.kind)),
        _ => false,
    };
    fault.next_char().filter(|char| is_after_value && fault.depth() > 0 && matches!(char, '}' | ']' | ')'))
}

/// Whether the fault may come from a bracket that is wrong further up: something is closed or open that should not be.
pub fn is_bracket_fault(fault: &Fault<'_>) -> bool {
    match (fault.expected(), fault.next_char()) {
        (Expected::Comma | Expected::Key | Expected::Value, None) => fault.is_at_end() && fault.depth() > 0,
        (Expected::End, Some(',' | '}' | ']' | '"'))
        | (Expected::Comma, Some(':'))
        | (Expected::Key, Some('{' | '[')) => true,
        // Prose follows what should have been the end.
        (Expected::Comma, Some(char)) if char.is_alphanumeric() || !char.is_ascii() || char == '*' => {
            fault.token_kind(0).is_some_and(TokenKind::is_closer)
        }
        _ => closer_at(fault).is_some(),
    }
}

/// How far the line of the cursor is indented, whether the cursor begins it or not.
pub fn line_indent(ahead: Ahead<'_>) -> usize {
    let line = ahead.before_while(|char| char != '\n');
    // Blanks before the whole text are how a model starts its answer, and count as none.
    if line.len() == ahead.pos() {
        return 0;
    }
    line.len() - line.trim_start_matches([' ', '\t']).len()
}

/// Whether the closer before the fault begins its line, and that line is indented as the one on which its container opens.
/// `None` if it begins no line, or if the container opens on the same one.
pub fn closer_fits_lines(fault: &Fault<'_>) -> Option<bool> {
    let closer = fault.token(0).filter(|token| token.kind.is_closer())?;
    let indent = fault.at(closer.span.start).indent()?;
    Some(indent == line_indent(fault.at(closer.opens?)))
}

/// The length of what follows the complete root, if that is nothing but closers up to where the payload ends, and they cannot mean
/// that a closer came too early before them. The lines decide; without them, several closers or one set apart are more than one slip.
pub fn surplus(fault: &Fault<'_>) -> Option<usize> {
    let root = fault.token(0).filter(|token| token.kind.is_closer() && fault.expected() == Expected::End)?;
    let mut ahead = fault.ahead();
    let run = ahead.take_while(|char| char.is_whitespace() || matches!(char, '}' | ']'));
    let closers = run.trim_end();
    let next = ahead.skip_space_and_comments();
    let goes_on = match next.peek() {
        Some(',' | ':') => true,
        Some(';') => next.after(1).skip_space_and_comments().has_key(),
        Some(quote) if is_quote(quote) => next.has_key(),
        _ => false,
    };
    if closers.is_empty() || goes_on || is_element(fault, closers) {
        return None;
    }
    let outdents = || Some(fault.ahead().indent()? < fault.at(root.span.start).indent()?);
    // Had a closer come too early, the one too many would be of the root's kind.
    let is_foreign = fault.at(root.span.start).peek().is_some_and(|closer| !closers.contains(closer));
    let is_surplus = match closer_fits_lines(fault) {
        Some(fits) => fits || early_closers(fault).any.is_none(),
        None if is_foreign => true,
        None if outdents() == Some(true) => false,
        None => {
            // On a line of its own it is where the closer of the root should be, unless that is on one too.
            let is_apart = closers.len() > 1 || (fault.gap_len() > 0 && fault.ahead().indent().is_none());
            is_apart || early_closers(fault).any.is_none_or(|first| first >= root.span.start)
        }
    };
    is_surplus.then_some(closers.len())
}

/// Whether the root follows a value and a comma, and `closers` close an array: then it is an element of that (SPEC P3).
fn is_element(fault: &Fault<'_>, closers: &str) -> bool {
    let mut before = (fault.region_start().saturating_sub(4)..fault.region_start()).rev();
    let mut back = || before.find_map(|pos| fault.at(pos).peek().filter(|char| !char.is_whitespace()));
    closers.starts_with(']') && back() == Some(',') && matches!(back(), Some('"' | '}' | ']' | '0'..='9'))
}

/// Whether another closer than the root's, which is right before the fault, may be the one that came too early.
pub fn may_close_earlier(fault: &Fault<'_>) -> bool {
    let Some(root) = fault.token(0) else { return false };
    let early = early_closers(fault);
    let first = if fault.token_kind(1).is_some_and(TokenKind::is_closer) { early.in_run } else { early.any };
    first.is_some_and(|first| first < root.span.start)
}

/// Closers of an object, inside an object, after which another member follows: had one come too early, the text would look the same.
#[derive(Debug, Clone, Copy, Default)]
struct EarlyClosers {
    /// Where the first one is.
    any: Option<usize>,
    /// Where the first one is that comes right after another closer: there it is easily written once too often.
    in_run: Option<usize>,
}

/// The closers of the region that may have come too early. Read once, since every fault of a text with many of them asks it.
fn early_closers(fault: &Fault<'_>) -> EarlyClosers {
    #[derive(PartialEq, Eq, Hash)]
    struct EarlyClosersFrom(usize);
    fault.memo(EarlyClosersFrom(fault.region_start()), || read_early_closers(fault))
}

fn read_early_closers(fault: &Fault<'_>) -> EarlyClosers {
    let start = fault.region_start();
    let text = fault.at(start).slice_to(fault.region_end()).as_bytes();
    let mut found = EarlyClosers::default();
    let (mut open, mut arrays, mut pos) = (Vec::new(), 0_usize, 0);
    let mut is_after_closer = false;
    // No quote before this place has an end: what looks for one reads the rest of its line, once.
    let mut endless = 0;
    while let Some(&byte) = text.get(pos).filter(|_| found.in_run.is_none()) {
        let mut next = pos + 1;
        match byte {
            b'"' if pos >= endless => match fault.at(start + pos).quoted_end() {
                Some(end) => next = end.pos() - start,
                None => endless = text[pos..].iter().position(|&byte| byte < b' ').map_or(text.len(), |len| pos + len),
            },
            b'{' | b'[' => {
                open.push(byte);
                arrays += usize::from(byte == b'[');
            }
            b'}' | b']' => {
                arrays -= usize::from(open.pop() == Some(b'['));
                let is_in_objects = byte == b'}' && arrays == 0 && !open.is_empty();
                if is_in_objects && fault.at(start + next).past(",").and_then(Ahead::peek).is_some_and(is_quote) {
                    found.any = found.any.or(Some(start + pos));
                    found.in_run = Some(start + pos).filter(|_| is_after_closer);
                }
            }
            _ => {}
        }
        if !byte.is_ascii_whitespace() {
            is_after_closer = matches!(byte, b'}' | b']');
        }
        pos = next;
    }
    found
}
