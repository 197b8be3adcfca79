//! A refusal on its way to the caller.

use crate::engine::Help;
use crate::results::error::Error;

/// A refusal whose place is not counted yet.
pub(crate) struct Refusal {
    pub(crate) error: Error,
    /// What the rules that are off would have done, if someone asks.
    pub(crate) help: Option<Box<Help>>,
    /// Where the fault is. Lines are counted for the refusal that is reported: each of many candidates may have one.
    pub(super) offset: Option<usize>,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self { error, help: None, offset: None }
    }
}

/// A refusal for what is at `offset`.
pub(super) fn refused_at(error: Error, offset: usize) -> Refusal {
    Refusal { offset: Some(offset), ..error.into() }
}
