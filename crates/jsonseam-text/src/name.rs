//! The name that a key spells.

use std::borrow::Cow;
use std::fmt;

use crate::spelling::{code_unit, escape};

/// The name that a key spells, after its escapes are resolved.
///
/// Two names are equal if and only if they are the same code points: nothing is folded, trimmed or normalised (SPEC K1).
/// A lone surrogate escape is a code point that no Rust string holds, so such a name equals no declared one,
/// but it still equals itself, however it is spelled.
///
/// `Debug` shows the length alone: a key is text of the completion (SPEC M5).
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Name<'t>(
    /// UTF-8, except that a lone surrogate takes three bytes as any other code point of its size would.
    Cow<'t, [u8]>,
);

impl fmt::Debug for Name<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Name({} bytes)", self.0.len())
    }
}

impl<'t> Name<'t> {
    /// The name that `raw`, the content of a string between its quotes, spells.
    ///
    /// ```
    /// use jsonseam_text::Name;
    ///
    /// assert_eq!(Name::of(r"\u0061\/b"), Name::of("a/b"));
    /// assert_ne!(Name::of("A"), Name::of("a"));
    /// assert_eq!(Name::of(r"\ud800").as_str(), None);
    /// ```
    pub fn of(raw: &'t str) -> Self {
        if !raw.as_bytes().contains(&b'\\') {
            return Self(Cow::Borrowed(raw.as_bytes()));
        }
        Self(Cow::Owned(unescaped(raw.as_bytes())))
    }

    /// The name that is `text`, which has no escapes any more.
    pub fn of_decoded(text: &'t str) -> Self {
        Self(Cow::Borrowed(text.as_bytes()))
    }

    /// The name as text; `None` if it holds a lone surrogate.
    pub fn as_str(&self) -> Option<&str> {
        std::str::from_utf8(&self.0).ok()
    }

    /// The name as text, with U+FFFD for what text cannot hold.
    pub fn to_text(&self) -> String {
        String::from_utf8_lossy(&self.0).into_owned()
    }

    /// The name as bytes: UTF-8, but that a lone surrogate takes three bytes as any other code point of its size would.
    pub fn bytes(&self) -> &[u8] {
        &self.0
    }
}

fn unescaped(raw: &[u8]) -> Vec<u8> {
    let mut bytes = Vec::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(found) = memchr::memchr(b'\\', rest) {
        let (plain, escape) = rest.split_at(found);
        bytes.extend_from_slice(plain);
        rest = push_escape(escape, &mut bytes);
    }
    bytes.extend_from_slice(rest);
    bytes
}

/// Appends what the escape at the start of `text` means, and gives what follows it.
fn push_escape<'t>(text: &'t [u8], bytes: &mut Vec<u8>) -> &'t [u8] {
    let after = |len: usize| text.get(len..).unwrap_or_default();
    if let Some((char, len)) = escape(text) {
        bytes.extend_from_slice(char.encode_utf8(&mut [0; 4]).as_bytes());
        return after(len);
    }
    if let Some(surrogate) = code_unit(text) {
        // As UTF-8 would have it.
        let low = |shift: u32| u8::try_from((surrogate >> shift) & 0x3F).unwrap_or(0);
        bytes.extend_from_slice(&[0xE0 | low(12), 0x80 | low(6), 0x80 | low(0)]);
        return after(6);
    }
    bytes.extend(text.get(1).filter(|&&letter| letter != b'u'));
    after(2)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn k1_escapes_are_resolved_as_a_json_reader_resolves_them() {
        for raw in
            ["", "a", r"\u0061", r"\u00e9\u20AC", r"\ud83d\ude00", r#"\"\\\/\b\f\n\r\t"#, "é\u{1F600}", r"\\u0061"]
        {
            let read: String = serde_json::from_str(&format!("\"{raw}\"")).expect("it is a string");
            assert_eq!(Name::of(raw).as_str(), Some(read.as_str()), "{raw}");
        }
    }

    #[test]
    fn k1_a_lone_surrogate_equals_itself_alone() {
        let lone = Name::of(r"\ud800");
        assert_eq!(lone, Name::of(r"\uD800"));
        assert_ne!(lone, Name::of(r"\\ud800"));
        assert_ne!(lone, Name::of(r"\udc00"));
        assert_ne!(lone, Name::of("\u{FFFD}"));
        assert_eq!((lone.as_str(), lone.to_text().contains('\u{FFFD}')), (None, true));
        assert_eq!(Name::of(r"\ude00\ud83d").as_str(), None);
        assert_eq!(Name::of(r"\ud83d\u0061").as_str(), None);
    }

    #[test]
    fn text_that_is_no_json_does_not_panic() {
        for raw in ["\\", "\\u", "\\u12", "\\uzzzz", "\\ud800\\u", "\\é"] {
            let _ = Name::of(raw).to_text();
        }
    }

    #[test]
    fn m5_debug_shows_no_text() {
        assert_eq!(format!("{:?}", Name::of("secret")), "Name(6 bytes)");
    }
}
