//! What a check gives back: the text, and what was cast in it.

use std::borrow::Cow;
use std::fmt;

use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::Value;

use crate::spans::{has_repeats, repeats, without};

/// Which casts a check may make. None by default.
///
/// A cast is made only where the schema rejects the value and accepts the cast one, loses nothing, and is recorded.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Casts {
    /// A missing property gets the `default` that its schema states.
    pub defaults: bool,
    /// A value is re-spelled as the kind that the schema wants: `"42"` as `42`, `"true"` as `true`, `"[1]"` as `[1]`, `3.0` as `3`.
    pub coerce: bool,
}

impl Casts {
    /// No cast at all.
    pub const NONE: Self = Self { defaults: false, coerce: false };
    /// Every cast there is.
    pub const ALL: Self = Self { defaults: true, coerce: true };
}

/// What a cast did.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum CastKind {
    /// A missing property was filled in from the schema.
    Default,
    /// A string that is exactly a number's spelling became that number.
    StringToNumber,
    /// `"true"` or `"false"` became a boolean.
    StringToBoolean,
    /// A string that holds an object or array became that.
    StringToJson,
    /// A number such as `3.0` or `1e2` became `3` or `100`, where an integer is wanted.
    IntegralFloat,
}

impl CastKind {
    /// The stable name, as in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Default => "default",
            Self::StringToNumber => "string_to_number",
            Self::StringToBoolean => "string_to_boolean",
            Self::StringToJson => "string_to_json",
            Self::IntegralFloat => "integral_float",
        }
    }
}

impl fmt::Display for CastKind {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// One cast that was made.
///
/// `Debug` and the serialised form show undeclared names as `*`, like violations.
#[derive(Clone, PartialEq, Eq)]
pub struct Cast {
    pub(crate) path: String,
    pub(crate) shown: String,
    pub(crate) kind: CastKind,
}

impl Cast {
    /// The JSON Pointer of the cast value, from the root of the checked value.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// What was done.
    pub const fn kind(&self) -> CastKind {
        self.kind
    }
}

impl fmt::Debug for Cast {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Cast").field("path", &self.shown).field("kind", &self.kind).finish()
    }
}

impl Serialize for Cast {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("Cast", 2)?;
        record.serialize_field("path", &self.shown)?;
        record.serialize_field("kind", self.kind.as_str())?;
        record.end()
    }
}

/// A text that fits its schema.
#[derive(Clone, PartialEq, Eq)]
pub struct Checked<'a> {
    /// The text: the very text that was given, unless something was cast, and outside casts its bytes in any case.
    pub text: Cow<'a, str>,
    /// What was cast, outermost places first.
    pub casts: Vec<Cast>,
    /// The JSON Pointers of members whose name occurs again later in the same object.
    ///
    /// The check saw the last of each; a reader that takes the first would see another value.
    /// [`Checked::without_repeats`] is the text as the check saw it.
    pub repeated: Vec<String>,
}

impl<'a> Checked<'a> {
    /// A checked text, and the value that was read from it.
    pub(crate) fn new(text: Cow<'a, str>, casts: Vec<Cast>, value: &Value) -> Self {
        let repeated = if has_repeats(&text, value) { repeats(&text).0 } else { Vec::new() };
        Self { text, casts, repeated }
    }

    /// The text with only the last of the members that share a name: every reader finds what the check saw.
    ///
    /// ```
    /// use jsonseam_schema::{Casts, Schema};
    ///
    /// let checked = Schema::compile("{}")?.check(r#"{"a": {"b": 1, "b": 2}}"#, &Casts::NONE).unwrap();
    ///
    /// assert_eq!(checked.repeated, ["/a/b"]);
    /// assert_eq!(checked.without_repeats(), r#"{"a": {"b": 2}}"#);
    /// # Ok::<(), jsonseam_schema::SchemaError>(())
    /// ```
    pub fn without_repeats(&self) -> Cow<'_, str> {
        if self.repeated.is_empty() {
            return Cow::Borrowed(&self.text);
        }
        Cow::Owned(without(&self.text, &repeats(&self.text).1))
    }
}

impl fmt::Debug for Checked<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Checked")
            .field("bytes", &self.text.len())
            .field("casts", &self.casts)
            .field("repeated", &self.repeated.len())
            .finish()
    }
}
