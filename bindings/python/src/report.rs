//! What comes back from a repair, kept on this side until Python asks for its parts.

use jsonseam::{Error, Position, Record, Repaired, Unanswered};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

use crate::guard::detached;
use crate::text::{Input, chars_before};

/// An edit as Python gets it: rule, risk, start and end in code points, start and end in bytes, replacement, path.
type EditParts = (String, &'static str, usize, usize, usize, usize, String, String);

/// What would have helped a completion that is refused.
#[derive(serde::Serialize)]
pub(crate) struct Help<'e> {
    pub(crate) mended_by: &'e [String],
    pub(crate) unanswered: Option<&'e Unanswered>,
    /// For people, a clause each.
    pub(crate) help: Vec<String>,
}

/// A payload that is valid JSON, with its edits.
#[pyclass(frozen, module = "jsonseam._native")]
pub(crate) struct Report {
    repaired: Repaired<'static>,
    /// Code points of the completion before the payload.
    chars_before: usize,
}

impl Report {
    /// The report on a repair of `completion`.
    pub(crate) fn new(repaired: Repaired<'_>, completion: &[u8]) -> Self {
        let chars_before = chars_before(completion, repaired.payload().start);
        Self { repaired: repaired.into_owned(), chars_before }
    }

    /// The edits, with offsets in code points counted in one pass over the payload.
    fn edit_parts(&self) -> Vec<EditParts> {
        let start = self.repaired.payload().start;
        let payload = self.repaired.revert();
        let mut known = (0, self.chars_before);
        let mut chars = |byte: usize| {
            let from = payload.as_bytes().get(known.0..).unwrap_or_default();
            known = (byte, known.1 + chars_before(from, byte - known.0));
            known.1
        };
        self.repaired
            .edits()
            .zip(self.repaired.paths())
            .map(|(seam, path)| {
                let (first, last) = (chars(seam.span.start - start), chars(seam.span.end - start));
                let (rule, replacement) = (seam.rule.to_owned(), seam.replacement.to_owned());
                (rule, seam.risk.as_str(), first, last, seam.span.start, seam.span.end, replacement, path)
            })
            .collect()
    }
}

#[pymethods]
impl Report {
    /// The JSON text.
    #[getter]
    fn text(&self) -> &str {
        self.repaired.text()
    }

    /// `valid` or `repaired`.
    #[getter]
    fn status(&self) -> &'static str {
        if self.repaired.edits().len() == 0 { "valid" } else { "repaired" }
    }

    /// The highest risk among the edits.
    #[getter]
    fn risk(&self) -> Option<&'static str> {
        self.repaired.risk().map(jsonseam::Risk::as_str)
    }

    /// Whether the completion was cut off.
    #[getter]
    fn is_truncated(&self) -> bool {
        self.repaired.is_truncated()
    }

    /// How many edits there are.
    #[getter]
    fn edit_count(&self) -> usize {
        self.repaired.edits().len()
    }

    /// Whether there are payloads that were not taken; the record says where.
    #[getter]
    fn has_further(&self) -> bool {
        !self.repaired.further().is_empty()
    }

    /// The payload in the completion: start and end in code points, start and end in bytes.
    fn payload(&self, py: Python<'_>) -> PyResult<(usize, usize, usize, usize)> {
        detached(py, || {
            let bytes = self.repaired.payload();
            let chars = chars_before(self.repaired.revert().as_bytes(), usize::MAX);
            (self.chars_before, self.chars_before + chars, bytes.start, bytes.end)
        })
    }

    /// The edits as tuples.
    fn edits(&self, py: Python<'_>) -> PyResult<Vec<EditParts>> {
        detached(py, || self.edit_parts())
    }

    /// The JSON Pointers of what is incomplete.
    fn incomplete(&self, py: Python<'_>) -> PyResult<Vec<String>> {
        detached(py, || self.repaired.incomplete())
    }

    /// The payload as it was.
    fn revert(&self, py: Python<'_>) -> PyResult<String> {
        detached(py, || self.repaired.revert())
    }

    /// The record of the repair, as JSON.
    fn record(&self, py: Python<'_>) -> PyResult<String> {
        record(py, &Record::from(&self.repaired))
    }
}

/// Serialises a record without the interpreter's lock.
pub(crate) fn record(py: Python<'_>, record: &(impl serde::Serialize + Sync)) -> PyResult<String> {
    detached(py, || serde_json::to_string(record))?
        .map_err(|_| PyRuntimeError::new_err("the record could not be written; this is a defect of jsonseam"))
}

/// Why there is no repair.
#[pyclass(frozen, module = "jsonseam._native")]
pub(crate) struct Refusal {
    /// What is wrong, without the place and without text of the completion.
    #[pyo3(get)]
    pub(crate) message: String,
    /// The `error` member of the record, as JSON.
    #[pyo3(get)]
    pub(crate) record: String,
    /// The code point where it was refused.
    #[pyo3(get)]
    pub(crate) pos: Option<usize>,
    /// Whether asking the model again can help.
    #[pyo3(get)]
    pub(crate) is_retryable: bool,
    /// The error of the engine, for who asks what would have helped.
    pub(crate) error: Option<Error>,
}

impl Refusal {
    /// The refusal of `completion`.
    pub(crate) fn new(error: Error, completion: &[u8]) -> Self {
        let position = error.position();
        Self {
            message: without_place(&error.to_string(), position),
            record: serde_json::to_string(&error).unwrap_or_default(),
            pos: position.map(|position| chars_before(completion, position.offset)),
            is_retryable: error.is_retryable(),
            error: Some(error),
        }
    }

    /// The refusal of a `str` that UTF-8 cannot hold.
    pub(crate) fn surrogate(pos: usize) -> Self {
        Self {
            message: "the text holds a lone surrogate, which no Unicode text may".to_owned(),
            record: "{\"code\":\"output_decode_failed\",\"reason\":\"invalid_utf8\"}".to_owned(),
            pos: Some(pos),
            is_retryable: false,
            error: None,
        }
    }

    /// The refusal of what is in `input`.
    pub(crate) fn of(error: Error, input: Input<'_>) -> Self {
        match input {
            Input::Text(text) => Self::new(error, text.as_bytes()),
            Input::Bytes(bytes) => Self::new(error, bytes),
            Input::Surrogate(pos) => Self::surrogate(pos),
            Input::Absent => Self::new(error, &[]),
        }
    }
}

/// The message without the words that say where: exceptions of Python say that themselves.
pub(crate) fn without_place(message: &str, position: Option<Position>) -> String {
    match position {
        Some(Position { offset, line, column }) => {
            message.replacen(&format!(" at line {line} column {column} (byte {offset})"), "", 1)
        }
        None => message.to_owned(),
    }
}
