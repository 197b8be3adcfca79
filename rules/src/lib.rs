//! The built-in rules of jsonseam: one file of code and one file of cases for each.
//!
//! Boundary: a rule here uses what a stranger's crate uses, and nothing else; a test reads the sources for it.
//! Which presets enable a rule, and the order in which rules are asked, is written in [`PRESETS`] alone.

use jsonseam_core::Registration;

pub mod comment;
pub mod escaped_apostrophe;
pub mod invalid_escape;
pub mod invisible_character;
pub mod markdown_fence;
pub mod missing_comma_after_container;
pub mod missing_comma_after_scalar;
pub mod open_ended_payload;
pub mod python_literal;
pub mod raw_control_character;
pub mod reasoning_block;
pub mod single_quoted_string;
pub mod smart_quoted_string;
pub mod surrounding_prose;
pub mod trailing_comma;
pub mod unclosed_container;
pub mod unclosed_string;
pub mod unquoted_key;

/// The presets over these rules, in TOML: the text of `rules/presets.toml`.
pub const PRESETS: &str = include_str!("../presets.toml");

/// Every built-in rule, by name.
///
/// ```
/// assert!(jsonseam_rules::all().iter().any(|rule| rule.name == "trailing-comma"));
/// ```
pub fn all() -> Vec<&'static Registration> {
    vec![
        comment::Comment::REGISTRATION,
        escaped_apostrophe::EscapedApostrophe::REGISTRATION,
        invalid_escape::InvalidEscape::REGISTRATION,
        invisible_character::InvisibleCharacter::REGISTRATION,
        markdown_fence::MarkdownFence::REGISTRATION,
        missing_comma_after_container::MissingCommaAfterContainer::REGISTRATION,
        missing_comma_after_scalar::MissingCommaAfterScalar::REGISTRATION,
        open_ended_payload::OpenEndedPayload::REGISTRATION,
        python_literal::PythonLiteral::REGISTRATION,
        raw_control_character::RawControlCharacter::REGISTRATION,
        reasoning_block::ReasoningBlock::REGISTRATION,
        single_quoted_string::SingleQuotedString::REGISTRATION,
        smart_quoted_string::SmartQuotedString::REGISTRATION,
        surrounding_prose::SurroundingProse::REGISTRATION,
        trailing_comma::TrailingComma::REGISTRATION,
        unclosed_container::UnclosedContainer::REGISTRATION,
        unclosed_string::UnclosedString::REGISTRATION,
        unquoted_key::UnquotedKey::REGISTRATION,
    ]
}
