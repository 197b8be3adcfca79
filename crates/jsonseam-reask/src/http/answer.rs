//! One answer of a server, whole or a piece: the parts of a chat completion that count, everything else passed over unread.
//!
//! **Invariant:** what is only on record (usage, ids, indexes, fingerprints, scores) never costs an answer, whatever its type (SPEC L9a).
//! So nothing here is read into a type that may not fit: each member is looked for by its name, and taken for what it is.

use std::borrow::Cow;

use jsonseam_text::{elements, members};
use serde_json::value::RawValue;

use crate::message::{Response, ToolCall, Usage};
use crate::transport::{RejectionCause, TransportError, TransportKind};

/// Most calls that are taken from one answer.
pub(super) const MAX_CALLS: usize = 128;

/// A chat completion, or one chunk of it.
#[derive(Default)]
pub(super) struct Answer {
    /// The choice that counts; there is never more than one of interest.
    pub(super) choice: Option<Choice>,
    pub(super) usage: Option<Usage>,
    pub(super) error: Option<ServerError>,
}

#[derive(Default)]
pub(super) struct Choice {
    /// Its number among the choices, as far as it has one.
    pub(super) index: Option<u64>,
    pub(super) said: Option<Said>,
    pub(super) finish_reason: Option<String>,
    /// Whether the server says that the model has stopped, in whatever words.
    pub(super) has_ended: bool,
}

/// What the model said, whole or a piece of it.
#[derive(Default)]
pub(super) struct Said {
    pub(super) content: Option<String>,
    pub(super) refusal: Option<String>,
    pub(super) calls: Vec<Call>,
}

/// A call, or a piece of one.
pub(super) struct Call {
    /// Which call a piece belongs to, as far as the server says.
    pub(super) index: Option<u64>,
    pub(super) name: String,
    pub(super) arguments: String,
}

/// What a server says went wrong.
#[derive(Default)]
pub(super) struct ServerError {
    message: Option<String>,
    status: Option<u16>,
    /// The server's own names for what went wrong, and for the member of the request that it is about.
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
        const FILTER: [&str; 2] = ["content_filter", "content_policy_violation"];
        let named = |known: &[&str]| self.names.iter().any(|name| known.contains(&name.as_str()));
        let cause = match () {
            () if named(&QUOTA) => RejectionCause::Quota,
            () if named(&FILTER) => RejectionCause::ContentFilter,
            () if named(&["context_length_exceeded"]) => RejectionCause::ContextLength,
            () if named(&["model_not_found"]) => RejectionCause::Model,
            () if named(&["temperature"]) => RejectionCause::Temperature,
            () => RejectionCause::of_message(self.message.as_deref().unwrap_or_default()),
        };
        let error = error.with_cause(cause);
        match self.message {
            Some(message) => error.with_detail(message),
            None => error,
        }
    }

    /// An object with `message` and `code`, a text or a status; anything else only says that something went wrong.
    ///
    /// Nothing went wrong where there is nothing: gateways send `"error": null`, `false`, `""` and `{}` with every answer.
    fn of(json: &str) -> Option<Self> {
        if is_nothing(json) {
            return None;
        }
        let mut error = Self { message: string(json), status: json.parse().ok(), ..Self::default() };
        for member in members(json) {
            let value = json.get(member.value.clone()).unwrap_or_default();
            match member.name(json).as_str() {
                Some("message") => error.message = string(value),
                // The words of one framework, as a text or as a list with places of the request in it.
                Some("detail") => error.message = string(value).or_else(|| Some(value.to_owned())),
                Some("code" | "status" | "type") => {
                    error.status = value.trim_matches('"').parse().ok().or(error.status);
                    error.names.extend(string(value));
                }
                Some("param") => error.names.extend(string(value)),
                _ => {}
            }
        }
        Some(error)
    }
}

/// The value of a member of a valid JSON text, unless it is `null`. Of several of the name it is the last one, as for most readers of JSON.
fn member<'t>(json: &'t str, name: &str) -> Option<&'t str> {
    let named = members(json).filter(|member| member.name(json).as_str() == Some(name));
    named.filter_map(|member| json.get(member.value)).last().filter(|value| *value != "null")
}

/// The text that a string spells; `None` if it is not a string, or one that no text is.
fn string(json: &str) -> Option<String> {
    serde_json::from_str(json).ok()
}

/// Whether a value is what programs write where there is nothing to say, or an object of such values.
fn is_nothing(json: &str) -> bool {
    let is_blank = |json: &str| {
        let is_empty = || members(json).next().is_none() && elements(json).next().is_none();
        matches!(json, "null" | "false" | "0" | "\"\"") || (json.starts_with(['{', '[']) && is_empty())
    };
    let mut values = members(json).filter_map(|member| json.get(member.value));
    is_blank(json) || (json.starts_with('{') && values.all(is_blank))
}

/// A count, however it is spelled: `10`, `10.0`, `"10"`. `None` for anything else.
fn count(json: &str) -> Option<u64> {
    let digits = string(json).map_or(Cow::Borrowed(json), Cow::Owned);
    let digits = digits.trim();
    let whole = |digits: &str| digits.parse().ok();
    whole(digits).or_else(|| {
        let (before, after) = digits.split_once('.')?;
        whole(before).filter(|_| !after.is_empty() && after.bytes().all(|digit| digit == b'0'))
    })
}

/// The tokens, if the server counts any.
fn usage(json: &str) -> Option<Usage> {
    let count = |name| member(json, name).and_then(count);
    let (prompt, completion) = (count("prompt_tokens"), count("completion_tokens"));
    (prompt.is_some() || completion.is_some())
        .then(|| Usage { prompt_tokens: prompt.unwrap_or_default(), completion_tokens: completion.unwrap_or_default() })
}

/// The choice numbered 0 or not at all, or else the first; the others are passed over, however many there are.
fn choice(json: &str) -> Option<Result<Choice, TransportError>> {
    let choices = || elements(json).filter_map(|span| json.get(span)).filter(|choice| choice.starts_with('{'));
    let index = |choice: &str| member(choice, "index").and_then(count);
    // Servers may send them in any order.
    let choice = choices().find(|choice| index(choice).unwrap_or(0) == 0).or_else(|| choices().next())?;
    let said = member(choice, "delta").or_else(|| member(choice, "message")).filter(|said| said.starts_with('{'));
    let said = match said.map(said_of).transpose() {
        Ok(said) => said,
        Err(error) => return Some(Err(error)),
    };
    let reason = member(choice, "finish_reason").filter(|reason| *reason != "false");
    let finish_reason = reason.and_then(finish_reason);
    Some(Ok(Choice { index: index(choice), said, finish_reason, has_ended: reason.is_some() }))
}

/// The name of a finish reason; some gateways send an object with the name in it.
fn finish_reason(json: &str) -> Option<String> {
    let named = ["type", "reason", "name", "finish_reason"].iter().find_map(|name| string(member(json, name)?));
    string(json).or(named).filter(|reason| !reason.is_empty())
}

fn said_of(json: &str) -> Result<Said, TransportError> {
    let mut said = Said { refusal: member(json, "refusal").and_then(refusal), ..Said::default() };
    if let Some(content) = member(json, "content") {
        said.take_content(content)?;
    }
    if let Some(calls) = member(json, "tool_calls") {
        let several = elements(calls).filter_map(|span| calls.get(span));
        // A call alone is a list of one.
        for call in several.chain((calls.starts_with('{')).then_some(calls)).filter(|call| call.starts_with('{')) {
            said.take_call(call)?;
        }
    }
    if let Some(function) = member(json, "function_call").filter(|function| function.starts_with('{')) {
        said.take_call(function)?;
    }
    Ok(said)
}

/// What a refusal says; an object or a bare `true` is one too, without words that we know.
fn refusal(json: &str) -> Option<String> {
    if is_nothing(json) {
        return None;
    }
    string(json).or_else(|| Some(json.to_owned()))
}

impl Said {
    /// A string, or the texts of a list of parts. Any other value is what the model said, decoded by a server too eager: its own text is the answer.
    fn take_content(&mut self, json: &str) -> Result<(), TransportError> {
        let parts: Vec<Part<'_>> = match json.as_bytes().first() {
            Some(b'[') => elements(json).filter_map(|span| json.get(span)).map(Part::of).collect(),
            Some(b'{') if !is_text_part(json) => vec![Part::Data],
            _ => vec![Part::of(json)],
        };
        let is_said = |part: &Part<'_>| !matches!(part, Part::Data | Part::Other);
        let is_data =
            parts.iter().any(|part| matches!(part, Part::Data)) || !(parts.is_empty() || parts.iter().any(is_said));
        if is_data {
            self.content = Some(json.to_owned());
            return Ok(());
        }
        let mut text = String::new();
        for part in parts {
            match part {
                Part::Text(json) => text.push_str(&string(json).ok_or_else(unreadable)?),
                Part::Refusal(json) => {
                    self.refusal.get_or_insert_default().push_str(&refusal(json).unwrap_or_default());
                }
                Part::Silent | Part::Other | Part::Data => {}
            }
        }
        self.content = Some(text);
        Ok(())
    }

    fn take_call(&mut self, json: &str) -> Result<(), TransportError> {
        if self.calls.len() == MAX_CALLS {
            return Err(unreadable());
        }
        // Some servers leave out the wrapper of the function.
        let function = member(json, "function").filter(|function| function.starts_with('{')).unwrap_or(json);
        let name = member(function, "name").and_then(string).unwrap_or_default();
        let arguments = match member(function, "arguments") {
            None => String::new(),
            Some(text) if text.starts_with('"') => string(text).ok_or_else(unreadable)?,
            // The arguments themselves in place of their text: their own text is what the model meant.
            Some(value) => value.to_owned(),
        };
        self.calls.push(Call { index: member(json, "index").and_then(count), name, arguments });
        Ok(())
    }
}

/// A part of a content in parts.
enum Part<'t> {
    /// A JSON string, whose text belongs to the answer.
    Text(&'t str),
    Refusal(&'t str),
    /// Nothing, or a thought, which is no part of an answer (SPEC B4).
    Silent,
    /// An image, or whatever else says its type and has no text.
    Other,
    /// No part, but data.
    Data,
}

impl<'t> Part<'t> {
    fn of(json: &'t str) -> Self {
        match json.as_bytes().first() {
            Some(b'"') => return Self::Text(json),
            Some(b'{') => {}
            _ => return if json == "null" { Self::Silent } else { Self::Data },
        }
        let kind = member(json, "type").and_then(string);
        let is_thought = |kind: &str| ["think", "thought", "reason"].iter().any(|word| kind.contains(word));
        match (kind.as_deref(), text_of(json)) {
            (Some(kind), _) if is_thought(kind) => Self::Silent,
            (Some("refusal"), text) => member(json, "refusal").or(text).map_or(Self::Silent, Self::Refusal),
            (_, Some(text)) => Self::Text(text),
            (Some(_), None) => Self::Other,
            (None, None) => Self::Data,
        }
    }
}

/// The text of a part, as a JSON string; one interface puts it into an object as its `value`.
fn text_of(json: &str) -> Option<&str> {
    let text = member(json, "text")?;
    let text = if text.starts_with('{') { member(text, "value")? } else { text };
    Some(text).filter(|text| text.starts_with('"'))
}

/// Whether an object that is all of a content is a part of text: an answer may have a member `text` too, so it must say its type.
fn is_text_part(json: &str) -> bool {
    let kind = member(json, "type").and_then(string);
    kind.is_some_and(|kind| ["text", "output_text", "refusal"].contains(&kind.as_str()))
}

fn unreadable() -> TransportError {
    TransportError::new(TransportKind::BadResponse)
}

/// Reads one JSON text of a server. What is wrong with it is not told: that may quote the answer.
pub(super) fn parse(bytes: &[u8]) -> Result<Answer, TransportError> {
    let text = readable(bytes)?;
    let json = inner(&text);
    let answer = Answer {
        choice: member(json, "choices").and_then(choice).transpose()?,
        usage: member(json, "usage").and_then(usage),
        error: member(json, "error").and_then(ServerError::of),
    };
    // Bytes that are not UTF-8 cost nothing where they are only on record; in an answer they would be another text.
    let is_damaged = || answer.texts().any(|text| text.contains(char::REPLACEMENT_CHARACTER));
    if str::from_utf8(bytes).is_err() && is_damaged() { Err(unreadable()) } else { Ok(answer) }
}

/// The JSON of a text of a server.
///
/// Byte order marks, blanks and NULs around it are no part of it. `NaN` and infinities, which Python writes as numbers, are read as `null`.
fn readable(bytes: &[u8]) -> Result<String, TransportError> {
    let text = String::from_utf8_lossy(bytes);
    let json = text.trim_matches(|outer: char| outer.is_ascii_whitespace() || matches!(outer, '\0' | '\u{FEFF}'));
    let json = if is_json(json) { json.to_owned() } else { with_null_for_nan(json) };
    if is_json(&json) { Ok(json) } else { Err(unreadable().with_cause(cause_of(bytes))) }
}

/// Whether a text of a server is JSON, in the spelling of some server.
pub(super) fn is_readable(bytes: &[u8]) -> bool {
    readable(bytes).is_ok()
}

/// What a body is that is not JSON, as far as its first bytes tell.
fn cause_of(bytes: &[u8]) -> RejectionCause {
    const GZIP: &[u8] = b"\x1F\x8B";
    const ZSTD: &[u8] = b"\x28\xB5\x2F\xFD";
    match bytes.trim_ascii_start() {
        [b'<', ..] => RejectionCause::Page,
        body if body.starts_with(GZIP) || body.starts_with(ZSTD) => RejectionCause::Compressed,
        _ => RejectionCause::Unknown,
    }
}

/// What counts of a JSON text: some gateways put their errors into a list of one.
fn inner(json: &str) -> &str {
    let mut inner = elements(json);
    match (inner.next(), inner.next()) {
        (Some(only), None) => json.get(only).unwrap_or_default(),
        _ => json,
    }
}

/// What a server says with a status that is no success: in a member `error`, or bare.
pub(super) fn failure(bytes: &[u8]) -> Option<ServerError> {
    let text = readable(bytes).ok()?;
    let json = inner(&text);
    member(json, "error").and_then(ServerError::of).or_else(|| ServerError::of(json).filter(|_| json.starts_with('{')))
}

fn is_json(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok()
}

impl Answer {
    /// Every text that may end up in an answer.
    fn texts(&self) -> impl Iterator<Item = &String> {
        let said = self.choice.iter().filter_map(|choice| choice.said.as_ref());
        said.flat_map(|said| {
            said.content.iter().chain(said.calls.iter().flat_map(|call| [&call.name, &call.arguments]))
        })
    }
}

/// A text with `null` in place of every `NaN`, `Infinity` and `-Infinity` outside strings.
fn with_null_for_nan(text: &str) -> String {
    const WORDS: [&str; 3] = ["NaN", "-Infinity", "Infinity"];
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(next) = rest.chars().next() {
        let word = WORDS.iter().find(|word| rest.starts_with(**word));
        let len = match next {
            '"' => jsonseam_text::string_end(rest.as_bytes(), 0),
            _ => word.map_or(next.len_utf8(), |word| word.len()),
        };
        let (token, after) = rest.split_at_checked(len).unwrap_or((rest, ""));
        out.push_str(if word.is_some() { "null" } else { token });
        rest = after;
    }
    out
}

/// The response in a whole answer.
pub(super) fn response(text: &[u8]) -> Result<Response, TransportError> {
    let answer = parse(text)?;
    if let Some(error) = answer.error {
        return Err(error.into_error());
    }
    let choice = answer.choice.ok_or_else(unreadable)?;
    let said = choice.said.ok_or_else(unreadable)?;
    let calls = said.calls.into_iter().map(|call| ToolCall { name: call.name, arguments: call.arguments });
    let mut response = Response::new(said.content.unwrap_or_default()).with_tool_calls(calls.collect());
    response.refusal = said.refusal.filter(|refusal| !refusal.trim().is_empty());
    response.finish_reason = choice.finish_reason;
    response.usage = answer.usage;
    Ok(response)
}
