//! The top-level members of a record, as spans of its own text.
//!
//! A record is never parsed into values and written again: its digits, escapes and white space are the user's.

use std::borrow::Cow;
use std::ops::Range;

use jsonseam_text::{Decoded, Name, skip_blanks, valid_string_end, value_end};
use serde_json::value::RawValue;

/// A record that is a JSON object.
#[cfg_attr(test, derive(Debug))]
pub(super) struct Record<'a> {
    text: &'a str,
    members: Cow<'a, [Member]>,
    /// Where the value starts that was decoded when the record was read.
    decoded: Option<usize>,
}

/// One member.
#[derive(Debug, Clone)]
struct Member {
    /// Everything between the separators, white space included.
    span: Range<usize>,
    /// The key with its quotes.
    key: Range<usize>,
    /// The value.
    value: Range<usize>,
}

/// What a line is.
#[cfg_attr(test, derive(Debug))]
pub(super) enum Parsed<'a> {
    /// A JSON object.
    Object(Record<'a>),
    /// Another JSON value.
    Other,
    /// No JSON at all.
    Invalid,
}

/// Room for the members of a record, used again for the next one.
#[derive(Debug, Default)]
pub(super) struct Room(Vec<Member>);

/// Reads a line. If its member `wanted`, a name without a backslash, is a string, `decoded` holds afterwards what that spells.
pub(super) fn parse<'a>(line: &'a str, wanted: Option<&str>, room: &'a mut Room, decoded: &mut Decoded) -> Parsed<'a> {
    if let Some((text, decoded)) = read_object(line, wanted, &mut room.0, decoded) {
        return Parsed::Object(Record { text, members: Cow::Borrowed(&room.0), decoded });
    }
    // `RawValue` accepts exactly RFC 8259 and is not recursive; after it the scan below can trust the text.
    if !is_valid(line) {
        return Parsed::Invalid;
    }
    let text = line.trim();
    if !text.starts_with('{') {
        return Parsed::Other;
    }
    Parsed::Object(of_valid(text))
}

fn is_valid(json: &str) -> bool {
    serde_json::from_str::<&RawValue>(json).is_ok()
}

/// Reads an object and its members in one pass, if that is what the line is; the object's text, and where the value starts that was decoded.
///
/// `None` does not mean invalid: the caller reads the line again.
fn read_object<'a>(
    line: &'a str,
    wanted: Option<&str>,
    members: &mut Vec<Member>,
    decoded: &mut Decoded,
) -> Option<(&'a str, Option<usize>)> {
    members.clear();
    let text = line.get(skip_blanks(line.as_bytes(), 0)..)?;
    let bytes = text.as_bytes();
    let is_at = |pos: usize, byte: u8| bytes.get(pos) == Some(&byte);
    let mut decoded_at = None;
    let mut start = 1;
    let mut after = skip_blanks(bytes, 1);
    if !is_at(0, b'{') {
        return None;
    }
    if !is_at(after, b'}') {
        loop {
            let key_start = skip_blanks(bytes, start);
            let key = key_start..valid_string_end(bytes, key_start)?;
            let colon = skip_blanks(bytes, key.end);
            if !is_at(colon, b':') {
                return None;
            }
            let value_start = skip_blanks(bytes, colon + 1);
            let end = if !is_at(value_start, b'"') {
                let end = value_end(bytes, value_start);
                text.get(value_start..end).filter(|value| is_valid(value))?;
                end
            } else if text.get(key.start + 1..key.end - 1) == wanted {
                decoded_at = Some(value_start);
                decoded.read(text, value_start)?
            } else {
                valid_string_end(bytes, value_start)?
            };
            after = skip_blanks(bytes, end);
            members.push(Member { span: start..after, key, value: value_start..end });
            start = after + 1;
            if is_at(after, b'}') {
                break;
            }
            if !is_at(after, b',') {
                return None;
            }
        }
    }
    (skip_blanks(bytes, after + 1) == bytes.len()).then_some((text.get(..=after)?, decoded_at))
}

/// The record of an object that is known to be valid.
pub(super) fn of_valid(text: &str) -> Record<'_> {
    let text = text.trim();
    Record { text, members: Cow::Owned(members(text)), decoded: None }
}

/// The elements of an array that is known to be valid, as they are spelled.
pub(super) fn elements(array: &str) -> Vec<&str> {
    jsonseam_text::elements(array).filter_map(|span| array.get(span)).collect()
}

impl<'a> Record<'a> {
    /// The names of the members as they are spelled, without their quotes.
    pub(super) fn names(&self) -> impl Iterator<Item = &'a str> {
        let text = self.text;
        self.members.iter().filter_map(move |member| text.get(member.key.start + 1..member.key.end - 1))
    }

    /// The object with the members of these names alone, in its own order.
    pub(super) fn with_only(&self, names: &[&str]) -> Vec<u8> {
        let mut out = vec![b'{'];
        for member in self.members.iter().filter(|member| names.iter().any(|name| self.is_named(member, name))) {
            if out.len() > 1 {
                out.push(b',');
            }
            out.extend_from_slice(self.text.get(member.span.clone()).unwrap_or_default().as_bytes());
        }
        out.push(b'}');
        out
    }

    /// The value of a member; of repeated ones the last, as most readers have it.
    pub(super) fn value(&self, name: &str) -> Option<&'a str> {
        let member = self.members.iter().rev().find(|member| self.is_named(member, name))?;
        self.text.get(member.value.clone())
    }

    /// Whether the value of this member was decoded when the record was read.
    pub(super) fn is_decoded(&self, name: &str) -> bool {
        let named = self.members.iter().rev().find(|member| self.is_named(member, name));
        named.is_some_and(|member| self.decoded == Some(member.value.start))
    }

    /// Writes the record without its members named `name` up to that member, which comes anew at its end: its value and a brace are still to be written.
    pub(super) fn write_up_to(&self, name: &str, out: &mut Vec<u8>) {
        out.push(b'{');
        // Members that follow each other are copied together.
        let mut pending = 1..1;
        for member in self.members.iter().filter(|member| !self.is_named(member, name)) {
            if pending.end + 1 != member.span.start {
                self.write_members(pending, out);
                pending = member.span.clone();
            }
            pending.end = member.span.end;
        }
        self.write_members(pending, out);
        out.push(b'"');
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b"\":");
    }

    /// Writes the members that are at `span`, and a comma after them.
    fn write_members(&self, span: Range<usize>, out: &mut Vec<u8>) {
        if !span.is_empty() {
            out.extend_from_slice(self.text.get(span).unwrap_or_default().as_bytes());
            out.push(b',');
        }
    }

    fn is_named(&self, member: &Member, name: &str) -> bool {
        let key = member.key.start + 1..member.key.end - 1;
        let key = self.text.get(key).unwrap_or_default();
        // A name may hold a backslash itself, so a key is compared as it is spelled only where it spells itself.
        if key.contains('\\') { Name::of(key).as_str() == Some(name) } else { key == name }
    }
}

/// The members of an object that is known to be valid, each with the white space up to the separators around it.
fn members(object: &str) -> Vec<Member> {
    let mut start = 1;
    let member = |jsonseam_text::Member { key, value }| {
        let end = skip_blanks(object.as_bytes(), value.end);
        let span = start..end;
        start = end + 1;
        Member { span, key, value }
    };
    jsonseam_text::members(object).map(member).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// What a line is in the eyes of both ways to read it, of which each must see the same.
    fn read(line: &str) -> Parsed<'_> {
        let (mut room, mut decoded) = (Room::default(), Decoded::default());
        let quick = match parse(line, None, &mut room, &mut decoded) {
            Parsed::Object(record) => Some(format!("{record:?}")),
            _ => None,
        };
        let slow = if !is_valid(line) {
            Parsed::Invalid
        } else if line.trim().starts_with('{') {
            Parsed::Object(of_valid(line))
        } else {
            Parsed::Other
        };
        let seen = if let Parsed::Object(record) = &slow { Some(format!("{record:?}")) } else { None };
        assert_eq!(quick, seen, "{line}");
        slow
    }

    fn written(line: &str) -> String {
        let Parsed::Object(record) = read(line) else { panic!("{line} is an object") };
        let mut out = Vec::new();
        record.write_up_to("jsonseam", &mut out);
        out.extend_from_slice(b"0}");
        String::from_utf8(out).expect("it was text")
    }

    #[test]
    fn members_stay_byte_for_byte() {
        assert_eq!(
            written(r#" { "a" : 1.10 , "b":[1,{"jsonseam":2}], "\u0063":"\"}," } "#),
            r#"{ "a" : 1.10 , "b":[1,{"jsonseam":2}], "\u0063":"\"}," ,"jsonseam":0}"#
        );
        assert_eq!(written("{}"), r#"{"jsonseam":0}"#);
        assert_eq!(written("{ }"), r#"{"jsonseam":0}"#);
    }

    #[test]
    fn an_existing_member_of_the_name_goes_however_it_is_spelled() {
        assert_eq!(
            written(r#"{"jsonseam":{"x":"}"},"a":1,"json\u0073eam":[2],"jsonseam":3}"#),
            r#"{"a":1,"jsonseam":0}"#
        );
        assert_eq!(written(r#"{"jsonseam":1}"#), r#"{"jsonseam":0}"#);
    }

    #[test]
    fn the_last_of_repeated_members_counts() {
        let Parsed::Object(record) = read(r#"{"a":1,"\u0061": "x" ,"b":2}"#) else { panic!("it is an object") };
        assert_eq!(record.value("a"), Some(r#""x""#));
        assert_eq!(record.value("c"), None);
    }

    #[test]
    fn elements_are_split_where_no_string_and_no_container_is() {
        assert_eq!(elements(r#"[ 1 , "a,]" ,[2,{"b":"]"}], {} ]"#), ["1", "\"a,]\"", "[2,{\"b\":\"]\"}]", "{}"]);
        assert_eq!(elements("[ ]"), [""; 0]);
    }

    #[test]
    fn members_can_be_chosen_by_name() {
        let record = of_valid(r#"{"a":1,"b":[2,3],"c":{"a":4}}"#);
        assert_eq!(record.with_only(&["c", "a"]), br#"{"a":1,"c":{"a":4}}"#);
        assert_eq!(record.with_only(&[]), b"{}");
        assert_eq!(record.names().collect::<Vec<_>>(), ["a", "b", "c"]);
    }

    #[test]
    fn what_is_no_object_is_told_apart() {
        assert!(matches!(read("[1]"), Parsed::Other));
        for line in [
            "{\"a\":1} x",
            "{'a':1}",
            "{",
            "{\"",
            "{\"a",
            "{\"a\"",
            "{\"a\":",
            "{\"a\":1",
            "{\"a\":1,",
            "{\"a\":1,}",
            "{,}",
            "{\"a\" 1}",
            "{\"a\":1 \"b\":2}",
            "{\"a\":[1}",
            "{\"a\":01}",
            "{\"a\":tru}",
            "{\"a\":\"\\x\"}",
            "{\"a\\\":1}",
            "{\"a\":\"\t\"}",
            "{\"a\":{\"b\":}}",
            "{\"a\":1}}",
            "\u{a0}{}",
        ] {
            assert!(matches!(read(line), Parsed::Invalid), "{line}");
        }
    }

    #[test]
    fn the_wanted_string_is_decoded_on_the_way() {
        let (mut room, mut decoded) = (Room::default(), Decoded::default());
        let line = r#"{"b":"no","a":"first","a":"\u007bs","\u0061":7,"c":"\ud800"}"#;
        let Parsed::Object(record) = parse(line, Some("a"), &mut room, &mut decoded) else { panic!("it is an object") };
        assert_eq!((decoded.text(), decoded.is_canonical()), ("{s", false));
        assert!(!record.is_decoded("a"), "the last member of that name is another one");
        let Parsed::Object(record) = parse(r#"{"a":"x"}"#, Some("a"), &mut room, &mut decoded) else { panic!("it is") };
        assert!(record.is_decoded("a") && !record.is_decoded("b"));
        // Half a surrogate pair spells no text.
        let Parsed::Object(record) = parse(r#"{"a":"\ud800"}"#, Some("a"), &mut room, &mut decoded) else {
            panic!("it is")
        };
        assert!(!record.is_decoded("a"));
    }

    #[test]
    fn a_name_with_a_backslash_is_no_escape() {
        let Parsed::Object(record) = read(r#"{"a\\nb":"backslash","a\nb":"line feed"}"#) else {
            panic!("it is an object")
        };
        assert_eq!(record.value(r"a\nb"), Some(r#""backslash""#));
        assert_eq!(record.value("a\nb"), Some(r#""line feed""#));
    }

    #[test]
    fn deep_nesting_is_no_recursion() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        let Parsed::Object(record) = read(&deep) else { panic!("it is an object") };
        assert_eq!(record.value("a").map(str::len), Some(2_000_000));
    }
}
