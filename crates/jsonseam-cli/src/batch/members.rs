//! The top-level members of a record, as spans of its own text.
//!
//! A record is never parsed into values and written again: its digits, escapes and white space are the user's.

use std::ops::Range;

use jsonseam_text::{Name, skip_blanks};
use serde_json::value::RawValue;

/// A record that is a JSON object.
#[derive(Debug)]
pub(super) struct Record<'a> {
    text: &'a str,
    members: Vec<Member>,
}

/// One member.
#[derive(Debug)]
struct Member {
    /// Everything between the separators, white space included.
    span: Range<usize>,
    /// The key with its quotes.
    key: Range<usize>,
    /// The value.
    value: Range<usize>,
}

/// What a line is.
#[derive(Debug)]
pub(super) enum Parsed<'a> {
    /// A JSON object.
    Object(Record<'a>),
    /// Another JSON value.
    Other,
    /// No JSON at all.
    Invalid,
}

/// Reads a line.
pub(super) fn parse(line: &str) -> Parsed<'_> {
    // `RawValue` accepts exactly RFC 8259 and is not recursive; after it the scan below can trust the text.
    if serde_json::from_str::<&RawValue>(line).is_err() {
        return Parsed::Invalid;
    }
    let text = line.trim();
    if !text.starts_with('{') {
        return Parsed::Other;
    }
    Parsed::Object(of_valid(text))
}

/// The record of an object that is known to be valid.
pub(super) fn of_valid(text: &str) -> Record<'_> {
    let text = text.trim();
    Record { text, members: members(text) }
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

    /// Writes the record without its members named `name`, and with that member anew at its end.
    pub(super) fn write_with(&self, name: &str, value: &[u8], out: &mut Vec<u8>) {
        out.push(b'{');
        for member in self.members.iter().filter(|member| !self.is_named(member, name)) {
            out.extend_from_slice(self.text.get(member.span.clone()).unwrap_or_default().as_bytes());
            out.push(b',');
        }
        out.push(b'"');
        out.extend_from_slice(name.as_bytes());
        out.extend_from_slice(b"\":");
        out.extend_from_slice(value);
        out.push(b'}');
    }

    fn is_named(&self, member: &Member, name: &str) -> bool {
        let key = member.key.start + 1..member.key.end - 1;
        self.text.get(key).is_some_and(|key| Name::of(key).as_str() == Some(name))
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

    fn written(line: &str) -> String {
        let Parsed::Object(record) = parse(line) else { panic!("{line} is an object") };
        let mut out = Vec::new();
        record.write_with("jsonseam", b"0", &mut out);
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
        let Parsed::Object(record) = parse(r#"{"a":1,"\u0061": "x" ,"b":2}"#) else { panic!("it is an object") };
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
        assert!(matches!(parse("[1]"), Parsed::Other));
        assert!(matches!(parse("{\"a\":1} x"), Parsed::Invalid));
        assert!(matches!(parse("{'a':1}"), Parsed::Invalid));
    }

    #[test]
    fn deep_nesting_is_no_recursion() {
        let deep = format!("{{\"a\":{}{}}}", "[".repeat(1_000_000), "]".repeat(1_000_000));
        let Parsed::Object(record) = parse(&deep) else { panic!("it is an object") };
        assert_eq!(record.value("a").map(str::len), Some(2_000_000));
    }
}
