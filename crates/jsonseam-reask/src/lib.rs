//! The self-repair loop: validate, tell the model what is wrong, try again, never more than agreed.
//!
//! A [`Reask`] is made of a contract and settings, and is given a model: a closure, a type of yours, or a client.
//! It calls no one by itself (SPEC L0).
//!
//! ```
//! use jsonseam_adapter::Adapter;
//! use jsonseam_reask::{Reask, Request, Response, TransportError};
//!
//! let adapter = Adapter::builder().schema("score", r#"{"type": "integer", "minimum": 0}"#).build()?;
//! let mut answers = ["{\"score\": -1}", "{\"score\": 7}"].into_iter();
//! let mut model = |request: Request| -> Result<Response, TransportError> {
//!     // The second request says what was wrong with the first answer.
//!     let prompt = &request.messages.last().expect("the loop asks something").content;
//!     assert_eq!(request.attempt == 2, prompt.contains("Field \"score\": "));
//!     Ok(answers.next().unwrap_or_default().into())
//! };
//!
//! let answer = Reask::new(adapter).run_blocking(&mut model, "Rate it from 0 to 10.")?;
//! assert_eq!(answer.outputs.get::<u32>("score")?, 7);
//! assert_eq!(answer.attempts[0].errors, ["output_validation_failed/schema"]);
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! The same with an asynchronous model; dropping the future cancels the run:
//!
//! ```
//! use jsonseam_adapter::Adapter;
//! use jsonseam_reask::{Reask, Request, Response};
//!
//! # #[tokio::main(flavor = "current_thread")]
//! # async fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let adapter = Adapter::builder().output("city").build()?;
//! let model = |_: Request| async { Ok(Response::new("{\"city\": \"Oslo\"}")) };
//!
//! let answer = Reask::new(adapter).max_attempts(1).run(&model, "Where is the Munch museum?").await?;
//! assert_eq!(answer.outputs.get::<String>("city")?, "Oslo");
//! # Ok(())
//! # }
//! ```
//!
//! What a run does is decided by a [`Machine`] without input and output, which is given the time; the drivers carry it out.
//! What the model wrote goes back to it in one fenced field of a message of the user, or not at all, and never into logs, errors or records.
//!
//! Boundary: what is valid is the contract's to say; this crate decides only whether to ask again, and how.

#[cfg(all(feature = "http", target_family = "wasm"))]
compile_error!(
    "the feature `http` of jsonseam needs a native target; on WebAssembly leave it out and give the loop a model of your own"
);

mod attempt;
mod backoff;
mod cache;
mod clock;
mod digest;
mod drive;
mod envelope;
#[cfg(feature = "stream")]
mod event;
mod fields;
#[cfg(all(feature = "http", not(target_family = "wasm")))]
mod http;
mod json;
mod judge;
mod machine;
mod message;
mod model;
mod outcome;
mod progress;
mod prompt;
mod reask;
mod settings;
mod template;
mod transport;

pub use attempt::{Attempt, AttemptStatus, Cause};
pub use cache::AnswerCache;
#[cfg(all(feature = "http", not(target_family = "wasm")))]
pub use clock::TokioTimer;
pub use clock::{BlockingTimer, SystemTimer, Timer};
pub use digest::DigestKey;
pub use envelope::Envelope;
#[cfg(feature = "stream")]
pub use event::{AnswerEvent, Piece};
#[cfg(all(feature = "http", not(target_family = "wasm")))]
pub use http::{ApiKey, HttpError, HttpModel, HttpModelBuilder, StrictSchemas};
pub use json::{JsonText, NotJson};
#[cfg(feature = "stream")]
pub use machine::Watch;
pub use machine::{Machine, Step};
pub use message::{ANSWER_TOOL, Conversation, Message, Mode, Request, Response, Role, ToolCall, Usage};
pub use model::{BlockingModel, Model, Models};
pub use outcome::{Answer, Error, Failure, Partial, Reason, Stop};
pub use progress::{Phase, Progress};
pub use reask::{Reask, Veto};
pub use settings::{Echo, OnExhausted, OnTruncation, Retries, Scope, Settings, Temperature};
pub use template::{Template, TemplateError, TemplateReason};
pub use transport::{RejectionCause, TransportError, TransportKind};
