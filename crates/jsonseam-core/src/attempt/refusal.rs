//! A refusal on its way to the caller.

use crate::error::Error;

/// A refusal before the locators that would have helped are known.
pub(crate) struct Refusal {
    pub(crate) error: Error,
    pub(crate) mended_by: Vec<String>,
    /// Where the fault is. Lines are counted for the refusal that is reported: each of many candidates may have one.
    pub(super) offset: Option<usize>,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self { error, mended_by: Vec::new(), offset: None }
    }
}

/// A refusal for what is at `offset`.
pub(super) fn refused_at(error: Error, offset: usize) -> Refusal {
    Refusal { offset: Some(offset), ..error.into() }
}
