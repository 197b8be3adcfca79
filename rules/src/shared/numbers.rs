//! Numbers in the notations of JSON5, JavaScript and Python.

use jsonseam_core::{Ahead, Container, Fault, TokenKind};

use super::{members, words};

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
        let (number, exponent) = match rest.split_once(['e', 'E']) {
            Some((number, exponent)) => (number, Some(exponent)),
            None => (rest, None),
        };
        let (integer, fraction) = match number.split_once('.') {
            Some((integer, fraction)) => (integer, Some(fraction)),
            None => (number, None),
        };
        let has_digits = !integer.is_empty() || fraction.is_some_and(|digits| !digits.is_empty());
        let power = exponent.map(|exponent| exponent.strip_prefix(['+', '-']).unwrap_or(exponent));
        let is_number = has_digits
            && are_digits(integer)
            && fraction.is_none_or(are_digits)
            && power.is_none_or(|power| !power.is_empty() && are_digits(power));
        is_number.then_some(Self { sign, integer, fraction, exponent, text })
    }

    /// Whether the digits before the point begin with a zero that JSON does not allow.
    pub fn has_leading_zero(&self) -> bool {
        self.integer.len() > 1 && self.integer.starts_with('0')
    }
}

/// Whether `text` holds digits only, separated by single underscores at most. True of nothing.
fn are_digits(text: &str) -> bool {
    let is_digit = |at: Option<usize>| at.and_then(|at| text.as_bytes().get(at)).is_some_and(u8::is_ascii_digit);
    text.bytes().enumerate().all(|(at, byte)| match byte {
        b'0'..=b'9' => true,
        b'_' => is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)),
        _ => false,
    })
}

/// The decimal number at the fault, in whatever notation, if the whole word there is one and what follows it fits the grammar.
/// `None` too where the region ends, since more digits may have been meant.
pub fn decimal<'e>(fault: &Fault<'e>) -> Option<Decimal<'e>> {
    let ahead = fault.ahead();
    let decimal = Decimal::read(words::word(ahead))?;
    let fits = !fault.is_at_end() && members::scalar_could_end(ahead.after(decimal.text.len()), fault.container());
    fits.then_some(decimal)
}

/// Whether the three digits at the fault may be the second group of a number with thousands separators: `[1,000]` is one number or two.
pub fn may_be_digit_group(fault: &Fault<'_>) -> bool {
    fault.container() == Some(Container::Array) && follows_short_number(fault)
}

/// Whether a number of at most three digits and a comma come right before the fault.
pub fn follows_short_number(fault: &Fault<'_>) -> bool {
    let [Some(comma), Some(number)] = [fault.token(0), fault.token(1)] else {
        return false;
    };
    (comma.kind, number.kind) == (TokenKind::Comma, TokenKind::Number)
        && comma.span.end == fault.pos()
        && number.span.end == comma.span.start
        && number.span.len() <= 4
}

/// How many digits come next, counted up to `most`.
pub fn digits(mut ahead: Ahead<'_>, most: usize) -> usize {
    let mut left = most;
    let run = ahead.take_while(|char| {
        let belongs = char.is_ascii_digit() && left > 0;
        left -= usize::from(belongs);
        belongs
    });
    run.len()
}

/// Whether `text` is a number with the suffix of its type in a programming language, without a blank before it: `7L`, `3.5f`, `1.5d`.
/// A single letter may be a unit as well: which one cannot be told.
pub fn has_type_suffix(text: &str) -> bool {
    let number = text.trim_end_matches(|char: char| char.is_ascii_alphabetic());
    let suffix = text.strip_prefix(number).unwrap_or_default();
    let digits = number.strip_prefix('-').unwrap_or(number);
    let is_suffix = matches!(suffix, "l" | "L" | "ll" | "LL" | "u" | "U" | "ul" | "UL" | "f" | "F")
        || matches!(suffix, "d" | "D") && digits.contains('.');
    is_suffix && !digits.is_empty() && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}
