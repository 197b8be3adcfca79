//! What a contract tells the rules: the keys it allows, place by place.
//!
//! Evidence changes no verdict; it helps a rule to choose between two readings. So what is not simple is left out or left open.

use jsonseam_core::{Evidence, Step};
use serde_json::{Map, Value};

use crate::contract::Output;

/// Deepest place that is told.
const DEEPEST: usize = 16;
/// Most schemas that are read: a schema that refers to itself in many ways would never end.
const MOST: usize = 1000;

/// The evidence of a contract.
pub(crate) fn of(outputs: &[Output], checks_keys: bool, whole: Option<&Value>) -> Evidence {
    let mut told = Told { evidence: Evidence::new(), left: MOST };
    if checks_keys {
        let names: Vec<&str> = outputs.iter().map(|output| &*output.name).collect();
        told.evidence = told.evidence.closed(&[], names);
    }
    if let Some(schema) = whole {
        // The declared outputs decide on the keys of the root; the schema still tells what lies below.
        told.tell(schema, schema, &mut Vec::new(), checks_keys);
    }
    for output in outputs {
        if let Some(schema) = &output.schema {
            told.tell(schema.source(), schema.source(), &mut vec![Step::Key(&output.name)], false);
        }
    }
    told.evidence
}

struct Told {
    evidence: Evidence,
    left: usize,
}

impl Told {
    /// Tells the keys of `schema`, a part of `document`, at `path`.
    fn tell<'s>(&mut self, schema: &'s Value, document: &'s Value, path: &mut Vec<Step<'s>>, is_told: bool) {
        let Some(schema) = schema.as_object() else { return };
        if path.len() > DEEPEST || self.left == 0 {
            return;
        }
        self.left -= 1;
        let properties = schema.get("properties").and_then(Value::as_object);
        if let Some(properties) = properties.filter(|_| !is_told) {
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
                self.tell(schema, document, path, is_told);
            }
        }
        let target = schema.get("$ref").and_then(Value::as_str).and_then(|reference| reference.strip_prefix('#'));
        if let Some(schema) = target.and_then(|pointer| document.pointer(pointer)) {
            self.tell(schema, document, path, is_told);
        }
    }

    fn below<'s>(&mut self, step: Step<'s>, schema: &'s Value, document: &'s Value, path: &mut Vec<Step<'s>>) {
        path.push(step);
        self.tell(schema, document, path, false);
        path.pop();
    }
}

/// Whether no keys but its properties fit, by this schema alone.
fn is_closed(schema: &Map<String, Value>) -> bool {
    schema.get("additionalProperties") == Some(&Value::Bool(false)) && !schema.contains_key("patternProperties")
}
