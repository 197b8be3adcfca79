//! JSON Schema checks that are offline and bounded, with errors a model can act on.
//!
//! A [`Schema`] is compiled once and shared;
//! [`Schema::check`] puts a JSON text to it and gives back the text, cast if [`Casts`] allow it, or every [`Violation`].
//! Drafts 4, 6, 7, 2019-09 and 2020-12 and the schema objects of `OpenAPI` 3.0 are read, bare or in the wrappers of the well-known interfaces.
//!
//! ```
//! use jsonseam_schema::{Casts, Failure, Schema};
//!
//! let schema = Schema::compile(
//!     r#"{"type": "object", "properties": {"name": {"type": "string"}, "age": {"type": "integer"}}, "required": ["name"]}"#,
//! )?;
//!
//! let checked = schema.check(r#"{"name": "Ada", "age": "36"}"#, &Casts::EXACT).unwrap();
//! assert_eq!(checked.text, r#"{"name": "Ada", "age": 36}"#);
//!
//! let Err(Failure::Invalid(violations)) = schema.check(r#"{"age": 36.5}"#, &Casts::NONE) else { panic!() };
//! let messages: Vec<String> = violations.iter().map(|violation| violation.llm_message()).collect();
//! assert_eq!(messages, [
//!     r#"Field "name": Expected string, got undefined"#,
//!     r#"Field "age": Expected integer, got number"#,
//! ]);
//! # Ok::<(), jsonseam_schema::SchemaError>(())
//! ```
//!
//! # What is bounded
//!
//! Nothing is ever fetched: a reference that leads out of the schema and of what was registered with
//! [`SchemaOptions::resource`] is refused when the schema is compiled (SPEC V3).
//! So are schemas of more than 1 MiB, 64 levels or 200,000 parts, patterns that need more than linear time, and references in a circle.
//! A check takes at most some five million steps and eight for each byte of the text, whatever schema and text are; beyond, it ends as [`Failure::Budget`].
//!
//! # What is shown
//!
//! No error shows text of the value unless it is asked for; see [`Violation`].

#[cfg(test)]
mod bombs;
mod cast;
mod check;
mod compile;
mod decode;
#[cfg(test)]
mod differential;
mod direct;
mod draft;
mod error;
mod evaluate;
mod exact;
mod format;
mod graph;
mod hostname;
mod index;
mod limits;
mod meta;
mod number;
mod outline;
mod own;
mod pattern;
mod regex;
mod respell;
mod schema;
mod sift;
mod spans;
#[cfg(test)]
mod suite;
mod unevaluated;
mod unwrap;
mod violation;
mod walk;
mod within;

/// The crate that makes schemas of types, for `#[derive(schemars::JsonSchema)]` at the version that [`Schema::of`] takes.
pub use schemars;

pub use check::{Cast, CastKind, Casts, Checked};
pub use decode::decode;
pub use draft::Draft;
pub use error::{Failure, FailureReason, SchemaError, SchemaReason};
pub use outline::Outline;
pub use respell::folded;
pub use schema::{Schema, SchemaOptions};
pub use sift::{Sifted, UnfitItem};
pub use violation::{Revealed, Violation};

/// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
