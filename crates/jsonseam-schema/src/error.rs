//! Why a schema was refused, and why a text failed its check.

use std::fmt;

use jsonseam_text::{ErrorCode, named};

use crate::violation::{Violation, Violations};

named! {
    /// Why a schema was refused.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum SchemaReason as "a reason" {
        /// The text is not JSON.
        NotJson = "not_json",
        /// The text is JSON, but no schema of its draft.
        NotASchema = "not_a_schema",
        /// The text is an object that holds no keyword and no annotation of its draft, so it would accept everything.
        NoKeyword = "no_keyword",
        /// `$schema` names a meta-schema that is neither a known draft nor registered, and no draft was chosen.
        UnsupportedDraft = "unsupported_draft",
        /// A reference leads out of the schema and of what is registered; nothing is ever fetched (SPEC V3).
        ExternalReference = "external_reference",
        /// A reference leads to a place inside a known schema where no schema is.
        UnresolvedReference = "unresolved_reference",
        /// References lead in a circle without going deeper into the value.
        ReferenceLoop = "reference_loop",
        /// A pattern that no linear-time engine can run (look-around, back-references), or that is too large.
        UnsupportedPattern = "unsupported_pattern",
        /// The schema is nested too deeply.
        TooDeep = "too_deep",
        /// The schema is too long.
        TooLarge = "too_large",
        /// The schema has too many parts, patterns or links between them.
        TooComplex = "too_complex",
    }
}

impl SchemaReason {
    const fn explained(self) -> &'static str {
        match self {
            Self::NotJson => "the schema is not JSON",
            Self::NotASchema => "the schema does not fit the meta-schema of its draft",
            Self::NoKeyword => "no member of the schema is a keyword of its draft, so it would accept everything",
            Self::UnsupportedDraft => {
                "`$schema` names no known draft; register its meta-schema, or choose one of \
                 draft-04, draft-06, draft-07, openapi-3.0, 2019-09 and 2020-12"
            }
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

/// A schema was refused when it was compiled.
///
/// `Display` gives the file, the line, the JSON Pointer and what is wrong there, as far as they are known; all but the file are the developer's words.
///
/// ```
/// let error = jsonseam_schema::Schema::compile("{\n  \"$ref\": \"https://example.com/other.json\"\n}").unwrap_err();
///
/// assert_eq!(error.code(), "schema_refused");
/// assert_eq!(error.reason().as_str(), "external_reference");
/// assert_eq!((error.place(), error.keyword(), error.line()), (Some("/$ref"), Some("$ref"), Some(2)));
/// assert_eq!(
///     error.to_string(),
///     "external_reference: line 2: /$ref: a reference leads out of the schema, and nothing is fetched",
/// );
/// ```
#[derive(Clone, PartialEq, Eq)]
pub struct SchemaError {
    reason: SchemaReason,
    details: Box<Details>,
}

#[derive(Clone, Default, PartialEq, Eq)]
struct Details {
    place: Option<Box<str>>,
    /// The document that the place is in, if it is not the schema itself.
    document: Option<usize>,
    keyword: Option<Box<str>>,
    line: Option<usize>,
    file: Option<Box<str>>,
    because: Option<Box<str>>,
}

impl SchemaError {
    pub(crate) fn new(reason: SchemaReason) -> Self {
        Self { reason, details: Box::default() }
    }

    pub(crate) fn at(reason: SchemaReason, place: &str) -> Self {
        let mut error = Self::new(reason);
        error.details.place = Some(place.into());
        error
    }

    pub(crate) fn in_document(mut self, document: usize) -> Self {
        self.details.document = Some(document);
        self
    }

    /// The same error, which is in the schema itself if that is this document.
    pub(crate) fn seen_from(mut self, document: usize) -> Self {
        self.details.document = self.details.document.filter(|own| *own != document);
        self
    }

    /// The same error, of a document that the caller registered.
    pub(crate) fn elsewhere(self) -> Self {
        self.in_document(usize::MAX)
    }

    /// Whether the place is in the schema itself, and not in one that was registered.
    pub(crate) fn is_here(&self) -> bool {
        self.details.document.is_none()
    }

    /// Tells what is wrong more closely than the reason does.
    pub(crate) fn because(mut self, sentence: &str) -> Self {
        self.details.because = Some(sentence.into());
        self
    }

    pub(crate) fn on_line(mut self, line: usize) -> Self {
        self.details.line = Some(line);
        self
    }

    pub(crate) fn of_keyword(mut self, keyword: Option<String>) -> Self {
        self.details.keyword = keyword.map(String::into_boxed_str);
        self
    }

    /// The same place, seen from a text that holds the schema at a pointer.
    pub(crate) fn within(mut self, pointer: &str) -> Self {
        if let Some(place) = self.details.place.as_mut().filter(|_| !pointer.is_empty()) {
            *place = format!("{pointer}{place}").into();
        }
        self
    }

    /// The same error, of the schema that was read from a file of this name.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        self.details.file = Some(file.into());
        self
    }

    /// The stable code, `schema_refused`.
    pub const fn code(&self) -> ErrorCode {
        ErrorCode::SchemaRefused
    }

    /// The reason.
    pub const fn reason(&self) -> SchemaReason {
        self.reason
    }

    /// Where in its document the refused part is, as a JSON Pointer, where one part alone is to blame.
    pub fn place(&self) -> Option<&str> {
        self.details.place.as_deref()
    }

    /// The keyword that is to blame, where one is.
    pub fn keyword(&self) -> Option<&str> {
        self.details.keyword.as_deref()
    }

    /// The line of the refused part, counted from 1, if the schema was compiled from a text.
    pub fn line(&self) -> Option<usize> {
        self.details.line
    }

    /// The file that the schema was read from, if [`SchemaError::in_file`] has set it.
    pub fn file(&self) -> Option<&str> {
        self.details.file.as_deref()
    }

    /// What is wrong, in one sentence.
    pub fn explained(&self) -> &str {
        self.details.because.as_deref().unwrap_or_else(|| self.reason.explained())
    }
}

/// A text of the schema's author, without control characters and of bounded length.
fn shown(text: &str) -> String {
    crate::violation::cut(text, 512).chars().map(|next| if next.is_control() { '\u{fffd}' } else { next }).collect()
}

impl fmt::Display for SchemaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{}: ", self.reason)?;
        if let Some(file) = self.file() {
            write!(formatter, "{}: ", shown(file))?;
        }
        if let Some(line) = self.line() {
            write!(formatter, "line {line}: ")?;
        }
        if let Some(place) = self.place().filter(|place| !place.is_empty()) {
            write!(formatter, "{}: ", shown(place))?;
        }
        formatter.write_str(self.explained())
    }
}

impl fmt::Debug for SchemaError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("SchemaError")
            .field("reason", &self.reason)
            .field("line", &self.line())
            .finish_non_exhaustive()
    }
}

impl std::error::Error for SchemaError {}

named! {
    /// Why a text failed its check, as a stable name.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum FailureReason as "a reason" {
        /// The value does not fit the schema.
        Schema = "schema",
        /// The check took more steps than allowed.
        ValidationBudget = "validation_budget",
        /// The text cannot be held as a value.
        NotRepresentable = "not_representable",
    }
}

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
    /// The text is not JSON, or JSON that cannot be held: a lone surrogate escape, a number out of range, too deep (SPEC P0).
    NotRepresentable,
}

impl Failure {
    /// The reason.
    pub const fn reason(&self) -> FailureReason {
        match self {
            Self::Invalid(_) => FailureReason::Schema,
            Self::Budget => FailureReason::ValidationBudget,
            Self::NotRepresentable => FailureReason::NotRepresentable,
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
