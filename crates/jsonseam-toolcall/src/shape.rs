//! What a parameter may be: as much of its schema as decides between text and other values.
//!
//! The verdict is the schema crate's; this module only cuts the schema down to what is asked.

use std::collections::BTreeMap;
use std::sync::Arc;

use jsonseam_schema::{Casts, Schema};
use jsonseam_text::pointer;
use serde_json::{Map, Value, json};

/// How many parts of a schema are looked at, and how deep references lead.
const MAX_PARTS: usize = 2_000;
const MAX_DEPTH: usize = 16;
/// How deep the types of a schema are read for a contract: deeper than any schema is compiled.
const MAX_SCHEMA_DEPTH: usize = 256;
/// How many branches of a schema are looked at for what they declare.
const MAX_BRANCHES: usize = 64;

/// What one parameter, or a part of one, may be.
#[derive(Debug, Clone)]
pub(crate) struct Shape {
    /// What says which values fit; `None` if the schema could not be read, which leaves text.
    schema: Option<Arc<Schema>>,
    /// Whether the schema may take text although the branches of it that fit are not one.
    admits_text: bool,
    source: Value,
    root: Arc<Value>,
}

impl Shape {
    /// The shape of `schema`, a part of `root`.
    #[cfg(test)]
    pub(crate) fn new(schema: &Value, root: &Value) -> Self {
        Self::within(schema, &Arc::new(root.clone()))
    }

    /// The shapes of all members that a schema of an object declares, also in its branches.
    pub(crate) fn members(root: &Value) -> BTreeMap<String, Self> {
        let root = Arc::new(root.clone());
        let mut found = BTreeMap::new();
        collect(&root, &root, MAX_DEPTH, &mut found);
        found.into_iter().map(|(key, schema)| (key, Self::within(&schema, &root))).collect()
    }

    fn within(schema: &Value, root: &Arc<Value>) -> Self {
        let mut parts = MAX_PARTS;
        let mut skeleton = skeleton(schema, root, MAX_DEPTH, &mut parts);
        if is_unknown(&skeleton) {
            skeleton = json!({"type": "string"});
        }
        let admits_text = admits_text(&skeleton);
        let compiled = Schema::from_value(skeleton).ok().map(Arc::new);
        Self { schema: compiled, admits_text, source: schema.clone(), root: Arc::clone(root) }
    }

    /// Whether a JSON text is one of the values that fit.
    pub(crate) fn takes(&self, json: &str) -> bool {
        match &self.schema {
            Some(schema) => schema.check(json, &Casts::NONE).is_ok(),
            None => json.starts_with('"'),
        }
    }

    /// Whether every member of a value, at any depth, is declared where it is.
    pub(crate) fn places(&self, json: &str) -> bool {
        serde_json::from_str(json).is_ok_and(|value| places(&self.source, &self.root, &value))
    }

    /// Whether text is at least thought of.
    pub(crate) fn admits_text(&self) -> bool {
        self.admits_text
    }

    /// Whether any text fits, and nothing else that JSON spells without quotes, nor containers.
    pub(crate) fn is_text(&self) -> bool {
        self.takes("\"\"") && ["0.5", "0", "true", "null", "{}", "[]"].iter().all(|json| !self.takes(json))
    }

    /// The shape of a member: its own, or that of all members that are not declared.
    pub(crate) fn member(&self, key: &str) -> Option<Self> {
        let declared = |schema: &Value| {
            let own = schema.get("properties").and_then(|properties| properties.get(key));
            own.or_else(|| schema.get("additionalProperties").filter(|rest| rest.is_object())).cloned()
        };
        self.part(&self.source, &declared, MAX_DEPTH)
    }

    /// The shape of the elements.
    pub(crate) fn element(&self) -> Option<Self> {
        self.part(&self.source, &|schema| schema.get("items").filter(|items| items.is_object()).cloned(), MAX_DEPTH)
    }

    fn part(&self, schema: &Value, find: &dyn Fn(&Value) -> Option<Value>, depth: usize) -> Option<Self> {
        let depth = depth.checked_sub(1)?;
        if let Some(found) = find(schema) {
            return Some(Self::within(&found, &self.root));
        }
        let target = schema.get("$ref").and_then(Value::as_str).and_then(|pointer| resolved(pointer, &self.root));
        let branches =
            ["allOf", "anyOf", "oneOf"].iter().filter_map(|key| schema.get(*key)).filter_map(Value::as_array);
        let mut parts = target.into_iter().chain(branches.flatten());
        parts.find_map(|part| self.part(part, find, depth))
    }
}

/// Whether every member of a value, at any depth, is declared by the schema at its place, where that declares any, and every part is of a kind that is declared.
pub(crate) fn places(schema: &Value, root: &Value, value: &Value) -> bool {
    if schema.get("type").is_some_and(|names| !is_of(value, &types(names, schema.get("nullable").is_some()))) {
        return false;
    }
    let mut parts = Vec::new();
    gather(schema, root, MAX_DEPTH, &mut parts);
    let rest = || parts.iter().filter_map(|part| part.get("additionalProperties")).find(|rest| rest.is_object());
    match value {
        Value::Object(members) => {
            let has_members =
                |part: &&Value| part.get("properties").and_then(Value::as_object).is_some_and(|own| !own.is_empty());
            let is_open = !parts.iter().any(has_members);
            members.iter().all(|(key, value)| {
                let own = parts.iter().filter_map(|part| part.get("properties")?.get(key));
                let mut declared = own.chain(rest()).peekable();
                declared.peek().is_none() && is_open || declared.any(|schema| places(schema, root, value))
            })
        }
        Value::Array(items) => {
            let schema = parts.iter().filter_map(|part| part.get("items")).find(|items| items.is_object());
            schema.is_none_or(|schema| items.iter().all(|item| places(schema, root, item)))
        }
        _ => true,
    }
}

/// A schema of parameters as a contract on arguments: an object, with the types of JSON Schema, and closed if it declares its members itself and does not say.
pub(crate) fn contract_of(schema: &Value) -> Value {
    const OPENS: [&str; 7] =
        ["additionalProperties", "unevaluatedProperties", "patternProperties", "allOf", "anyOf", "oneOf", "$ref"];
    let mut contract = with_types(schema, MAX_SCHEMA_DEPTH);
    if let Value::Object(members) = &mut contract {
        members.entry("type").or_insert_with(|| json!("object"));
        if members.contains_key("properties") && !OPENS.iter().any(|key| members.contains_key(*key)) {
            members.insert("additionalProperties".to_owned(), Value::Bool(false));
        }
    }
    contract
}

/// A schema whose types have the names of JSON Schema, also those of the schemas within it.
fn with_types(schema: &Value, depth: usize) -> Value {
    let Some(depth) = depth.checked_sub(1) else { return schema.clone() };
    match schema {
        Value::Array(list) => list.iter().map(|one| with_types(one, depth)).collect(),
        Value::Object(members) => {
            let typed = |(key, value): (&String, &Value)| {
                let is_data = matches!(key.as_str(), "enum" | "const" | "default" | "examples" | "example");
                let value = match value {
                    _ if is_data => value.clone(),
                    Value::String(name) if key == "type" => json!(type_of(name).unwrap_or(name)),
                    value => with_types(value, depth),
                };
                (key.clone(), value)
            };
            Value::Object(members.iter().map(typed).collect())
        }
        other => other.clone(),
    }
}

/// Whether a value is of one of these types of JSON Schema.
fn is_of(value: &Value, names: &Value) -> bool {
    let kinds: &[&str] = match value {
        Value::Null => &["null"],
        Value::Bool(_) => &["boolean"],
        Value::Number(_) => &["number", "integer"],
        Value::String(_) => &["string"],
        Value::Array(_) => &["array"],
        Value::Object(_) => &["object"],
    };
    names.as_array().is_none_or(|names| names.iter().filter_map(Value::as_str).any(|name| kinds.contains(&name)))
}

/// A schema, and what it refers to and branches into.
fn gather<'s>(schema: &'s Value, root: &'s Value, depth: usize, parts: &mut Vec<&'s Value>) {
    let Some(depth) = depth.checked_sub(1).filter(|_| parts.len() < MAX_BRANCHES) else { return };
    parts.push(schema);
    if let Some(target) = schema.get("$ref").and_then(Value::as_str).and_then(|pointer| resolved(pointer, root)) {
        gather(target, root, depth, parts);
    }
    let branches = ["allOf", "anyOf", "oneOf"].iter().filter_map(|key| schema.get(*key)).filter_map(Value::as_array);
    for branch in branches.flatten() {
        gather(branch, root, depth, parts);
    }
}

/// The first declaration of each member.
fn collect(schema: &Value, root: &Value, depth: usize, found: &mut BTreeMap<String, Value>) {
    let Some(depth) = depth.checked_sub(1).filter(|_| found.len() < MAX_PARTS) else { return };
    for (key, member) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
        found.entry(key.clone()).or_insert_with(|| member.clone());
    }
    if let Some(target) = schema.get("$ref").and_then(Value::as_str).and_then(|pointer| resolved(pointer, root)) {
        collect(target, root, depth, found);
    }
    // Only schemas that hold others directly branch: their number is bounded by the schema, and a circle by the depth.
    for branch in
        ["allOf", "anyOf", "oneOf"].iter().filter_map(|key| schema.get(*key)).filter_map(Value::as_array).flatten()
    {
        if branch.get("$ref").is_none() || depth > MAX_DEPTH - 4 {
            collect(branch, root, depth, found);
        }
    }
}

/// What of a schema says which kinds of values fit, references resolved. A reference that leads nowhere, or in a circle, takes text.
fn skeleton(schema: &Value, root: &Value, depth: usize, parts: &mut usize) -> Value {
    let Value::Object(members) = schema else {
        return Value::Bool(schema.as_bool().unwrap_or(true));
    };
    let text = || json!({"type": "string"});
    let (Some(depth), Some(left)) = (depth.checked_sub(1), parts.checked_sub(1)) else { return text() };
    *parts = left;
    let mut kept: Vec<Value> = Vec::new();
    let mut own = Map::new();
    for (key, value) in members {
        match (key.as_str(), value) {
            ("type", value) => {
                own.insert("type".to_owned(), types(value, members.get("nullable") == Some(&Value::Bool(true))));
            }
            ("const", _) => {
                own.insert(key.clone(), value.clone());
            }
            ("enum", Value::Array(values)) if !values.is_empty() => {
                own.insert(key.clone(), value.clone());
            }
            ("anyOf" | "oneOf", Value::Array(branches)) if !branches.is_empty() => {
                let branches: Vec<_> = branches.iter().map(|branch| skeleton(branch, root, depth, parts)).collect();
                // Branches of containers are told apart by what is cut off here: any of them will do.
                let is_exclusive = key == "oneOf" && !branches.iter().any(names_container);
                kept.push(json!({ (if is_exclusive { "oneOf" } else { "anyOf" }): branches }));
            }
            ("allOf", Value::Array(branches)) => {
                kept.extend(branches.iter().map(|branch| skeleton(branch, root, depth, parts)));
            }
            ("not", inner) => match says_kind(inner, root, depth) {
                Some(true) => kept.push(json!({ "not": skeleton(inner, root, depth, parts) })),
                Some(false) => {}
                None => return text(),
            },
            // An address of its own changes what references mean.
            ("$ref", Value::String(_)) if members.contains_key("$id") => return text(),
            ("$ref", Value::String(pointer)) => kept.push(match resolved(pointer, root) {
                Some(target) => skeleton(target, root, depth, parts),
                None => unknown(),
            }),
            ("$dynamicRef" | "$recursiveRef", _) => kept.push(unknown()),
            _ => {}
        }
    }
    // A schema of text by what it demands, without a type.
    if own.is_empty()
        && kept.is_empty()
        && ["pattern", "minLength", "maxLength", "format"].iter().any(|key| members.contains_key(*key))
    {
        return text();
    }
    if own.is_empty() && kept.is_empty() && (members.contains_key("properties") || members.contains_key("items")) {
        return json!({"type": if members.contains_key("items") { "array" } else { "object" }});
    }
    if !kept.is_empty() {
        own.insert("allOf".to_owned(), Value::Array(kept));
    }
    Value::Object(own)
}

/// Whether any part of a skeleton names text as a type.
fn admits_text(skeleton: &Value) -> bool {
    match skeleton {
        Value::Object(members) => members.iter().any(|(key, value)| match key.as_str() {
            "type" => {
                value == "string" || value.as_array().is_some_and(|types| types.iter().any(|name| name == "string"))
            }
            "anyOf" | "oneOf" | "allOf" => value.as_array().is_some_and(|parts| parts.iter().any(admits_text)),
            _ => false,
        }),
        _ => false,
    }
}

/// What a reference that leads nowhere takes: perhaps anything.
fn unknown() -> Value {
    json!({"$comment": "unknown"})
}

/// Whether nothing of a skeleton is known.
fn is_unknown(skeleton: &Value) -> bool {
    let Value::Object(members) = skeleton else { return false };
    let is_all = |parts: &Value| parts.as_array().is_some_and(|parts| parts.iter().all(is_unknown));
    members.contains_key("$comment") || members.len() == 1 && members.get("allOf").is_some_and(is_all)
}

/// Whether a skeleton names a container as a type.
fn names_container(skeleton: &Value) -> bool {
    let is_container = |name: &Value| name == "object" || name == "array";
    let Value::Object(members) = skeleton else { return false };
    members.iter().any(|(key, value)| match key.as_str() {
        "type" => is_container(value) || value.as_array().is_some_and(|types| types.iter().any(is_container)),
        "anyOf" | "oneOf" | "allOf" => value.as_array().is_some_and(|parts| parts.iter().any(names_container)),
        _ => false,
    })
}

/// Whether a schema under `not` is about kinds of values alone: anything more would be cut off, and what is left would exclude too much.
/// `None` if it refers to what is not known.
fn says_kind(schema: &Value, root: &Value, depth: usize) -> Option<bool> {
    let depth = depth.checked_sub(1)?;
    let Value::Object(members) = schema else { return Some(schema.is_boolean()) };
    let mut is_kind = !members.is_empty();
    for (key, value) in members {
        is_kind &= match key.as_str() {
            "type" | "const" | "enum" | "title" | "description" => true,
            "anyOf" | "oneOf" | "allOf" => {
                let branches = value.as_array().map(Vec::as_slice).unwrap_or_default();
                let said: Option<Vec<bool>> = branches.iter().map(|branch| says_kind(branch, root, depth)).collect();
                said?.into_iter().all(|is_kind| is_kind)
            }
            "not" => says_kind(value, root, depth)?,
            "$ref" => says_kind(value.as_str().and_then(|pointer| resolved(pointer, root))?, root, depth)?,
            _ => false,
        };
    }
    Some(is_kind)
}

/// The names of types as JSON Schema has them; a name that means nothing is left out.
fn types(value: &Value, is_nullable: bool) -> Value {
    let names = value.as_array().map_or(std::slice::from_ref(value), Vec::as_slice);
    let mut types: Vec<&str> = names.iter().filter_map(Value::as_str).filter_map(type_of).collect();
    if types.is_empty() {
        return json!(["null", "boolean", "object", "array", "number", "string"]);
    }
    types.extend(is_nullable.then_some("null"));
    types.sort_unstable();
    types.dedup();
    json!(types)
}

/// The type that a name means: those of JSON Schema in any case (Gemini writes them in upper case), and those of Python and C.
fn type_of(name: &str) -> Option<&'static str> {
    Some(match name.to_ascii_lowercase().as_str() {
        "string" | "str" | "text" | "varchar" | "char" => "string",
        "integer" | "int" | "long" | "short" | "uint" | "int32" | "int64" => "integer",
        "number" | "float" | "double" => "number",
        "boolean" | "bool" => "boolean",
        "null" | "none" => "null",
        "object" | "dict" | "map" => "object",
        "array" | "list" | "tuple" | "arr" | "sequence" => "array",
        _ => return None,
    })
}

/// What a reference within the schema leads to (RFC 6901, in a URI fragment).
fn resolved<'r>(reference: &str, root: &'r Value) -> Option<&'r Value> {
    let pointer = pointer::of_fragment(reference.strip_prefix('#')?)?;
    if !pointer.is_empty() && !pointer.starts_with('/') {
        return None;
    }
    let is_escaped = pointer.split('~').skip(1).all(|rest| rest.starts_with(['0', '1']));
    let target = root.pointer(&pointer).filter(|target| target.is_object() || target.is_boolean());
    target.filter(|_| is_escaped)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn takes(schema: &Value, json: &str) -> bool {
        Shape::new(schema, schema).takes(json)
    }

    #[test]
    fn s6_references_unions_and_constants_decide() {
        let root = json!({"$defs": {
            "Address": {"type": "object", "properties": {"zip": {"type": "string"}}}, "Loop": {"$ref": "#/$defs/Loop"}, "a b": {"type": "integer"},
        }});
        let shape = |schema: Value| Shape::new(&schema, &root);
        assert!(shape(json!({"$ref": "#/$defs/Address"})).takes("{}"));
        assert!(!shape(json!({"$ref": "#/$defs/Address"})).takes("\"x\""));
        assert!(shape(json!({"$ref": "#/$defs/a%20b"})).takes("1"));
        assert!(shape(json!({"$ref": "#/$defs/Loop"})).is_text());
        assert!(shape(json!({"$ref": "#/$defs/Missing"})).is_text());
        assert!(shape(json!({"allOf": [{"type": ["integer", "string"]}, {"not": {"type": "string"}}]})).takes("1"));
        assert!(shape(json!({"enum": [1, 2]})).takes("2") && !shape(json!({"enum": [1, 2]})).takes("\"2\""));
        assert!(shape(json!({"type": "STRING", "nullable": true})).takes("null"));
        assert!(shape(json!({"$ref": "#/$defs/Address"})).member("zip").is_some_and(|zip| zip.is_text()));
    }

    #[test]
    fn what_a_contract_checks_does_not_change_the_kind() {
        assert!(takes(&json!({"type": "integer", "maximum": 5}), "7"));
        assert!(takes(&json!({"not": {"minLength": 3}}), "\"x\""));
    }

    #[test]
    fn v3_a_schema_that_branches_without_end_costs_little() {
        let deep = json!({"$defs": {"N": {"anyOf": [{"$ref": "#/$defs/N"}, {"$ref": "#/$defs/N"}, {"type": "null"}]}}, "$ref": "#/$defs/N"});
        assert!(takes(&deep, "null"));
    }
}
