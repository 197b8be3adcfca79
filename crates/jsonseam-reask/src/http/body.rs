//! The body of a request (API reference of `OpenAI`, "Create chat completion").

use std::collections::BTreeMap;

use serde_json::{Map, Value, json};

use crate::http::client::{Extras, StrictSchemas};
use crate::json::JsonText;
use crate::message::{ANSWER_TOOL, Mode, Request};

/// The body for one request. Schemas, tools and what the caller adds are in it as they are spelled.
pub(super) fn body(request: &Request, model: &str, is_streamed: bool, extras: &Extras) -> String {
    let messages: Vec<_> = request
        .messages
        .iter()
        .map(|message| json!({ "role": message.role.as_str(), "content": message.content }))
        .collect();
    // What the loop needs overrides what the caller adds.
    let mut body: BTreeMap<&str, JsonText> =
        extras.body.iter().map(|(name, value)| (name.as_str(), value.clone())).collect();
    let mut set = |name: &'static str, value: JsonText| {
        body.insert(name, value);
    };
    set("model", json!(model).into());
    set("messages", Value::from(messages).into());
    if let Some(tokens) = extras.max_tokens {
        set(extras.max_tokens_name(), json!(tokens).into());
    }
    if let Some(seed) = extras.seed {
        set("seed", json!(seed).into());
    }
    if let Some(temperature) = request.temperature {
        set("temperature", json!(temperature).into());
    }
    let mut tools = request.tools.to_vec();
    match (request.mode, &request.schema) {
        (Mode::JsonSchema, Some(schema)) => {
            let named = named(schema, extras.strict).into_iter().chain([("schema", schema.clone())]);
            set("response_format", typed("json_schema", "json_schema", JsonText::object(named)));
        }
        (Mode::Tool, Some(schema)) => {
            let own = [("description", json!("Gives the answer.").into()), ("parameters", schema.clone())];
            let named = named(schema, extras.strict).into_iter().chain(own);
            tools.push(typed("function", "function", JsonText::object(named)));
            set("tool_choice", json!({ "type": "function", "function": { "name": ANSWER_TOOL } }).into());
        }
        (Mode::JsonObject | Mode::JsonSchema, _) => set("response_format", json!({ "type": "json_object" }).into()),
        (Mode::Text | Mode::Tool, _) => {}
    }
    if !tools.is_empty() {
        set("tools", JsonText::of(&tools));
    }
    if is_streamed {
        set("stream", json!(true).into());
        set("stream_options", json!({ "include_usage": true }).into());
    }
    JsonText::object(body).as_str().to_owned()
}

/// An object that names its type, and has one member beside it.
fn typed(kind: &str, name: &str, value: JsonText) -> JsonText {
    JsonText::object([("type", json!(kind).into()), (name, value)])
}

/// The name of the schema, and whether the server must hold the model to it.
fn named(schema: &JsonText, strict: StrictSchemas) -> Vec<(&'static str, JsonText)> {
    let mut named = vec![("name", json!(ANSWER_TOOL).into())];
    let is_strict = match strict {
        StrictSchemas::Always => true,
        StrictSchemas::Never => false,
        StrictSchemas::Auto => is_strict(&schema.to_value(), 0),
    };
    if is_strict {
        named.push(("strict", json!(true).into()));
    }
    named
}

/// Whether a schema keeps to what servers demand of a strict one: every object closed, every property required, and no keyword that they do not know.
fn is_strict(schema: &Value, depth: usize) -> bool {
    const KNOWN: [&str; 24] = [
        "$defs",
        "$ref",
        "$schema",
        "additionalProperties",
        "anyOf",
        "const",
        "definitions",
        "description",
        "enum",
        "exclusiveMaximum",
        "exclusiveMinimum",
        "format",
        "items",
        "maxItems",
        "maximum",
        "minItems",
        "minimum",
        "multipleOf",
        "pattern",
        "properties",
        "required",
        "title",
        "type",
        "default",
    ];
    let Some(members) = schema.as_object().filter(|_| depth < 10) else { return false };
    let is_known = members.keys().all(|name| KNOWN.contains(&name.as_str()) && name != "default");
    let properties = members.get("properties").and_then(Value::as_object);
    let is_object = properties.is_some() || members.get("type").is_some_and(|kind| kind == "object");
    let required = members.get("required").and_then(Value::as_array);
    let is_required = |name: &String| required.is_some_and(|names| names.iter().any(|known| known == name.as_str()));
    let is_closed = !is_object
        || (members.get("additionalProperties") == Some(&Value::Bool(false))
            && properties.is_some_and(|all| all.keys().all(is_required)));
    let says_something = members.contains_key("type")
        || ["anyOf", "$ref", "enum", "const"].iter().any(|keyword| members.contains_key(*keyword));
    let lists = ["anyOf"].iter().filter_map(|name| members.get(*name)?.as_array()).flatten();
    let maps = ["properties", "$defs", "definitions"].iter().filter_map(|name| members.get(*name)?.as_object());
    let inner = lists.chain(maps.flat_map(Map::values)).chain(members.get("items"));
    is_known && is_closed && says_something && inner.into_iter().all(|inner| is_strict(inner, depth + 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_schemas_that_servers_take_as_strict_are_sent_as_strict() {
        let closed = json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"], "additionalProperties": false});
        assert!(is_strict(&closed, 0));
        assert!(is_strict(&json!({"anyOf": [closed, {"type": "null"}]}), 0));
        for loose in [
            json!({}),
            json!(true),
            json!({"type": "object"}),
            json!({"type": "object", "properties": {"a": {"type": "string"}}, "required": ["a"]}),
            json!({"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": false}),
            json!({"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": false}),
            json!({"type": "array", "items": {"type": "object"}}),
            json!({"type": "string", "minLength": 1}),
        ] {
            assert!(!is_strict(&loose, 0), "{loose}");
        }
    }
}
