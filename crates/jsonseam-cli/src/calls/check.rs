//! `calls --check`: the arguments of each call put to the schema of its tool.

use anyhow::Context;
use jsonseam::contract::{Cast, Casts, Failure, Violation};
use jsonseam::toolcall::Tools;
use serde::Serialize;
use serde_json::value::RawValue;
use serde_json::{Map, Value};

use super::Call;

/// What the check of one call found.
#[derive(Debug, Serialize)]
pub(crate) struct Check {
    casts: Vec<Cast>,
    pub(super) errors: Vec<Error>,
}

/// Why the arguments do not fit.
#[derive(Debug, Serialize)]
pub(crate) struct Error {
    kind: &'static str,
    /// The item of a record's `errors`, with the names that the model wrote.
    #[serde(flatten)]
    violation: Map<String, Value>,
}

impl Error {
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

/// Checks a call, and casts its arguments where the schema requires it and the cast is exact.
pub(super) fn check(call: &mut Call, tools: &Tools) -> anyhow::Result<()> {
    let name: String = serde_json::from_str(call.name.get()).context("a name cannot be read")?;
    let mut check = Check { casts: Vec::new(), errors: Vec::new() };
    match tools.check(&name, call.arguments.get(), &Casts::COERCE) {
        None => {}
        Some(Ok(checked)) => {
            let cast = RawValue::from_string(jsonseam::record::compact(&checked.text));
            check.casts = checked.casts;
            call.arguments = cast.context("cast arguments cannot be read")?;
        }
        Some(Err(Failure::Invalid(violations))) => check.errors = violations.iter().map(Error::of).collect(),
        Some(Err(failure)) => {
            let message = ("message".to_owned(), Value::String(failure.to_string()));
            check.errors.push(Error { kind: failure.reason().as_str(), violation: Map::from_iter([message]) });
        }
    }
    call.check = Some(check);
    Ok(())
}
