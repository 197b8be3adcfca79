//! The verdict on one answer: the adapter's, after wrappers are taken off and partial answers merged.

use std::borrow::Cow;

use jsonseam_adapter::{Adapter, Error, Outputs, ParseOptions};
use jsonseam_core::{FinishReason, Reason, Root, Status};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::fields::{Base, Merged};
use crate::message::Response;
use crate::prompt::format::{Field, Format};
use crate::reask::Reask;

/// What became of one request.
pub(crate) struct Judged {
    pub(crate) result: Result<Outputs, Box<Error>>,
    /// Whether the answer is not, byte for byte, what the outputs were read from.
    pub(crate) is_repaired: bool,
}

/// Judges an answer (SPEC L1, L3): alone, or together with what was valid before.
pub(crate) fn judge(reask: &Reask, completion: &str, finish_reason: Option<&str>, base: Option<&Base>) -> Judged {
    let options = ParseOptions { finish_reason: finish_reason.map(FinishReason::from), skips_mended_by: false };
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
            let whole = ParseOptions { finish_reason: None, ..options.clone() };
            judged(adapter.parse_with(&text, &whole), was_mended)
        }
        None => judged(adapter.parse_with(completion, options), false),
    }
}

/// Whether the answer is short of its end.
pub(crate) fn is_cut(error: &Error, finish_reason: Option<&str>) -> bool {
    error.reason() == Reason::Truncated.as_str()
        || finish_reason.is_some_and(|reason| FinishReason::from(reason).is_cut())
}

/// The error as `code/reason`.
pub(crate) fn code(error: &Error) -> String {
    format!("{}/{}", error.code(), error.reason())
}

/// The text to judge: what the model wrote, or, if it wrote nothing, the calls that the server took out of it.
///
/// A contract on `toolCalls` gets them as the envelope of SPEC L2; any other gets the arguments of a single call.
pub(crate) fn completion_of<'r>(response: &'r Response, format: &Format) -> Cow<'r, str> {
    if !response.text.trim().is_empty() || response.tool_calls.is_empty() {
        return Cow::Borrowed(&response.text);
    }
    let arguments = |text: &'r str| if text.trim().is_empty() { "{}" } else { text };
    match response.tool_calls.as_slice() {
        [only] if !format.declares("toolCalls") => Cow::Borrowed(arguments(&only.arguments)),
        calls => {
            let calls: Vec<String> = calls
                .iter()
                .map(|call| {
                    let name = Value::from(call.name.as_str());
                    format!("{{\"name\": {name}, \"arguments\": {}}}", arguments(&call.arguments))
                })
                .collect();
            Cow::Owned(format!("{{\"toolCalls\": [{}]}}", calls.join(", ")))
        }
    }
}

/// The format that the contract asks for.
pub(crate) fn format(adapter: &Adapter) -> Format {
    let contract = adapter.contract();
    if let Some(whole) = contract.schema() {
        return Format::Whole(whole.source().clone());
    }
    if contract.outputs().is_empty() {
        return Format::Open(match contract.root() {
            Root::Object => "object",
            Root::Array => "array",
            Root::Any => "any",
        });
    }
    let fields = contract.outputs().iter().map(|output| Field {
        name: output.name().to_owned(),
        is_optional: output.is_optional(),
        schema: output.schema().map_or_else(|| Value::Object(serde_json::Map::new()), |schema| schema.source().clone()),
    });
    Format::Fields(fields.collect())
}
