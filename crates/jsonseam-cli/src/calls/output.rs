//! `calls --output`: the calls in the shape that a framework or provider has for them.

use serde_json::value::RawValue;

use super::{Call, Calls};
use crate::arguments::Output;

impl Output {
    /// The calls of `text` in this shape, as JSON; `None` for our own.
    /// A call without an identifier gets one that is made of the text and its place in it, so that results can be paired.
    pub(crate) fn shaped(self, calls: &Calls, text: &str) -> Option<String> {
        let content = calls.content.as_deref().map(RawValue::get);
        let ids = calls.list.iter().enumerate().map(|(index, call)| json(&id_of(call, text, index)));
        let calls_of = calls.list.iter().zip(ids);
        let thoughts = calls.thoughts.as_deref().map(json);
        Some(match self {
            Self::Native => return None,
            Self::OpenAi => {
                let call = |(call, id): (&Call, String)| {
                    let (name, arguments) = (call.name.get(), json(call.arguments.get()));
                    format!(r#"{{"id":{id},"type":"function","function":{{"name":{name},"arguments":{arguments}}}}}"#)
                };
                let thoughts = thoughts.map(|thoughts| format!(r#","reasoning_content":{thoughts}"#));
                let list = list(calls_of.map(call));
                let list = if calls.list.is_empty() { String::new() } else { format!(r#","tool_calls":{list}"#) };
                let content = content.unwrap_or("null");
                format!(r#"{{"role":"assistant","content":{content}{}{list}}}"#, thoughts.unwrap_or_default())
            }
            Self::Anthropic => {
                let call = |(call, id): (&Call, String)| {
                    let (name, input) = (call.name.get(), call.arguments.get());
                    format!(r#"{{"type":"tool_use","id":{id},"name":{name},"input":{input}}}"#)
                };
                let text = content.map(|content| format!(r#"{{"type":"text","text":{content}}}"#));
                let stop = if calls.list.is_empty() { "end_turn" } else { "tool_use" };
                let parts = list(text.into_iter().chain(calls_of.map(call)));
                format!(r#"{{"role":"assistant","content":{parts},"stop_reason":"{stop}"}}"#)
            }
            Self::Gemini => {
                let call = |(call, id): (&Call, String)| {
                    let (name, args) = (call.name.get(), call.arguments.get());
                    format!(r#"{{"functionCall":{{"id":{id},"name":{name},"args":{args}}}}}"#)
                };
                let thoughts = thoughts.map(|thoughts| format!(r#"{{"text":{thoughts},"thought":true}}"#));
                let text = content.map(|content| format!(r#"{{"text":{content}}}"#));
                let parts = list(thoughts.into_iter().chain(text).chain(calls_of.map(call)));
                format!(r#"{{"role":"model","parts":{parts}}}"#)
            }
            Self::Mcp => list(calls_of.map(|(call, id)| {
                let (name, arguments) = (call.name.get(), call.arguments.get());
                let params = format!(r#"{{"name":{name},"arguments":{arguments}}}"#);
                format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#)
            })),
        })
    }
}

fn list(parts: impl Iterator<Item = String>) -> String {
    format!("[{}]", parts.collect::<Vec<_>>().join(","))
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The identifier of a call: the model's own, or one that the same text gives again (FNV-1a, 64 bits).
fn id_of(call: &Call, text: &str, index: usize) -> String {
    call.id.clone().unwrap_or_else(|| {
        let start = 0xcbf2_9ce4_8422_2325_u64;
        let hash = text.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        format!("call_{hash:016x}_{index}")
    })
}
