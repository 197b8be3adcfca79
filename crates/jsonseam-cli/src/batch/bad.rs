//! Lines that cannot be used.

use serde::Serialize;

/// Why a line cannot be used.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum BadRecord {
    /// The line is not JSON.
    NotJson,
    /// The record has no such member.
    MissingField,
    /// The member is no string.
    NotAString,
    /// The string holds half a surrogate pair.
    NotUnicode,
    /// The line is longer than any record that could be repaired.
    TooLong,
    /// The member for the offered tools is no list of tools.
    BadTools,
}

impl BadRecord {
    /// The name in records.
    pub(super) const fn as_str(self) -> &'static str {
        match self {
            Self::NotJson => "not_json",
            Self::MissingField => "missing_field",
            Self::NotAString => "not_a_string",
            Self::NotUnicode => "not_unicode",
            Self::TooLong => "too_long",
            Self::BadTools => "bad_tools",
        }
    }
}
