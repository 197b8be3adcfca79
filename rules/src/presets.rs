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
    (fences::MarkdownFence::REGISTRATION, Strict),
    (fences::OtherLanguageFence::REGISTRATION, Standard),
    (fences::FenceAfterText::REGISTRATION, Standard),
    // Before all that look for a payload as it stands.
    (doubled_braces::DoubledBraces::REGISTRATION, Standard),
    (escaped_payload::EscapedPayload::REGISTRATION, Lenient),
    (fullwidth_brackets::FullwidthBrackets::REGISTRATION, Standard),
    (stringified_payload::StringifiedPayload::REGISTRATION, Lenient),
    (missing_outer_braces::MissingOuterBraces::REGISTRATION, Lenient),
    // Before those that take the first brace for the payload's.
    (prose::BracketsInProse::REGISTRATION, Standard),
    // After the fences: a schema and its answer may share one block.
    (schema_echo::SchemaEcho::REGISTRATION, Standard),
    // Before the strict locator, which would end the payload at the last closer of the region.
    (prose::OpenEndedPayload::REGISTRATION, Standard),
    (prose::SurroundingProse::REGISTRATION, Strict),
    // Between tokens: before everything that looks at what is next.
    (blanks::InvisibleCharacter::REGISTRATION, Strict),
    (unquoted_date::UnquotedDate::REGISTRATION, Lenient),
    (unquoted_quantity::UnquotedQuantity::REGISTRATION, Lenient),
    (blanks::UnusualSpace::REGISTRATION, Standard),
    (blanks::ColorSequence::REGISTRATION, Standard),
    (comments::Comment::REGISTRATION, Standard),
    (comments::UnclosedComment::REGISTRATION, Standard),
    (comments::HtmlComment::REGISTRATION, Standard),
    (comments::DashComment::REGISTRATION, Standard),
    (commas::FullwidthPunctuation::REGISTRATION, Standard),
    (commas::RepeatedComma::REGISTRATION, Standard),
    (commas::LeadingComma::REGISTRATION, Standard),
    (colons::RepeatedColon::REGISTRATION, Standard),
    (colons::OtherLanguageColon::REGISTRATION, Standard),
    (ellipsis::Ellipsis::REGISTRATION, Lenient),
    (python_tuple::PythonTuple::REGISTRATION, Standard),
    (python_set::PythonSet::REGISTRATION, Lenient),
    (redundant_braces::RedundantBraces::REGISTRATION, Lenient),
    // At a value or a key.
    (quotes::SmartQuotedString::REGISTRATION, Strict),
    (quotes::SingleQuotedString::REGISTRATION, Strict),
    (quotes::QuotesInSingleQuotes::REGISTRATION, Standard),
    (quotes::QuotesInSmartQuotes::REGISTRATION, Standard),
    (quotes::TripledQuotes::REGISTRATION, Standard),
    (quotes::BacktickQuotedString::REGISTRATION, Standard),
    (escaped_delimiter::EscapedDelimiter::REGISTRATION, Standard),
    (quotes::StringPrefix::REGISTRATION, Standard),
    (unescaped_apostrophe::UnescapedApostrophe::REGISTRATION, Lenient),
    (keys::UnquotedKey::REGISTRATION, Standard),
    (keys::UnquotedWordKey::REGISTRATION, Standard),
    (keys::NumberKey::REGISTRATION, Standard),
    (keys::SpacedKey::REGISTRATION, Lenient),
    (literals::PythonLiteral::REGISTRATION, Standard),
    (literals::LiteralCase::REGISTRATION, Lenient),
    (literals::UndefinedValue::REGISTRATION, Lenient),
    (literals::NonFiniteNumber::REGISTRATION, Lenient),
    (numbers::PlusSign::REGISTRATION, Standard),
    (numbers::BareDecimalPoint::REGISTRATION, Standard),
    (numbers::DigitSeparator::REGISTRATION, Standard),
    (numbers::RadixPrefix::REGISTRATION, Standard),
    (numbers::BigintSuffix::REGISTRATION, Standard),
    (numbers::TypographicMinus::REGISTRATION, Lenient),
    (numbers::LeadingZero::REGISTRATION, Lenient),
    (numbers::ThousandsSeparator::REGISTRATION, Lenient),
    (constructor_call::ConstructorCall::REGISTRATION, Lenient),
    (unquoted_string::UnquotedString::REGISTRATION, Lenient),
    // At a comma or a closer.
    (commas::TrailingComma::REGISTRATION, Strict),
    (commas::MissingCommaAfterScalar::REGISTRATION, Strict),
    (commas::MissingCommaAfterContainer::REGISTRATION, Strict),
    (concatenated_strings::ConcatenatedStrings::REGISTRATION, Standard),
    (commas::MissingCommaOnLine::REGISTRATION, Standard),
    (commas::MissingCommaInArray::REGISTRATION, Standard),
    (commas::SemicolonSeparator::REGISTRATION, Standard),
    (colons::MissingColon::REGISTRATION, Standard),
    // After what repairs a missing comma: these look far ahead. Before what escapes line breaks.
    (mixed_quotes::MixedQuotes::REGISTRATION, Lenient),
    (missing_open_quote::MissingOpenQuote::REGISTRATION, Lenient),
    (doubled_quotes::DoubledQuotes::REGISTRATION, Lenient),
    (escaped_end_quote::EscapedEndQuote::REGISTRATION, Lenient),
    (missing_end_quote::MissingEndQuote::REGISTRATION, Lenient),
    (quotes_in_code::QuotesInCode::REGISTRATION, Standard),
    (unescaped_quote::UnescapedQuote::REGISTRATION, Lenient),
    // After it: in a text about code, what follows a quote may be an escape.
    (blanks::EscapedWhiteSpace::REGISTRATION, Standard),
    (colons::CommaForColon::REGISTRATION, Lenient),
    (missing_values::DanglingKey::REGISTRATION, Lenient),
    (missing_values::MissingValue::REGISTRATION, Lenient),
    (missing_values::MissingValueDefault::REGISTRATION, Lenient),
    (nesting::ExtraCloser::REGISTRATION, Standard),
    (nesting::MismatchedCloser::REGISTRATION, Lenient),
    (nesting::ExtraInnerCloser::REGISTRATION, Lenient),
    (nesting::PrematureCloser::REGISTRATION, Lenient),
    (nesting::UnclosedInnerContainer::REGISTRATION, Lenient),
    (nesting::MissingOpener::REGISTRATION, Lenient),
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
    (nesting::UnclosedContainer::REGISTRATION, Standard),
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
