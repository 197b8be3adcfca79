//! Python values from a text that is known to be JSON: a repaired one.
//!
//! The values are those of `json.loads`. What this decoder does not make itself (a lone surrogate, an integer that Python refuses)
//! is left to `json.loads`: the answer is `None`, and the text is decoded there.

use std::borrow::Cow;

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};

/// The value of `text`, which must be valid JSON; `None` where `json.loads` has to decide.
pub(crate) fn value<'py>(py: Python<'py>, text: &str) -> Option<Bound<'py, PyAny>> {
    let mut decoder = Decoder { py, text, pos: 0, keys: [const { None }; KEPT] };
    let value = decoder.value()?;
    decoder.next().is_none().then_some(value)
}

/// Keys that are kept to be used again, one for each place.
const KEPT: usize = 64;

struct Decoder<'py, 't> {
    py: Python<'py>,
    text: &'t str,
    pos: usize,
    /// The last key of each place, as it is spelled: objects of one kind share theirs.
    keys: [Option<(&'t str, Bound<'py, PyString>)>; KEPT],
}

impl<'py, 't> Decoder<'py, 't> {
    /// The next byte that is not white space, which is passed over.
    fn next(&mut self) -> Option<u8> {
        loop {
            match *self.text.as_bytes().get(self.pos)? {
                b' ' | b'\n' | b'\r' | b'\t' => self.pos += 1,
                byte => return Some(byte),
            }
        }
    }

    /// Depth is bounded by the engine's limit of 127.
    fn value(&mut self) -> Option<Bound<'py, PyAny>> {
        match self.next()? {
            b'{' => self.object(),
            b'[' => self.array(),
            b'"' => {
                let raw = self.string()?;
                self.made(&raw).map(Bound::into_any)
            }
            b't' => self.literal("true", PyBool::new(self.py, true).to_owned().into_any()),
            b'f' => self.literal("false", PyBool::new(self.py, false).to_owned().into_any()),
            b'n' => self.literal("null", self.py.None().into_bound(self.py)),
            _ => self.number(),
        }
    }

    fn literal(&mut self, name: &str, value: Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
        let is_there = self.text.get(self.pos..)?.starts_with(name);
        self.pos += name.len();
        is_there.then_some(value)
    }

    fn object(&mut self) -> Option<Bound<'py, PyAny>> {
        self.pos += 1;
        let object = PyDict::new(self.py);
        if self.next()? == b'}' {
            self.pos += 1;
            return Some(object.into_any());
        }
        loop {
            let key = self.key()?;
            if self.next()? != b':' {
                return None;
            }
            self.pos += 1;
            let value = self.value()?;
            object.set_item(key, value).ok()?;
            let byte = self.next()?;
            self.pos += 1;
            match byte {
                b',' => {
                    self.next()?;
                }
                b'}' => return Some(object.into_any()),
                _ => return None,
            }
        }
    }

    /// A key. What the table of keys costs does not depend on the text, as a hash against chosen keys would.
    fn key(&mut self) -> Option<Bound<'py, PyString>> {
        let raw = self.string()?;
        let bytes = raw.text.as_bytes();
        let ends = bytes.first().map_or(0, |&first| usize::from(first) * 31 + usize::from(bytes[bytes.len() - 1]));
        let place = (bytes.len() * 7 + ends) % KEPT;
        if let Some((known, key)) = self.keys.get(place)?
            && *known == raw.text
        {
            return Some(key.clone());
        }
        let key = self.made(&raw)?;
        *self.keys.get_mut(place)? = Some((raw.text, key.clone()));
        Some(key)
    }

    fn array(&mut self) -> Option<Bound<'py, PyAny>> {
        self.pos += 1;
        let mut items = Vec::new();
        if self.next()? == b']' {
            self.pos += 1;
        } else {
            items.reserve(16);
            loop {
                items.push(self.value()?);
                let byte = self.next()?;
                self.pos += 1;
                match byte {
                    b',' => {}
                    b']' => break,
                    _ => return None,
                }
            }
        }
        Some(PyList::new(self.py, items).ok()?.into_any())
    }

    /// The string that starts here.
    #[inline]
    fn string(&mut self) -> Option<Raw<'t>> {
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

    fn made(&self, raw: &Raw<'_>) -> Option<Bound<'py, PyString>> {
        let text = if raw.has_escapes { Cow::Owned(unescaped(raw.text)?) } else { Cow::Borrowed(raw.text) };
        Some(PyString::new(self.py, &text))
    }

    fn number(&mut self) -> Option<Bound<'py, PyAny>> {
        let bytes = self.text.as_bytes();
        let start = self.pos;
        let digits = start + usize::from(bytes.get(start) == Some(&b'-'));
        let mut end = digits;
        let mut size = 0_i64;
        while let Some(&digit @ b'0'..=b'9') = bytes.get(end) {
            size = size.wrapping_mul(10).wrapping_add(i64::from(digit - b'0'));
            end += 1;
        }
        let is_whole = !matches!(bytes.get(end), Some(b'.' | b'e' | b'E'));
        if !is_whole {
            let is_of_number = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
            end += bytes.get(end..)?.iter().take_while(|byte| is_of_number(byte)).count();
        }
        self.pos = end;
        let number = self.text.get(start..end)?;
        if !is_whole {
            return Some(PyFloat::new(self.py, number.parse().ok()?).into_any());
        }
        match end - digits {
            0 => None,
            // They fit in 64 bits.
            1..=18 => {
                let number = if digits > start { -size } else { size };
                Some(number.into_pyobject(self.py).ok()?.into_any())
            }
            // Of any length that the interpreter takes.
            _ => self.py.get_type::<PyInt>().call1((number,)).ok(),
        }
    }
}

/// A string without its quotes, as it is spelled.
struct Raw<'t> {
    text: &'t str,
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
