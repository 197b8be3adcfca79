//! Why a schema was refused, and why a text failed its check.

use std::fmt;

use crate::violation::{Violation, Violations};

/// Why a schema was refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum SchemaReason {
    /// The text is no JSON.
    NotJson,
    /// The text is JSON, but no schema of its draft.
    NotASchema,
    /// `$schema` names a draft other than 7, 2019-09 and 2020-12, or a meta-schema that is not registered.
    UnsupportedDraft,
    /// A reference leads out of the schema and of what is registered; nothing is ever fetched (SPEC V3).
    ExternalReference,
    /// A reference leads to a place inside a known schema where no schema is.
    UnresolvedReference,
    /// References lead in a circle without going deeper into the value.
    ReferenceLoop,
    /// A pattern that no linear-time engine can run (look-around, back-references), or that is too large.
    UnsupportedPattern,
    /// The schema is nested too deeply.
    TooDeep,
    /// The schema is too long.
    TooLarge,
    /// The schema has too many parts, patterns or links between them.
    TooComplex,
}

impl SchemaReason {
    /// The stable name, as in records.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::NotJson => "not_json",
            Self::NotASchema => "not_a_schema",
            Self::UnsupportedDraft => "unsupported_draft",
            Self::ExternalReference => "external_reference",
            Self::UnresolvedReference => "unresolved_reference",
            Self::ReferenceLoop => "reference_loop",
            Self::UnsupportedPattern => "unsupported_pattern",
            Self::TooDeep => "too_deep",
            Self::TooLarge => "too_large",
            Self::TooComplex => "too_complex",
        }
    }

    const fn explained(self) -> &'static str {
        match self {
            Self::NotJson => "the schema is not JSON",
            Self::NotASchema => "the schema does not fit the meta-schema of its draft",
            Self::UnsupportedDraft => "the schema is of a draft other than 7, 2019-09 and 2020-12",
            Self::ExternalReference => "a reference leads out of the schema, and nothing is fetched",
            Self::UnresolvedReference => "a reference leads nowhere",
            Self::ReferenceLoop => "references lead in a circle",
            Self::UnsupportedPattern => "a pattern is larger than allowed or needs look-around or back-references",
            Self::TooDeep => "the schema is nested too deeply",
            Self::TooLarge => "the schema is too long",
            Self::TooComplex => "the schema has too many parts",
        }
    }
}

impl fmt::Display for SchemaReason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

/// A schema was refused when it was compiled.
///
/// It holds no text of the schema: [`SchemaError::place`] is the JSON Pointer of the part that was refused, for those who ask.
///
/// ```
/// let error = jsonseam_schema::Schema::compile(r#"{"$ref": "https://example.com/other.json"}"#).unwrap_err();
///
/// assert_eq!(error.code(), "schema_refused");
/// assert_eq!(error.reason(), "external_reference");
/// assert_eq!(error.place(), Some("/$ref"));
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SchemaError {
    kind: SchemaReason,
    place: Option<Box<str>>,
}

impl SchemaError {
    pub(crate) fn new(kind: SchemaReason) -> Self {
        Self { kind, place: None }
    }

    pub(crate) fn at(kind: SchemaReason, place: &str) -> Self {
        Self { kind, place: Some(place.into()) }
    }

    /// The stable code, `schema_refused`.
    pub const fn code(&self) -> &'static str {
        "schema_refused"
    }

    /// The stable name of the reason.
    pub const fn reason(&self) -> &'static str {
        self.kind.as_str()
    }

    /// The reason, as a type.
    pub const fn kind(&self) -> SchemaReason {
        self.kind
    }

    /// Where in its document the refused part is, as a JSON Pointer, where one part alone is to blame.
    pub fn place(&self) -> Option<&str> {
        self.place.as_deref()
    }
}

impl fmt::Display for SchemaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: {}", self.kind, self.kind.explained())
    }
}

impl fmt::Debug for SchemaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("SchemaError").field("reason", &self.kind).finish_non_exhaustive()
    }
}

impl std::error::Error for SchemaError {}

/// Why a text failed its check.
///
/// Neither `Display` nor `Debug` shows text of the value (SPEC M5).
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Failure {
    /// The value does not fit the schema. There is at least one violation.
    Invalid(Vec<Violation>),
    /// Whether the value fits could not be told within the budget, so it counts as unfit (SPEC V3).
    Budget,
    /// The text is no JSON, or JSON that cannot be held: a lone surrogate escape, a number out of range, too deep (SPEC P0).
    NotRepresentable,
}

impl Failure {
    /// The stable name of the reason: `schema`, `validation_budget` or `not_representable`.
    pub const fn reason(&self) -> &'static str {
        match self {
            Self::Invalid(_) => "schema",
            Self::Budget => "validation_budget",
            Self::NotRepresentable => "not_representable",
        }
    }

    /// The violations; none unless the value does not fit.
    pub fn violations(&self) -> &[Violation] {
        match self {
            Self::Invalid(violations) => violations,
            Self::Budget | Self::NotRepresentable => &[],
        }
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Invalid(violations) => {
                write!(formatter, "schema: the value does not fit: {}", Violations(violations))
            }
            Self::Budget => formatter.write_str("validation_budget: the check took more steps than allowed"),
            Self::NotRepresentable => formatter.write_str("not_representable: the text cannot be held as a value"),
        }
    }
}

impl std::error::Error for Failure {}
