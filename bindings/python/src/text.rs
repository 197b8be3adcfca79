//! Text from Python objects, without a copy where there is a way.

use pyo3::exceptions::{PyTypeError, PyUnicodeEncodeError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyString};

/// A completion as Python gave it.
#[derive(Debug, Clone, Copy)]
pub(crate) enum Input<'a> {
    /// A `str`.
    Text(&'a str),
    /// `bytes` that may not be UTF-8.
    Bytes(&'a [u8]),
    /// A `str` that UTF-8 cannot hold: the character where it cannot.
    Surrogate(usize),
    /// No text at all.
    Absent,
}

impl<'a> Input<'a> {
    /// The text of `str` or `bytes`; anything else is a `TypeError`.
    pub(crate) fn of(object: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        if let Ok(text) = object.cast::<PyString>() {
            return match text.to_str() {
                Ok(text) => Ok(Self::Text(text)),
                Err(error) if error.is_instance_of::<PyUnicodeEncodeError>(object.py()) => {
                    Ok(Self::Surrogate(error.value(object.py()).getattr("start")?.extract()?))
                }
                Err(error) => Err(error),
            };
        }
        if let Ok(bytes) = object.cast::<PyBytes>() {
            return Ok(Self::Bytes(bytes.as_bytes()));
        }
        let kind = object.get_type().name()?;
        Err(PyTypeError::new_err(format!("the text must be str, bytes, bytearray or memoryview, not {kind}")))
    }

    /// The text, if it is one.
    pub(crate) fn as_utf8(self) -> Option<&'a str> {
        match self {
            Self::Text(text) => Some(text),
            Self::Bytes(bytes) => std::str::from_utf8(bytes).ok(),
            Self::Surrogate(_) | Self::Absent => None,
        }
    }

    /// Like [`of`](Self::of), where `None` is allowed.
    pub(crate) fn of_row(object: &'a Bound<'_, PyAny>) -> PyResult<Self> {
        if object.is_none() { Ok(Self::Absent) } else { Self::of(object) }
    }
}

/// How many characters are before the byte `offset` of a text.
pub(crate) fn chars_before(text: &[u8], offset: usize) -> usize {
    let before = text.get(..offset).unwrap_or(text);
    before.iter().filter(|&&byte| byte & 0xC0 != 0x80).count()
}
