//! What rules share: free functions over [`Fault`](jsonseam_core::Fault) and [`Ahead`](jsonseam_core::Ahead),
//! and for locators over [`Region`](jsonseam_core::Region).
//!
//! They are public, and need nothing that is not: a rule of another crate may use them as the built-in ones do.
//!
//! Boundary: an answer here depends on the fault or the region alone, and reads through what is metered only.

pub mod bare;
pub mod blanks;
pub mod brackets;
pub mod closers;
pub mod clues;
pub mod code_spans;
pub mod content;
pub mod ends;
pub mod escapes;
pub mod layout;
pub mod members;
pub mod numbers;
pub mod placeholders;
pub mod program;
pub mod prose;
pub mod quoted;
pub mod rows;
pub mod runs;
pub mod strings;
pub mod words;
