//! The built-in rules of jsonseam: a file of code for each rule or family of rules, and a file of cases for each rule, in folders by defect.
//!
//! Boundary: a rule here uses what a stranger's crate uses, and nothing else; a test reads the sources for it.
//! A rule is named in two places: its declaration, and the list in `presets.rs`, which says the order of asking and the smallest preset.

pub use presets::{PRESETS, RENAMED, all};

mod presets;

pub mod between;
pub mod brackets;
pub mod cut;
pub mod keys;
pub mod payload;
pub mod quotes;
pub mod separators;
pub mod shared;
pub mod strings;
pub mod values;
