//! Keys without quotes.

pub mod unquoted;
