//! Payloads as they are inside a string: one level of escapes too many.

use std::ops::Range;

use jsonseam_text::Strings;

use super::region::Region;
use crate::edit::{Edit, Edits};
use crate::limits::MAX_DEPTH;
use crate::recognise::is_valid;

impl Region<'_> {
    /// The edits that take one level of JSON escapes (RFC 8259 section 7) off the text of `span`; `None` if it has none.
    ///
    /// An escape that JSON does not know, and half a surrogate pair, stay as they are.
    pub fn unescape(&self, span: Range<usize>) -> Option<Edits> {
        let text = self.slice(span.clone());
        let mut edits = Vec::new();
        let mut pos = 0;
        while let Some(offset) = memchr::memchr(b'\\', text.as_bytes().get(pos..)?) {
            let start = pos + offset;
            let Some((len, char)) = escape(text.get(start..).unwrap_or_default()) else {
                pos = start + 1;
                continue;
            };
            pos = start + len;
            let edit = Edit::replace(span.start + start..span.start + pos, String::from(char));
            edits.push(edit);
        }
        Edits::group(edits)
    }

    /// The first position from `pos` on that holds neither white space nor an escape for it (`\n`, `\r`, `\t`); the region's end if there is none.
    pub fn skip_escaped_blanks(&self, pos: usize) -> usize {
        self.counted(|text| {
            let mut ahead = text.at(pos);
            ahead.take_while(char::is_whitespace);
            while ahead.eat_escaped_blank() {
                ahead.take_while(char::is_whitespace);
            }
            ahead.pos()
        })
    }

    /// Whether the byte at `pos` opens a payload of the wanted root.
    pub fn opens_payload(&self, pos: usize) -> bool {
        self.slice(pos..pos + 1).bytes().any(|byte| self.root.opens(byte))
    }

    /// Whether the region is one valid JSON string.
    pub fn is_string(&self) -> bool {
        let text = self.slice(self.span());
        text.starts_with('"') && is_valid(text.as_bytes(), MAX_DEPTH)
    }

    /// Whether the region starts with a key in double quotes and a colon: the payload has lost its opening brace.
    pub fn starts_with_member(&self) -> bool {
        self.counted(|text| {
            let start = text.at(self.span.start);
            start.starts_with("\"") && start.has_key()
        })
    }

    /// How many brackets stay open at the end of the region, outside double-quoted strings: none, some, or fewer than none.
    /// `None` if a string stays open, or brackets are closed that were never opened and more follows.
    pub fn open_brackets(&self) -> Option<isize> {
        let text = self.slice(self.span());
        let mut strings = Strings::default();
        let mut depth = 0_isize;
        for byte in text.bytes() {
            match byte {
                _ if strings.hides(byte) => {}
                _ if depth < 0 => return None,
                b'{' | b'[' => depth += 1,
                b'}' | b']' => depth -= 1,
                _ => {}
            }
        }
        (!strings.is_inside()).then_some(depth)
    }
}

/// The length of the escape that `text` starts with, and the character it stands for.
fn escape(text: &str) -> Option<(usize, char)> {
    let char = match text.as_bytes().get(1)? {
        b'"' => '"',
        b'\\' => '\\',
        b'/' => '/',
        b'b' => '\u{8}',
        b'f' => '\u{c}',
        b'n' => '\n',
        b'r' => '\r',
        b't' => '\t',
        b'u' => {
            let first = hex(text.get(2..6)?)?;
            if let Some(char) = char::from_u32(first) {
                return Some((6, char));
            }
            let second = text.get(6..12).and_then(|text| text.strip_prefix("\\u")).and_then(hex)?;
            let pair = char::decode_utf16([u16::try_from(first).ok()?, u16::try_from(second).ok()?]).next()?.ok()?;
            return Some((12, pair));
        }
        _ => return None,
    };
    Some((2, char))
}

fn hex(digits: &str) -> Option<u32> {
    let is_hex = digits.len() == 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    is_hex.then(|| u32::from_str_radix(digits, 16).ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_escape_is_read_as_the_standard_says() {
        let cases = [
            (r"\n", Some((2, '\n'))),
            (r"\\n", Some((2, '\\'))),
            (r"\u00e9x", Some((6, 'é'))),
            (r"\ud83d\ude00", Some((12, '😀'))),
            (r"\ud83d", None),
            (r"\ud83d\u0041", None),
            (r"\u+123", None),
            (r"\x", None),
            (r"\", None),
        ];
        for (text, expected) in cases {
            assert_eq!(escape(text), expected, "{text}");
        }
    }
}
