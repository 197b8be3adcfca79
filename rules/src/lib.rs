//! The built-in rules of jsonseam: one file of code and one file of cases for each.
//!
//! Boundary: a rule here uses what a stranger's crate uses, and nothing else; a test reads the sources for it.
//! Which presets enable a rule, and the order in which rules are asked, is written in [`PRESETS`] alone.

use jsonseam_core::Registration;

pub use presets::{PRESETS, RENAMED};

mod presets;

pub mod accidental_escape;
pub mod answer_tag;
pub mod backtick_quoted_string;
pub mod bare_decimal_point;
pub mod bigint_suffix;
pub mod brackets_in_prose;
pub mod comma_for_colon;
pub mod comment;
pub mod concatenated_strings;
pub mod constructor_call;
pub mod cut_escape;
pub mod cut_member;
pub mod dangling_key;
pub mod dash_comment;
pub mod digit_separator;
pub mod doubled_braces;
pub mod doubled_quotes;
pub mod ellipsis;
pub mod escaped_apostrophe;
pub mod escaped_delimiter;
pub mod escaped_end_quote;
pub mod escaped_payload;
pub mod escaped_white_space;
pub mod extra_closer;
pub mod extra_inner_closer;
pub mod fence_after_text;
pub mod fullwidth_punctuation;
pub mod html_comment;
pub mod invalid_escape;
pub mod invisible_character;
pub mod leading_comma;
pub mod leading_zero;
pub mod literal_case;
pub mod markdown_fence;
pub mod mismatched_closer;
pub mod missing_colon;
pub mod missing_comma_after_container;
pub mod missing_comma_after_scalar;
pub mod missing_comma_in_array;
pub mod missing_comma_on_line;
pub mod missing_end_quote;
pub mod missing_end_quote_before_key;
pub mod missing_open_quote;
pub mod missing_opener;
pub mod missing_outer_braces;
pub mod missing_value;
pub mod mixed_quotes;
pub mod non_finite_number;
pub mod number_key;
pub mod open_ended_payload;
pub mod other_language_colon;
pub mod other_language_fence;
pub mod plus_sign;
pub mod premature_closer;
pub mod python_literal;
pub mod python_set;
pub mod python_tuple;
pub mod quotes_in_code;
pub mod quotes_in_single_quotes;
pub mod quotes_in_smart_quotes;
pub mod radix_prefix;
pub mod raw_control_character;
pub mod reasoning_block;
pub mod repeated_colon;
pub mod repeated_comma;
pub mod schema_echo;
pub mod semicolon_separator;
pub mod shared;
pub mod single_quoted_string;
pub mod smart_quoted_string;
pub mod spaced_key;
pub mod special_token;
pub mod stray_text;
pub mod string_prefix;
pub mod stringified_payload;
pub mod surrounding_prose;
pub mod thousands_separator;
pub mod trailing_comma;
pub mod tripled_quotes;
pub mod typographic_minus;
pub mod unclosed_comment;
pub mod unclosed_container;
pub mod unclosed_inner_container;
pub mod unclosed_string;
pub mod undefined_value;
pub mod unescaped_apostrophe;
pub mod unescaped_quote;
pub mod unquoted_date;
pub mod unquoted_key;
pub mod unquoted_quantity;
pub mod unquoted_string;
pub mod unquoted_word_key;
pub mod unusual_space;

/// Every built-in rule, by name.
///
/// ```
/// assert!(jsonseam_rules::all().iter().any(|rule| rule.name == "trailing-comma"));
/// ```
pub fn all() -> Vec<&'static Registration> {
    vec![
        accidental_escape::AccidentalEscape::REGISTRATION,
        answer_tag::AnswerTag::REGISTRATION,
        backtick_quoted_string::BacktickQuotedString::REGISTRATION,
        bare_decimal_point::BareDecimalPoint::REGISTRATION,
        bigint_suffix::BigintSuffix::REGISTRATION,
        brackets_in_prose::BracketsInProse::REGISTRATION,
        comma_for_colon::CommaForColon::REGISTRATION,
        comment::Comment::REGISTRATION,
        concatenated_strings::ConcatenatedStrings::REGISTRATION,
        constructor_call::ConstructorCall::REGISTRATION,
        cut_escape::CutEscape::REGISTRATION,
        cut_member::CutMember::REGISTRATION,
        dangling_key::DanglingKey::REGISTRATION,
        dash_comment::DashComment::REGISTRATION,
        digit_separator::DigitSeparator::REGISTRATION,
        doubled_braces::DoubledBraces::REGISTRATION,
        doubled_quotes::DoubledQuotes::REGISTRATION,
        ellipsis::Ellipsis::REGISTRATION,
        escaped_apostrophe::EscapedApostrophe::REGISTRATION,
        escaped_delimiter::EscapedDelimiter::REGISTRATION,
        escaped_end_quote::EscapedEndQuote::REGISTRATION,
        escaped_payload::EscapedPayload::REGISTRATION,
        escaped_white_space::EscapedWhiteSpace::REGISTRATION,
        extra_closer::ExtraCloser::REGISTRATION,
        extra_inner_closer::ExtraInnerCloser::REGISTRATION,
        fence_after_text::FenceAfterText::REGISTRATION,
        fullwidth_punctuation::FullwidthPunctuation::REGISTRATION,
        html_comment::HtmlComment::REGISTRATION,
        invalid_escape::InvalidEscape::REGISTRATION,
        invisible_character::InvisibleCharacter::REGISTRATION,
        leading_comma::LeadingComma::REGISTRATION,
        leading_zero::LeadingZero::REGISTRATION,
        literal_case::LiteralCase::REGISTRATION,
        markdown_fence::MarkdownFence::REGISTRATION,
        mismatched_closer::MismatchedCloser::REGISTRATION,
        missing_colon::MissingColon::REGISTRATION,
        missing_comma_after_container::MissingCommaAfterContainer::REGISTRATION,
        missing_comma_after_scalar::MissingCommaAfterScalar::REGISTRATION,
        missing_comma_in_array::MissingCommaInArray::REGISTRATION,
        missing_comma_on_line::MissingCommaOnLine::REGISTRATION,
        missing_end_quote::MissingEndQuote::REGISTRATION,
        missing_end_quote_before_key::MissingEndQuoteBeforeKey::REGISTRATION,
        missing_open_quote::MissingOpenQuote::REGISTRATION,
        missing_opener::MissingOpener::REGISTRATION,
        missing_outer_braces::MissingOuterBraces::REGISTRATION,
        missing_value::MissingValue::REGISTRATION,
        mixed_quotes::MixedQuotes::REGISTRATION,
        non_finite_number::NonFiniteNumber::REGISTRATION,
        number_key::NumberKey::REGISTRATION,
        open_ended_payload::OpenEndedPayload::REGISTRATION,
        other_language_colon::OtherLanguageColon::REGISTRATION,
        other_language_fence::OtherLanguageFence::REGISTRATION,
        plus_sign::PlusSign::REGISTRATION,
        premature_closer::PrematureCloser::REGISTRATION,
        python_literal::PythonLiteral::REGISTRATION,
        python_set::PythonSet::REGISTRATION,
        python_tuple::PythonTuple::REGISTRATION,
        quotes_in_code::QuotesInCode::REGISTRATION,
        quotes_in_single_quotes::QuotesInSingleQuotes::REGISTRATION,
        quotes_in_smart_quotes::QuotesInSmartQuotes::REGISTRATION,
        radix_prefix::RadixPrefix::REGISTRATION,
        raw_control_character::RawControlCharacter::REGISTRATION,
        reasoning_block::ReasoningBlock::REGISTRATION,
        repeated_colon::RepeatedColon::REGISTRATION,
        repeated_comma::RepeatedComma::REGISTRATION,
        schema_echo::SchemaEcho::REGISTRATION,
        semicolon_separator::SemicolonSeparator::REGISTRATION,
        single_quoted_string::SingleQuotedString::REGISTRATION,
        smart_quoted_string::SmartQuotedString::REGISTRATION,
        spaced_key::SpacedKey::REGISTRATION,
        special_token::SpecialToken::REGISTRATION,
        stray_text::StrayText::REGISTRATION,
        string_prefix::StringPrefix::REGISTRATION,
        stringified_payload::StringifiedPayload::REGISTRATION,
        surrounding_prose::SurroundingProse::REGISTRATION,
        thousands_separator::ThousandsSeparator::REGISTRATION,
        trailing_comma::TrailingComma::REGISTRATION,
        tripled_quotes::TripledQuotes::REGISTRATION,
        typographic_minus::TypographicMinus::REGISTRATION,
        unclosed_comment::UnclosedComment::REGISTRATION,
        unclosed_container::UnclosedContainer::REGISTRATION,
        unclosed_inner_container::UnclosedInnerContainer::REGISTRATION,
        unclosed_string::UnclosedString::REGISTRATION,
        undefined_value::UndefinedValue::REGISTRATION,
        unescaped_apostrophe::UnescapedApostrophe::REGISTRATION,
        unescaped_quote::UnescapedQuote::REGISTRATION,
        unquoted_date::UnquotedDate::REGISTRATION,
        unquoted_key::UnquotedKey::REGISTRATION,
        unquoted_quantity::UnquotedQuantity::REGISTRATION,
        unquoted_string::UnquotedString::REGISTRATION,
        unquoted_word_key::UnquotedWordKey::REGISTRATION,
        unusual_space::UnusualSpace::REGISTRATION,
    ]
}
