//! Validators: what code says about outputs that fit their schemas.

use std::fmt;
use std::sync::Arc;

use jsonseam_schema::Violation;

use crate::error::Error;
use crate::outputs::Outputs;

/// What a validator has against the outputs.
///
/// `Debug` shows no message, which may quote the answer (SPEC M5). A `&str` or a `String` is an objection against the whole;
/// an error of [`Outputs::get`] becomes one, with its message for a model.
///
/// ```
/// use jsonseam_adapter::{Adapter, Objection};
///
/// let adapter = Adapter::builder().output("from").output("to").validator(|outputs| {
///     let (from, to): (u32, u32) = (outputs.get("from")?, outputs.get("to")?);
///     if from <= to { Ok(()) } else { Err(Objection::of("to", "Value is less than `from`")) }
/// });
/// let error = adapter.build()?.parse("{\"from\": 7, \"to\": 3}").unwrap_err();
/// assert_eq!(error.field(), Some("to"));
/// # Ok::<(), jsonseam_adapter::Error>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Objection {
    keys: Vec<String>,
    message: String,
}

impl Objection {
    /// An objection against the outputs together.
    pub fn new(message: impl Into<String>) -> Self {
        Self { keys: Vec::new(), message: message.into() }
    }

    /// An objection against one output.
    pub fn of(output: &str, message: impl Into<String>) -> Self {
        Self { keys: vec![output.to_owned()], message: message.into() }
    }

    /// The same objection, against what is further in under this key.
    #[must_use]
    pub fn inside(mut self, key: &str) -> Self {
        self.keys.push(key.to_owned());
        self
    }

    fn violation(&self) -> Violation {
        let keys: Vec<&str> = self.keys.iter().map(String::as_str).collect();
        Violation::of_validator(&keys, self.message.as_str())
    }
}

impl From<&str> for Objection {
    fn from(message: &str) -> Self {
        Self::new(message)
    }
}

impl From<String> for Objection {
    fn from(message: String) -> Self {
        Self::new(message)
    }
}

impl From<Error> for Objection {
    fn from(error: Error) -> Self {
        Self { keys: error.field().map(str::to_owned).into_iter().collect(), message: error.llm_message() }
    }
}

impl fmt::Debug for Objection {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Objection").field("keys", &self.keys).finish_non_exhaustive()
    }
}

type Judge = dyn Fn(&Outputs) -> Result<(), Objection> + Send + Sync;

/// A closure that judges outputs.
#[derive(Clone)]
pub(crate) struct Validator(Arc<Judge>);

impl Validator {
    pub(crate) fn new(judge: impl Fn(&Outputs) -> Result<(), Objection> + Send + Sync + 'static) -> Self {
        Self(Arc::new(judge))
    }

    pub(crate) fn violation(&self, outputs: &Outputs) -> Option<Violation> {
        (self.0)(outputs).err().map(|objection| objection.violation())
    }
}

impl fmt::Debug for Validator {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.write_str("Validator")
    }
}
