//! Numbers in the notations of JSON5, JavaScript and Python.

use jsonseam_core::{Ahead, Container, Fault, TokenKind};

use super::runs::at_most;

/// A decimal number in a notation that JSON5, JavaScript or Python read, of which JSON's own is one: `+1`, `.5`, `5.`, `1_000`, `007`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal<'e> {
    /// `+` or `-`, if there is one.
    pub sign: Option<char>,
    /// The digits before the point; empty in `.5`.
    pub integer: &'e str,
    /// The digits after the point; `None` without a point, empty in `5.`.
    pub fraction: Option<&'e str>,
    /// What follows `e` or `E`, its sign included.
    pub exponent: Option<&'e str>,
    /// The whole word.
    pub text: &'e str,
}

impl<'e> Decimal<'e> {
    /// Reads the whole of `text`. Single underscores may separate digits.
    ///
    /// ```
    /// use jsonseam_rules::shared::numbers::Decimal;
    ///
    /// assert_eq!(Decimal::read("-.5e3").and_then(|number| number.fraction), Some("5"));
    /// assert_eq!(Decimal::read("1__0"), None);
    /// ```
    pub fn read(text: &'e str) -> Option<Self> {
        let rest = text.strip_prefix(['+', '-']).unwrap_or(text);
        let sign = (rest.len() < text.len()).then(|| if text.starts_with('+') { '+' } else { '-' });
        let (integer, mut rest) = rest.split_at(digits_len(rest));
        let mut fraction = None;
        if let Some(after) = rest.strip_prefix('.') {
            let (digits, after) = after.split_at(digits_len(after));
            (fraction, rest) = (Some(digits), after);
        }
        let exponent = rest.strip_prefix(['e', 'E']);
        if let Some(exponent) = exponent {
            let power = exponent.strip_prefix(['+', '-']).unwrap_or(exponent);
            let len = digits_len(power);
            rest = if len > 0 { &power[len..] } else { rest };
        }
        let has_digits = !integer.is_empty() || fraction.is_some_and(|digits| !digits.is_empty());
        (has_digits && rest.is_empty()).then_some(Self { sign, integer, fraction, exponent, text })
    }

    /// Whether the digits before the point begin with a zero that JSON does not allow.
    pub fn has_leading_zero(&self) -> bool {
        self.integer.len() > 1 && self.integer.starts_with('0')
    }
}

/// How many bytes at the start of `text` are digits, separated by single underscores at most.
fn digits_len(text: &str) -> usize {
    let bytes = text.as_bytes();
    let belongs = |at: usize| match bytes[at] {
        b'0'..=b'9' => true,
        b'_' => at > 0 && bytes.get(at + 1).is_some_and(u8::is_ascii_digit),
        _ => false,
    };
    (0..bytes.len()).take_while(|&at| belongs(at)).count()
}

/// The decimal number at the fault, in whatever notation, if the whole word there is one and what follows it fits the grammar.
/// `None` too where the region ends, since more digits may have been meant.
pub fn decimal<'e>(fault: &Fault<'e>) -> Option<Decimal<'e>> {
    let word = fault.ahead().word();
    Decimal::read(word).filter(|_| fits(fault, word))
}

/// The text without underscores.
pub fn without_separators(text: &str) -> String {
    let mut digits = String::with_capacity(text.len());
    digits.extend(text.chars().filter(|&char| char != '_'));
    digits
}

/// Whether `word`, which comes next, is whole, and what follows it may follow a value.
pub fn fits(fault: &Fault<'_>, word: &str) -> bool {
    !fault.is_at_end() && fault.ahead().after(word.len()).could_end_scalar(fault.container())
}

/// Whether the three digits at the fault may be the second group of a number with thousands separators: `[1,000]` is one number or two.
pub fn may_be_digit_group(fault: &Fault<'_>) -> bool {
    fault.container() == Some(Container::Array) && follows_short_number(fault)
}

/// Whether a number of at most three digits and a comma come right before the fault.
pub fn follows_short_number(fault: &Fault<'_>) -> bool {
    number_before_comma(fault).is_some_and(|number| number.len() <= 4)
}

/// Whether a number whose groups of three are separated by points, and a comma, come right before the fault: `1.234,56` has a decimal comma.
pub fn follows_pointed_number(fault: &Fault<'_>) -> bool {
    number_before_comma(fault).is_some_and(|number| number.len() <= 8 && has_pointed_groups(number))
}

/// The number before the comma that comes right before the fault, without a blank between them.
fn number_before_comma<'e>(fault: &Fault<'e>) -> Option<&'e str> {
    let (comma, number) = fault.token(0).zip(fault.token(1))?;
    let are_they = (comma.kind, number.kind) == (TokenKind::Comma, TokenKind::Number)
        && comma.span.end == fault.pos()
        && number.span.end == comma.span.start;
    are_they.then(|| fault.at(number.span.start).slice_to(number.span.end))
}

/// Whether a text is digits in groups of three with points between them, two groups at least.
pub fn has_pointed_groups(text: &str) -> bool {
    let text = text.strip_prefix('-').unwrap_or(text);
    text.contains('.') && are_groups(text, '.')
}

/// Whether a text is digits in groups of three with `separator` between them; the first group may be shorter.
pub fn are_groups(text: &str, separator: char) -> bool {
    let mut groups = text.split(separator);
    let is_first = |first: &str| first.len() <= 3 && are_digits(first);
    groups.next().is_some_and(is_first) && groups.all(|group| group.len() == 3 && are_digits(group))
}

/// Whether a text is the digits of a whole number as JSON has it: without a leading zero.
pub fn are_whole(text: &str) -> bool {
    are_digits(text) && (text.len() == 1 || !text.starts_with('0'))
}

/// Whether a text is digits and nothing else.
pub fn are_digits(text: &str) -> bool {
    !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit())
}

/// How many digits come next, counted up to `most`.
pub fn digits(mut ahead: Ahead<'_>, most: usize) -> usize {
    ahead.take_while(at_most(most, |char| char.is_ascii_digit())).len()
}

/// Whether `text` is a number with the suffix of its type in a programming language, without a blank before it: `7L`, `3.5f`, `1.5d`.
/// A single letter may be a unit as well: which one cannot be told.
pub fn has_type_suffix(text: &str) -> bool {
    let number = text.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    let suffix = text.strip_prefix(number).unwrap_or_default();
    let digits = number.strip_prefix('-').unwrap_or(number);
    let is_suffix = matches!(suffix, "j" | "l" | "L" | "ll" | "LL" | "u" | "U" | "ul" | "UL" | "f" | "F")
        || matches!(suffix, "d" | "D") && digits.contains('.');
    is_suffix && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}
