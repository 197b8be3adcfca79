//! The self-repair loop: validate, tell the model what is wrong, try again, never more than agreed.

mod attempt;
mod backoff;
mod clock;
mod digest;
mod drive;
mod envelope;
mod fields;
#[cfg(feature = "http")]
mod http;
mod judge;
mod machine;
mod message;
mod model;
mod names;
mod outcome;
mod progress;
mod prompt;
mod reask;
mod settings;
mod template;
mod transport;

pub use attempt::{Attempt, AttemptStatus, Cause};
#[cfg(feature = "http")]
pub use clock::TokioTimer;
pub use clock::{BlockingTimer, SystemTimer, Timer};
pub use digest::DigestKey;
pub use envelope::Envelope;
#[cfg(feature = "http")]
pub use http::{ApiKey, HttpError, HttpModel, HttpModelBuilder};
pub use machine::{Machine, Step};
pub use message::{Conversation, Message, Mode, Request, Response, Role, ToolCall, Usage};
pub use model::{BlockingModel, Model};
pub use outcome::{Answer, Error, Failure, Partial, Stop};
pub use progress::{Phase, Progress};
pub use reask::Reask;
pub use settings::{Echo, OnExhausted, OnTruncation, Retries, Scope, Settings};
pub use template::{Template, TemplateError, TemplateReason};
pub use transport::{TransportError, TransportKind};
