//! Reads JSON that is known to be valid, token by token: what Python values and Arrow columns are made from.
//!
//! Every function gives `None` for what is not JSON after all, and reads each byte a bounded number of times.

use std::borrow::Cow;

/// A place in a JSON text.
pub(crate) struct Reader<'t> {
    text: &'t str,
    pos: usize,
}

/// A number as it is spelled.
pub(crate) struct Number<'t> {
    pub(crate) text: &'t str,
    /// Whether it has neither a fraction nor an exponent.
    pub(crate) is_whole: bool,
    /// Its value, if it is whole and has at most 18 digits.
    pub(crate) small: Option<i64>,
}

impl<'t> Reader<'t> {
    pub(crate) fn new(text: &'t str) -> Self {
        Self { text, pos: 0 }
    }

    /// The next byte that is not white space, which is passed over.
    pub(crate) fn next(&mut self) -> Option<u8> {
        loop {
            match *self.text.as_bytes().get(self.pos)? {
                b' ' | b'\n' | b'\r' | b'\t' => self.pos += 1,
                byte => return Some(byte),
            }
        }
    }

    /// Takes the next byte that is not white space.
    pub(crate) fn take(&mut self) -> Option<u8> {
        let byte = self.next()?;
        self.pos += 1;
        Some(byte)
    }

    /// Takes a literal that starts here.
    pub(crate) fn literal(&mut self, name: &str) -> Option<()> {
        let is_there = self.text.get(self.pos..)?.starts_with(name);
        self.pos += name.len();
        is_there.then_some(())
    }

    /// The string that starts here.
    #[inline]
    pub(crate) fn string(&mut self) -> Option<Raw<'t>> {
        let bytes = self.text.as_bytes();
        if bytes.get(self.pos) != Some(&b'"') {
            return None;
        }
        let start = self.pos + 1;
        let mut end = quote_or_backslash(bytes, start);
        let has_escapes = bytes.get(end) == Some(&b'\\');
        while *bytes.get(end)? == b'\\' {
            end = quote_or_backslash(bytes, end + 2);
        }
        self.pos = end + 1;
        Some(Raw { text: self.text.get(start..end)?, has_escapes })
    }

    /// The number that starts here.
    pub(crate) fn number(&mut self) -> Option<Number<'t>> {
        let bytes = self.text.as_bytes();
        let start = self.pos;
        let digits = start + usize::from(bytes.get(start) == Some(&b'-'));
        let mut end = digits;
        let mut size = 0_i64;
        while let Some(&digit @ b'0'..=b'9') = bytes.get(end) {
            size = size.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
            end += 1;
        }
        if end == digits {
            return None;
        }
        let is_whole = !matches!(bytes.get(end), Some(b'.' | b'e' | b'E'));
        // So few digits fit in 64 bits.
        let small = (is_whole && end - digits <= 18).then_some(if digits > start { -size } else { size });
        if !is_whole {
            let is_of_number = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
            end += bytes.get(end..)?.iter().take_while(|byte| is_of_number(byte)).count();
        }
        self.pos = end;
        Some(Number { text: self.text.get(start..end)?, is_whole, small })
    }

    /// Passes over the value that comes next, and gives its text.
    pub(crate) fn skip(&mut self) -> Option<&'t str> {
        self.next()?;
        let start = self.pos;
        let mut depth = 0_usize;
        loop {
            match self.next()? {
                b'"' => {
                    self.string()?;
                }
                b'{' | b'[' => {
                    depth += 1;
                    self.pos += 1;
                }
                b'}' | b']' => {
                    depth = depth.checked_sub(1)?;
                    self.pos += 1;
                }
                b',' | b':' => self.pos += 1,
                _ => {
                    let rest = self.text.as_bytes().get(self.pos..)?;
                    self.pos += rest.iter().take_while(|byte| !b",:]} \t\r\n".contains(byte)).count();
                }
            }
            if depth == 0 {
                return self.text.get(start..self.pos);
            }
        }
    }
}

impl<'t> Raw<'t> {
    /// The characters; `None` for a lone surrogate, which Rust has no text for.
    pub(crate) fn chars(&self) -> Option<Cow<'t, str>> {
        Some(if self.has_escapes { Cow::Owned(unescaped(self.text)?) } else { Cow::Borrowed(self.text) })
    }
}

/// A string without its quotes, as it is spelled.
pub(crate) struct Raw<'t> {
    pub(crate) text: &'t str,
    has_escapes: bool,
}

/// Where the next quote or backslash is, from `pos` on; the end of the text if there is none.
fn quote_or_backslash(text: &[u8], mut pos: usize) -> usize {
    const ONES: u64 = u64::from_ne_bytes([1; 8]);
    const HIGH: u64 = u64::from_ne_bytes([0x80; 8]);
    // The lowest of the marks is exact: what is wrong with this test is wrong after it.
    let marks = |word: u64, byte: u8| {
        let differs = word ^ u64::from_ne_bytes([byte; 8]);
        differs.wrapping_sub(ONES) & !differs & HIGH
    };
    while let Some(chunk) = text.get(pos..).and_then(<[u8]>::first_chunk::<8>) {
        let word = u64::from_le_bytes(*chunk);
        let found = marks(word, b'"') | marks(word, b'\\');
        if found != 0 {
            return pos + (found.trailing_zeros() / 8) as usize;
        }
        pos += 8;
    }
    let rest = text.get(pos..).unwrap_or_default();
    pos.min(text.len()) + rest.iter().position(|byte| matches!(byte, b'"' | b'\\')).unwrap_or(rest.len())
}

/// The characters of a string; `None` for a lone surrogate, which Rust has no text for.
fn unescaped(raw: &str) -> Option<String> {
    let mut text = String::with_capacity(raw.len());
    let mut rest = raw;
    while let Some(at) = rest.find('\\') {
        text.push_str(rest.get(..at)?);
        let kind = *rest.as_bytes().get(at + 1)?;
        let mut len = 2;
        text.push(match kind {
            b'n' => '\n',
            b't' => '\t',
            b'r' => '\r',
            b'b' => '\u{8}',
            b'f' => '\u{c}',
            b'u' => {
                let (unit, units) = escaped_char(rest.get(at..)?)?;
                len = 6 * units;
                unit
            }
            b'"' | b'\\' | b'/' => char::from(kind),
            _ => return None,
        });
        rest = rest.get(at + len..)?;
    }
    text.push_str(rest);
    Some(text)
}

/// The character of one `\uXXXX`, or of two that are a pair, and how many there were.
fn escaped_char(text: &str) -> Option<(char, usize)> {
    let unit = |at: usize| u16::from_str_radix(text.get(at..at + 4)?, 16).ok();
    let first = unit(2)?;
    if let Some(char) = char::from_u32(u32::from(first)) {
        return Some((char, 1));
    }
    let second = text.get(6..8).filter(|next| *next == "\\u").and_then(|_| unit(8))?;
    let char = char::decode_utf16([first, second]).next()?.ok()?;
    Some((char, 2))
}
