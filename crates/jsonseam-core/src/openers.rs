//! Brackets as bytes: which are still open where a text ends.

use jsonseam_text::Strings;

/// The byte directly before `pos`.
pub(crate) fn byte_before(text: &str, pos: usize) -> Option<u8> {
    text.as_bytes().get(pos.checked_sub(1)?).copied()
}

/// The outermost opener of `text`, among `openers`, that no closer closes. Inside brackets, double quotes hide other brackets.
/// Where `passed` gives an end for an opener outside of brackets, the text up to there is passed over.
///
/// ```
/// use jsonseam_core::unclosed;
///
/// assert_eq!(unclosed(b"[1] {\"a]\": [", b"{[", |_| None), Some(4));
/// assert_eq!(unclosed(b"[0, 1) [2", b"[", |opener| (opener == 0).then_some(6)), Some(7));
/// ```
pub fn unclosed(text: &[u8], openers: &[u8], passed: impl Fn(usize) -> Option<usize>) -> Option<usize> {
    let (mut outermost, mut depth, mut from) = (0, 0_usize, 0);
    let mut strings = Strings::default();
    for (pos, &byte) in text.iter().enumerate() {
        if pos < from || depth > 0 && strings.hides(byte) {
            continue;
        }
        if openers.contains(&byte) {
            if depth == 0 {
                outermost = pos;
                if let Some(end) = passed(pos) {
                    from = end;
                    continue;
                }
            }
            depth += 1;
        } else if openers.iter().any(|opener| opener + 2 == byte) {
            // In ASCII the code of a closing bracket is two more than that of its opener.
            depth = depth.saturating_sub(1);
            if depth == 0 {
                strings = Strings::default();
            }
        }
    }
    (depth > 0).then_some(outermost)
}

/// The closers that `text` is due, the innermost first, where double quotes hide brackets; `None` if a closer in it closes nothing.
pub(crate) fn closers_due(text: &[u8]) -> Option<Vec<u8>> {
    let mut strings = Strings::default();
    let mut due = Vec::new();
    for &byte in text.iter().filter(|&&byte| !strings.hides(byte)) {
        match byte {
            b'{' | b'[' => due.push(byte + 2),
            b'}' | b']' if due.pop() != Some(byte) => return None,
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
