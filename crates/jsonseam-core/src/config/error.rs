//! Mistakes in configuration, and the places they are reported at.

use std::fmt;
use std::sync::Arc;

use jsonseam_text::ErrorCode;

use crate::derived::debug_facts;
use crate::reading::position::Position;

/// A place in a configuration file.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Place {
    /// The file, as the caller named it.
    pub file: String,
    /// Line, from 1.
    pub line: usize,
    /// Column, from 1, in characters.
    pub column: usize,
}

impl fmt::Display for Place {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}:{}:{}", self.file, self.line, self.column)
    }
}

/// A mistake in the configuration or in the presets.
///
/// Neither `Display` nor `Debug` quotes the file: they hold what is declared by name (rules, keys, options, presets) and nothing else.
/// A name is only shown if it looks like one, so a value in the wrong place is not repeated either.
///
/// ```
/// use jsonseam_core::Config;
///
/// let error = Config::from_toml("[limits]\nmax-dept = 5\n", "jsonseam.toml").unwrap_err();
/// assert_eq!(error.to_string(), "jsonseam.toml:2:1: unknown key `max-dept` in [limits]; did you mean `max-depth`?");
/// assert_eq!((error.line(), error.column()), (Some(2), Some(1)));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ConfigError {
    message: String,
    place: Option<Place>,
}

impl ConfigError {
    /// A mistake at a place in a file; `None` for one that no file holds, but code, a flag or a declaration.
    pub(crate) fn about(spot: Option<&Spot>, message: impl Into<String>) -> Self {
        Self { message: message.into(), place: spot.map(Spot::place) }
    }

    /// The stable code of the error type: always `config`.
    pub const fn code(&self) -> ErrorCode {
        ErrorCode::Config
    }

    /// What is wrong, without the place.
    pub fn message(&self) -> &str {
        &self.message
    }

    /// The file that holds the mistake, as the caller named it; `None` for a setting made in code or by a flag.
    pub fn file(&self) -> Option<&str> {
        self.place.as_ref().map(|place| place.file.as_str())
    }

    /// The line of the mistake, from 1.
    pub fn line(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.line)
    }

    /// The column of the mistake, from 1, in characters.
    pub fn column(&self) -> Option<usize> {
        self.place.as_ref().map(|place| place.column)
    }
}

impl fmt::Display for ConfigError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        if let Some(place) = &self.place {
            write!(formatter, "{place}: ")?;
        }
        formatter.write_str(&self.message)
    }
}

impl std::error::Error for ConfigError {}

/// A file's name and its text, which places are counted in. The text is never shown.
pub(crate) struct Source {
    file: String,
    pub(super) text: String,
}

impl Source {
    pub(crate) fn new(text: &str, file: &str) -> Arc<Self> {
        Arc::new(Self { file: file.to_owned(), text: text.to_owned() })
    }
}

/// A byte of a file. Line and column are only counted for an error, so reading a file stays linear however long its lines are.
#[derive(Clone)]
pub(crate) struct Spot {
    source: Arc<Source>,
    offset: usize,
}

impl Spot {
    pub(crate) fn new(source: &Arc<Source>, offset: usize) -> Self {
        Self { source: Arc::clone(source), offset }
    }

    pub(crate) fn place(&self) -> Place {
        const BYTE_ORDER_MARK: &str = "\u{feff}";
        let text = &self.source.text;
        // An editor does not show a byte order mark, so it has no column.
        let hidden = if text.starts_with(BYTE_ORDER_MARK) { BYTE_ORDER_MARK.len() } else { 0 };
        let Position { line, column, .. } =
            Position::of(self.offset.saturating_sub(hidden), text.get(hidden..).unwrap_or_default());
        Place { file: self.source.file.clone(), line, column }
    }
}

// The place without the text around it.
debug_facts!(Spot, |spot| place: spot.place());

/// A name as the configuration wrote it, with its place from reading to resolution. In code and flags it has none.
#[derive(Debug, Clone)]
pub(crate) struct Named {
    pub(crate) text: String,
    pub(crate) spot: Option<Spot>,
}

impl Named {
    /// A name from code or a flag.
    pub(crate) fn in_code(text: &str) -> Self {
        Self { text: text.to_owned(), spot: None }
    }

    pub(crate) fn is_in_file(&self) -> bool {
        self.spot.is_some()
    }

    /// A mistake in or about this name.
    pub(crate) fn error(&self, message: impl Into<String>) -> ConfigError {
        ConfigError::about(self.spot.as_ref(), message)
    }
}
