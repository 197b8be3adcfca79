//! The text that a string begins, at a glance: what can follow it, and how many brackets it holds.

use jsonseam_core::Container;

use super::end::Doubtful;
use crate::shared::ahead_text::{has_solid_newline, key_len, skip_blank_bytes};

/// A string, and the text from the start of its content on.
#[derive(Clone, Copy)]
pub(super) struct View<'t> {
    pub(super) string: Doubtful,
    pub(super) text: &'t str,
    /// Whether the text ends where the region does.
    pub(super) is_whole: bool,
    /// Whether it holds no typographic marks for sure.
    pub(super) is_ascii: bool,
}

impl View<'_> {
    /// Whether what is at `at` can follow the string, at a glance.
    pub(super) fn follows(&self, at: usize) -> bool {
        let bytes = self.text.as_bytes();
        // Most marks that open something are followed by a word.
        if bytes.get(at).is_some_and(u8::is_ascii_alphanumeric) {
            return false;
        }
        let next = skip_blank_bytes(bytes, at);
        let Some(&byte) = bytes.get(next) else { return self.is_whole && !self.string.is_key };
        let rest = &bytes[next..];
        if self.string.is_key {
            return byte == b':' || rest.starts_with("：".as_bytes());
        }
        let is_object = self.string.container == Container::Object;
        match byte {
            b'}' | b']' => true,
            b',' => {
                let after = skip_blank_bytes(bytes, next + 1);
                let Some(&byte) = bytes.get(after) else { return true };
                let rest = &bytes[after..];
                let is_dots = rest.starts_with(b"...") || rest.starts_with("…".as_bytes());
                if matches!(byte, b'}' | b']') || is_dots {
                    return true;
                }
                if is_object {
                    return matches!(byte, b'"' | b'\'' | b'{')
                        || rest.starts_with("“".as_bytes())
                        || key_len(rest).is_some();
                }
                matches!(byte, b'"' | b'\'' | b'[' | b'{' | b'-' | b'0'..=b'9' | b'(')
                    || rest.starts_with("“".as_bytes())
                    || starts_literal(rest)
            }
            _ if next > at || byte == b'"' => {
                let is_new_line = has_solid_newline(&bytes[at..next]);
                if is_object {
                    key_len(rest).is_some() || is_new_line && byte == b'"'
                } else {
                    is_new_line && matches!(byte, b'"' | b'[' | b'{')
                }
            }
            _ => false,
        }
    }
}

/// How many bits each of three counts has: more than a window has bytes.
const FIELD: u32 = 20;

/// What a byte adds to the counts of opening brackets, closing brackets and control characters.
const COUNTS: [u64; 256] = {
    let mut counts = [0; 256];
    let mut byte = 0;
    while byte < 0x20 {
        counts[byte] = 1 << (2 * FIELD);
        byte += 1;
    }
    (counts[b'{' as usize], counts[b'[' as usize]) = (1, 1);
    (counts[b'}' as usize], counts[b']' as usize]) = (1 << FIELD, 1 << FIELD);
    counts
};

/// The brackets and line breaks of the first bytes of a text.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Structure {
    len: usize,
    pub(super) opens: usize,
    pub(super) closes: usize,
    pub(super) controls: usize,
}

impl Structure {
    /// Those of the first `len` bytes. What is between that and the former place is read, in either direction.
    pub(super) fn move_to(&mut self, len: usize, bytes: &[u8]) {
        let count = |between: &[u8]| {
            let packed = between.iter().fold(0, |sum: u64, &byte| sum + COUNTS[usize::from(byte)]);
            let field =
                |nth: u32| usize::try_from((packed >> (nth * FIELD)) & ((1 << FIELD) - 1)).unwrap_or(usize::MAX);
            (field(0), field(1), field(2))
        };
        if len >= self.len {
            let (opens, closes, controls) = count(&bytes[self.len..len]);
            self.opens += opens;
            self.closes += closes;
            self.controls += controls;
        } else {
            let (opens, closes, controls) = count(&bytes[len..self.len]);
            self.opens -= opens;
            self.closes -= closes;
            self.controls -= controls;
        }
        self.len = len;
    }
}

/// Whether a text is JSON by itself, at a glance.
pub(super) fn is_document(text: &str) -> bool {
    // Most texts begin with a letter.
    if text.bytes().next().is_none_or(|first| first.is_ascii_alphanumeric()) {
        return false;
    }
    let text = text.trim();
    text.starts_with('{') && text.ends_with('}') || text.starts_with('[') && text.ends_with(']')
}

pub(super) fn starts_literal(rest: &[u8]) -> bool {
    ["true", "false", "null", "True", "False", "None"].iter().any(|word| rest.starts_with(word.as_bytes()))
}
