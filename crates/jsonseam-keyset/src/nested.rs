//! Repeated keys at any depth: where they are, and the text without them.

use std::borrow::Cow;
use std::collections::HashMap;
use std::ops::Range;

use jsonseam_text::pointer::{self, MAX_POINTER};
use jsonseam_text::{Name, string_end};

use crate::mismatch::MOST_FINDINGS;

/// Up to so many keys of one object are compared one by one.
const FEW: usize = 8;

/// A key that an object within the root holds more than once.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct NestedRepeat {
    /// The JSON Pointer (RFC 6901) of the repeated member: text of the completion.
    /// Beyond 512 bytes it is cut to the innermost container that fits.
    pub pointer: String,
    /// Where each of its keys is, with its quotes, in bytes of the text. At most [`MOST_FINDINGS`].
    pub spans: Vec<Range<usize>>,
}

/// Shows where the keys are, not what they say.
impl std::fmt::Debug for NestedRepeat {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.debug_struct("NestedRepeat").field("spans", &self.spans).finish_non_exhaustive()
    }
}

/// The repeated keys of the objects within the root of `text`, a valid JSON text (SPEC K4: reported, not refused).
///
/// Those of the root itself are a matter of the [`KeySet`](crate::KeySet). One pass; at most [`MOST_FINDINGS`], by the end of their object.
///
/// ```
/// let found = jsonseam_keyset::nested_repeats(r#"{"a": [{"x": 1, "\u0078": 2}], "a": 0}"#);
/// assert_eq!(found.len(), 1);
/// assert_eq!(found[0].pointer, "/a/0/x");
/// ```
pub fn nested_repeats(text: &str) -> Vec<NestedRepeat> {
    let mut found: Vec<NestedRepeat> = Vec::new();
    walk(text, |place, keys| {
        if place.is_root() || found.len() >= MOST_FINDINGS {
            return;
        }
        // By the later key: its first one, and where its finding is.
        let mut places: HashMap<usize, usize> = HashMap::new();
        for (first, later) in repeated(text, keys) {
            let place = *places.entry(first).or_insert_with(|| {
                let pointer = place.pointer(text, &keys[first]);
                found.push(NestedRepeat { pointer, spans: vec![keys[first].clone()] });
                found.len() - 1
            });
            if let Some(repeat) = found.get_mut(place).filter(|repeat| repeat.spans.len() < MOST_FINDINGS) {
                repeat.spans.push(keys[later].clone());
            }
        }
    });
    found.truncate(MOST_FINDINGS);
    found
}

/// `text`, a valid JSON text, as a reader that keeps the last of repeated keys sees it, at every depth: every earlier one is left out.
///
/// Everything else stays byte for byte; without repeated keys that is the text itself.
///
/// ```
/// assert_eq!(jsonseam_keyset::without_repeats(r#"{"a": 1, "b": 1.0, "a": 3}"#), r#"{"b": 1.0, "a": 3}"#);
/// ```
pub fn without_repeats(text: &str) -> Cow<'_, str> {
    let mut cuts: Vec<Range<usize>> = Vec::new();
    walk(text, |_, keys| {
        let mut last: HashMap<usize, usize> = HashMap::new();
        for (first, later) in repeated(text, keys) {
            // There is a later key, so the cut ends where the next key starts.
            let earlier = last.insert(first, later).unwrap_or(first);
            cuts.push(keys[earlier].start..keys[earlier + 1].start);
        }
    });
    if cuts.is_empty() {
        return Cow::Borrowed(text);
    }
    jsonseam_text::sort_by_key(&mut cuts, |cut| cut.start);
    let mut output = String::with_capacity(text.len());
    let mut pos = 0;
    for cut in cuts {
        // A cut within another one is gone already.
        output.push_str(text.get(pos..cut.start).unwrap_or_default());
        pos = pos.max(cut.end);
    }
    output.push_str(text.get(pos..).unwrap_or_default());
    Cow::Owned(output)
}

/// The pairs of keys with one name: the first of them, and each later one, in order.
fn repeated(text: &str, keys: &[Range<usize>]) -> Vec<(usize, usize)> {
    if are_plainly_different(text, keys) {
        return Vec::new();
    }
    let names: Vec<_> = keys.iter().map(|key| name(text, key)).collect();
    let mut pairs = Vec::new();
    if keys.len() <= FEW {
        for (later, name) in names.iter().enumerate() {
            let first = names[..later].iter().position(|known| known == name);
            pairs.extend(first.map(|first| (first, later)));
        }
        return pairs;
    }
    let mut seen = HashMap::with_capacity(keys.len());
    for (later, name) in names.into_iter().enumerate() {
        let first = *seen.entry(name).or_insert(later);
        if first != later {
            pairs.push((first, later));
        }
    }
    pairs
}

/// Whether these are few keys without escapes, and no two of them the same: the usual case, found without memory.
fn are_plainly_different(text: &str, keys: &[Range<usize>]) -> bool {
    let raw = |key: &Range<usize>| text.as_bytes().get(key.clone()).unwrap_or_default();
    keys.len() <= FEW
        && keys.iter().enumerate().all(|(index, key)| {
            let key = raw(key);
            !key.contains(&b'\\') && keys[..index].iter().all(|before| raw(before) != key)
        })
}

/// A container that is open.
struct Level {
    is_object: bool,
    /// Where its keys start among all that are open.
    first_key: usize,
    /// How many commas it had so far.
    index: usize,
}

/// Where an object is that closes: the containers around it, and the keys that are open in them.
struct Place<'w> {
    levels: &'w [Level],
    keys: &'w [Range<usize>],
}

impl Place<'_> {
    fn is_root(&self) -> bool {
        self.levels.is_empty()
    }

    /// The pointer of the member `key` of this object.
    fn pointer(&self, text: &str, key: &Range<usize>) -> String {
        let mut pointer = String::new();
        let ends = self.levels.iter().skip(1).map(|level| level.first_key).chain([self.keys.len()]);
        for (level, end) in self.levels.iter().zip(ends) {
            let step = if level.is_object { self.keys.get(end.wrapping_sub(1)) } else { None };
            let fits = match step {
                Some(key) => push_key(text, key, &mut pointer),
                None => pointer::push(&mut pointer, &level.index.to_string()),
            };
            if !fits {
                return pointer;
            }
        }
        push_key(text, key, &mut pointer);
        pointer
    }
}

fn push_key(text: &str, key: &Range<usize>, pointer: &mut String) -> bool {
    key.len() <= MAX_POINTER && pointer::push(pointer, &name(text, key).to_text())
}

fn name<'t>(text: &'t str, key: &Range<usize>) -> Name<'t> {
    Name::of(text.get(key.start + 1..key.end.saturating_sub(1)).unwrap_or_default())
}

/// Calls `close` at the end of each object that has more than one key: where it is, and its keys with their quotes.
fn walk(text: &str, mut close: impl FnMut(&Place<'_>, &[Range<usize>])) {
    let bytes = text.as_bytes();
    let mut levels: Vec<Level> = Vec::new();
    let mut keys: Vec<Range<usize>> = Vec::new();
    let mut expects_key = false;
    let mut pos = 0;
    while let Some(&byte) = bytes.get(pos) {
        match byte {
            b'"' => {
                let end = string_end(bytes, pos);
                if expects_key {
                    keys.push(pos..end);
                    expects_key = false;
                }
                pos = end;
                continue;
            }
            b'{' | b'[' => {
                expects_key = byte == b'{';
                levels.push(Level { is_object: expects_key, first_key: keys.len(), index: 0 });
            }
            b'}' | b']' => {
                expects_key = false;
                if let Some(level) = levels.pop() {
                    let (around, own) = keys.split_at(level.first_key);
                    if own.len() > 1 {
                        close(&Place { levels: &levels, keys: around }, own);
                    }
                    keys.truncate(level.first_key);
                }
            }
            b',' => {
                if let Some(level) = levels.last_mut() {
                    level.index += 1;
                    expects_key = level.is_object;
                }
            }
            _ => {}
        }
        pos += 1;
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn k4_nested_repeats_are_found_however_they_are_spelled() {
        let text =
            r#"{"a": {"x": 1, "y": {"z": 0, "z": 1, "\u007a": 2}, "x": 3}, "b": [[], {"/~": 1, "\/~": 2}], "a": 1}"#;
        let found: Vec<_> =
            nested_repeats(text).into_iter().map(|repeat| (repeat.pointer, repeat.spans.len())).collect();
        assert_eq!(found, [("/a/y/z".to_owned(), 3), ("/a/x".to_owned(), 2), ("/b/1/~1~0".to_owned(), 2)]);
    }

    #[test]
    fn k4_names_that_differ_are_no_repeats() {
        for text in [
            r#"{"a": {"x": 1, "X": 2, "x ": 3, "": 4}}"#,
            r#"{"a": [{"x": 1}, {"x": 1}], "b": {"x": {"x": {}}}}"#,
            r#"{"a": {"b": "x", "c": "x", "x": "c"}}"#,
            r#"{"a": {"\ud800": 1, "\udc00": 2}}"#,
            "[]",
            "1",
        ] {
            assert_eq!(nested_repeats(text), [], "{text}");
            assert!(matches!(without_repeats(text), Cow::Borrowed(_)), "{text}");
        }
    }

    #[test]
    fn k4_the_text_without_repeats_is_what_a_map_holds() {
        let many =
            (0..40).map(|index| format!("\"k{}\": {{\"a\": 0, \"a\": {index}}}", index % 13)).collect::<Vec<_>>();
        let many = format!("{{{}}}", many.join(" , "));
        for text in [
            r#"{"a":1,"a":2}"#,
            r#"{ "a" : 1 , "b" : [ {"x":1,"x":{"y":1,"y":2}} ] , "a" : {"c":1,"c":2} }"#,
            r#"[{"a":1,"\u0061":2,"b":"}","a":3}]"#,
            &many,
        ] {
            let cleaned = without_repeats(text);
            let map: serde_json::Value = serde_json::from_str(text).expect("it is valid");
            assert_eq!(serde_json::from_str::<serde_json::Value>(&cleaned).expect("it is valid"), map, "{text}");
            assert!(nested_repeats(&cleaned).is_empty(), "{cleaned}");
            assert!(matches!(without_repeats(&cleaned), Cow::Borrowed(_)), "{cleaned}");
        }
    }

    #[test]
    fn deep_nesting_is_no_recursion_and_its_pointers_are_cut() {
        let deep = format!("{}{{\"x\":1,\"x\":2}}{}", "[".repeat(100_000), "]".repeat(100_000));
        let found = nested_repeats(&deep);
        assert_eq!(found.len(), 1);
        assert!(found[0].pointer.len() <= MAX_POINTER);
        assert_eq!(without_repeats(&deep).len(), deep.len() - "\"x\":1,".len());
    }

    #[test]
    fn text_that_is_no_json_does_not_panic() {
        for text in ["{\"a\":{\"x\":1,\"x\"", "}}]", "{\"", "{,,}", "[{\"a\",\"a\"}", "{\"\\"] {
            let _ = (nested_repeats(text), without_repeats(text));
        }
    }
}
