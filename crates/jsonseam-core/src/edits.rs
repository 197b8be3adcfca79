//! Edits: what one is, how far back it may start, what it risks and costs, and the journal of those that were made.

pub(crate) mod costs;
pub(crate) mod edit;
pub(crate) mod journal;
pub(crate) mod reach;
pub(crate) mod risk;
