//! Members that a string would swallow.

use crate::shared::ahead_text::text_of;

/// How many blanks may stand between a key, its colon and its value.
const GAP: usize = 16;

/// How long a key in double quotes may be.
const LONGEST: usize = 60;

/// For how many members there is room at first.
const MEMBERS: usize = 16;

/// Where the colons of members are in the text of a string, as far as it was read.
#[derive(Debug, Default)]
pub(super) struct Swallowed {
    found: Vec<usize>,
    read: usize,
    /// The latest quote, if a key may begin there.
    quote: Option<usize>,
}

impl Swallowed {
    /// Those that are known: the colon of a key in quotes or at the start of a line, with the start of a value after it.
    pub(super) fn known(&self) -> &[usize] {
        &self.found
    }

    /// Finds all that are before `limit`.
    pub(super) fn read_to(&mut self, limit: usize, bytes: &[u8]) {
        let until = limit.min(bytes.len());
        while self.read < until {
            // Most bytes begin no key.
            let Some(plain) = bytes[self.read..until].iter().position(|byte| matches!(byte, b'"' | b'\n' | b'\\'))
            else {
                self.read = until;
                break;
            };
            let at = self.read + plain;
            self.read = at + 1;
            match bytes[at] {
                b'\\' => self.read += 1,
                b'"' => {
                    let is_key = |quote: &usize| (1..=LONGEST).contains(&(at - quote - 1));
                    if self.quote.replace(at).as_ref().is_some_and(is_key) {
                        self.enter(colon_of_member(bytes, at + 1));
                    }
                }
                _ => {
                    self.quote = None;
                    self.enter(key_end(bytes, at).and_then(|end| colon_of_member(bytes, end)));
                }
            }
        }
    }

    fn enter(&mut self, colon: Option<usize>) {
        let Some(colon) = colon else { return };
        if self.found.capacity() == 0 {
            self.found.reserve(MEMBERS);
        }
        self.found.push(colon);
    }
}

/// Where the key ends that begins after the line break at `at`: in single quotes, or a name.
fn key_end(bytes: &[u8], at: usize) -> Option<usize> {
    let start = blank_end(bytes, at + 1);
    if bytes.get(start)? == &b'\'' {
        let len = bytes[start + 1..].iter().take(61).position(|byte| matches!(byte, b'\'' | b'\n'))?;
        return (len > 0 && bytes[start + 1 + len] == b'\'').then_some(start + len + 2);
    }
    let rest = text_of(&bytes[start..], 41);
    let len = rest.find(|char: char| !(char.is_alphanumeric() || char == '_')).unwrap_or(rest.len());
    rest.starts_with(|char: char| char.is_lowercase() || char == '_').then_some(start + len)
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
