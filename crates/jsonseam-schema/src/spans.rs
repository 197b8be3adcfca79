//! Places in a JSON text: where a value is, and which members repeat a name.
//!
//! **Invariant:** the text was read by `serde_json` before, so it is valid and nested no deeper than that reads; nothing here looks for mistakes.

use std::collections::HashMap;
use std::ops::Range;

use jsonseam_text::{Name, pointer, skip_blanks, string_end, value_end};
use serde_json::Value;

use crate::violation::{Segment, bounded_pointer};

/// How many repeated members are named, each in at most [`MAX_POINTER`](jsonseam_text::pointer::MAX_POINTER) bytes: together half a megabyte.
const MAX_TOLD: usize = 1000;

/// A reader of one text.
struct Reader<'t> {
    text: &'t str,
    at: usize,
}

impl Reader<'_> {
    fn byte(&self) -> u8 {
        self.text.as_bytes().get(self.at).copied().unwrap_or_default()
    }

    fn blank(&mut self) {
        self.at = skip_blanks(self.text.as_bytes(), self.at);
    }

    /// Passes over a string.
    fn string(&mut self) {
        self.at = string_end(self.text.as_bytes(), self.at);
    }

    /// Passes over a value.
    fn value(&mut self) {
        self.at = value_end(self.text.as_bytes(), self.at);
    }

    /// Goes to the next part of a container, from its opener or from the end of a part. False at its end, which is passed over.
    fn next(&mut self) -> bool {
        self.blank();
        if matches!(self.byte(), b'{' | b'[' | b',') {
            self.at += 1;
            self.blank();
        }
        if matches!(self.byte(), b'}' | b']') {
            self.at += 1;
            return false;
        }
        self.at < self.text.len()
    }

    /// Reads a member's name, and goes to its value.
    fn name(&mut self) -> String {
        let start = self.at + 1;
        self.string();
        let name = Name::of(self.text.get(start..self.at - 1).unwrap_or_default()).to_text();
        self.blank();
        self.at += 1;
        self.blank();
        name
    }
}

/// Where a value is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Spot {
    pub(crate) span: Range<usize>,
    /// For members: where the name is, quotes included.
    pub(crate) name: Option<Range<usize>>,
    /// For members: the number of the member in its object, from 1.
    pub(crate) number: usize,
    /// For objects: where a member may be added, and whether one is before it.
    pub(crate) addition: Option<(usize, bool)>,
}

/// The values that are looked for, by their paths.
#[derive(Default)]
struct Wanted {
    here: Vec<usize>,
    keys: HashMap<Box<str>, Wanted>,
    items: HashMap<usize, Wanted>,
}

/// Where values are in a text, by their paths. Of members that repeat a name, the last one is meant.
pub(crate) fn locate(text: &str, paths: &[&[Segment]]) -> Vec<Option<Spot>> {
    let mut wanted = Wanted::default();
    for (number, path) in paths.iter().enumerate() {
        let mut place = &mut wanted;
        for segment in *path {
            place = match segment {
                Segment::Key(name) => place.keys.entry(name.clone()).or_default(),
                Segment::Index(index) => place.items.entry(*index).or_default(),
            };
        }
        place.here.push(number);
    }
    let mut spots = vec![None; paths.len()];
    let mut reader = Reader { text, at: 0 };
    reader.blank();
    find(&mut reader, &wanted, None, 0, &mut spots);
    spots
}

/// The line of the value that a JSON Pointer leads to, or of the nearest value around it, counted from 1.
pub(crate) fn line_of(text: &str, pointer: &str) -> Option<usize> {
    let value: Value = serde_json::from_str(text).ok()?;
    let mut segments = Vec::new();
    let mut place = &value;
    for name in pointer::names(pointer) {
        let (segment, inner) = match place {
            Value::Array(items) => {
                let index = name.parse().ok()?;
                (Segment::Index(index), items.get(index))
            }
            _ => (Segment::Key(name.as_ref().into()), place.get(name.as_ref())),
        };
        let Some(inner) = inner else { break };
        segments.push(segment);
        place = inner;
    }
    let spot = locate(text, &[&segments]).pop()??;
    Some(1 + text.get(..spot.span.start)?.bytes().filter(|byte| *byte == b'\n').count())
}

fn find(
    reader: &mut Reader<'_>,
    wanted: &Wanted,
    own_name: Option<&Range<usize>>,
    own_number: usize,
    spots: &mut [Option<Spot>],
) {
    let start = reader.at;
    let mut addition = None;
    match reader.byte() {
        b'{' => {
            addition = Some((start + 1, false));
            let mut number = 0;
            while reader.next() {
                let name_start = reader.at;
                let name = reader.name();
                number += 1;
                match wanted.keys.get(name.as_str()) {
                    Some(inner) => {
                        let mut end = Reader { text: reader.text, at: name_start };
                        end.string();
                        find(reader, inner, Some(&(name_start..end.at)), number, spots);
                    }
                    None => reader.value(),
                }
                addition = Some((reader.at, true));
            }
        }
        b'[' if !wanted.items.is_empty() => {
            let mut index = 0;
            while reader.next() {
                match wanted.items.get(&index) {
                    Some(inner) => find(reader, inner, None, 0, spots),
                    None => reader.value(),
                }
                index += 1;
            }
        }
        _ => reader.value(),
    }
    for &number in &wanted.here {
        spots[number] = Some(Spot { span: start..reader.at, name: own_name.cloned(), number: own_number, addition });
    }
}

/// Whether some object of a text repeats a name: then the value that was read from it has fewer members.
pub(crate) fn has_repeats(text: &str, value: &Value) -> bool {
    fn members(value: &Value) -> usize {
        match value {
            Value::Array(items) => items.iter().map(members).sum(),
            Value::Object(inner) => inner.len() + inner.values().map(members).sum::<usize>(),
            _ => 0,
        }
    }
    let mut reader = Reader { text, at: 0 };
    let mut colons = 0;
    while reader.at < text.len() {
        match reader.byte() {
            b'"' => reader.string(),
            byte => {
                colons += usize::from(byte == b':');
                reader.at += 1;
            }
        }
    }
    colons != members(value)
}

/// The members that another of their name follows: the pointers of the first of them, and their spans up to the next member.
pub(crate) fn repeats(text: &str) -> (Vec<String>, Vec<Range<usize>>) {
    let mut found = Repeats::default();
    let mut reader = Reader { text, at: 0 };
    reader.blank();
    found.read(&mut reader);
    jsonseam_text::sort_by_key(&mut found.spans, |span| (span.start, std::cmp::Reverse(span.end)));
    (found.pointers, found.spans)
}

#[derive(Default)]
struct Repeats {
    path: Vec<Segment>,
    pointers: Vec<String>,
    spans: Vec<Range<usize>>,
}

impl Repeats {
    fn read(&mut self, reader: &mut Reader<'_>) {
        match reader.byte() {
            b'{' => self.object(reader),
            b'[' => {
                let mut index = 0;
                while reader.next() {
                    self.path.push(Segment::Index(index));
                    self.read(reader);
                    self.path.pop();
                    index += 1;
                }
            }
            _ => reader.value(),
        }
    }

    fn object(&mut self, reader: &mut Reader<'_>) {
        let mut starts = Vec::new();
        let mut last: HashMap<String, usize> = HashMap::new();
        let mut earlier = Vec::new();
        while reader.next() {
            starts.push(reader.at);
            let name = reader.name();
            self.path.push(Segment::Key(name.as_str().into()));
            if let Some(before) = last.insert(name, starts.len() - 1) {
                earlier.push(before);
                if self.pointers.len() < MAX_TOLD {
                    self.pointers.push(bounded_pointer(&self.path, None));
                }
            }
            self.read(reader);
            self.path.pop();
        }
        self.spans.extend(earlier.into_iter().map(|member| starts[member]..starts[member + 1]));
    }
}

/// A text without some spans, which may lie inside each other.
pub(crate) fn without(text: &str, spans: &[Range<usize>]) -> String {
    let mut kept = String::with_capacity(text.len());
    let mut at = 0;
    for span in spans.iter().filter(|span| !span.is_empty()) {
        if span.start >= at {
            kept.push_str(&text[at..span.start]);
        }
        at = at.max(span.end);
    }
    kept.push_str(&text[at..]);
    kept
}

#[cfg(test)]
mod tests {
    use super::*;

    fn key(name: &str) -> Segment {
        Segment::Key(name.into())
    }

    #[test]
    fn values_are_found_by_path_and_the_last_of_a_name_is_meant() {
        let text = r#" {"a" : [1, {"b\u0063": -2.50e1 }], "x:{": "\"]", "a": [[], "é"], "e": {} } "#;
        let at = |path: &[Segment]| {
            let spot = locate(text, &[path]).remove(0).expect("there is a value");
            text[spot.span].to_owned()
        };
        assert_eq!(at(&[]), text.trim());
        assert_eq!(at(&[key("a")]), r#"[[], "é"]"#);
        assert_eq!(at(&[key("a"), Segment::Index(1)]), r#""é""#);
        assert_eq!(at(&[key("x:{")]), r#""\"]""#);
        let first = r#"{"a": [1, {"b\u0063": -2.50e1 }]}"#;
        let path = [key("a"), Segment::Index(1), key("bc")];
        let spot = locate(first, &[&path]).remove(0).expect("there is a value");
        assert_eq!(&first[spot.span], "-2.50e1");
        assert_eq!(
            locate(text, &[&[key("e")]])[0].as_ref().and_then(|spot| spot.addition),
            Some((text.len() - 4, false))
        );
    }

    #[test]
    fn v3_pointers_of_repeated_names_are_bounded_whatever_the_keys() {
        for (key, told) in
            [("k".repeat(100_000), ""), ("~".repeat(300), ""), ("k".repeat(509), "a"), ("k".repeat(510), "b")]
        {
            let text = format!("{{\"{key}\":{{{}\"a\":0}}}}", "\"a\":1,".repeat(2000));
            let pointer = match told {
                "a" => format!("/{key}/a"),
                "b" => format!("/{key}"),
                _ => String::new(),
            };
            assert!(pointer.len() <= pointer::MAX_POINTER);
            let (pointers, spans) = repeats(&text);
            assert_eq!((pointers.len(), spans.len()), (MAX_TOLD, 2000));
            assert!(pointers.iter().all(|told| *told == pointer), "{} bytes", pointers[0].len());
        }
    }

    #[test]
    fn k4_repeated_names_are_found_and_removed_wherever_they_are() {
        for (text, without_repeats, told) in [
            (r#"{"a":1,"a":2}"#, r#"{"a":2}"#, vec!["/a"]),
            (r#"{"a":1, "\u0061" : 2 }"#, r#"{"\u0061" : 2 }"#, vec!["/a"]),
            (
                r#"[{"a":1,"b":{"c":1,"c":2},"a":3,"a":[]}]"#,
                r#"[{"b":{"c":2},"a":[]}]"#,
                vec!["/0/b/c", "/0/a", "/0/a"],
            ),
            (r#"{"a":{"b":1,"b":2},"a":0}"#, r#"{"a":0}"#, vec!["/a/b", "/a"]),
            (r#"{"a":":","b":"a"}"#, r#"{"a":":","b":"a"}"#, vec![]),
        ] {
            let value: Value = serde_json::from_str(text).expect("JSON");
            assert_eq!(has_repeats(text, &value), !told.is_empty(), "{text}");
            let (pointers, spans) = repeats(text);
            assert_eq!(pointers, told, "{text}");
            let once = without(text, &spans);
            assert_eq!(once, without_repeats, "{text}");
            assert_eq!(serde_json::from_str::<Value>(&once).expect("JSON"), value, "{text}");
        }
    }
}
