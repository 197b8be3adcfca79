//! What a contract tells the rules: the keys it allows, place by place.
//!
//! Evidence changes no verdict; it helps a rule to choose between two readings. So what is not simple is left out or left open.

use jsonseam_core::{Evidence, Step};
use serde_json::{Map, Value};

use crate::contract::Output;

/// Deepest place that is read.
const DEEPEST: usize = 16;
/// Most that is read, schemas and names together: a schema that refers to itself in many ways would never end.
const MOST: usize = 10_000;

/// The evidence of a contract.
pub(crate) fn of(outputs: &[Output], checks_keys: bool, whole: Option<&Value>) -> Evidence {
    let mut collected = Collected { evidence: Evidence::new(), left: MOST };
    if checks_keys {
        let names: Vec<&str> = outputs.iter().map(|output| &*output.name).collect();
        collected.evidence = collected.evidence.closed(&[], names);
    }
    if let Some(schema) = whole {
        // The declared outputs decide on the keys of the root; the schema still decides on those below.
        collected.collect(schema, schema, &mut Vec::new(), checks_keys);
    }
    for output in outputs {
        if let Some(schema) = &output.schema {
            collected.collect(schema.source(), schema.source(), &mut vec![Step::Key(&output.name)], false);
        }
    }
    collected.evidence
}

struct Collected {
    evidence: Evidence,
    left: usize,
}

impl Collected {
    /// Tells the keys of `schema`, a part of `document`, at `path`.
    fn collect<'s>(&mut self, schema: &'s Value, document: &'s Value, path: &mut Vec<Step<'s>>, is_known: bool) {
        let Some(schema) = schema.as_object() else { return };
        if path.len() > DEEPEST || self.left == 0 {
            return;
        }
        let properties = schema.get("properties").and_then(Value::as_object);
        // Half of a list of names would be a wrong list, so one that is too long is left out.
        self.left = self.left.saturating_sub(1 + properties.map_or(0, Map::len));
        if self.left == 0 {
            return;
        }
        if let Some(properties) = properties.filter(|_| !is_known) {
            let names = properties.keys().map(String::as_str);
            let evidence = std::mem::take(&mut self.evidence);
            self.evidence = if is_closed(schema) { evidence.closed(path, names) } else { evidence.open(path, names) };
        }
        for (name, schema) in properties.into_iter().flatten() {
            self.below(Step::Key(name), schema, document, path);
        }
        if let Some(schema) = schema.get("additionalProperties") {
            self.below(Step::AnyKey, schema, document, path);
        }
        if let Some(schema) = schema.get("items") {
            self.below(Step::Item, schema, document, path);
        }
        for keyword in ["allOf", "anyOf", "oneOf"] {
            for schema in schema.get(keyword).and_then(Value::as_array).into_iter().flatten() {
                self.collect(schema, document, path, is_known);
            }
        }
        let target = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
        if let Some(schema) = target.and_then(|pointer| document.pointer(pointer)) {
            self.collect(schema, document, path, is_known);
        }
    }

    fn below<'s>(&mut self, step: Step<'s>, schema: &'s Value, document: &'s Value, path: &mut Vec<Step<'s>>) {
        path.push(step);
        self.collect(schema, document, path, false);
        path.pop();
    }
}

/// Whether no keys but its properties fit, by this schema alone.
fn is_closed(schema: &Map<String, Value>) -> bool {
    schema.get("additionalProperties") == Some(&Value::Bool(false)) && !schema.contains_key("patternProperties")
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    /// How many names a schema's evidence declares, at all places.
    fn declared(schema: &Value) -> usize {
        format!("{:?}", of(&[], false, Some(schema))).matches("\"key ").count()
    }

    /// A schema with so many properties, each of which is the same again.
    fn recursive(count: usize) -> Value {
        let properties = (0..count).map(|number| (format!("key {number}"), json!({"$ref": "#"})));
        json!({"properties": properties.collect::<Map<_, _>>(), "additionalProperties": false})
    }

    #[test]
    fn v3_a_schema_that_refers_to_itself_declares_a_bounded_number_of_names() {
        assert_eq!(declared(&json!({"properties": {"key 1": {}, "key 2": {"properties": {"key 3": {}}}}})), 3);
        assert_eq!(declared(&recursive(1)), DEEPEST + 1);
        for count in [2, 50, 400, 3000] {
            let names = declared(&recursive(count));
            assert!(names >= count && names < MOST, "{names} names of {count}");
        }
        assert_eq!(declared(&recursive(50_000)), 0);
    }
}
