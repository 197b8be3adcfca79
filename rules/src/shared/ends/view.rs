//! The text that a string begins, at a glance: what can follow it.

use jsonseam_core::{Container, CountedText, is_quote};

use super::end::{Doubtful, Layout};

/// How long a key may be with its colon, in bytes.
const KEY: usize = 100;

/// The character at `at`; `None` at the end.
pub(super) fn char_at(text: &str, at: usize) -> Option<char> {
    CountedText::new(text).at(at).peek()
}

/// The character before `at`; `None` at the start.
pub(super) fn char_before(text: &str, at: usize) -> Option<char> {
    CountedText::new(text).at(at).char_before()
}

/// The first place from `at` on that holds neither blank nor comment. What was taken of the text is counted already.
pub(super) fn skip_space_and_comments(text: &str, at: usize) -> usize {
    CountedText::new(text).at(at).skip_space_and_comments().pos()
}

/// The text up to where a key that begins at `at` has its colon at the latest.
pub(super) fn near_key(text: &str, at: usize) -> CountedText<'_> {
    let mut until = (at + KEY).min(text.len());
    while !text.is_char_boundary(until) {
        until -= 1;
    }
    CountedText::new(text.get(..until).unwrap_or_default())
}

/// Where the colon of the key at `at` ends, if both are near. `https://` is no key.
pub(super) fn key_end(text: &str, at: usize) -> Option<usize> {
    let near = near_key(text, at);
    let colon = near.at(at).key_end()?.skip_space_and_comments();
    let end = colon.pos() + colon.peek().filter(|char| matches!(char, ':' | '：'))?.len_utf8();
    (!near.at(end).starts_with("//")).then_some(end)
}

/// Whether a line break is in this part of a text.
pub(super) fn has_newline(text: &str) -> bool {
    text.as_bytes().contains(&b'\n')
}

/// A string, and the text from the start of its content on.
#[derive(Clone, Copy)]
pub(super) struct View<'t> {
    pub(super) string: Doubtful,
    /// How its member is laid out, if that was asked for.
    pub(super) layout: Option<Layout>,
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
        let text = CountedText::new(self.text);
        let next = text.at(at).skip_space_and_comments();
        let Some(char) = next.peek() else { return self.is_whole && !self.string.is_key };
        if self.string.is_key {
            return matches!(char, ':' | '：');
        }
        let is_object = self.string.container == Container::Object;
        let has_key = |at: usize| key_end(self.text, at).is_some();
        match char {
            '}' | ']' | '｝' | '］' => true,
            ',' | ';' | '，' | '；' | '、' => {
                let next = next.after(char.len_utf8()).skip_space_and_comments();
                let Some(first) = next.peek() else { return char == ',' };
                if char != ',' {
                    // A sign of prose too: it separates what is whole.
                    return if is_object { has_key(next.pos()) } else { next.has_value_of(Container::Array) };
                }
                let leaves_out = first == '…' || first == '.' && next.starts_with("...");
                if leaves_out || matches!(first, '}' | ']' | '"' | '\'' | '“' | '{') {
                    return true;
                }
                if is_object {
                    return has_key(next.pos());
                }
                matches!(first, '[' | '-' | '0'..='9' | '(')
                    || is_quote(first) && next.quoted_end().is_some()
                    || next.literal().is_some()
                    || next.has_foreign_number()
            }
            _ if next.pos() > at || char == '"' => {
                let is_new_line = has_newline(&self.text[at..next.pos()]);
                if is_object {
                    has_key(next.pos()) || is_new_line && char == '"'
                } else {
                    is_new_line && matches!(char, '"' | '[' | '{')
                }
            }
            _ => false,
        }
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
