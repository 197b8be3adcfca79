//! A compiled schema, and the checks that it makes.

mod of_type;

use std::borrow::Cow;
use std::fmt;
use std::sync::Arc;

use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::cast::cast;
use crate::check::{Casts, Checked};
use crate::compile::{MAX_NODES, Reading, compile};
use crate::decode::decode_declared;
use crate::direct::surely_fits;
use crate::draft::{Draft, keyword_at};
use crate::error::{Failure, SchemaError, SchemaReason};
use crate::evaluate::{Evaluation, weight};
use crate::exact::{Exact, NONE, Spelled, value_of};
use crate::format::Formats;
use crate::graph::Graph;
use crate::index::{DEFAULT_ADDRESS, Index};
use crate::limits::{MAX_SCHEMA_BYTES, budget, is_shallow};
use crate::outline::Outline;
use crate::own;
use crate::spans::{line_of, locate};
use crate::unwrap::{lower_case, says_nothing, unwrapped};
use crate::violation::{Segment, Violation};
use crate::{meta, walk};

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
    /// The source in its own spelling.
    text: Box<str>,
    pub(crate) graph: Graph,
    asserts_formats: bool,
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
    draft: Option<Draft>,
    formats: Formats,
    aliases: Vec<(String, String)>,
    address: Option<String>,
    resources: Vec<(String, String)>,
}

impl SchemaOptions {
    /// The draft of schemas whose `$schema` is missing or names none that is known or registered.
    ///
    /// Without a choice, an unknown `$schema` is refused, and a schema that names none is read by the first of 2020-12,
    /// 2019-09 and `OpenAPI` 3.0 whose meta-schema it fits;
    /// `nullable` counts there, as no JSON Schema of these drafts has it with another meaning.
    #[must_use]
    pub fn draft(mut self, draft: Draft) -> Self {
        self.draft = Some(draft);
        self
    }

    /// Whether `format` is an assertion. Off by default, as the drafts have it.
    ///
    /// Asserted are `date`, `time`, `date-time`, `duration`, `email`, `idn-email`, `hostname`, `ipv4`, `ipv6`, `uri`,
    /// `url`, `uri-reference`, `iri`, `iri-reference`,
    /// `uri-template`, `uuid`, `json-pointer`, `relative-json-pointer`, `regex`, and the integers `int8` to `int64` and
    /// `uint8` to `uint64`. Any other is let through.
    ///
    /// ```
    /// use jsonseam_schema::Schema;
    ///
    /// let schema = Schema::options().formats(true).compile(r#"{"type": "string", "format": "date"}"#)?;
    /// assert!(schema.is_valid(&"2026-11-22".into()));
    /// assert!(!schema.is_valid(&"yesterday".into()));
    /// # Ok::<(), jsonseam_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn formats(mut self, asserts: bool) -> Self {
        self.formats = Formats { of_strings: asserts, of_numbers: asserts };
        self
    }

    /// The address of the schema itself, which its relative references are resolved against.
    #[must_use]
    pub fn address(mut self, address: impl Into<String>) -> Self {
        self.address = Some(address.into());
        self
    }

    /// Takes the key `alias` for the property `field`, in every object that declares `field` and not `alias` and holds `alias` alone. Recorded as a cast.
    ///
    /// ```
    /// use jsonseam_schema::{CastKind, Casts, Schema};
    ///
    /// let schema = Schema::options().alias("zip", "postcode").compile(r#"{"properties": {"zip": {"type": "string"}}, "required": ["zip"]}"#)?;
    /// let checked = schema.check(r#"{"postcode": "0150"}"#, &Casts::NONE).unwrap();
    /// assert_eq!((checked.text.as_ref(), checked.casts[0].kind()), (r#"{"zip": "0150"}"#, CastKind::Alias));
    /// # Ok::<(), jsonseam_schema::SchemaError>(())
    /// ```
    #[must_use]
    pub fn alias(mut self, field: impl Into<String>, alias: impl Into<String>) -> Self {
        self.aliases.push((field.into(), alias.into()));
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
    /// Refuses with a [`SchemaError`] what is not a schema, leads out of what is known, or could not be checked in bounded time.
    pub fn compile(&self, text: &str) -> Result<Schema, SchemaError> {
        let spelled = Spelled::of(text, &self.resources);
        self.compile_spelled(read(&spelled.schema)?, text, spelled).map_err(|error| {
            let line = error.place().filter(|_| error.is_here()).and_then(|place| line_of(text, place));
            match line {
                Some(line) => error.on_line(line),
                None => error,
            }
        })
    }

    /// Compiles a schema that is already decoded. Its members have the order that the map gives them, which sorts their names
    /// unless the feature `preserve_order` of `serde_json` is on; [`compile`](Self::compile) keeps the order of a text.
    ///
    /// Wrappers of the well-known interfaces are taken off first:
    /// `OpenAI`'s `{"name", "strict", "schema"}`, Anthropic's `input_schema`, MCP's `inputSchema`, Gemini's `responseSchema`.
    pub fn compile_value(&self, source: Value) -> Result<Schema, SchemaError> {
        check_size(&source)?;
        let text = source.to_string();
        self.compile_spelled(source, &text, Spelled::of(&text, &self.resources))
    }

    /// Compiles a schema that `text` spells.
    fn compile_spelled(&self, source: Value, text: &str, spelled: Spelled<'_>) -> Result<Schema, SchemaError> {
        check_size(&source)?;
        let (inner, pointer) = unwrapped(&source);
        if pointer.is_empty() {
            return self.compile_bare(source, text, spelled);
        }
        self.compile_bare(inner.clone(), own::at(text, &pointer), spelled).map_err(|error| error.within(&pointer))
    }

    fn compile_bare(&self, source: Value, text: &str, spelled: Spelled<'_>) -> Result<Schema, SchemaError> {
        let mut registered = Vec::with_capacity(self.resources.len());
        for ((address, _), text) in self.resources.iter().zip(&spelled.resources) {
            let value = read(text)?;
            if !is_shallow(&value) {
                return Err(SchemaError::new(SchemaReason::TooDeep));
            }
            registered.push((address.clone(), value));
        }
        let registered: Vec<(String, &Value)> =
            registered.iter().map(|(address, value)| (address.clone(), value)).collect();
        let is_named = source.get("$schema").is_some();
        let (source, draft, is_checked) = match self.draft {
            None if !is_named => fitting(source),
            draft => (source, draft.unwrap_or_default(), false),
        };
        let mut index = Index::new(&registered, draft).map_err(SchemaError::elsewhere)?;
        index.chosen_draft = self.draft;
        let root = index.add(self.address.as_deref().unwrap_or(DEFAULT_ADDRESS), &source)?;
        let draft = index.get(root).draft;
        let reading = Reading {
            formats: self.formats,
            is_nullable_known: self.draft.is_none() && !is_named,
            aliases: self.aliases.clone(),
            exact: spelled.exact,
        };
        if says_nothing(&source, draft, reading.is_nullable_known) {
            return Err(SchemaError::new(SchemaReason::NoKeyword));
        }
        let blamed = |error: SchemaError| {
            let keyword = error.place().filter(|_| error.is_here()).and_then(|place| keyword_at(&source, draft, place));
            error.of_keyword(keyword)
        };
        if !is_checked {
            meta::check(draft, &source, serialised_len(&source)).map_err(|fault| match fault {
                Some(fault) => {
                    let sentence = format!("{} (by the meta-schema of {})", fault.message, draft.as_str());
                    blamed(SchemaError::at(SchemaReason::NotASchema, &fault.place).because(&sentence))
                }
                None => SchemaError::new(SchemaReason::TooComplex),
            })?;
        }
        let document = index.get(root).place.document;
        let graph = compile(&mut index, root, &reading).map_err(|error| blamed(error.seen_from(document)))?;
        let text = own::spelled(text, &source);
        Ok(Schema(Arc::new(Compiled { source, text, graph, asserts_formats: self.formats.of_strings })))
    }
}

/// Refuses what is too deep or too large to be looked at.
fn check_size(source: &Value) -> Result<(), SchemaError> {
    if !is_shallow(source) {
        return Err(SchemaError::new(SchemaReason::TooDeep));
    }
    if weight(source) > MAX_SCHEMA_BYTES as u64 {
        return Err(SchemaError::new(SchemaReason::TooLarge));
    }
    if parts(source) > MAX_NODES {
        return Err(SchemaError::new(SchemaReason::TooComplex));
    }
    Ok(())
}

/// How many objects a value is made of: at least as many as there are schemas in it.
fn parts(value: &Value) -> usize {
    match value {
        Value::Array(items) => items.iter().map(parts).sum(),
        Value::Object(members) => 1 + members.values().map(parts).sum::<usize>(),
        _ => 0,
    }
}

/// How long a value is as a text, at most.
fn serialised_len(value: &Value) -> usize {
    usize::try_from(weight(value)).unwrap_or(usize::MAX).saturating_mul(64).min(MAX_SCHEMA_BYTES)
}

/// A schema that names no draft, the newest draft that it fits, and whether it fits any; if not, the default draft says what is wrong.
fn fitting(source: Value) -> (Value, Draft, bool) {
    let fits = |draft: &Draft, source: &Value| meta::check(*draft, source, serialised_len(source)).is_ok();
    let newest = [Draft::Draft202012, Draft::Draft201909, Draft::OpenApi30];
    if let Some(draft) = newest.into_iter().find(|draft| fits(draft, &source)) {
        return (source, draft, true);
    }
    match lower_case(&source).filter(|lowered| fits(&Draft::OpenApi30, lowered)) {
        Some(lowered) => (lowered, Draft::OpenApi30, true),
        None => (source, Draft::default(), false),
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
        if is_json {
            return SchemaError::new(SchemaReason::TooDeep);
        }
        SchemaError::new(SchemaReason::NotJson).on_line(error.line())
    })
}

impl Schema {
    /// Compiles a schema of the draft that its `$schema` names; [`SchemaOptions::draft`] says how one is read that names none.
    ///
    /// Refuses with a [`SchemaError`] what is not a schema, leads out of itself, or could not be checked in bounded time.
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
    /// let order: Order = schema.decode(r#"{"id": "7"}"#, &Casts::EXACT).unwrap();
    /// assert_eq!(order.id, 7);
    ///
    /// let failure = schema.decode::<Order>(r#"{"id": -7}"#, &Casts::NONE).unwrap_err();
    /// assert_eq!(failure.violations()[0].message(), r#"Field "id": Value is too small (min: 0)"#);
    /// # assert_eq!(order.paid, None);
    /// # Ok::<(), jsonseam_schema::SchemaError>(())
    /// ```
    pub fn of<T: schemars::JsonSchema>() -> Result<Self, SchemaError> {
        Self::options().of::<T>()
    }

    /// The schema as it was given, but without its wrapper, and with types in lower case.
    pub fn source(&self) -> &Value {
        &self.0.source
    }

    /// The schema in its own spelling: members in their order, digits and escapes as they were given; else like [`source`](Self::source).
    ///
    /// It is what a server or a model should be given: models write the fields of an answer in the order of the schema.
    ///
    /// ```
    /// use jsonseam_schema::Schema;
    ///
    /// let schema = Schema::compile(r#"{ "properties": {"reasoning": {}, "answer": {"maximum": 1.0} } }"#)?;
    /// assert_eq!(schema.text(), r#"{"properties":{"reasoning":{},"answer":{"maximum":1.0}}}"#);
    /// # Ok::<(), jsonseam_schema::SchemaError>(())
    /// ```
    pub fn text(&self) -> &str {
        &self.0.text
    }

    /// Whether `format` is an assertion, as [`SchemaOptions::formats`] has set it.
    pub fn asserts_formats(&self) -> bool {
        self.0.asserts_formats
    }

    /// Whether the schema names this property somewhere. Other names are data, and no message shows them.
    ///
    /// ```
    /// let schema = jsonseam_schema::Schema::compile(r#"{"properties": {"n": {"type": "number"}}}"#)?;
    /// assert!(schema.declares("n") && !schema.declares("m"));
    /// # Ok::<(), jsonseam_schema::SchemaError>(())
    /// ```
    pub fn declares(&self, name: &str) -> bool {
        self.0.graph.declared.contains(name)
    }

    /// What the schema says of values place by place: what fits it fits its outline too. Bounded, so that a schema which refers to itself has one.
    ///
    /// ```
    /// use jsonseam_schema::Schema;
    ///
    /// let schema = Schema::compile(r#"{"properties": {"n": {"type": ["integer", "null"]}}, "required": ["n"]}"#)?;
    /// let outline = schema.outline();
    /// assert!(outline.keys["n"].has("number") && !outline.keys["n"].has("string") && outline.required.contains("n"));
    /// # Ok::<(), jsonseam_schema::SchemaError>(())
    /// ```
    pub fn outline(&self) -> Outline {
        Outline::of(&self.0.graph)
    }

    /// Whether a value fits. What cannot be told within the budget does not.
    pub fn is_valid(&self, value: &Value) -> bool {
        let bytes = usize::try_from(weight(value)).unwrap_or(usize::MAX).saturating_mul(2);
        self.verdict(value, &NONE, bytes).unwrap_or(false)
    }

    pub(crate) fn graph(&self) -> &Graph {
        &self.0.graph
    }

    /// Whether a value of a text this long fits.
    fn verdict(&self, value: &Value, exact: &Exact, bytes: usize) -> Result<bool, Failure> {
        let mut evaluation = Evaluation::new(&self.0.graph, budget(bytes)).exactly(exact);
        evaluation.is_valid(self.0.graph.root, value, 0).map_err(|_| Failure::Budget)
    }

    /// Checks a JSON text, and casts what may be cast.
    ///
    /// Numbers are compared as the decimals that they spell, also beyond 64 bits and floats; outside casts it comes back byte for byte, so digits, escapes and white space are what they were.
    ///
    /// ```
    /// use jsonseam_schema::{CastKind, Casts, Schema};
    ///
    /// let schema = Schema::compile(r#"{"properties": {"n": {"type": "number"}, "unit": {"default": "m"}}}"#)?;
    /// let checked = schema.check(r#"{ "n": "1.10" }"#, &Casts::EXACT).unwrap();
    ///
    /// assert_eq!(checked.text, r#"{ "n": 1.10, "unit": "m" }"#);
    /// assert_eq!(checked.casts[0].kind(), CastKind::Default);
    /// assert_eq!((checked.casts[1].path(), checked.casts[1].kind()), ("/n", CastKind::StringToNumber));
    /// # Ok::<(), jsonseam_schema::SchemaError>(())
    /// ```
    pub fn check<'a>(&self, text: &'a str, casts: &Casts) -> Result<Checked<'a>, Failure> {
        let is_plain = *casts == Casts::NONE && !self.0.graph.has_aliases;
        if is_plain && surely_fits(&self.0.graph, text) {
            return Ok(Checked { text: Cow::Borrowed(text), casts: Vec::new(), repeated: Vec::new() });
        }
        let (value, exact) = value_of(text).map_err(|_| Failure::NotRepresentable)?;
        let is_valid = self.verdict(&value, &exact, text.len())?;
        if is_plain {
            let checked = || Checked::new(Cow::Borrowed(text), Vec::new(), &value);
            return if is_valid { Ok(checked()) } else { Err(self.failure(&value, &exact, text)) };
        }
        let Ok(cast) = cast(&self.0.graph, self.0.graph.root, *casts, text, (&value, &exact), budget(text.len()))
        else {
            return Err(if is_valid { Failure::Budget } else { self.failure(&value, &exact, text) });
        };
        if cast.casts.is_empty() && is_valid {
            return Ok(Checked::new(cast.text, Vec::new(), &value));
        }
        // What counts is the text as it is now, read and judged once more.
        let Ok((value_now, exact_now)) = value_of(&cast.text) else { return Err(self.failure(&value, &exact, text)) };
        if self.verdict(&value_now, &exact_now, cast.text.len())? {
            return Ok(Checked::new(cast.text, cast.casts, &value_now));
        }
        if is_valid {
            // The casts together made unfit what was fit without them.
            return Ok(Checked::new(Cow::Borrowed(text), Vec::new(), &value));
        }
        Err(self.failure(&value_now, &exact_now, &cast.text))
    }

    /// The violations of a value that does not fit.
    fn failure(&self, value: &Value, exact: &Exact, text: &str) -> Failure {
        match walk::violations(&self.0.graph, self.0.graph.root, (value, exact), budget(text.len())) {
            Ok(mut violations) if !violations.is_empty() => {
                number_hidden(text, &mut violations);
                Failure::Invalid(violations)
            }
            // The evaluation and the walk differ, which the suite and the tests know no case of: what is not reported is not accepted.
            _ => Failure::Budget,
        }
    }

    /// Checks a text and decodes it as `T` from its own bytes.
    ///
    /// Of members that repeat a name the type gets the last, which is the one that was checked.
    pub fn decode<T: DeserializeOwned>(&self, text: &str, casts: &Casts) -> Result<T, Failure> {
        let checked = self.check(text, casts)?;
        self.decode_checked(&checked.without_repeats())
    }

    /// Decodes a text that was checked before as `T`. What the type refuses is reported with the names that this schema declares.
    pub fn decode_checked<T: DeserializeOwned>(&self, text: &str) -> Result<T, Failure> {
        decode_declared(text, &self.0.graph.declared)
    }
}

/// Tells which key of its object each undeclared name on the way to a violation is, so that the name itself need not be shown.
pub(crate) fn number_hidden(text: &str, violations: &mut [Violation]) {
    let mut paths: Vec<&[Segment]> = Vec::new();
    let mut owners = Vec::new();
    for (owner, violation) in violations.iter().enumerate() {
        for (at, segment) in violation.segments.iter().enumerate() {
            if matches!(segment, Segment::Key(name) if !violation.declared.contains(name)) {
                paths.push(&violation.segments[..=at]);
                owners.push(owner);
            }
        }
    }
    if paths.is_empty() {
        return;
    }
    let numbers: Vec<usize> = locate(text, &paths).into_iter().map(|spot| spot.map_or(0, |spot| spot.number)).collect();
    for (owner, number) in owners.into_iter().zip(numbers).filter(|(_, number)| *number > 0) {
        violations[owner].numbers.push(number);
    }
}

impl fmt::Debug for Schema {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Schema").field("nodes", &self.0.graph.nodes.len()).finish_non_exhaustive()
    }
}
