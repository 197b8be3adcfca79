//! What a check gives back: the text, and what was cast in it.

use std::borrow::Cow;
use std::fmt;

use jsonseam_text::pointer::escaped;
use serde::ser::{Serialize, SerializeStruct, Serializer};
use serde_json::Value;

use crate::spans::{has_repeats, repeats, without};

/// Which casts a check may make. None by default.
///
/// A cast is made only where the schema rejects the value and accepts the cast one, and is recorded.
///
/// ```
/// use jsonseam_schema::{CastKind, Casts, Schema};
///
/// let schema = Schema::compile(r#"{"properties": {"level": {"enum": ["low", "very-high"]}, "tags": {"type": "array"}}}"#)?;
/// let casts = Casts::EXACT.with(CastKind::EnumCase).with(CastKind::ToList);
/// let checked = schema.check(r#"{"level": "Very high", "tags": "new"}"#, &casts).unwrap();
/// assert_eq!(checked.text, r#"{"level": "very-high", "tags": ["new"]}"#);
/// # Ok::<(), jsonseam_schema::SchemaError>(())
/// ```
#[derive(Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Casts(u32);

impl Casts {
    /// No cast at all.
    pub const NONE: Self = Self(0);
    /// A missing property gets the `default` that its schema states.
    pub const DEFAULTS: Self = Self::NONE.with(CastKind::Default);
    /// A value is re-spelled as the kind that the schema wants, where that loses nothing and there is one way to do it:
    /// `"42"` as `42`, `"true"` as `true`, `"[1]"` as `[1]`, `3.0` as `3`.
    pub const COERCE: Self = Self::NONE
        .with(CastKind::StringToNumber)
        .with(CastKind::StringToBoolean)
        .with(CastKind::StringToJson)
        .with(CastKind::IntegralFloat);
    /// [`Casts::DEFAULTS`] and [`Casts::COERCE`].
    pub const EXACT: Self = Self::DEFAULTS.and(Self::COERCE);

    /// Every cast there is.
    pub const ALL: Self = {
        let mut all = Self::NONE;
        let mut at = 0;
        while at < CastKind::ALL.len() {
            all = all.with(CastKind::ALL[at]);
            at += 1;
        }
        all
    };

    /// These casts and one more.
    #[must_use]
    pub const fn with(self, kind: CastKind) -> Self {
        Self(self.0 | kind.bit())
    }

    /// These casts without one.
    #[must_use]
    pub const fn without(self, kind: CastKind) -> Self {
        Self(self.0 & !kind.bit())
    }

    /// These casts and others.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self(self.0 | others.0)
    }

    /// The casts of these names, as [`CastKind::name`] has them; `exact` stands for [`Casts::COERCE`]. The error is the first name that is unknown.
    ///
    /// ```
    /// use jsonseam_schema::{CastKind, Casts};
    ///
    /// assert_eq!(Casts::named(["exact", "trim"]), Ok(Casts::COERCE.with(CastKind::Trim)));
    /// assert_eq!(Casts::named(["exactly"]), Err("exactly"));
    /// ```
    pub fn named<'n>(names: impl IntoIterator<Item = &'n str>) -> Result<Self, &'n str> {
        names.into_iter().try_fold(Self::NONE, |casts, name| match CastKind::from_name(name) {
            Some(kind) => Ok(casts.with(kind)),
            None if name == "exact" => Ok(casts.and(Self::COERCE)),
            None => Err(name),
        })
    }

    /// Whether a cast is among them.
    pub const fn has(self, kind: CastKind) -> bool {
        self.0 & kind.bit() != 0
    }
}

impl fmt::Debug for Casts {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_set()
            .entries(CastKind::ALL.iter().filter(|kind| self.has(**kind)).map(|kind| kind.name()))
            .finish()
    }
}

macro_rules! cast_kinds {
    ($($(#[$doc:meta])+ $kind:ident = $name:literal $record:literal),+ $(,)?) => {
        /// What a cast did.
        #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
        #[non_exhaustive]
        pub enum CastKind {
            $($(#[$doc])+ $kind),+
        }

        impl CastKind {
            /// Every kind, in the order of declaration.
            pub const ALL: &'static [Self] = &[$(Self::$kind),+];

            /// The stable name in records.
            pub const fn as_str(self) -> &'static str {
                match self {
                    $(Self::$kind => $record),+
                }
            }

            /// The name in flags and files.
            pub const fn name(self) -> &'static str {
                match self {
                    $(Self::$kind => $name),+
                }
            }

            const fn bit(self) -> u32 {
                1 << self as u32
            }
        }
    };
}

cast_kinds! {
    /// A missing property was filled in from the schema.
    Default = "default" "default",
    /// A string that is exactly a number's spelling became that number.
    StringToNumber = "string-to-number" "string_to_number",
    /// `"true"` or `"false"` became a boolean.
    StringToBoolean = "string-to-boolean" "string_to_boolean",
    /// A string that holds an object or array became that.
    StringToJson = "string-to-json" "string_to_json",
    /// A number such as `3.0` or `1e2` became `3` or `100`, where an integer is wanted.
    IntegralFloat = "integral-float" "integral_float",
    /// A string became the one value of an enumeration that has the same letters and digits, whatever their case and the signs between them.
    EnumCase = "enum-case" "enum_case",
    /// A value became a list of it, where only a list is wanted.
    ToList = "to-list" "to_list",
    /// A list of one item became that item, where no list is wanted.
    FromList = "from-list" "from_list",
    /// White space around what a string holds was passed over.
    Trim = "trim" "trim",
    /// `"1,234.5"` became `1234.5`: commas between groups of three digits, with an optional point.
    NumberFormat = "number-format" "number_format",
    /// `"$9.50"` became `9.50`: one of `$`, `€`, `£`, `¥` at an end was dropped.
    Currency = "currency" "currency",
    /// `"90%"` became `90`, the number before the sign.
    Percent = "percent" "percent",
    /// `"yes"`, `"no"`, `"y"`, `"n"`, `"true"` or `"false"` in any case became a boolean.
    YesNo = "yes-no" "yes_no",
    /// `""`, `"null"`, `"none"`, `"nil"` or `"n/a"` in any case became null.
    NullSpelling = "null-spelling" "null_spelling",
    /// A number or boolean became the string of its spelling.
    ToString = "to-string" "to_string",
    /// A key became the declared name that has the same letters and digits, whatever their case and the signs between them.
    KeyCase = "key-case" "key_case",
    /// A key that is an alias became the name that it stands for. Always made where an alias is declared.
    Alias = "alias" "alias",
    /// An object with one member, whose key no contract declares, became the object that the member holds. Contracts make it, schemas do not.
    Envelope = "envelope" "envelope",
}

impl CastKind {
    /// The kind of this name, as [`CastKind::name`] has it.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|kind| kind.name() == name)
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
    /// The cast of a key at the root of an object into the declared name `name`.
    pub fn of_key(name: &str, kind: CastKind) -> Self {
        let path = format!("/{}", escaped(name));
        Self { shown: path.clone(), path, kind }
    }

    /// The cast of an object into that of its only member `name`, which is a name of the completion.
    pub fn of_envelope(name: &str) -> Self {
        let mut path = String::new();
        let is_short = jsonseam_text::pointer::push(&mut path, name);
        Self { path: if is_short { path } else { String::new() }, shown: "/*".to_owned(), kind: CastKind::Envelope }
    }

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
#[non_exhaustive]
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
