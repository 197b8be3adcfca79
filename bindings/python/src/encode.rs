//! A JSON text as `json.dumps` writes the value that `json.loads` gives of it, without making that value.
//!
//! What this does not write itself (a key that comes twice, a lone surrogate, a number that Python refuses) is left to Python: the answer is `None`.

use std::collections::HashSet;
use std::fmt::Write as _;

use crate::decode::Strings;
use crate::read::{Raw, Reader};

/// So few keys are compared one with another.
const FEW: usize = 8;

/// The text of `json.dumps(json.loads(text))`, of valid JSON.
pub(crate) fn text(text: &str, strings: Strings) -> Option<String> {
    let out = String::with_capacity(text.len() + text.len() / 8);
    let mut encoder = Encoder { reader: Reader::new(text), strings, out };
    encoder.value()?;
    encoder.reader.next().is_none().then_some(encoder.out)
}

struct Encoder<'t> {
    reader: Reader<'t>,
    strings: Strings,
    out: String,
}

impl<'t> Encoder<'t> {
    /// Depth is bounded by the engine's limit of 127.
    fn value(&mut self) -> Option<()> {
        match self.reader.next()? {
            b'{' => self.object(),
            b'[' => self.array(),
            b'"' => self.string().map(|_| ()),
            b't' => self.literal("true"),
            b'f' => self.literal("false"),
            b'n' => self.literal("null"),
            _ => self.number(),
        }
    }

    fn literal(&mut self, name: &str) -> Option<()> {
        self.out.push_str(name);
        self.reader.literal(name)
    }

    fn object(&mut self) -> Option<()> {
        let mut keys = Vec::new();
        self.members('{', b'}', |encoder| {
            keys.push(encoder.string()?);
            encoder.out.push_str(": ");
            (encoder.reader.take()? == b':').then_some(())?;
            encoder.value()
        })?;
        is_distinct(&keys).then_some(())
    }

    fn array(&mut self) -> Option<()> {
        self.members('[', b']', Self::value)
    }

    fn members(&mut self, open: char, close: u8, mut member: impl FnMut(&mut Self) -> Option<()>) -> Option<()> {
        self.reader.take()?;
        self.out.push(open);
        if self.reader.next()? == close {
            self.reader.take()?;
        } else {
            loop {
                self.reader.next()?;
                member(self)?;
                match self.reader.take()? {
                    b',' => self.out.push_str(", "),
                    byte if byte == close => break,
                    _ => return None,
                }
            }
        }
        self.out.push(char::from(close));
        Some(())
    }

    fn string(&mut self) -> Option<Raw<'t>> {
        let raw = self.reader.string()?;
        self.out.push('"');
        let is_plain = raw.text.bytes().all(|byte| matches!(byte, b' '..=b'~' if byte != b'\\'));
        if is_plain {
            self.out.push_str(raw.text);
        } else {
            let chars = raw.chars()?;
            // What is white space, Python says.
            (self.strings == Strings::Kept || !chars.ends_with('\n')).then_some(())?;
            chars.chars().try_for_each(|char| self.char(char)).ok()?;
        }
        self.out.push('"');
        Some(raw)
    }

    fn char(&mut self, char: char) -> std::fmt::Result {
        match char {
            '"' | '\\' => {
                self.out.push('\\');
                self.out.push(char);
            }
            ' '..='~' => self.out.push(char),
            '\n' => self.out.push_str("\\n"),
            '\r' => self.out.push_str("\\r"),
            '\t' => self.out.push_str("\\t"),
            '\u{8}' => self.out.push_str("\\b"),
            '\u{c}' => self.out.push_str("\\f"),
            _ => {
                for unit in char.encode_utf16(&mut [0; 2]) {
                    write!(self.out, "\\u{unit:04x}")?;
                }
            }
        }
        Ok(())
    }

    fn number(&mut self) -> Option<()> {
        let number = self.reader.number()?;
        if number.is_whole {
            // An integer has one spelling but for zero; Python bounds its length, and may be told to.
            let text = if number.small == Some(0) { "0" } else { number.text };
            return (text.len() < 600).then(|| self.out.push_str(text));
        }
        if is_repr(number.text) {
            self.out.push_str(number.text);
            return Some(());
        }
        let value: f64 = number.text.parse().ok()?;
        value.is_finite().then(|| self.out.push_str(&repr(value)))
    }
}

/// Whether no key comes twice.
fn is_distinct(keys: &[Raw<'_>]) -> bool {
    let has_escapes = keys.iter().any(|key| key.text.contains('\\'));
    if has_escapes {
        let mut seen = HashSet::new();
        return keys.iter().all(|key| key.chars().is_some_and(|key| seen.insert(key)));
    }
    if keys.len() <= FEW {
        return keys.iter().enumerate().all(|(index, key)| keys[..index].iter().all(|other| other.text != key.text));
    }
    let mut seen = HashSet::with_capacity(keys.len());
    keys.iter().all(|key| seen.insert(key.text))
}

/// Whether a fraction without an exponent is spelled as `repr` would: so few digits are the shortest of their number.
fn is_repr(text: &str) -> bool {
    let shortest = |fraction: &str| fraction == "0" || !fraction.ends_with('0');
    text.len() <= 15
        && !text.contains(['e', 'E'])
        && !text.trim_start_matches('-').starts_with("0.0")
        && text.split_once('.').is_some_and(|(_, fraction)| shortest(fraction))
}

/// A finite number as `repr` of Python writes it: the shortest digits, and an exponent from 1e16 on and below 1e-4.
fn repr(value: f64) -> String {
    let spelled = format!("{value:e}");
    let (digits, exponent) = spelled.split_once('e').unwrap_or((&spelled, "0"));
    let exponent: i32 = exponent.parse().unwrap_or_default();
    if (-4..16).contains(&exponent) {
        return format!("{value:?}");
    }
    let (sign, size) = (if exponent < 0 { '-' } else { '+' }, exponent.unsigned_abs());
    format!("{digits}e{sign}{size:02}")
}

#[cfg(test)]
mod tests {
    use super::{Strings, repr, text};

    #[test]
    fn numbers_are_those_of_repr() {
        for (value, spelled) in [
            (1.5, "1.5"),
            (-0.0, "-0.0"),
            (1e15, "1000000000000000.0"),
            (1e16, "1e+16"),
            (1.25e22, "1.25e+22"),
            (0.0001, "0.0001"),
            (0.000_012_5, "1.25e-05"),
            (5e-324, "5e-324"),
            (1.797_693_134_862_315_7e308, "1.7976931348623157e+308"),
        ] {
            assert_eq!(repr(value), spelled);
        }
    }

    #[test]
    fn what_python_has_to_decide_is_left_to_it() {
        for (json, strings) in [
            (r#"{"a": 1, "a": 2}"#, Strings::Kept),
            (r#"{"a": 1, "\u0061": 2}"#, Strings::Kept),
            (r#""\ud800""#, Strings::Kept),
            (r#""line\n""#, Strings::Stripped),
            ("1e999", Strings::Kept),
        ] {
            assert_eq!(text(json, strings), None, "{json}");
        }
        assert_eq!(
            text(" [ -0 , \"\\/\u{7f}\u{1f600}\" ] ", Strings::Kept).as_deref(),
            Some("[0, \"/\\u007f\\ud83d\\ude00\"]")
        );
    }
}
