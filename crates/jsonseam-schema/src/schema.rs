//! A compiled schema, and the checks that it makes.

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::cast::cast;
use crate::check::{Casts, Checked};
use crate::compile::compile;
use crate::decode::decode_declared;
use crate::draft::Draft;
use crate::error::{Failure, SchemaError, SchemaReason};
use crate::evaluate::{Evaluation, weight};
use crate::graph::Graph;
use crate::index::{DEFAULT_ADDRESS, Index};
use crate::limits::{MAX_SCHEMA_BYTES, budget, is_shallow};
use crate::tame::{self, Verdict};
use crate::walk;

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

pub(crate) struct Compiled {
    source: Value,
    pub(crate) graph: Graph,
    verdict: Verdict,
}

/// How a schema is compiled: its draft, and other schemas that it may refer to.
///
/// ```
/// use jsonseam_schema::{Draft, Schema};
///
/// let schema = Schema::options()
///     .draft(Draft::Draft7)
///     .resource("https://example.com/name.json", r#"{"type": "string"}"#)
///     .compile(r#"{"items": {"$ref": "https://example.com/name.json"}}"#)?;
///
/// assert!(schema.is_valid(&serde_json::json!(["a"])));
/// assert!(!schema.is_valid(&serde_json::json!([1])));
/// # Ok::<(), jsonseam_schema::SchemaError>(())
/// ```
#[derive(Clone, Default)]
pub struct SchemaOptions {
    draft: Draft,
    address: Option<String>,
    resources: Vec<(String, String)>,
}

impl SchemaOptions {
    /// The draft of schemas that name none with `$schema`; 2020-12 by default.
    #[must_use]
    pub fn draft(mut self, draft: Draft) -> Self {
        self.draft = draft;
        self
    }

    /// The address of the schema itself, which its relative references are resolved against.
    #[must_use]
    pub fn address(mut self, address: impl Into<String>) -> Self {
        self.address = Some(address.into());
        self
    }

    /// Registers a schema under an address, so that references may lead to it. Nothing is ever fetched.
    #[must_use]
    pub fn resource(mut self, address: impl Into<String>, text: impl Into<String>) -> Self {
        self.resources.push((address.into(), text.into()));
        self
    }

    /// Compiles a schema with these options.
    ///
    /// Refuses with a [`SchemaError`] what is no schema, leads out of what is known, or could not be checked in bounded time.
    pub fn compile(&self, text: &str) -> Result<Schema, SchemaError> {
        self.compile_value(read(text)?)
    }

    /// Compiles a schema that is already decoded.
    pub fn compile_value(&self, source: Value) -> Result<Schema, SchemaError> {
        if !is_shallow(&source) {
            return Err(SchemaError::new(SchemaReason::TooDeep));
        }
        if weight(&source) > MAX_SCHEMA_BYTES as u64 {
            return Err(SchemaError::new(SchemaReason::TooLarge));
        }
        let mut registered = Vec::with_capacity(self.resources.len());
        for (address, text) in &self.resources {
            let value = read(text)?;
            if !is_shallow(&value) {
                return Err(SchemaError::new(SchemaReason::TooDeep));
            }
            registered.push((address.clone(), value));
        }
        let registered: Vec<(String, &Value)> =
            registered.iter().map(|(address, value)| (address.clone(), value)).collect();
        let mut index = Index::new(&registered, self.draft)?;
        let root = index.add(self.address.as_deref().unwrap_or(DEFAULT_ADDRESS), &source)?;
        let draft = index.get(root).draft;
        if !draft.is_schema(&source) {
            return Err(SchemaError::new(SchemaReason::NotASchema));
        }
        let graph = compile(&mut index, root)?;
        let verdict = tame::verdict(&graph, &source, draft, &registered);
        Ok(Schema(Arc::new(Compiled { source, graph, verdict })))
    }
}

impl fmt::Debug for SchemaOptions {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SchemaOptions")
            .field("draft", &self.draft)
            .field("resources", &self.resources.len())
            .finish_non_exhaustive()
    }
}

fn read(text: &str) -> Result<Value, SchemaError> {
    if text.len() > MAX_SCHEMA_BYTES {
        return Err(SchemaError::new(SchemaReason::TooLarge));
    }
    serde_json::from_str(text).map_err(|error| {
        // serde_json reads 127 levels; a text that is JSON and no value is deeper, or holds what no schema needs.
        let is_json = error.is_syntax() && serde_json::from_str::<&serde_json::value::RawValue>(text).is_ok();
        SchemaError::new(if is_json { SchemaReason::TooDeep } else { SchemaReason::NotJson })
    })
}

impl Schema {
    /// Compiles a schema of draft 2020-12, or of the draft that its `$schema` names.
    ///
    /// Refuses with a [`SchemaError`] what is no schema, leads out of itself, or could not be checked in bounded time.
    pub fn compile(text: &str) -> Result<Self, SchemaError> {
        Self::options().compile(text)
    }

    /// Compiles a schema that is already decoded.
    pub fn from_value(source: Value) -> Result<Self, SchemaError> {
        Self::options().compile_value(source)
    }

    /// The options of a compilation, to be changed.
    pub fn options() -> SchemaOptions {
        SchemaOptions::default()
    }

    /// The schema of a Rust type (draft 2020-12).
    ///
    /// ```
    /// use jsonseam_schema::{Casts, Schema, schemars};
    ///
    /// #[derive(Debug, serde::Deserialize, schemars::JsonSchema)]
    /// struct Order { id: u32, paid: Option<bool> }
    ///
    /// let schema = Schema::of::<Order>()?;
    /// let order: Order = schema.decode(r#"{"id": "7"}"#, &Casts::ALL).unwrap();
    /// assert_eq!(order.id, 7);
    ///
    /// let failure = schema.decode::<Order>(r#"{"id": -7}"#, &Casts::NONE).unwrap_err();
    /// assert_eq!(failure.violations()[0].message(), r#"Field "id": Value is too small (min: 0)"#);
    /// # assert_eq!(order.paid, None);
    /// # Ok::<(), jsonseam_schema::SchemaError>(())
    /// ```
    pub fn of<T: schemars::JsonSchema>() -> Result<Self, SchemaError> {
        Self::from_value(schemars::schema_for!(T).to_value())
    }

    /// The schema as it was given.
    pub fn source(&self) -> &Value {
        &self.0.source
    }

    /// Whether a value fits. What cannot be told within the budget does not.
    pub fn is_valid(&self, value: &Value) -> bool {
        let bytes = usize::try_from(weight(value)).unwrap_or(usize::MAX).saturating_mul(2);
        self.verdict(value, bytes).unwrap_or(false)
    }

    #[cfg(test)]
    pub(crate) fn graph(&self) -> &Graph {
        &self.0.graph
    }

    /// Whether the library is asked first.
    #[cfg(test)]
    pub(crate) fn is_tame(&self) -> bool {
        self.0.verdict.of(&Value::Null, 0).is_some()
    }

    /// Whether a value of a text this long fits.
    fn verdict(&self, value: &Value, bytes: usize) -> Result<bool, Failure> {
        if let Some(verdict) = self.0.verdict.of(value, bytes) {
            return Ok(verdict);
        }
        let mut evaluation = Evaluation::new(&self.0.graph, budget(bytes));
        evaluation.is_valid(self.0.graph.root, value, 0).map_err(|_| Failure::Budget)
    }

    /// Checks a JSON text, and casts what may be cast.
    ///
    /// The text is judged as a `serde_json::Value`; outside casts it comes back byte for byte, so digits, escapes and white space are what they were.
    ///
    /// ```
    /// use jsonseam_schema::{CastKind, Casts, Schema};
    ///
    /// let schema = Schema::compile(r#"{"properties": {"n": {"type": "number"}, "unit": {"default": "m"}}}"#)?;
    /// let checked = schema.check(r#"{ "n": "1.10" }"#, &Casts::ALL).unwrap();
    ///
    /// assert_eq!(checked.text, r#"{ "n": 1.10, "unit": "m" }"#);
    /// assert_eq!(checked.casts[0].kind(), CastKind::Default);
    /// assert_eq!((checked.casts[1].path(), checked.casts[1].kind()), ("/n", CastKind::StringToNumber));
    /// # Ok::<(), jsonseam_schema::SchemaError>(())
    /// ```
    pub fn check<'a>(&self, text: &'a str, casts: &Casts) -> Result<Checked<'a>, Failure> {
        let value: Value = serde_json::from_str(text).map_err(|_| Failure::NotRepresentable)?;
        let is_valid = self.verdict(&value, text.len())?;
        if *casts == Casts::NONE {
            let checked = || Checked::new(Cow::Borrowed(text), Vec::new(), &value);
            return if is_valid { Ok(checked()) } else { Err(self.failure(&value, text.len())) };
        }
        let Ok(cast) = cast(&self.0.graph, *casts, text, &value, budget(text.len())) else {
            return Err(if is_valid { Failure::Budget } else { self.failure(&value, text.len()) });
        };
        if cast.casts.is_empty() && is_valid {
            return Ok(Checked::new(cast.text, Vec::new(), &value));
        }
        // What counts is the text as it is now, read and judged once more.
        let Ok(value_now) = serde_json::from_str(&cast.text) else { return Err(self.failure(&value, text.len())) };
        if self.verdict(&value_now, cast.text.len())? {
            return Ok(Checked::new(cast.text, cast.casts, &value_now));
        }
        if is_valid {
            // The casts together made unfit what was fit without them.
            return Ok(Checked::new(Cow::Borrowed(text), Vec::new(), &value));
        }
        Err(self.failure(&value_now, cast.text.len()))
    }

    /// What a value that does not fit is told.
    fn failure(&self, value: &Value, bytes: usize) -> Failure {
        match walk::violations(&self.0.graph, value, budget(bytes)) {
            Ok(violations) if !violations.is_empty() => Failure::Invalid(violations),
            // The two verdicts differ, which the suite and the tests know no case of: what is not told is not accepted.
            _ => Failure::Budget,
        }
    }

    /// Checks a text and decodes it as `T` from its own bytes.
    ///
    /// Of members that repeat a name the type gets the last, which is the one that was checked.
    pub fn decode<T: DeserializeOwned>(&self, text: &str, casts: &Casts) -> Result<T, Failure> {
        let checked = self.check(text, casts)?;
        decode_declared(&checked.without_repeats(), &self.0.graph.declared)
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Schema").field("nodes", &self.0.graph.nodes.len()).finish_non_exhaustive()
    }
}
