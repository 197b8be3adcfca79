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
    decoder.space();
    (decoder.pos == text.len()).then_some(value)
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
    fn peek(&self) -> Option<u8> {
        self.text.as_bytes().get(self.pos).copied()
    }

    fn space(&mut self) {
        while matches!(self.peek(), Some(b' ' | b'\n' | b'\r' | b'\t')) {
            self.pos += 1;
        }
    }

    /// Passes over `byte` and the white space before it, if it is next.
    fn takes(&mut self, byte: u8) -> bool {
        self.space();
        let is_next = self.peek() == Some(byte);
        self.pos += usize::from(is_next);
        is_next
    }

    /// Depth is bounded by the engine's limit of 127.
    fn value(&mut self) -> Option<Bound<'py, PyAny>> {
        self.space();
        match self.peek()? {
            b'{' => self.object(),
            b'[' => self.array(),
            b'"' => Some(PyString::new(self.py, &unescaped(self.string()?)?).into_any()),
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
        if self.takes(b'}') {
            return Some(object.into_any());
        }
        loop {
            self.space();
            let key = self.key()?;
            if !self.takes(b':') {
                return None;
            }
            let value = self.value()?;
            object.set_item(key, value).ok()?;
            if self.takes(b'}') {
                return Some(object.into_any());
            }
            if !self.takes(b',') {
                return None;
            }
        }
    }

    /// A key. What the table of keys costs does not depend on the text, as a hash against chosen keys would.
    fn key(&mut self) -> Option<Bound<'py, PyString>> {
        let raw = self.string()?;
        let ends = raw.bytes().next().into_iter().chain(raw.bytes().next_back());
        let place = ends.fold(raw.len(), |sum, byte| sum.wrapping_mul(31).wrapping_add(usize::from(byte))) % KEPT;
        let kept = self.keys.get_mut(place)?;
        if let Some((known, key)) = kept {
            if *known == raw {
                return Some(key.clone());
            }
        }
        let key = PyString::new(self.py, &unescaped(raw)?);
        *kept = Some((raw, key.clone()));
        Some(key)
    }

    fn array(&mut self) -> Option<Bound<'py, PyAny>> {
        self.pos += 1;
        let mut items = Vec::new();
        if !self.takes(b']') {
            loop {
                items.push(self.value()?);
                if self.takes(b']') {
                    break;
                }
                if !self.takes(b',') {
                    return None;
                }
            }
        }
        Some(PyList::new(self.py, items).ok()?.into_any())
    }

    /// The string that starts here, without its quotes and with its escapes.
    fn string(&mut self) -> Option<&'t str> {
        if self.peek()? != b'"' {
            return None;
        }
        let start = self.pos + 1;
        let mut end = start;
        let bytes = self.text.as_bytes();
        loop {
            match bytes.get(end)? {
                b'"' => break,
                b'\\' => end += 2,
                _ => end += 1,
            }
        }
        self.pos = end + 1;
        self.text.get(start..end)
    }

    fn number(&mut self) -> Option<Bound<'py, PyAny>> {
        let rest = self.text.get(self.pos..)?;
        let len = rest.bytes().position(|byte| !matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E'));
        let number = rest.get(..len.unwrap_or(rest.len()))?;
        self.pos += number.len();
        if number.bytes().any(|byte| matches!(byte, b'.' | b'e' | b'E')) {
            return Some(PyFloat::new(self.py, number.parse().ok()?).into_any());
        }
        match number.parse::<i64>() {
            Ok(number) => Some(number.into_pyobject(self.py).ok()?.into_any()),
            // Of any length that the interpreter takes.
            Err(_) if !number.is_empty() => self.py.get_type::<PyInt>().call1((number,)).ok(),
            Err(_) => None,
        }
    }
}

/// The characters of a string; `None` for a lone surrogate, which Rust has no text for.
fn unescaped(raw: &str) -> Option<Cow<'_, str>> {
    if !raw.contains('\\') {
        return Some(Cow::Borrowed(raw));
    }
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
    Some(Cow::Owned(text))
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
