//! JSON Schema checks that are offline and bounded, with errors a model can act on.

mod check;
mod decode;
mod error;
mod schema;
mod violation;
mod within;

pub use check::{Cast, CastKind, Casts, Checked};
pub use decode::decode;
pub use error::{Failure, SchemaError, SchemaReason};
pub use schema::Schema;
pub use violation::{Revealed, Violation};
