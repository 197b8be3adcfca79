//! Tool calls: what reads them out of completions, and what heals those of a history.

use jsonseam::toolcall::{Bare, CallReader, CallRecord, CallRefusal, CallsRecord, Healer, Output, Tools};
use jsonseam::{ErrorCode, FinishReason, Root};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::columns::{Source, repair_rows};
use crate::guard::detached;
use crate::results::{Columns, Wanted};
use crate::rows::Rows;
use crate::settings::{Settings, choice};
use crate::text::{Input, chars_before};
use crate::typed::Shape;

/// How calls are read.
#[derive(Debug, FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct CallOptions {
    /// The offered tools, as JSON.
    tools: Option<String>,
    format: Option<String>,
    bare: Option<String>,
    within_thoughts: bool,
    /// Whether arguments are checked; `None`: where tools are known.
    check: Option<bool>,
}

/// Reads calls.
#[pyclass(frozen, module = "jsonseam._native")]
pub(crate) struct Reader {
    calls: CallReader,
    has_tools: bool,
    check: Option<bool>,
}

/// The tools of a list; a schema that nothing can be checked by is a mistake where arguments are checked.
fn tools_of(json: &str, checks: bool) -> PyResult<Tools> {
    let list = serde_json::from_str(json).map_err(|error| {
        PyValueError::new_err(format!("the tools are not JSON, line {} column {}", error.line(), error.column()))
    })?;
    let tools = Tools::from_json(&list).map_err(|error| PyValueError::new_err(error.to_string()))?;
    let unreadable = tools.unreadable_schemas().next().filter(|_| checks);
    unreadable.map_or(Ok(()), |(_, error)| Err(PyValueError::new_err(format!("the schema of a tool: {error}"))))?;
    Ok(tools)
}

fn failed() -> PyErr {
    PyRuntimeError::new_err("the record could not be written; this is a defect of jsonseam")
}

#[pymethods]
impl Reader {
    /// Builds what reads calls.
    #[new]
    fn new(options: CallOptions, settings: Settings) -> PyResult<Self> {
        let packs = jsonseam::wrappers();
        let packs = match &options.format {
            None => packs.clone(),
            Some(name) => packs.only(name).ok_or_else(|| {
                let known: Vec<_> = packs.formats().map(|(_, name)| name).collect();
                PyValueError::new_err(format!("there is no such format; the formats are {}", known.join(", ")))
            })?,
        };
        let config = settings.config(Root::Any)?;
        let mut extractor =
            jsonseam::tool_calls_with(packs, &config).map_err(|error| PyValueError::new_err(error.to_string()))?;
        if let Some(bare) = &options.bare {
            extractor = extractor.with_bare(choice("value of `bare`", bare, Bare::NAMES)?);
        }
        if options.within_thoughts {
            extractor = extractor.within_thoughts();
        }
        let mut reader = CallReader::new(extractor).with_longest(config.limits().max_input_bytes);
        if let Some(tools) = &options.tools {
            reader = reader.with_tools(tools_of(tools, options.check != Some(false))?);
        }
        Ok(Self { calls: reader, has_tools: options.tools.is_some(), check: options.check })
    }

    /// What [`CallReader::answer`] gives of a text, and the code point where it is refused at this byte.
    #[pyo3(signature = (text, tools=None, finish_reason=None, output="native"))]
    fn read(
        &self,
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        tools: Option<&str>,
        finish_reason: Option<&str>,
        output: &str,
    ) -> PyResult<String> {
        let input = Input::of(text)?;
        let output: Output = choice("output", output, Output::NAMES)?;
        let own = tools.map(|tools| tools_of(tools, self.check != Some(false))).transpose()?;
        let checks = self.check.unwrap_or(self.has_tools || own.is_some());
        let reason = finish_reason.map(FinishReason::from);
        let answer = detached(py, || {
            let reader = if checks { self.calls.clone().checking() } else { self.calls.clone() };
            match input {
                Input::Bytes(bytes) => match std::str::from_utf8(bytes) {
                    Ok(text) => reader.answer(text, own.as_ref(), reason.as_ref(), output),
                    Err(error) => not_unicode(bytes, error.valid_up_to()),
                },
                Input::Text(text) => reader.answer(text, own.as_ref(), reason.as_ref(), output),
                Input::Surrogate(_) | Input::Absent => not_unicode(&[], 0),
            }
        })?;
        answer.map_err(|_| failed())
    }

    /// The offered tools with the schemas of their parameters, and the order of their names.
    fn schemas(&self) -> Vec<(String, Option<String>)> {
        let schemas = self.calls.tools().schemas();
        schemas.map(|(name, schema)| (name.to_owned(), schema.map(|schema| schema.text().to_owned()))).collect()
    }

    /// The calls of the rows of an Arrow column, in columns of a shape, which is JSON; see `jsonseam.arrow`.
    #[pyo3(signature = (rows, report, threads, shape))]
    fn read_buffers(
        &self,
        py: Python<'_>,
        rows: Rows<'_>,
        report: bool,
        threads: usize,
        shape: &str,
    ) -> PyResult<Columns> {
        let rows = rows.checked()?;
        let wanted = Wanted { report, shape: Some(Shape::from_json(shape)?), ..Wanted::default() };
        let checks = self.check.unwrap_or(self.has_tools);
        let reader = if checks { self.calls.clone().checking() } else { self.calls.clone() };
        let source = Source::Calls { reader: &reader, by_tool: self.has_tools };
        detached(py, || repair_rows(source, &rows, &wanted, threads))
    }
}

/// The calls as a JSON list for columns: of each its arguments, under the name of its tool where each tool has columns of its own.
/// Arguments that do not fit are left to their `errors`.
pub(crate) fn as_list(record: &CallsRecord, by_tool: bool) -> Option<String> {
    let calls = record.calls.iter().map(|call| {
        let CallRecord { id, name, arguments, check } = call;
        let errors = check.as_ref().map(|check| &check.errors).filter(|errors| !errors.is_empty());
        let arguments = match errors {
            Some(_) => "null".to_owned(),
            None if by_tool => format!("{{{}:{}}}", name.get(), arguments.get()),
            None => arguments.get().to_owned(),
        };
        let (id, errors) = (serde_json::to_string(id).ok()?, serde_json::to_string(&errors).ok()?);
        let name = name.get();
        Some(format!("{{\"id\":{id},\"name\":{name},\"arguments\":{arguments},\"errors\":{errors}}}"))
    });
    Some(format!("[{}]", calls.collect::<Option<Vec<_>>>()?.join(",")))
}

/// The answer to bytes that are not UTF-8 from there on.
fn not_unicode(bytes: &[u8], valid: usize) -> serde_json::Result<String> {
    let text = std::str::from_utf8(bytes.get(..valid).unwrap_or_default()).unwrap_or_default();
    let error = CallRefusal::at(valid, text, ErrorCode::OutputDecodeFailed, "invalid_utf8");
    serde_json::to_string(
        &serde_json::json!({"error": error, "edits": [], "message": error.message, "retryable": false}),
    )
}

/// The code point at a byte of a text.
#[pyfunction]
pub(crate) fn chars_at(text: &Bound<'_, PyAny>, byte: usize) -> PyResult<usize> {
    Ok(match Input::of(text)? {
        Input::Text(text) => chars_before(text.as_bytes(), byte),
        Input::Bytes(bytes) => chars_before(bytes, byte),
        Input::Surrogate(pos) => pos,
        Input::Absent => 0,
    })
}

/// Heals histories.
#[pyclass(frozen, module = "jsonseam._native")]
pub(crate) struct Healing {
    healer: Healer,
}

#[pymethods]
impl Healing {
    /// Builds what heals, with the offered tools as JSON.
    #[new]
    #[pyo3(signature = (tools, settings))]
    fn new(tools: Option<&str>, settings: Settings) -> PyResult<Self> {
        let config = settings.config(Root::Any)?;
        let mut healer = jsonseam::healer(&config).map_err(|error| PyValueError::new_err(error.to_string()))?;
        if let Some(tools) = tools {
            healer = healer.with_tools(tools_of(tools, false)?);
        }
        Ok(Self { healer })
    }

    /// The healed history and the record, as JSON.
    fn heal(&self, py: Python<'_>, history: &str) -> PyResult<(String, String)> {
        let healed = detached(py, || self.healer.heal(history))?;
        let (text, record) = healed.map_err(|error| PyValueError::new_err(error.to_string()))?.into_parts();
        Ok((text, serde_json::to_string(&record).map_err(|_| failed())?))
    }
}
