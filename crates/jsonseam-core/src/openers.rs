//! Brackets and quotes as bytes: which of them open a root, and which are still open where a text ends.

use crate::wanted::Root;

/// The byte directly before `pos`.
pub(crate) fn byte_before(text: &str, pos: usize) -> Option<u8> {
    text.as_bytes().get(pos.checked_sub(1)?).copied()
}

/// Whether `byte` opens a payload of this root.
pub(crate) fn opens(byte: u8, root: Root) -> bool {
    match root {
        Root::Object => byte == b'{',
        Root::Array => byte == b'[',
        Root::Any => matches!(byte, b'{' | b'['),
    }
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

/// Tells bytes inside double-quoted strings from those outside.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Strings {
    is_inside: bool,
    is_escaped: bool,
}

impl Strings {
    /// Whether a string is open.
    pub(crate) fn is_inside(self) -> bool {
        self.is_inside
    }

    /// Whether the next byte is part of a string, its quotes included.
    pub(crate) fn hides(&mut self, byte: u8) -> bool {
        match byte {
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' if self.is_inside => self.is_escaped = true,
            b'"' => {
                self.is_inside = !self.is_inside;
                return true;
            }
            _ => {}
        }
        self.is_inside
    }
}
