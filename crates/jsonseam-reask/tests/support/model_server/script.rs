//! What a scripted server answers, in Rust or in TOML.

use std::fmt;
use std::time::Duration;

use serde::Deserialize;
use serde_json::json;

/// The answers of a server, in order. Beyond the last one, the last one comes again.
///
/// ```
/// use jsonseam_testkit::model_server::Script;
///
/// let script = Script::from_toml(r#"
/// [[reply]]
/// status = 503
/// [[reply]]
/// content = '{"city": "Oslo"}'
/// finish-reason = "stop"
/// usage = [12, 8]
/// "#)?;
/// assert_eq!(script.len(), 2);
/// # Ok::<(), jsonseam_testkit::model_server::ScriptError>(())
/// ```
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    #[serde(default)]
    reply: Vec<Reply>,
}

/// A script that cannot be read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ScriptError {
    message: String,
}

impl fmt::Display for ScriptError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "the script cannot be read: {}", self.message)
    }
}

impl std::error::Error for ScriptError {}

impl Script {
    /// A script of these answers.
    pub fn new(replies: impl IntoIterator<Item = Reply>) -> Self {
        Self { reply: replies.into_iter().collect() }
    }

    /// Reads a script: rows `[[reply]]` with the members of [`Reply`], in kebab-case.
    pub fn from_toml(text: &str) -> Result<Self, ScriptError> {
        toml::from_str(text).map_err(|error| ScriptError { message: error.to_string() })
    }

    /// How many answers it holds.
    pub fn len(&self) -> usize {
        self.reply.len()
    }

    /// Whether it holds no answer: then every connection is closed unanswered.
    pub fn is_empty(&self) -> bool {
        self.reply.is_empty()
    }

    /// The answer to a request, counted from 0.
    pub(super) fn reply(&self, number: usize) -> Option<&Reply> {
        self.reply.get(number).or(self.reply.last())
    }
}

/// How a connection breaks.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Drop {
    /// Before anything is answered.
    Connection,
    /// In the middle of the body.
    Body,
}

/// What a body that never ends goes on with.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Endless {
    /// Text without a newline.
    Bytes,
    /// Comments of a stream, as servers send to keep it open.
    KeepAlive,
    /// Pieces of an answer.
    Text,
    /// Pieces of calls.
    Calls,
}

impl Endless {
    pub(super) fn part(self) -> &'static [u8] {
        match self {
            Self::Bytes => &[b' '; 4096],
            Self::KeepAlive => b": keep-alive\n\n",
            Self::Text => b"data: {\"choices\":[{\"delta\":{\"content\":\"and so on and on \"}}]}\n\n",
            Self::Calls => {
                b"data: {\"choices\":[{\"delta\":{\"tool_calls\":[{\"index\":0,\"function\":{\"arguments\":\"more \"}}]}}]}\n\n"
            }
        }
    }
}

/// One answer.
#[derive(Debug, Clone, PartialEq, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Reply {
    /// The HTTP status.
    #[serde(default = "ok")]
    pub status: u16,
    /// What the model says; sent as a chat completion, or as a stream if the request asks for one.
    pub content: Option<String>,
    /// Why the model stopped.
    pub finish_reason: Option<String>,
    /// Tokens of the request and of the answer.
    pub usage: Option<[u64; 2]>,
    /// The body itself, in place of a chat completion.
    pub body: Option<String>,
    /// Whether it is a stream, whatever the request asks for.
    pub stream: Option<bool>,
    /// How many bytes are sent at once; all of them unless this is set.
    pub piece: Option<usize>,
    /// Milliseconds before anything is sent.
    #[serde(default)]
    pub delay_ms: u64,
    /// Milliseconds after each piece.
    #[serde(default)]
    pub pause_ms: u64,
    /// How the connection breaks.
    pub drops: Option<Drop>,
    /// What the body goes on with, for ever.
    pub endless: Option<Endless>,
    /// Further headers.
    #[serde(default)]
    pub headers: Vec<(String, String)>,
}

fn ok() -> u16 {
    200
}

impl Default for Reply {
    fn default() -> Self {
        Self {
            status: 200,
            content: None,
            finish_reason: None,
            usage: None,
            body: None,
            stream: None,
            piece: None,
            delay_ms: 0,
            pause_ms: 0,
            drops: None,
            endless: None,
            headers: Vec::new(),
        }
    }
}

impl Reply {
    /// The model says this, and stops of itself.
    pub fn content(text: impl Into<String>) -> Self {
        Self { content: Some(text.into()), finish_reason: Some("stop".to_owned()), ..Self::default() }
    }

    /// A status other than 200, with the error that servers write beside it.
    pub fn status(status: u16) -> Self {
        let body = json!({ "error": { "message": "scripted", "type": "scripted" } }).to_string();
        Self { status, body: Some(body), ..Self::default() }
    }

    /// This body and nothing else.
    pub fn body_text(body: impl Into<String>) -> Self {
        Self { body: Some(body.into()), ..Self::default() }
    }

    /// The same answer with one more header.
    #[must_use]
    pub fn with_header(mut self, name: &str, value: &str) -> Self {
        self.headers.push((name.to_owned(), value.to_owned()));
        self
    }

    pub(super) fn delay(&self) -> Duration {
        Duration::from_millis(self.delay_ms)
    }

    pub(super) fn pause(&self) -> Duration {
        Duration::from_millis(self.pause_ms)
    }

    pub(super) fn is_unbounded(&self) -> bool {
        self.endless.is_some() || self.stream == Some(true)
    }

    /// The type and the text of the body.
    pub(super) fn body(&self, wants_stream: bool) -> (&'static str, String) {
        const OBJECT: &str = "application/json";
        const STREAM: &str = "text/event-stream";
        let is_stream = self.stream.unwrap_or(wants_stream);
        match (&self.body, is_stream) {
            (Some(body), true) => (STREAM, body.clone()),
            (Some(body), false) => (OBJECT, body.clone()),
            (None, true) => (STREAM, self.events()),
            (None, false) => (OBJECT, self.completion()),
        }
    }

    fn completion(&self) -> String {
        let mut answer = json!({
            "object": "chat.completion",
            "choices": [{
                "index": 0,
                "message": { "role": "assistant", "content": self.content },
                "finish_reason": self.finish_reason,
            }],
        });
        if let Some([prompt, completion]) = self.usage {
            answer["usage"] = json!({ "prompt_tokens": prompt, "completion_tokens": completion });
        }
        answer.to_string()
    }

    fn events(&self) -> String {
        let text = self.content.as_deref().unwrap_or_default();
        let mut events = String::new();
        let mut push = |chunk: serde_json::Value| {
            events.push_str("data: ");
            events.push_str(&chunk.to_string());
            events.push_str("\n\n");
        };
        let characters: Vec<_> = text.chars().collect();
        for piece in characters.chunks(7) {
            push(json!({ "choices": [{ "delta": { "content": piece.iter().collect::<String>() } }] }));
        }
        push(json!({ "choices": [{ "delta": {}, "finish_reason": self.finish_reason }] }));
        if let Some([prompt, completion]) = self.usage {
            push(json!({ "choices": [], "usage": { "prompt_tokens": prompt, "completion_tokens": completion } }));
        }
        events.push_str("data: [DONE]\n\n");
        events
    }
}
