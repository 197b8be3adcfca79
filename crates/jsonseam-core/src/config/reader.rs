//! Values of a TOML file, and mistakes with the place they are at: what every reader of a table of it uses.

use std::str::FromStr;
use std::sync::Arc;

use jsonseam_text::{UnknownName, listed};
use toml::Spanned;
use toml::de::{DeInteger, DeString, DeTable, DeValue};

use super::error::{ConfigError, Named, Source, Spot};
use super::nearest::{choice, shown, suggestion};
use crate::rule::option::OptionValue;

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

impl Source {
    /// Parses the file. TOML's own messages are not forwarded, for they may quote it.
    pub(super) fn parse(self: &Arc<Self>) -> Result<Spanned<DeTable<'_>>, ConfigError> {
        let error = |offset, message: String| ConfigError::about(Some(&Spot::new(self, offset)), message);
        if self.text.len() > MAX_FILE_BYTES {
            return Err(error(0, "the file is longer than 1 MiB".to_owned()));
        }
        DeTable::parse(&self.text).map_err(|problem| {
            let offset = problem.span().map_or(self.text.len(), |span| span.start);
            error(offset, format!("not valid TOML{}", category(problem.message())))
        })
    }

    /// The entries of a table in the order of the file, so that the first mistake is the one reported.
    pub(super) fn entries<'e>(self: &'e Arc<Self>, table: &'e DeTable<'e>) -> Vec<Entry<'e>> {
        let entry = |(key, value)| Entry { source: self, key, value, is_element: false };
        let mut entries: Vec<_> = table.iter().map(entry).collect();
        jsonseam_text::sort_by_key(&mut entries, |entry| entry.key.span().start);
        entries
    }
}

/// An entry of a table: its name, and its value, with checks that know the place.
#[derive(Clone, Copy)]
pub struct Entry<'e> {
    source: &'e Arc<Source>,
    key: &'e Spanned<DeString<'e>>,
    value: &'e Spanned<DeValue<'e>>,
    /// Whether the value is an element of the list that has this name.
    is_element: bool,
}

impl<'e> Entry<'e> {
    /// The name of the entry.
    pub fn name(&self) -> &str {
        self.key.get_ref().as_ref()
    }

    /// `true` or `false`.
    pub fn boolean(&self) -> Result<bool, ConfigError> {
        self.value().as_bool().ok_or_else(|| self.wrong_type("true or false"))
    }

    /// A whole number from `least` to `most`.
    pub fn whole(&self, least: u64, most: u64) -> Result<u64, ConfigError> {
        self.number(least, most)
    }

    /// A string.
    pub fn string(&self) -> Result<&str, ConfigError> {
        self.string_of("a string")
    }

    /// One of a few names.
    pub fn choice<T: FromStr<Err = UnknownName>>(&self) -> Result<T, ConfigError> {
        self.one_of("a string", "value")
    }

    /// A list of names, each one of a few.
    pub fn choices<T: FromStr<Err = UnknownName>>(&self) -> Result<Vec<T>, ConfigError> {
        self.elements("a list")?.iter().map(Self::choice).collect()
    }

    /// A mistake in the value, at its place.
    pub fn error(&self, message: impl Into<String>) -> ConfigError {
        ConfigError::about(Some(&self.spot()), message)
    }

    pub(crate) fn value(&self) -> &'e DeValue<'e> {
        self.value.get_ref()
    }

    /// The place of the value.
    pub(crate) fn spot(&self) -> Spot {
        Spot::new(self.source, self.value.span().start)
    }

    /// The name of the entry, with its place.
    pub(super) fn key(&self) -> Named {
        Named { text: self.name().to_owned(), spot: Some(Spot::new(self.source, self.key.span().start)) }
    }

    /// A string, which messages call what is `expected`.
    pub(super) fn string_of(&self, expected: &str) -> Result<&'e str, ConfigError> {
        self.value().as_str().ok_or_else(|| self.wrong_type(expected))
    }

    /// The same as a name with its place.
    pub(super) fn named(&self, expected: &str) -> Result<Named, ConfigError> {
        Ok(Named { text: self.string_of(expected)?.to_owned(), spot: Some(self.spot()) })
    }

    /// A list of names.
    pub(super) fn names(&self, expected: &str) -> Result<Vec<Named>, ConfigError> {
        self.elements("a list")?.iter().map(|element| element.named(expected)).collect()
    }

    /// The elements of a list, or what is no list alone; messages call each as they call the whole.
    pub(super) fn one_or_more(&self) -> Vec<Self> {
        let values = self.value().as_array().map_or(std::slice::from_ref(self.value), |list| list);
        values.iter().map(|value| Self { value, ..*self }).collect()
    }

    /// The elements of a list, which messages call what is `expected`.
    pub(super) fn elements(&self, expected: &str) -> Result<Vec<Self>, ConfigError> {
        let list = self.value().as_array().ok_or_else(|| self.wrong_type(expected))?;
        Ok(list.iter().map(|value| Self { value, is_element: true, ..*self }).collect())
    }

    /// The entries of a table.
    pub(crate) fn table(&self) -> Result<Vec<Self>, ConfigError> {
        let whole = Self { is_element: false, ..*self };
        self.value().as_table().map(|table| self.source.entries(table)).ok_or_else(|| whole.wrong_type("a table"))
    }

    /// One of a few names of a `kind`.
    pub(super) fn one_of<T: FromStr<Err = UnknownName>>(&self, expected: &str, kind: &str) -> Result<T, ConfigError> {
        let name = self.string_of(expected)?;
        name.parse().map_err(|unknown: UnknownName| {
            let meant = choice(name, unknown.names());
            self.error(format!("unknown {kind}{} of {}{meant}", shown(name), self.what()))
        })
    }

    /// A whole number from `least` to `most`, which is [`u64::MAX`] where there is no such bound.
    pub(super) fn number<T: TryFrom<u64>>(&self, least: u64, most: u64) -> Result<T, ConfigError> {
        let expected = match most {
            u64::MAX => format!("a whole number of at least {least}"),
            _ => format!("a whole number from {least} to {most}"),
        };
        let written = self.value().as_integer().ok_or_else(|| self.wrong_type(&expected))?;
        let number = integer(written).and_then(|number| u64::try_from(number).ok());
        let number = number.filter(|number| (least..=most).contains(number)).and_then(|number| number.try_into().ok());
        number.ok_or_else(|| self.error(format!("{} must be {expected}", self.what())))
    }

    /// A value of a rule's option.
    pub(super) fn option(&self) -> Result<OptionValue, ConfigError> {
        let mistake = |problem: &str| self.error(format!("option{} {problem}", shown(self.name())));
        Ok(match self.value() {
            DeValue::String(text) => OptionValue::String(text.clone().into_owned()),
            DeValue::Boolean(boolean) => OptionValue::Boolean(*boolean),
            DeValue::Integer(written) => {
                OptionValue::Integer(integer(written).ok_or_else(|| mistake("is too large a number"))?)
            }
            DeValue::Float(written) => {
                let number = written.as_str().parse();
                OptionValue::Float(number.map_err(|_| mistake("is not a number that can be read"))?)
            }
            DeValue::Array(_) => {
                OptionValue::List(self.elements("a list")?.iter().map(Self::option).collect::<Result<_, _>>()?)
            }
            other @ (DeValue::Datetime(_) | DeValue::Table(_)) => {
                let expected = "a string, a number, true or false, or a list of those";
                return Err(mistake(&format!("must be {expected}, not {}", kind(other))));
            }
        })
    }

    /// A key that the table does not have: the nearest it has, else where the key belongs, else all it has.
    pub(crate) fn unknown(&self, keys: &Keys<'_>) -> ConfigError {
        let name = self.name();
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
        self.key().error(format!("unknown key{}{inside}{hint}", shown(name)))
    }

    /// What messages call the value.
    fn what(&self) -> String {
        format!("{}`{}`", if self.is_element { "an entry of " } else { "" }, self.name())
    }

    fn wrong_type(&self, expected: &str) -> ConfigError {
        self.error(format!("{} must be {expected}, not {}", self.what(), kind(self.value())))
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
    const CATEGORIES: [(&[&str], &str); 20] = [
        (&["duplicate key", "cannot extend value"], ": a key or table is written twice"),
        (&["cannot recurse", "recursion limit"], ": too deeply nested"),
        (&["unclosed"], ": a bracket is not closed"),
        (&["string values must be quoted"], ": a value is missing or has no quotes"),
        (&["missing opening quote"], ": a string has no opening quote"),
        (
            &["invalid basic string", "invalid literal string", "invalid multi-line"],
            ": a string is not closed or holds a control character",
        ),
        (&["missing escaped value"], ": a string holds an unknown escape"),
        (&["missing value"], ": a value is missing"),
        (&["key with no value", "missing assignment"], ": `=` is missing"),
        (&["extra `=`", "extra assignment"], ": `=` is written twice"),
        (&["unexpected `=`"], ": `=` is not expected here"),
        (&["missing comma"], ": a comma is missing"),
        (&["extra comma"], ": a comma is not expected here"),
        (&["invalid unquoted key"], ": a key needs quotes"),
        (&["unquoted keys cannot be empty", "missing key"], ": a key is missing"),
        (&["keys cannot be multi-line"], ": a key runs over lines"),
        (&["unexpected leading zero"], ": a number has a leading zero"),
        (&["invalid boolean"], ": a value without quotes is not a number, a date, true or false"),
        (&["unexpected key or value", "unexpected content"], ": something follows where the line should end"),
        (&["carriage return"], ": a carriage return without a line feed"),
    ];
    let begins = |starts: &[&str]| starts.iter().any(|start| message.starts_with(start));
    CATEGORIES.iter().find(|(starts, _)| begins(starts)).map_or("", |&(_, category)| category)
}
