//! A completion that is still being written: what settles of it, and its events.

use std::mem;
use std::sync::{Mutex, PoisonError};

use jsonseam::stream::{Event, Units};
use jsonseam::{FinishReason, Stream};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::guard::detached;
use crate::report::{Refusal, Report};
use crate::text::Input;

/// A stream. Threads may share it: each call waits for the one before.
#[pyclass(frozen, module = "jsonseam._native")]
pub(crate) struct Flow(Mutex<State>);

enum State {
    Open(Box<Open>),
    /// It has ended: the whole text, and what was settled of it.
    Over {
        text: String,
        settled: String,
    },
}

impl State {
    const OVER: Self = Self::Over { text: String::new(), settled: String::new() };
}

struct Open {
    stream: Stream,
    units: Units,
}

/// An event as Python gets it. Places are code points, then bytes.
#[derive(IntoPyObject)]
pub(crate) enum Told {
    Payload(&'static str, usize, usize, &'static str),
    Begin(&'static str, String, &'static str),
    Text(&'static str, String, String),
    Done(&'static str, String, String, [usize; 4], Option<&'static str>),
    Seam(&'static str, String, &'static str, [usize; 4], String),
}

/// A span of bytes, until the text that it is in can be asked for code points.
type Bytes = std::ops::Range<usize>;

impl Told {
    /// The event with its places in bytes, for code points are counted in a text that the event keeps from being read.
    fn of(event: Event<'_>) -> Option<(Self, Bytes)> {
        Some(match event {
            Event::Payload { start, sign } => (Self::Payload("payload", 0, start, sign.as_str()), start..start),
            Event::Begin { path, kind } => (Self::Begin("begin", path.to_string(), kind.as_str()), 0..0),
            Event::Text { path, text, json } => {
                let (kind, text) = spoken(text.into_owned(), json);
                (Self::Text(kind, path.to_string(), text), 0..0)
            }
            Event::Done { path, json, span, risk } => {
                let risk = risk.map(jsonseam::Risk::as_str);
                (Self::Done("done", path.to_string(), json.to_owned(), [0; 4], risk), span)
            }
            Event::Seam(edit) => {
                let (rule, replacement) = (edit.rule.to_owned(), edit.replacement.to_owned());
                (Self::Seam("seam", rule, edit.risk.as_str(), [0; 4], replacement), edit.span)
            }
            _ => return None,
        })
    }

    fn placed(mut self, bytes: Bytes, text: &str, units: &mut Units) -> Self {
        match &mut self {
            Self::Payload(_, start, ..) => *start = units.at(text, bytes.start),
            Self::Done(.., span, _) | Self::Seam(.., span, _) => {
                *span = [units.at(text, bytes.start), units.at(text, bytes.end), bytes.start, bytes.end];
            }
            Self::Begin(..) | Self::Text(..) => {}
        }
        self
    }
}

/// A piece of a string: as text, or as JSON where it holds half a surrogate pair, which a string of Python can hold and none of Rust.
pub(crate) fn spoken(text: String, json: &str) -> (&'static str, String) {
    if text.contains(char::REPLACEMENT_CHARACTER) { ("spelled", format!("\"{json}\"")) } else { ("text", text) }
}

fn over() -> PyErr {
    PyValueError::new_err("the stream has ended: `finish` was called")
}

impl Flow {
    /// Does `work` with the state, without the interpreter's lock: another thread may hold the state and wait for that.
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut State) -> T + Send) -> PyResult<T> {
        if self.0.is_poisoned() {
            return Err(PyRuntimeError::new_err("jsonseam failed inside this stream before; it cannot go on"));
        }
        detached(py, || work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }

    pub(crate) fn new(stream: Stream) -> Self {
        Self(Mutex::new(State::Open(Box::new(Open { stream, units: Units::chars() }))))
    }
}

impl Open {
    fn push(&mut self, piece: Input<'_>) -> Result<Vec<Told>, Refusal> {
        let Self { stream, units } = self;
        let mut told = Vec::new();
        let pushed = match piece {
            Input::Text(text) => stream.push(text),
            Input::Bytes(bytes) => stream.push_bytes(bytes),
            Input::Surrogate(_) | Input::Absent => stream.push_bytes(b"\xFF"),
        };
        let mut events = match pushed {
            Ok(events) => events,
            Err(error) => return Err(Refusal::new(error, stream.text().as_bytes())),
        };
        while let Some(event) = events.next() {
            told.extend(Told::of(event));
        }
        Ok(told.into_iter().map(|(event, bytes)| event.placed(bytes, stream.text(), units)).collect())
    }

    /// The report or the refusal, and the events that are left: of a text that is refused, those that settled before its end.
    fn finish(self, reason: Option<FinishReason>) -> (Result<Report, Refusal>, Vec<Told>, State) {
        let Self { stream, mut units } = self;
        let (text, settled) = (stream.text().to_owned(), stream.settled().to_owned());
        let mut told = Vec::new();
        let result = stream.finish_with(reason, |event| told.extend(Told::of(event)));
        let told = told.into_iter().map(|(event, bytes)| event.placed(bytes, &text, &mut units)).collect();
        match result {
            Ok(repaired) => {
                let settled = repaired.text().trim_start().to_owned();
                (Ok(Report::new(repaired, text.as_bytes())), told, State::Over { text, settled })
            }
            Err(error) => (Err(Refusal::new(error, text.as_bytes())), told, State::Over { text, settled }),
        }
    }
}

#[pymethods]
impl Flow {
    /// Takes the next piece: the events that it settled, or the refusal that nothing which follows can change.
    fn push(&self, py: Python<'_>, piece: &Bound<'_, PyAny>) -> PyResult<Py<PyAny>> {
        let input = Input::of(piece)?;
        if matches!(input, Input::Surrogate(_)) {
            // In bytes it has a place, and the stream knows that it is no text.
            return self.push(py, &piece.call_method1("encode", ("utf-8", "surrogatepass"))?);
        }
        let told = self.with(py, |state| match state {
            State::Open(open) => Some(open.push(input)),
            State::Over { .. } => None,
        })?;
        Ok(match told.ok_or_else(over)? {
            Ok(told) => told.into_pyobject(py)?.unbind(),
            Err(refusal) => Py::new(py, refusal)?.into_any(),
        })
    }

    /// Ends the text: the report and the events that are left, or the refusal.
    #[pyo3(signature = (finish_reason=None))]
    fn finish(&self, py: Python<'_>, finish_reason: Option<String>) -> PyResult<(Py<PyAny>, Vec<Told>)> {
        let reason = finish_reason.map(FinishReason::from);
        let result = self.with(py, |state| match mem::replace(state, State::OVER) {
            State::Open(open) => {
                let (result, told, over) = open.finish(reason);
                *state = over;
                Some((result, told))
            }
            ended @ State::Over { .. } => {
                *state = ended;
                None
            }
        })?;
        let (result, told) = result.ok_or_else(over)?;
        let result = match result {
            Ok(report) => Py::new(py, report)?.into_any(),
            Err(refusal) => Py::new(py, refusal)?.into_any(),
        };
        Ok((result, told))
    }

    /// What came so far.
    #[getter]
    fn text(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |state| match state {
            State::Open(open) => open.stream.text().to_owned(),
            State::Over { text, .. } => text.clone(),
        })
    }

    /// The repaired text so far.
    #[getter]
    fn settled(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |state| match state {
            State::Open(open) => open.stream.settled().to_owned(),
            State::Over { settled, .. } => settled.clone(),
        })
    }

    /// What came and is not settled.
    #[getter]
    fn tail(&self, py: Python<'_>) -> PyResult<String> {
        self.with(py, |state| match state {
            State::Open(open) => open.stream.tail().to_owned(),
            State::Over { .. } => String::new(),
        })
    }

    /// How far it has come.
    #[getter]
    fn state(&self, py: Python<'_>) -> PyResult<&'static str> {
        self.with(py, |state| match state {
            State::Open(open) => open.stream.state().as_str(),
            State::Over { .. } => "finished",
        })
    }

    /// The value so far as JSON, and pointers to what is not whole in it; nothing before a value has begun.
    fn snapshot(&self, py: Python<'_>) -> PyResult<Option<(String, Vec<String>)>> {
        let snapshot = self.with(py, |state| match state {
            State::Open(open) => {
                let snapshot = open.stream.snapshot();
                Some(snapshot.has_begun().then(|| (snapshot.text(), snapshot.open())))
            }
            State::Over { .. } => None,
        })?;
        snapshot.ok_or_else(over)
    }
}
