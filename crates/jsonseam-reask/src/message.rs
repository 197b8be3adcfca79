//! What goes to a model and what comes back. None of these types shows text in `Debug` (SPEC M5).

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use jsonseam_text::named;
use serde::Serialize;

use crate::json::JsonText;

named! {
    /// Who speaks in a message.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Role as "a role" {
        /// The application's instructions. The loop never writes one.
        System = "system",
        /// The user; the loop's own text goes here.
        User = "user",
        /// The model.
        Assistant = "assistant",
    }
}

/// One message of a conversation.
///
/// ```
/// use jsonseam_reask::{Message, Role};
///
/// let message = Message::user("Where is the Munch museum?");
/// assert_eq!((message.role, message.content.as_str()), (Role::User, "Where is the Munch museum?"));
/// ```
#[derive(Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Message {
    /// Who speaks.
    pub role: Role,
    /// What is said.
    pub content: String,
}

impl Message {
    /// A message of the application.
    pub fn system(content: impl Into<String>) -> Self {
        Self { role: Role::System, content: content.into() }
    }

    /// A message of the user.
    pub fn user(content: impl Into<String>) -> Self {
        Self { role: Role::User, content: content.into() }
    }

    /// A message of the model.
    pub fn assistant(content: impl Into<String>) -> Self {
        Self { role: Role::Assistant, content: content.into() }
    }
}

impl fmt::Debug for Message {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Message").field("role", &self.role).field("length", &self.content.len()).finish()
    }
}

/// What the caller wants to ask: messages, and what the server needs to know beside them.
///
/// ```
/// use jsonseam_reask::{Conversation, Message};
///
/// let one: Conversation = "List three rivers.".into();
/// let two: Conversation = vec![Message::system("You answer in JSON."), Message::user("List three rivers.")].into();
/// assert_eq!((one.messages.len(), two.messages.len()), (1, 2));
/// ```
#[derive(Clone, Default)]
#[non_exhaustive]
pub struct Conversation {
    /// The messages, in order. They are sent first in every request, the last one with the loop's own text appended when it is the user's.
    pub messages: Vec<Message>,
    /// The temperature of the first request; that of re-asks is in the settings (SPEC L3).
    pub temperature: Option<f64>,
    /// The tools that are offered, as the server's interface wants them. Passed on unchanged, to the last digit.
    pub tools: Vec<JsonText>,
}

impl Conversation {
    /// The same conversation with this temperature for the first request.
    #[must_use]
    pub fn with_temperature(mut self, temperature: f64) -> Self {
        self.temperature = Some(temperature);
        self
    }

    /// The same conversation with these instructions of the application before everything else.
    #[must_use]
    pub fn with_system(mut self, instructions: impl Into<String>) -> Self {
        self.messages.insert(0, Message::system(instructions));
        self
    }

    /// The same conversation with these tools offered.
    ///
    /// Give them as texts where the order of properties counts, which it does for models: a `serde_json::Value` sorts names.
    ///
    /// ```
    /// use jsonseam_reask::{Conversation, JsonText};
    ///
    /// let tool: JsonText = r#"{"type": "function", "function": {"name": "look_up", "parameters": {"type": "object"}}}"#.parse()?;
    /// assert_eq!(Conversation::from("Where?").with_tools([tool]).tools.len(), 1);
    /// # Ok::<(), jsonseam_reask::NotJson>(())
    /// ```
    #[must_use]
    pub fn with_tools(mut self, tools: impl IntoIterator<Item = impl Into<JsonText>>) -> Self {
        self.tools = tools.into_iter().map(Into::into).collect();
        self
    }
}

impl From<&str> for Conversation {
    fn from(prompt: &str) -> Self {
        vec![Message::user(prompt)].into()
    }
}

impl From<String> for Conversation {
    fn from(prompt: String) -> Self {
        vec![Message::user(prompt)].into()
    }
}

impl From<Vec<Message>> for Conversation {
    fn from(messages: Vec<Message>) -> Self {
        Self { messages, temperature: None, tools: Vec::new() }
    }
}

impl fmt::Debug for Conversation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Conversation").field("messages", &self.messages).finish_non_exhaustive()
    }
}

named! {
    /// How a server is asked for JSON (SPEC L6).
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
    #[non_exhaustive]
    pub enum Mode as "a mode" {
        /// The server is given the schema and holds the model to it.
        #[default]
        JsonSchema = "json-schema",
        /// The server holds the model to some JSON object; the prompt describes the format.
        JsonObject = "json-object",
        /// Plain text; the prompt describes the format.
        Text = "text",
        /// The model must call one tool, whose parameters are the schema; the arguments of the call are the answer.
        Tool = "tool",
    }
}

/// The name of the tool that a model must call in [`Mode::Tool`], and of the schema that servers are given.
pub const ANSWER_TOOL: &str = "answer";

/// One request to a model.
#[derive(Clone)]
#[non_exhaustive]
pub struct Request {
    /// Everything that is said, oldest first.
    pub messages: Vec<Message>,
    /// The response format to ask the server for.
    pub mode: Mode,
    /// The schema of the answer, in the modes `json-schema` and `tool`: the contract's own text, whose order is the order in which models write.
    pub schema: Option<JsonText>,
    /// The temperature: the caller's on first requests, that of the settings on re-asks.
    pub temperature: Option<f64>,
    /// The tools that are offered.
    pub tools: Arc<[JsonText]>,
    /// Which model of a chain is asked, from 0; see [`Reask::models`](crate::Reask::models).
    pub model: usize,
    /// The number of the attempt, from 1. A transport retry sends the same request with the same number.
    pub attempt: u32,
    /// What is left until the deadline. An answer that comes later is not waited for.
    pub timeout: Duration,
}

impl fmt::Debug for Request {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Request")
            .field("attempt", &self.attempt)
            .field("mode", &self.mode)
            .field("messages", &self.messages)
            .field("timeout", &self.timeout)
            .finish_non_exhaustive()
    }
}

/// A call that a server reports beside the text.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ToolCall {
    /// The tool's name.
    pub name: String,
    /// The arguments, as the model wrote them: JSON, or meant to be.
    pub arguments: String,
}

impl ToolCall {
    /// A call of this tool, with its arguments as the server spells them.
    pub fn new(name: impl Into<String>, arguments: impl Into<String>) -> Self {
        Self { name: name.into(), arguments: arguments.into() }
    }
}

impl fmt::Debug for ToolCall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("ToolCall").field("arguments_length", &self.arguments.len()).finish_non_exhaustive()
    }
}

/// Tokens, as the server counts them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize)]
#[non_exhaustive]
pub struct Usage {
    /// Tokens of the request.
    pub prompt_tokens: u64,
    /// Tokens of the answer.
    pub completion_tokens: u64,
}

impl Usage {
    /// Both together.
    pub fn total(self) -> u64 {
        self.prompt_tokens.saturating_add(self.completion_tokens)
    }

    /// The sum of two, without overflow.
    #[must_use]
    pub fn plus(self, other: Self) -> Self {
        Self {
            prompt_tokens: self.prompt_tokens.saturating_add(other.prompt_tokens),
            completion_tokens: self.completion_tokens.saturating_add(other.completion_tokens),
        }
    }
}

/// What a model answered.
///
/// ```
/// use jsonseam_reask::Response;
///
/// let response = Response::new("{\"city\": \"Oslo\"}").with_finish_reason("stop").with_usage(120, 9);
/// assert_eq!(response.usage.map(jsonseam_reask::Usage::total), Some(129));
/// ```
#[derive(Clone, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Response {
    /// The completion.
    pub text: String,
    /// Why the model stopped, in the server's words.
    pub finish_reason: Option<String>,
    /// Tokens, if the server counts them.
    pub usage: Option<Usage>,
    /// Calls that the server reports beside the text.
    /// They count if the contract is on calls, if the model was asked by tool, or if the text does not meet the contract.
    pub tool_calls: Vec<ToolCall>,
    /// What the model says in place of an answer, where the server reports that it refuses. It ends the run, whatever is beside it.
    pub refusal: Option<String>,
}

impl Response {
    /// An answer of this text, with nothing else known.
    pub fn new(text: impl Into<String>) -> Self {
        Self { text: text.into(), ..Self::default() }
    }

    /// The same answer with the server's reason for its end.
    #[must_use]
    pub fn with_finish_reason(mut self, reason: impl Into<String>) -> Self {
        self.finish_reason = Some(reason.into());
        self
    }

    /// The same answer with the server's count of tokens.
    #[must_use]
    pub fn with_usage(mut self, prompt_tokens: u64, completion_tokens: u64) -> Self {
        self.usage = Some(Usage { prompt_tokens, completion_tokens });
        self
    }

    /// The same answer with calls beside the text.
    #[must_use]
    pub fn with_tool_calls(mut self, calls: Vec<ToolCall>) -> Self {
        self.tool_calls = calls;
        self
    }

    /// The same answer as a refusal, in the model's words.
    ///
    /// ```
    /// use jsonseam_adapter::Adapter;
    /// use jsonseam_reask::{Reask, Request, Response, Stop, TransportError};
    ///
    /// let reask = Reask::new(Adapter::builder().output("city").build()?);
    /// let mut model = |_: Request| -> Result<Response, TransportError> { Ok(Response::default().with_refusal("I cannot.")) };
    /// let failure = reask.run_blocking(&mut model, "Where?").unwrap_err();
    /// assert_eq!((failure.stop, failure.error.reason().as_str(), failure.attempts.len()), (Stop::ModelRefused, "model_refused", 1));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[must_use]
    pub fn with_refusal(mut self, refusal: impl Into<String>) -> Self {
        self.refusal = Some(refusal.into());
        self
    }
}

impl From<&str> for Response {
    fn from(text: &str) -> Self {
        Self::new(text)
    }
}

impl From<String> for Response {
    fn from(text: String) -> Self {
        Self::new(text)
    }
}

impl fmt::Debug for Response {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Response")
            .field("length", &self.text.len())
            .field("usage", &self.usage)
            .field("tool_calls", &self.tool_calls.len())
            .field("is_refusal", &self.refusal.is_some())
            .finish_non_exhaustive()
    }
}
