//! The built-in rules of jsonseam: a file of code for each rule or family of rules, and a file of cases for each rule.
//!
//! Boundary: a rule here uses what a stranger's crate uses, and nothing else; a test reads the sources for it.
//! A rule is named in two places: its declaration, and the list in `presets.rs`, which says the order of asking and the smallest preset.

pub use presets::{PRESETS, RENAMED, all};

mod presets;

pub mod blanks;
pub mod colons;
pub mod commas;
pub mod comments;
pub mod concatenated_strings;
pub mod constructor_call;
pub mod cut_member;
pub mod edited_payloads;
pub mod ellipsis;
pub mod escaped_delimiter;
pub mod escapes;
pub mod fences;
pub mod keys;
pub mod literals;
pub mod missing_end_quote_before_key;
pub mod missing_values;
pub mod nesting;
pub mod numbers;
pub mod prose;
pub mod quotes;
pub mod rows;
pub mod schema_echo;
pub mod shared;
pub mod stray_text;
pub mod string_ends;
pub mod tags;
pub mod unclosed_string;
pub mod unquoted_date;
pub mod unquoted_quantity;
pub mod unquoted_string;
