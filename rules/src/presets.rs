//! The presets: which rules there are, in which order, and the smallest preset of each.
//!
//! A fault is put to the rules that answer it in this order: the first sole answer is made, and offers are weighed, whatever their order (SPEC R4).
//! A larger preset holds all rules of a smaller one, in the same order; tests compare them with the risks (SPEC B1) and with P5.

use jsonseam_core::{NamedPreset, Registration, Thresholds};

use self::Smallest::{Lenient, Standard, Strict};
#[allow(clippy::wildcard_imports, reason = "every module is a rule of the list")]
use super::*;

/// Every built-in rule, by name.
///
/// ```
/// assert!(jsonseam_rules::all().iter().any(|rule| rule.name == "trailing-comma"));
/// ```
pub fn all() -> Vec<&'static Registration> {
    let mut rules: Vec<_> = RULES.iter().map(|(rule, _)| *rule).collect();
    rules.sort_by_key(|rule| rule.name);
    rules
}

/// The presets over the built-in rules, the smallest first: each a name and its rules in order.
///
/// The first two hold rules of low risk alone, so nothing dear may win there.
pub const PRESETS: &[NamedPreset<'_>] = &[
    ("strict", Thresholds::new(50, 200), &STRICT),
    ("standard", Thresholds::new(50, 200), &STANDARD),
    ("lenient", Thresholds::new(40, 350), &LENIENT),
];

/// The smallest preset that enables a rule.
#[derive(Clone, Copy)]
enum Smallest {
    /// SPEC P5, the default.
    Strict,
    /// Plus every rule that is `certain` or `likely`.
    Standard,
    /// Plus the rules that guess, and those that lose or invent a value.
    Lenient,
}

/// Every rule, in the order in which rules are asked.
const RULES: &[(&Registration, Smallest)] = &[
    // Before fences: a fenced draft inside the reasoning is not the answer, and a fence may follow a token or between tags.
    (reasoning_block::ReasoningBlock::REGISTRATION, Strict),
    (special_token::SpecialToken::REGISTRATION, Standard),
    (answer_tag::AnswerTag::REGISTRATION, Standard),
    (markdown_fence::MarkdownFence::REGISTRATION, Strict),
    (other_language_fence::OtherLanguageFence::REGISTRATION, Standard),
    (fence_after_text::FenceAfterText::REGISTRATION, Standard),
    // Before all that look for a payload as it stands.
    (doubled_braces::DoubledBraces::REGISTRATION, Standard),
    (escaped_payload::EscapedPayload::REGISTRATION, Lenient),
    (fullwidth_brackets::FullwidthBrackets::REGISTRATION, Standard),
    (stringified_payload::StringifiedPayload::REGISTRATION, Lenient),
    (missing_outer_braces::MissingOuterBraces::REGISTRATION, Lenient),
    // Before those that take the first brace for the payload's.
    (brackets_in_prose::BracketsInProse::REGISTRATION, Standard),
    // After the fences: a schema and its answer may share one block.
    (schema_echo::SchemaEcho::REGISTRATION, Standard),
    // Before the strict locator, which would end the payload at the last closer of the region.
    (open_ended_payload::OpenEndedPayload::REGISTRATION, Standard),
    (surrounding_prose::SurroundingProse::REGISTRATION, Strict),
    // Between tokens: before everything that looks at what is next.
    (invisible_character::InvisibleCharacter::REGISTRATION, Strict),
    (unquoted_date::UnquotedDate::REGISTRATION, Lenient),
    (unquoted_quantity::UnquotedQuantity::REGISTRATION, Lenient),
    (unusual_space::UnusualSpace::REGISTRATION, Standard),
    (color_sequence::ColorSequence::REGISTRATION, Standard),
    (comment::Comment::REGISTRATION, Standard),
    (unclosed_comment::UnclosedComment::REGISTRATION, Standard),
    (html_comment::HtmlComment::REGISTRATION, Standard),
    (dash_comment::DashComment::REGISTRATION, Standard),
    (fullwidth_punctuation::FullwidthPunctuation::REGISTRATION, Standard),
    (repeated_comma::RepeatedComma::REGISTRATION, Standard),
    (leading_comma::LeadingComma::REGISTRATION, Standard),
    (repeated_colon::RepeatedColon::REGISTRATION, Standard),
    (other_language_colon::OtherLanguageColon::REGISTRATION, Standard),
    (ellipsis::Ellipsis::REGISTRATION, Lenient),
    (python_tuple::PythonTuple::REGISTRATION, Standard),
    (python_set::PythonSet::REGISTRATION, Lenient),
    (redundant_braces::RedundantBraces::REGISTRATION, Lenient),
    // At a value or a key.
    (smart_quoted_string::SmartQuotedString::REGISTRATION, Strict),
    (single_quoted_string::SingleQuotedString::REGISTRATION, Strict),
    (quotes_in_single_quotes::QuotesInSingleQuotes::REGISTRATION, Standard),
    (quotes_in_smart_quotes::QuotesInSmartQuotes::REGISTRATION, Standard),
    (tripled_quotes::TripledQuotes::REGISTRATION, Standard),
    (backtick_quoted_string::BacktickQuotedString::REGISTRATION, Standard),
    (escaped_delimiter::EscapedDelimiter::REGISTRATION, Standard),
    (string_prefix::StringPrefix::REGISTRATION, Standard),
    (unescaped_apostrophe::UnescapedApostrophe::REGISTRATION, Lenient),
    (unquoted_key::UnquotedKey::REGISTRATION, Standard),
    (unquoted_word_key::UnquotedWordKey::REGISTRATION, Standard),
    (number_key::NumberKey::REGISTRATION, Standard),
    (spaced_key::SpacedKey::REGISTRATION, Lenient),
    (python_literal::PythonLiteral::REGISTRATION, Standard),
    (literal_case::LiteralCase::REGISTRATION, Lenient),
    (undefined_value::UndefinedValue::REGISTRATION, Lenient),
    (non_finite_number::NonFiniteNumber::REGISTRATION, Lenient),
    (plus_sign::PlusSign::REGISTRATION, Standard),
    (bare_decimal_point::BareDecimalPoint::REGISTRATION, Standard),
    (digit_separator::DigitSeparator::REGISTRATION, Standard),
    (radix_prefix::RadixPrefix::REGISTRATION, Standard),
    (bigint_suffix::BigintSuffix::REGISTRATION, Standard),
    (typographic_minus::TypographicMinus::REGISTRATION, Lenient),
    (leading_zero::LeadingZero::REGISTRATION, Lenient),
    (thousands_separator::ThousandsSeparator::REGISTRATION, Lenient),
    (constructor_call::ConstructorCall::REGISTRATION, Lenient),
    (unquoted_string::UnquotedString::REGISTRATION, Lenient),
    // At a comma or a closer.
    (trailing_comma::TrailingComma::REGISTRATION, Strict),
    (missing_comma_after_scalar::MissingCommaAfterScalar::REGISTRATION, Strict),
    (missing_comma_after_container::MissingCommaAfterContainer::REGISTRATION, Strict),
    (concatenated_strings::ConcatenatedStrings::REGISTRATION, Standard),
    (missing_comma_on_line::MissingCommaOnLine::REGISTRATION, Standard),
    (missing_comma_in_array::MissingCommaInArray::REGISTRATION, Standard),
    (semicolon_separator::SemicolonSeparator::REGISTRATION, Standard),
    (missing_colon::MissingColon::REGISTRATION, Standard),
    // After what repairs a missing comma: these look far ahead. Before what escapes line breaks.
    (mixed_quotes::MixedQuotes::REGISTRATION, Lenient),
    (missing_open_quote::MissingOpenQuote::REGISTRATION, Lenient),
    (doubled_quotes::DoubledQuotes::REGISTRATION, Lenient),
    (escaped_end_quote::EscapedEndQuote::REGISTRATION, Lenient),
    (missing_end_quote::MissingEndQuote::REGISTRATION, Lenient),
    (quotes_in_code::QuotesInCode::REGISTRATION, Standard),
    (unescaped_quote::UnescapedQuote::REGISTRATION, Lenient),
    // After it: in a text about code, what follows a quote may be an escape.
    (escaped_white_space::EscapedWhiteSpace::REGISTRATION, Standard),
    (comma_for_colon::CommaForColon::REGISTRATION, Lenient),
    (dangling_key::DanglingKey::REGISTRATION, Lenient),
    (missing_value::MissingValue::REGISTRATION, Lenient),
    (missing_value_default::MissingValueDefault::REGISTRATION, Lenient),
    (extra_closer::ExtraCloser::REGISTRATION, Standard),
    (mismatched_closer::MismatchedCloser::REGISTRATION, Lenient),
    (extra_inner_closer::ExtraInnerCloser::REGISTRATION, Lenient),
    (premature_closer::PrematureCloser::REGISTRATION, Lenient),
    (unclosed_inner_container::UnclosedInnerContainer::REGISTRATION, Lenient),
    (missing_opener::MissingOpener::REGISTRATION, Lenient),
    (stray_text::StrayText::REGISTRATION, Lenient),
    // Inside a string; first what repairs the control characters among accidental escapes too.
    (accidental_escape::AccidentalEscape::REGISTRATION, Lenient),
    (missing_end_quote_before_key::MissingEndQuoteBeforeKey::REGISTRATION, Standard),
    (raw_control_character::RawControlCharacter::REGISTRATION, Standard),
    (escaped_apostrophe::EscapedApostrophe::REGISTRATION, Standard),
    (invalid_escape::InvalidEscape::REGISTRATION, Standard),
    (cut_escape::CutEscape::REGISTRATION, Lenient),
    // At the end of the region.
    (unclosed_string::UnclosedString::REGISTRATION, Standard),
    (cut_member::CutMember::REGISTRATION, Lenient),
    (unclosed_container::UnclosedContainer::REGISTRATION, Standard),
];

const STRICT: [&str; len_of(Strict)] = names_of(Strict);
const STANDARD: [&str; len_of(Standard)] = names_of(Standard);
const LENIENT: [&str; len_of(Lenient)] = names_of(Lenient);

const fn len_of(preset: Smallest) -> usize {
    let (mut len, mut index) = (0, 0);
    while index < RULES.len() {
        if RULES[index].1 as u8 <= preset as u8 {
            len += 1;
        }
        index += 1;
    }
    len
}

const fn names_of<const LEN: usize>(preset: Smallest) -> [&'static str; LEN] {
    let mut names = [""; LEN];
    let (mut len, mut index) = (0, 0);
    while index < RULES.len() {
        if RULES[index].1 as u8 <= preset as u8 {
            names[len] = RULES[index].0.name;
            len += 1;
        }
        index += 1;
    }
    names
}

/// Rules that had another name: it still selects them, and records carry the new one.
pub const RENAMED: &[(&str, &str)] = &[
    ("bare-point", "bare-decimal-point"),
    ("dialect-fence", "other-language-fence"),
    ("fence-behind-text", "fence-after-text"),
    ("irregular-key", "unquoted-word-key"),
    ("not-a-number", "non-finite-number"),
    ("set-object", "python-set"),
    ("tricky-single-quotes", "unescaped-apostrophe"),
    ("wrong-colon", "other-language-colon"),
];
