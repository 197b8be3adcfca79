//! Exact key sets: which declared keys of an object are missing, which keys are extra, which are repeated.
//!
//! The keys are read from the text of an object, before a map can lose a repeated one, and compared after their escapes are resolved:
//! byte for byte, without folding case, trimming or normalising (SPEC K1 to K4).
//!
//! ```
//! use jsonseam_keyset::KeySet;
//!
//! let keys = KeySet::new().required("answer").optional("note");
//! assert!(keys.check(r#"{"answer": 42}"#).is_ok());
//!
//! let mismatch = keys.check(r#"{"Answer": 42, "note": 1, "not\u0065": 2}"#).unwrap_err();
//! assert_eq!(mismatch.missing(), ["answer"]);
//! assert_eq!(mismatch.extra()[0].name, "Answer");
//! assert_eq!(mismatch.duplicates()[0].name, "note");
//! ```
//!
//! What a key was probably meant to be is a [`Hint`], which never changes the verdict.
//! [`nested_repeats`] finds repeated keys further down, and [`without_repeats`] spells a text as a reader that keeps the last of them sees it.
//!
//! The functions expect valid JSON, as a strict decoder has accepted it.
//! Of other text they make nothing sensible, but they never panic and stay linear.
//!
//! Boundary: this crate knows no schema; of the project it depends on `jsonseam-text` alone, which reads members and names.

mod hint;
mod keyset;
mod mismatch;
mod nested;

pub use hint::{Difference, Hint};
pub use jsonseam_text::{Member, Members, Name, members};
pub use keyset::{Inspection, KeySet};
pub use mismatch::{Extra, KeyReason, MOST_FINDINGS, Mismatch, Repeated};
pub use nested::{NestedRepeat, nested_repeats, without_repeats};

/// The example of the README runs as a test.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;
