//! What a rule may ask about numbers, literals and keys that are written bare.

use super::{Container, Fault};
use crate::recognise::TokenKind;

/// How far back the line of the payload's opening bracket is read.
const INDENT_LEN: usize = 64;

/// A decimal number in a notation that JSON5, JavaScript or Python read, of which JSON's own is one: `+1`, `.5`, `5.`, `1_000`, `007`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Decimal<'e> {
    /// `+` or `-`, if there is one.
    pub sign: Option<char>,
    /// The digits before the point; empty in `.5`.
    pub integer: &'e str,
    /// The digits behind the point; `None` without a point, empty in `5.`.
    pub fraction: Option<&'e str>,
    /// What follows `e` or `E`, its sign included.
    pub exponent: Option<&'e str>,
    /// The whole word.
    pub text: &'e str,
}

impl<'e> Decimal<'e> {
    /// Reads the whole of `text`. Digits may be parted by single underscores.
    fn read(text: &'e str) -> Option<Self> {
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

/// Whether `text` holds digits only, parted by single underscores at most. True of nothing.
fn are_digits(text: &str) -> bool {
    let is_digit = |at: Option<usize>| at.and_then(|at| text.as_bytes().get(at)).is_some_and(u8::is_ascii_digit);
    text.bytes().enumerate().all(|(at, byte)| match byte {
        b'0'..=b'9' => true,
        b'_' => is_digit(at.checked_sub(1)) && is_digit(Some(at + 1)),
        _ => false,
    })
}

impl<'e> Fault<'e> {
    /// The decimal number at the fault, in whatever notation, if the whole word there is one and what follows it fits the grammar.
    /// `None` too where the region ends, since more digits may have been meant.
    pub fn decimal(&self) -> Option<Decimal<'e>> {
        let decimal = Decimal::read(self.word())?;
        (!self.is_at_end() && self.could_end_at(self.pos + decimal.text.len())).then_some(decimal)
    }

    /// Whether a key at the fault, which looks like none, stands in what is clearly data and no phrase of prose in braces:
    /// another member or an outer member stands before it, or nothing else stands before the payload on its line.
    pub fn is_clearly_data(&self) -> bool {
        let is_inner = self.depth() > 1 && self.state.containers >> (self.depth() - 1) & 1 == 1;
        is_inner || self.previous_is(TokenKind::Comma) || self.payload_begins_its_line()
    }

    fn payload_begins_its_line(&self) -> bool {
        let before = self.setting.source.as_bytes().get(..self.setting.start).unwrap_or_default();
        let behind = before.iter().rev().take(INDENT_LEN);
        let blanks = behind.clone().take_while(|&&byte| matches!(byte, b' ' | b'\t')).count();
        self.setting.peek.charge(blanks + 1);
        before.len() == blanks || behind.clone().nth(blanks).is_some_and(|&byte| matches!(byte, b'\n' | b'\r'))
    }

    /// Whether the three digits at the fault may be the second group of a number with thousands separators: `[1,000]` is one number or two.
    pub fn may_be_digit_group(&self) -> bool {
        let [Some(comma), Some(number)] = [self.token(0), self.token(1)] else {
            return false;
        };
        self.container() == Some(Container::Array)
            && (comma.kind, number.kind) == (TokenKind::Comma, TokenKind::Number)
            && comma.span.end == self.pos
            && number.span.end == comma.span.start
            && number.span.len() <= 4
    }
}
