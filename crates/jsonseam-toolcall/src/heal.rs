//! Histories of conversations made fit to be sent: calls whose arguments are broken, empty or no object are repaired, on record, or reported and left as they are.
//!
//! Servers answer every later turn with an error if one earlier call has such arguments.
//! Messages of `OpenAI`'s chat completions, of Anthropic and items of `OpenAI`'s responses are read; all else in the history is kept byte for byte.
//!
//! Invariant: what is healed twice is what is healed once, and no value is made up: where there are no arguments at all they become `{}`, on record.

mod arguments;
mod history;
mod pairs;

use std::fmt;
use std::ops::Range;

use jsonseam_core::{Pipeline, Position, RECORD_VERSION, Risk};
use jsonseam_text::{ErrorCode, floor_char_boundary, named};
use serde::Serialize;
use serde_json::value::RawValue;

use self::history::Call;
use crate::record::EditRecord;
use crate::tools::Tools;

named! {
    /// Why the arguments of a call stay as they are.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum HealReason as "a reason" {
        /// They are not JSON, and cannot be repaired.
        Malformed = "malformed",
        /// They end before their JSON does, and the call may still be run: what is closed there may be half of a command (SPEC B3).
        Truncated = "truncated",
        /// They can be repaired in more than one way.
        Ambiguous = "ambiguous_repair",
        /// They are JSON of another kind than an object.
        NotAnObject = "not_an_object",
        /// The call gives its arguments twice.
        RepeatedMember = "repeated_member",
        /// An edit has a higher risk than the caller takes.
        RiskTooHigh = "risk_too_high",
    }
}

named! {
    /// Why a history is not read.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum HistoryReason as "a reason" {
        /// It is not JSON.
        NotJson = "not_json",
        /// It has no list of messages.
        MissingField = "missing_field",
    }
}

named! {
    /// Why a call or a result has no partner.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Unpaired as "a reason" {
        /// A call that no result follows before the conversation goes on.
        NoResult = "no_result",
        /// A result of a call that the history does not have.
        NoCall = "no_call",
        /// A result whose call is further up: the conversation went on in between.
        OutOfPlace = "out_of_place",
        /// A second result of one call.
        RepeatedResult = "repeated_result",
        /// A second call of one message with the same identifier.
        RepeatedId = "repeated_id",
    }
}

/// Heals histories. Cheap to clone, and free to share between threads.
///
/// ```
/// use jsonseam_toolcall::{HealReason, Healer};
///
/// let history = r#"[{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":""}}]},
///   {"role":"tool","tool_call_id":"c1","content":"done"}]"#;
/// let healed = Healer::new().heal(history)?;
/// assert!(healed.text().contains(r#""arguments":"{}""#));
/// assert_eq!(healed.record().edits[0].edit.rule, "empty-arguments");
///
/// // Without a pipeline, broken JSON is repaired only where closers alone are wrong.
/// let healed = Healer::new().heal(&history.replace(r#""""#, r#""{city: 1}""#))?;
/// assert_eq!(healed.record().refused[0].reason, HealReason::Malformed);
/// # Ok::<(), jsonseam_toolcall::HistoryError>(())
/// ```
#[derive(Debug, Clone)]
pub struct Healer {
    tools: Tools,
    pipeline: Option<Pipeline>,
    max_risk: Risk,
}

/// A history, with the record of what was done.
#[derive(Clone)]
pub struct Healed {
    text: String,
    record: HistoryRecord,
}

/// What was done with a history, and what is left to do. Indexes count from 0.
#[derive(Debug, Clone, Serialize)]
pub struct HistoryRecord {
    /// The version of records.
    pub version: u32,
    /// `valid` without edits, `repaired` with some, `refused` if a call stays broken.
    pub status: &'static str,
    /// The edits, in the order of the history.
    pub edits: Vec<HistoryEdit>,
    /// The highest risk of the edits.
    pub risk: Option<Risk>,
    /// The calls that stay broken.
    pub refused: Vec<RefusedCall>,
    /// Calls without results, and results without calls.
    pub unpaired: Vec<UnpairedRecord>,
}

/// An edit: its bytes are those of the arguments in the history, and `inner` those in the text of the string that they are.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct HistoryEdit {
    /// The message, or the item.
    pub message: usize,
    /// The call within it.
    pub call: usize,
    /// What was done.
    #[serde(flatten)]
    pub edit: EditRecord,
}

/// A call that stays broken.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct RefusedCall {
    /// The message, or the item.
    pub message: usize,
    /// The call within it.
    pub call: usize,
    /// Why.
    pub reason: HealReason,
    /// Where the arguments begin in the history, in bytes.
    pub start: usize,
    /// Where they end.
    pub end: usize,
    /// Their JSON Pointer.
    pub path: String,
    /// The edits whose risk is too high.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub edits: Vec<EditRecord>,
}

/// A call without a result, or a result without a call.
#[derive(Clone, PartialEq, Eq, Serialize)]
pub struct UnpairedRecord {
    /// The message, or the item.
    pub message: usize,
    /// The call within it, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub call: Option<usize>,
    /// The result within it, if it is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub result: Option<usize>,
    /// Why.
    pub reason: Unpaired,
    /// The identifier.
    pub id: String,
}

/// A text that is no history.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct HistoryError {
    position: Option<Position>,
}

impl Default for Healer {
    fn default() -> Self {
        Self::new()
    }
}

impl Healer {
    /// Repairs closers and empty arguments; see [`with_pipeline`](Self::with_pipeline) for the rest.
    pub fn new() -> Self {
        Self { tools: Tools::new(), pipeline: None, max_risk: Risk::Likely }
    }

    /// Where closers can be at several places, the schemas of these tools decide.
    #[must_use]
    pub fn with_tools(mut self, tools: Tools) -> Self {
        self.tools = tools;
        self
    }

    /// Repairs arguments that are broken JSON. The pipeline must take any root.
    #[must_use]
    pub fn with_pipeline(mut self, pipeline: Pipeline) -> Self {
        self.pipeline = Some(pipeline);
        self
    }

    /// Refuses calls with an edit above this risk; [`Risk::Likely`] unless said otherwise.
    #[must_use]
    pub fn with_max_risk(mut self, risk: Risk) -> Self {
        self.max_risk = risk;
        self
    }

    /// Heals a JSON array of messages or items, or an object that has one in `messages` or `input`, as requests do. Time is linear in the text.
    pub fn heal(&self, history: &str) -> Result<Healed, HistoryError> {
        if let Err(error) = serde_json::from_str::<&RawValue>(history) {
            let lines = history.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len);
            let offset = lines.sum::<usize>() + error.column().saturating_sub(1);
            let offset = floor_char_boundary(history, offset);
            return Err(HistoryError { position: Some(Position::of(offset, history)) });
        }
        let mut read = history::read(history).ok_or(HistoryError { position: None })?;
        let unpaired = pairs::unpaired(&mut read);
        let (mut edits, mut refused, mut changes) = (Vec::new(), Vec::new(), Vec::new());
        for call in &read.calls {
            match self.healed(history, call) {
                Ok(None) => {}
                Ok(Some((made, change))) => {
                    let of_call = |edit| HistoryEdit { message: call.message, call: call.index, edit };
                    edits.extend(made.into_iter().map(of_call));
                    changes.push((call.value.clone(), change));
                }
                Err((reason, edits)) => refused.push(call.refused(reason, edits)),
            }
        }
        changes.sort_by_key(|(span, _)| span.start);
        let status = match (refused.is_empty(), edits.is_empty()) {
            (false, _) => "refused",
            (true, false) => "repaired",
            (true, true) => "valid",
        };
        let risk = edits.iter().map(|edit: &HistoryEdit| edit.edit.risk).max();
        let record = HistoryRecord { version: RECORD_VERSION, status, edits, risk, refused, unpaired };
        Ok(Healed { text: changed(history, changes), record })
    }
}

/// A text with these spans, which go forward, replaced.
fn changed(text: &str, changes: Vec<(Range<usize>, String)>) -> String {
    let mut healed = String::with_capacity(text.len());
    let mut pos = 0;
    for (span, replacement) in changes {
        healed.push_str(text.get(pos..span.start).unwrap_or_default());
        healed.push_str(&replacement);
        pos = span.end;
    }
    healed.push_str(text.get(pos..).unwrap_or_default());
    healed
}

impl Call {
    fn refused(&self, reason: HealReason, edits: Vec<EditRecord>) -> RefusedCall {
        let Range { start, end } = self.value.clone();
        RefusedCall { message: self.message, call: self.index, reason, start, end, path: self.path.clone(), edits }
    }
}

impl Healed {
    /// The history: the bytes that were given, but for the arguments that were repaired.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// What was done, and what is left to do.
    pub fn record(&self) -> &HistoryRecord {
        &self.record
    }

    /// Whether every call has arguments that can be sent. Results may be missing all the same: see [`HistoryRecord::unpaired`].
    pub fn is_sound(&self) -> bool {
        self.record.refused.is_empty()
    }

    /// The history and the record, to keep.
    pub fn into_parts(self) -> (String, HistoryRecord) {
        (self.text, self.record)
    }
}

/// Shows the record alone (SPEC M5).
impl fmt::Debug for Healed {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Healed").field("record", &self.record).finish_non_exhaustive()
    }
}

/// Shows no names of the history.
impl fmt::Debug for RefusedCall {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { message, call, reason, .. } = self;
        let mut shown = formatter.debug_struct("RefusedCall");
        shown.field("message", message).field("call", call).field("reason", reason).finish_non_exhaustive()
    }
}

/// Shows no identifier.
impl fmt::Debug for UnpairedRecord {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { message, call, result, reason, .. } = self;
        let mut shown = formatter.debug_struct("UnpairedRecord");
        shown.field("message", message).field("call", call).field("result", result).field("reason", reason);
        shown.finish_non_exhaustive()
    }
}

impl HistoryError {
    /// The stable code, `bad_record`.
    pub const fn code(self) -> ErrorCode {
        ErrorCode::BadRecord
    }

    /// Why it is not read.
    pub const fn reason(self) -> HistoryReason {
        if self.position.is_some() { HistoryReason::NotJson } else { HistoryReason::MissingField }
    }

    /// Where it stops being JSON.
    pub const fn position(self) -> Option<Position> {
        self.position
    }
}

impl fmt::Display for HistoryError {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.position {
            Some(Position { line, column, offset }) => {
                write!(formatter, "the history is not JSON at line {line} column {column} (byte {offset})")
            }
            None => {
                write!(
                    formatter,
                    "the history is not a list of messages, nor an object that has one in `messages` or `input`"
                )
            }
        }
    }
}

impl std::error::Error for HistoryError {}
