//! Texts that could come from two different truths, each by one edit of the same kind: no reader can tell, so they must be refused.
//!
//! **Invariant**: each text carries both truths and the edits that lead from each of them to the text, and [`Doubtful::is_true`] applies them. A
//! kind is here only if neither origin is the likelier slip: what the corpus answers with a reason is not doubtful.

#![allow(clippy::many_single_char_names, reason = "keys, words and numbers are named as in the texts of the comments")]

use std::ops::Range;

use crate::random::Random;

/// Edits of a truth: spans and what takes their place.
type Slips = Vec<(Range<usize>, String)>;

/// A text with two origins.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Doubtful {
    /// What kind of doubt it is.
    pub kind: &'static str,
    /// The text.
    pub text: String,
    /// The truths, and what was done to each.
    pub origins: [(String, Slips); 2],
}

impl Doubtful {
    /// Whether both truths are JSON, differ, and give the text.
    pub fn is_true(&self) -> bool {
        let value = |truth: &str| crate::value::Value::read(truth);
        let [(one, _), (other, _)] = &self.origins;
        let differ = value(one).zip(value(other)).is_some_and(|(one, other)| !one.says(&other));
        differ && self.origins.iter().all(|(truth, slips)| slipped(truth, slips).as_deref() == Some(&self.text))
    }
}

/// The truth after its slips, which are in order.
fn slipped(truth: &str, slips: &Slips) -> Option<String> {
    let mut text = String::new();
    let mut pos = 0;
    for (span, replacement) in slips {
        text.push_str(truth.get(pos..span.start)?);
        text.push_str(replacement);
        pos = span.end;
    }
    text.push_str(truth.get(pos..)?);
    Some(text)
}

/// Words that a text is filled with.
struct Words {
    keys: [&'static str; 5],
    texts: [&'static str; 3],
    numbers: [usize; 4],
}

/// Makes a text of words.
type Make = fn(&Words) -> Parts;

/// The kinds, by name.
const KINDS: [(&str, Make); 6] = [
    ("a member in a text", member_in_text),
    ("a closer too many or an opener too few", closer_or_opener),
    ("a closer too many or an opener too few, in objects", closer_or_opener_of_objects),
    ("an inner quote or a missing end quote", inner_or_missing_quote),
    ("digits in groups or two numbers", groups_or_numbers),
    ("which of two braces is too many", which_brace),
];

/// A text and its two origins, before it is put into a document.
struct Parts {
    text: String,
    origins: [(String, Slips); 2],
}

/// `{"a": "x", "b": "y" z", "c": 1}`: the quotes around the member may be text.
fn member_in_text(words: &Words) -> Parts {
    let ([a, b, c, ..], [x, y, z], [n, ..]) = (words.keys, words.texts, words.numbers);
    let text = format!("{{\"{a}\": \"{x}\", \"{b}\": \"{y}\" {z}\", \"{c}\": {n}}}");
    let inner = format!("{{\"{a}\": \"{x}\", \"{b}\": \"{y}\\\" {z}\", \"{c}\": {n}}}");
    let whole = format!("{{\"{a}\": \"{x}\\\", \\\"{b}\\\": \\\"{y}\\\" {z}\", \"{c}\": {n}}}");
    from_backslashes(text, inner, whole)
}

/// `["x, "y"]`: the first string may have lost its end, or hold a quote.
fn inner_or_missing_quote(words: &Words) -> Parts {
    let [x, y, _] = words.texts;
    let text = format!("[\"{x}, \"{y}\"]");
    let one = format!("[\"{x}, \\\"{y}\"]");
    let two = format!("[\"{x}\", \"{y}\"]");
    let lost = 2 + x.len();
    let backslash = one.find('\\').unwrap_or_default();
    let origins =
        [(one, vec![(backslash..backslash + 1, String::new())]), (two, vec![(lost..lost + 1, String::new())])];
    Parts { text, origins }
}

fn from_backslashes(text: String, one: String, other: String) -> Parts {
    let slips = |truth: &str| truth.match_indices('\\').map(|(at, _)| (at..at + 1, String::new())).collect();
    let (first, second) = (slips(&one), slips(&other));
    Parts { text, origins: [(one, first), (other, second)] }
}

/// `{"a": [1, 2], 3], "b": 4}`: a `]` too many, or a `[` too few.
fn closer_or_opener(words: &Words) -> Parts {
    let ([a, b, ..], [k, l, m, n]) = (words.keys, words.numbers);
    let text = format!("{{\"{a}\": [{k}, {l}], {m}], \"{b}\": {n}}}");
    let flat = format!("{{\"{a}\": [{k}, {l}, {m}], \"{b}\": {n}}}");
    let nested = format!("{{\"{a}\": [[{k}, {l}], {m}], \"{b}\": {n}}}");
    closer_or_opener_at(text, flat, nested, a.len() + 5, "]")
}

/// The same with records: `{"a": [{"b": 1}], {"b": 2}], "c": 3}`.
fn closer_or_opener_of_objects(words: &Words) -> Parts {
    let ([a, b, c, ..], [k, l, m, _]) = (words.keys, words.numbers);
    let text = format!("{{\"{a}\": [{{\"{b}\": {k}}}], {{\"{b}\": {l}}}], \"{c}\": {m}}}");
    let flat = format!("{{\"{a}\": [{{\"{b}\": {k}}}, {{\"{b}\": {l}}}], \"{c}\": {m}}}");
    let nested = format!("{{\"{a}\": [[{{\"{b}\": {k}}}], {{\"{b}\": {l}}}], \"{c}\": {m}}}");
    closer_or_opener_at(text, flat, nested, a.len() + 5, "]")
}

/// The slips of a closer too many in `flat`, at the first place where it differs from the text, and of an opener too few in `nested`.
fn closer_or_opener_at(text: String, flat: String, nested: String, opener: usize, closer: &str) -> Parts {
    let differs = text.bytes().zip(flat.bytes()).position(|(one, other)| one != other).unwrap_or_default();
    let origins =
        [(flat, vec![(differs..differs, closer.to_owned())]), (nested, vec![(opener..opener + 1, String::new())])];
    Parts { text, origins }
}

/// `[1 234]` is one number with a blank in it, or two.
fn groups_or_numbers(words: &Words) -> Parts {
    let [k, l, ..] = words.numbers;
    let (k, l) = (k % 9 + 1, l % 900 + 100);
    let text = format!("[{k} {l}]");
    let two = format!("[{k}, {l}]");
    let one = format!("[{k}{l}]");
    Parts { text, origins: [(two, vec![(2..3, String::new())]), (one, vec![(2..2, " ".to_owned())])] }
}

/// `{"a": {"b": 1}, "c": 2, "d": 3}, "e": 4}` on one line: either of two braces could be too many.
fn which_brace(words: &Words) -> Parts {
    let ([a, b, c, d, e], [k, l, m, n]) = (words.keys, words.numbers);
    let text = format!("{{\"{a}\": {{\"{b}\": {k}}}, \"{c}\": {l}, \"{d}\": {m}}}, \"{e}\": {n}}}");
    let inner = format!("{{\"{a}\": {{\"{b}\": {k}, \"{c}\": {l}, \"{d}\": {m}}}, \"{e}\": {n}}}");
    let outer = format!("{{\"{a}\": {{\"{b}\": {k}}}, \"{c}\": {l}, \"{d}\": {m}, \"{e}\": {n}}}");
    let differs =
        |truth: &str| text.bytes().zip(truth.bytes()).position(|(one, other)| one != other).unwrap_or_default();
    let (first, second) = (differs(&inner), differs(&outer));
    let origins = [(inner, vec![(first..first, "}".to_owned())]), (outer, vec![(second..second, "}".to_owned())])];
    Parts { text, origins }
}

/// `count` texts, the kinds taking turns, bare or within a document; always the same for the same seed.
///
/// ```
/// use jsonseam_testkit::doubtful::doubtful_texts;
///
/// assert!(doubtful_texts(7, 80).all(|text| text.is_true()));
/// ```
pub fn doubtful_texts(seed: u64, count: usize) -> impl Iterator<Item = Doubtful> {
    let mut random = Random::new(seed);
    KINDS.iter().cycle().take(count).map(move |(kind, make)| {
        let mut random = random.fork();
        let parts = make(&words(&mut random));
        let (before, after) = *random.pick(&FRAMES).unwrap_or(&("", ""));
        let framed = |text: &str| format!("{before}{text}{after}");
        let origins = parts.origins.map(|(truth, slips)| {
            let shift =
                |(span, with): (Range<usize>, String)| (span.start + before.len()..span.end + before.len(), with);
            (framed(&truth), slips.into_iter().map(shift).collect())
        });
        Doubtful { kind, text: framed(&parts.text), origins }
    })
}

/// What a text is put into.
const FRAMES: [(&str, &str); 5] = [
    ("", ""),
    ("{\"data\": ", "}"),
    ("[", "]"),
    ("{\"first\": true, \"data\": ", ", \"last\": null}"),
    ("{\n  \"list\": [\n    ", "\n  ]\n}"),
];

const KEYS: [&str; 8] = ["name", "kind", "size", "owner", "note", "unit", "page", "state"];
const TEXTS: [&str; 8] = ["red", "blue sky", "north", "Ann", "ready", "two", "by train", "left"];

fn words(random: &mut Random) -> Words {
    let start = random.below(KEYS.len());
    let key = |index: usize| KEYS.get((start + index) % KEYS.len()).copied().unwrap_or("key");
    let start = random.below(TEXTS.len());
    let text = |index: usize| TEXTS.get((start + index) % TEXTS.len()).copied().unwrap_or("text");
    Words {
        keys: [key(0), key(1), key(2), key(3), key(4)],
        texts: [text(0), text(1), text(2)],
        numbers: [(); 4].map(|()| random.between(1, 900)),
    }
}

#[cfg(test)]
mod tests {
    use std::collections::HashSet;

    use super::{KINDS, doubtful_texts};

    #[test]
    fn every_text_has_two_truths_that_both_lead_to_it() {
        let mut kinds = HashSet::new();
        for doubtful in doubtful_texts(3, 400) {
            assert!(doubtful.is_true(), "{doubtful:?}");
            assert!(!crate::laws::is_json(&doubtful.text), "{}", doubtful.text);
            kinds.insert(doubtful.kind);
        }
        assert_eq!(kinds.len(), KINDS.len());
    }
}
