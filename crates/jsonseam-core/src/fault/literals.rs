//! What a rule may ask about numbers, literals and keys that are written bare.

use std::ops::Range;

use super::{Container, Expected, Fault};
use crate::peek::is_quote;
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

/// A value without quotes that is no JSON, from its first character to its last.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BareText<'e> {
    /// What it says. It holds no bracket, double quote, back-tick, backslash or control character but a tab.
    pub text: &'e str,
    /// Where it stands. It starts at the fault, or with the number behind it.
    pub span: Range<usize>,
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
        (!self.is_at_end() && self.scalar_could_end_at(self.pos + decimal.text.len())).then_some(decimal)
    }

    /// Whether a scalar whose end is plain to see could end before `pos`: whether what follows is what the container allows next.
    pub fn scalar_could_end_at(&self, pos: usize) -> bool {
        self.setting.peek.scalar_could_end(pos, self.container())
    }

    /// The text from the fault up to the next `end` on its line, which it includes; at most 256 bytes are looked at.
    pub fn line_to(&self, end: char) -> Option<&'e str> {
        let (line, _) = self.setting.peek.line_at(self.pos);
        let found = line.find(end).map(|at| at + end.len_utf8());
        self.setting.peek.charge(found.unwrap_or(line.len()));
        line.get(..found?)
    }

    /// The bare text that stands where a value is due, or that goes on behind a number right before the fault (`5 kg`, `12:30`, `1,000`).
    ///
    /// It ends, on its line, where what follows fits the container: before a closer, before a comma and the next member or element,
    /// before a comment, or at the end of the line. In an object a comma that no member follows belongs to the text.
    /// `None` at the root, and where the text could go on: where the region or the line breaks off.
    pub fn bare_text(&self) -> Option<BareText<'e>> {
        self.bare_text.get_or_init(|| self.read_bare_text()).clone()
    }

    fn read_bare_text(&self) -> Option<BareText<'e>> {
        let start = match self.expected() {
            Expected::Value if !self.is_at_end() => self.pos,
            Expected::Comma if self.number_goes_on() => self.token(0)?.span.start,
            Expected::Key if self.number_is_grouped() => self.token(1)?.span.start,
            _ => return None,
        };
        let end = self.setting.peek.bare_text_end(start, self.pos, self.container()?)?;
        Some(BareText { text: self.setting.peek.slice(start..end), span: start..end })
    }

    /// Whether text that is no JSON follows a number on its line.
    fn number_goes_on(&self) -> bool {
        let goes_on = self.next_char().is_some_and(|char| !char.is_ascii_digit() && !is_quote(char));
        goes_on && self.previous_is(TokenKind::Number) && !self.gap_has_newline()
    }

    /// Whether three digits follow a number of an object and a comma, without a blank anywhere.
    fn number_is_grouped(&self) -> bool {
        let digits = self.text_ahead(4).bytes().take_while(u8::is_ascii_digit).count();
        digits == 3 && self.stands_behind_short_number()
    }

    /// Whether what stands at the fault is clearly data, and no phrase of prose in brackets:
    /// an object lies around the innermost container; or, in an object, another member or a key in quotes stands before it,
    /// or nothing else stands before the payload on its line.
    pub fn is_clearly_data(&self) -> bool {
        let is_inner = self.depth() > 1 && self.state.containers >> (self.depth() - 1) & 1 == 1;
        let has_quoted_key = || {
            self.token(1).is_some_and(|token| {
                token.kind == TokenKind::Key && self.setting.peek.char_at(token.span.start).is_some_and(is_quote)
            })
        };
        let is_member = self.container() == Some(Container::Object);
        is_inner
            || (is_member && (self.previous_is(TokenKind::Comma) || has_quoted_key() || self.payload_begins_its_line()))
    }

    fn payload_begins_its_line(&self) -> bool {
        let before = self.setting.source.as_bytes().get(..self.setting.start).unwrap_or_default();
        let behind = before.iter().rev().take(INDENT_LEN);
        let blanks = behind.clone().take_while(|&&byte| matches!(byte, b' ' | b'\t')).count();
        self.setting.peek.charge(blanks + 1);
        before.len() == blanks || behind.clone().nth(blanks).is_some_and(|&byte| matches!(byte, b'\n' | b'\r'))
    }

    /// Whether the payload begins on a line of its own and `closer` ends the region: nothing of either line is prose.
    pub fn payload_fills_its_lines(&self, closer: char) -> bool {
        let region = self.setting.source.get(..self.setting.end).unwrap_or_default();
        let blanks = region.bytes().rev().take(INDENT_LEN).take_while(u8::is_ascii_whitespace).count();
        self.setting.peek.charge(blanks + 1);
        region.get(..region.len() - blanks).is_some_and(|text| text.ends_with(closer)) && self.payload_begins_its_line()
    }

    /// Whether the three digits at the fault may be the second group of a number with thousands separators: `[1,000]` is one number or two.
    pub fn may_be_digit_group(&self) -> bool {
        self.container() == Some(Container::Array) && self.stands_behind_short_number()
    }

    /// Whether a number of at most three digits and a comma stand right before the fault.
    fn stands_behind_short_number(&self) -> bool {
        let [Some(comma), Some(number)] = [self.token(0), self.token(1)] else {
            return false;
        };
        (comma.kind, number.kind) == (TokenKind::Comma, TokenKind::Number)
            && comma.span.end == self.pos
            && number.span.end == comma.span.start
            && number.span.len() <= 4
    }
}
