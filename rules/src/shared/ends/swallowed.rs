//! Members that a string would swallow.

use jsonseam_core::{Ahead, is_quote};

use super::view::near_key;

/// How long a key in double quotes may be.
const LONGEST: usize = 60;

/// For how many members there is room at first.
const MEMBERS: usize = 16;

/// Where the colons of members are in the text of a string, as far as it was read.
#[derive(Debug, Clone, Default)]
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
    pub(super) fn read_to(&mut self, limit: usize, text: &str) {
        let bytes = text.as_bytes();
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
                        self.enter(colon_of_member(near_key(text, at).at(at + 1)));
                    }
                }
                _ => {
                    self.quote = None;
                    self.enter(line_key_end(near_key(text, at).at(at + 1)).and_then(colon_of_member));
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

/// Where the key ends that begins the line at the cursor: in single quotes, or a name.
fn line_key_end(line: Ahead<'_>) -> Option<Ahead<'_>> {
    let start = line.skip_json_space();
    let is_key = start.peek().is_some_and(|first| matches!(first, '\'' | '_') || first.is_lowercase());
    if is_key { start.key_end() } else { None }
}

/// The colon after the key that ends at the cursor, if the start of a value follows it.
fn colon_of_member(key_end: Ahead<'_>) -> Option<usize> {
    let colon = key_end.skip_json_space();
    let value = colon.starts_with(":").then(|| colon.after(1).skip_json_space())?;
    let is_start = |first: char| {
        is_quote(first) || matches!(first, '0'..='9' | '[' | '{' | 'T' | 'F' | 'N' | 't' | 'f' | 'n' | '-')
    };
    value.peek().is_some_and(is_start).then_some(colon.pos())
}
