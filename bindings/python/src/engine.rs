//! A pipeline: rules and settings, ready for any number of texts.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use jsonseam::{Error, FinishReason, Pipeline, RepairOptions, Repaired, Root, StreamOptions};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::columns::{Source, repair_rows};
use crate::decode::{self, Strings};
use crate::drop_in::Gate;
use crate::encode;
use crate::flow::Flow;
use crate::guard::detached;
use crate::report::{Help, Refusal, Report};
use crate::results::{Columns, Wanted};
use crate::rows::Rows;
use crate::settings::Settings;
use crate::text::Input;

/// Rows that a thread takes at a time.
const CHUNK: usize = 64;

/// A pipeline.
#[pyclass(frozen, module = "jsonseam._native")]
pub(crate) struct Engine {
    pipeline: Pipeline,
}

/// One answer: a repair, a refusal, or nothing for no text.
pub(crate) enum Answer {
    Report(Report),
    Refusal(Refusal),
    Absent,
}

impl Answer {
    fn into_python(self, py: Python<'_>) -> PyResult<Py<PyAny>> {
        Ok(match self {
            Self::Report(report) => Py::new(py, report)?.into_any(),
            Self::Refusal(refusal) => Py::new(py, refusal)?.into_any(),
            Self::Absent => py.None(),
        })
    }
}

/// Whether a finish reason says that the answer was cut off.
#[pyfunction]
pub(crate) fn is_cut(finish_reason: &str) -> bool {
    FinishReason::from(finish_reason).is_cut()
}

/// What a caller knows about a completion.
pub(crate) fn options(finish_reason: Option<&str>) -> RepairOptions<'static> {
    RepairOptions::new().with_finish_reason(finish_reason)
}

/// Repairs one text, and makes something of the result where there is one.
fn repaired<'a, T>(
    pipeline: &Pipeline,
    input: Input<'a>,
    options: &RepairOptions<'_>,
    make: impl FnOnce(Repaired<'a>, &'a [u8]) -> T,
) -> Result<T, Option<Refusal>> {
    let refused = |error: Error| Some(Refusal::of(error, input));
    match input {
        Input::Text(text) => {
            pipeline.repair_with(text, options).map(|repaired| make(repaired, text.as_bytes())).map_err(refused)
        }
        Input::Bytes(bytes) => {
            pipeline.repair_bytes(bytes, options).map(|repaired| make(repaired, bytes)).map_err(refused)
        }
        Input::Surrogate(pos) => Err(Some(Refusal::surrogate(pos))),
        Input::Absent => Err(None),
    }
}

fn answer(pipeline: &Pipeline, input: Input<'_>, options: &RepairOptions<'_>) -> Answer {
    match repaired(pipeline, input, options, Report::new) {
        Ok(report) => Answer::Report(report),
        Err(Some(refusal)) => Answer::Refusal(refusal),
        Err(None) => Answer::Absent,
    }
}

#[pymethods]
impl Engine {
    /// Builds the pipeline that the settings describe.
    #[new]
    fn new(settings: Settings) -> PyResult<Self> {
        let pipeline = jsonseam::pipeline(&settings.config(Root::Any)?)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(Self { pipeline })
    }

    /// Repairs one text.
    #[pyo3(signature = (text, finish_reason=None))]
    fn repair(&self, py: Python<'_>, text: &Bound<'_, PyAny>, finish_reason: Option<&str>) -> PyResult<Py<PyAny>> {
        let input = Input::of(text)?;
        detached(py, || answer(&self.pipeline, input, &options(finish_reason)))?.into_python(py)
    }

    /// The value of the repaired text as `(True, value)`; `(False, …)` with the repaired text where `json.loads` has to decode it,
    /// with the report where the text is cut off and that is not allowed, since a value cannot say it, or with the refusal.
    #[pyo3(signature = (text, finish_reason=None, allow_truncated=false))]
    fn value(
        &self,
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        finish_reason: Option<&str>,
        allow_truncated: bool,
    ) -> PyResult<(bool, Py<PyAny>)> {
        let input = Input::of(text)?;
        let result = detached(py, || {
            repaired(&self.pipeline, input, &options(finish_reason), |repaired, completion| {
                if repaired.is_truncated() && !allow_truncated {
                    Err(Box::new(Report::new(repaired, completion)))
                } else {
                    Ok(repaired.into_text())
                }
            })
        })?;
        let text = match result {
            Ok(Ok(text)) => text,
            Ok(Err(cut)) => return Ok((false, Answer::Report(*cut).into_python(py)?)),
            Err(refusal) => return Ok((false, refusal.map_or(Answer::Absent, Answer::Refusal).into_python(py)?)),
        };
        Ok(match decode::value(py, &text, Strings::Kept) {
            Some(value) => (true, value.unbind()),
            None => (false, PyString::new(py, &text).into_any().unbind()),
        })
    }

    /// The value of a repair that `gate` gives without a second look, or with `as_text` what `json.dumps` makes of it, and `"repaired"`, `"valid"`,
    /// or `"whole"` where the text is valid as it stands; else `(None, …)` with the report or the refusal.
    fn plain(
        &self,
        py: Python<'_>,
        text: &Bound<'_, PyAny>,
        gate: Gate,
        as_text: bool,
    ) -> PyResult<(Option<&'static str>, Py<PyAny>)> {
        let input = Input::of(text)?;
        let result = detached(py, || {
            repaired(&self.pipeline, input, &RepairOptions::default(), |repaired, completion| {
                (gate.kind(&repaired, completion), repaired, completion)
            })
        })?;
        let (kind, repaired, completion) = match result {
            Ok(found) => found,
            Err(refusal) => return Ok((None, refusal.map_or(Answer::Absent, Answer::Refusal).into_python(py)?)),
        };
        let value = kind.and_then(|kind| {
            let (text, strings) = (repaired.text(), gate.strings(kind));
            if as_text {
                let written = encode::text(text, strings).filter(|written| gate.tells(kind, written))?;
                return Some(PyString::new(py, &written).into_any());
            }
            decode::value(py, text, strings)
        });
        match value {
            Some(value) => Ok((kind, value.unbind())),
            None => Ok((None, Answer::Report(Report::new(repaired, completion)).into_python(py)?)),
        }
    }

    /// Repairs many texts on so many threads, in order. `None` gives `None`.
    fn repair_many(&self, py: Python<'_>, texts: Vec<Bound<'_, PyAny>>, threads: usize) -> PyResult<Vec<Py<PyAny>>> {
        let inputs = texts.iter().map(Input::of_row).collect::<PyResult<Vec<_>>>()?;
        let answers = detached(py, || repair_all(&self.pipeline, &inputs, threads))?;
        answers.into_iter().map(|answer| answer.into_python(py)).collect()
    }

    /// A completion that comes in pieces.
    fn stream(&self) -> Flow {
        Flow::new(self.pipeline.stream(StreamOptions::new()))
    }

    /// `None` if the text is valid JSON as it is, else the refusal.
    fn check(&self, py: Python<'_>, text: &Bound<'_, PyAny>) -> PyResult<Option<Refusal>> {
        let input = Input::of(text)?;
        detached(py, || {
            let bytes = match input {
                Input::Text(text) => text.as_bytes(),
                Input::Bytes(bytes) => bytes,
                Input::Surrogate(pos) => return Some(Refusal::surrogate(pos)),
                Input::Absent => return None,
            };
            self.pipeline.check(bytes).err().map(|error| Refusal::new(error, bytes))
        })
    }

    /// What would have helped, as JSON; no rule is named if `text` is another one.
    fn explain(&self, py: Python<'_>, refusal: &Refusal, text: &Bound<'_, PyAny>) -> PyResult<Option<String>> {
        let (Some(error), Some(text)) = (&refusal.error, Input::of(text)?.as_utf8()) else { return Ok(None) };
        detached(py, || {
            let error = self.pipeline.explain(error, text);
            let help = Help { mended_by: error.mended_by(), unanswered: error.unanswered(), help: error.help() };
            serde_json::to_string(&help).ok()
        })
    }

    /// Repairs the rows of an Arrow column; see `jsonseam.arrow`.
    #[pyo3(signature = (rows, report, threads))]
    fn repair_buffers(&self, py: Python<'_>, rows: Rows<'_>, report: bool, threads: usize) -> PyResult<Columns> {
        let rows = rows.checked()?;
        let wanted = Wanted { value: true, report, ..Wanted::default() };
        detached(py, || repair_rows(Source::Pipeline(&self.pipeline), &rows, &wanted, threads))
    }

    /// What the outermost value must be.
    #[getter]
    fn root(&self) -> &'static str {
        self.pipeline.root().as_str()
    }

    /// The rules, in the order in which they are asked: name and risk.
    #[getter]
    fn rules(&self) -> Vec<(String, Option<&'static str>)> {
        self.pipeline.rules().map(|rule| (rule.name.clone(), rule.risk.map(jsonseam::Risk::as_str))).collect()
    }
}

/// Repairs on `threads` threads that take chunks in turn. A panic of one is passed on.
fn repair_all(pipeline: &Pipeline, inputs: &[Input<'_>], threads: usize) -> Vec<Answer> {
    let chunks: Vec<_> = inputs.chunks(CHUNK).collect();
    in_chunks(chunks.len(), threads, |index| {
        chunks[index].iter().map(|input| answer(pipeline, *input, &RepairOptions::default())).collect::<Vec<_>>()
    })
    .into_iter()
    .flatten()
    .collect()
}

/// What `work` gives for 0, 1, …, `count - 1`, in order, on up to `threads` threads.
pub(crate) fn in_chunks<T: Send>(count: usize, threads: usize, work: impl Fn(usize) -> T + Sync) -> Vec<T> {
    if threads <= 1 || count <= 1 {
        return (0..count).map(work).collect();
    }
    let next = AtomicUsize::new(0);
    let mut done: Vec<(usize, T)> = thread::scope(|scope| {
        let workers: Vec<_> = (0..threads.min(count))
            .map(|_| {
                scope.spawn(|| {
                    let mut own = Vec::new();
                    loop {
                        let index = next.fetch_add(1, Ordering::Relaxed);
                        if index >= count {
                            return own;
                        }
                        own.push((index, work(index)));
                    }
                })
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    done.sort_unstable_by_key(|(index, _)| *index);
    done.into_iter().map(|(_, value)| value).collect()
}
