//! The calls and the results of a history, whatever shape its messages have.

use std::ops::Range;

use crate::members::{Member, elements, members};

/// How the arguments of a call are spelled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spelling {
    /// A string that holds JSON.
    Text,
    /// An object, as Ollama and templates have it, which may be text too.
    Either,
    /// An object.
    Object,
}

/// A call of a history.
#[derive(Debug)]
pub(super) struct Call {
    pub(super) message: usize,
    pub(super) index: usize,
    pub(super) id: Option<String>,
    pub(super) name: String,
    pub(super) spelling: Spelling,
    /// The arguments; if there are none, an empty span where they would be.
    pub(super) value: Range<usize>,
    /// The JSON Pointer of the arguments.
    pub(super) path: String,
    /// The key of the arguments.
    pub(super) key: &'static str,
    /// Whether the arguments are given more than once.
    pub(super) is_repeated: bool,
    /// Whether a result follows.
    pub(super) is_answered: bool,
    /// Whether another call of the turn has its identifier.
    pub(super) is_doubled: bool,
}

/// The result of a call.
#[derive(Debug)]
pub(super) struct Outcome {
    pub(super) index: usize,
    pub(super) id: String,
}

/// How calls and results of a message are paired with those of others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Kind {
    /// The model's turn begins, or goes on if the one before was the model's too and both have their calls as parts.
    Model { has_parts: bool },
    /// Results, or words of someone else that end the turn.
    Other,
    /// An item of the responses: a result may be anywhere after its call.
    Item,
}

/// What a message has of calls and results.
#[derive(Debug)]
pub(super) struct Message {
    pub(super) index: usize,
    pub(super) kind: Kind,
    /// Its calls, as places in the list of all.
    pub(super) calls: Range<usize>,
    pub(super) results: Vec<Outcome>,
}

/// A history.
#[derive(Debug, Default)]
pub(super) struct History {
    pub(super) calls: Vec<Call>,
    pub(super) messages: Vec<Message>,
}

/// An object of the history with its members.
struct Object<'h> {
    text: &'h str,
    span: Range<usize>,
    members: Vec<Member>,
}

impl<'h> Object<'h> {
    fn at(text: &'h str, span: Range<usize>) -> Option<Self> {
        let mut members = members(text.get(span.clone())?)?;
        for member in &mut members {
            for part in [&mut member.key_span, &mut member.value] {
                *part = part.start + span.start..part.end + span.start;
            }
        }
        Some(Self { text, span, members })
    }

    fn all<'o>(&'o self, key: &'o str) -> impl Iterator<Item = Range<usize>> + 'o {
        self.members.iter().filter(move |member| member.key == key).map(|member| member.value.clone())
    }

    /// The text of a member that is a string.
    fn string(&self, key: &str) -> Option<String> {
        serde_json::from_str(self.text.get(self.all(key).next()?)?).ok()
    }

    fn object(&self, key: &str) -> Option<Self> {
        Self::at(self.text, self.all(key).next()?)
    }

    /// The elements of a member that is an array.
    fn list(&self, key: &str) -> Vec<Range<usize>> {
        self.all(key).next().map_or_else(Vec::new, |span| list(self.text, span).unwrap_or_default())
    }

    fn is(&self, key: &str, value: &str) -> bool {
        self.string(key).as_deref() == Some(value)
    }

    /// Where a member would be added: before the closing brace.
    fn end(&self) -> usize {
        self.members.last().map_or(self.span.start + 1, |member| member.value.end)
    }
}

fn list(text: &str, span: Range<usize>) -> Option<Vec<Range<usize>>> {
    let within = |item: Range<usize>| span.start + item.start..span.start + item.end;
    Some(elements(text.get(span.clone())?)?.into_iter().map(within).collect())
}

/// The calls and results of a history, which is valid JSON; `None` if there is no list of messages.
pub(super) fn read(text: &str) -> Option<History> {
    let whole = 0..text.len();
    let (messages, path) = match Object::at(text, whole.clone()) {
        None => (list(text, whole)?, String::new()),
        Some(request) => ["messages", "input"].iter().find_map(|key| {
            let span = request.all(key).next()?;
            Some((list(text, span)?, format!("/{key}")))
        })?,
    };
    let mut history = History::default();
    for (index, span) in messages.into_iter().enumerate() {
        let Some(message) = Object::at(text, span) else { continue };
        history.take(&message, index, &format!("{path}/{index}"));
    }
    Some(history)
}

impl History {
    fn take(&mut self, message: &Object<'_>, index: usize, path: &str) {
        let start = self.calls.len();
        let mut results = Vec::new();
        let kind = match message.string("type").as_deref() {
            Some("function_call") => {
                self.call(message, index, message.string("call_id"), Spelling::Text, "arguments", path);
                Kind::Item
            }
            Some("function_call_output") => {
                results.extend(message.string("call_id").map(|id| Outcome { index: 0, id }));
                Kind::Item
            }
            Some(kind) if kind != "message" && message.all("role").next().is_none() => Kind::Item,
            _ => self.take_message(message, index, path, &mut results),
        };
        self.messages.push(Message { index, kind, calls: start..self.calls.len(), results });
    }

    fn take_message(&mut self, message: &Object<'_>, index: usize, path: &str, results: &mut Vec<Outcome>) -> Kind {
        let is_model = message.is("role", "assistant");
        if message.is("role", "tool") {
            results.extend(message.string("tool_call_id").map(|id| Outcome { index: 0, id }));
        }
        if is_model {
            for (at, span) in message.list("tool_calls").into_iter().enumerate() {
                let Some(call) = Object::at(message.text, span) else { continue };
                let Some(function) = call.object("function") else { continue };
                let id = call.string("id");
                let is_openai = id.is_some() && call.is("type", "function");
                let spelling = if is_openai { Spelling::Text } else { Spelling::Either };
                self.call(&function, index, id, spelling, "arguments", &format!("{path}/tool_calls/{at}/function"));
            }
            if let Some(function) = message.object("function_call") {
                self.call(&function, index, None, Spelling::Text, "arguments", &format!("{path}/function_call"));
            }
        }
        let mut has_parts = false;
        for (at, span) in message.list("content").into_iter().enumerate() {
            let Some(part) = Object::at(message.text, span) else { continue };
            if is_model && part.is("type", "tool_use") {
                has_parts = true;
                self.call(&part, index, part.string("id"), Spelling::Object, "input", &format!("{path}/content/{at}"));
            } else if !is_model && part.is("type", "tool_result") {
                results.extend(part.string("tool_use_id").map(|id| Outcome { index: at, id }));
            }
        }
        if is_model { Kind::Model { has_parts } } else { Kind::Other }
    }

    /// Adds a call whose arguments are a member of `owner`, which is at `path`.
    fn call(
        &mut self,
        owner: &Object<'_>,
        message: usize,
        id: Option<String>,
        spelling: Spelling,
        key: &'static str,
        path: &str,
    ) {
        let mut given = owner.all(key);
        let first = given.next();
        let end = owner.end();
        let is_repeated = given.next().is_some();
        let last = self.calls.last().filter(|call| call.message == message);
        let before = last.map_or(0, |call| call.index + 1);
        self.calls.push(Call {
            message,
            index: before,
            id,
            name: owner.string("name").unwrap_or_default(),
            spelling,
            value: first.unwrap_or(end..end),
            path: format!("{path}/{key}"),
            key,
            is_repeated,
            is_answered: false,
            is_doubled: false,
        });
    }
}
