//! Reads the calls of texts into records: an extractor, and what is said about every text.

use jsonseam_core::{FinishReason, Reason as CoreReason};
use jsonseam_text::{ErrorCode, floor_char_boundary};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::envelope::{Error, Reading};
use crate::extract::Extractor;
#[cfg(feature = "stream")]
use crate::extract::stream::{CallEvent, CallStream};
use crate::record::{CallRefusal, CallsRecord, EditRecord, Output};
use crate::tools::Tools;

/// An answer for a caller in another language.
#[derive(Serialize)]
#[serde(rename_all = "lowercase")]
enum Answer<'r> {
    /// The calls in the shape that was asked for.
    #[serde(rename = "answer")]
    Shaped(Box<RawValue>),
    /// Calls whose arguments do not fit, where the shape that was asked for has no place to say so.
    Unfit(CallsRecord),
    #[serde(untagged)]
    Refused { error: &'r CallRefusal, edits: &'r [EditRecord], message: &'r str, retryable: bool },
}

/// Gives the record of each text. Cheap to clone, and free to share between threads.
///
/// ```
/// use jsonseam_toolcall::{CallReader, Extractor, Packs, Tools, WRAPPERS};
///
/// let tools = Tools::new().tool("f", &serde_json::json!({"properties": {"n": {"type": "integer"}}}));
/// let reader = CallReader::new(Extractor::new(Packs::parse(&WRAPPERS)?)).with_tools(tools).checking();
/// let text = "<tool_call>{\"name\": \"f\", \"arguments\": {\"n\": \"3\"}}</tool_call>";
/// let record = reader.read(text, None, None)?.expect("the call can be read");
/// assert_eq!(record.calls[0].arguments.get(), r#"{"n":3}"#);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct CallReader {
    extractor: Extractor,
    /// The tools of every text that has none of its own.
    tools: Tools,
    checks: bool,
    longest: usize,
}

impl CallReader {
    /// Reads what the extractor reads, of any length.
    pub fn new(extractor: Extractor) -> Self {
        Self { extractor, tools: Tools::new(), checks: false, longest: usize::MAX }
    }

    /// Accepts calls of these tools only, in every text that has none of its own.
    #[must_use]
    pub fn with_tools(mut self, tools: Tools) -> Self {
        self.extractor = self.extractor.with_tools(tools.clone());
        self.tools = tools;
        self
    }

    /// The tools of every text that has none of its own.
    pub fn tools(&self) -> &Tools {
        &self.tools
    }

    /// Puts the arguments of each call to the schema of its tool.
    #[must_use]
    pub fn checking(mut self) -> Self {
        self.checks = true;
        self
    }

    /// Refuses texts that are longer, in bytes.
    #[must_use]
    pub fn with_longest(mut self, longest: usize) -> Self {
        self.longest = longest;
        self
    }

    /// The calls of a text, of these tools if they are given, or why they are refused: also because the finish reason says that another call may have been cut off.
    /// The outer error is a defect of this crate.
    pub fn read(
        &self,
        text: &str,
        tools: Option<&Tools>,
        finish_reason: Option<&FinishReason>,
    ) -> serde_json::Result<Result<CallsRecord, CallRefusal>> {
        if text.len() > self.longest {
            let last = floor_char_boundary(text, self.longest);
            let reason = CoreReason::LimitExceeded.as_str();
            return Ok(Err(CallRefusal::at(last, text, ErrorCode::ToolCallsRefused, reason)));
        }
        let reading = match tools {
            Some(tools) => self.extractor.clone().with_tools(tools.clone()).read(text),
            None => self.extractor.read(text),
        };
        self.record(reading, text, tools.unwrap_or(&self.tools), finish_reason)
    }

    /// The calls of a text that comes in pieces; [`end`](Self::end) gives what [`read`](Self::read) does.
    ///
    /// ```
    /// # use jsonseam_toolcall::{CallReader, Extractor, Packs, WRAPPERS};
    /// let reader = CallReader::new(Extractor::new(Packs::parse(&WRAPPERS)?));
    /// let mut stream = reader.stream();
    /// let told = stream.push("<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": 1")?.count();
    /// let told = told + stream.push("}}</tool_call>")?.count();
    /// assert!(told > 0);
    /// let record = reader.end(&mut stream, None, |_| {})?.expect("the call can be read");
    /// assert_eq!(record.calls[0].arguments.get(), r#"{"a":1}"#);
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    #[cfg(feature = "stream")]
    pub fn stream(&self) -> CallStream {
        self.extractor.stream()
    }

    /// Ends a text that came in pieces; `tell` takes the events that are left.
    #[cfg(feature = "stream")]
    pub fn end(
        &self,
        stream: &mut CallStream,
        finish_reason: Option<&FinishReason>,
        tell: impl FnMut(CallEvent),
    ) -> serde_json::Result<Result<CallsRecord, CallRefusal>> {
        let reading = stream.finish_with(tell);
        self.record(reading, stream.text(), &self.tools, finish_reason)
    }

    fn record(
        &self,
        reading: Result<Reading, Error>,
        text: &str,
        tools: &Tools,
        finish_reason: Option<&FinishReason>,
    ) -> serde_json::Result<Result<CallsRecord, CallRefusal>> {
        let reading = match reading {
            Ok(reading) => reading,
            Err(error) => return Ok(Err(error.into())),
        };
        if reading.envelope().is_some() && finish_reason.is_some_and(FinishReason::is_cut) {
            return Ok(Err(CallRefusal::at(text.len(), text, ErrorCode::ToolCallsRefused, "truncated")));
        }
        let mut record = CallsRecord::new(&reading, text)?;
        if self.checks {
            record.check(tools)?;
        }
        Ok(Ok(record))
    }

    /// What [`read`](Self::read) gives, as JSON for a caller in another language, with the calls in this shape: an object with one of
    /// `answer`, what the command prints; `unfit`, our own record, if arguments do not fit and the shape has no place to say so;
    /// `error`, beside `edits`, `message` and `retryable`.
    ///
    /// ```
    /// # use jsonseam_toolcall::{CallReader, Extractor, Output, Packs, WRAPPERS};
    /// let reader = CallReader::new(Extractor::new(Packs::parse(&WRAPPERS)?));
    /// assert!(reader.answer("Nothing to do.", None, None, Output::Native)?.starts_with(r#"{"answer":{"calls":[],"#));
    /// assert!(reader.answer("<tool_call>", None, None, Output::Native)?.starts_with(r#"{"error":{"code":"tool_calls_refused","#));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn answer(
        &self,
        text: &str,
        tools: Option<&Tools>,
        finish_reason: Option<&FinishReason>,
        output: Output,
    ) -> serde_json::Result<String> {
        let read = self.read(text, tools, finish_reason)?;
        serde_json::to_string(&match read {
            Ok(record) if output != Output::Native && !record.is_sound() => Answer::Unfit(record),
            Ok(record) => Answer::Shaped(RawValue::from_string(record.shaped(output, text))?),
            Err(ref error) => {
                let CallRefusal { edits, message, is_retryable, .. } = error;
                Answer::Refused { error, edits, message, retryable: *is_retryable }
            }
        })
    }
}
