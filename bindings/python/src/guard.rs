//! Panics end here: as a Python exception without text.

use std::panic::{self, AssertUnwindSafe};

use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;

/// Runs `work` without the interpreter's lock. A panic becomes a `RuntimeError` that holds nothing of its message, which may quote the text.
pub(crate) fn detached<T: Send>(py: Python<'_>, work: impl FnOnce() -> T + Send) -> PyResult<T> {
    py.detach(|| panic::catch_unwind(AssertUnwindSafe(work)))
        .map_err(|_| PyRuntimeError::new_err("jsonseam failed inside; this is a defect of jsonseam, please report it"))
}

/// Keeps messages of panics off the standard error: they may quote the text.
///
/// The hook is that of this library alone, which holds its own copy of the standard library of Rust.
pub(crate) fn silence() {
    panic::set_hook(Box::new(|_| {}));
}

/// Panics within the library with `message`, so that a test can see what becomes of it.
#[pyfunction]
pub(crate) fn panics(py: Python<'_>, message: String) -> PyResult<()> {
    detached(py, || std::panic::panic_any(message))
}
