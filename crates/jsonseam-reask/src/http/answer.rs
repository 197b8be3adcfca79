//! One answer of a server, whole: the parts of a chat completion that count, everything else passed over unread.

use std::fmt;

use serde::Deserialize;
use serde::de::{Deserializer, Error as _, IgnoredAny, MapAccess, SeqAccess, Visitor};

use crate::message::{Response, ToolCall, Usage};
use crate::transport::{RejectionCause, TransportError, TransportKind};

/// Most calls that are taken from one answer.
pub(super) const MAX_CALLS: usize = 128;

/// A chat completion, or one chunk of it.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Answer {
    /// The first choice; there is never more than one of interest.
    #[serde(deserialize_with = "first_choice")]
    pub(super) choices: Option<Choice>,
    pub(super) usage: Option<Counts>,
    pub(super) error: Option<ServerError>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Choice {
    /// Its number among the choices.
    index: Option<u32>,
    pub(super) message: Option<Said>,
    pub(super) delta: Option<Said>,
    pub(super) finish_reason: Option<String>,
}

/// What the model said, whole or a piece of it.
#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Said {
    #[serde(deserialize_with = "text")]
    pub(super) content: Option<String>,
    pub(super) refusal: Option<String>,
    #[serde(deserialize_with = "calls")]
    pub(super) tool_calls: Vec<Call>,
    pub(super) function_call: Option<Function>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Call {
    /// Which call a piece belongs to.
    pub(super) index: Option<u32>,
    pub(super) function: Option<Function>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
pub(super) struct Function {
    pub(super) name: Option<String>,
    pub(super) arguments: Option<String>,
}

#[derive(Deserialize, Default, Clone, Copy)]
#[serde(default)]
pub(super) struct Counts {
    prompt_tokens: u64,
    completion_tokens: u64,
}

impl From<Counts> for Usage {
    fn from(counts: Counts) -> Self {
        Self { prompt_tokens: counts.prompt_tokens, completion_tokens: counts.completion_tokens }
    }
}

/// What a server says went wrong.
#[derive(Default)]
pub(super) struct ServerError {
    message: Option<String>,
    status: Option<u16>,
    /// The server's own names for what went wrong.
    names: Vec<String>,
}

impl ServerError {
    /// The transport error that it stands for: by its status, if it tells one; else the server failed.
    pub(super) fn into_error(self) -> TransportError {
        let error = match self.status.filter(|status| (400..600).contains(status)) {
            Some(status) => TransportError::status(status),
            None => TransportError::new(TransportKind::Server),
        };
        self.told_with(error)
    }

    /// A transport error with what the server says about it. A quota that is used up is no matter of patience.
    pub(super) fn told_with(self, error: TransportError) -> TransportError {
        const QUOTA: [&str; 4] =
            ["insufficient_quota", "billing_hard_limit_reached", "billing_not_active", "quota_exceeded"];
        let cause = match () {
            () if self.names.iter().any(|name| QUOTA.contains(&name.as_str())) => RejectionCause::Quota,
            () if self.names.iter().any(|name| name == "context_length_exceeded") => RejectionCause::ContextLength,
            () if self.names.iter().any(|name| name == "model_not_found") => RejectionCause::Model,
            () => RejectionCause::of_message(self.message.as_deref().unwrap_or_default()),
        };
        let error = error.with_cause(cause);
        match self.message {
            Some(message) => error.with_detail(message),
            None => error,
        }
    }
}

/// An object with `message` and `code`, or anything else, which then only says that something went wrong.
impl<'de> Deserialize<'de> for ServerError {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct Reads;

        impl<'de> Visitor<'de> for Reads {
            type Value = ServerError;

            fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
                formatter.write_str("an error")
            }

            fn visit_str<E>(self, message: &str) -> Result<ServerError, E> {
                Ok(ServerError { message: Some(message.to_owned()), ..ServerError::default() })
            }

            fn visit_bool<E>(self, _: bool) -> Result<ServerError, E> {
                Ok(ServerError::default())
            }

            fn visit_u64<E>(self, status: u64) -> Result<ServerError, E> {
                Ok(ServerError { status: u16::try_from(status).ok(), ..ServerError::default() })
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<ServerError, A::Error> {
                let mut error = ServerError::default();
                while let Some(key) = map.next_key::<String>()? {
                    match key.as_str() {
                        "message" => error.message = map.next_value::<Lenient<String>>()?.0,
                        "code" | "status" | "type" => {
                            let raw = map.next_value::<&serde_json::value::RawValue>()?.get();
                            error.status = raw.trim_matches('"').parse().ok().or(error.status);
                            error.names.extend(serde_json::from_str::<String>(raw));
                        }
                        _ => {
                            map.next_value::<IgnoredAny>()?;
                        }
                    }
                }
                Ok(error)
            }
        }

        deserializer.deserialize_any(Reads)
    }
}

/// A value of the type, or nothing if it is another one.
struct Lenient<T>(Option<T>);

impl<'de> Deserialize<'de> for Lenient<String> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let raw = <&serde_json::value::RawValue>::deserialize(deserializer)?;
        Ok(Self(serde_json::from_str(raw.get()).ok()))
    }
}

/// The choice numbered 0, or the first; the others are passed over, however many there are.
fn first_choice<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<Choice>, D::Error> {
    struct Reads;

    impl<'de> Visitor<'de> for Reads {
        type Value = Option<Choice>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("choices")
        }

        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut first: Option<Choice> = list.next_element()?;
            // Servers may send them in any order; the one that was asked for is numbered 0.
            while first.as_ref().is_some_and(|choice| choice.index.is_some_and(|index| index > 0)) {
                let Some(next) = list.next_element::<Choice>()? else { break };
                let is_earlier = next.index.unwrap_or(0) == 0;
                first = if is_earlier { Some(next) } else { first };
            }
            while list.next_element::<IgnoredAny>()?.is_some() {}
            Ok(first)
        }
    }

    deserializer.deserialize_any(Reads)
}

/// The first calls of a list.
fn calls<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Vec<Call>, D::Error> {
    struct Reads;

    impl<'de> Visitor<'de> for Reads {
        type Value = Vec<Call>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("tool calls")
        }

        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(Vec::new())
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut calls = Vec::new();
            while let Some(call) = list.next_element()? {
                if calls.len() == MAX_CALLS {
                    return Err(A::Error::custom("too many calls"));
                }
                calls.push(call);
            }
            Ok(calls)
        }
    }

    deserializer.deserialize_any(Reads)
}

/// A string, or the texts of a list of parts.
fn text<'de, D: Deserializer<'de>>(deserializer: D) -> Result<Option<String>, D::Error> {
    #[derive(Deserialize, Default)]
    #[serde(default)]
    struct Part {
        text: Option<String>,
    }

    struct Reads;

    impl<'de> Visitor<'de> for Reads {
        type Value = Option<String>;

        fn expecting(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
            formatter.write_str("text")
        }

        fn visit_unit<E>(self) -> Result<Self::Value, E> {
            Ok(None)
        }

        fn visit_str<E>(self, text: &str) -> Result<Self::Value, E> {
            Ok(Some(text.to_owned()))
        }

        fn visit_string<E>(self, text: String) -> Result<Self::Value, E> {
            Ok(Some(text))
        }

        fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Self::Value, A::Error> {
            let mut all = String::new();
            while let Some(part) = list.next_element::<Part>()? {
                all.push_str(part.text.as_deref().unwrap_or_default());
            }
            Ok(Some(all))
        }
    }

    deserializer.deserialize_any(Reads)
}

/// Reads one JSON text of a server. What it says about itself is not forwarded: it may quote the answer.
pub(super) fn parse(text: &[u8]) -> Result<Answer, TransportError> {
    serde_json::from_slice(text).map_err(|_| TransportError::new(TransportKind::BadResponse))
}

/// The response in a whole answer.
pub(super) fn response(text: &[u8]) -> Result<Response, TransportError> {
    let answer = parse(text)?;
    if let Some(error) = answer.error {
        return Err(error.into_error());
    }
    let unusable = || TransportError::new(TransportKind::BadResponse);
    let choice = answer.choices.ok_or_else(unusable)?;
    let said = choice.message.ok_or_else(unusable)?;
    let calls: Vec<_> = said
        .tool_calls
        .into_iter()
        .filter_map(|call| call.function)
        .chain(said.function_call)
        .map(|function| ToolCall {
            name: function.name.unwrap_or_default(),
            arguments: function.arguments.unwrap_or_default(),
        })
        .collect();
    if let (None, [], Some(refusal)) = (&said.content, calls.as_slice(), said.refusal) {
        // A refusal is the model's last word. Nothing at all is an empty answer, which the model is asked for again.
        return Err(unusable().with_detail(refusal));
    }
    let mut response = Response::new(said.content.unwrap_or_default()).with_tool_calls(calls);
    response.finish_reason = choice.finish_reason;
    response.usage = answer.usage.map(Usage::from);
    Ok(response)
}
