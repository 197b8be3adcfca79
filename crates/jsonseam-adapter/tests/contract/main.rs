//! The contract, clause by clause.

mod best;
mod casts;
mod common;
mod items;
mod privacy;
mod properties;
mod renames;
mod scenarios;
mod seen_is_handed_out;
mod smuggling;
mod stream;
mod table;
