//! Brackets as bytes: where they are, where they are closed, and which are still open where a text ends.

use jsonseam_text::string_end;

/// The byte directly before `pos`.
pub(crate) fn byte_before(text: &str, pos: usize) -> Option<u8> {
    text.as_bytes().get(pos.checked_sub(1)?).copied()
}

/// The brackets of `text` from `from` on, each with its place. Double quotes hide what is between them.
///
/// ```
/// let found: Vec<_> = jsonseam_core::brackets(br#"{"a}": [1"#, 0).collect();
/// assert_eq!(found, [(0, b'{'), (7, b'[')]);
/// ```
pub fn brackets(text: &[u8], from: usize) -> impl Iterator<Item = (usize, u8)> {
    let mut pos = from;
    std::iter::from_fn(move || {
        loop {
            let rest = text.get(pos..)?;
            let at = pos + rest.iter().position(|byte| matches!(byte, b'"' | b'{' | b'}' | b'[' | b']'))?;
            if text[at] != b'"' {
                pos = at + 1;
                return Some((at, text[at]));
            }
            pos = string_end(text, at);
        }
    })
}

/// Where the brackets that open at `start` are closed; `None` if they are not, or one of them by a closer of the other kind.
///
/// ```
/// use jsonseam_core::brackets_end;
///
/// assert_eq!(brackets_end(br#"{"a": ["]"]}, 1"#, 0), Some(12));
/// assert!(brackets_end(b"[1}", 0).is_none() && brackets_end(b"[[1]", 0).is_none());
/// ```
pub fn brackets_end(text: &[u8], start: usize) -> Option<usize> {
    let mut due = Vec::new();
    for (at, byte) in brackets(text, start) {
        match byte {
            // In ASCII the code of a closing bracket is two more than that of its opener.
            b'{' | b'[' => due.push(byte + 2),
            _ if due.pop() != Some(byte) => return None,
            _ if due.is_empty() => return Some(at + 1),
            _ => {}
        }
    }
    None
}

/// The outermost opener of `text` that no closer closes: of `openers`, which are `{`, `[` or both. Inside brackets, double quotes hide other brackets.
/// Where `passed` gives an end for an opener outside of brackets, the text up to there is passed over.
///
/// ```
/// use jsonseam_core::unclosed;
///
/// assert_eq!(unclosed(b"[1] {\"a]\": [", b"{[", |_| None), Some(4));
/// assert_eq!(unclosed(b"[0, 1) [2", b"[", |opener| (opener == 0).then_some(6)), Some(7));
/// ```
pub fn unclosed(text: &[u8], openers: &[u8], passed: impl Fn(usize) -> Option<usize>) -> Option<usize> {
    let mut from = 0;
    loop {
        let opener = from + text.get(from..)?.iter().position(|byte| openers.contains(byte))?;
        if let Some(end) = passed(opener) {
            from = end.max(opener + 1);
            continue;
        }
        let mut depth = 0_usize;
        let closed = brackets(text, opener).find(|(_, byte)| {
            depth += usize::from(openers.contains(byte));
            depth = depth.saturating_sub(usize::from(openers.iter().any(|opener| opener + 2 == *byte)));
            depth == 0
        });
        let Some((end, _)) = closed else { return Some(opener) };
        from = end + 1;
    }
}

/// Whether a text closes brackets that it did not open.
pub(crate) fn closes_more(text: &[u8]) -> bool {
    let mut depth = 0_isize;
    brackets(text, 0).any(|(_, byte)| {
        depth += if matches!(byte, b'{' | b'[') { 1 } else { -1 };
        depth < 0
    })
}

/// The closers that `text` is due, the innermost first, where double quotes hide brackets; `None` if a closer in it closes nothing.
pub(crate) fn closers_due(text: &[u8]) -> Option<Vec<u8>> {
    let mut due = Vec::new();
    for (_, byte) in brackets(text, 0) {
        match byte {
            b'{' | b'[' => due.push(byte + 2),
            _ if due.pop() != Some(byte) => return None,
            _ => {}
        }
    }
    due.reverse();
    Some(due)
}

/// Whether the bracket at `pos` opens an index: a `[` that touches a name, a call or another index before it. The `[` of a
/// sequence that colours a terminal, which touches its escape character, opens nothing either.
///
/// ```
/// assert!(jsonseam_core::opens_index(b"rows[0]", 4) && !jsonseam_core::opens_index(b"rows: [0]", 6));
/// ```
pub fn opens_index(text: &[u8], pos: usize) -> bool {
    let before = text.get(..pos).and_then(<[u8]>::last);
    text.get(pos) == Some(&b'[') && before.is_some_and(|byte| byte.is_ascii_alphanumeric() || b"_)]\x1B".contains(byte))
}
