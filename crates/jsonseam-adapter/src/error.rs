//! The one error of the adapter: what a caller branches on without reading text.

use std::fmt;
use std::sync::Arc;

use jsonseam_core::{ConfigError, ContractRecord, Position, Unanswered};
use jsonseam_keyset::{Extra, Mismatch, Repeated};
use jsonseam_schema::{Failure, SchemaError, Violation};
use jsonseam_text::ErrorCode;

use crate::contract::Contract;
use crate::outputs::Outputs;
use crate::reason::{ContractMistake, Reason};

mod message;
mod record;

/// Why there are no outputs (SPEC E1).
///
/// [`code`](Self::code) tells what kind of failure it is, [`reason`](Self::reason) which one, and the other accessors give the particulars:
///
#[doc = include_str!("error/table.md")]
///
/// `Display` and `Debug` hold codes, counts, places and declared names, never text of the completion (SPEC M5).
/// Undeclared keys are given by [`extra`](Self::extra) and [`duplicates`](Self::duplicates), and in the record that serialising gives.
///
/// ```
/// use jsonseam_adapter::Adapter;
///
/// let adapter = Adapter::builder().output("city").build()?;
/// let error = adapter.parse("{\"town\": \"Oslo\"}").unwrap_err();
/// assert_eq!((error.code().as_str(), error.reason().as_str()), ("invalid_outputs", "missing_output_keys"));
/// assert_eq!((error.missing(), error.extra()[0].name.as_str()), (&["city".to_owned()][..], "town"));
/// # Ok::<(), jsonseam_adapter::Error>(())
/// ```
#[derive(Clone)]
pub struct Error(Box<Inner>);

#[derive(Clone)]
struct Inner {
    kind: Kind,
    partial: Option<Arc<Outputs>>,
}

#[derive(Clone)]
enum Kind {
    /// The engine refused the completion.
    Decode(jsonseam_core::Error),
    /// The completion was cut off, and the contract does not allow that.
    Cut(Position),
    /// A field, or the whole, is JSON that its target cannot hold.
    NotRepresentable {
        field: Option<String>,
    },
    Keys {
        mismatch: Mismatch,
        kinds: Vec<Option<String>>,
        /// What does not fit of the declared keys that are there.
        violations: Vec<Violation>,
    },
    Fields {
        field: Option<String>,
        violations: Vec<Violation>,
    },
    Budget {
        field: Option<String>,
    },
    Schema {
        field: Option<String>,
        error: SchemaError,
    },
    Config(ConfigError),
    Contract(ContractMistake),
}

impl Error {
    fn new(kind: Kind) -> Self {
        Self(Box::new(Inner { kind, partial: None }))
    }

    pub(crate) fn truncated(end: Position) -> Self {
        Self::new(Kind::Cut(end))
    }

    pub(crate) fn keys(mismatch: Mismatch, violations: Vec<Violation>, contract: &Contract) -> Self {
        let kinds = mismatch.missing().iter().map(|name| contract.kind_of(name).map(str::to_owned)).collect();
        Self::new(Kind::Keys { mismatch, kinds, violations })
    }

    pub(crate) fn fields(violations: Vec<Violation>, field: Option<&str>) -> Self {
        Self::new(Kind::Fields { field: field.map(str::to_owned), violations })
    }

    /// What validators have against outputs that fit their schemas.
    pub(crate) fn objections(violations: Vec<Violation>, outputs: Outputs) -> Self {
        let field = violations.iter().find_map(Violation::first_key).map(str::to_owned);
        let is_to_blame = |name: &str| violations.iter().any(|violation| violation.first_key() == Some(name));
        let partial = outputs.partial_without(is_to_blame);
        Self::fields(violations, field.as_deref()).with_partial(partial)
    }

    /// The failure of a field, or of the whole, as it is.
    pub(crate) fn failure(failure: Failure, field: Option<&str>) -> Self {
        let field = field.map(str::to_owned);
        Self::new(match failure {
            Failure::Invalid(violations) => Kind::Fields { field, violations },
            Failure::NotRepresentable => Kind::NotRepresentable { field },
            _ => Kind::Budget { field },
        })
    }

    /// The failure of a field, with paths from the object's root.
    pub(crate) fn of_field(failure: Failure, field: &str) -> Self {
        match failure {
            Failure::Invalid(violations) => Self::fields(Violation::all_within(violations, field), Some(field)),
            other => Self::failure(other, Some(field)),
        }
    }

    /// A field that was asked for and is not there.
    pub(crate) fn absent(name: &str) -> Self {
        let mismatch = Mismatch::of_missing(name);
        Self::new(Kind::Keys { mismatch, kinds: vec![None], violations: Vec::new() })
    }

    pub(crate) fn schema(error: SchemaError, field: Option<&str>) -> Self {
        Self::new(Kind::Schema { field: field.map(str::to_owned), error })
    }

    pub(crate) fn with_partial(mut self, partial: Outputs) -> Self {
        self.0.partial = Some(Arc::new(partial));
        self
    }

    /// The stable code: what kind of failure it is.
    ///
    /// Of a completion: `output_decode_failed`, `invalid_outputs` or `output_validation_failed`.
    /// Of a contract, when it is built: `schema_refused`, `config` or `contract_refused`.
    pub fn code(&self) -> ErrorCode {
        match &self.0.kind {
            Kind::Decode(_) | Kind::Cut(_) | Kind::NotRepresentable { .. } => ErrorCode::OutputDecodeFailed,
            Kind::Keys { .. } => ErrorCode::InvalidOutputs,
            Kind::Fields { .. } | Kind::Budget { .. } => ErrorCode::OutputValidationFailed,
            Kind::Schema { .. } => ErrorCode::SchemaRefused,
            Kind::Config(_) => ErrorCode::Config,
            Kind::Contract(_) => ErrorCode::ContractRefused,
        }
    }

    /// The reason: which failure of the kind it is.
    pub fn reason(&self) -> Reason {
        match &self.0.kind {
            Kind::Decode(error) => Reason::Decode(error.reason()),
            Kind::Cut(_) => Reason::Decode(jsonseam_core::Reason::Truncated),
            Kind::NotRepresentable { .. } => Reason::Decode(jsonseam_core::Reason::NotRepresentable),
            Kind::Keys { mismatch, .. } => Reason::Keys(mismatch.reason()),
            Kind::Fields { .. } => Reason::Schema,
            Kind::Budget { .. } => Reason::ValidationBudget,
            Kind::Schema { error, .. } => Reason::SchemaRefused(error.reason()),
            Kind::Config(_) => Reason::Config,
            Kind::Contract(mistake) => Reason::Contract(*mistake),
        }
    }

    pub(crate) fn is_out_of_budget(&self) -> bool {
        matches!(self.0.kind, Kind::Budget { .. })
    }

    /// The required outputs that are not there, in declared order (SPEC K2).
    pub fn missing(&self) -> &[String] {
        self.mismatch().map_or(&[], Mismatch::missing)
    }

    /// The keys that are not declared, with hints (SPEC K3). Their names are text of the completion.
    pub fn extra(&self) -> &[Extra] {
        self.mismatch().map_or(&[], Mismatch::extra)
    }

    /// The keys that are there more than once (SPEC K4). Undeclared names among them are text of the completion.
    pub fn duplicates(&self) -> &[Repeated] {
        self.mismatch().map_or(&[], Mismatch::duplicates)
    }

    /// Everything that is wrong with the keys, if that is the failure.
    pub fn mismatch(&self) -> Option<&Mismatch> {
        match &self.0.kind {
            Kind::Keys { mismatch, .. } => Some(mismatch),
            _ => None,
        }
    }

    /// The output to blame: of several that do not fit, the first in declared order (SPEC V2).
    pub fn field(&self) -> Option<&str> {
        match &self.0.kind {
            Kind::NotRepresentable { field }
            | Kind::Fields { field, .. }
            | Kind::Budget { field }
            | Kind::Schema { field, .. } => field.as_deref(),
            _ => None,
        }
    }

    /// What does not fit, of all fields, by declared field (SPEC V2); where the keys are not the declared ones, of those that are there.
    pub fn violations(&self) -> &[Violation] {
        match &self.0.kind {
            Kind::Fields { violations, .. } | Kind::Keys { violations, .. } => violations,
            _ => &[],
        }
    }

    /// The refusal of the engine, if that is the failure: what was expected, and which rules would have repaired it.
    pub fn decode(&self) -> Option<&jsonseam_core::Error> {
        match &self.0.kind {
            Kind::Decode(error) => Some(error),
            _ => None,
        }
    }

    /// Where in the completion it failed to decode.
    pub fn position(&self) -> Option<Position> {
        match &self.0.kind {
            Kind::Decode(error) => error.position(),
            Kind::Cut(position) => Some(*position),
            _ => None,
        }
    }

    /// The known rules that are not enabled and would have answered the fault; empty until [`Adapter::explain`](crate::Adapter::explain) has filled it.
    pub fn mended_by(&self) -> &[String] {
        self.decode().map_or(&[], jsonseam_core::Error::mended_by)
    }

    /// The known rules that are not enabled and together repair the whole completion: [`jsonseam_core::Error::repaired_with`].
    pub fn repaired_with(&self) -> &[String] {
        self.decode().map_or(&[], jsonseam_core::Error::repaired_with)
    }

    /// Where all known rules together find no way on, and why: [`jsonseam_core::Error::unanswered`].
    pub fn unanswered(&self) -> Option<&Unanswered> {
        self.decode()?.unanswered()
    }

    /// The same error, with what `explain` makes of the refusal of the engine.
    pub(crate) fn explained(&self, explain: impl FnOnce(&jsonseam_core::Error) -> jsonseam_core::Error) -> Self {
        let mut error = self.clone();
        if let Kind::Decode(refusal) = &mut error.0.kind {
            *refusal = explain(refusal);
        }
        error
    }

    /// Why a schema was refused when the contract was built.
    pub fn schema_error(&self) -> Option<&SchemaError> {
        match &self.0.kind {
            Kind::Schema { error, .. } => Some(error),
            _ => None,
        }
    }

    /// The mistake in the configuration, when the contract was built.
    pub fn config_error(&self) -> Option<&ConfigError> {
        match &self.0.kind {
            Kind::Config(error) => Some(error),
            _ => None,
        }
    }

    /// What was left: the fields that fit for themselves, and the repair. `None` if the completion did not decode at all.
    ///
    /// Its [`is_partial`](Outputs::is_partial) holds. A repeated key and what a cut left incomplete are not in it.
    pub fn partial(&self) -> Option<&Outputs> {
        self.0.partial.as_deref()
    }

    /// The record of the completion, as every front writes it; `None` for an error of no completion, such as a schema that was refused.
    pub fn record(&self) -> Option<ContractRecord<'_, Outputs, Self>> {
        let repair = match (self.decode(), self.partial()) {
            (Some(refusal), _) => refusal.into(),
            (None, Some(partial)) => partial.repair().into(),
            (None, None) => return None,
        };
        Some(ContractRecord::refused(repair, self))
    }

    /// Whether asking the model again can help.
    ///
    /// It cannot against limits and encodings, nor for a mistake in the contract; a cut needs a longer answer, not a repetition.
    pub fn is_retryable(&self) -> bool {
        match &self.0.kind {
            Kind::Decode(error) => error.is_retryable(),
            Kind::NotRepresentable { .. } | Kind::Keys { .. } | Kind::Fields { .. } | Kind::Budget { .. } => true,
            Kind::Cut(_) | Kind::Schema { .. } | Kind::Config(_) | Kind::Contract(_) => false,
        }
    }
}

impl From<jsonseam_core::Error> for Error {
    fn from(error: jsonseam_core::Error) -> Self {
        Self::new(Kind::Decode(error))
    }
}

impl From<ConfigError> for Error {
    fn from(error: ConfigError) -> Self {
        Self::new(Kind::Config(error))
    }
}

impl From<SchemaError> for Error {
    fn from(error: SchemaError) -> Self {
        Self::schema(error, None)
    }
}

impl From<Failure> for Error {
    fn from(failure: Failure) -> Self {
        Self::failure(failure, None)
    }
}

impl From<Mismatch> for Error {
    fn from(mismatch: Mismatch) -> Self {
        let kinds = vec![None; mismatch.missing().len()];
        Self::new(Kind::Keys { mismatch, kinds, violations: Vec::new() })
    }
}

impl From<ContractMistake> for Error {
    fn from(mistake: ContractMistake) -> Self {
        Self::new(Kind::Contract(mistake))
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let of_field = |field: &Option<String>| match field {
            Some(field) => format!(" in the output {field:?}"),
            None => String::new(),
        };
        match &self.0.kind {
            Kind::Decode(error) => write!(formatter, "{error}"),
            Kind::Cut(Position { line, column, offset }) => {
                write!(formatter, "the completion was cut off at line {line} column {column} (byte {offset})")
            }
            Kind::NotRepresentable { field } => {
                write!(formatter, "valid JSON that the target cannot represent{}", of_field(field))
            }
            Kind::Keys { mismatch, violations, .. } => {
                write!(formatter, "the keys are not the declared ones: {mismatch}")?;
                if violations.is_empty() {
                    return Ok(());
                }
                formatter.write_str("; ")?;
                message::violations(formatter, violations)
            }
            Kind::Fields { violations, .. } => message::violations(formatter, violations),
            Kind::Budget { field } => {
                write!(formatter, "the check took more steps than allowed{}", of_field(field))
            }
            Kind::Schema { field, error } => write!(formatter, "the schema was refused{}: {error}", of_field(field)),
            Kind::Config(error) => write!(formatter, "{error}"),
            Kind::Contract(mistake) => formatter.write_str(mistake.explained()),
        }
    }
}

impl fmt::Debug for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Error")
            .field("code", &self.code().as_str())
            .field("reason", &self.reason().as_str())
            .field("message", &self.to_string())
            .finish_non_exhaustive()
    }
}

/// The source is the error of the engine, of a schema or of the configuration, none of which quotes the completion; its text is in this error's too.
impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match &self.0.kind {
            Kind::Decode(error) => Some(error),
            Kind::Schema { error, .. } => Some(error),
            Kind::Config(error) => Some(error),
            _ => None,
        }
    }
}
