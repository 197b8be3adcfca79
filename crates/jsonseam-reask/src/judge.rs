//! The verdict on one answer: the adapter's, after wrappers are taken off and partial answers merged.

use std::borrow::Cow;

use jsonseam_adapter::{Adapter, Error, Outputs, ParseOptions};
use jsonseam_core::{FinishReason, Reason, Status};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::fields::{Base, Merged};
use crate::message::{ANSWER_TOOL, Mode, Response, ToolCall};
use crate::reask::Reask;

/// What became of one request.
pub(crate) struct Judged {
    pub(crate) result: Result<Outputs, Box<Error>>,
    /// Whether the answer is not, byte for byte, what the outputs were read from.
    pub(crate) is_repaired: bool,
}

/// Judges an answer (SPEC L1, L3): alone, or together with what was valid before.
pub(crate) fn judge(reask: &Reask, completion: &str, finish_reason: Option<&str>, base: Option<&Base>) -> Judged {
    let options = ParseOptions::new().with_finish_reason(finish_reason);
    let parse = |text: &str| match base {
        Some(base) => merged(&reask.adapter, text, &options, base),
        None => judged(reask.adapter.parse_with(text, &options), false),
    };
    // An envelope fits if it meets the contract and holds at least one declared output.
    let fits = |text: &String| parse(text).result.ok().filter(|outputs| !outputs.is_empty());
    let is_valid = || serde_json::from_str::<&RawValue>(completion).is_ok();
    let envelopes = match &reask.envelope {
        Some(envelope) if !is_valid() => envelope.envelopes(completion),
        _ => Vec::new(),
    };
    match envelopes.iter().find_map(fits) {
        Some(outputs) => Judged { result: Ok(outputs), is_repaired: true },
        None => parse(completion),
    }
}

fn judged(result: Result<Outputs, Error>, was_mended: bool) -> Judged {
    let is_repaired = was_mended || result.as_ref().is_ok_and(|outputs| outputs.repair().status() == Status::Repaired);
    Judged { result: result.map_err(Box::new), is_repaired }
}

/// Judges an answer that holds the failing fields only: together with the others, as a whole.
fn merged(adapter: &Adapter, completion: &str, options: &ParseOptions, base: &Base) -> Judged {
    match base.merge(adapter, completion, options) {
        // The answer was found to be whole, so what it was merged into is.
        Some(Merged { text, was_mended }) => {
            let whole = options.clone().with_finish_reason(None::<FinishReason>);
            judged(adapter.parse_with(&text, &whole), was_mended)
        }
        None => judged(adapter.parse_with(completion, options), false),
    }
}

/// Whether the answer is short of its end.
pub(crate) fn is_cut(error: &Error, finish_reason: Option<&str>) -> bool {
    error.reason() == jsonseam_adapter::Reason::Decode(Reason::Truncated)
        || finish_reason.is_some_and(|reason| FinishReason::from(reason).is_cut())
}

/// The error as `code/reason`.
pub(crate) fn code(error: &Error) -> String {
    format!("{}/{}", error.code(), error.reason())
}

/// Judges a response: its text, and the calls that the server took out of it.
///
/// The calls come first if the contract is on calls or the model was asked by tool; else the text does, and the calls count if it does not meet the contract.
/// Gives what was judged, for the prompt, with the verdict.
pub(crate) fn judge_response<'r>(
    reask: &Reask,
    mode: Mode,
    response: &'r Response,
    base: Option<&Base>,
) -> (Cow<'r, str>, Judged) {
    let meets = |text: &str| judge(reask, text, response.finish_reason.as_deref(), base).result.is_ok();
    let calls = calls_of(reask, mode, response, &meets);
    let text = Cow::Borrowed(response.text.as_str());
    let Some(calls) = calls else {
        let judged = judge(reask, &text, response.finish_reason.as_deref(), base);
        return (text, judged);
    };
    let is_blank = text.trim().is_empty();
    let calls_first = is_blank || mode == Mode::Tool || reask.format.declares("toolCalls");
    let (first, second) = if calls_first { (calls, text) } else { (text, calls) };
    let judged = judge(reask, &first, response.finish_reason.as_deref(), base);
    if judged.result.is_ok() || is_blank {
        return (first, judged);
    }
    let other = judge(reask, &second, response.finish_reason.as_deref(), base);
    // Of two that do not meet the contract, the errors are those of the one that the model meant as its answer, which prose beside a call is not.
    let is_prose = !calls_first && !first.contains('{');
    if other.result.is_ok() || is_prose { (second, other) } else { (first, judged) }
}

/// The calls of a response as the text to judge; `None` if there are none.
///
/// A contract on `toolCalls` gets them as the envelope of SPEC L2, with the text as its `content`; any other gets the arguments.
/// Of several calls the one counts that meets the contract. Where several do with other values, the answer is the list of them,
/// which is no object: nothing says which of them is meant.
/// In the mode `tool` only calls of the tool that was forced answer: a call of another name is not what was asked for.
/// Arguments that are not alone enter as the value that they are:
/// text that is not a JSON value, nor can be repaired to one, becomes a string, which no contract on calls takes.
fn calls_of<'r>(
    reask: &Reask,
    mode: Mode,
    response: &'r Response,
    meets: &dyn Fn(&str) -> bool,
) -> Option<Cow<'r, str>> {
    let arguments = |text: &'r str| if text.trim().is_empty() { "{}" } else { text };
    let calls = response.tool_calls.iter();
    let is_forced = mode == Mode::Tool;
    // Some servers leave the name out.
    let is_answer = |call: &&'r ToolCall| matches!(call.name.trim(), ANSWER_TOOL | "");
    let answers: Vec<_> = calls.filter(|call| !is_forced || is_answer(call)).collect();
    let is_enveloped = reask.format.declares("toolCalls") && (!is_forced || answers.is_empty());
    match answers.as_slice() {
        [only] if !is_enveloped => Some(Cow::Borrowed(arguments(&only.arguments))),
        [] if !is_enveloped || response.tool_calls.is_empty() => None,
        several if !is_enveloped => {
            let texts: Vec<_> = several.iter().map(|call| arguments(&call.arguments)).collect();
            let sound: Vec<_> = texts.iter().copied().filter(|text| meets(text)).collect();
            match sound.as_slice() {
                // The errors are those of the last one, which the model may have meant to be better.
                [] => texts.last().map(|last| Cow::Borrowed(*last)),
                [first, others @ ..] if others.iter().all(|other| is_same(reask, first, other)) => {
                    Some(Cow::Borrowed(*first))
                }
                several => {
                    let values: Vec<_> = several.iter().map(|text| value_of(reask, text)).collect();
                    Some(Cow::Owned(format!("[{}]", values.join(", "))))
                }
            }
        }
        _ => {
            let calls: Vec<String> = response
                .tool_calls
                .iter()
                .map(|call| {
                    let name = Value::from(call.name.as_str());
                    format!("{{\"name\": {name}, \"arguments\": {}}}", value_of(reask, arguments(&call.arguments)))
                })
                .collect();
            let has_content = reask.format.declares("content") && !response.text.trim().is_empty();
            let content = if has_content {
                format!(", \"content\": {}", Value::from(response.text.as_str()))
            } else {
                String::new()
            };
            Some(Cow::Owned(format!("{{\"toolCalls\": [{}]{content}}}", calls.join(", "))))
        }
    }
}

/// Whether two texts of arguments have one value.
fn is_same(reask: &Reask, one: &str, other: &str) -> bool {
    let value = |text| serde_json::from_str::<Value>(&value_of(reask, text)).ok();
    value(one) == value(other)
}

/// The JSON value that the arguments of a native call are, as it is or repaired; else their text as a string.
fn value_of<'r>(reask: &Reask, arguments: &'r str) -> Cow<'r, str> {
    if serde_json::from_str::<&RawValue>(arguments).is_ok() {
        return Cow::Borrowed(arguments.trim());
    }
    let repaired = reask.adapter.pipeline().repair(arguments).ok();
    // Whatever is beside the payload would be lost: such arguments are not a value.
    let whole = repaired.filter(|repaired| {
        let payload = repaired.payload();
        let before = arguments.get(..payload.start).unwrap_or_default();
        let after = arguments.get(payload.end..).unwrap_or_default();
        !repaired.is_truncated() && before.trim().is_empty() && after.trim().is_empty()
    });
    match whole {
        Some(repaired) => Cow::Owned(repaired.text().to_owned()),
        None => Cow::Owned(Value::from(arguments).to_string()),
    }
}
