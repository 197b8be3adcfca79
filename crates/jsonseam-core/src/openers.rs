//! Brackets as bytes: which are still open where a text ends.

use jsonseam_text::Strings;

/// The byte directly before `pos`.
pub(crate) fn byte_before(text: &str, pos: usize) -> Option<u8> {
    text.as_bytes().get(pos.checked_sub(1)?).copied()
}

/// The outermost opener of `text`, among `openers`, that no closer closes. Inside brackets, double quotes hide other brackets.
pub(crate) fn unclosed(text: &[u8], openers: &[u8]) -> Option<usize> {
    let mut outermost = 0;
    let mut depth = 0_usize;
    let mut strings = Strings::default();
    for (pos, &byte) in text.iter().enumerate() {
        if depth > 0 && strings.hides(byte) {
            continue;
        }
        if openers.contains(&byte) {
            if depth == 0 {
                outermost = pos;
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
