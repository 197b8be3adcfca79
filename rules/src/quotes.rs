//! Quotes: strings whose marks are missing, of another kind or written twice, and the ends of strings.

pub mod concatenated_strings;
pub mod escaped_delimiter;
pub mod missing_end_quote_before_key;
pub mod string_ends;
pub mod styles;
pub mod unquoted_string;
