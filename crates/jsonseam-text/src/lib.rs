//! What the crates of jsonseam share about text, each thing once.
//!
//! - [`members`] and [`elements`]: the parts of a container as spans of its text, and [`string_end`], on which both rest; [`begins_payload`]: whether a bracket of any text opens more than prose.
//! - [`Name`]: the name that a key spells, with its escapes resolved.
//! - [`Strings`], [`is_quote`] and [`closers_of`]: which bytes are inside double quotes, and which marks other notations quote with.
//! - [`mod@pointer`]: reading and writing JSON Pointers (RFC 6901), and the fragments of addresses that hold one.
//! - [`Decoded`], [`push_string`] and [`push_compact`]: what a string spells, how one is spelled, and JSON without its white space.
//! - [`named!`]: an enumeration whose values have names, [`UnknownName`], the error of reading one, and [`listed`], how messages list names.
//! - [`sort_by_key`] and [`sort_by`]: sorting in little code.
//! - [`floor_char_boundary`]: the nearest place before that splits no character.
//! - [`ErrorCode`]: the code that every error of these crates has.
//!
//! The functions about members, names and pointers expect valid JSON, as a strict decoder has accepted it.
//! Of other text they make nothing sensible, but they never panic and stay linear.
//!
//! Boundary: this crate knows no rule, no schema and no contract, and depends on no other crate of the project.

mod boundary;
mod code;
mod member;
mod name;
mod named;
pub mod pointer;
mod quote;
mod sort;
mod spelling;

pub use boundary::floor_char_boundary;
pub use code::ErrorCode;
pub use member::{Elements, Member, Members, begins_payload, elements, members, skip_blanks, string_end, value_end};
pub use name::Name;
pub use named::{UnknownName, listed};
pub use quote::{Strings, closers_of, is_quote};
pub use sort::{sort_by, sort_by_key};
pub use spelling::{Decoded, escape, push_compact, push_string, special_bytes, spelled_len, valid_string_end};

/// Re-exported for [`named!`], whose enumerations serialise as their names.
#[doc(hidden)]
pub use serde;

/// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
