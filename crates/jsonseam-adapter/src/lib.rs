//! Declared outputs: repair, decode, key set and schema tied together.
//!
//! A caller declares the fields that it wants, and gets exactly those, or one error with a machine-readable code.
//!
//! ```
//! use jsonseam_adapter::Adapter;
//!
//! let adapter = Adapter::builder()
//!     .output("answer")
//!     .output("score")
//!     .schema("score", r#"{"type": "integer", "minimum": 0}"#)
//!     .optional("note")
//!     .build()?;
//!
//! let outputs = adapter.parse(r#"{"answer": "yes", "score": 7}"#)?;
//! assert_eq!(outputs.get::<u32>("score")?, 7);
//! assert_eq!(outputs.get::<Option<String>>("note")?, None);
//!
//! let error = adapter.parse(r#"{"answer": "yes", "score": -1}"#).unwrap_err();
//! assert_eq!((error.code().as_str(), error.field()), ("output_validation_failed", Some("score")));
//! # Ok::<(), jsonseam_adapter::Error>(())
//! ```
//!
//! The way of a completion is: locate, repair, strict decode; then the keys; then every field (SPEC K5).
//! Each field is decoded from its own span of the text, so no digit passes through a float (SPEC V1).
//!
//! Most users come from the crate `jsonseam`, whose `adapter()` is this builder with the built-in rules.
//!
//! Boundary: nothing here calls a model, knows a network, or decides what is valid: that is core's and the schema's.

mod adapter;
mod builder;
mod contract;
mod duplicates;
mod envelope;
mod error;
mod evidence;
mod field;
mod heads;
mod items;
mod judge;
mod objection;
mod outputs;
mod reason;
mod rename;
#[cfg(feature = "stream")]
mod stream;
mod typed;
mod ways;
#[cfg(feature = "stream")]
mod when;

pub use adapter::{Adapter, ParseOptions};
pub use builder::AdapterBuilder;
pub use contract::{Contract, Output};
pub use duplicates::Duplicates;
pub use error::Error;
pub use items::{DropReason, DroppedItem, Incomplete, Items};
#[cfg(feature = "stream")]
pub use jsonseam_core::{Commit, StreamOptions};
pub use jsonseam_keyset::{Difference, Extra, Hint, KeyReason, KeySet, Mismatch, NestedRepeat, Repeated};
pub use jsonseam_schema::schemars;
pub use jsonseam_schema::{
    Cast, CastKind, Casts, Draft, Failure, FailureReason, Schema, SchemaError, SchemaOptions, SchemaReason, Violation,
};
pub use objection::Objection;
pub use outputs::Outputs;
pub use reason::{ContractMistake, Reason};
pub use schemars::JsonSchema;
#[cfg(feature = "stream")]
pub use stream::{AdapterStream, FieldEvent, FieldEvents};
pub use ways::Ways;
#[cfg(feature = "stream")]
pub use when::When;
