//! Inside strings: what JSON does not allow there.

pub mod escapes;
