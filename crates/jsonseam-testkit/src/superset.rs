//! A reader of what published supersets of JSON can spell, written apart from the engine: the oracle for repairs that call themselves certain.
//!
//! A text is read by the rules of one notation ([`Notation::Json5`], [`Notation::JavaScript`], [`Notation::Python`]), or by all of them together
//! ([`Notation::Any`]), because a text may mix them. Where notations disagree (`010`), none reads it. What a notation reads and JSON cannot hold
//! (`NaN`, a tuple as a key) is read by none either: no value of JSON is certain for it.
//!
//! Sources: the JSON5 specification 1.0.0; ECMA-262, lexical grammar; the Python language reference, section 2 (lexical analysis).

use std::fmt::Write;

use crate::value::Value;

/// How deep containers may nest.
const DEEPEST: usize = 200;

/// Whose rules a text is read by.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Notation {
    /// JSON5: comments, trailing commas, keys without quotes, apostrophes, other numbers.
    Json5,
    /// Literals of JavaScript: JSON5, back-ticks, `undefined` not read, parted digits, `1n`, `0b1`, strings joined by `+`.
    JavaScript,
    /// Literals of Python: `True`, `None`, tuples, `#` comments, prefixes, tripled quotes, strings side by side, parted digits.
    Python,
    /// Everything that one of the others reads, in any mixture.
    Any,
}

impl Notation {
    const fn is_script(self) -> bool {
        !matches!(self, Self::Python)
    }

    const fn is_javascript(self) -> bool {
        matches!(self, Self::JavaScript | Self::Any)
    }

    const fn is_python(self) -> bool {
        matches!(self, Self::Python | Self::Any)
    }
}

/// The value that the text spells in this notation, or `None` if it is not a text of it.
///
/// ```
/// use jsonseam_testkit::superset::{Notation, read};
/// use jsonseam_testkit::value::Value;
///
/// let value = read("{a: 'x', /* two */ b: [.5, 0x1F,],}", Notation::Json5).expect("it is JSON5");
/// assert!(value.says(&Value::read("{\"a\": \"x\", \"b\": [0.5, 31]}").expect("it is JSON")));
/// assert_eq!(read("{'a': True}", Notation::Json5), None);
/// assert!(read("{'a': True}", Notation::Python).is_some());
/// ```
pub fn read(text: &str, notation: Notation) -> Option<Value> {
    let mut reader = Reader { rest: text, notation };
    reader.blanks()?;
    let value = reader.value(0)?;
    reader.blanks()?;
    reader.rest.is_empty().then_some(value)
}

struct Reader<'t> {
    rest: &'t str,
    notation: Notation,
}

impl<'t> Reader<'t> {
    fn eat(&mut self, prefix: &str) -> bool {
        self.rest.strip_prefix(prefix).map(|rest| self.rest = rest).is_some()
    }

    fn next(&mut self) -> Option<char> {
        let mut chars = self.rest.chars();
        let first = chars.next()?;
        self.rest = chars.as_str();
        Some(first)
    }

    fn take_while(&mut self, is_part: impl Fn(char) -> bool) -> &'t str {
        let len = self.rest.find(|char| !is_part(char)).unwrap_or(self.rest.len());
        let (taken, rest) = self.rest.split_at(len);
        self.rest = rest;
        taken
    }

    /// White space and comments; `None` where a comment does not end.
    fn blanks(&mut self) -> Option<()> {
        loop {
            let is_script = self.notation.is_script();
            let is_blank = |char: char| {
                matches!(char, ' ' | '\t' | '\r' | '\n') || is_script && (char.is_whitespace() || char == '\u{feff}')
            };
            let before = self.rest.len();
            self.take_while(is_blank);
            if is_script && self.eat("/*") {
                let end = self.rest.find("*/")?;
                self.rest = self.rest.get(end + 2..)?;
            } else if is_script && self.eat("//") || self.notation.is_python() && self.eat("#") {
                self.take_while(|char| !matches!(char, '\n' | '\r' | '\u{2028}' | '\u{2029}'));
            }
            if self.rest.len() == before {
                return Some(());
            }
        }
    }

    fn value(&mut self, depth: usize) -> Option<Value> {
        if depth > DEEPEST {
            return None;
        }
        match self.rest.chars().next()? {
            '{' => self.object(depth),
            '[' => self.sequence('[', ']', depth),
            '(' if self.notation.is_python() => self.sequence('(', ')', depth),
            '"' | '\'' | '`' => self.strings(),
            first if first.is_ascii_digit() || matches!(first, '.' | '-' | '+') => self.number(),
            _ if self.is_at_prefix() => self.strings(),
            _ => self.word(),
        }
    }

    fn word(&mut self) -> Option<Value> {
        let word = self.take_while(|char| char.is_alphanumeric() || matches!(char, '_' | '$'));
        match word {
            "true" if self.notation.is_script() => Some(Value::Bool(true)),
            "false" if self.notation.is_script() => Some(Value::Bool(false)),
            "null" if self.notation.is_script() => Some(Value::Null),
            "True" if self.notation.is_python() => Some(Value::Bool(true)),
            "False" if self.notation.is_python() => Some(Value::Bool(false)),
            "None" if self.notation.is_python() => Some(Value::Null),
            _ => None,
        }
    }

    fn object(&mut self, depth: usize) -> Option<Value> {
        let mut members = Vec::new();
        self.eat("{");
        self.blanks()?;
        while !self.eat("}") {
            let key = self.key()?;
            self.blanks()?;
            if !self.eat(":") {
                return None;
            }
            self.blanks()?;
            members.push((key, self.value(depth + 1)?));
            self.blanks()?;
            if !self.eat(",") && !self.rest.starts_with('}') {
                return None;
            }
            self.blanks()?;
        }
        Some(Value::Object(members))
    }

    fn key(&mut self) -> Option<String> {
        let first = self.rest.chars().next()?;
        if matches!(first, '"' | '\'') || self.is_at_prefix() {
            return match self.strings()? {
                Value::String(key) => Some(key),
                _ => None,
            };
        }
        if self.notation.is_script() && (first.is_alphabetic() || matches!(first, '_' | '$')) {
            return Some(self.take_while(|char| char.is_alphanumeric() || matches!(char, '_' | '$')).to_owned());
        }
        // Whole numbers are keys in Python and JavaScript; both spell them as they are written only without leading zeros.
        let digits = self.take_while(|char| char.is_ascii_digit());
        let is_plain = !digits.is_empty() && (digits == "0" || !digits.starts_with('0')) && digits.len() <= 15;
        (is_plain && self.notation != Notation::Json5).then(|| digits.to_owned())
    }

    /// An array or tuple: one element in parentheses is that element.
    fn sequence(&mut self, open: char, close: char, depth: usize) -> Option<Value> {
        let mut elements = Vec::new();
        let mut has_comma = false;
        self.next().filter(|char| *char == open)?;
        self.blanks()?;
        while !self.rest.starts_with(close) {
            elements.push(self.value(depth + 1)?);
            self.blanks()?;
            let is_comma = self.eat(",");
            has_comma |= is_comma;
            if !is_comma && !self.rest.starts_with(close) {
                return None;
            }
            self.blanks()?;
        }
        self.next();
        if open == '(' && !has_comma && !elements.is_empty() {
            return elements.pop();
        }
        Some(Value::Array(elements))
    }

    /// Whether a prefix of a Python string is next, with its quote: of those, bytes and formatted strings are not text.
    fn is_at_prefix(&self) -> bool {
        let mut chars = self.rest.chars();
        self.notation.is_python()
            && chars.next().is_some_and(|first| matches!(first, 'u' | 'U' | 'r' | 'R'))
            && chars.next().is_some_and(|second| matches!(second, '"' | '\''))
    }

    /// A string, and those that are joined to it.
    fn strings(&mut self) -> Option<Value> {
        let mut whole = self.string()?;
        loop {
            let before = self.rest;
            self.blanks()?;
            let is_next = |reader: &Self| reader.rest.starts_with(['"', '\'', '`']) || reader.is_at_prefix();
            let is_joined = if self.notation.is_javascript() && self.eat("+") {
                self.blanks()?;
                if !is_next(self) {
                    return None;
                }
                true
            } else {
                self.notation.is_python() && is_next(self) && !self.rest.starts_with('`')
            };
            if !is_joined {
                self.rest = before;
                return Some(Value::String(whole));
            }
            whole.push_str(&self.string()?);
        }
    }

    fn string(&mut self) -> Option<String> {
        let is_raw = self.is_at_prefix() && self.rest.starts_with(['r', 'R']);
        if self.is_at_prefix() {
            self.next();
        }
        let quote = self.next()?;
        if quote == '`' && !self.notation.is_javascript() {
            return None;
        }
        let tripled: String = [quote; 3].iter().collect();
        // In Python three quotes open a string of lines, whatever follows; elsewhere two of them are an empty string.
        let is_tripled = self.notation.is_python() && quote != '`' && self.rest.starts_with(tripled.get(1..)?);
        let end = if is_tripled { tripled } else { quote.to_string() };
        if is_tripled {
            self.rest = self.rest.get(2..)?;
        }
        let allows_lines = is_tripled || quote == '`';
        let mut content = String::new();
        while !self.eat(&end) {
            match self.next()? {
                '\\' if is_raw => {
                    content.push_str("\\\\");
                    if self.rest.starts_with(quote) || self.rest.starts_with('\\') {
                        return None;
                    }
                }
                '\\' => self.escape(&mut content)?,
                '\n' | '\r' if !allows_lines => return None,
                '$' if quote == '`' && self.rest.starts_with('{') => return None,
                char => content.push(char),
            }
        }
        Some(content)
    }

    /// One escape, by the rules that all notations share; where they differ nothing is read.
    fn escape(&mut self, content: &mut String) -> Option<()> {
        match self.next()? {
            'n' => content.push('\n'),
            't' => content.push('\t'),
            'r' => content.push('\r'),
            'b' => content.push('\u{8}'),
            'f' => content.push('\u{c}'),
            'v' => content.push('\u{b}'),
            '\\' => content.push_str("\\\\"),
            '"' => content.push('"'),
            '\'' => content.push('\''),
            '`' if self.notation.is_javascript() => content.push('`'),
            '/' if self.notation.is_script() => content.push('/'),
            '\n' => {}
            '\r' => drop(self.eat("\n")),
            '0' if self.notation.is_script() && !self.rest.starts_with(|char: char| char.is_ascii_digit()) => {
                content.push('\0');
            }
            'x' => content.push(char::from_u32(self.digits_of_escape(2)?)?),
            'u' => self.unicode_escape(content)?,
            _ => return None,
        }
        Some(())
    }

    fn digits_of_escape(&mut self, count: usize) -> Option<u32> {
        let digits = self.rest.get(..count).filter(|digits| digits.bytes().all(|byte| byte.is_ascii_hexdigit()))?;
        let number = u32::from_str_radix(digits, 16).ok()?;
        self.rest = self.rest.get(count..)?;
        Some(number)
    }

    /// `\u` and four digits; halves of pairs are spelled as [`Value::String`] spells them.
    fn unicode_escape(&mut self, content: &mut String) -> Option<()> {
        let unit = self.digits_of_escape(4)?;
        if let Some(char) = char::from_u32(unit) {
            if char == '\\' {
                content.push_str("\\\\");
            } else {
                content.push(char);
            }
            return Some(());
        }
        let before = self.rest;
        if unit < 0xdc00
            && self.eat("\\u")
            && let Some(low @ 0xdc00..=0xdfff) = self.digits_of_escape(4)
        {
            content.push(char::from_u32(0x1_0000 + ((unit - 0xd800) << 10) + (low - 0xdc00))?);
            return Some(());
        }
        self.rest = before;
        write!(content, "\\u{unit:04x}").ok()
    }

    fn number(&mut self) -> Option<Value> {
        let is_negative = self.eat("-");
        if !is_negative {
            self.eat("+");
        }
        let spelled = self.take_while(|char| char.is_ascii_alphanumeric() || matches!(char, '.' | '_'));
        let mut spelled = spelled.to_owned();
        // The sign of an exponent.
        if spelled.ends_with(['e', 'E']) && !is_radix(&spelled) && self.rest.starts_with(['-', '+']) {
            spelled.push(self.next()?);
            spelled.push_str(self.take_while(|char| char.is_ascii_digit() || char == '_'));
        }
        let number = self.decimal(&spelled)?;
        Some(Value::Number(if is_negative { format!("-{number}") } else { number }))
    }

    /// The number without its sign, as JSON spells it.
    fn decimal(&self, spelled: &str) -> Option<String> {
        let is_parted = spelled.contains('_');
        if is_parted && (!(self.notation.is_javascript() || self.notation.is_python()) || !is_well_parted(spelled)) {
            return None;
        }
        let mut plain = spelled.replace('_', "");
        if plain.ends_with('n') && self.notation.is_javascript() && !plain.contains('.') {
            plain.pop();
        }
        if is_radix(&plain) {
            return self.of_radix(&plain);
        }
        let (mantissa, exponent) = plain.split_once(['e', 'E']).map_or((plain.as_str(), None), |(m, e)| (m, Some(e)));
        let (whole, fraction) = mantissa.split_once('.').unwrap_or((mantissa, ""));
        let is_digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
        let has_zero = whole.len() > 1 && whole.starts_with('0');
        if !is_digits(whole) || !is_digits(fraction) || has_zero || whole.is_empty() && fraction.is_empty() {
            return None;
        }
        let exponent = exponent.map(|exponent| exponent.trim_start_matches('+'));
        if exponent.is_some_and(|exponent| {
            let digits = exponent.trim_start_matches('-');
            digits.is_empty() || !is_digits(digits)
        }) {
            return None;
        }
        let whole = if whole.is_empty() { "0" } else { whole };
        let fraction = if fraction.is_empty() { String::new() } else { format!(".{fraction}") };
        Some(format!("{whole}{fraction}{}", exponent.map_or_else(String::new, |exponent| format!("e{exponent}"))))
    }

    fn of_radix(&self, plain: &str) -> Option<String> {
        let (prefix, digits) = plain.split_at_checked(2)?;
        let radix = match prefix {
            "0x" | "0X" => 16,
            "0o" | "0O" if self.notation != Notation::Json5 => 8,
            "0b" | "0B" if self.notation != Notation::Json5 => 2,
            _ => return None,
        };
        u128::from_str_radix(digits, radix).ok().map(|number| number.to_string())
    }
}

fn is_radix(spelled: &str) -> bool {
    let mut chars = spelled.chars();
    chars.next() == Some('0')
        && chars.next().is_some_and(|second| second.is_ascii_alphabetic() && !"eEnN".contains(second))
}

/// Whether every low line is between two digits.
fn is_well_parted(spelled: &str) -> bool {
    let digits = spelled.strip_prefix("0x").or_else(|| spelled.strip_prefix("0X")).unwrap_or(spelled);
    digits.split('_').all(|part| {
        part.starts_with(|first: char| first.is_ascii_hexdigit())
            && part.ends_with(|last: char| last.is_ascii_hexdigit() || last == 'n')
    })
}

#[cfg(test)]
mod tests {
    use super::{Notation, read};
    use crate::value::Value;

    fn says(text: &str, notation: Notation, json: &str) -> bool {
        let json = Value::read(json).unwrap_or_else(|| panic!("{json} is JSON"));
        read(text, notation).is_some_and(|value| value.says(&json))
    }

    #[test]
    fn every_notation_reads_json() {
        let json = r#"{"a\n\u00e9\ud83d\ude00": [1, -2.5e+3, true, null, "\\ \" /"], "b": {}, "c": []}"#;
        assert!(says(json, Notation::Json5, json));
        assert!(says(json, Notation::JavaScript, json));
        assert!(says(json, Notation::Any, json));
        assert!(says(r#"{"a": [1, -2.5e+3, "\\"]}"#, Notation::Python, r#"{"a": [1, -2500, "\\"]}"#));
    }

    #[test]
    fn each_notation_reads_its_own() {
        #[rustfmt::skip]
        let rows = [
            (Notation::Json5, "{a:'x',$b:+.5,c:5.,d:0xFF,/**/}//", r#"{"a":"x","$b":0.5,"c":5,"d":255}"#),
            (Notation::Json5, "['a\\\nb', \"it's\"]", r#"["ab","it's"]"#),
            (Notation::JavaScript, "[`a\nb`, 1_000, 12n, 0b11, 'x' + \"y\"]", r#"["a\nb",1000,12,3,"xy"]"#),
            (Notation::JavaScript, "{1: 2}", r#"{"1":2}"#),
            (Notation::Python, "{'a': (1, None,), u'b': True, # c\n 'd': ('x' 'y')}", r#"{"a":[1,null],"b":true,"d":"xy"}"#),
            (Notation::Python, "['''a\n\"b\"''', r'\\d', \"\"\"\"\"\", '']", r#"["a\n\"b\"","\\d","",""]"#),
            (Notation::Any, "{a: True, // x\n 'b': (1,), # y\n}", r#"{"a":true,"b":[1]}"#),
        ];
        for (notation, text, json) in rows {
            assert!(says(text, notation, json), "{notation:?} {text}: {:?}", read(text, notation));
        }
    }

    #[test]
    fn what_no_notation_has_is_not_read() {
        for text in [
            "{\"a\" 1}",
            "[1 2]",
            "{\"a\": 010}",
            "[\"a]",
            "{'a': 'it's'}",
            "[NaN]",
            "{a b: 1}",
            "[1,,2]",
            "[1__0]",
            "{\"a\": /* x}",
            "['a\nb']",
        ] {
            assert_eq!(read(text, Notation::Any), None, "{text}");
        }
        assert_eq!(read("[True]", Notation::JavaScript), None);
        assert_eq!(read("{a: 1}", Notation::Python), None);
        assert_eq!(read("[`a`]", Notation::Json5), None);
    }
}
