//! Numbers compared and divided exactly, and values compared as JSON Schema compares them.

use std::cmp::Ordering;
use std::fmt::Write as _;

use serde_json::{Number, Value};

use crate::exact::Exact;

/// Two to the power of 64: from here on a float is larger than every integer that a number can hold.
const TWO_TO_64: f64 = 18_446_744_073_709_551_616.0;

/// A number as an integer, if it is one and of at most 64 bits: `3`, `3.0` and `3e0` are the same.
fn integer(number: &Number) -> Option<i128> {
    if let Some(integer) = number.as_u64() {
        return Some(i128::from(integer));
    }
    if let Some(integer) = number.as_i64() {
        return Some(i128::from(integer));
    }
    let float = number.as_f64()?;
    #[expect(clippy::cast_possible_truncation, reason = "the float is integral and within 64 bits")]
    (float.fract() == 0.0 && float.abs() < TWO_TO_64).then_some(float as i128)
}

/// Whether a number is an integer in the sense of drafts 6 and later.
pub(crate) fn is_integer(number: &Number) -> bool {
    number.is_u64() || number.is_i64() || number.as_f64().is_some_and(|float| float.fract() == 0.0)
}

/// Compares two numbers by value, of two texts with these exact numbers.
pub(crate) fn compare_exactly(left: &Number, lefts: &Exact, right: &Number, rights: &Exact) -> Ordering {
    lefts.compare(left, right, rights).unwrap_or_else(|| compare(left, right))
}

/// A number that others have to be multiples of, and its digits, which are asked for every time.
#[derive(Debug)]
pub(crate) struct Divisor {
    pub(crate) number: Number,
    decimal: Option<(u64, i32)>,
}

impl Divisor {
    pub(crate) fn new(number: Number) -> Self {
        Self { decimal: decimal(&number), number }
    }

    /// Whether a number is a multiple of this one, of two texts with these exact numbers.
    pub(crate) fn divides_exactly(&self, number: &Number, numbers: &Exact, others: &Exact) -> bool {
        let exactly = numbers.is_multiple(number, &self.number, others);
        exactly.unwrap_or_else(|| match (decimal(number), self.decimal) {
            (Some(number), Some(own)) => is_multiple(number, own),
            _ => false,
        })
    }

    /// The same of digits and a power of ten; `None` if this is one of the exact numbers of its text, or has more digits than are divided by.
    pub(crate) fn divides(&self, number: (u64, i32), others: &Exact) -> Option<bool> {
        let own = self.decimal.filter(|_| others.is_integer(&self.number).is_none())?;
        Some(is_multiple(number, own))
    }
}

/// Compares two numbers by value.
pub(crate) fn compare(left: &Number, right: &Number) -> Ordering {
    match (integer(left), integer(right)) {
        (Some(left), Some(right)) => left.cmp(&right),
        (Some(left), None) => against_float(left, right.as_f64().unwrap_or_default()),
        (None, Some(right)) => against_float(right, left.as_f64().unwrap_or_default()).reverse(),
        (None, None) => {
            let (left, right) = (left.as_f64().unwrap_or_default(), right.as_f64().unwrap_or_default());
            left.partial_cmp(&right).unwrap_or(Ordering::Equal)
        }
    }
}

/// Compares an integer of at most 64 bits with a float that is not one.
fn against_float(integer: i128, float: f64) -> Ordering {
    if float >= TWO_TO_64 {
        return Ordering::Less;
    }
    if float <= -TWO_TO_64 {
        return Ordering::Greater;
    }
    #[expect(clippy::cast_possible_truncation, reason = "the float is within 64 bits")]
    let floor = float.floor() as i128;
    // The float is strictly between its floor and the next integer.
    if integer <= floor { Ordering::Less } else { Ordering::Greater }
}

/// Whether a number is a multiple of another, in decimal as they are spelled: `0.0075` is one of `0.0001`.
fn is_multiple((value, value_exponent): (u64, i32), (divisor, divisor_exponent): (u64, i32)) -> bool {
    if value == 0 {
        return true;
    }
    if divisor == 0 {
        return false;
    }
    let shift = value_exponent - divisor_exponent;
    let (value, divisor) = (u128::from(value), u128::from(divisor));
    if shift >= 0 {
        // Both factors are below 2^64.
        return (value % divisor * power_of_ten(shift.unsigned_abs(), divisor)).is_multiple_of(divisor);
    }
    // Beyond 19 places the divisor is larger than any value of 64 bits.
    let places = shift.unsigned_abs();
    places <= 19 && value.is_multiple_of(divisor * 10_u128.pow(places))
}

/// Ten to a power, modulo a divisor.
fn power_of_ten(exponent: u32, modulus: u128) -> u128 {
    let (mut result, mut base, mut exponent) = (1 % modulus, 10 % modulus, exponent);
    while exponent > 0 {
        if exponent & 1 == 1 {
            result = result * base % modulus;
        }
        base = base * base % modulus;
        exponent >>= 1;
    }
    result
}

/// A number without its sign as digits and a power of ten.
fn decimal(number: &Number) -> Option<(u64, i32)> {
    let text = number.to_string();
    let (mantissa, exponent) = text.split_once(['e', 'E']).unwrap_or((&text, "0"));
    let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
    let fraction = fraction.trim_end_matches('0');
    let digits = format!("{}{fraction}", whole.trim_start_matches('-'));
    let exponent: i32 = exponent.parse().ok()?;
    Some((digits.parse().ok()?, exponent - i32::try_from(fraction.len()).ok()?))
}

/// Whether two values are equal as JSON Schema has it: numbers by value, objects in any order. They are of texts with these exact numbers.
pub(crate) fn equal(left: &Value, lefts: &Exact, right: &Value, rights: &Exact) -> bool {
    let equal = |left: &Value, right: &Value| equal(left, lefts, right, rights);
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => compare_exactly(left, lefts, right, rights) == Ordering::Equal,
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| equal(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.len() == right.len()
                && left.iter().all(|(name, left)| right.get(name).is_some_and(|right| equal(left, right)))
        }
        (left, right) => left == right,
    }
}

/// A text that two values share exactly if they are equal as JSON Schema has it.
pub(crate) fn canonical_text(value: &Value, exact: &Exact) -> String {
    let mut text = String::new();
    canonical(value, exact, &mut text);
    text
}

fn canonical(value: &Value, exact: &Exact, text: &mut String) {
    match value {
        Value::Number(number) => {
            // Writing to a string does not fail.
            let _ = match (exact.canonical(number), integer(number)) {
                (Some(canonical), _) => write!(text, "{canonical}"),
                (None, Some(integer)) => write!(text, "{integer}"),
                (None, None) => write!(text, "{:e}", number.as_f64().unwrap_or_default()),
            };
        }
        Value::Array(items) => {
            text.push('[');
            for item in items {
                canonical(item, exact, text);
                text.push(',');
            }
            text.push(']');
        }
        Value::Object(members) => {
            let mut names: Vec<_> = members.iter().collect();
            jsonseam_text::sort_by(&mut names, |(left, _), (right, _)| left.cmp(right));
            text.push('{');
            for (name, value) in names {
                text.push_str(&Value::from(name.as_str()).to_string());
                text.push(':');
                canonical(value, exact, text);
                text.push(',');
            }
            text.push('}');
        }
        scalar => text.push_str(&scalar.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::exact::NONE;

    fn number(text: &str) -> Number {
        serde_json::from_str(text).expect("a number")
    }

    #[test]
    fn numbers_are_compared_by_value_across_spellings_and_beyond_doubles() {
        for (left, right, order) in [
            ("3", "3.0", Ordering::Equal),
            ("9007199254740993", "9007199254740992", Ordering::Greater),
            ("9007199254740993", "9007199254740992.0", Ordering::Greater),
            ("18446744073709551615", "18446744073709551616", Ordering::Less),
            ("-1", "-1.5", Ordering::Greater),
            ("-2", "-1.5", Ordering::Less),
            ("1", "1.5", Ordering::Less),
            ("2", "1.5", Ordering::Greater),
            ("1e300", "1", Ordering::Greater),
            ("-1e300", "1", Ordering::Less),
        ] {
            assert_eq!(compare(&number(left), &number(right)), order, "{left} {right}");
            assert_eq!(compare(&number(right), &number(left)), order.reverse(), "{right} {left}");
        }
    }

    #[test]
    fn multiples_are_told_in_decimal() {
        for (value, of, is) in [
            ("0.0075", "0.0001", true),
            ("0.00751", "0.0001", false),
            ("12391239123", "1e-8", true),
            ("1e308", "0.123456789", false),
            ("35", "1.5", false),
            ("4.5", "1.5", true),
            ("0", "7", true),
            ("1e300", "1e-300", true),
            ("1e-300", "1e300", false),
            ("-9", "3", true),
            ("18446744073709551615", "5", true),
        ] {
            assert_eq!(Divisor::new(number(of)).divides_exactly(&number(value), &NONE, &NONE), is, "{value} of {of}");
        }
    }

    #[test]
    fn canonical_texts_agree_with_equality() {
        let values: Vec<Value> = [
            "1",
            "1.0",
            "-0.0",
            "0",
            "1.5",
            "\"1\"",
            "[1]",
            "[1.0]",
            "{\"a\":1,\"b\":2}",
            "{\"b\":2,\"a\":1}",
            "null",
            "true",
            "1e300",
            "[[],[]]",
            "[[[]]]",
        ]
        .iter()
        .map(|text| serde_json::from_str(text).expect("JSON"))
        .collect();
        for left in &values {
            for right in &values {
                let (one, other) = (canonical_text(left, &NONE), canonical_text(right, &NONE));
                assert_eq!(equal(left, &NONE, right, &NONE), one == other, "{left} {right}");
            }
        }
    }
}
