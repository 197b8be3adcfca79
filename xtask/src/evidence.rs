//! The contract that a value fits: its own keys, declared in every object.

use jsonseam::{Evidence, Step};
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

#[cfg(test)]
mod tests {
    use jsonseam::{Evidence, Step};
    use jsonseam_testkit::value::Value;

    use super::evidence_of;

    #[test]
    fn every_object_declares_its_keys() {
        let value = Value::read("{\"a\": [{\"b\": 1}, {\"c\": 2}], \"d\\\\\": 3}").expect("it is valid");
        let inner = [Step::Key("a"), Step::Item];
        let expected = Evidence::new().open(&[], ["a"]).closed(&inner, ["b"]).closed(&inner, ["c"]);
        assert_eq!(evidence_of(&value), expected);
    }
}
