//! Python values from a text that is known to be JSON: a repaired one.
//!
//! The values are those of `json.loads`. What this decoder does not make itself (a lone surrogate, an integer that Python refuses)
//! is left to `json.loads`: the answer is `None`, and the text is decoded there.

use pyo3::prelude::*;
use pyo3::types::{PyBool, PyDict, PyFloat, PyInt, PyList, PyString};

use crate::read::{Raw, Reader};

/// The value of `text`, which must be valid JSON; `None` where `json.loads` has to decide.
pub(crate) fn value<'py>(py: Python<'py>, text: &str, strings: Strings) -> Option<Bound<'py, PyAny>> {
    let mut decoder = Decoder { py, reader: Reader::new(text), strings, keys: [const { None }; KEPT] };
    let value = decoder.value()?;
    decoder.reader.next().is_none().then_some(value)
}

/// What becomes of strings, keys among them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Strings {
    /// Every character stays.
    Kept,
    /// One that ends with a line feed loses the white space at its end, as `json_repair` has it.
    Stripped,
}

/// Keys that are kept to be used again, one for each place.
const KEPT: usize = 64;

struct Decoder<'py, 't> {
    py: Python<'py>,
    reader: Reader<'t>,
    strings: Strings,
    /// The last key of each place, as it is spelled: objects of one kind share theirs.
    keys: [Option<(&'t str, Bound<'py, PyString>)>; KEPT],
}

impl<'py> Decoder<'py, '_> {
    /// Depth is bounded by the engine's limit of 127.
    fn value(&mut self) -> Option<Bound<'py, PyAny>> {
        match self.reader.next()? {
            b'{' => self.object(),
            b'[' => self.array(),
            b'"' => {
                let raw = self.reader.string()?;
                self.made(&raw).map(Bound::into_any)
            }
            b't' => self.literal("true", PyBool::new(self.py, true).to_owned().into_any()),
            b'f' => self.literal("false", PyBool::new(self.py, false).to_owned().into_any()),
            b'n' => self.literal("null", self.py.None().into_bound(self.py)),
            _ => self.number(),
        }
    }

    fn literal(&mut self, name: &str, value: Bound<'py, PyAny>) -> Option<Bound<'py, PyAny>> {
        self.reader.literal(name).map(|()| value)
    }

    fn object(&mut self) -> Option<Bound<'py, PyAny>> {
        self.reader.take()?;
        let object = PyDict::new(self.py);
        if self.reader.next()? == b'}' {
            self.reader.take()?;
            return Some(object.into_any());
        }
        loop {
            let key = self.key()?;
            if self.reader.take()? != b':' {
                return None;
            }
            let value = self.value()?;
            object.set_item(key, value).ok()?;
            match self.reader.take()? {
                b',' => {
                    self.reader.next()?;
                }
                b'}' => return Some(object.into_any()),
                _ => return None,
            }
        }
    }

    /// A key. What the table of keys costs does not depend on the text, as a hash against chosen keys would.
    fn key(&mut self) -> Option<Bound<'py, PyString>> {
        let raw = self.reader.string()?;
        let bytes = raw.text.as_bytes();
        let ends = bytes.first().map_or(0, |&first| usize::from(first) * 31 + usize::from(bytes[bytes.len() - 1]));
        let place = (bytes.len() * 7 + ends) % KEPT;
        if let Some((known, key)) = self.keys.get(place)?
            && *known == raw.text
        {
            return Some(key.clone());
        }
        // Two keys may become one, after which values went: that is for Python.
        let is_stripped = self.strings == Strings::Stripped && raw.chars()?.ends_with('\n');
        let key = self.made(&raw).filter(|_| !is_stripped)?;
        *self.keys.get_mut(place)? = Some((raw.text, key.clone()));
        Some(key)
    }

    fn array(&mut self) -> Option<Bound<'py, PyAny>> {
        self.reader.take()?;
        let mut items = Vec::new();
        if self.reader.next()? == b']' {
            self.reader.take()?;
        } else {
            items.reserve(16);
            loop {
                items.push(self.value()?);
                match self.reader.take()? {
                    b',' => {}
                    b']' => break,
                    _ => return None,
                }
            }
        }
        Some(PyList::new(self.py, items).ok()?.into_any())
    }

    fn made(&self, raw: &Raw<'_>) -> Option<Bound<'py, PyString>> {
        let chars = raw.chars()?;
        let made = PyString::new(self.py, &chars);
        if self.strings == Strings::Kept || !chars.ends_with('\n') {
            return Some(made);
        }
        // Python says what is white space.
        made.call_method0("rstrip").ok()?.cast_into().ok()
    }

    fn number(&mut self) -> Option<Bound<'py, PyAny>> {
        let number = self.reader.number()?;
        if let Some(small) = number.small {
            return Some(small.into_pyobject(self.py).ok()?.into_any());
        }
        if !number.is_whole {
            return Some(PyFloat::new(self.py, number.text.parse().ok()?).into_any());
        }
        // Of any length that the interpreter takes.
        self.py.get_type::<PyInt>().call1((number.text,)).ok()
    }
}
