//! What a caller gets: the repaired text with its edits, or the reason why there is none, and the record that every front writes.

pub(crate) mod error;
pub(crate) mod path;
pub(crate) mod reason;
pub(crate) mod record;
pub(crate) mod repaired;
