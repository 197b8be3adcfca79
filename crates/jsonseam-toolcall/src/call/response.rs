//! Whole responses of servers, and requests of the Model Context Protocol: JSON around calls that is no data (SPEC L0a).

use std::ops::Range;

use crate::members::{Member, elements, members};

/// How deep the messages of a response hold each other.
const MAX_DEPTH: usize = 4;

/// The calls in a response, and what it says beside them; all spans are of the text that it is in.
#[derive(Default)]
pub(super) struct Response {
    pub(super) calls: Vec<Range<usize>>,
    /// The identifier of a request, where the calls have none of their own.
    pub(super) id: Option<String>,
    /// The contents of the strings that are text, as JSON spells them.
    pub(super) said: Vec<Range<usize>>,
}

/// An object within a text.
struct Object<'t> {
    text: &'t str,
    members: Vec<Member>,
}

impl<'t> Object<'t> {
    fn new(text: &'t str, span: &Range<usize>) -> Option<Self> {
        let mut members = members(text.get(span.clone())?)?;
        for member in &mut members {
            member.value = member.value.start + span.start..member.value.end + span.start;
        }
        Some(Self { text, members })
    }

    /// The value of a member that is there once, and is not null.
    fn get(&self, key: &str) -> Option<Range<usize>> {
        let mut found = self.members.iter().filter(|member| member.key == key);
        let value = &found.next()?.value;
        (found.next().is_none() && self.text.get(value.clone())? != "null").then(|| value.clone())
    }

    /// The content of a string that is a member.
    fn string(&self, key: &str) -> Option<Range<usize>> {
        let value = self.get(key)?;
        let is_string = self.text.get(value.clone())?.starts_with('"');
        is_string.then(|| value.start + 1..value.end - 1)
    }

    fn is(&self, key: &str, text: &str) -> bool {
        self.string(key).and_then(|span| self.text.get(span)) == Some(text)
    }

    fn object(&self, key: &str) -> Option<Self> {
        Self::new(self.text, &self.get(key)?)
    }

    fn list(&self, key: &str) -> Option<Vec<Range<usize>>> {
        let value = self.get(key)?;
        let found = elements(self.text.get(value.clone())?)?;
        Some(found.into_iter().map(|one| one.start + value.start..one.end + value.start).collect())
    }

    /// The one element of a list: of several choices none is the answer.
    fn only(&self, key: &str) -> Option<Self> {
        let list = self.list(key)?;
        let [one] = list.as_slice() else { return None };
        Self::new(self.text, one)
    }

    /// Whether the server says that the model was stopped: the last call may be half of one.
    fn is_cut(&self) -> bool {
        let reasons = ["finish_reason", "stop_reason", "finishReason", "stopReason", "status"];
        let cuts = ["length", "content_filter", "max_tokens", "MAX_TOKENS", "incomplete", "failed", "cancelled"];
        reasons.into_iter().any(|key| cuts.into_iter().any(|cut| self.is(key, cut)))
    }
}

impl Response {
    /// What the object at `span` holds, if it is a response or a request with a call, and nothing is in it but calls, text and thoughts.
    pub(super) fn read(text: &str, span: &Range<usize>) -> Option<Self> {
        let object = Object::new(text, span)?;
        let mut read = Self::default();
        if object.is("method", "tools/call") {
            let is_known = |member: &Member| ["jsonrpc", "id", "method", "params"].contains(&member.key.as_str());
            if !object.is("jsonrpc", "2.0") || !object.members.iter().all(is_known) {
                return None;
            }
            read.calls.push(object.get("params")?);
            let id = object.string("id").or_else(|| object.get("id"));
            read.id = id.and_then(|id| text.get(id)).map(str::to_owned);
            return Some(read);
        }
        if object.is("name", "multi_tool_use.parallel") {
            let held = object.object("arguments").or_else(|| object.object("parameters"))?;
            read.calls = held.list("tool_uses").filter(|_| object.members.len() == 2 && held.members.len() == 1)?;
            return (!read.calls.is_empty()).then_some(read);
        }
        read.response(&object)?;
        (!read.calls.is_empty()).then_some(read)
    }

    fn response(&mut self, object: &Object<'_>) -> Option<()> {
        if object.is_cut() {
            return None;
        }
        if object.is("object", "chat.completion") {
            let choice = object.only("choices").filter(|choice| !choice.is_cut())?;
            return self.message(&choice.object("message")?);
        }
        if object.is("object", "response") {
            return self.parts(object.text, object.list("output")?, MAX_DEPTH);
        }
        if object.get("candidates").is_some() {
            let candidate = object.only("candidates").filter(|candidate| !candidate.is_cut())?;
            return self.parts(object.text, candidate.object("content")?.list("parts")?, MAX_DEPTH);
        }
        if object.get("stopReason").is_some() {
            return self.parts(object.text, object.object("output")?.object("message")?.list("content")?, MAX_DEPTH);
        }
        if object.is("type", "message") && object.is("role", "assistant") && object.get("stop_reason").is_some() {
            return self.parts(object.text, object.list("content")?, MAX_DEPTH);
        }
        // One message alone may be anything's: it is read only if it says nothing.
        let (role, content) = (object.is("role", "assistant"), object.is("role", "model"));
        let parts = if role { object.list("content") } else { object.list("parts").filter(|_| content) };
        self.parts(object.text, parts?, MAX_DEPTH)?;
        self.said.is_empty().then_some(())
    }

    /// A message of chat completions.
    fn message(&mut self, message: &Object<'_>) -> Option<()> {
        if !message.is("role", "assistant") || message.get("refusal").is_some() {
            return None;
        }
        if message.get("content").is_some() {
            self.say(message.string("content")?);
        }
        self.calls.extend(message.list("tool_calls")?);
        Some(())
    }

    /// The parts of a message, or the items of a response.
    fn parts(&mut self, text: &str, parts: Vec<Range<usize>>, depth: usize) -> Option<()> {
        let depth = depth.checked_sub(1)?;
        parts.into_iter().try_for_each(|span| {
            let part = Object::new(text, &span)?;
            let is = |kind: &str| part.is("type", kind);
            let inner = part.get("functionCall").or_else(|| part.get("toolUse"));
            let is_thought = part.get("thought").is_some_and(|thought| text.get(thought) == Some("true"))
                || ["thinking", "redacted_thinking", "reasoning"].into_iter().any(is)
                || part.get("reasoningContent").is_some();
            if let Some(inner) = inner {
                self.calls.push(inner);
            } else if is("tool_use") || is("function_call") {
                self.calls.push(span);
            } else if is("message") && part.is("role", "assistant") {
                self.parts(text, part.list("content")?, depth)?;
            } else if !is_thought {
                let is_text = is("text") || is("output_text") || part.get("type").is_none();
                self.say(part.string("text").filter(|_| is_text)?);
            }
            Some(())
        })
    }

    fn say(&mut self, span: Range<usize>) {
        self.said.extend((!span.is_empty()).then_some(span));
    }
}
