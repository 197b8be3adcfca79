//! The numbers of a text that no float and no integer of 64 bits holds, as decimals.
//!
//! A decoded value has a float in the place of each: one that stands for it alone. So a value that is looked at without this module has nearly the same numbers,
//! and one that is looked at with it has the same.

use std::borrow::Cow;
use std::cmp::Ordering;
use std::collections::{BTreeMap, HashMap};
use std::fmt::Write as _;

use jsonseam_text::string_end;
use serde_json::{Number, Value};

use crate::limits::MAX_SCHEMA_BYTES;

/// A decimal number: its digits, without zeros at either end, times a power of ten.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) struct Decimal {
    is_negative: bool,
    digits: Box<str>,
    exponent: i64,
}

impl Decimal {
    /// The number that a JSON text spells; `None` if its power of ten is beyond counting.
    pub(crate) fn read(token: &str) -> Option<Self> {
        let (mantissa, exponent) = token.split_once(['e', 'E']).unwrap_or((token, "0"));
        let (is_negative, mantissa) = mantissa.strip_prefix('-').map_or((false, mantissa), |rest| (true, rest));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let exponent: i64 = exponent.strip_prefix('+').unwrap_or(exponent).parse().ok()?;
        let digits = format!("{whole}{fraction}");
        let short = digits.trim_end_matches('0');
        let zeros = i64::try_from(digits.len() - short.len()).ok()?;
        let exponent = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(zeros)?;
        let digits = short.trim_start_matches('0');
        let is_zero = digits.is_empty();
        Some(Self {
            is_negative: is_negative && !is_zero,
            digits: digits.into(),
            exponent: if is_zero { 0 } else { exponent },
        })
    }

    /// A decoded number.
    fn of(number: &Number, exact: &Exact) -> Self {
        let zero = || Self { is_negative: false, digits: "".into(), exponent: 0 };
        exact.get(number).cloned().or_else(|| Self::read(&number.to_string())).unwrap_or_else(zero)
    }

    fn is_integer(&self) -> bool {
        self.exponent >= 0
    }

    /// The power of ten that the first digit is below; the least for zero.
    fn magnitude(&self) -> i64 {
        let len = i64::try_from(self.digits.len()).unwrap_or(i64::MAX);
        if len == 0 { i64::MIN } else { self.exponent.saturating_add(len) }
    }

    fn cmp_size(&self, other: &Self) -> Ordering {
        // Digits have no zeros at their ends, so of two that begin alike the longer is larger.
        self.magnitude().cmp(&other.magnitude()).then_with(|| self.digits.cmp(&other.digits))
    }

    fn cmp(&self, other: &Self) -> Ordering {
        match (self.is_negative, other.is_negative) {
            (false, true) => Ordering::Greater,
            (true, false) => Ordering::Less,
            (false, false) => self.cmp_size(other),
            (true, true) => other.cmp_size(self),
        }
    }

    /// Whether this is a whole multiple of another; `None` if the other has more digits than are divided by.
    fn is_multiple(&self, of: &Self) -> Option<bool> {
        /// The most digits of a divisor: ten remainders of it are within 128 bits.
        const MAX_DIGITS: usize = 37;
        /// The highest power of ten that is multiplied out.
        const MAX_POWER: i64 = 1 << 16;
        if self.digits.is_empty() {
            return Some(true);
        }
        if of.digits.is_empty() {
            return Some(false);
        }
        let shift = self.exponent.checked_sub(of.exponent)?;
        // The last digit is not zero, so ten does not divide this one.
        if shift < 0 {
            return Some(false);
        }
        let divisor: u128 = of.digits.parse().ok().filter(|_| of.digits.len() <= MAX_DIGITS && shift <= MAX_POWER)?;
        let step = |rest: u128, digit: u8| (rest * 10 + u128::from(digit - b'0')) % divisor;
        let rest = self.digits.bytes().fold(0, step);
        let rest = (0..shift).try_fold(rest, |rest, _| if rest == 0 { Err(0) } else { Ok(rest * 10 % divisor) });
        Some(rest.unwrap_or_else(|zero| zero) == 0)
    }

    /// The one spelling of its value.
    fn canonical(&self) -> String {
        let sign = if self.is_negative { "-" } else { "" };
        format!("{sign}{}e{}", self.digits, self.exponent)
    }
}

/// The exact numbers of one text, by the bits of the float that stands for each.
#[derive(Debug, Clone, Default)]
pub(crate) struct Exact(BTreeMap<u64, Decimal>);

/// Those of a text that has none.
pub(crate) static NONE: Exact = Exact(BTreeMap::new());

impl Exact {
    /// Decodes a text that is JSON, and says which of its numbers are beyond floats. Numbers that are larger than every float are taken if `takes_any`.
    pub(crate) fn decode(text: &str, takes_any: bool) -> (Cow<'_, str>, Self) {
        let mut exact = Self::default();
        let mut spelled = exact.decode_all(&[text], takes_any);
        (spelled.pop().unwrap_or_default(), exact)
    }

    /// The same of several texts, in which one float stands for one number.
    pub(crate) fn decode_all<'t>(&mut self, texts: &[&'t str], takes_any: bool) -> Vec<Cow<'t, str>> {
        let wide_of = |text: &'t str| {
            let found = numbers(text).filter_map(|span| Some((span, wide(text.get(span.0..span.1)?, takes_any)?)));
            (text, found.collect::<Vec<_>>())
        };
        let found: Vec<_> = texts.iter().map(|text| wide_of(text)).collect();
        if found.iter().all(|(_, wide)| wide.is_empty()) {
            return texts.iter().map(|text| Cow::Borrowed(*text)).collect();
        }
        let mut floats = Floats::default();
        let taken = texts.iter().flat_map(|text| numbers(text).filter_map(|span| float_at(text, span)));
        [0.0, -0.0].into_iter().chain(taken).for_each(|float| floats.take(float));
        let mut known: HashMap<Decimal, f64> = HashMap::new();
        let mut spell = |text: &'t str, wide: Vec<((usize, usize), Decimal)>| {
            let (mut spelled, mut pos) = (String::with_capacity(text.len()), 0);
            for ((start, end), decimal) in wide {
                let stand_in = *known.entry(decimal.clone()).or_insert_with(|| {
                    let near = float_at(text, (start, end)).unwrap_or_default().clamp(f64::MIN, f64::MAX);
                    floats.free(near)
                });
                self.0.insert(stand_in.to_bits(), decimal);
                spelled.push_str(text.get(pos..start).unwrap_or_default());
                // Written so that it is read as a float, and as this one. Writing to a string does not fail.
                let _ = write!(spelled, "{stand_in:e}");
                pos = end;
            }
            spelled.push_str(text.get(pos..).unwrap_or_default());
            Cow::Owned(spelled)
        };
        found.into_iter().map(|(text, wide)| spell(text, wide)).collect()
    }

    fn get(&self, number: &Number) -> Option<&Decimal> {
        if self.0.is_empty() || !number.is_f64() {
            return None;
        }
        self.0.get(&number.as_f64()?.to_bits())
    }

    /// Whether a number is an integer, if it is one of these.
    pub(crate) fn is_integer(&self, number: &Number) -> Option<bool> {
        self.get(number).map(Decimal::is_integer)
    }

    /// The one spelling of the value of a number, if it is one of these.
    pub(crate) fn canonical(&self, number: &Number) -> Option<String> {
        self.get(number).map(Decimal::canonical)
    }

    /// Compares a number of this text with one of another, if one of them is exact.
    pub(crate) fn compare(&self, own: &Number, other: &Number, others: &Self) -> Option<Ordering> {
        (self.get(own).is_some() || others.get(other).is_some())
            .then(|| Decimal::of(own, self).cmp(&Decimal::of(other, others)))
    }

    /// Whether a number of this text is a multiple of one of another, if one of them is exact.
    pub(crate) fn is_multiple(&self, own: &Number, of: &Number, others: &Self) -> Option<bool> {
        let is_exact = self.get(own).is_some() || others.get(of).is_some();
        if is_exact { Decimal::of(own, self).is_multiple(&Decimal::of(of, others)) } else { None }
    }
}

/// The texts of a schema and its resources, with floats in the place of the numbers that none holds, and these.
pub(crate) struct Spelled<'t> {
    pub(crate) schema: Cow<'t, str>,
    pub(crate) resources: Vec<Cow<'t, str>>,
    pub(crate) exact: Exact,
}

impl<'t> Spelled<'t> {
    pub(crate) fn of(text: &'t str, resources: &'t [(String, String)]) -> Self {
        let texts: Vec<_> = std::iter::once(text).chain(resources.iter().map(|(_, text)| text.as_str())).collect();
        let mut exact = Exact::default();
        // Where one is too large none is looked at: it is refused when it is read.
        let is_small = texts.iter().all(|text| text.len() <= MAX_SCHEMA_BYTES);
        let mut resources =
            if is_small { exact.decode_all(&texts, true) } else { texts.into_iter().map(Cow::Borrowed).collect() };
        Self { schema: resources.remove(0), resources, exact }
    }
}

/// The floats that are taken, by their bits, each with where a free one is looked for next.
#[derive(Default)]
struct Floats(HashMap<u64, u64>);

impl Floats {
    fn take(&mut self, float: f64) {
        self.0.entry(float.to_bits()).or_insert_with(|| beside(float.to_bits()));
    }

    /// A float near to this one that is not taken, which it is from now on. What was passed over is not passed over again.
    fn free(&mut self, near: f64) -> f64 {
        let mut passed = Vec::new();
        let mut bits = near.to_bits();
        while let Some(&next) = self.0.get(&bits) {
            passed.push(bits);
            bits = next;
        }
        passed.push(bits);
        for passed in passed {
            self.0.insert(passed, beside(bits));
        }
        f64::from_bits(bits)
    }
}

/// The float beside one: of large ones the smaller, of small ones the larger, so that none is infinite and none is zero.
fn beside(bits: u64) -> u64 {
    if f64::from_bits(bits).abs() >= 1.0 { bits - 1 } else { bits + 1 }
}

/// Decodes a text, with its exact numbers.
pub(crate) fn value_of(text: &str) -> serde_json::Result<(Value, Exact)> {
    let (spelled, exact) = Exact::decode(text, false);
    Ok((serde_json::from_str(&spelled)?, exact))
}

/// The spans of the numbers of a JSON text.
fn numbers(text: &str) -> impl Iterator<Item = (usize, usize)> {
    let bytes = text.as_bytes();
    let mut pos = 0;
    std::iter::from_fn(move || {
        loop {
            match bytes.get(pos)? {
                b'"' => pos = string_end(bytes, pos).max(pos + 1),
                b'-' | b'0'..=b'9' => {
                    let start = pos;
                    let is_part = |byte: &u8| matches!(byte, b'0'..=b'9' | b'-' | b'+' | b'.' | b'e' | b'E');
                    pos += bytes.get(pos..)?.iter().take_while(|byte| is_part(byte)).count();
                    return Some((start, pos));
                }
                _ => pos += 1,
            }
        }
    })
}

fn float_at(text: &str, (start, end): (usize, usize)) -> Option<f64> {
    text.get(start..end)?.parse().ok()
}

/// What a number says, if neither a float nor an integer of 64 bits says it.
fn wide(token: &str, takes_any: bool) -> Option<Decimal> {
    // Fifteen digits are within every float of an ordinary size.
    if token.len() <= 15 && !token.contains(['e', 'E']) || token.parse::<i64>().is_ok() || token.parse::<u64>().is_ok()
    {
        return None;
    }
    let float: f64 = token.parse().ok().filter(|float: &f64| takes_any || float.is_finite())?;
    let decimal = Decimal::read(token)?;
    let held = if float.is_finite() { Decimal::read(&format!("{float:e}")) } else { None };
    (held.as_ref() != Some(&decimal)).then_some(decimal)
}

#[cfg(test)]
mod tests {
    use crate::{Casts, Schema};

    fn takes(schema: &str, text: &str) -> bool {
        let schema = Schema::compile(schema).unwrap_or_else(|error| panic!("{error}: {schema}"));
        let is_valid = schema.check(text, &Casts::NONE).is_ok();
        assert_eq!(schema.check(text, &Casts::COERCE).is_ok(), is_valid, "{text}");
        is_valid
    }

    #[test]
    fn v1_numbers_beyond_floats_are_compared_as_decimals() {
        for (schema, text, fits) in [
            (r#"{"const": 12345678901234567890123}"#, "12345678901234567890123", true),
            (r#"{"const": 12345678901234567890123}"#, "12345678901234567890124", false),
            (r#"{"const": 12345678901234567890123}"#, "1.2345678901234567890123e22", true),
            (r#"{"const": 12345678901234567890123}"#, "12345678901234567890123.00", true),
            (r#"{"enum": [1, 12345678901234567890123]}"#, "12345678901234567890122", false),
            (r#"{"enum": [1, [12345678901234567890123]]}"#, "[12345678901234567890123]", true),
            (r#"{"type": "integer"}"#, "9007199254740992.5", false),
            (r#"{"type": "integer"}"#, "9007199254740992.0", true),
            (r#"{"type": "integer"}"#, "12345678901234567890123", true),
            (r#"{"type": "integer"}"#, "1e30", true),
            (r#"{"type": "integer"}"#, "123456789012345678901e-1", false),
            (r#"{"maximum": 0.1}"#, "0.10000000000000001", false),
            (r#"{"maximum": 0.1}"#, "0.1", true),
            (r#"{"maximum": 0.1}"#, "0.09999999999999999999", true),
            (r#"{"exclusiveMinimum": 18446744073709551616}"#, "18446744073709551617", true),
            (r#"{"exclusiveMinimum": 18446744073709551616}"#, "18446744073709551616", false),
            (r#"{"minimum": -12345678901234567890123}"#, "-12345678901234567890124", false),
            (r#"{"maximum": -12345678901234567890123}"#, "-12345678901234567890124", true),
            (r#"{"minimum": 1e400}"#, "1", false),
            (r#"{"maximum": 1e400}"#, "1", true),
            (r#"{"uniqueItems": true}"#, "[12345678901234567890123, 12345678901234567890124]", true),
            (r#"{"uniqueItems": true}"#, "[12345678901234567890123, 12345678901234567890123.0]", false),
            (r#"{"uniqueItems": true}"#, "[0, 0.0, 1e-400]", false),
            (r#"{"uniqueItems": true}"#, "[0, 1e-400, 2e-400, -1e-400]", true),
            (r#"{"minimum": 0}"#, "-1e-400", false),
            (r#"{"uniqueItems": true}"#, "[0.1, 0.10000000000000001, 0.10000000000000002]", true),
            (r#"{"multipleOf": 3}"#, "12345678901234567890123", true),
            (r#"{"multipleOf": 3}"#, "12345678901234567890124", false),
            (r#"{"multipleOf": 0.0000000000000000000003}"#, "12345678901234567890123e-22", true),
            (r#"{"multipleOf": 12345678901234567890123}"#, "24691357802469135780246", true),
            (r#"{"multipleOf": 12345678901234567890123}"#, "24691357802469135780247", false),
            (
                r#"{"properties": {"a": {"const": 12345678901234567890123}}}"#,
                r#"{"a": 12345678901234567890124}"#,
                false,
            ),
            (r#"{"format": "int64", "type": "integer", "minimum": 0}"#, "12345678901234567890123", true),
        ] {
            assert_eq!(takes(schema, text), fits, "{schema} {text}");
        }
    }

    #[test]
    fn p0_numbers_of_a_resource_are_compared_as_decimals() {
        let resource = r#"{"minimum": 12345678901234567890123, "multipleOf": 3}"#;
        for (own, text, fits) in [
            ("", "12345678901234567890123", true),
            ("", "12345678901234567890120", false),
            ("", "12345678901234567890124", false),
            // The float that could be taken for the minimum is a number of the schema itself.
            (r#", "not": {"const": 1.2345678901234568e22}"#, "12345678901234567890123", true),
            (r#", "not": {"const": 12345678901234567890126}"#, "12345678901234567890126", false),
            (r#", "not": {"const": 12345678901234567890126}"#, "12345678901234567890129", true),
        ] {
            let options = Schema::options().resource("https://example.com/n.json", resource);
            let own = format!(r#"{{"allOf": [{{"$ref": "https://example.com/n.json"}}]{own}}}"#);
            let schema = options.compile(&own).expect("it is a schema");
            assert_eq!(schema.check(text, &Casts::NONE).is_ok(), fits, "{own} {text}");
            let decoded = serde_json::from_str(&own).expect("it is JSON");
            let of_value = options.compile_value(decoded).expect("it is a schema");
            assert!(own.contains("\"not\"") || of_value.check(text, &Casts::NONE).is_ok() == fits, "{own} {text}");
        }
    }

    #[test]
    fn p0_a_number_larger_than_every_float_is_not_representable() {
        let schema = Schema::compile(r#"{"type": "number"}"#).expect("it is a schema");
        assert!(matches!(schema.check("1e400", &Casts::NONE), Err(crate::Failure::NotRepresentable)));
    }

    #[test]
    fn digits_stay_what_they_were() {
        let schema = Schema::compile(r#"{"properties": {"a": {"type": "number"}}}"#).expect("it is a schema");
        let text = r#"{"a": "12345678901234567890123", "b": 0.10000000000000001}"#;
        let checked = schema.check(text, &Casts::COERCE).expect("it fits once it is cast");
        assert_eq!(checked.text, r#"{"a": 12345678901234567890123, "b": 0.10000000000000001}"#);
    }

    #[test]
    fn b5_many_wide_numbers_are_read_once() {
        let text = format!("[{}]", vec!["12345678901234567890123"; 20_000].join(","));
        assert!(takes(r#"{"items": {"multipleOf": 3}}"#, &text));
        let near: Vec<String> = (0..20_000).map(|index| format!("1234567890123456789{index:06}")).collect();
        assert!(takes(r#"{"uniqueItems": true}"#, &format!("[{}]", near.join(","))));
    }
}
