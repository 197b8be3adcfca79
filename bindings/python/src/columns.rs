//! The repair of an Arrow column: buffers in, buffers out, a row at a time.
//!
//! A row never fails the column: what cannot be repaired is a row with the status `refused`.

use std::ops::Range;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use jsonseam::{Adapter, ContractError, ParseOptions, Pipeline, Record, RepairOptions, Repaired, Risk};
use pyo3::exceptions::{PyOverflowError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyBytes, PyDict};

use crate::engine::in_chunks;

/// Rows that a thread takes at a time.
const CHUNK: usize = 1024;

/// The status of a row, as a code: its place in this list.
const STATUSES: [&str; 3] = ["valid", "repaired", "refused"];
const VALID: i8 = 0;
const REPAIRED: i8 = 1;
const REFUSED: i8 = 2;

/// The code of no status, no reason and no risk.
const NONE: i8 = -1;

/// The reason of a row on which the library failed: no such row is known.
const FAILED: &str = "internal_error";

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
    fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// The bytes of a row; `None` for a null.
    fn row(&self, index: usize) -> Option<&[u8]> {
        let is_valid = self.validity.is_none_or(|bits| bits[index / 8] >> (index % 8) & 1 == 1);
        is_valid.then(|| &self.data[self.offsets[index]..self.offsets[index + 1]])
    }
}

/// A column of strings, some of which are null.
#[derive(Debug, Default)]
struct Strings {
    data: Vec<u8>,
    /// Where each row ends.
    ends: Vec<usize>,
    is_valid: Vec<bool>,
}

impl Strings {
    /// Room for so many rows, and for so many bytes in all.
    fn with_capacity(rows: usize, bytes: usize) -> Self {
        Self { data: Vec::with_capacity(bytes), ends: Vec::with_capacity(rows), is_valid: Vec::with_capacity(rows) }
    }

    fn push(&mut self, text: Option<&str>) {
        self.data.extend_from_slice(text.unwrap_or_default().as_bytes());
        self.close(text.is_some());
    }

    /// Ends a row whose text was written to `data`.
    fn close(&mut self, is_valid: bool) {
        self.ends.push(self.data.len());
        self.is_valid.push(is_valid);
    }

    fn append(&mut self, other: Self) {
        let shift = self.data.len();
        self.data.extend_from_slice(&other.data);
        self.ends.extend(other.ends.iter().map(|end| end + shift));
        self.is_valid.extend_from_slice(&other.is_valid);
    }
}

/// The results, column by column.
#[derive(Debug, Default)]
pub(crate) struct Columns {
    is_valid: Vec<bool>,
    values: Strings,
    status: Vec<i8>,
    reason: Vec<i8>,
    /// What the codes in `reason` mean.
    reasons: Vec<String>,
    risk: Vec<i8>,
    truncated: Vec<bool>,
    edits: Vec<i32>,
    position: Vec<i64>,
    has_position: Vec<bool>,
    reports: Option<Strings>,
    outputs: Option<Strings>,
}

/// One row before it goes into the columns.
struct Row<'r> {
    value: Option<&'r str>,
    status: i8,
    risk: Option<Risk>,
    is_truncated: bool,
    edits: usize,
    reason: Option<&'r str>,
    position: Option<usize>,
}

impl<'r> Row<'r> {
    fn refused(reason: &'r str, position: Option<usize>) -> Self {
        let is_truncated = reason == "truncated";
        Self { value: None, status: REFUSED, risk: None, is_truncated, edits: 0, reason: Some(reason), position }
    }

    fn repaired(repaired: &'r Repaired<'_>) -> Self {
        let edits = repaired.edits().len();
        Self {
            value: Some(repaired.text()),
            status: if edits > 0 { REPAIRED } else { VALID },
            risk: repaired.risk(),
            is_truncated: repaired.is_truncated(),
            edits,
            reason: None,
            position: None,
        }
    }
}

impl Columns {
    /// No row, and room for so many, whose texts have so many bytes in all: a repaired text is about as long as it was.
    fn with_capacity(rows: usize, bytes: usize, report: bool, outputs: bool) -> Self {
        let strings = |is_wanted: bool| is_wanted.then(Strings::default);
        Self {
            is_valid: Vec::with_capacity(rows),
            values: Strings::with_capacity(rows, bytes),
            status: Vec::with_capacity(rows),
            reason: Vec::with_capacity(rows),
            reasons: Vec::new(),
            risk: Vec::with_capacity(rows),
            truncated: Vec::with_capacity(rows),
            edits: Vec::with_capacity(rows),
            position: Vec::with_capacity(rows),
            has_position: Vec::with_capacity(rows),
            reports: strings(report),
            outputs: strings(outputs),
        }
    }

    fn push(&mut self, row: &Row<'_>) {
        self.is_valid.push(true);
        self.values.push(row.value);
        self.status.push(row.status);
        let reason = row.reason.map_or(NONE, |reason| self.code(reason));
        self.reason.push(reason);
        self.risk.push(row.risk.map_or(NONE, code_of_risk));
        self.truncated.push(row.is_truncated);
        self.edits.push(i32::try_from(row.edits).unwrap_or(i32::MAX));
        self.position.push(row.position.and_then(|position| i64::try_from(position).ok()).unwrap_or(0));
        self.has_position.push(row.position.is_some());
    }

    /// A null row: null in every column.
    fn push_null(&mut self) {
        self.push(&Row {
            value: None,
            status: NONE,
            risk: None,
            is_truncated: false,
            edits: 0,
            reason: None,
            position: None,
        });
        if let Some(is_valid) = self.is_valid.last_mut() {
            *is_valid = false;
        }
        self.push_texts(None::<&()>, None);
    }

    /// The report and the outputs of the row that was pushed last, where they are wanted.
    fn push_texts<R: serde::Serialize>(&mut self, report: Option<&R>, outputs: Option<&str>) {
        if let Some(reports) = &mut self.reports {
            let start = reports.data.len();
            let is_written = report.is_some_and(|report| serde_json::to_writer(&mut reports.data, report).is_ok());
            if !is_written {
                reports.data.truncate(start);
            }
            reports.close(is_written);
        }
        if let Some(column) = &mut self.outputs {
            column.push(outputs);
        }
    }

    /// The code of a reason, which gets one if it is new. There are about twenty reasons.
    fn code(&mut self, reason: &str) -> i8 {
        let index = self.reasons.iter().position(|known| known == reason).unwrap_or_else(|| {
            self.reasons.push(reason.to_owned());
            self.reasons.len() - 1
        });
        i8::try_from(index).unwrap_or(NONE)
    }

    fn append(&mut self, other: Self) {
        let codes: Vec<i8> = other.reasons.iter().map(|reason| self.code(reason)).collect();
        let own = |code: &i8| usize::try_from(*code).ok().and_then(|at| codes.get(at)).copied().unwrap_or(NONE);
        self.reason.extend(other.reason.iter().map(own));
        self.is_valid.extend(other.is_valid);
        self.values.append(other.values);
        self.status.extend(other.status);
        self.risk.extend(other.risk);
        self.truncated.extend(other.truncated);
        self.edits.extend(other.edits);
        self.position.extend(other.position);
        self.has_position.extend(other.has_position);
        for (own, other) in [(&mut self.reports, other.reports), (&mut self.outputs, other.outputs)] {
            if let (Some(own), Some(other)) = (own, other) {
                own.append(other);
            }
        }
    }
}

fn code_of_risk(risk: Risk) -> i8 {
    Risk::ALL.iter().position(|known| *known == risk).and_then(|index| i8::try_from(index).ok()).unwrap_or(NONE)
}

/// Repairs every row, as `jsonseam batch` does.
pub(crate) fn repair_rows(
    pipeline: &Pipeline,
    adapter: Option<&Adapter>,
    rows: &Checked<'_>,
    report: bool,
    threads: usize,
) -> Columns {
    let size = if threads <= 1 { rows.len().max(1) } else { CHUNK };
    let empty = |range: &Range<usize>| {
        let bytes = rows.offsets[range.end] - rows.offsets[range.start];
        Columns::with_capacity(range.len(), bytes, report, adapter.is_some())
    };
    let mut chunks = in_chunks(rows.len().div_ceil(size), threads, |index| {
        let start = index * size;
        let range = start..(start + size).min(rows.len());
        let mut columns = empty(&range);
        repair_range(pipeline, adapter, rows, range, &mut columns);
        columns
    });
    if chunks.len() == 1
        && let Some(all) = chunks.pop()
    {
        return all;
    }
    let mut all = empty(&(0..rows.len()));
    for chunk in chunks {
        all.append(chunk);
    }
    all
}

fn repair_range(
    pipeline: &Pipeline,
    adapter: Option<&Adapter>,
    rows: &Checked<'_>,
    range: Range<usize>,
    columns: &mut Columns,
) {
    // Room for the text of one row after the other.
    let mut room = String::new();
    for index in range {
        let Some(text) = rows.row(index) else {
            columns.push_null();
            continue;
        };
        // The work is done before anything is pushed, so a panic leaves the columns as they were.
        match adapter {
            None => {
                let options = RepairOptions::new();
                let result = caught(|| match std::str::from_utf8(text) {
                    Ok(text) => pipeline.repair_into(text, &options, &mut room),
                    Err(_) => pipeline.repair_bytes(text, &options),
                });
                match result {
                    Ok(result) => push_repair(columns, &result),
                    Err(_) => push_failure(columns),
                }
            }
            Some(adapter) => {
                let options = ParseOptions::new();
                match caught(|| adapter.parse_bytes(text, &options)) {
                    Ok(Ok(outputs)) => {
                        columns.push(&Row::repaired(outputs.repair()));
                        columns.push_texts(Some(&outputs.record()), Some(&outputs.to_json()));
                    }
                    Ok(Err(error)) => push_unmet(columns, &error),
                    Err(_) => push_failure(columns),
                }
            }
        }
    }
}

/// A panic is an error here: it costs one row.
fn caught<T>(work: impl FnOnce() -> T) -> thread::Result<T> {
    catch_unwind(AssertUnwindSafe(work))
}

fn push_repair(columns: &mut Columns, result: &Result<Repaired<'_>, jsonseam::Error>) {
    match result {
        Ok(repaired) => columns.push(&Row::repaired(repaired)),
        Err(error) => {
            columns.push(&Row::refused(error.reason().as_str(), error.position().map(|position| position.offset)));
        }
    }
    let record = match result {
        Ok(repaired) => Record::from(repaired),
        Err(error) => Record::from(error),
    };
    columns.push_texts(Some(&record), None);
}

/// A row that the contract refused keeps the status of its repair.
fn push_unmet(columns: &mut Columns, error: &ContractError) {
    let position = error.position().map(|position| position.offset);
    match error.partial() {
        Some(partial) if error.decode().is_none() => {
            columns.push(&Row { reason: Some(error.reason().as_str()), position, ..Row::repaired(partial.repair()) });
        }
        _ => columns.push(&Row::refused(error.reason().as_str(), position)),
    }
    columns.push_texts(error.record().as_ref(), None);
}

fn push_failure(columns: &mut Columns) {
    columns.push(&Row::refused(FAILED, None));
    columns.push_texts(None::<&()>, None);
}

/// The bits of a column of booleans, the first lowest, as Arrow has them.
fn bits<'py>(py: Python<'py>, values: &[bool]) -> Bound<'py, PyBytes> {
    let bytes: Vec<u8> =
        values.chunks(8).map(|chunk| chunk.iter().rev().fold(0, |byte, &value| byte << 1 | u8::from(value))).collect();
    PyBytes::new(py, &bytes)
}

/// A column of strings as offsets, data and validity.
fn strings<'py>(py: Python<'py>, column: &Strings) -> PyResult<[Bound<'py, PyBytes>; 3]> {
    let mut offsets = Vec::with_capacity(4 * (column.ends.len() + 1));
    for end in std::iter::once(&0).chain(&column.ends) {
        let end = i32::try_from(*end).map_err(|_| {
            PyOverflowError::new_err("the repaired texts of one batch exceed 2 GiB; pass the column in smaller batches")
        })?;
        offsets.extend_from_slice(&end.to_le_bytes());
    }
    Ok([PyBytes::new(py, &offsets), PyBytes::new(py, &column.data), bits(py, &column.is_valid)])
}

impl<'py> IntoPyObject<'py> for Columns {
    type Target = PyDict;
    type Output = Bound<'py, PyDict>;
    type Error = PyErr;

    fn into_pyobject(self, py: Python<'py>) -> PyResult<Bound<'py, PyDict>> {
        let columns = PyDict::new(py);
        columns.set_item("validity", bits(py, &self.is_valid))?;
        columns.set_item("value", strings(py, &self.values)?)?;
        for (name, column) in [("status", &self.status), ("reason", &self.reason), ("risk", &self.risk)] {
            let codes: Vec<u8> = column.iter().map(|code| code.cast_unsigned()).collect();
            columns.set_item(name, PyBytes::new(py, &codes))?;
        }
        columns.set_item("statuses", STATUSES)?;
        columns.set_item("reasons", &self.reasons)?;
        columns.set_item("risks", Risk::NAMES)?;
        columns.set_item("truncated", bits(py, &self.truncated))?;
        let edits: Vec<u8> = self.edits.iter().flat_map(|count| count.to_le_bytes()).collect();
        columns.set_item("edits", PyBytes::new(py, &edits))?;
        let position: Vec<u8> = self.position.iter().flat_map(|position| position.to_le_bytes()).collect();
        columns.set_item("position", [PyBytes::new(py, &position), bits(py, &self.has_position)])?;
        for (name, column) in [("report", &self.reports), ("outputs", &self.outputs)] {
            if let Some(column) = column {
                columns.set_item(name, strings(py, column)?)?;
            }
        }
        Ok(columns)
    }
}
