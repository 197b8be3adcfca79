//! JSON Schema checks that are offline and bounded, with errors a model can act on.

#[cfg(test)]
mod bombs;
mod cast;
mod check;
mod compile;
mod decode;
#[cfg(test)]
mod differential;
mod draft;
mod error;
mod evaluate;
mod graph;
mod index;
mod limits;
mod number;
mod pattern;
mod schema;
mod spans;
#[cfg(test)]
mod suite;
mod tame;
mod unevaluated;
mod violation;
mod walk;
mod within;

/// The crate that makes schemas of types, for `#[derive(schemars::JsonSchema)]` at the version that [`Schema::of`] takes.
pub use schemars;

pub use check::{Cast, CastKind, Casts, Checked};
pub use decode::decode;
pub use draft::Draft;
pub use error::{Failure, SchemaError, SchemaReason};
pub use schema::{Schema, SchemaOptions};
pub use violation::{Revealed, Violation};
