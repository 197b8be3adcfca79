//! The arguments of a call put to the schema of its tool.

use std::fmt;

use jsonseam_core::compact;
use jsonseam_schema::{Cast, Casts, Failure, Violation};
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use crate::tools::Tools;

/// What the check of one call found.
#[derive(Debug, Default, Serialize)]
pub struct CallCheck {
    /// The casts that were made.
    pub casts: Vec<Cast>,
    /// What does not fit; empty if the arguments do.
    pub errors: Vec<CallError>,
}

/// Why the arguments do not fit.
#[derive(Serialize)]
pub struct CallError {
    /// `missing`, `unknown`, `mistyped` or `invalid`, or why there is no verdict.
    pub kind: &'static str,
    /// The item of a record's `errors`, with the names that the model wrote.
    #[serde(flatten)]
    violation: Map<String, Value>,
}

impl CallError {
    fn of(violation: &Violation) -> Self {
        let kind = match violation.keyword() {
            "required" => "missing",
            "additionalProperties" | "unevaluatedProperties" => "unknown",
            "type" => "mistyped",
            _ => "invalid",
        };
        let violation = serde_json::to_value(violation.revealed()).ok().and_then(|item| item.as_object().cloned());
        Self { kind, violation: violation.unwrap_or_default() }
    }
}

impl CallCheck {
    /// Checks a call by its name and arguments, and casts these where the schema requires it and the cast is exact.
    pub(super) fn of(name: &RawValue, arguments: &mut Box<RawValue>, tools: &Tools) -> serde_json::Result<Self> {
        let name: String = serde_json::from_str(name.get())?;
        let mut check = Self::default();
        match tools.check(&name, arguments.get(), &Casts::COERCE) {
            None => {}
            Some(Ok(checked)) => {
                let cast = RawValue::from_string(compact(&checked.text));
                check.casts = checked.casts;
                *arguments = cast?;
            }
            Some(Err(Failure::Invalid(violations))) => check.errors = violations.iter().map(CallError::of).collect(),
            Some(Err(failure)) => {
                let message = ("message".to_owned(), Value::String(failure.to_string()));
                check.errors.push(CallError { kind: failure.reason().as_str(), violation: Map::from_iter([message]) });
            }
        }
        Ok(check)
    }
}

/// Shows the kind, and no name that the model wrote (SPEC M5).
impl fmt::Debug for CallError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CallError").field("kind", &self.kind).finish_non_exhaustive()
    }
}
