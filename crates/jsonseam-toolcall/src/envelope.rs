//! What comes out: the envelope with its seams, or why there is none.

use std::fmt;
use std::ops::Range;

use jsonseam_core::{AppliedEdit, Position, Risk};
use jsonseam_text::{ErrorCode, named};

use crate::passed::PassedOver;
use crate::weave::Edit;

/// Tool calls and the text around them, as one JSON object.
///
/// The object has the shape that [`ENVELOPE_SCHEMA`](crate::ENVELOPE_SCHEMA) declares:
/// `toolCalls`, each with `name` and `arguments`, and `content` if there is text.
/// `Debug` shows no text; [`text`](Self::text) does, on request (SPEC M5).
///
/// ```
/// use jsonseam_toolcall::{Extractor, Packs, WRAPPERS};
///
/// let extractor = Extractor::new(Packs::parse(&WRAPPERS)?);
/// let envelope = extractor.extract("On it. <tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>").unwrap().unwrap();
/// assert_eq!(envelope.names().collect::<Vec<_>>(), ["f"]);
/// # Ok::<(), jsonseam_toolcall::PackError>(())
/// ```
#[derive(Clone)]
pub struct Envelope {
    pub(crate) text: String,
    pub(crate) edits: Vec<Edit>,
    pub(crate) repairs: Vec<Edit>,
    pub(crate) paths: Vec<String>,
    pub(crate) names: Vec<String>,
    pub(crate) ids: Vec<Option<String>>,
    pub(crate) formats: Vec<String>,
}

impl Envelope {
    /// The envelope: valid JSON.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// The edits that make the envelope out of the whole completion, by position: applied, they give [`text`](Self::text).
    pub fn edits(&self) -> impl ExactSizeIterator<Item = AppliedEdit<'_>> {
        self.edits.iter().map(Edit::seam)
    }

    /// The edits that rules made in the calls, each in bytes of the completion: what is run although the model did not write it so.
    /// [`edits`](Self::edits) has them too where what they changed is in the envelope, and beside them what takes the calls out of their marks.
    pub fn repairs(&self) -> impl ExactSizeIterator<Item = AppliedEdit<'_>> {
        self.repairs.iter().map(Edit::seam)
    }

    /// For each of the repairs where it is in the text of the string at its span, if the string holds JSON that was repaired.
    ///
    /// ```
    /// # use jsonseam_toolcall::{Extractor, Packs, WRAPPERS};
    /// let extractor = Extractor::new(Packs::parse(&WRAPPERS)?);
    /// let text = r#"<tool_call>{"name": "f", "arguments": "{\"a\": [1}"}</tool_call>"#;
    /// let envelope = extractor.extract(text)?.expect("there is a call");
    /// assert_eq!(&text[envelope.repairs().next().unwrap().span], r#""{\"a\": [1}""#);
    /// assert_eq!(envelope.inner_spans().collect::<Vec<_>>(), [Some(8..8)]);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn inner_spans(&self) -> impl ExactSizeIterator<Item = Option<Range<usize>>> {
        self.repairs.iter().map(|edit| edit.inner.clone())
    }

    /// For each of the repairs the JSON Pointer of what it changed in the envelope; empty where the envelope has nothing of it.
    pub fn paths(&self) -> impl ExactSizeIterator<Item = &str> {
        self.paths.iter().map(String::as_str)
    }

    /// For each call the identifier that the model gave it, if it did.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = Option<&str>> {
        self.ids.iter().map(Option::as_deref)
    }

    /// The highest risk of the repairs; `None` if there are none.
    pub fn risk(&self) -> Option<Risk> {
        self.repairs.iter().map(|edit| edit.risk).max()
    }

    /// The tools that are called, in order. Without [`Tools`](crate::Tools) they are what the model wrote.
    pub fn names(&self) -> impl ExactSizeIterator<Item = &str> {
        self.names.iter().map(String::as_str)
    }

    /// The formats that the calls were read in, each once, in order.
    pub fn formats(&self) -> impl ExactSizeIterator<Item = &str> {
        self.formats.iter().map(String::as_str)
    }
}

impl fmt::Debug for Envelope {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Envelope")
            .field("calls", &self.names.len())
            .field("edits", &self.edits.len())
            .field("formats", &self.formats)
            .finish_non_exhaustive()
    }
}

/// What a completion holds: its calls, its thoughts, and what looked like a call and is not one.
#[derive(Debug, Clone)]
pub struct Reading {
    pub(crate) envelope: Option<Envelope>,
    pub(crate) passed_over: Vec<PassedOver>,
    pub(crate) thoughts: Vec<Range<usize>>,
}

impl Reading {
    /// The calls and the text around them; `None` if nothing in the completion counts as a call.
    pub fn envelope(&self) -> Option<&Envelope> {
        self.envelope.as_ref()
    }

    /// What looks like a call and is not one, by position; at most 64 entries.
    pub fn passed_over(&self) -> &[PassedOver] {
        &self.passed_over
    }

    /// Where the model thinks aloud, without the marks, in bytes of the completion.
    pub fn thoughts(&self) -> &[Range<usize>] {
        &self.thoughts
    }

    /// The calls and the text around them, to keep.
    pub fn into_envelope(self) -> Option<Envelope> {
        self.envelope
    }
}

named! {
    /// Why tool calls could not be read although the text holds marks of them.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Reason as "a reason" {
        /// What follows the mark is not what the format has there.
        Malformed = "malformed",
        /// The text ends within a call (SPEC B3).
        Truncated = "truncated",
        /// The call is of a tool that was not offered.
        NotOffered = "not_offered",
        /// The name or the arguments of a call, or one of the arguments, are given twice or in another spelling: decoders would differ on which one counts.
        RepeatedMember = "repeated_member",
        /// A mark of a known format remains in the text around the calls: another call may have been meant.
        MarkLeft = "mark_left",
        /// A value goes on over the head of another call or argument: an end is missing.
        RunsOver = "runs_over",
        /// An edit in a call has a higher risk than the caller takes.
        RiskTooHigh = "risk_too_high",
        /// The whole text makes something else of a call that a stream has announced: a mark that ends thoughts follows it, or an end was missing.
        Withdrawn = "withdrawn",
        /// Nested too deep, or too many broken calls.
        LimitExceeded = "limit_exceeded",
    }
}

/// Why tool calls could not be read. Holds no text of the completion (SPEC M5).
///
/// ```
/// use jsonseam_toolcall::{Extractor, Packs, Reason, WRAPPERS};
///
/// let extractor = Extractor::new(Packs::parse(&WRAPPERS)?);
/// let error = extractor.extract("<tool_call>{\"name\": \"f\", \"argu").unwrap_err();
/// assert_eq!((error.code().as_str(), error.reason()), ("tool_calls_refused", Reason::Truncated));
/// assert_eq!(error.mark(), 0..11);
/// # Ok::<(), jsonseam_toolcall::PackError>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    pub(crate) reason: Reason,
    pub(crate) position: Position,
    pub(crate) format: Box<str>,
    pub(crate) mark: Range<usize>,
    pub(crate) edits: Vec<Edit>,
    pub(crate) paths: Vec<String>,
    /// What would have helped, once someone has asked.
    pub(crate) help: Option<Box<Help>>,
}

/// The rules that are off and would have helped.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Help {
    pub(crate) mended_by: Vec<String>,
}

impl Error {
    /// The stable code: always `tool_calls_refused` (SPEC E1).
    pub const fn code(&self) -> ErrorCode {
        ErrorCode::ToolCallsRefused
    }

    /// Why.
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// Where in the completion.
    pub fn position(&self) -> Position {
        self.position
    }

    /// The format whose mark is there.
    pub fn format(&self) -> &str {
        &self.format
    }

    /// The mark that promised a call, in bytes of the completion.
    pub fn mark(&self) -> Range<usize> {
        self.mark.clone()
    }

    /// The edits that were made in the calls, if their risk is the reason.
    pub fn edits(&self) -> impl ExactSizeIterator<Item = AppliedEdit<'_>> {
        self.edits.iter().map(Edit::seam)
    }

    /// For each of these edits the JSON Pointer of what it changed in the envelope that was refused; empty where the envelope has nothing of it.
    pub fn paths(&self) -> impl ExactSizeIterator<Item = &str> {
        self.paths.iter().map(String::as_str)
    }

    /// The rules that are off and whose edits, with all known rules on, make the calls readable;
    /// empty until [`Extractor::explain`](crate::Extractor::explain) has filled it.
    pub fn mended_by(&self) -> &[String] {
        self.help.as_ref().map_or(&[], |help| &help.mended_by)
    }

    /// For each of these edits where it is in the text of the string at its span, if it is in one.
    pub fn inner_spans(&self) -> impl ExactSizeIterator<Item = Option<Range<usize>>> {
        self.edits.iter().map(|edit| edit.inner.clone())
    }

    /// Whether asking the model again can help.
    pub fn is_retryable(&self) -> bool {
        !matches!(self.reason, Reason::Truncated | Reason::LimitExceeded)
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let why = match self.reason {
            Reason::Malformed => "a tool call is not in the form that its mark promises",
            Reason::Truncated => "the completion ends within a tool call",
            Reason::NotOffered => "a tool is called that was not offered",
            Reason::RepeatedMember => "a tool call gives its name or an argument twice, or in another spelling",
            Reason::MarkLeft => "a mark of a tool call remains beside the calls",
            Reason::RunsOver => "a value of a tool call runs over the head of another call or argument",
            Reason::RiskTooHigh => "a tool call was repaired, at a higher risk than is taken,",
            Reason::Withdrawn => "what follows makes something else of a tool call that was announced",
            Reason::LimitExceeded => "tool calls are nested too deep, or too many are broken",
        };
        let Position { line, column, offset } = self.position;
        write!(formatter, "{why} at line {line} column {column} (byte {offset}), format {}", self.format)
    }
}

impl std::error::Error for Error {}
