//! Members and elements ahead: whether one comes next, and whether what follows a value fits its container.
//!
//! Rules read text ahead that other rules have not repaired yet, so these answers tolerate every quote style, comments, bare keys
//! and the words of other languages. One answer to "is a member next?" serves them all.

use jsonseam_core::{Ahead, Container, Fault, TokenKind, is_quote};

use super::{blanks, quoted, words};

/// Whether a colon comes next, after nothing but blanks and comments.
pub fn colon_follows(ahead: Ahead<'_>) -> bool {
    matches!(blanks::skip(ahead).peek(), Some(':' | '：'))
}

/// Whether a key and its colon come next.
pub fn key_is_at(ahead: Ahead<'_>) -> bool {
    let after = match ahead.peek() {
        Some(quote) if is_quote(quote) => quoted::end(ahead),
        _ => bare_key_end(ahead),
    };
    after.is_some_and(colon_follows)
}

/// Whether a key and its colon come at the fault: a string of any quote style, or a word. Remembered, since several rules ask it.
pub fn key_is_next(fault: &Fault<'_>) -> bool {
    #[derive(Clone, Copy)]
    struct KeyIsAt(bool);
    fault.memo(fault.pos(), || KeyIsAt(key_is_at(fault.ahead()))).0
}

/// Where a bare key ends: an identifier, a word with hyphens or points inside, or a whole number whose colon is not that of a time.
pub fn bare_key_end(ahead: Ahead<'_>) -> Option<Ahead<'_>> {
    let word = words::word(ahead);
    let identifier = words::identifier(ahead).map_or(0, str::len);
    if identifier >= word.len() {
        return (identifier > 0).then(|| ahead.after(identifier));
    }
    let after = ahead.after(word.len());
    let is_inner = |char: char| char.is_alphanumeric() || matches!(char, '_' | '$' | '-' | '.');
    let is_name = || {
        word.starts_with(char::is_alphanumeric) && word.ends_with(char::is_alphanumeric) && word.chars().all(is_inner)
    };
    let is_key = if word.contains(char::is_alphabetic) {
        is_name()
    } else {
        word.bytes().all(|byte| byte.is_ascii_digit())
            && !after.after(1).peek().is_some_and(|char| char.is_ascii_digit())
    };
    is_key.then_some(after)
}

/// A cursor after the key that comes next, quoted or an identifier, without its colon.
pub fn key_end(ahead: Ahead<'_>) -> Option<Ahead<'_>> {
    match ahead.peek() {
        Some(quote) if is_quote(quote) => quoted::end(ahead),
        _ => words::identifier(ahead).map(|name| ahead.after(name.len())),
    }
}

/// A cursor after the scalar that comes next: a quoted text on one line, a number, or one of the [words](words::LITERALS) for a value.
pub fn scalar_end(ahead: Ahead<'_>) -> Option<Ahead<'_>> {
    if is_quote(ahead.peek()?) {
        return quoted::end(ahead);
    }
    let word = words::word(ahead);
    (words::is_number(word) || words::literal(word).is_some()).then(|| ahead.after(word.len()))
}

/// Whether a value comes next: a bracket or a scalar.
pub fn value_is_at(ahead: Ahead<'_>) -> bool {
    matches!(ahead.peek(), Some('{' | '[')) || scalar_end(ahead).is_some()
}

/// Whether a whole member comes next: a key, a colon and a value, after which the object can go on or end.
pub fn member_is_at(ahead: Ahead<'_>) -> bool {
    key_end(ahead).is_some_and(|after_key| {
        let mut colon = blanks::skip(after_key);
        colon.eat(":") && value_fits(blanks::skip(colon), Container::Object)
    })
}

/// Whether a whole element comes next: a value, after which the array can go on or end.
pub fn element_is_at(ahead: Ahead<'_>) -> bool {
    value_fits(ahead, Container::Array)
}

/// Whether a value comes next; if it is a scalar, also whether `container` can go on or end after it.
pub fn value_fits(ahead: Ahead<'_>, container: Container) -> bool {
    match ahead.peek() {
        Some('{' | '[') => true,
        _ => scalar_end(ahead).is_some_and(|after| goes_on(after, container)),
    }
}

/// Whether a value comes next after which a member ends for certain: a closing brace follows, or a comma and a member,
/// or, if the value is not a string, a comma and a key with a value right after it.
pub fn value_ends_member(ahead: Ahead<'_>) -> bool {
    let first = ahead.peek();
    if matches!(first, Some('{' | '[')) {
        return true;
    }
    let Some(after) = scalar_end(ahead) else {
        return false;
    };
    let mut next = blanks::skip(after);
    match next.bump() {
        Some('}') => true,
        Some(',') => {
            let after = blanks::skip(next);
            let is_text = first.is_some_and(is_quote);
            after.peek() == Some('}') || member_is_at(after) || !is_text && pair_is_at(after)
        }
        _ => false,
    }
}

/// Whether a quoted key and a value that is not a string come next, with nothing between them.
fn pair_is_at(ahead: Ahead<'_>) -> bool {
    let is_quoted = |ahead: Ahead<'_>| ahead.peek().is_some_and(is_quote);
    let is_value = |ahead: Ahead<'_>| !is_quoted(ahead) && value_is_at(ahead);
    is_quoted(ahead) && quoted::end(ahead).is_some_and(|after| is_value(blanks::skip(after)))
}

/// Whether `container` goes on or ends right after a value that ends at the cursor.
/// The separator may be a foreign one, and it may be missing if blanks separate the two.
fn goes_on(ahead: Ahead<'_>, container: Container) -> bool {
    if value_could_end(ahead, Some(container)) {
        return true;
    }
    let next = blanks::skip(ahead);
    let Some(char) = next.peek() else {
        return true;
    };
    let is_separator = matches!(char, ',' | ';' | '，' | '、');
    let start = if is_separator { blanks::skip(next.after(char.len_utf8())) } else { next };
    if !is_separator && next.pos() == ahead.pos() {
        return false;
    }
    if is_separator && matches!(start.peek(), Some('}' | ']')) {
        return true;
    }
    match container {
        Container::Object => key_end(start).is_some_and(sign_follows),
        Container::Array => value_is_at(start) && !key_is_at(start),
    }
}

/// Whether a colon, or what some writer puts in its place, comes next.
fn sign_follows(ahead: Ahead<'_>) -> bool {
    let next = blanks::skip(ahead);
    matches!(next.peek(), Some(':' | '=' | '：')) || next.starts_with("->")
}

/// Whether a value that ends before the cursor is followed by what `container` allows next.
pub fn value_could_end(ahead: Ahead<'_>, container: Option<Container>) -> bool {
    let next = blanks::skip(ahead);
    let Some(char) = next.peek() else {
        return true;
    };
    match (container, char) {
        (Some(Container::Object), '}') | (Some(Container::Array), ']') => true,
        (Some(container), ',' | '，') => fits_after_comma(next.after(char.len_utf8()), container),
        (Some(Container::Object), _) => ahead.slice_to(next.pos()).contains(['\n', '\r']) && key_is_at(next),
        _ => false,
    }
}

/// Whether what follows a comma fits `container`: its closer, or the beginning of a member or element.
pub fn fits_after_comma(ahead: Ahead<'_>, container: Container) -> bool {
    let next = blanks::skip(ahead);
    let Some(char) = next.peek() else {
        return true;
    };
    match container {
        Container::Object => char == '}' || key_is_at(next),
        Container::Array if matches!(char, ']' | '[' | '{' | '-' | '0'..='9') || is_quote(char) => true,
        Container::Array => {
            let word = words::word(next);
            words::literal(word).is_some() || words::is_foreign(word)
        }
    }
}

/// Whether what follows may follow a scalar whose end is plain to see. In an array any comma will do: what follows it may be bare too.
pub fn scalar_could_end(ahead: Ahead<'_>, container: Option<Container>) -> bool {
    match container {
        Some(Container::Array) => matches!(blanks::skip(ahead).peek(), None | Some(',' | ']')),
        _ => value_could_end(ahead, container),
    }
}

/// Whether the array around the fault ends at the cursor with the closer that belongs to its opener as it was written: `)` or `}`.
pub fn row_ends(fault: &Fault<'_>, ahead: Ahead<'_>) -> bool {
    let closer = match fault.opener() {
        _ if fault.container() != Some(Container::Array) => return false,
        Some('(') => ')',
        Some('{') => '}',
        _ => return false,
    };
    blanks::skip(ahead).peek() == Some(closer)
}

/// Whether the innermost container could go on `skip` bytes after the fault, if a comma were there:
/// a whole member comes next in an object, a whole element in an array.
pub fn continues_after(fault: &Fault<'_>, skip: usize) -> bool {
    let next = || blanks::skip(fault.ahead().after(skip));
    match fault.container() {
        Some(Container::Object) => member_is_at(next()),
        Some(Container::Array) => element_is_at(next()),
        None => false,
    }
}

/// Whether the closer of the innermost container comes `skip` bytes after the fault, after blanks.
pub fn closes_after(fault: &Fault<'_>, skip: usize) -> bool {
    let closer = match fault.container() {
        Some(Container::Object) => '}',
        Some(Container::Array) => ']',
        None => return false,
    };
    blanks::skip(fault.ahead().after(skip)).peek() == Some(closer)
}

/// Whether the value of a member comes `skip` bytes after the fault, and the object goes on or ends after it.
pub fn value_follows(fault: &Fault<'_>, skip: usize) -> bool {
    value_fits(blanks::skip(fault.ahead().after(skip)), Container::Object)
}

/// How many bytes from the fault on a comma ends that comes `skip` bytes after it, after blanks.
pub fn comma_after(fault: &Fault<'_>, skip: usize) -> Option<usize> {
    let next = blanks::skip(fault.ahead().after(skip));
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
    begins_line && is_whole() && scalar_end(fault.ahead()).is_some_and(|after| is_line(after.line()))
}

/// Whether the token before the fault and the value at it are two elements rather than one that has come apart:
/// blanks separate two strings, and neither has a blank where they meet; two numbers on one line are not the groups of one.
pub fn are_two_elements(fault: &Fault<'_>) -> bool {
    let Some(previous) = fault.token(0) else {
        return false;
    };
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
            let word = words::word(fault.ahead());
            let is_group = word.len() == 3 && word.bytes().all(|byte| byte.is_ascii_digit());
            !((1..=3).contains(&previous.span.len()) && is_group)
        }
        _ => fault.gap_len() > 0,
    }
}
