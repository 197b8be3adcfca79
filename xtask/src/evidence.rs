//! The contract that a value fits: its own keys, declared in every object, and what a schema made of it would say besides.

use std::collections::{BTreeMap, BTreeSet};

use jsonseam::{Evidence, Kind, Shape, Step};
use jsonseam_testkit::value::Value;

/// Evidence that allows the keys of `value`, place by place, and no others.
pub(crate) fn evidence_of(value: &Value) -> Evidence {
    let mut path = Vec::new();
    declare(Evidence::new(), value, &mut path)
}

fn declare<'v>(mut evidence: Evidence, value: &'v Value, path: &mut Vec<Step<'v>>) -> Evidence {
    match value {
        Value::Array(elements) => {
            path.push(Step::Item);
            for element in elements {
                evidence = declare(evidence, element, path);
            }
            path.pop();
        }
        Value::Object(members) => {
            // A key with a backslash is spelled here in its own way.
            let plain = || members.iter().filter(|(key, _)| !key.contains('\\'));
            let keys = plain().map(|(key, _)| key.as_str());
            evidence =
                if plain().count() == members.len() { evidence.closed(path, keys) } else { evidence.open(path, keys) };
            for (key, value) in plain() {
                path.push(Step::Key(key));
                evidence = declare(evidence, value, path);
                path.pop();
            }
        }
        _ => {}
    }
    evidence
}

/// The same, and for every place the kinds of its values, the keys that all of its objects have, and a list of words where all strings are single ones.
pub(crate) fn typed_evidence_of(value: &Value) -> Evidence {
    let mut place = Place::default();
    place.see(value);
    let mut words = BTreeSet::from(OTHERS);
    place.collect_words(&mut words);
    place.tell(evidence_of(value), &mut Vec::new(), &words)
}

/// Words that an enumeration lists beside those of the document: it must not give the answer away.
const OTHERS: [&str; 8] = ["low", "medium", "high", "none", "other", "open", "closed", "unknown"];

/// What all values at a place are.
#[derive(Default)]
struct Place<'v> {
    kinds: Vec<Kind>,
    strings: BTreeSet<&'v str>,
    objects: usize,
    keys: BTreeMap<&'v str, (usize, Self)>,
    item: Option<Box<Self>>,
}

impl<'v> Place<'v> {
    fn see(&mut self, value: &'v Value) {
        self.kinds.push(match value {
            Value::Null => Kind::Null,
            Value::Bool(_) => Kind::Boolean,
            Value::Number(_) => Kind::Number,
            Value::String(_) => Kind::String,
            Value::Array(_) => Kind::Array,
            Value::Object(_) => Kind::Object,
        });
        match value {
            Value::String(text) => drop(self.strings.insert(text)),
            Value::Array(elements) => {
                let item = self.item.get_or_insert_default();
                for element in elements {
                    item.see(element);
                }
            }
            Value::Object(members) => {
                self.objects += 1;
                let mut seen = BTreeSet::new();
                for (key, value) in members.iter().filter(|(key, _)| !key.contains('\\')) {
                    let (count, below) = self.keys.entry(key).or_default();
                    *count += usize::from(seen.insert(key));
                    below.see(value);
                }
            }
            _ => {}
        }
    }

    fn below(&self) -> impl Iterator<Item = (Step<'v>, &Self)> {
        let keys = self.keys.iter().map(|(key, (_, below))| (Step::Key(key), below));
        keys.chain(self.item.as_deref().map(|item| (Step::Item, item)))
    }

    /// The words of a place that could have an enumeration.
    fn words(&self) -> Option<&BTreeSet<&'v str>> {
        let is_word =
            |text: &&str| (1..=20).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_alphabetic());
        Some(&self.strings).filter(|strings| !strings.is_empty() && strings.iter().all(is_word))
    }

    fn collect_words(&self, words: &mut BTreeSet<&'v str>) {
        words.extend(self.words().into_iter().flatten());
        self.below().for_each(|(_, below)| below.collect_words(words));
    }

    fn tell(&self, evidence: Evidence, path: &mut Vec<Step<'v>>, words: &BTreeSet<&str>) -> Evidence {
        let required = self.keys.iter().filter(|(_, (count, _))| *count == self.objects).map(|(key, _)| *key);
        let mut shape = Shape::new().with_kinds(self.kinds.iter().copied()).with_required(required);
        if self.words().is_some() {
            shape = shape.with_words(words.iter().copied());
        }
        // Of the elements of an empty array nothing is known.
        let mut evidence = if self.kinds.is_empty() { evidence } else { evidence.shaped(path, shape) };
        for (step, below) in self.below() {
            path.push(step);
            evidence = below.tell(evidence, path, words);
            path.pop();
        }
        evidence
    }
}

#[cfg(test)]
mod tests {
    use jsonseam::{Evidence, Kind, Shape, Step};
    use jsonseam_testkit::value::Value;

    use super::{evidence_of, typed_evidence_of};

    #[test]
    fn every_object_declares_its_keys() {
        let value = Value::read("{\"a\": [{\"b\": 1}, {\"c\": 2}], \"d\\\\\": 3}").expect("it is valid");
        let inner = [Step::Key("a"), Step::Item];
        let expected = Evidence::new().open(&[], ["a"]).closed(&inner, ["b"]).closed(&inner, ["c"]);
        assert_eq!(evidence_of(&value), expected);
    }

    #[test]
    fn what_a_schema_would_say_is_told_place_by_place() {
        let value =
            Value::read("{\"a\": [{\"b\": 1, \"c\": \"red\"}, {\"b\": \"x y\"}], \"d\": []}").expect("it is valid");
        let inner = [Step::Key("a"), Step::Item];
        let words = ["closed", "high", "low", "medium", "none", "open", "other", "red", "unknown"];
        let of = |kinds: &[Kind]| Shape::new().with_kinds(kinds.iter().copied());
        let expected = evidence_of(&value)
            .shaped(&[], of(&[Kind::Object]).with_required(["a", "d"]))
            .shaped(&inner[..1], of(&[Kind::Array]))
            .shaped(&inner, of(&[Kind::Object]).with_required(["b"]))
            .shaped(&[inner[0], inner[1], Step::Key("b")], of(&[Kind::Number, Kind::String]))
            .shaped(&[inner[0], inner[1], Step::Key("c")], of(&[Kind::String]).with_words(words))
            .shaped(&[Step::Key("d")], of(&[Kind::Array]));
        assert_eq!(typed_evidence_of(&value), expected);
    }
}
