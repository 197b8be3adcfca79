//! Values read from valid JSON, to compare what a text says with what it should say.
//!
//! Nothing is lost that a comparison could need: numbers keep every digit, keys their order and their repetitions, lone surrogates their place.

use std::collections::BTreeMap;
use std::fmt::Write;

/// How deep containers may nest: far deeper than any repair goes.
const DEEPEST: usize = 500;

/// What a JSON text says.
///
/// ```
/// use jsonseam_testkit::value::Value;
///
/// let one = Value::read("{\"a\": 1.0, \"b\": \"\\u0041\"}").expect("valid");
/// let other = Value::read("{\"b\": \"A\", \"a\": 1}").expect("valid");
/// assert!(one.says(&other));
/// assert!(!one.says(&Value::read("{\"a\": 1}").expect("valid")));
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Value {
    /// `null`
    Null,
    /// `true` or `false`
    Bool(bool),
    /// A number as it is spelled.
    Number(String),
    /// A string without its escapes, except that a backslash is `\\` and a lone surrogate `\ud800` and the like.
    String(String),
    /// An array.
    Array(Vec<Self>),
    /// An object, its members in order.
    Object(Vec<(String, Self)>),
}

impl Value {
    /// Reads a valid text; `None` if it is not valid, or too deep. `NaN`, `Infinity` and `-Infinity` are read as numbers: other tools write them.
    pub fn read(text: &str) -> Option<Self> {
        let mut reader = Reader { rest: text.trim_matches(BLANKS) };
        let value = reader.value(0)?;
        reader.rest.is_empty().then_some(value)
    }

    /// Whether the two say the same: the order of keys is free, that of repeated keys is not, and numbers are compared by all their digits.
    pub fn says(&self, other: &Self) -> bool {
        self.compare(other, Self::members_in_order, is_same_number)
    }

    /// Whether the two say the same to a reader that keeps the last of repeated keys and holds numbers as `f64`, as most languages do.
    pub fn resembles(&self, other: &Self) -> bool {
        self.compare(other, Self::last_members, is_same_float)
    }

    /// The last value of this key, if it is an object that has one.
    pub fn get(&self, key: &str) -> Option<&Self> {
        match self {
            Self::Object(members) => members.iter().rev().find(|(name, _)| name == key).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The elements of an array; none of anything else.
    pub fn elements(&self) -> &[Self] {
        match self {
            Self::Array(elements) => elements,
            _ => &[],
        }
    }

    /// The text of a string, if it is one without lone surrogates.
    pub fn text(&self) -> Option<String> {
        let Self::String(spelled) = self else { return None };
        let parts: Vec<&str> = spelled.split("\\\\").collect();
        (!parts.iter().any(|part| part.contains('\\'))).then(|| parts.join("\\"))
    }

    fn compare(&self, other: &Self, members: Members, is_same: fn(&str, &str) -> bool) -> bool {
        match (self, other) {
            (Self::Number(one), Self::Number(other)) => is_same(one, other),
            (Self::Array(ones), Self::Array(others)) => {
                ones.len() == others.len()
                    && ones.iter().zip(others).all(|(one, other)| one.compare(other, members, is_same))
            }
            (Self::Object(ones), Self::Object(others)) => {
                let (ones, others) = (members(ones), members(others));
                ones.len() == others.len()
                    && ones.iter().zip(&others).all(|((key, ones), (other_key, others))| {
                        key == other_key
                            && ones.len() == others.len()
                            && ones.iter().zip(others).all(|(one, other)| one.compare(other, members, is_same))
                    })
            }
            _ => self == other,
        }
    }

    fn members_in_order(members: &[(String, Self)]) -> BTreeMap<&str, Vec<&Self>> {
        let mut sorted: BTreeMap<&str, Vec<&Self>> = BTreeMap::new();
        for (key, value) in members {
            sorted.entry(key).or_default().push(value);
        }
        sorted
    }

    fn last_members(members: &[(String, Self)]) -> BTreeMap<&str, Vec<&Self>> {
        members.iter().map(|(key, value)| (key.as_str(), vec![value])).collect()
    }
}

/// The members of an object by key.
type Members = for<'v> fn(&'v [(String, Value)]) -> BTreeMap<&'v str, Vec<&'v Value>>;

/// Whether two spellings are the same number, digit by digit.
fn is_same_number(one: &str, other: &str) -> bool {
    match (Decimal::of(one), Decimal::of(other)) {
        (Some(one), Some(other)) => one == other,
        _ => one == other,
    }
}

/// Whether two spellings are the same `f64`, as nearly as it can tell them apart.
fn is_same_float(one: &str, other: &str) -> bool {
    match (one.parse::<f64>(), other.parse::<f64>()) {
        (Ok(one), Ok(other)) => one.partial_cmp(&other).is_none_or(std::cmp::Ordering::is_eq),
        _ => one == other,
    }
}

/// A number as its digits, without zeros at either end, times a power of ten.
#[derive(PartialEq, Eq)]
struct Decimal {
    is_negative: bool,
    digits: String,
    exponent: i64,
}

impl Decimal {
    fn of(spelling: &str) -> Option<Self> {
        let unsigned = spelling.strip_prefix('-');
        let (mantissa, exponent) = match unsigned.unwrap_or(spelling).split_once(['e', 'E']) {
            Some((mantissa, exponent)) => (mantissa, exponent.parse::<i64>().ok()?),
            None => (unsigned.unwrap_or(spelling), 0),
        };
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let all = format!("{whole}{fraction}");
        if all.is_empty() || !all.bytes().all(|byte| byte.is_ascii_digit()) {
            return None;
        }
        let digits = all.trim_end_matches('0');
        let zeros = i64::try_from(all.len() - digits.len()).ok()?;
        let exponent = exponent.checked_sub(i64::try_from(fraction.len()).ok()?)?.checked_add(zeros)?;
        let digits = digits.trim_start_matches('0').to_owned();
        let exponent = if digits.is_empty() { 0 } else { exponent };
        // The sign of zero is kept: `-0` is another spelling of another `f64`.
        Some(Self { is_negative: unsigned.is_some(), digits, exponent })
    }
}

const BLANKS: [char; 4] = [' ', '\t', '\r', '\n'];

struct Reader<'t> {
    rest: &'t str,
}

impl Reader<'_> {
    fn skip_blanks(&mut self) {
        self.rest = self.rest.trim_start_matches(BLANKS);
    }

    fn take(&mut self, text: &str) -> Option<()> {
        self.skip_blanks();
        self.rest = self.rest.strip_prefix(text)?;
        Some(())
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        self.skip_blanks();
        match self.rest.bytes().next()? {
            b'{' => self.object(depth),
            b'[' => self.array(depth),
            b'"' => self.string().map(Value::String),
            b't' => self.take("true").map(|()| Value::Bool(true)),
            b'f' => self.take("false").map(|()| Value::Bool(false)),
            b'n' => self.take("null").map(|()| Value::Null),
            _ => self.number(),
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        self.take("{")?;
        let mut members = Vec::new();
        if self.take("}").is_some() {
            return Some(Value::Object(members));
        }
        loop {
            self.skip_blanks();
            let key = self.string()?;
            self.take(":")?;
            members.push((key, self.value(depth + 1)?));
            if self.take("}").is_some() {
                return Some(Value::Object(members));
            }
            self.take(",")?;
        }
    }

    fn array(&mut self, depth: usize) -> Option<Value> {
        self.take("[")?;
        let mut elements = Vec::new();
        if self.take("]").is_some() {
            return Some(Value::Array(elements));
        }
        loop {
            elements.push(self.value(depth + 1)?);
            if self.take("]").is_some() {
                return Some(Value::Array(elements));
            }
            self.take(",")?;
        }
    }

    fn number(&mut self) -> Option<Value> {
        for word in ["NaN", "Infinity", "-Infinity"] {
            if self.take(word).is_some() {
                return Some(Value::Number(word.to_owned()));
            }
        }
        let end = self.rest.find(|char: char| !char.is_ascii_alphanumeric() && !"+-.".contains(char));
        let (spelling, rest) = self.rest.split_at_checked(end.unwrap_or(self.rest.len()))?;
        serde_json::from_str::<&serde_json::value::RawValue>(spelling).ok()?;
        self.rest = rest;
        Some(Value::Number(spelling.to_owned()))
    }

    fn string(&mut self) -> Option<String> {
        let mut rest = self.rest.strip_prefix('"')?;
        let mut content = String::new();
        loop {
            let end = rest.find(['"', '\\'])?;
            let (plain, tail) = rest.split_at_checked(end)?;
            if plain.contains(|char: char| char < ' ') {
                return None;
            }
            content.push_str(plain);
            if let Some(after) = tail.strip_prefix('"') {
                self.rest = after;
                return Some(content);
            }
            rest = unescaped(tail, &mut content)?;
        }
    }
}

/// Decodes the escape, or the pair of escapes, at the beginning of `tail`; gives what follows.
fn unescaped<'t>(tail: &'t str, content: &mut String) -> Option<&'t str> {
    let after = tail.get(2..)?;
    let plain = match tail.as_bytes().get(1)? {
        b'"' => "\"",
        b'\\' => "\\\\",
        b'/' => "/",
        b'b' => "\u{8}",
        b'f' => "\u{c}",
        b'n' => "\n",
        b'r' => "\r",
        b't' => "\t",
        b'u' => {
            let unit = hexadecimal(after)?;
            let after = after.get(4..)?;
            let low = after.strip_prefix("\\u").and_then(hexadecimal);
            let pair =
                low.and_then(|low| char::decode_utf16([unit, low]).next()?.ok()).filter(|char| *char > '\u{ffff}');
            if let Some(char) = pair {
                content.push(char);
                return after.get(6..);
            }
            match char::from_u32(u32::from(unit)) {
                Some('\\') => content.push_str("\\\\"),
                Some(char) => content.push(char),
                None => write!(content, "\\u{unit:04x}").ok()?,
            }
            return Some(after);
        }
        _ => return None,
    };
    content.push_str(plain);
    Some(after)
}

fn hexadecimal(text: &str) -> Option<u16> {
    let digits = text.get(..4).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
    u16::from_str_radix(digits, 16).ok()
}

#[cfg(test)]
mod tests {
    use super::Value;

    fn read(text: &str) -> Value {
        Value::read(text).unwrap_or_else(|| panic!("{text} is valid"))
    }

    #[test]
    fn what_is_not_valid_is_not_read() {
        for text in ["", "{", "[1,]", "{\"a\":1,}", "01", "1.", "\"\n\"", "\"\\x\"", "tru", "1 2", "\"\\u12\""] {
            assert_eq!(Value::read(text), None, "{text:?}");
        }
        assert_eq!(Value::read(&"[".repeat(100_000)), None);
    }

    #[test]
    fn the_same_is_the_same_however_it_is_spelled() {
        for (one, other) in [
            ("1.0", "1"),
            ("1e2", "100"),
            ("0.10", "1E-1"),
            ("0.0", "0e5"),
            ("\"\\u0041\\/\\ud83d\\ude00\"", "\"A/\u{1f600}\""),
            ("{\"a\":1,\"b\":[]}", "{ \"b\" : [ ] , \"a\" : 1 }"),
            ("\"\\ud800\"", "\"\\uD800\""),
        ] {
            assert!(read(one).says(&read(other)), "{one} {other}");
        }
    }

    #[test]
    fn texts_come_back_as_they_were() {
        assert_eq!(read("\"a\\\\b\\n\\\"\"").text().as_deref(), Some("a\\b\n\""));
        assert_eq!(read("\"\\ud800\"").text(), None);
        let object = read("{\"a\": [1], \"a\": [2, 3]}");
        assert_eq!(object.get("a").map(|value| value.elements().len()), Some(2));
        assert_eq!(object.get("b"), None);
    }

    #[test]
    fn what_differs_differs() {
        for (one, other) in [
            ("12345678901234567890123", "12345678901234567890124"),
            ("0", "-0"),
            ("[1,2]", "[2,1]"),
            ("{\"a\":1,\"a\":2}", "{\"a\":2,\"a\":1}"),
            ("{\"a\":1,\"a\":2}", "{\"a\":2}"),
            ("\"\\ud800\"", "\"\\\\ud800\""),
            ("1", "\"1\""),
            ("{}", "[]"),
            ("null", "false"),
        ] {
            assert!(!read(one).says(&read(other)), "{one} {other}");
        }
        assert!(read("{\"a\":1,\"a\":2}").resembles(&read("{\"a\":2}")));
        assert!(read("12345678901234567890123").resembles(&read("12345678901234567890124")));
        assert!(read("1e999").resembles(&read("Infinity")));
        assert!(!read("1").resembles(&read("2")));
    }
}
