//! The batch files of providers: where they hold the text, why the model stopped, and why there is no text.

use jsonseam::FinishReason;
use jsonseam_text::Decoded;

use super::bad::BadRecord;
use super::members::{self, Record};
use super::pick::{along, unreadable};
use crate::arguments::Shape;

/// The places of a text, as messages name them.
const CHAT: &[&str] = &["choices", "0", "message", "content"];
const OPENAI: &[&str] = &["response", "body", "choices", "0", "message", "content"];
const ANTHROPIC: &[&str] = &["result", "message", "content"];
const RESPONSES: &[&str] = &["output"];
const GEMINI: &[&str] = &["candidates", "0", "content", "parts"];

/// What Gemini calls an answer that its filters ended.
const FILTERED: [&str; 7] =
    ["SAFETY", "RECITATION", "BLOCKLIST", "PROHIBITED_CONTENT", "SPII", "IMAGE_SAFETY", "LANGUAGE"];

/// Status codes of a request that failed begin here.
const FIRST_FAILURE: u32 = 400;

/// The answer of a record.
#[derive(Debug)]
pub(super) struct Answer<'a> {
    /// Its text: one string as the record spells it, or the parts in one.
    pub(super) text: Text<'a>,
    /// Why the model stopped, if the record says so.
    pub(super) finish_reason: Option<FinishReason>,
}

/// The text of an answer.
#[derive(Debug)]
pub(super) enum Text<'a> {
    /// As the record spells it.
    Spelled(&'a str),
    /// The parts that are text, one after the other.
    Parts(String),
}

impl Shape {
    /// Where the text is, as messages name it.
    pub(super) fn place(self) -> String {
        let path = match self {
            Self::Openai | Self::Vllm => OPENAI,
            Self::Chat => CHAT,
            Self::Anthropic => ANTHROPIC,
            Self::Responses => RESPONSES,
            Self::Gemini => GEMINI,
        };
        format!("/{}", path.join("/"))
    }

    /// The answer of a record of this shape.
    pub(super) fn answer<'a>(self, record: &Record<'a>) -> Result<Answer<'a>, BadRecord> {
        let within = |path: &[&str]| at(record, path);
        let answer = match self {
            Self::Openai | Self::Vllm => {
                within(&["response", "body"]).as_ref().map_or(Err(BadRecord::MissingField), chat)
            }
            Self::Chat => chat(record),
            Self::Anthropic => anthropic(within(&["result", "message"]).as_ref().unwrap_or(record)),
            Self::Responses => responses(within(&["response", "body"]).as_ref().unwrap_or(record)),
            Self::Gemini => gemini(within(&["response"]).as_ref().unwrap_or(record)),
        };
        // A record without its text may be one of a request that failed, which says nothing about the shape.
        answer
            .map_err(|bad| if bad.is_without_answer() || !has_failed(record) { bad } else { BadRecord::RequestFailed })
    }
}

/// The flag for the shape that a record has, if it has one that is known.
pub(super) fn shape_of(record: &Record<'_>) -> Option<&'static str> {
    let has = |path: &[&str]| along(record, path.iter().copied()).is_some();
    let is_bare = has(RESPONSES) && word(record, &["object"]) == Some("response");
    let is_responses = is_bare || has(&["response", "body", "output"]);
    let is_gemini = has(&["candidates"]) || has(&["response", "candidates"]);
    let shapes = [("openai", has(OPENAI)), ("chat", has(CHAT)), ("anthropic", has(ANTHROPIC))];
    let mut shapes = shapes.into_iter().chain([("responses", is_responses), ("gemini", is_gemini)]);
    shapes.find_map(|(name, is_it)| is_it.then_some(name))
}

/// Whether the record says that there is no answer because its request failed.
fn has_failed(record: &Record<'_>) -> bool {
    let is_given = |path: &[&str]| along(record, path.iter().copied()).is_some_and(|value| value != "null");
    let status = along(record, ["response", "status_code"].into_iter()).and_then(|code| code.parse::<u32>().ok());
    let errors: [&[&str]; 4] =
        [&["error"], &["response", "error"], &["response", "body", "error"], &["result", "error"]];
    let outcome = word(record, &["result", "type"]).or_else(|| word(record, &["status"]));
    record.value("response") == Some("null")
        || status.is_some_and(|code| code >= FIRST_FAILURE)
        || errors.iter().any(|path| is_given(path))
        || outcome.is_some_and(|outcome| matches!(outcome, "errored" | "canceled" | "cancelled" | "expired" | "failed"))
        || record.value("request").is_some() && word(record, &["status"]).is_some_and(|status| !status.is_empty())
}

/// An answer of chat completions.
fn chat<'a>(body: &Record<'a>) -> Result<Answer<'a>, BadRecord> {
    let choice = at(body, &["choices", "0"]).ok_or(BadRecord::MissingField)?;
    let finish = word(&choice, &["finish_reason"]);
    let content = along(&choice, ["message", "content"].into_iter()).ok_or(BadRecord::MissingField);
    let refusal = along(&choice, ["message", "refusal"].into_iter()).filter(|refusal| *refusal != "null");
    let text = match content {
        Ok(parts) if parts.starts_with('[') => text_of(parts, "text"),
        Ok(value) if value.starts_with('"') => Ok(Text::Spelled(value)),
        _ if refusal.is_some() => Err(BadRecord::ModelRefused),
        _ if finish == Some("content_filter") => Err(BadRecord::ContentFilter),
        Ok(_) => Err(BadRecord::NotAString),
        Err(bad) => Err(bad),
    };
    Ok(Answer { text: text?, finish_reason: finish.map(FinishReason::from) })
}

/// A message of Anthropic.
fn anthropic<'a>(message: &Record<'a>) -> Result<Answer<'a>, BadRecord> {
    let finish = word(message, &["stop_reason"]);
    if finish == Some("refusal") {
        return Err(BadRecord::ModelRefused);
    }
    let content = message.value("content").ok_or(BadRecord::MissingField)?;
    let text = if content.starts_with('[') { text_of(content, "text")? } else { Text::Spelled(content) };
    Ok(Answer { text, finish_reason: finish.map(FinishReason::from) })
}

/// A response of `OpenAI`'s `/v1/responses`.
fn responses<'a>(body: &Record<'a>) -> Result<Answer<'a>, BadRecord> {
    let output = body.value("output").filter(|output| output.starts_with('[')).ok_or(BadRecord::MissingField)?;
    let finish = match word(body, &["status"]) {
        Some("completed") => Some("stop"),
        Some("incomplete") => word(body, &["incomplete_details", "reason"]).or(Some("incomplete")),
        _ => None,
    };
    let mut parts = Vec::new();
    for item in objects(output) {
        if word(&item, &["type"]) == Some("message") {
            parts.extend(item.value("content").map(|content| text_of(content, "output_text")));
        }
    }
    let mut text = String::new();
    let mut failed = Some(BadRecord::MissingField);
    for part in parts {
        match part {
            Ok(Text::Parts(piece)) => {
                text.push_str(&piece);
                failed = None;
            }
            Ok(Text::Spelled(_)) => {}
            Err(bad) => failed = failed.map(|_| bad),
        }
    }
    match failed {
        None => Ok(Answer { text: Text::Parts(text), finish_reason: finish.map(FinishReason::from) }),
        Some(BadRecord::MissingField) if finish == Some("content_filter") => Err(BadRecord::ContentFilter),
        Some(bad) => Err(bad),
    }
}

/// A response of Gemini.
fn gemini<'a>(body: &Record<'a>) -> Result<Answer<'a>, BadRecord> {
    let Some(candidate) = at(body, &["candidates", "0"]) else {
        let is_blocked = word(body, &["promptFeedback", "blockReason"]).is_some();
        return Err(if is_blocked { BadRecord::ContentFilter } else { BadRecord::MissingField });
    };
    let finish = word(&candidate, &["finishReason"]);
    let is_filtered = finish.is_some_and(|finish| FILTERED.contains(&finish));
    let mut text = None;
    for part in along(&candidate, ["content", "parts"].into_iter()).into_iter().flat_map(objects) {
        if let Some(piece) = part.value("text").filter(|_| part.value("thought") != Some("true")) {
            text.get_or_insert_with(String::new).push_str(&unquoted(piece)?);
        }
    }
    let missing = if is_filtered { BadRecord::ContentFilter } else { BadRecord::MissingField };
    let finish = if is_filtered { Some("content_filter") } else { finish };
    Ok(Answer { text: Text::Parts(text.ok_or(missing)?), finish_reason: finish.map(FinishReason::from) })
}

/// The object at the end of a path.
fn at<'a>(record: &Record<'a>, path: &[&str]) -> Option<Record<'a>> {
    let value = along(record, path.iter().copied()).filter(|value| value.starts_with('{'))?;
    Some(members::of_valid(value))
}

/// The string at the end of a path, if it has no escapes, as no name of a reason has.
fn word<'a>(record: &Record<'a>, path: &[&str]) -> Option<&'a str> {
    let value = along(record, path.iter().copied())?;
    value.strip_prefix('"')?.strip_suffix('"').filter(|word| !word.contains('\\'))
}

/// The objects of a list.
fn objects(list: &str) -> impl Iterator<Item = Record<'_>> {
    members::elements(list).into_iter().filter(|element| element.starts_with('{')).map(members::of_valid)
}

/// The text of all parts of this type, one after the other.
fn text_of<'a>(content: &str, kind: &str) -> Result<Text<'a>, BadRecord> {
    let (mut text, mut is_refused) = (None, false);
    for part in objects(content) {
        match word(&part, &["type"]) {
            Some(found) if found == kind => {
                let piece = unquoted(part.value("text").ok_or(BadRecord::MissingField)?)?;
                text.get_or_insert_with(String::new).push_str(&piece);
            }
            found => is_refused |= found == Some("refusal"),
        }
    }
    let missing = if is_refused { BadRecord::ModelRefused } else { BadRecord::MissingField };
    text.map(Text::Parts).ok_or(missing)
}

/// The text that a JSON string spells.
fn unquoted(value: &str) -> Result<String, BadRecord> {
    let mut decoded = Decoded::default();
    decoded.read(value, 0).map(|_| decoded.text().to_owned()).ok_or_else(|| unreadable(value))
}
