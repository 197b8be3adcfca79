//! What the tests of the adapter share.

use jsonseam_adapter::{Adapter, AdapterBuilder, Error};
use jsonseam_core::Catalogue;

/// A builder with the built-in rules.
pub(crate) fn builder() -> AdapterBuilder {
    Adapter::builder().catalogue(|| Catalogue::new(jsonseam_rules::all(), jsonseam_rules::PRESETS))
}

/// An adapter of these outputs, all required.
pub(crate) fn adapter(outputs: &[&str]) -> Adapter {
    builder().outputs(outputs.iter().copied()).build().expect("the contract holds")
}

/// Code and reason of the error that a completion gives.
pub(crate) fn refusal(adapter: &Adapter, completion: &str) -> (String, String) {
    let error = adapter.parse(completion).expect_err("it is refused");
    told(&error)
}

/// Code and reason.
pub(crate) fn told(error: &Error) -> (String, String) {
    (error.code().to_string(), error.reason().to_string())
}

/// Code and reason, to compare with.
pub(crate) fn said(code: &str, reason: &str) -> (String, String) {
    (code.to_owned(), reason.to_owned())
}
