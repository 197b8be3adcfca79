//! What does not fit: our own type of validation errors, with messages that a model can act on.

use std::collections::BTreeSet;
use std::fmt;
use std::sync::Arc;

use jsonseam_text::pointer;
use serde::ser::{Serialize, SerializeStruct, Serializer};

/// What those who must not see the value read of a validator's objection.
const REFUSED: &str = "Value is refused by a validator";
/// What an undeclared name is shown as.
const HIDDEN: &str = "*";
/// How many characters of a schema's own text a message may hold.
const MAX_EXPECTED: usize = 200;
/// How many names a message has.
const MAX_NAMES: usize = 10;

/// The names that a schema declares.
///
/// They are the developer's words, so they may be shown; any other name in a pointer is the model's.
pub(crate) type Declared = Arc<BTreeSet<Box<str>>>;

/// One step of a path into a value.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Segment {
    Key(Box<str>),
    Index(usize),
}

/// What is wrong at a place, as far as the message depends on it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum Problem {
    /// `Expected X, got Y`, where Y is the kind that was found.
    Expected,
    /// Keys that the schema does not allow, in the order of the text.
    Unrecognized {
        /// The first of them.
        names: Vec<Box<str>>,
        /// How many there are.
        count: usize,
    },
    /// A sentence without any text of the value.
    Says(String),
    /// What a validator says, which may hold any text.
    Objection(String),
}

/// One way in which a value does not fit its schema.
///
/// The names that the schema declares are shown;
/// every other name is the model's text and shown as `*` in [`Violation::message`], in `Display`, `Debug` and in the serialised form (SPEC M5).
/// Who may see the model's text asks for it:
/// [`Violation::path`], [`Violation::unrecognized`], [`Violation::llm_message`] and [`Violation::revealed`] tell everything.
///
/// ```
/// use jsonseam_schema::{Casts, Failure, Schema};
///
/// let schema = Schema::compile(r#"{"properties": {"name": {"type": "string"}}, "required": ["id"]}"#)?;
/// let Err(Failure::Invalid(violations)) = schema.check(r#"{"name": 7}"#, &Casts::default()) else { panic!() };
///
/// assert_eq!(violations[0].path(), "/id");
/// assert_eq!(violations[0].found(), "undefined");
/// assert_eq!(violations[1].path(), "/name");
/// assert_eq!(violations[1].schema_path(), "/properties/name/type");
/// assert_eq!(violations[1].message(), r#"Field "name": Expected string, got number"#);
/// # Ok::<(), jsonseam_schema::SchemaError>(())
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct Violation {
    pub(crate) segments: Vec<Segment>,
    pub(crate) schema_path: String,
    pub(crate) keyword: &'static str,
    pub(crate) expected: String,
    pub(crate) found: &'static str,
    pub(crate) problem: Problem,
    pub(crate) declared: Declared,
    /// Which key of its object each undeclared name on the path is, from 1, as far as the text was at hand.
    pub(crate) numbers: Vec<usize>,
}

impl Violation {
    /// A finding of code and not of a schema, about the value under these keys: what a validator says.
    ///
    /// Its message may hold any text, so it is for the model alone: [`Violation::llm_message`] has it, and [`Violation::message`] does not.
    ///
    /// ```
    /// use jsonseam_schema::Violation;
    ///
    /// let violation = Violation::of_validator(&["total"], "must be the sum of the lines, 42.50");
    /// assert_eq!(violation.message(), r#"Field "total": Value is refused by a validator"#);
    /// assert_eq!(violation.llm_message(), r#"Field "total": must be the sum of the lines, 42.50"#);
    /// ```
    pub fn of_validator(keys: &[&str], message: impl Into<String>) -> Self {
        let mut declared = BTreeSet::new();
        declared.extend(keys.iter().map(|key| Box::from(*key)));
        Self {
            segments: keys.iter().map(|key| Segment::Key((*key).into())).collect(),
            schema_path: String::new(),
            keyword: "validator",
            expected: "a value that the validator accepts".to_owned(),
            found: "value",
            problem: Problem::Objection(message.into()),
            declared: Arc::new(declared),
            numbers: Vec::new(),
        }
    }

    /// A finding of code and not of a schema, about the member at this JSON Pointer, whose names are the developer's words, as those of the sentence are.
    ///
    /// ```
    /// use jsonseam_schema::Violation;
    ///
    /// let violation = Violation::of_member("/calls/0/name", "Value is given twice");
    /// assert_eq!(violation.message(), r#"Field "calls.0.name": Value is given twice"#);
    /// ```
    pub fn of_member(pointer: &str, sentence: impl Into<String>) -> Self {
        let segments: Vec<Segment> = pointer
            .split('/')
            .skip(1)
            .map(|token| match token.parse() {
                Ok(index) => Segment::Index(index),
                Err(_) => Segment::Key(pointer::unescaped(token).into()),
            })
            .collect();
        let keys = segments.iter().filter_map(|segment| match segment {
            Segment::Key(key) => Some(key.clone()),
            Segment::Index(_) => None,
        });
        let mut declared = BTreeSet::new();
        declared.extend(keys);
        Self {
            declared: Arc::new(declared),
            segments,
            schema_path: String::new(),
            keyword: "unique-member",
            expected: "a member that is given once, in its plain spelling".to_owned(),
            found: "value",
            problem: Problem::Says(sentence.into()),
            numbers: Vec::new(),
        }
    }

    /// The names on the path that the schema does not declare. They are the model's text.
    pub fn undeclared(&self) -> impl Iterator<Item = &str> {
        self.segments.iter().filter_map(|segment| match segment {
            Segment::Key(name) if !self.declared.contains(name) => Some(&**name),
            _ => None,
        })
    }

    /// The JSON Pointer of what does not fit, from the root of the checked value; of a missing property, where it should be.
    pub fn path(&self) -> String {
        pointer(&self.segments, None)
    }

    /// The pointer as it may be shown to anyone: names that the schema does not declare are `*`.
    pub fn shown_path(&self) -> String {
        pointer(&self.segments, Some(&self.declared))
    }

    /// The JSON Pointer of the keyword in the schema, through references as they were followed.
    pub fn schema_path(&self) -> &str {
        &self.schema_path
    }

    /// The keyword, such as `type`; for a typed field that its type refuses, `decode`.
    pub fn keyword(&self) -> &str {
        self.keyword
    }

    /// What was expected, in the words of the schema.
    pub fn expected(&self) -> &str {
        &self.expected
    }

    /// The kind that was found: `null`, `boolean`, `number`, `string`, `array`, `object`, or `undefined` for what is missing.
    pub fn found(&self) -> &str {
        self.found
    }

    /// The keys that the schema does not allow, where that is the violation. They are the model's text.
    pub fn unrecognized(&self) -> impl Iterator<Item = &str> {
        let names: &[Box<str>] = if let Problem::Unrecognized { names, .. } = &self.problem { names } else { &[] };
        names.iter().map(AsRef::as_ref)
    }

    /// The message that may be shown to anyone.
    pub fn message(&self) -> String {
        self.told(Some(&self.declared))
    }

    /// The message for the model whose text it was: it also has names that the schema does not declare.
    ///
    /// ```
    /// use jsonseam_schema::{Casts, Schema};
    ///
    /// let schema = Schema::compile(r#"{"properties": {"a": {}}, "additionalProperties": false}"#)?;
    /// let failure = schema.check(r#"{"a": 1, "b": 2}"#, &Casts::default()).unwrap_err();
    ///
    /// assert_eq!(failure.violations()[0].message(), "Object has 1 unrecognized key");
    /// assert_eq!(failure.violations()[0].llm_message(), "Object has unrecognized keys: b");
    /// # Ok::<(), jsonseam_schema::SchemaError>(())
    /// ```
    pub fn llm_message(&self) -> String {
        self.told(None)
    }

    /// The same violation, serialised with everything: for a prompt to the model, never for a log.
    pub fn revealed(&self) -> Revealed<'_> {
        Revealed(self)
    }

    /// What is wrong, without the place. Names of the value are not in it.
    pub(crate) fn sentence(&self) -> String {
        match &self.problem {
            Problem::Expected => format!("Expected {}, got {}", self.expected, self.found),
            Problem::Unrecognized { count, .. } => format!("Object has {}", keys(&[], *count, Some(&self.declared))),
            Problem::Says(sentence) => sentence.clone(),
            Problem::Objection(_) => REFUSED.to_owned(),
        }
    }

    fn told(&self, declared: Option<&Declared>) -> String {
        let field = dotted(&self.segments, declared);
        let subject = if self.segments.is_empty() { String::new() } else { format!("Field \"{field}\": ") };
        let told = match &self.problem {
            Problem::Expected => format!("{subject}Expected {}, got {}", self.expected, self.found),
            Problem::Unrecognized { names, count } => format!("{subject}Object has {}", keys(names, *count, declared)),
            Problem::Says(sentence) => format!("{subject}{sentence}"),
            Problem::Objection(_) if declared.is_some() => format!("{subject}{REFUSED}"),
            Problem::Objection(objection) => format!("{subject}{objection}"),
        };
        if declared.is_none() || self.numbers.is_empty() {
            return told;
        }
        // The name stays hidden; its place tells which one it is.
        let numbers: Vec<String> = self.numbers.iter().map(ToString::to_string).collect();
        match numbers.as_slice() {
            [one] => format!("{told} (* is key {one} of its object)"),
            several => format!("{told} (* are keys {} of their objects)", several.join(" and ")),
        }
    }

    fn serialise<S: Serializer>(&self, serializer: S, declared: Option<&Declared>) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("Violation", 6)?;
        record.serialize_field("path", &pointer(&self.segments, declared))?;
        record.serialize_field("schema_path", &self.schema_path)?;
        record.serialize_field("keyword", self.keyword)?;
        record.serialize_field("expected", &self.expected)?;
        record.serialize_field("found", self.found)?;
        record.serialize_field("message", &self.told(declared))?;
        record.end()
    }
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(&self.message())
    }
}

impl fmt::Debug for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Violation")
            .field("path", &self.shown_path())
            .field("schema_path", &self.schema_path)
            .field("keyword", &self.keyword)
            .field("expected", &self.expected)
            .field("found", &self.found)
            .finish_non_exhaustive()
    }
}

impl Serialize for Violation {
    /// An item of the record's `errors`, with undeclared names as `*`.
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.serialise(serializer, Some(&self.declared))
    }
}

/// A violation that serialises with everything it knows, names of the model included.
#[derive(Debug, Clone, Copy)]
pub struct Revealed<'a>(&'a Violation);

impl Serialize for Revealed<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.serialise(serializer, None)
    }
}

/// Violations on one line, the first few of them.
pub(crate) struct Violations<'a>(pub(crate) &'a [Violation]);

impl fmt::Display for Violations<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (index, violation) in self.0.iter().take(3).enumerate() {
            let gap = if index == 0 { "" } else { "; " };
            write!(formatter, "{gap}{violation}")?;
        }
        if self.0.len() > 3 {
            write!(formatter, "; and {} more", self.0.len() - 3)?;
        }
        Ok(())
    }
}

fn shown<'a>(name: &'a str, declared: Option<&Declared>) -> &'a str {
    if declared.is_some_and(|declared| !declared.contains(name)) { HIDDEN } else { name }
}

fn keys(names: &[Box<str>], count: usize, declared: Option<&Declared>) -> String {
    if declared.is_some() {
        let plural = if count == 1 { "" } else { "s" };
        return format!("{count} unrecognized key{plural}");
    }
    let told = names.iter().take(MAX_NAMES).map(|name| cut(name, MAX_EXPECTED)).collect::<Vec<_>>().join(", ");
    let others = count - names.len().min(MAX_NAMES);
    let others = if others == 0 { String::new() } else { format!(" and {others} more") };
    format!("unrecognized keys: {told}{others}")
}

/// A JSON Pointer (RFC 6901).
pub(crate) fn pointer(segments: &[Segment], declared: Option<&Declared>) -> String {
    let mut pointer = String::new();
    for segment in segments {
        pointer.push('/');
        match segment {
            Segment::Key(name) => pointer.push_str(&pointer::escaped(shown(name, declared))),
            Segment::Index(index) => pointer.push_str(&index.to_string()),
        }
    }
    pointer
}

/// A JSON Pointer of at most [`MAX_POINTER`] bytes: a longer one is cut to the nearest container that fits.
pub(crate) fn bounded_pointer(segments: &[Segment], declared: Option<&Declared>) -> String {
    let mut bounded = String::new();
    for segment in segments {
        let fits = match segment {
            Segment::Key(name) => pointer::push(&mut bounded, shown(name, declared)),
            Segment::Index(index) => pointer::push(&mut bounded, &index.to_string()),
        };
        if !fits {
            break;
        }
    }
    bounded
}

fn dotted(segments: &[Segment], declared: Option<&Declared>) -> String {
    let names: Vec<String> = segments
        .iter()
        .map(|segment| match segment {
            Segment::Key(name) => shown(name, declared).to_owned(),
            Segment::Index(index) => index.to_string(),
        })
        .collect();
    names.join(".")
}

/// The first characters of a text, with an ellipsis if there were more.
pub(crate) fn cut(text: &str, limit: usize) -> String {
    match text.char_indices().nth(limit) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text.to_owned(),
    }
}

/// How many bytes of the values of an enumeration a message may hold.
const MAX_LISTED: usize = 400;

/// The values of an enumeration for a message; if they are too many, the first of them and how many there are.
pub(crate) fn listed(values: &[serde_json::Value]) -> String {
    let mut listed = String::new();
    for (index, value) in values.iter().enumerate() {
        let value = quoted(&value.to_string());
        if listed.len() + value.len() > MAX_LISTED {
            return format!("{listed}, … ({} in all)", values.len()).trim_start_matches(", ").to_owned();
        }
        if index > 0 {
            listed.push_str(", ");
        }
        listed.push_str(&value);
    }
    listed
}

/// The schema's own text, short enough for a message.
pub(crate) fn quoted(text: &str) -> String {
    cut(text, MAX_EXPECTED)
}

/// The name of a value's kind, as JSON Schema has it.
pub(crate) const fn kind_of(value: &serde_json::Value) -> &'static str {
    match value {
        serde_json::Value::Null => "null",
        serde_json::Value::Bool(_) => "boolean",
        serde_json::Value::Number(_) => "number",
        serde_json::Value::String(_) => "string",
        serde_json::Value::Array(_) => "array",
        serde_json::Value::Object(_) => "object",
    }
}
