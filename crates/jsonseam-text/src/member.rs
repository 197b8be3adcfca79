//! The members of an object and the elements of an array, as spans of their text.

use std::ops::Range;

use crate::name::Name;

/// One member of an object, in bytes of the text it was read from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Member {
    /// The key, with its quotes.
    pub key: Range<usize>,
    /// The value, without white space around it.
    pub value: Range<usize>,
}

impl Member {
    /// The name that the key spells in `text`, which is the text that this member was read from.
    pub fn name<'t>(&self, text: &'t str) -> Name<'t> {
        let content = self.key.start + 1..self.key.end.saturating_sub(1);
        Name::of(text.get(content).unwrap_or_default())
    }
}

/// The members of the object that `text`, a valid JSON text, consists of. There are none if it is not an object.
///
/// One pass, without recursion and without memory; members of nested objects are passed over.
///
/// ```
/// let text = r#" {"a": [1, {"x": 2}] , "\u0062":1.10} "#;
/// let members: Vec<_> = jsonseam_text::members(text).collect();
///
/// assert_eq!(&text[members[0].value.clone()], r#"[1, {"x": 2}]"#);
/// assert_eq!(members[1].name(text).as_str(), Some("b"));
/// ```
pub fn members(text: &str) -> Members<'_> {
    let start = skip_blanks(text.as_bytes(), 0);
    let pos = if text.as_bytes().get(start) == Some(&b'{') { start + 1 } else { text.len() };
    Members { text, pos }
}

/// The members of an object, in their order. See [`members`].
#[derive(Clone)]
pub struct Members<'t> {
    text: &'t str,
    pos: usize,
}

/// Shows no text.
impl std::fmt::Debug for Members<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Members").field("pos", &self.pos).finish_non_exhaustive()
    }
}

impl Iterator for Members<'_> {
    type Item = Member;

    fn next(&mut self) -> Option<Member> {
        let text = self.text.as_bytes();
        let start = skip_blanks(text, self.pos);
        // After a closing brace, or in text that is not JSON, there is no further member.
        self.pos = text.len();
        if text.get(start) != Some(&b'"') {
            return None;
        }
        let key = start..string_end(text, start);
        let colon = skip_blanks(text, key.end);
        let value_start = skip_blanks(text, colon + 1);
        let value = value_start..value_end(text, value_start);
        let after = skip_blanks(text, value.end);
        if text.get(after) == Some(&b',') {
            self.pos = after + 1;
        }
        (self.text.is_char_boundary(value.start) && value.start < value.end).then_some(Member { key, value })
    }
}

/// The elements of the array that `text`, a valid JSON text, consists of, without white space around them. There are none if it is not an array.
///
/// One pass, without recursion and without memory; elements of nested arrays are passed over.
///
/// ```
/// let text = r#" [1.10, [2, 3] , "a,b"] "#;
/// let elements: Vec<_> = jsonseam_text::elements(text).map(|span| &text[span]).collect();
/// assert_eq!(elements, ["1.10", "[2, 3]", r#""a,b""#]);
/// ```
pub fn elements(text: &str) -> Elements<'_> {
    let start = skip_blanks(text.as_bytes(), 0);
    let pos = if text.as_bytes().get(start) == Some(&b'[') { start + 1 } else { text.len() };
    Elements { text, pos }
}

/// The elements of an array, in their order. See [`elements`].
#[derive(Clone)]
pub struct Elements<'t> {
    text: &'t str,
    pos: usize,
}

/// Shows no text.
impl std::fmt::Debug for Elements<'_> {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("Elements").field("pos", &self.pos).finish_non_exhaustive()
    }
}

impl Iterator for Elements<'_> {
    type Item = Range<usize>;

    fn next(&mut self) -> Option<Range<usize>> {
        let text = self.text.as_bytes();
        let start = skip_blanks(text, self.pos);
        // After a closing bracket, or in text that is not JSON, there is no further element.
        self.pos = text.len();
        let value = start..value_end(text, start);
        let after = skip_blanks(text, value.end);
        if text.get(after) == Some(&b',') {
            self.pos = after + 1;
        }
        (self.text.is_char_boundary(value.start) && value.start < value.end).then_some(value)
    }
}

/// The position of the first byte at or after `pos` that is not white space of JSON.
pub fn skip_blanks(text: &[u8], mut pos: usize) -> usize {
    while let Some(b' ' | b'\n' | b'\r' | b'\t') = text.get(pos) {
        pos += 1;
    }
    pos
}

/// So many words of a string are looked at before a vector search is worth its start: most keys and many values are shorter.
const FIRST_WORDS: usize = 3;

/// The position after the string whose opening quote is at `start`; the end of the text if it is not closed.
///
/// ```
/// assert_eq!(jsonseam_text::string_end(br#"["a\"", 1]"#, 1), 6);
/// ```
pub fn string_end(text: &[u8], start: usize) -> usize {
    let mut pos = start + 1;
    let mut words = FIRST_WORDS;
    loop {
        let found = match word_at(text, pos).filter(|_| words > 0) {
            Some(word) => {
                words -= 1;
                match quote_or_backslash(word) {
                    0 => {
                        pos += 8;
                        continue;
                    }
                    found => (found.trailing_zeros() / 8) as usize,
                }
            }
            None => match text.get(pos..).and_then(|rest| memchr::memchr2(b'"', b'\\', rest)) {
                Some(found) => found,
                None => return text.len(),
            },
        };
        pos += found;
        if text.get(pos) == Some(&b'"') {
            return pos + 1;
        }
        pos += 2;
    }
}

fn word_at(text: &[u8], pos: usize) -> Option<u64> {
    let bytes: [u8; 8] = text.get(pos..pos + 8)?.try_into().ok()?;
    Some(u64::from_le_bytes(bytes))
}

/// The high bit of every byte that is a quote or a backslash. Borrows can set bits above a true one, never below: the lowest set bit is exact.
const fn quote_or_backslash(word: u64) -> u64 {
    const ONES: u64 = 0x0101_0101_0101_0101;
    let quote = word ^ (ONES * b'"' as u64);
    let backslash = word ^ (ONES * b'\\' as u64);
    ((quote.wrapping_sub(ONES) & !quote) | (backslash.wrapping_sub(ONES) & !backslash)) & (ONES << 7)
}

/// The position after the value that starts at `start`, which is not white space.
///
/// ```
/// assert_eq!(jsonseam_text::value_end(br#"[{"a": "]"}, 1]"#, 1), 11);
/// ```
pub fn value_end(text: &[u8], start: usize) -> usize {
    match text.get(start) {
        Some(b'"') => string_end(text, start),
        Some(b'{' | b'[') => container_end(text, start),
        _ => scalar_end(text, start),
    }
}

/// The position after the number or word that starts at `start`.
fn scalar_end(text: &[u8], start: usize) -> usize {
    let ends = |byte: &u8| matches!(byte, b',' | b'}' | b']' | b' ' | b'\n' | b'\r' | b'\t');
    let rest = text.get(start..).unwrap_or_default();
    start + rest.iter().position(ends).unwrap_or(rest.len())
}

fn container_end(text: &[u8], start: usize) -> usize {
    let mut depth = 0_usize;
    let mut pos = start;
    while let Some(&byte) = text.get(pos) {
        match byte {
            b'"' => {
                pos = string_end(text, pos);
                continue;
            }
            b'{' | b'[' => depth += 1,
            b'}' | b']' => {
                depth = depth.saturating_sub(1);
                if depth == 0 {
                    return pos + 1;
                }
            }
            _ => {}
        }
        pos += 1;
    }
    text.len()
}

/// Whether the bracket at `pos` of any text is followed by what a payload begins with: a key after `{`, and after `[` a string, a container, or a number
/// and a comma.
///
/// Most brackets of prose, of formulas and of code open no payload: of 1,201 texts of models 13 hold a broken one, and by this 11 of the 13 are found.
///
/// ```
/// use jsonseam_text::begins_payload;
///
/// assert!(begins_payload(b"{'a': 1", 0) && begins_payload(b"[{a: 1", 0));
/// assert!(!begins_payload(b"{name}", 0) && !begins_payload(b"[1]", 0));
/// ```
pub fn begins_payload(text: &[u8], pos: usize) -> bool {
    let inside = text.get(pos + 1..).unwrap_or_default().trim_ascii_start();
    match text.get(pos) {
        Some(b'{') => begins_key(inside),
        Some(b'[') if matches!(inside.first(), Some(b'"' | b'{' | b'[')) => true,
        Some(b'[') => begins_numbers(inside),
        _ => false,
    }
}

/// Whether a quote, or a name and a colon, come first.
fn begins_key(inside: &[u8]) -> bool {
    let name = inside.iter().take_while(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'-')).count();
    match inside.get(name..).unwrap_or_default().trim_ascii_start().first() {
        Some(b'"' | b'\'') => name == 0,
        Some(b':') => name > 0,
        _ => inside.starts_with("\u{201c}".as_bytes()) || inside.starts_with("\u{2018}".as_bytes()),
    }
}

/// Whether a number and a comma come first.
fn begins_numbers(inside: &[u8]) -> bool {
    let number = inside.iter().take_while(|byte| byte.is_ascii_digit() || matches!(byte, b'-' | b'.')).count();
    number > 0 && inside.get(number..).unwrap_or_default().trim_ascii_start().starts_with(b",")
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Vec<(&str, &str)> {
        members(text).map(|member| (&text[member.key], &text[member.value])).collect()
    }

    #[test]
    fn members_are_spans_of_the_text() {
        assert_eq!(
            read("{ \"a\" : 1.10 ,\n\"b\":[1,{\"a\":2}], \"\\u0063\":\"\\\"},\" , \"d\":-0e1}"),
            [("\"a\"", "1.10"), ("\"b\"", "[1,{\"a\":2}]"), ("\"\\u0063\"", "\"\\\"},\""), ("\"d\"", "-0e1")]
        );
        assert_eq!(read("{}"), []);
        assert_eq!(read(" { } "), []);
        assert_eq!(read("{\"\":{}}"), [("\"\"", "{}")]);
    }

    #[test]
    fn strings_of_every_length_end_where_a_search_byte_by_byte_says() {
        for filler in ["a", "\u{E9}", "\\\\", "\\\"", "\u{A3}!"] {
            for length in 0..60 {
                for after in ["", ",", "                  \"x\""] {
                    let string = format!("{}\"{}\"", "-".repeat(length % 9), filler.repeat(length));
                    let text = format!("{string}{after}");
                    assert_eq!(string_end(text.as_bytes(), length % 9), string.len(), "{text}");
                }
            }
        }
    }

    #[test]
    fn what_is_no_object_has_no_members() {
        for text in ["", " ", "[{\"a\":1}]", "\"{\"", "1", "null"] {
            assert_eq!(read(text), [], "{text}");
        }
    }

    #[test]
    fn elements_are_split_where_no_string_and_no_container_is() {
        let read = |text: &'static str| elements(text).map(|span| &text[span]).collect::<Vec<_>>();
        assert_eq!(read(r#"[ 1 , "a,]" ,[2,{"b":"]"}], {} ]"#), ["1", "\"a,]\"", "[2,{\"b\":\"]\"}]", "{}"]);
        for text in ["[]", "[ ]", "{\"a\":[1]}", "1", "\"[\"", ""] {
            assert_eq!(read(text), [""; 0], "{text}");
        }
    }

    #[test]
    fn text_that_is_no_json_does_not_panic() {
        for text in ["[", "[\"", "[1", "[[", "[1,", "[1,,2]", "[é", "[1}"] {
            for span in elements(text) {
                let _ = text.get(span);
            }
        }
        for text in [
            "{",
            "{\"",
            "{\"a",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":\"",
            "{\"a\":[",
            "{\"a\":1",
            "{\"a\"é1}",
            "{\"a\":1,",
            "{\"\\",
        ] {
            for member in members(text) {
                let _ = (text.get(member.key.clone()), text.get(member.value.clone()), member.name(text));
            }
        }
    }

    #[test]
    fn deep_nesting_is_no_recursion() {
        let deep = format!("{{\"a\":{}{}, \"b\":1}}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        let lengths: Vec<_> = members(&deep).map(|member| member.value.len()).collect();
        assert_eq!(lengths, [2_000_000, 1]);
    }
}
