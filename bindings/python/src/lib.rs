//! The native half of the Python package `jsonseam`: strings go in, results stay here until Python asks for their parts.
//!
//! - [`engine`] is a pipeline, [`judge`] a contract.
//! - [`columns`] repairs an Arrow column: [`rows`] is what comes in, [`results`] what goes out, [`typed`] the outputs in types of their own, [`buffers`] what arrays consist of.
//! - [`flow`] is a completion that comes in pieces, [`fields`] the outputs of one.
//! - [`calls`] reads tool calls, and heals those of a history.
//! - [`report`] holds what comes back: a repair, or a refusal. Neither is an exception: the Python half makes those.
//! - [`text`] takes text from Python objects, [`settings`] configurations; [`read`] reads JSON, [`decode`] gives values of it, and [`encode`] writes it as `json.dumps` does; [`drop_in`] says which may go without a look.
//!
//! Boundary: what users see (names, defaults, exceptions, documentation) is written in Python, below `python/jsonseam/`.
//!
//! Invariant: the interpreter's lock is released while a text is repaired, and no panic crosses the border ([`guard`]).

mod buffers;
mod calls;
mod columns;
mod decode;
mod drop_in;
mod encode;
mod engine;
mod fields;
mod flow;
mod guard;
mod judge;
mod read;
mod report;
mod results;
mod rows;
mod settings;
mod text;
mod typed;

/// The module `jsonseam._native`.
#[pyo3::pymodule]
mod _native {
    use pyo3::prelude::*;

    #[pymodule_export]
    use super::calls::{Healing, Reader, chars_at};
    #[pymodule_export]
    use super::engine::{Engine, is_cut};
    #[pymodule_export]
    use super::fields::Fields;
    #[pymodule_export]
    use super::flow::Flow;
    #[pymodule_export]
    use super::guard::panics;
    #[pymodule_export]
    use super::judge::{Judge, Parsed, Unmet};
    #[pymodule_export]
    use super::report::{Refusal, Report};
    #[pymodule_export]
    use super::settings::toml_of_json;

    #[pymodule_init]
    fn init(module: &Bound<'_, PyModule>) -> PyResult<()> {
        super::guard::silence();
        module.add("__version__", env!("CARGO_PKG_VERSION"))
    }
}
