//! A contract: which outputs are declared, and what a completion gives of them.

use jsonseam::contract::{CastKind, Casts, Incomplete, Items, Schema, When};
use jsonseam::{Adapter, ContractError, Duplicates, Outputs, ParseOptions, Root, StreamOptions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::columns::{Source, repair_rows};
use crate::fields::Fields;
use crate::guard::detached;
use crate::report::{Help, Refusal, Report, record, without_place};
use crate::results::{Columns, Wanted};
use crate::rows::Rows;
use crate::settings::Settings;
use crate::text::{Input, chars_before};
use crate::typed::Shape;

/// What a caller declared.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Declared {
    keys: Vec<String>,
    optional: Vec<String>,
    /// Names of outputs with their JSON Schemas.
    schemas: Vec<(String, String)>,
    whole: Option<String>,
    incomplete: String,
    items: String,
    coerce: Vec<String>,
    defaults: bool,
    duplicates: String,
}

/// How to ask for another answer.
const AGAIN: &str = "ask the model again";

/// A setting and its values as they are written in Python.
fn setting(name: &str, values: &[&str]) -> String {
    match (name, values) {
        ("coerce", names) => format!("coerce={names:?}"),
        (name, values) => format!("{name}={:?}", values.join(",")),
    }
}

/// A contract and its pipeline.
#[pyclass(frozen, module = "jsonseam._native")]
pub(crate) struct Judge {
    adapter: Adapter,
}

/// A mistake in the contract, as code and message.
fn mistake(code: &str, message: impl Into<String>) -> PyErr {
    PyValueError::new_err((code.to_owned(), message.into()))
}

/// An option that takes one of these names.
fn named<T: std::str::FromStr>(option: &str, name: &str, names: &[&str]) -> PyResult<T> {
    name.parse().map_err(|_| mistake("config", format!("`{option}` is one of {}", names.join(", "))))
}

#[pymethods]
impl Judge {
    /// Compiles the contract.
    #[new]
    fn new(declared: Declared, settings: Settings) -> PyResult<Self> {
        let has_outputs = !(declared.keys.is_empty() && declared.optional.is_empty() && declared.schemas.is_empty());
        let config = settings.config(if has_outputs { Root::Object } else { Root::Any })?;
        let duplicates: Duplicates = named("duplicates", &declared.duplicates, Duplicates::NAMES)?;
        let incomplete: Incomplete = named("incomplete", &declared.incomplete, Incomplete::NAMES)?;
        let items: Items = named("items", &declared.items, Items::NAMES)?;
        let casts = Casts::named(declared.coerce.iter().map(String::as_str)).map_err(|_| {
            let names: Vec<_> = CastKind::ALL.iter().map(|kind| kind.name()).collect();
            mistake("config", format!("`coerce` takes exact, {}", names.join(", ")))
        })?;
        let mut builder = jsonseam::adapter()
            .config(&config)
            .incomplete(incomplete)
            .items(items)
            .casts(casts)
            .defaults(declared.defaults)
            .duplicates(duplicates)
            .outputs(declared.keys.iter().map(String::as_str));
        for name in &declared.optional {
            builder = builder.optional(name);
        }
        for (name, schema) in &declared.schemas {
            builder = builder.schema(name, schema);
        }
        if let Some(whole) = &declared.whole {
            builder = builder.whole_schema(whole);
        }
        let (keys, optional) = (declared.keys.iter(), declared.optional.iter());
        for name in keys.chain(optional).chain(declared.schemas.iter().map(|(name, _)| name)) {
            builder = builder.streamed(name, When::State);
        }
        let adapter = builder.build().map_err(|error| mistake(error.code().as_str(), error.to_string()))?;
        Ok(Self { adapter })
    }

    /// The outputs of a text, or why there are none.
    #[pyo3(signature = (text, finish_reason=None))]
    fn parse(&self, py: Python<'_>, text: &Bound<'_, PyAny>, finish_reason: Option<&str>) -> PyResult<Py<PyAny>> {
        let input = Input::of(text)?;
        let options = ParseOptions::new().with_finish_reason(finish_reason);
        let result = detached(py, || match input {
            Input::Text(text) => parsed(self.adapter.parse_with(text, &options), text.as_bytes()),
            Input::Bytes(bytes) => parsed(self.adapter.parse_bytes(bytes, &options), bytes),
            Input::Surrogate(pos) => Err(Box::new(Unmet::refused(Refusal::surrogate(pos)))),
            Input::Absent => parsed(self.adapter.parse_with("", &options), &[]),
        })?;
        Ok(match result {
            Ok(parsed) => Py::new(py, parsed)?.into_any(),
            Err(unmet) => Py::new(py, *unmet)?.into_any(),
        })
    }

    /// A completion that comes in pieces.
    fn stream(&self) -> Fields {
        Fields::new(self.adapter.stream(StreamOptions::new()))
    }

    /// What would have helped, as JSON; no rule is named if `text` is another one.
    fn explain(&self, py: Python<'_>, unmet: &Unmet, text: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let (Some(error), Some(text)) = (&unmet.error, Input::of(text)?.as_utf8()) else { return Ok(None) };
        detached(py, || {
            let error = self.adapter.explain(error, text);
            let ways = || self.adapter.ways_to_fit(&error, text).map(|ways| ways.told(setting, AGAIN));
            let help = error.decode().map(jsonseam::Error::help).or_else(ways).unwrap_or_default();
            let (mended_by, unanswered) = (error.mended_by(), error.unanswered());
            serde_json::to_string(&Help { mended_by, unanswered, help }).ok()
        })
    }

    /// The declared outputs, each with its schema, and the schema of the whole: unwrapped, in its own spelling.
    fn schemas(&self) -> (Vec<(String, Option<String>)>, Option<String>) {
        let contract = self.adapter.contract();
        let text = |schema: &Schema| schema.text().to_owned();
        let outputs = contract.outputs().iter().map(|output| (output.name().to_owned(), output.schema().map(text)));
        (outputs.collect(), contract.schema().map(text))
    }

    /// Repairs the rows of an Arrow column and puts each to the contract; see `jsonseam.arrow`.
    /// The outputs get columns of a shape, which is JSON.
    #[pyo3(signature = (rows, report, threads, shape))]
    fn repair_buffers(
        &self,
        py: Python<'_>,
        rows: Rows<'_>,
        report: bool,
        threads: usize,
        shape: &str,
    ) -> PyResult<Columns> {
        let rows = rows.checked()?;
        let wanted = Wanted { report, shape: Some(Shape::from_json(shape)?), ..Wanted::default() };
        detached(py, || repair_rows(Source::Contract(&self.adapter), &rows, &wanted, threads))
    }
}

/// The outputs of a text, or why there are none.
pub(crate) fn parsed(result: Result<Outputs, ContractError>, text: &[u8]) -> Result<Parsed, Box<Unmet>> {
    match result {
        Ok(outputs) => Ok(Parsed::new(outputs, text)),
        Err(error) => Err(Box::new(Unmet::new(error, text))),
    }
}

/// The outputs of one completion.
#[pyclass(frozen, module = "jsonseam._native")]
#[derive(Clone)]
pub(crate) struct Parsed {
    outputs: Outputs,
    /// The completion, to count code points of it when they are asked for.
    prefix: Vec<u8>,
}

impl Parsed {
    fn new(outputs: Outputs, text: &[u8]) -> Self {
        let prefix = text.get(..outputs.repair().payload().start).unwrap_or_default().to_vec();
        Self { outputs, prefix }
    }
}

#[pymethods]
impl Parsed {
    /// Names and JSON texts of the fields that are there.
    #[getter]
    fn fields(&self) -> Vec<(String, String)> {
        self.outputs.iter().map(|(name, text)| (name.to_owned(), text.to_owned())).collect()
    }

    /// All fields as one JSON text.
    #[getter]
    fn json(&self) -> String {
        self.outputs.to_json().into_owned()
    }

    /// Whether these are what was left of a completion that was refused.
    #[getter]
    fn is_partial(&self) -> bool {
        self.outputs.is_partial()
    }

    /// The casts that were made: path and kind.
    #[getter]
    fn casts(&self) -> Vec<(String, &'static str)> {
        self.outputs.casts().iter().map(|cast| (cast.path().to_owned(), cast.kind().as_str())).collect()
    }

    /// The repair.
    #[getter]
    fn repair(&self) -> Report {
        Report::new(self.outputs.repair().clone(), &self.prefix)
    }

    /// The record of the repair and of its outputs, as JSON.
    fn record(&self, py: Python<'_>) -> PyResult<String> {
        record(py, &self.outputs.record())
    }
}

/// Why there are no outputs.
#[pyclass(frozen, module = "jsonseam._native")]
pub(crate) struct Unmet {
    /// What is wrong, without the place and without text of the completion.
    #[pyo3(get)]
    message: String,
    /// The `error` member of the record, as JSON.
    #[pyo3(get)]
    record: String,
    /// The code point where it failed to decode.
    #[pyo3(get)]
    pos: Option<usize>,
    /// Whether asking the model again can help.
    #[pyo3(get)]
    is_retryable: bool,
    /// What was left.
    #[pyo3(get)]
    partial: Option<Parsed>,
    /// The error, for who asks what would have helped.
    error: Option<ContractError>,
}

impl Unmet {
    pub(crate) fn new(error: ContractError, text: &[u8]) -> Self {
        let position = error.position();
        Self {
            message: without_place(&error.to_string(), position),
            record: serde_json::to_string(&error).unwrap_or_default(),
            pos: position.map(|position| chars_before(text, position.offset)),
            is_retryable: error.is_retryable(),
            partial: error.partial().map(|partial| Parsed::new(partial.clone(), text)),
            error: Some(error),
        }
    }

    fn refused(refusal: Refusal) -> Self {
        let Refusal { message, record, pos, is_retryable, .. } = refusal;
        Self { message, record, pos, is_retryable, partial: None, error: None }
    }
}
