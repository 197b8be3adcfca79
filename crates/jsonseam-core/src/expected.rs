//! What the grammar expected at a fault, by name.

use std::fmt;
use std::str::FromStr;

use jsonseam_text::UnknownName;
use serde::Serialize;

use crate::recognise::{Next, Partial, State};

/// What the grammar expected where the payload stopped being JSON.
///
/// A declaration lists the ones its rule answers; the rule is asked about no other.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize)]
#[serde(rename_all = "kebab-case")]
#[non_exhaustive]
pub enum Expected {
    /// A value (after `[`, also `]`).
    Value,
    /// A key (after `{`, also `}`).
    Key,
    /// A colon.
    Colon,
    /// A comma or the closer of the container.
    Comma,
    /// More of a string: it holds a control character or a false escape, or is not closed.
    String,
    /// Nothing more: the root is complete.
    End,
}

impl Expected {
    /// All of them.
    pub const ALL: [Self; 6] = [Self::Value, Self::Key, Self::Colon, Self::Comma, Self::String, Self::End];

    /// The name used in configuration (`at = "colon"`).
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Value => "value",
            Self::Key => "key",
            Self::Colon => "colon",
            Self::Comma => "comma",
            Self::String => "string",
            Self::End => "end",
        }
    }

    /// The phrase used in messages and in the `expected` member of the record.
    pub const fn described(self) -> &'static str {
        match self {
            Self::Value => "a value",
            Self::Key => "a key in double quotes",
            Self::Colon => "a colon",
            Self::Comma => "a comma or a closing bracket",
            Self::String => "the rest of a string",
            Self::End => "the end of the text",
        }
    }

    pub(crate) const fn of(state: &State) -> Self {
        if matches!(state.partial, Partial::Text { .. }) {
            return Self::String;
        }
        match state.next {
            Next::Value | Next::ValueOrClose => Self::Value,
            Next::Key | Next::KeyOrClose => Self::Key,
            Next::Colon => Self::Colon,
            Next::CommaOrClose => Self::Comma,
            Next::End => Self::End,
        }
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl FromStr for Expected {
    type Err = UnknownName;

    fn from_str(name: &str) -> Result<Self, UnknownName> {
        let unknown = UnknownName::new("an expectation", &["value", "key", "colon", "comma", "string", "end"]);
        Self::ALL.into_iter().find(|expected| expected.as_str() == name).ok_or(unknown)
    }
}
