//! What is put on record about each request and its answer. No text of either (SPEC M5).

use std::time::Duration;

use jsonseam_text::named;
use serde::ser::{Serialize, SerializeStruct, Serializer};

use crate::message::{Mode, Usage};

named! {
    /// Why a request was made.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Cause as "a cause of a request" {
        /// It is the first of the run.
        First = "first",
        /// The last answer did not meet the contract.
        SchemaRepair = "schema_repair",
        /// The last answer was cut off.
        Shorter = "shorter",
        /// The mode before has failed; this is the first request of the next one.
        Fallback = "fallback",
        /// The model takes no temperature; this is the request before it, without one.
        WithoutTemperature = "without_temperature",
    }
}

named! {
    /// What became of an attempt.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum AttemptStatus as "a status of an attempt" {
        /// The answer meets the contract as it is.
        Valid = "valid",
        /// The answer meets the contract by listed edits.
        Repaired = "repaired",
        /// The answer does not meet the contract.
        Refused = "refused",
        /// There was no answer, or the model or a filter kept it back.
        Failed = "failed",
    }
}

/// One request and its answer, as data.
///
/// ```
/// use jsonseam_reask::Attempt;
///
/// fn log(attempt: &Attempt) -> String {
///     format!("attempt {}: {} after {} ms", attempt.number, attempt.status, attempt.elapsed.as_millis())
/// }
/// # let _ = log;
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Attempt {
    /// Its number, from 1.
    pub number: u32,
    /// Why it was made.
    pub cause: Cause,
    /// The response format that was asked for.
    pub mode: Mode,
    /// The model that was asked, if the loop was given the names of its models.
    pub model: Option<String>,
    /// Whether the answer came from the cache, and no one was asked.
    pub is_cached: bool,
    /// Whether the answer was given up while it was written, since nothing that followed could have made it one: `completion_length` is what came,
    /// and tokens are known only if the server had told them by then.
    pub stopped_early: bool,
    /// A keyed digest of the messages: equal for equal messages under one key.
    pub prompt_digest: String,
    /// The length of the messages, in bytes.
    pub prompt_length: usize,
    /// The length of the answer, in bytes; `None` if there was none.
    pub completion_length: Option<usize>,
    /// Why the model stopped, in the server's words, if those look like a name.
    pub finish_reason: Option<String>,
    /// What became of it.
    pub status: AttemptStatus,
    /// What was wrong, each as `code/reason`.
    pub errors: Vec<String>,
    /// Tokens, if the server counts them.
    pub usage: Option<Usage>,
    /// How often the request was sent again because of the transport.
    pub transport_retries: u32,
    /// The time from the first sending to the verdict, pauses included.
    pub elapsed: Duration,
}

impl Serialize for Attempt {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let optional =
            usize::from(self.model.is_some()) + usize::from(self.is_cached) + usize::from(self.stopped_early);
        let mut record = serializer.serialize_struct("Attempt", 12 + optional)?;
        record.serialize_field("number", &self.number)?;
        record.serialize_field("cause", &self.cause)?;
        record.serialize_field("mode", &self.mode)?;
        if let Some(model) = &self.model {
            record.serialize_field("model", model)?;
        }
        if self.is_cached {
            record.serialize_field("cached", &true)?;
        }
        if self.stopped_early {
            record.serialize_field("stopped_early", &true)?;
        }
        record.serialize_field("prompt_digest", &self.prompt_digest)?;
        record.serialize_field("prompt_length", &self.prompt_length)?;
        record.serialize_field("completion_length", &self.completion_length)?;
        record.serialize_field("finish_reason", &self.finish_reason)?;
        record.serialize_field("status", &self.status)?;
        record.serialize_field("errors", &self.errors)?;
        record.serialize_field("usage", &self.usage)?;
        record.serialize_field("transport_retries", &self.transport_retries)?;
        record.serialize_field("elapsed_ms", &u64::try_from(self.elapsed.as_millis()).unwrap_or(u64::MAX))?;
        record.end()
    }
}

/// A server's finish reason, if it looks like one; the server is not trusted to put nothing else there.
pub(crate) fn shown_reason(reason: &str) -> Option<String> {
    let is_name = !reason.is_empty()
        && reason.len() <= 40
        && reason.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-'));
    is_name.then(|| reason.to_owned())
}
