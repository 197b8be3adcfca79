//! How a run ends.

use std::fmt;

use jsonseam_adapter::Outputs;
use jsonseam_text::{ErrorCode, named};
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::attempt::Attempt;
use crate::message::Usage;
use crate::template::{TemplateError, TemplateReason};
use crate::transport::{TransportError, TransportKind};

named! {
    /// Why a run ended without an answer that meets the contract.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Stop as "a reason to stop" {
        /// Every attempt is used up.
        Exhausted = "exhausted",
        /// The time is over, or would be before the next request.
        Deadline = "deadline",
        /// The tokens are used up.
        TokenBudget = "token_budget",
        /// The model gave the same answer twice, in its last mode.
        Repeated = "repeated",
        /// The answer was cut off.
        Truncated = "truncated",
        /// The model refuses to answer.
        ModelRefused = "model_refused",
        /// A filter of the server's kept the answer back, or took away its end.
        ContentFilter = "content_filter",
        /// The error is one that asking again does not repair.
        NotRetryable = "unmendable",
        /// The transport failed, beyond its repetitions.
        Transport = "transport",
        /// The prompt template failed.
        Template = "template",
        /// Whoever watches the attempts wants no further one.
        Vetoed = "vetoed",
        /// The caller stopped the run.
        Cancelled = "cancelled",
    }
}

/// The one error type of this crate.
///
/// Neither `Display` nor `Debug` holds text of prompts or answers (SPEC M5).
#[derive(Debug)]
#[non_exhaustive]
pub enum Error {
    /// The last answer does not meet the contract.
    Contract(Box<jsonseam_adapter::Error>),
    /// There was no answer, or the model or a filter kept it back.
    Transport(TransportError),
    /// The prompt could not be made.
    Template(TemplateError),
}

/// Why a run has no answer: a type to match, with a stable name.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Reason {
    /// The last answer does not meet the contract.
    Contract(jsonseam_adapter::Reason),
    /// There was no answer.
    Transport(TransportKind),
    /// The prompt could not be made.
    Template(TemplateReason),
}

impl Reason {
    /// The stable name.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Contract(reason) => reason.as_str(),
            Self::Transport(reason) => reason.as_str(),
            Self::Template(reason) => reason.as_str(),
        }
    }
}

impl fmt::Display for Reason {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.pad(self.as_str())
    }
}

impl Error {
    /// The stable code: one of the contract's, `transport` or `template`.
    pub fn code(&self) -> ErrorCode {
        match self {
            Self::Contract(error) => error.code(),
            Self::Transport(error) => error.code(),
            Self::Template(error) => error.code(),
        }
    }

    /// The reason.
    pub fn reason(&self) -> Reason {
        match self {
            Self::Contract(error) => Reason::Contract(error.reason()),
            Self::Transport(error) => Reason::Transport(error.reason()),
            Self::Template(error) => Reason::Template(error.reason()),
        }
    }

    /// What the contract says about the last answer, if that is the error.
    pub fn contract(&self) -> Option<&jsonseam_adapter::Error> {
        if let Self::Contract(error) = self { Some(error) } else { None }
    }

    /// What the transport says, if that is the error.
    pub fn transport(&self) -> Option<&TransportError> {
        if let Self::Transport(error) = self { Some(error) } else { None }
    }

    /// Whether a further run can succeed.
    pub fn is_retryable(&self) -> bool {
        match self {
            Self::Contract(error) => error.is_retryable(),
            Self::Transport(error) => error.is_retryable(),
            Self::Template(_) => false,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Contract(error) => error.fmt(formatter),
            Self::Transport(error) => error.fmt(formatter),
            Self::Template(error) => error.fmt(formatter),
        }
    }
}

/// The source is the error that this one is, which quotes neither prompts nor answers; its text is this error's text.
impl std::error::Error for Error {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        match self {
            Self::Contract(error) => Some(&**error),
            Self::Transport(error) => Some(error),
            Self::Template(error) => Some(error),
        }
    }
}

impl From<TransportError> for Error {
    fn from(error: TransportError) -> Self {
        Self::Transport(error)
    }
}

impl From<TemplateError> for Error {
    fn from(error: TemplateError) -> Self {
        Self::Template(error)
    }
}

impl From<jsonseam_adapter::Error> for Error {
    fn from(error: jsonseam_adapter::Error) -> Self {
        Self::Contract(Box::new(error))
    }
}

/// The `error` member of the record.
impl Serialize for Error {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Self::Contract(error) => error.serialize(serializer),
            Self::Transport(error) => error.serialize(serializer),
            Self::Template(error) => {
                let mut record = serializer.serialize_struct("Error", 2)?;
                record.serialize_field("code", &error.code())?;
                record.serialize_field("reason", error.reason().as_str())?;
                record.end()
            }
        }
    }
}

/// An answer that meets the contract.
///
/// Serialised, it is what `jsonseam ask` prints: `{"outputs": …, "attempts": […]}`.
#[derive(Debug)]
#[non_exhaustive]
pub struct Answer {
    /// The declared outputs.
    pub outputs: Outputs,
    /// Every attempt of the run.
    pub attempts: Vec<Attempt>,
}

impl Answer {
    /// The tokens of all attempts, as far as the server counted them.
    pub fn usage(&self) -> Option<Usage> {
        total(&self.attempts)
    }
}

impl Serialize for Answer {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("Answer", 2)?;
        record.serialize_field("outputs", &self.outputs)?;
        record.serialize_field("attempts", &self.attempts)?;
        record.end()
    }
}

/// The best answer that does not meet the contract: the outputs that are valid by themselves (SPEC L5).
#[derive(Debug)]
#[non_exhaustive]
pub struct Partial {
    /// The outputs, each valid by itself.
    pub outputs: Outputs,
    /// The number of the attempt that they are from.
    pub attempt: u32,
}

impl Serialize for Partial {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.outputs.serialize(serializer)
    }
}

/// A run without an answer that meets the contract: the error, everything on record, and the best partial answer if the settings allow one.
///
/// Serialised, it is what `jsonseam ask` prints: `{"error": …, "stop": …, "partial": … or null, "attempts": […]}`.
///
/// ```
/// use jsonseam_adapter::Adapter;
/// use jsonseam_reask::{Reask, Request, Response, Stop, TransportError};
///
/// let reask = Reask::new(Adapter::builder().output("city").build()?).max_attempts(1);
/// let mut model = |_: Request| -> Result<Response, TransportError> { Ok("{\"town\": \"Oslo\"}".into()) };
/// let failure = reask.run_blocking(&mut model, "Where?").unwrap_err();
/// assert_eq!((failure.stop, failure.attempts.len()), (Stop::Repeated, 2));
/// assert_eq!(failure.error.code().as_str(), "invalid_outputs");
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug)]
#[non_exhaustive]
pub struct Failure {
    /// What went wrong last.
    pub error: Error,
    /// Why the run ended there.
    pub stop: Stop,
    /// The best partial answer. The contract is unmet all the same.
    pub partial: Option<Box<Partial>>,
    /// Every attempt of the run.
    pub attempts: Vec<Attempt>,
}

impl Failure {
    /// The tokens of all attempts, as far as the server counted them.
    pub fn usage(&self) -> Option<Usage> {
        total(&self.attempts)
    }
}

impl fmt::Display for Failure {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let count = self.attempts.len();
        let attempts = if count == 1 { "attempt" } else { "attempts" };
        write!(formatter, "{} ({} after {count} {attempts})", self.error, self.stop)
    }
}

impl std::error::Error for Failure {}

impl Serialize for Failure {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut record = serializer.serialize_struct("Failure", 4)?;
        record.serialize_field("error", &self.error)?;
        record.serialize_field("stop", self.stop.as_str())?;
        record.serialize_field("partial", &self.partial)?;
        record.serialize_field("attempts", &self.attempts)?;
        record.end()
    }
}

fn total(attempts: &[Attempt]) -> Option<Usage> {
    attempts.iter().filter_map(|attempt| attempt.usage).reduce(Usage::plus)
}
