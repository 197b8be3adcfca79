//! The built-in rules of jsonseam: a file of code for each rule or family of rules, and a file of cases for each rule.
//!
//! Boundary: a rule here uses what a stranger's crate uses, and nothing else; a test reads the sources for it.
//! A rule is named in two places: its declaration, and the list in `presets.rs`, which says the order of asking and the smallest preset.

pub use presets::{PRESETS, RENAMED, all};

mod presets;

pub mod accidental_escape;
pub mod answer_tag;
pub mod blanks;
pub mod colons;
pub mod commas;
pub mod comments;
pub mod concatenated_strings;
pub mod constructor_call;
pub mod cut_escape;
pub mod cut_member;
pub mod doubled_braces;
pub mod doubled_quotes;
pub mod ellipsis;
pub mod escaped_apostrophe;
pub mod escaped_delimiter;
pub mod escaped_end_quote;
pub mod escaped_payload;
pub mod fences;
pub mod fullwidth_brackets;
pub mod invalid_escape;
pub mod keys;
pub mod literals;
pub mod missing_end_quote;
pub mod missing_end_quote_before_key;
pub mod missing_open_quote;
pub mod missing_outer_braces;
pub mod missing_values;
pub mod mixed_quotes;
pub mod nesting;
pub mod numbers;
pub mod prose;
pub mod python_set;
pub mod python_tuple;
pub mod quotes;
pub mod quotes_in_code;
pub mod raw_control_character;
pub mod reasoning_block;
pub mod redundant_braces;
pub mod schema_echo;
pub mod shared;
pub mod special_token;
pub mod stray_text;
pub mod stringified_payload;
pub mod unclosed_string;
pub mod unescaped_apostrophe;
pub mod unescaped_quote;
pub mod unquoted_date;
pub mod unquoted_quantity;
pub mod unquoted_string;
