//! The border between JavaScript and jsonseam: strings in, records as JSON out.
//!
//! JavaScript's side checks what it is given (kinds, names of options, lone surrogates) and turns bytes into UTF-16 units;
//! everything that is about JSON happens here. Nothing panics on any input, and no message holds text of a completion.
//!
//! Without the feature `full` there are neither contracts nor tool calls nor configurations as TOML: then nothing refers to the code for
//! regular expressions and schemas, and the linker leaves it out. Without the feature `stream` there are no streams.

#[cfg(feature = "full")]
mod calls;
#[cfg(feature = "full")]
mod contract;
#[cfg(feature = "stream")]
mod flow;
mod problem;
mod settings;

use std::ops::Range;

use jsonseam::{AppliedEdit, Error, Pipeline, Record, RepairOptions, Repaired, Risk, Status, Unanswered};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

#[cfg(feature = "full")]
pub use self::calls::CallEngine;
#[cfg(feature = "full")]
pub use self::contract::ContractEngine;
#[cfg(feature = "stream")]
pub use self::flow::Flow;
pub use self::problem::Problem;
use self::settings::Settings;

/// A pipeline: rules and settings, made ready.
#[wasm_bindgen]
#[derive(Debug)]
pub struct Engine(Pipeline);

/// What goes over the border: the record, and of a refusal what the record does not say.
#[derive(Serialize)]
struct Answer<'r> {
    record: Record<'r>,
    #[serde(skip_serializing_if = "Option::is_none")]
    refusal: Option<Refusal<'r>>,
}

/// The words of a refusal, and what only callers in Rust get from the error.
#[derive(Serialize)]
struct Refusal<'r> {
    message: String,
    meaning: &'static str,
    advice: &'static str,
    retryable: bool,
    candidates: &'r [Range<usize>],
}

impl<'r> Refusal<'r> {
    fn of(error: &'r Error) -> Self {
        let reason = error.reason();
        let (meaning, advice, retryable) = (reason.meaning(), reason.advice(), error.is_retryable());
        Self { message: error.to_string(), meaning, advice, retryable, candidates: error.candidates() }
    }
}

/// What would have helped a completion that is refused.
#[derive(Serialize)]
struct Help<'e> {
    mended_by: &'e [String],
    repaired_with: &'e [String],
    unanswered: Option<&'e Unanswered>,
    /// For people, a clause each.
    help: Vec<String>,
}

/// What the record says beside the text and the value: for those who ask for the edits, which is most who ask for more than the text.
#[derive(Serialize)]
struct Details<'r> {
    edits: Vec<Edit<'r>>,
    incomplete: Vec<String>,
    further: Vec<Span>,
    gap: Option<u32>,
}

#[derive(Serialize)]
struct Edit<'r> {
    rule: &'r str,
    risk: &'static str,
    start: usize,
    end: usize,
    replacement: &'r str,
    path: String,
}

#[derive(Serialize)]
struct Span {
    start: usize,
    end: usize,
}

impl<'r> Details<'r> {
    fn of(repaired: &'r Repaired<'_>) -> Self {
        let made = |(edit, path): (AppliedEdit<'r>, String)| Edit {
            rule: edit.rule,
            risk: edit.risk.as_str(),
            start: edit.span.start,
            end: edit.span.end,
            replacement: edit.replacement,
            path,
        };
        Self {
            edits: repaired.edits().zip(repaired.paths()).map(made).collect(),
            incomplete: repaired.incomplete(),
            further: repaired
                .further()
                .iter()
                .map(|other| Span { start: other.span.start, end: other.span.end })
                .collect(),
            gap: repaired.gap(),
        }
    }
}

#[wasm_bindgen]
impl Engine {
    /// The pipeline that `settings`, pairs of a name and a value, describe. The error is a [`Problem`].
    #[wasm_bindgen(constructor)]
    pub fn new(settings: &str) -> Result<Engine, Problem> {
        Settings::read(settings)?.pipeline().map(Self)
    }

    /// What most callers want of a repair, at the least cost: a line `STATUS START END RISK TRUNCATED FURTHER FOLLOWED`, and after it the text as it is.
    ///
    /// `START` and `END` are the payload in bytes, `RISK` is `-` without edits, `TRUNCATED` is `0` or `1`, `FURTHER` counts the payloads that were not taken,
    /// `FOLLOWED` is `1` if a bracket opens directly after the payload.
    /// Of a completion that is valid as it is: the line alone, without its end, since the text is the completion.
    /// Of a refusal: the line `refused`, and after it what [`record`](Self::record) gives.
    pub fn repair(&self, completion: &str, finish_reason: Option<String>) -> String {
        match self.0.repair_with(completion, &options(finish_reason)) {
            Ok(repaired) => {
                let mut answer = summary(completion, &repaired);
                if repaired.status() != Status::Valid || repaired.payload() != (0..completion.len()) {
                    answer.reserve(1 + repaired.text().len());
                    answer.push('\n');
                    answer.push_str(repaired.text());
                }
                answer
            }
            Err(error) => format!("refused\n{}", answer(&Err(error))),
        }
    }

    /// The members of the record that [`repair`](Self::repair) does not give, as JSON; of a refusal nothing.
    pub fn details(&self, completion: &str, finish_reason: Option<String>) -> Option<String> {
        let repaired = self.0.repair_with(completion, &options(finish_reason)).ok()?;
        Some(json(&Details::of(&repaired)))
    }

    /// The whole record of a repair, as JSON.
    pub fn record(&self, completion: &str, finish_reason: Option<String>) -> String {
        answer(&self.0.repair_with(completion, &options(finish_reason)))
    }

    /// The rules that are off and would have helped a completion that this engine refuses, as JSON.
    pub fn explain(&self, completion: &str) -> String {
        let error = self.0.repair(completion).err().map(|error| self.0.explain(&error, completion));
        json(&Help {
            mended_by: error.as_ref().map_or(&[], Error::mended_by),
            repaired_with: error.as_ref().map_or(&[], Error::repaired_with),
            unanswered: error.as_ref().and_then(Error::unanswered),
            help: error.as_ref().map_or_else(Vec::new, Error::help),
        })
    }

    /// Why `completion` is not valid JSON as it is, as JSON; nothing if it is.
    pub fn check(&self, completion: &str) -> Option<String> {
        let error = self.0.check(completion.as_bytes()).err()?;
        Some(json(&Answer { record: Record::from(&error), refusal: Some(Refusal::of(&error)) }))
    }

    /// The names of the rules, in the order in which they are asked, as a JSON list.
    pub fn rules(&self) -> String {
        json(&self.0.rules().map(|rule| &rule.name).collect::<Vec<_>>())
    }
}

/// The line that [`Engine::repair`] begins with.
fn summary(completion: &str, repaired: &Repaired<'_>) -> String {
    let status = if repaired.status() == Status::Valid { "valid" } else { "repaired" };
    let Range { start, end } = repaired.payload();
    let risk = repaired.risk().map_or("-", Risk::as_str);
    let truncated = u8::from(repaired.is_truncated());
    let further = repaired.further().len();
    let followed = u8::from(is_followed(completion, end));
    format!("{status} {start} {end} {risk} {truncated} {further} {followed}")
}

/// Whether a value begins directly after `end`, though it may be beyond repair.
fn is_followed(completion: &str, end: usize) -> bool {
    let after = completion.get(end..).unwrap_or_default();
    after.trim_start_matches([' ', '\t', '\r', '\n', ',']).starts_with(['{', '['])
}

fn options(finish_reason: Option<String>) -> RepairOptions<'static> {
    RepairOptions::new().with_finish_reason(finish_reason)
}

fn answer(result: &Result<Repaired<'_>, Error>) -> String {
    json(&Answer { record: Record::new(result), refusal: result.as_ref().err().map(Refusal::of) })
}

/// The version of this package.
#[wasm_bindgen]
pub fn version() -> String {
    env!("CARGO_PKG_VERSION").to_owned()
}

/// What cannot fail: records and lists of strings. An empty text would be refused by JavaScript's side.
fn json<T: Serialize>(value: &T) -> String {
    serde_json::to_string(value).unwrap_or_default()
}
