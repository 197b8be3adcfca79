//! The body of a request (API reference of `OpenAI`, "Create chat completion").

use serde_json::{Value, json};

use crate::message::{Mode, Request};

/// The longest name that a server takes for a schema.
const SCHEMA_NAME: &str = "answer";

/// The body for one request.
pub(super) fn body(request: &Request, model: &str, is_streamed: bool) -> Value {
    let messages: Vec<_> = request
        .messages
        .iter()
        .map(|message| json!({ "role": message.role.as_str(), "content": message.content }))
        .collect();
    let mut body = json!({ "model": model, "messages": messages });
    let mut set = |name: &str, value: Value| {
        if let Some(members) = body.as_object_mut() {
            members.insert(name.to_owned(), value);
        }
    };
    if let Some(temperature) = request.temperature {
        set("temperature", json!(temperature));
    }
    match (request.mode, &request.schema) {
        (Mode::JsonSchema, Some(schema)) => {
            set(
                "response_format",
                json!({
                    "type": "json_schema",
                    "json_schema": { "name": SCHEMA_NAME, "schema": schema.as_ref() },
                }),
            );
        }
        (Mode::JsonObject | Mode::JsonSchema, _) => set("response_format", json!({ "type": "json_object" })),
        (Mode::Text, _) => {}
    }
    if !request.tools.is_empty() {
        set("tools", Value::Array(request.tools.to_vec()));
    }
    if is_streamed {
        set("stream", Value::Bool(true));
        set("stream_options", json!({ "include_usage": true }));
    }
    body
}
