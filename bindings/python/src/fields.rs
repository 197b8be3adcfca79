//! The declared outputs of a completion that is still being written.

use std::sync::{Mutex, PoisonError};

use jsonseam::FinishReason;
use jsonseam::contract::{AdapterStream, FieldEvent};
use pyo3::exceptions::{PyRuntimeError, PyValueError};
use pyo3::prelude::*;

use crate::flow::spoken;
use crate::guard::detached;
use crate::judge::{Unmet, parsed};

/// A stream of outputs.
#[pyclass(frozen, module = "jsonseam._native")]
pub(crate) struct Fields(Mutex<Option<Box<Open>>>);

struct Open {
    stream: AdapterStream,
    /// What came so far: places are counted in it.
    text: String,
}

/// An event as Python gets it.
#[derive(IntoPyObject)]
pub(crate) enum Told {
    Started(&'static str, String),
    Text(&'static str, String, String),
    Element(&'static str, String, usize, String),
    Field(&'static str, String, String),
}

/// The events, and why there are none after them.
type Events = (Vec<Told>, Option<Box<Unmet>>);

impl Fields {
    pub(crate) fn new(stream: AdapterStream) -> Self {
        Self(Mutex::new(Some(Box::new(Open { stream, text: String::new() }))))
    }

    fn with<T: Send>(
        &self,
        py: Python<'_>,
        work: impl FnOnce(&mut Option<Box<Open>>) -> Option<T> + Send,
    ) -> PyResult<T> {
        if self.0.is_poisoned() {
            return Err(PyRuntimeError::new_err("jsonseam failed inside this stream before; it cannot go on"));
        }
        let done = detached(py, || work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)))?;
        done.ok_or_else(|| PyValueError::new_err("the stream has ended: `finish` was called"))
    }
}

fn told(events: impl IntoIterator<Item = FieldEvent>, text: &str) -> Events {
    let (mut told, mut unmet) = (Vec::new(), None);
    for event in events {
        match event {
            FieldEvent::Started { name } => told.push(Told::Started("started", name)),
            FieldEvent::Text { name, text, json } => {
                let (kind, text) = spoken(text, &json);
                told.push(Told::Text(kind, name, text));
            }
            FieldEvent::Element { name, index, json } => told.push(Told::Element("element", name, index, json)),
            FieldEvent::Field { name, json } => told.push(Told::Field("field", name, json)),
            FieldEvent::Hopeless(error) => unmet = Some(Box::new(Unmet::new(error, text.as_bytes()))),
            _ => {}
        }
    }
    (told, unmet)
}

#[pymethods]
impl Fields {
    /// Takes the next piece: the events that it settled, and what nothing that follows can change.
    fn push(&self, py: Python<'_>, piece: &str) -> PyResult<(Vec<Told>, Option<Py<Unmet>>)> {
        let (events, unmet) = self.with(py, |open| {
            let Open { stream, text } = open.as_deref_mut()?;
            text.push_str(piece);
            Some(told(stream.push(piece), text))
        })?;
        Ok((events, unmet.map(|unmet| Py::new(py, *unmet)).transpose()?))
    }

    /// Ends the text: the events that are left, and the outputs or why there are none.
    #[pyo3(signature = (finish_reason=None))]
    fn finish(&self, py: Python<'_>, finish_reason: Option<String>) -> PyResult<(Vec<Told>, Py<PyAny>)> {
        let (events, result) = self.with(py, |open| {
            let Open { stream, text } = *open.take()?;
            let mut events = Vec::new();
            let result = stream.finish_with(finish_reason.map(FinishReason::from), |event| events.push(event));
            Some((told(events, &text).0, parsed(result, text.as_bytes())))
        })?;
        let result = match result {
            Ok(parsed) => Py::new(py, parsed)?.into_any(),
            Err(unmet) => Py::new(py, *unmet)?.into_any(),
        };
        Ok((events, result))
    }
}
