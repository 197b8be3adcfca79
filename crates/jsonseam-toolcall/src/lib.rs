//! Tool calls out of the wrappers that models emit, as one envelope.
//!
//! Models that call tools write their calls between marks of their own: `<tool_call>{…}</tool_call>`, `<invoke name="f">…`, `[f(a=1)]`.
//! An [`Extractor`] finds them, whatever the family of the format, and gives one [`Envelope`]: `{"toolCalls": [{"name": …, "arguments": {…}}], "content": …}`,
//! with every edit that turns the completion into it.
//! The formats are data: [`Packs`] read from TOML.
//!
//! ```
//! use jsonseam_toolcall::{Extractor, Packs};
//!
//! let pack = r#"
//! family = "J"
//! [[format]]
//! name = "hermes"
//! call = ["<tool_call>"]
//! end = ["</tool_call>"]
//! body = "calls"
//! thoughts = { none = "Hermes 2 does not think aloud" }
//! "#;
//! let extractor = Extractor::new(Packs::parse(&[("hermes", pack)])?);
//! let completion = "On it. <tool_call>{\"name\": \"weather\", \"arguments\": {\"city\": \"Oslo\"}}</tool_call>";
//! let envelope = extractor.extract(completion)?.expect("there is a call");
//! assert_eq!(
//!     envelope.text(),
//!     r#"{"content":"On it.","toolCalls":[{"name": "weather", "arguments": {"city": "Oslo"}}]}"#
//! );
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! Boundary: this crate decides what was called, not whether the call is right; schemas and contracts come afterwards.

mod answer;
mod balance;
mod body;
mod call;
mod calls;
mod cursor;
mod elements;
mod envelope;
mod extract;
mod heal;
mod json;
mod likeness;
mod literal;
mod members;
mod named;
mod pack;
mod passed;
mod reader;
mod record;
mod shape;
mod tagged;
mod template;
mod text;
mod tools;
mod weave;
mod wrappers;

pub use answer::CallReader;
pub use envelope::{Envelope, Error, Reading, Reason};
#[cfg(feature = "stream")]
pub use extract::stream::{CallEvent, CallEvents, CallStream};
pub use extract::{Bare, Extractor};
pub use heal::{
    HealReason, Healed, Healer, HistoryEdit, HistoryError, HistoryReason, HistoryRecord, RefusedCall, Unpaired,
    UnpairedRecord,
};
pub use pack::{Described, PackError, Packs};
pub use passed::{Passed, PassedOver};
pub use record::{
    CallCheck, CallError, CallRecord, CallRefusal, CallsRecord, EditRecord, Output, PassedRecord, SpanRecord,
};
pub use tools::{Tools, ToolsError};
pub use wrappers::{ENVELOPE_SCHEMA, WRAPPERS};
