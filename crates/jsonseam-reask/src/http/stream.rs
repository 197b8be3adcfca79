//! An answer that comes in pieces: server-sent events (WHATWG HTML, section 9.2), each a chunk of a chat completion.
//!
//! Bytes may be cut anywhere, so lines are put together first and read afterwards.

use crate::http::answer::{Call, MAX_CALLS, parse};
use crate::message::{Response, ToolCall, Usage};
use crate::transport::{TransportError, TransportKind};

/// The end of a stream, in the server's words.
const DONE: &[u8] = b"[DONE]";

/// Puts an answer together.
#[expect(clippy::struct_excessive_bools, reason = "each is one fact about the bytes so far")]
#[derive(Default)]
pub(super) struct Stream {
    /// The bytes of the line that is not ended yet.
    line: Vec<u8>,
    /// The data lines of the event that is not ended yet, joined by newlines.
    data: Vec<u8>,
    is_error_event: bool,
    text: String,
    refusal: Option<String>,
    calls: Vec<ToolCall>,
    finish_reason: Option<String>,
    usage: Option<Usage>,
    has_said_anything: bool,
    is_done: bool,
    follows_return: bool,
}

impl Stream {
    /// Takes the next bytes. The reader of the network bounds their size.
    pub(super) fn push(&mut self, bytes: &[u8]) -> Result<(), TransportError> {
        for &byte in bytes {
            if self.is_done {
                return Ok(());
            }
            match byte {
                b'\n' if std::mem::take(&mut self.follows_return) => {}
                b'\n' | b'\r' => {
                    self.follows_return = byte == b'\r';
                    let line = std::mem::take(&mut self.line);
                    self.take_line(&line)?;
                }
                _ => {
                    self.follows_return = false;
                    self.line.push(byte);
                }
            }
        }
        Ok(())
    }

    /// Whether the server has said that nothing more comes.
    pub(super) fn is_done(&self) -> bool {
        self.is_done
    }

    /// The whole answer. A stream that just stops, without its mark and without a finish reason, broke.
    pub(super) fn finish(mut self) -> Result<Response, TransportError> {
        if !self.is_done {
            let line = std::mem::take(&mut self.line);
            self.take_line(&line)?;
            self.end_event()?;
        }
        if !self.is_done && self.finish_reason.is_none() {
            return Err(TransportError::new(TransportKind::Connection));
        }
        // A refusal is the model's last word; a stream of nothing that ends as it should is an empty answer.
        if let (false, Some(refusal)) = (self.has_said_anything, self.refusal) {
            return Err(TransportError::new(TransportKind::BadResponse).with_detail(refusal));
        }
        if !self.has_said_anything && self.finish_reason.is_none() {
            return Err(TransportError::new(TransportKind::BadResponse));
        }
        let mut response = Response::new(self.text).with_tool_calls(self.calls);
        response.finish_reason = self.finish_reason;
        response.usage = self.usage;
        Ok(response)
    }

    fn take_line(&mut self, line: &[u8]) -> Result<(), TransportError> {
        if line.is_empty() {
            return self.end_event();
        }
        let (field, value) = match line.iter().position(|&byte| byte == b':') {
            Some(colon) => (line.get(..colon).unwrap_or_default(), line.get(colon + 1..).unwrap_or_default()),
            None => (line, &[][..]),
        };
        let value = value.strip_prefix(b" ").unwrap_or(value);
        match field {
            b"data" => {
                if !self.data.is_empty() {
                    self.data.push(b'\n');
                }
                self.data.extend_from_slice(value);
                // Some servers leave out the blank line after the last event.
                if value == DONE {
                    self.end_event()?;
                }
            }
            b"event" => self.is_error_event = value == b"error",
            // A comment, or a field that says nothing here.
            _ => {}
        }
        Ok(())
    }

    fn end_event(&mut self) -> Result<(), TransportError> {
        let data = std::mem::take(&mut self.data);
        let is_error = std::mem::take(&mut self.is_error_event);
        if data.iter().all(u8::is_ascii_whitespace) {
            return Ok(());
        }
        if data == DONE {
            self.is_done = true;
            return Ok(());
        }
        let chunk = match parse(&data) {
            Err(_) if is_error => return Err(TransportError::new(TransportKind::Server)),
            parsed => parsed?,
        };
        if let Some(error) = chunk.error {
            return Err(error.into_error());
        }
        if is_error {
            return Err(TransportError::new(TransportKind::Server));
        }
        self.usage = chunk.usage.map(Usage::from).or(self.usage);
        let Some(choice) = chunk.choices else { return Ok(()) };
        if let Some(said) = choice.delta.or(choice.message) {
            if let Some(content) = said.content {
                self.has_said_anything = true;
                self.text.push_str(&content);
            }
            if let Some(refusal) = said.refusal {
                self.refusal.get_or_insert_default().push_str(&refusal);
            }
            said.tool_calls.into_iter().try_for_each(|call| self.take_call(call))?;
        }
        self.finish_reason = choice.finish_reason.or(self.finish_reason.take());
        Ok(())
    }

    /// Adds a piece of a call to the call that it belongs to.
    fn take_call(&mut self, call: Call) -> Result<(), TransportError> {
        let index = call.index.map_or(self.calls.len(), |index| index as usize);
        if index >= MAX_CALLS || index > self.calls.len() {
            return Err(TransportError::new(TransportKind::BadResponse));
        }
        self.has_said_anything = true;
        if index == self.calls.len() {
            self.calls.push(ToolCall { name: String::new(), arguments: String::new() });
        }
        if let (Some(known), Some(function)) = (self.calls.get_mut(index), call.function) {
            known.name.push_str(function.name.as_deref().unwrap_or_default());
            known.arguments.push_str(function.arguments.as_deref().unwrap_or_default());
        }
        Ok(())
    }
}
