//! Arrow buffers, as Python gets them: bits, offsets, texts, and columns within columns.

use pyo3::exceptions::PyOverflowError;
use pyo3::prelude::*;
use pyo3::types::PyBytes;

/// An array as Python makes it: its length, its buffers, its children.
pub(crate) type Tree<'py> = (usize, Vec<Option<Bound<'py, PyBytes>>>, Vec<Py<PyAny>>);

/// A column of strings, some of which are null.
#[derive(Debug, Default)]
pub(crate) struct Strings {
    pub(crate) data: Vec<u8>,
    /// Where each row ends.
    ends: Vec<usize>,
    is_valid: Vec<bool>,
}

impl Strings {
    /// Room for so many rows, and for so many bytes in all.
    pub(crate) fn with_capacity(rows: usize, bytes: usize) -> Self {
        Self { data: Vec::with_capacity(bytes), ends: Vec::with_capacity(rows), is_valid: Vec::with_capacity(rows) }
    }

    pub(crate) fn push(&mut self, text: Option<&str>) {
        self.data.extend_from_slice(text.unwrap_or_default().as_bytes());
        self.close(text.is_some());
    }

    /// Ends a row whose text was written to `data`.
    pub(crate) fn close(&mut self, is_valid: bool) {
        self.ends.push(self.data.len());
        self.is_valid.push(is_valid);
    }

    pub(crate) fn append(&mut self, other: Self) {
        append_ends(&mut self.ends, &other.ends, self.data.len());
        self.data.extend_from_slice(&other.data);
        self.is_valid.extend_from_slice(&other.is_valid);
    }

    /// The offsets, the data and the validity.
    pub(crate) fn buffers<'py>(&self, py: Python<'py>) -> PyResult<[Bound<'py, PyBytes>; 3]> {
        Ok([offsets(py, &self.ends)?, PyBytes::new(py, &self.data), bits(py, &self.is_valid)])
    }
}

/// Appends places in another column, which begins at `shift` in this one.
pub(crate) fn append_ends(ends: &mut Vec<usize>, other: &[usize], shift: usize) {
    ends.extend(other.iter().map(|end| end + shift));
}

/// Offsets of 32 bits from the places where rows end.
pub(crate) fn offsets<'py>(py: Python<'py>, ends: &[usize]) -> PyResult<Bound<'py, PyBytes>> {
    let mut offsets = Vec::with_capacity(4 * (ends.len() + 1));
    for end in std::iter::once(&0).chain(ends) {
        let end = i32::try_from(*end).map_err(|_| {
            PyOverflowError::new_err("the repaired texts of one batch exceed 2 GiB; pass the column in smaller batches")
        })?;
        offsets.extend_from_slice(&end.to_le_bytes());
    }
    Ok(PyBytes::new(py, &offsets))
}

/// The bits of a column of booleans, the first lowest, as Arrow has them.
pub(crate) fn bits<'py>(py: Python<'py>, values: &[bool]) -> Bound<'py, PyBytes> {
    let bytes: Vec<u8> =
        values.chunks(8).map(|chunk| chunk.iter().rev().fold(0, |byte, &value| byte << 1 | u8::from(value))).collect();
    PyBytes::new(py, &bytes)
}

/// Numbers of a fixed width, as bytes.
pub(crate) fn numbers<'py, const N: usize, T: Copy>(
    py: Python<'py>,
    values: &[T],
    bytes: impl Fn(T) -> [u8; N],
) -> Bound<'py, PyBytes> {
    let bytes: Vec<u8> = values.iter().flat_map(|&value| bytes(value)).collect();
    PyBytes::new(py, &bytes)
}
