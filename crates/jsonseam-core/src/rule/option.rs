//! Options of rules: typed fields that TOML can set.
//!
//! A rule's struct is its options.
//! They are read through [`RuleOption`] rather than serde so that a rule crate needs no dependency but jsonseam,
//! and so that the catalogue can list each option with its text and its default.

/// A value from `[rules.<name>]` in the configuration.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum OptionValue {
    /// `true` or `false`.
    Boolean(bool),
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Float(f64),
    /// A text.
    String(String),
    /// A list of values.
    List(Vec<OptionValue>),
}

/// A type that a rule's option may have.
pub trait RuleOption: Sized {
    /// What the option takes, for messages and the catalogue: `"a whole number of at least 0"`.
    const KIND: &'static str;

    /// Reads the value; the error is [`KIND`](Self::KIND) or something more exact.
    fn read(value: &OptionValue) -> Result<Self, &'static str>;

    /// The value as it would stand in TOML.
    fn show(&self) -> String;
}

impl RuleOption for bool {
    const KIND: &'static str = "true or false";

    fn read(value: &OptionValue) -> Result<Self, &'static str> {
        let OptionValue::Boolean(value) = value else { return Err(Self::KIND) };
        Ok(*value)
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl RuleOption for usize {
    const KIND: &'static str = "a whole number of at least 0";

    fn read(value: &OptionValue) -> Result<Self, &'static str> {
        let OptionValue::Integer(value) = value else { return Err(Self::KIND) };
        Self::try_from(*value).map_err(|_| Self::KIND)
    }

    fn show(&self) -> String {
        self.to_string()
    }
}

impl RuleOption for String {
    const KIND: &'static str = "a string";

    fn read(value: &OptionValue) -> Result<Self, &'static str> {
        let OptionValue::String(value) = value else { return Err(Self::KIND) };
        Ok(value.clone())
    }

    // What JSON escapes, a basic string of TOML escapes in the same way.
    fn show(&self) -> String {
        serde_json::to_string(self).unwrap_or_default()
    }
}

impl RuleOption for Vec<String> {
    const KIND: &'static str = "a list of strings";

    fn read(value: &OptionValue) -> Result<Self, &'static str> {
        let OptionValue::List(values) = value else { return Err(Self::KIND) };
        values.iter().map(|value| String::read(value).map_err(|_| Self::KIND)).collect()
    }

    fn show(&self) -> String {
        format!("[{}]", self.iter().map(RuleOption::show).collect::<Vec<_>>().join(", "))
    }
}

/// One option of a rule, as data.
#[derive(Debug)]
#[non_exhaustive]
pub struct OptionInfo {
    /// The name of the Rust field. In TOML the underscores are hyphens.
    pub field: &'static str,
    /// What the option means.
    pub doc: &'static str,
    /// What it takes.
    pub kind: &'static str,
    /// The default as it would stand in TOML.
    pub default: fn() -> String,
}

impl OptionInfo {
    /// An option that is kept in `field`, with its documentation in a build that carries it.
    pub const fn new(field: &'static str, doc: &'static str, kind: &'static str, default: fn() -> String) -> Self {
        let doc = if cfg!(feature = "docs") { doc } else { "" };
        Self { field, doc, kind, default }
    }

    /// The name of the option in TOML: the field in kebab-case.
    pub fn name(&self) -> String {
        self.field.replace('_', "-")
    }

    /// Whether `name`, as written in TOML, means the option stored in `field`.
    pub fn is_named(field: &str, name: &str) -> bool {
        field.len() == name.len()
            && field.bytes().zip(name.bytes()).all(|(field, name)| field == name || (field == b'_' && name == b'-'))
    }
}

/// Why an option cannot be set.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct OptionProblem {
    /// The option's name as the configuration wrote it.
    pub option: String,
    /// What the option takes; `None` when the rule has no such option.
    pub expected: Option<&'static str>,
}

impl OptionProblem {
    /// The rule has no such option.
    pub fn unknown(option: &str) -> Self {
        Self { option: option.to_owned(), expected: None }
    }

    /// The option exists, but takes something else.
    pub fn wrong(option: &str, expected: &'static str) -> Self {
        Self { option: option.to_owned(), expected: Some(expected) }
    }
}
