//! The wrappers in which the interfaces of models take schemas, and the spelling of types that one of them has.
//!
//! A wrapped schema has no keyword at its top, so it would accept everything if it were read as it is.

use serde_json::{Map, Value};

use crate::draft::{Draft, subschemas};

/// The members that hold a schema, or a further wrapper.
const INNER: [&str; 13] = [
    "schema",
    "json_schema",
    "jsonSchema",
    "input_schema",
    "inputSchema",
    "parameters",
    "parametersJsonSchema",
    "function",
    "response_format",
    "format",
    "response_schema",
    "responseSchema",
    "responseJsonSchema",
];

/// The members that a wrapper has beside its schema.
const BESIDE: [&str; 15] = [
    "name",
    "description",
    "title",
    "strict",
    "type",
    "annotations",
    "cache_control",
    "outputSchema",
    "output_schema",
    "_meta",
    "icons",
    "execution",
    "responseMimeType",
    "response_mime_type",
    "behavior",
];

/// How many wrappers may be around each other.
const DEEPEST: usize = 4;

/// The schema inside its wrappers, and the pointer to it.
///
/// A wrapper is an object with one member that holds a schema or a wrapper, and no member that a wrapper does not have.
/// So a schema with a keyword at its top is never taken for one.
pub(crate) fn unwrapped(value: &Value) -> (&Value, String) {
    let (mut inner, mut pointer) = (value, String::new());
    for _ in 0..DEEPEST {
        let Some((name, next)) = inner.as_object().and_then(wrapped) else { break };
        inner = next;
        pointer = format!("{pointer}/{name}");
    }
    (inner, pointer)
}

fn wrapped(members: &Map<String, Value>) -> Option<(&str, &Value)> {
    let mut found = None;
    for (name, value) in members {
        if INNER.contains(&name.as_str()) && (value.is_object() || value.is_boolean()) {
            if found.replace((name.as_str(), value)).is_some() {
                return None;
            }
        } else if !BESIDE.contains(&name.as_str()) {
            return None;
        }
    }
    let is_wrapper = match members.get("type") {
        None => true,
        Some(kind) => ["json_schema", "function", "custom", "object_schema"].iter().any(|known| kind == known),
    };
    found.filter(|_| is_wrapper)
}

/// The schema with its types in lower case and its sizes as numbers, if it spells them as Gemini does: `OBJECT`, `"3"`.
pub(crate) fn lower_case(schema: &Value) -> Option<Value> {
    const SIZES: [&str; 6] = ["minItems", "maxItems", "minLength", "maxLength", "minProperties", "maxProperties"];
    let mut places = vec![String::new()];
    let mut lowered = schema.clone();
    let mut is_changed = false;
    while let Some(place) = places.pop() {
        let Some(Value::Object(members)) = lowered.pointer_mut(&place) else { continue };
        if let Some(Value::String(kind)) = members.get_mut("type") {
            let known = ["STRING", "NUMBER", "INTEGER", "BOOLEAN", "ARRAY", "OBJECT", "NULL"];
            if known.contains(&kind.as_str()) {
                kind.make_ascii_lowercase();
                is_changed = true;
            } else if kind == "TYPE_UNSPECIFIED" {
                members.remove("type");
                is_changed = true;
            }
        }
        for size in SIZES {
            let number = members.get(size).and_then(Value::as_str).and_then(|digits| digits.parse::<u64>().ok());
            if let Some(number) = number {
                members.insert(size.to_owned(), number.into());
            }
        }
        let below = lowered.pointer(&place).map(|schema| subschemas(schema, Draft::OpenApi30)).unwrap_or_default();
        places.extend(below.into_iter().map(|(pointer, _)| format!("{place}{pointer}")));
    }
    is_changed.then_some(lowered)
}

/// Whether an object has members but neither a keyword nor an annotation of a draft.
pub(crate) fn says_nothing(schema: &Value, draft: Draft, is_nullable_known: bool) -> bool {
    let knows = |name: &String| draft.knows(name) || (is_nullable_known && Draft::OpenApi30.knows(name));
    schema.as_object().is_some_and(|members| !members.is_empty() && !members.keys().any(knows))
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn the_wrappers_of_the_well_known_interfaces_are_taken_off() {
        let schema = json!({"type": "object", "properties": {"a": {"type": "string"}}});
        for (wrapper, pointer) in [
            (json!({"name": "n", "strict": true, "schema": schema}), "/schema"),
            (json!({"type": "json_schema", "json_schema": {"name": "n", "schema": schema}}), "/json_schema/schema"),
            (
                json!({"response_format": {"type": "json_schema", "json_schema": {"name": "n", "schema": schema}}}),
                "/response_format/json_schema/schema",
            ),
            (json!({"type": "json_schema", "name": "n", "schema": schema}), "/schema"),
            (json!({"type": "function", "function": {"name": "n", "parameters": schema}}), "/function/parameters"),
            (json!({"type": "function", "name": "n", "strict": true, "parameters": schema}), "/parameters"),
            (json!({"name": "n", "description": "d", "input_schema": schema}), "/input_schema"),
            (json!({"name": "n", "inputSchema": schema, "annotations": {}}), "/inputSchema"),
            (json!({"responseMimeType": "application/json", "responseSchema": schema}), "/responseSchema"),
        ] {
            assert_eq!(unwrapped(&wrapper), (&schema, pointer.to_owned()), "{wrapper}");
        }
        for no_wrapper in [
            schema.clone(),
            json!({"type": "object", "schema": {}}),
            json!({"schema": {}, "properties": {}}),
            json!({"schema": {}, "parameters": {}}),
            json!({"format": "date", "name": 1}),
            json!({"name": "n"}),
            json!(true),
        ] {
            assert_eq!(unwrapped(&no_wrapper), (&no_wrapper, String::new()), "{no_wrapper}");
        }
    }

    #[test]
    fn types_in_upper_case_are_lowered_where_schemas_are_and_nowhere_else() {
        let schema = json!({"type": "OBJECT", "properties": {"type": {"type": "ARRAY", "minItems": "2", "items": {"type": "STRING", "enum": ["STRING"]}}},
            "example": {"type": "OBJECT"}});
        let lowered = json!({"type": "object", "properties": {"type": {"type": "array", "minItems": 2, "items": {"type": "string", "enum": ["STRING"]}}},
            "example": {"type": "OBJECT"}});
        assert_eq!(lower_case(&schema), Some(lowered));
        assert_eq!(lower_case(&json!({"type": "object"})), None);
    }
}
