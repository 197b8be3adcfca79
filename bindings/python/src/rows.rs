//! An Arrow column of strings or bytes, as it comes from Python: its buffers, checked before they are read.

use std::ops::Range;

use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// The buffers of an Arrow string or binary array without an offset.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Rows<'py> {
    data: Bound<'py, PyBytes>,
    offsets: Bound<'py, PyBytes>,
    validity: Option<Bound<'py, PyBytes>>,
    length: usize,
    /// Whether the offsets have 64 bits.
    wide: bool,
}

/// Buffers whose offsets are known to fit the data.
pub(crate) struct Checked<'a> {
    data: &'a [u8],
    offsets: Vec<usize>,
    validity: Option<&'a [u8]>,
}

impl Rows<'_> {
    /// Refuses buffers that do not fit each other.
    pub(crate) fn checked(&self) -> PyResult<Checked<'_>> {
        let misfit = |what: &str| PyValueError::new_err(format!("the buffers are no Arrow array: {what}"));
        let data = self.data.as_bytes();
        let raw = self.offsets.as_bytes();
        let offsets: Option<Vec<usize>> = if self.wide {
            raw.as_chunks::<8>().0.iter().map(|bytes| usize::try_from(i64::from_le_bytes(*bytes)).ok()).collect()
        } else {
            raw.as_chunks::<4>().0.iter().map(|bytes| usize::try_from(i32::from_le_bytes(*bytes)).ok()).collect()
        };
        let mut offsets = offsets.ok_or_else(|| misfit("an offset is negative"))?;
        if self.length == 0 && offsets.is_empty() {
            offsets.push(0);
        }
        let count = self.length.checked_add(1).ok_or_else(|| misfit("it is too long"))?;
        if offsets.len() < count {
            return Err(misfit("there are fewer offsets than rows"));
        }
        offsets.truncate(count);
        // The data of a slice begins at its first row.
        let base = offsets.first().copied().unwrap_or(0);
        if !offsets.is_sorted() || offsets.last().is_some_and(|&last| last - base > data.len()) {
            return Err(misfit("the offsets do not fit the data"));
        }
        for offset in &mut offsets {
            *offset -= base;
        }
        let validity = self.validity.as_ref().map(PyBytesMethods::as_bytes);
        if validity.is_some_and(|bits| bits.len() < self.length.div_ceil(8)) {
            return Err(misfit("there are fewer validity bits than rows"));
        }
        Ok(Checked { data, offsets, validity })
    }
}

impl Checked<'_> {
    pub(crate) fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// How many bytes the texts of these rows have.
    pub(crate) fn bytes(&self, range: &Range<usize>) -> usize {
        self.offsets[range.end] - self.offsets[range.start]
    }

    /// The bytes of a row; `None` for a null.
    pub(crate) fn row(&self, index: usize) -> Option<&[u8]> {
        let is_valid = self.validity.is_none_or(|bits| bits[index / 8] >> (index % 8) & 1 == 1);
        is_valid.then(|| &self.data[self.offsets[index]..self.offsets[index + 1]])
    }
}
