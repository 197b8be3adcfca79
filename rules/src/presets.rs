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
    (tags::ReasoningBlock::REGISTRATION, Strict),
    (tags::SpecialToken::REGISTRATION, Standard),
    (tags::AnswerTag::REGISTRATION, Standard),
    (fences::MarkdownFence::REGISTRATION, Strict),
    (fences::OtherLanguageFence::REGISTRATION, Standard),
    (fences::FenceAfterText::REGISTRATION, Standard),
    // Before all that look for a payload as it stands.
    (edited_payloads::DoubledBraces::REGISTRATION, Standard),
    (edited_payloads::EscapedPayload::REGISTRATION, Lenient),
    (edited_payloads::FullwidthBrackets::REGISTRATION, Standard),
    (edited_payloads::StringifiedPayload::REGISTRATION, Lenient),
    (edited_payloads::MissingOuterBraces::REGISTRATION, Lenient),
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
    (rows::PythonTuple::REGISTRATION, Standard),
    (rows::PythonSet::REGISTRATION, Lenient),
    (rows::RedundantBraces::REGISTRATION, Lenient),
    // At a value or a key.
    (quotes::SmartQuotedString::REGISTRATION, Strict),
    (quotes::SingleQuotedString::REGISTRATION, Strict),
    (quotes::QuotesInSingleQuotes::REGISTRATION, Standard),
    (quotes::QuotesInSmartQuotes::REGISTRATION, Standard),
    (quotes::TripledQuotes::REGISTRATION, Standard),
    (quotes::BacktickQuotedString::REGISTRATION, Standard),
    (escaped_delimiter::EscapedDelimiter::REGISTRATION, Standard),
    (quotes::StringPrefix::REGISTRATION, Standard),
    (string_ends::UnescapedApostrophe::REGISTRATION, Lenient),
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
    (string_ends::MixedQuotes::REGISTRATION, Lenient),
    (string_ends::MissingOpenQuote::REGISTRATION, Lenient),
    (string_ends::DoubledQuotes::REGISTRATION, Lenient),
    (string_ends::EscapedEndQuote::REGISTRATION, Lenient),
    (string_ends::MissingEndQuote::REGISTRATION, Lenient),
    (string_ends::QuotesInCode::REGISTRATION, Standard),
    (string_ends::UnescapedQuote::REGISTRATION, Lenient),
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
    (escapes::AccidentalEscape::REGISTRATION, Lenient),
    (missing_end_quote_before_key::MissingEndQuoteBeforeKey::REGISTRATION, Standard),
    (escapes::RawControlCharacter::REGISTRATION, Standard),
    (escapes::EscapedApostrophe::REGISTRATION, Standard),
    (escapes::InvalidEscape::REGISTRATION, Standard),
    (escapes::CutEscape::REGISTRATION, Lenient),
    // At the end of the region.
    (unclosed_string::UnclosedString::REGISTRATION, Standard),
    (cut_member::CutMember::REGISTRATION, Lenient),
    (nesting::UnclosedContainer::REGISTRATION, Standard),
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
