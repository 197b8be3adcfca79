//! The record of what a text holds: its calls, the text around them and every edit, or why there are none; and the same in the shapes of frameworks.
//!
//! The command and the packages of other languages print or decode these structures, so that they have one shape everywhere.

mod check;
mod output;

use std::fmt;
use std::ops::Range;

use jsonseam_core::{AppliedEdit, Position, Risk, compact};
use jsonseam_text::ErrorCode;
use serde::{Deserialize, Serialize};
use serde_json::value::RawValue;

pub use self::check::{CallCheck, CallError};
pub use self::output::Output;
use crate::envelope::{Error, Reading};
use crate::tools::Tools;

/// The calls of a text, and what is said around them.
///
/// ```
/// use jsonseam_toolcall::{CallsRecord, Extractor, Output, Packs, WRAPPERS};
///
/// let text = "On it. <tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>";
/// let record = CallsRecord::new(&Extractor::new(Packs::parse(&WRAPPERS)?).read(text)?, text)?;
/// assert_eq!((record.calls.len(), record.format.as_deref()), (1, Some("hermes")));
/// assert!(record.shaped(Output::Mcp, text).starts_with(r#"[{"jsonrpc":"2.0","id":"call_"#));
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Default, Serialize)]
pub struct CallsRecord {
    /// The calls, in the order of the text.
    pub calls: Vec<CallRecord>,
    /// The text around them, as JSON; `None` if there is none.
    pub content: Option<Box<RawValue>>,
    /// What the model thought; `None` if it did not do so aloud.
    pub thoughts: Option<String>,
    /// The format of the first call.
    pub format: Option<String>,
    /// What rules changed in the calls.
    pub edits: Vec<EditRecord>,
    /// The highest risk of these edits.
    pub risk: Option<Risk>,
    /// What looks like a call and is not one.
    pub passed_over: Vec<PassedRecord>,
}

/// One call: every part of it as the model spelled it, without white space between tokens.
#[derive(Serialize)]
pub struct CallRecord {
    /// What the model calls this call.
    pub id: Option<String>,
    /// The name of the tool, as JSON.
    pub name: Box<RawValue>,
    /// The object of its arguments.
    pub arguments: Box<RawValue>,
    /// What the check found, if one was made.
    #[serde(flatten)]
    pub check: Option<CallCheck>,
}

/// An edit that was made in a call, in bytes of the text.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct EditRecord {
    /// The rule that made it.
    pub rule: String,
    /// Its risk.
    pub risk: Risk,
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
    /// What is there now.
    pub replacement: String,
    /// The JSON Pointer of what was changed.
    pub path: String,
    /// Where it is in the text of the string at `start`, if it is in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub inner: Option<SpanRecord>,
}

/// A span of bytes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct SpanRecord {
    /// Where it begins.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

impl From<Range<usize>> for SpanRecord {
    fn from(Range { start, end }: Range<usize>) -> Self {
        Self { start, end }
    }
}

/// What looks like a call and is not one.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct PassedRecord {
    /// Why it is not one.
    pub reason: &'static str,
    /// Where it begins, in bytes.
    pub start: usize,
    /// Where it ends.
    pub end: usize,
}

/// Why the calls could not be read, and where: no text of the completion.
#[derive(Debug, Serialize)]
pub struct CallRefusal {
    /// The stable code.
    pub code: ErrorCode,
    /// The stable reason within it.
    pub reason: &'static str,
    /// Where, in bytes.
    pub offset: usize,
    /// The line, from 1.
    pub line: usize,
    /// The column, in characters from 1.
    pub column: usize,
    /// The format whose mark is there.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub format: Option<String>,
    /// The edits whose risk is too high.
    #[serde(skip)]
    pub edits: Vec<EditRecord>,
    /// What is wrong, for people.
    #[serde(skip)]
    pub message: String,
    /// Whether asking the model again can help.
    #[serde(skip)]
    pub is_retryable: bool,
}

#[derive(Deserialize)]
struct Decoded {
    #[serde(rename = "toolCalls")]
    calls: Vec<DecodedCall>,
    content: Option<Box<RawValue>>,
}

#[derive(Deserialize)]
struct DecodedCall {
    name: Box<RawValue>,
    arguments: Box<RawValue>,
}

impl CallsRecord {
    /// The record of a reading of `text`. An envelope is valid JSON, so an error is a defect of this crate.
    pub fn new(reading: &Reading, text: &str) -> serde_json::Result<Self> {
        let thoughts: Vec<_> = reading.thoughts().iter().filter_map(|span| text.get(span.clone())).collect();
        let passed_over = reading.passed_over().iter().map(|passed| {
            let Range { start, end } = passed.span.clone();
            PassedRecord { reason: passed.reason.as_str(), start, end }
        });
        let around = Self {
            thoughts: Some(thoughts.join("\n")).filter(|thoughts| !thoughts.is_empty()),
            passed_over: passed_over.collect(),
            ..Self::default()
        };
        let Some(envelope) = reading.envelope() else {
            let content = Some(text.trim()).filter(|text| !text.is_empty());
            return Ok(Self { content: content.map(serde_json::value::to_raw_value).transpose()?, ..around });
        };
        // A record is one line, whatever white space a call holds.
        let Decoded { calls, content } = serde_json::from_str(&compact(envelope.text()))?;
        let calls = calls.into_iter().zip(envelope.ids());
        let calls = calls.map(|(DecodedCall { name, arguments }, id)| CallRecord {
            id: id.map(str::to_owned),
            name,
            arguments,
            check: None,
        });
        let format = envelope.formats().next().map(str::to_owned);
        let repairs = envelope.repairs().zip(envelope.paths()).zip(envelope.inner_spans());
        let edits = repairs.map(|((edit, path), inner)| EditRecord::of_call(&edit, path, inner)).collect();
        Ok(Self { calls: calls.collect(), content, format, edits, risk: envelope.risk(), ..around })
    }

    /// Puts the arguments of each call to the schema of its tool, and casts them where the schema requires it and the cast is exact.
    pub fn check(&mut self, tools: &Tools) -> serde_json::Result<()> {
        self.calls.iter_mut().try_for_each(|call| {
            call.check = Some(CallCheck::of(&call.name, &mut call.arguments, tools)?);
            Ok(())
        })
    }

    /// Whether no check found an error.
    pub fn is_sound(&self) -> bool {
        self.calls.iter().filter_map(|call| call.check.as_ref()).all(|check| check.errors.is_empty())
    }
}

impl EditRecord {
    pub(crate) fn new(edit: &AppliedEdit<'_>, path: String, inner: Option<Range<usize>>) -> Self {
        let Range { start, end } = edit.span.clone();
        let (rule, replacement) = (edit.rule.to_owned(), edit.replacement.to_owned());
        Self { rule, risk: edit.risk, start, end, replacement, path, inner: inner.map(SpanRecord::from) }
    }

    fn of_call(edit: &AppliedEdit<'_>, path: &str, inner: Option<Range<usize>>) -> Self {
        // The envelope calls the list by another name than the record.
        let path = path.strip_prefix("/toolCalls").map_or_else(String::new, |path| format!("/calls{path}"));
        Self::new(edit, path, inner)
    }
}

impl CallRefusal {
    /// A refusal at a byte of `text`, whatever it holds: no other answer to the same question helps.
    pub fn at(offset: usize, text: &str, code: ErrorCode, reason: &'static str) -> Self {
        let Position { offset, line, column } = Position::of(offset, text);
        let why = match reason {
            "truncated" => "the completion was cut off, so another call may be missing",
            "limit_exceeded" => "the completion is longer than the limit",
            _ => "the completion is not UTF-8",
        };
        let message = format!("{why} at line {line} column {column} (byte {offset})");
        Self { code, reason, offset, line, column, format: None, edits: Vec::new(), message, is_retryable: false }
    }
}

impl From<Error> for CallRefusal {
    fn from(error: Error) -> Self {
        let Position { offset, line, column } = error.position();
        let format = Some(error.format().to_owned());
        let places = error.paths().zip(error.inner_spans());
        let edits =
            error.edits().zip(places).map(|(edit, (path, inner))| EditRecord::of_call(&edit, path, inner)).collect();
        let (code, reason, message) = (error.code(), error.reason().as_str(), error.to_string());
        let is_retryable = error.is_retryable();
        Self { code, reason, offset, line, column, format, edits, message, is_retryable }
    }
}

/// Shows figures, and no text (SPEC M5).
impl fmt::Debug for CallsRecord {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { calls, format, edits, risk, passed_over, .. } = self;
        let mut shown = formatter.debug_struct("CallsRecord");
        shown.field("calls", &calls.len()).field("format", format).field("edits", edits).field("risk", risk);
        shown.field("passed_over", passed_over).finish_non_exhaustive()
    }
}

/// Shows no text.
impl fmt::Debug for CallRecord {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("CallRecord").field("check", &self.check).finish_non_exhaustive()
    }
}

/// Shows the length of the replacement, never its text, nor the names in the path.
impl fmt::Debug for EditRecord {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { rule, risk, start, end, replacement, inner, .. } = self;
        let mut shown = formatter.debug_struct("EditRecord");
        shown.field("rule", rule).field("risk", risk).field("start", start).field("end", end);
        shown.field("replacement_len", &replacement.len()).field("inner", inner).finish_non_exhaustive()
    }
}
