//! Members that a string would swallow.

use crate::shared::ahead_text::double_quoted_len;

/// How many blanks may stand between a key, its colon and its value.
const GAP: usize = 16;

/// Where the colons of members are in the text of a string, as far as it was read.
#[derive(Debug, Default)]
pub(super) struct Swallowed {
    found: Vec<usize>,
    read: usize,
}

impl Swallowed {
    /// Those before `limit`: the colon of a key in quotes or at the start of a line, with the start of a value after it.
    pub(super) fn before(&mut self, limit: usize, bytes: &[u8]) -> impl Iterator<Item = usize> {
        let until = limit.min(bytes.len());
        while self.read < until {
            // Most bytes begin no key.
            let Some(plain) = bytes[self.read..until].iter().position(|byte| matches!(byte, b'"' | b'\n' | b'\\'))
            else {
                self.read = until;
                break;
            };
            self.read += plain;
            if bytes[self.read] == b'\\' {
                self.read += 2;
                continue;
            }
            self.found.extend(key_end(bytes, self.read).and_then(|end| colon_of_member(bytes, end)));
            self.read += 1;
        }
        self.found.iter().copied().take_while(move |&at| at < limit)
    }
}

/// Where the key ends that begins with the quote or after the line break at `at`.
fn key_end(bytes: &[u8], at: usize) -> Option<usize> {
    if bytes[at] == b'"' {
        return double_quoted_len(&bytes[at + 1..], 61).filter(|&len| len > 0).map(|len| at + len + 2);
    }
    if bytes[at] != b'\n' {
        return None;
    }
    let start = blank_end(bytes, at + 1);
    match bytes.get(start)? {
        b'\'' => {
            let len = bytes[start + 1..].iter().take(61).position(|byte| matches!(byte, b'\'' | b'\n'))?;
            (len > 0 && bytes[start + 1 + len] == b'\'').then_some(start + len + 2)
        }
        b'a'..=b'z' | b'_' => {
            let is_name = |byte: &&u8| byte.is_ascii_alphanumeric() || **byte == b'_';
            Some(start + bytes[start..].iter().take(41).take_while(is_name).count())
        }
        _ => None,
    }
}

/// The colon after the key that ends at `end`, if the start of a value follows it.
fn colon_of_member(bytes: &[u8], end: usize) -> Option<usize> {
    let colon = blank_end(bytes, end);
    if bytes.get(colon) != Some(&b':') {
        return None;
    }
    let rest = bytes.get(blank_end(bytes, colon + 1)..).unwrap_or_default();
    let first = rest.first()?;
    let is_start =
        matches!(first, b'"' | b'\'' | b'0'..=b'9' | b'[' | b'{' | b'T' | b'F' | b'N' | b't' | b'f' | b'n' | b'-');
    (is_start || rest.starts_with("“".as_bytes())).then_some(colon)
}

fn blank_end(bytes: &[u8], at: usize) -> usize {
    at + bytes[at..].iter().take(GAP).take_while(|byte| byte.is_ascii_whitespace()).count()
}
