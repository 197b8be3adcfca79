//! The calls in the shape that a framework or provider has for them.

use jsonseam_text::named;
use serde_json::value::RawValue;

use super::{CallRecord, CallsRecord};

named! {
    /// The shape of the calls.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
    pub enum Output as "a shape of calls" {
        /// Our own record.
        #[default]
        Native = "native",
        /// A message of the chat completions of `OpenAI`.
        OpenAi = "openai",
        /// A message of Anthropic.
        Anthropic = "anthropic",
        /// A content of Gemini.
        Gemini = "gemini",
        /// Requests `tools/call` of the Model Context Protocol.
        Mcp = "mcp",
    }
}

impl CallsRecord {
    /// The calls of `text` in this shape, as one line of JSON.
    /// A call without an identifier gets one that is made of the text and its place in it, so that results can be paired; our own record has null there.
    pub fn shaped(&self, output: Output, text: &str) -> String {
        let content = self.content.as_deref().map(RawValue::get);
        let ids = self.calls.iter().enumerate().map(|(index, call)| json(&id_of(call, text, index)));
        let calls_of = self.calls.iter().zip(ids);
        let thoughts = self.thoughts.as_deref().map(json);
        match output {
            // What cannot fail: names, numbers and JSON.
            Output::Native => serde_json::to_string(self).unwrap_or_default(),
            Output::OpenAi => {
                let call = |(call, id): (&CallRecord, String)| {
                    let (name, arguments) = (call.name.get(), json(call.arguments.get()));
                    format!(r#"{{"id":{id},"type":"function","function":{{"name":{name},"arguments":{arguments}}}}}"#)
                };
                let thoughts = thoughts.map(|thoughts| format!(r#","reasoning_content":{thoughts}"#));
                let list = list(calls_of.map(call));
                let list = if self.calls.is_empty() { String::new() } else { format!(r#","tool_calls":{list}"#) };
                let content = content.unwrap_or("null");
                format!(r#"{{"role":"assistant","content":{content}{}{list}}}"#, thoughts.unwrap_or_default())
            }
            Output::Anthropic => {
                let call = |(call, id): (&CallRecord, String)| {
                    let (name, input) = (call.name.get(), call.arguments.get());
                    format!(r#"{{"type":"tool_use","id":{id},"name":{name},"input":{input}}}"#)
                };
                let text = content.map(|content| format!(r#"{{"type":"text","text":{content}}}"#));
                let stop = if self.calls.is_empty() { "end_turn" } else { "tool_use" };
                let parts = list(text.into_iter().chain(calls_of.map(call)));
                format!(r#"{{"role":"assistant","content":{parts},"stop_reason":"{stop}"}}"#)
            }
            Output::Gemini => {
                let call = |(call, id): (&CallRecord, String)| {
                    let (name, args) = (call.name.get(), call.arguments.get());
                    format!(r#"{{"functionCall":{{"id":{id},"name":{name},"args":{args}}}}}"#)
                };
                let thoughts = thoughts.map(|thoughts| format!(r#"{{"text":{thoughts},"thought":true}}"#));
                let text = content.map(|content| format!(r#"{{"text":{content}}}"#));
                let parts = list(thoughts.into_iter().chain(text).chain(calls_of.map(call)));
                format!(r#"{{"role":"model","parts":{parts}}}"#)
            }
            Output::Mcp => list(calls_of.map(|(call, id)| {
                let (name, arguments) = (call.name.get(), call.arguments.get());
                let params = format!(r#"{{"name":{name},"arguments":{arguments}}}"#);
                format!(r#"{{"jsonrpc":"2.0","id":{id},"method":"tools/call","params":{params}}}"#)
            })),
        }
    }
}

fn list(parts: impl Iterator<Item = String>) -> String {
    format!("[{}]", parts.collect::<Vec<_>>().join(","))
}

fn json(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

/// The identifier of a call: the model's own, or one that the same text gives again (FNV-1a, 64 bits).
fn id_of(call: &CallRecord, text: &str, index: usize) -> String {
    call.id.clone().unwrap_or_else(|| {
        let start = 0xcbf2_9ce4_8422_2325_u64;
        let hash = text.bytes().fold(start, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
        format!("call_{hash:016x}_{index}")
    })
}
