//! Values of a TOML file, and mistakes with the place they are at: what every reader of a table of it uses.

use std::ops::Range;
use std::str::FromStr;
use std::sync::Arc;

use jsonseam_text::UnknownName;
use toml::Spanned;
use toml::de::{DeInteger, DeString, DeTable, DeValue};

use super::error::{ConfigError, Named, Source, Spot};
use super::nearest::{choice, listed, shown, suggestion};
use crate::edits::risk::Risk;
use crate::rule::option::OptionValue;

pub(crate) type Key<'i> = Spanned<DeString<'i>>;
pub(crate) type Value<'i> = Spanned<DeValue<'i>>;

/// Longest file that is read, in bytes. Real ones are a thousandth of it.
const MAX_FILE_BYTES: usize = 1 << 20;

/// The keys of one kind of table.
pub(crate) struct Keys<'k> {
    /// How messages speak of the table; empty for the top of the file.
    pub(crate) table: &'k str,
    pub(crate) names: &'k [&'k str],
}

pub(super) const TOP: Keys<'static> = Keys {
    table: "",
    names: &["preset", "max-risk", "root", "exclude", "rules", "pattern", "limits", "candidates", "search", "reask"],
};
pub(super) const RULES: Keys<'static> = Keys { table: "[rules]", names: &["enable", "disable", "order"] };
pub(super) const ENABLE: Keys<'static> = Keys { table: "an entry of `enable`", names: &["rule", "before"] };
pub(super) const LIMITS: Keys<'static> =
    Keys { table: "[limits]", names: &["max-input-bytes", "max-depth", "max-edits"] };
pub(super) const SEARCH: Keys<'static> = Keys { table: "[search]", names: &["margin", "veto", "beam"] };
pub(super) const CANDIDATES: Keys<'static> = Keys { table: "[candidates]", names: &["policy", "max"] };

/// The entries of a table in the order of the file, so that the first mistake is the one reported.
pub(crate) fn sorted<'t, 'i>(table: &'t DeTable<'i>) -> Vec<(&'t Key<'i>, &'t Value<'i>)> {
    let mut entries: Vec<_> = table.iter().collect();
    jsonseam_text::sort_by_key(&mut entries, |(key, _)| key.span().start);
    entries
}

/// Reads values of one file and reports mistakes in it.
pub(crate) struct Reader {
    source: Arc<Source>,
}

impl Reader {
    pub(crate) fn new(text: &str, file: &str) -> Self {
        Self { source: Source::new(text, file) }
    }

    /// Parses the file. TOML's own messages are not forwarded, for they may quote it.
    pub(crate) fn parse(&self) -> Result<Spanned<DeTable<'_>>, ConfigError> {
        let text = &self.source.text;
        if text.len() > MAX_FILE_BYTES {
            return Err(self.error(&(0..0), "the file is longer than 1 MiB"));
        }
        DeTable::parse(text).map_err(|error| {
            let span = error.span().unwrap_or(text.len()..text.len());
            self.error(&span, format!("not valid TOML{}", category(error.message())))
        })
    }

    pub(crate) fn spot(&self, span: &Range<usize>) -> Spot {
        Spot::new(&self.source, span.start)
    }

    pub(crate) fn error(&self, span: &Range<usize>, message: impl Into<String>) -> ConfigError {
        ConfigError::at(&self.spot(span), message)
    }

    /// A key as a name with its place.
    pub(crate) fn named(&self, key: &Key<'_>) -> Named {
        Named { text: key.get_ref().as_ref().to_owned(), spot: Some(self.spot(&key.span())) }
    }

    pub(crate) fn wrong_type(&self, value: &Value<'_>, what: &str, expected: &str) -> ConfigError {
        self.error(&value.span(), format!("{what} must be {expected}, not {}", kind(value.get_ref())))
    }

    pub(crate) fn table<'t, 'i>(&self, value: &'t Value<'i>, key: &str) -> Result<&'t DeTable<'i>, ConfigError> {
        value.get_ref().as_table().ok_or_else(|| self.wrong_type(value, &format!("`{key}`"), "a table"))
    }

    pub(crate) fn list<'t, 'i>(&self, value: &'t Value<'i>, key: &str) -> Result<&'t [Value<'i>], ConfigError> {
        let list = value.get_ref().as_array().ok_or_else(|| self.wrong_type(value, &format!("`{key}`"), "a list"))?;
        Ok(list)
    }

    pub(crate) fn string<'t>(&self, value: &'t Value<'_>, key: &str) -> Result<&'t str, ConfigError> {
        value.get_ref().as_str().ok_or_else(|| self.wrong_type(value, &format!("`{key}`"), "a string"))
    }

    pub(crate) fn name(&self, value: &Value<'_>, key: &str) -> Result<Named, ConfigError> {
        self.name_among(value, &format!("`{key}`"), "a string")
    }

    pub(super) fn name_among(&self, value: &Value<'_>, what: &str, expected: &str) -> Result<Named, ConfigError> {
        let text = value.get_ref().as_str().ok_or_else(|| self.wrong_type(value, what, expected))?;
        Ok(Named { text: text.to_owned(), spot: Some(self.spot(&value.span())) })
    }

    pub(crate) fn names(&self, value: &Value<'_>, key: &str, expected: &str) -> Result<Vec<Named>, ConfigError> {
        let what = format!("an entry of `{key}`");
        self.list(value, key)?.iter().map(|entry| self.name_among(entry, &what, expected)).collect()
    }

    /// One of a few names.
    pub(crate) fn choice<T: FromStr<Err = UnknownName>>(&self, value: &Value<'_>, key: &str) -> Result<T, ConfigError> {
        self.one_of(value, &format!("`{key}`"), "a string", "value")
    }

    pub(crate) fn risk(&self, value: &Value<'_>, key: &str) -> Result<Risk, ConfigError> {
        self.one_of(value, &format!("`{key}`"), "a string", "risk")
    }

    /// The same of `what`, whose values messages call a `kind`.
    pub(super) fn one_of<T>(&self, value: &Value<'_>, what: &str, expected: &str, kind: &str) -> Result<T, ConfigError>
    where
        T: FromStr<Err = UnknownName>,
    {
        let name = value.get_ref().as_str().ok_or_else(|| self.wrong_type(value, what, expected))?;
        name.parse().map_err(|unknown: UnknownName| {
            let meant = choice(name, unknown.names());
            self.error(&value.span(), format!("unknown {kind}{} of {what}{meant}", shown(name)))
        })
    }

    /// A whole number from `least` to `most`.
    pub(super) fn whole<T>(&self, value: &Value<'_>, key: &str, least: T, most: T) -> Result<T, ConfigError>
    where
        T: TryFrom<i64> + Copy + PartialOrd + std::fmt::Display,
        usize: TryFrom<T>,
    {
        let is_bounded = usize::try_from(most).is_ok_and(|most| most != usize::MAX);
        let expected = if is_bounded {
            format!("a whole number from {least} to {most}")
        } else {
            format!("a whole number of at least {least}")
        };
        let Some(written) = value.get_ref().as_integer() else {
            return Err(self.wrong_type(value, &format!("`{key}`"), &expected));
        };
        integer(written)
            .and_then(|number| T::try_from(number).ok())
            .filter(|number| (least..=most).contains(number))
            .ok_or_else(|| self.error(&value.span(), format!("`{key}` must be {expected}")))
    }

    /// A value of a rule's option.
    pub(super) fn option(&self, name: &Named, value: &Value<'_>) -> Result<OptionValue, ConfigError> {
        let what = || format!("option{}", shown(&name.text));
        Ok(match value.get_ref() {
            DeValue::String(text) => OptionValue::String(text.clone().into_owned()),
            DeValue::Boolean(boolean) => OptionValue::Boolean(*boolean),
            DeValue::Integer(written) => OptionValue::Integer(
                integer(written)
                    .ok_or_else(|| self.error(&value.span(), format!("{} is too large a number", what())))?,
            ),
            DeValue::Float(written) => OptionValue::Float(
                written
                    .as_str()
                    .parse()
                    .map_err(|_| self.error(&value.span(), format!("{} is not a number that can be read", what())))?,
            ),
            DeValue::Array(values) => {
                OptionValue::List(values.iter().map(|value| self.option(name, value)).collect::<Result<Vec<_>, _>>()?)
            }
            DeValue::Datetime(_) | DeValue::Table(_) => {
                return Err(self.wrong_type(value, &what(), "a string, a number, true or false, or a list of those"));
            }
        })
    }

    /// A key that the table does not have: the nearest it has, else where the key belongs, else all it has.
    pub(crate) fn unknown_key(&self, key: &Key<'_>, keys: &Keys<'_>) -> ConfigError {
        let name = key.get_ref().as_ref();
        let inside = if keys.table.is_empty() { String::new() } else { format!(" in {}", keys.table) };
        let near = suggestion(name, keys.names.iter().copied());
        let hint = if !near.is_empty() {
            near
        } else if let Some(home) = [RULES, LIMITS, CANDIDATES].iter().find(|home| home.names.contains(&name)) {
            format!("; it belongs in {}", home.table)
        } else if TOP.names.contains(&name) {
            "; it belongs at the top of the file, before the first table".to_owned()
        } else {
            format!("; expected {}", listed(keys.names))
        };
        self.error(&key.span(), format!("unknown key{}{inside}{hint}", shown(name)))
    }
}

fn integer(written: &DeInteger<'_>) -> Option<i64> {
    i64::from_str_radix(written.as_str(), written.radix()).ok()
}

fn kind(value: &DeValue<'_>) -> &'static str {
    match value {
        DeValue::String(_) => "a string",
        DeValue::Integer(_) => "a whole number",
        DeValue::Float(_) => "a number with a fraction",
        DeValue::Boolean(_) => "true or false",
        DeValue::Datetime(_) => "a date or time",
        DeValue::Array(_) => "a list",
        DeValue::Table(_) => "a table",
    }
}

/// What is wrong with a text that is not TOML, in our own words: the parser's message only chooses among these.
fn category(message: &str) -> &'static str {
    const CATEGORIES: [(&str, &str); 28] = [
        ("duplicate key", ": a key or table is written twice"),
        ("cannot extend value", ": a key or table is written twice"),
        ("cannot recurse", ": too deeply nested"),
        ("recursion limit", ": too deeply nested"),
        ("unclosed", ": a bracket is not closed"),
        ("string values must be quoted", ": a value is missing or has no quotes"),
        ("missing opening quote", ": a string has no opening quote"),
        ("invalid basic string", ": a string is not closed or holds a control character"),
        ("invalid literal string", ": a string is not closed or holds a control character"),
        ("invalid multi-line", ": a string is not closed or holds a control character"),
        ("missing escaped value", ": a string holds an unknown escape"),
        ("missing value", ": a value is missing"),
        ("key with no value", ": `=` is missing"),
        ("missing assignment", ": `=` is missing"),
        ("extra `=`", ": `=` is written twice"),
        ("extra assignment", ": `=` is written twice"),
        ("unexpected `=`", ": `=` is not expected here"),
        ("missing comma", ": a comma is missing"),
        ("extra comma", ": a comma is not expected here"),
        ("invalid unquoted key", ": a key needs quotes"),
        ("unquoted keys cannot be empty", ": a key is missing"),
        ("missing key", ": a key is missing"),
        ("keys cannot be multi-line", ": a key runs over lines"),
        ("unexpected leading zero", ": a number has a leading zero"),
        ("invalid boolean", ": a value without quotes is not a number, a date, true or false"),
        ("unexpected key or value", ": something follows where the line should end"),
        ("unexpected content", ": something follows where the line should end"),
        ("carriage return", ": a carriage return without a line feed"),
    ];
    CATEGORIES.iter().find(|(start, _)| message.starts_with(start)).map_or("", |&(_, category)| category)
}
