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
    ("strict", Thresholds::new(50, 200), first(&STRICT)),
    ("standard", Thresholds::new(50, 200), first(&STANDARD)),
    ("lenient", Thresholds::new(40, 350), first(&LENIENT)),
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
    (payload::tags::ReasoningBlock::REGISTRATION, Strict),
    (payload::tags::SpecialToken::REGISTRATION, Standard),
    (payload::tags::AnswerTag::REGISTRATION, Standard),
    (payload::fences::MarkdownFence::REGISTRATION, Strict),
    (payload::fences::OtherLanguageFence::REGISTRATION, Standard),
    (payload::fences::FenceAfterText::REGISTRATION, Standard),
    // Before all that look for a payload as it stands.
    (payload::edited_payloads::DoubledBraces::REGISTRATION, Standard),
    (payload::edited_payloads::EscapedPayload::REGISTRATION, Lenient),
    (payload::edited_payloads::FullwidthBrackets::REGISTRATION, Standard),
    (payload::edited_payloads::StringifiedPayload::REGISTRATION, Lenient),
    (payload::edited_payloads::MissingOuterBraces::REGISTRATION, Lenient),
    // Before those that take the first brace for the payload's.
    (payload::prose::BracketsInProse::REGISTRATION, Standard),
    // After the fences: a schema and its answer may share one block.
    (payload::schema_echo::SchemaEcho::REGISTRATION, Standard),
    // Before the strict locator, which would end the payload at the last closer of the region.
    (payload::prose::OpenEndedPayload::REGISTRATION, Standard),
    (payload::prose::SurroundingProse::REGISTRATION, Strict),
    // Between tokens: before everything that looks at what is next.
    (between::blanks::InvisibleCharacter::REGISTRATION, Strict),
    (values::unquoted_date::UnquotedDate::REGISTRATION, Lenient),
    (values::unquoted_quantity::UnquotedQuantity::REGISTRATION, Lenient),
    (between::blanks::UnusualSpace::REGISTRATION, Standard),
    (between::blanks::ColorSequence::REGISTRATION, Standard),
    (between::comments::Comment::REGISTRATION, Standard),
    (between::comments::UnclosedComment::REGISTRATION, Standard),
    (between::comments::HtmlComment::REGISTRATION, Standard),
    (between::comments::DashComment::REGISTRATION, Standard),
    (separators::commas::FullwidthPunctuation::REGISTRATION, Standard),
    (separators::commas::RepeatedComma::REGISTRATION, Standard),
    (separators::commas::LeadingComma::REGISTRATION, Standard),
    (separators::colons::RepeatedColon::REGISTRATION, Standard),
    (separators::colons::OtherLanguageColon::REGISTRATION, Standard),
    (between::ellipsis::Ellipsis::REGISTRATION, Lenient),
    (brackets::rows::PythonTuple::REGISTRATION, Standard),
    (brackets::rows::PythonSet::REGISTRATION, Lenient),
    (brackets::rows::RedundantBraces::REGISTRATION, Lenient),
    // At a value or a key.
    (quotes::styles::SmartQuotedString::REGISTRATION, Strict),
    (quotes::styles::SingleQuotedString::REGISTRATION, Strict),
    (quotes::styles::QuotesInSingleQuotes::REGISTRATION, Standard),
    (quotes::styles::QuotesInSmartQuotes::REGISTRATION, Standard),
    (quotes::styles::TripledQuotes::REGISTRATION, Standard),
    (quotes::styles::BacktickQuotedString::REGISTRATION, Standard),
    (quotes::escaped_delimiter::EscapedDelimiter::REGISTRATION, Standard),
    (quotes::styles::StringPrefix::REGISTRATION, Standard),
    (quotes::string_ends::UnescapedApostrophe::REGISTRATION, Lenient),
    (keys::unquoted::UnquotedKey::REGISTRATION, Standard),
    (keys::unquoted::UnquotedWordKey::REGISTRATION, Standard),
    (keys::unquoted::NumberKey::REGISTRATION, Standard),
    (keys::unquoted::SpacedKey::REGISTRATION, Lenient),
    (values::literals::PythonLiteral::REGISTRATION, Standard),
    (values::literals::LiteralCase::REGISTRATION, Lenient),
    (values::literals::UndefinedValue::REGISTRATION, Lenient),
    (values::literals::NonFiniteNumber::REGISTRATION, Lenient),
    (values::numbers::PlusSign::REGISTRATION, Standard),
    (values::numbers::BareDecimalPoint::REGISTRATION, Standard),
    (values::numbers::DigitSeparator::REGISTRATION, Standard),
    (values::numbers::RadixPrefix::REGISTRATION, Standard),
    (values::numbers::BigintSuffix::REGISTRATION, Standard),
    (values::numbers::TypographicMinus::REGISTRATION, Lenient),
    (values::numbers::LeadingZero::REGISTRATION, Lenient),
    (values::numbers::ThousandsSeparator::REGISTRATION, Lenient),
    (values::constructor_call::ConstructorCall::REGISTRATION, Lenient),
    (quotes::unquoted_string::UnquotedString::REGISTRATION, Lenient),
    // At a comma or a closer.
    (separators::commas::TrailingComma::REGISTRATION, Strict),
    (separators::commas::MissingCommaAfterScalar::REGISTRATION, Strict),
    (separators::commas::MissingCommaAfterContainer::REGISTRATION, Strict),
    (quotes::concatenated_strings::ConcatenatedStrings::REGISTRATION, Standard),
    (separators::commas::MissingCommaOnLine::REGISTRATION, Standard),
    (separators::commas::MissingCommaInArray::REGISTRATION, Standard),
    (separators::commas::SemicolonSeparator::REGISTRATION, Standard),
    (separators::colons::MissingColon::REGISTRATION, Standard),
    // After what repairs a missing comma: these look far ahead. Before what escapes line breaks.
    (quotes::string_ends::MixedQuotes::REGISTRATION, Lenient),
    (quotes::string_ends::MissingOpenQuote::REGISTRATION, Lenient),
    (quotes::string_ends::DoubledQuotes::REGISTRATION, Lenient),
    (quotes::string_ends::EscapedEndQuote::REGISTRATION, Lenient),
    (quotes::string_ends::MissingEndQuote::REGISTRATION, Lenient),
    (quotes::string_ends::QuotesInCode::REGISTRATION, Standard),
    (quotes::string_ends::UnescapedQuote::REGISTRATION, Lenient),
    // After it: in a text about code, what follows a quote may be an escape.
    (between::blanks::EscapedWhiteSpace::REGISTRATION, Standard),
    (separators::colons::CommaForColon::REGISTRATION, Lenient),
    (separators::dangling_key::DanglingKey::REGISTRATION, Lenient),
    (values::missing_values::MissingValue::REGISTRATION, Lenient),
    (values::missing_values::MissingValueDefault::REGISTRATION, Lenient),
    (brackets::nesting::ExtraCloser::REGISTRATION, Standard),
    (brackets::nesting::MismatchedCloser::REGISTRATION, Lenient),
    (brackets::nesting::ExtraInnerCloser::REGISTRATION, Lenient),
    (brackets::nesting::PrematureCloser::REGISTRATION, Lenient),
    (brackets::nesting::UnclosedInnerContainer::REGISTRATION, Lenient),
    (brackets::nesting::MissingOpener::REGISTRATION, Lenient),
    (between::stray_text::StrayText::REGISTRATION, Lenient),
    // Inside a string; first what repairs the control characters among accidental escapes too.
    (strings::escapes::AccidentalEscape::REGISTRATION, Lenient),
    (quotes::missing_end_quote_before_key::MissingEndQuoteBeforeKey::REGISTRATION, Standard),
    (strings::escapes::RawControlCharacter::REGISTRATION, Standard),
    (strings::escapes::EscapedApostrophe::REGISTRATION, Standard),
    (strings::escapes::InvalidEscape::REGISTRATION, Standard),
    (strings::escapes::CutEscape::REGISTRATION, Lenient),
    // At the end of the region.
    (cut::unclosed_string::UnclosedString::REGISTRATION, Standard),
    (cut::cut_member::CutMember::REGISTRATION, Lenient),
    (cut::unclosed_container::UnclosedContainer::REGISTRATION, Standard),
];

const STRICT: Names = names_of(Strict);
const STANDARD: Names = names_of(Standard);
const LENIENT: Names = names_of(Lenient);

/// The names of the rules of a preset, and how many there are.
type Names = ([&'static str; RULES.len()], usize);

const fn names_of(preset: Smallest) -> Names {
    let (mut names, mut len, mut index) = ([""; RULES.len()], 0, 0);
    while index < RULES.len() {
        if RULES[index].1 as u8 <= preset as u8 {
            names[len] = RULES[index].0.name;
            len += 1;
        }
        index += 1;
    }
    (names, len)
}

const fn first(names: &Names) -> &[&'static str] {
    names.0.split_at(names.1).0
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
