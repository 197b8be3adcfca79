//! One case, and what the extractor makes of it.

use std::collections::BTreeMap;

use jsonseam::toolcall::{Extractor, Tools};
use serde_json::Value;

/// A text of more bytes is not cut everywhere: reading each prefix takes time that is quadratic in its length.
const LONG: usize = 8_000;

/// In the middle of such a text every one of so many places is cut.
const STRIDE: usize = 499;

/// Cases whose verdict follows from the request and not from what the case holds: what the request says, and a case of the same format, or shape,
/// in which the same marks are a call.
pub(super) const OF_THE_REQUEST: [(&str, Request, &str); 3] = [
    ("vllm-00603", Request::CallsNothing("tool_choice is `none`"), "vllm-00604"),
    ("vllm-01080", Request::CallsNothing("no parser of calls is configured"), "vllm-00090"),
    ("vllm-00206", Request::Format("k2-horizon-json"), "vllm-00202"),
];

/// Cases with a bare call beside prose, which nothing tells from data (SPEC L0a): none of them is called, and those whose call ends the text are with `bare = last`.
pub(super) const BESIDE_PROSE: [&str; 5] =
    ["sglang-01165", "sglang-01179", "sglang-01190", "sglang-01191", "smg-01825"];

/// What a request says that its answer does not.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Request {
    /// Nothing may be called, for this reason.
    CallsNothing(&'static str),
    /// Calls are written in this format alone.
    Format(&'static str),
}

impl std::fmt::Display for Request {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            Self::CallsNothing(why) => formatter.write_str(why),
            Self::Format(format) => write!(formatter, "only the format {format} is asked for"),
        }
    }
}

/// One line of the file.
#[derive(Debug, serde::Deserialize)]
pub(super) struct Case {
    pub(super) id: String,
    pub(super) project: String,
    pub(super) family: String,
    pub(super) test: String,
    pub(super) text: String,
    /// By name, the schema of the parameters.
    tools: Option<BTreeMap<String, Value>>,
    expect: Vec<Call>,
    expect_class: String,
    debatable: bool,
}

/// A call that is expected, or was read.
#[derive(Debug, Clone, PartialEq, serde::Deserialize)]
pub(super) struct Call {
    name: String,
    arguments: Value,
}

/// How what was read compares to what is expected.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum Outcome {
    /// The same calls, or rightly no call at all.
    Equal,
    /// The same names in order, other arguments.
    OtherValues,
    /// No call was found.
    Missed,
    /// The text was refused for this reason. Where no call is expected, nothing was called, which is what counts.
    Refused(&'static str),
    /// Calls of other tools, more or fewer calls.
    WrongCalls,
    /// Calls where no call is expected.
    Over,
}

impl Outcome {
    pub(super) fn is_equal(&self) -> bool {
        *self == Self::Equal
    }

    pub(super) fn name(&self) -> String {
        match self {
            Self::Equal => "equal".to_owned(),
            Self::OtherValues => "other-values".to_owned(),
            Self::Missed => "missed".to_owned(),
            Self::Refused(reason) => format!("refused:{reason}"),
            Self::WrongCalls => "WRONG-CALLS".to_owned(),
            Self::Over => "OVER".to_owned(),
        }
    }
}

impl Case {
    /// Whether the case counts: calls or none are expected, and the expectation is not odd.
    pub(super) fn is_counted(&self) -> bool {
        !self.debatable && matches!(self.expect_class.as_str(), "call" | "none")
    }

    /// Whether the parser of its project gives calls that no one meant.
    pub(super) fn is_nonsense(&self) -> bool {
        self.expect_class == "malformed"
    }

    pub(super) fn expects_calls(&self) -> bool {
        !self.expect.is_empty()
    }

    /// The extractor with the tools of the case.
    pub(super) fn offer(&self, extractor: &Extractor) -> Extractor {
        let Some(declared) = &self.tools else { return extractor.clone() };
        let tools = declared.iter().fold(Tools::new(), |tools, (name, schema)| tools.tool(name, schema));
        extractor.clone().with_tools(tools)
    }

    /// What the request says that the case does not hold.
    pub(super) fn request(&self) -> Option<(Request, &'static str)> {
        let (_, request, twin) = OF_THE_REQUEST.into_iter().find(|(id, ..)| *id == self.id)?;
        Some((request, twin))
    }

    /// The extractor as a caller has it who knows what the request says.
    pub(super) fn told(&self, request: Request) -> Option<Extractor> {
        match request {
            Request::CallsNothing(_) => Some(Extractor::new(jsonseam::wrappers().clone()).with_tools(Tools::none())),
            Request::Format(name) => Some(self.offer(&Extractor::new(jsonseam::wrappers().only(name)?))),
        }
    }

    pub(super) fn outcome(&self, extractor: &Extractor) -> Outcome {
        let expects_none = self.expect.is_empty();
        match extractor.extract(&self.text) {
            Ok(None) | Err(_) if expects_none => Outcome::Equal,
            Err(error) => Outcome::Refused(error.reason().as_str()),
            Ok(None) => Outcome::Missed,
            Ok(Some(_)) if expects_none => Outcome::Over,
            Ok(Some(envelope)) => {
                let calls = calls(envelope.text());
                let names = |calls: &[Call]| calls.iter().map(|call| call.name.clone()).collect::<Vec<_>>();
                match () {
                    () if same(&calls, &self.expect) => Outcome::Equal,
                    () if names(&calls) == names(&self.expect) => Outcome::OtherValues,
                    () => Outcome::WrongCalls,
                }
            }
        }
    }

    /// Whether the text ends thoughts that it did not begin.
    pub(super) fn begins_in_thoughts(&self) -> bool {
        let marks = [("<think>", "</think>"), ("[THINK]", "[/THINK]"), ("<thinking>", "</thinking>")];
        marks.iter().any(|(open, close)| self.text.find(close).is_some_and(|end| !self.text[..end].contains(open)))
    }

    /// The places where the text is cut: every character, but of a long text only those of its first and last part, and some between.
    pub(super) fn cuts(&self) -> impl Iterator<Item = usize> {
        let len = self.text.len();
        let is_taken = move |&at: &usize| len <= LONG || at < LONG / 2 || at > len - LONG / 2 || at % STRIDE == 0;
        self.text.char_indices().map(|(at, _)| at).filter(is_taken)
    }

    /// How many prefixes give a call that the whole text does not begin with.
    pub(super) fn wrong_cuts(&self, extractor: &Extractor) -> usize {
        let is_wrong = |cut: &usize| {
            let read = extractor.extract(self.text.get(..*cut).unwrap_or_default());
            let Ok(Some(envelope)) = read else { return false };
            let calls = calls(envelope.text());
            !self.expect.get(..calls.len()).is_some_and(|expected| same(&calls, expected))
        };
        self.cuts().filter(is_wrong).count()
    }
}

/// The calls that an envelope holds.
fn calls(envelope: &str) -> Vec<Call> {
    let value: Value = serde_json::from_str(envelope).unwrap_or_default();
    let calls = value.get("toolCalls").and_then(Value::as_array).into_iter().flatten();
    calls.filter_map(|call| serde_json::from_value(call.clone()).ok()).collect()
}

fn same(one: &[Call], other: &[Call]) -> bool {
    one.len() == other.len()
        && one.iter().zip(other).all(|(one, other)| one.name == other.name && equal(&one.arguments, &other.arguments))
}

/// Equality of JSON values, numbers by what they say: `1.0` equals `1`.
fn equal(one: &Value, other: &Value) -> bool {
    match (one, other) {
        (Value::Number(one), Value::Number(other)) => one == other || one.as_f64() == other.as_f64(),
        (Value::Array(one), Value::Array(other)) => {
            one.len() == other.len() && one.iter().zip(other).all(|(one, other)| equal(one, other))
        }
        (Value::Object(one), Value::Object(other)) => {
            one.len() == other.len()
                && one.iter().all(|(key, one)| other.get(key).is_some_and(|other| equal(one, other)))
        }
        _ => one == other,
    }
}
