//! The contract, clause by clause.

mod common;
mod scenarios;
