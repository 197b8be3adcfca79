//! An answer that comes in pieces: server-sent events (WHATWG HTML, section 9.2), each a chunk of a chat completion.
//!
//! Bytes may be cut anywhere, so lines are put together first and read afterwards.

use crate::event::Piece;
use crate::http::answer::{Call, Choice, MAX_CALLS, Said, is_readable, parse};
use crate::machine::Watch;
use crate::message::{Response, ToolCall, Usage};
use crate::transport::{TransportError, TransportKind};

/// The end of a stream, in the server's words.
const DONE: &[u8] = b"[DONE]";
/// The byte order mark, which belongs to no line.
const MARK: &[u8] = b"\xEF\xBB\xBF";

/// Puts an answer together.
#[expect(clippy::struct_excessive_bools, reason = "each is one fact about the bytes so far")]
#[derive(Default)]
pub(super) struct Stream {
    /// The bytes of the line that is not ended yet.
    line: Vec<u8>,
    /// The data lines of the event that is not ended yet, joined by newlines.
    data: Vec<u8>,
    is_error_event: bool,
    spoken: Spoken,
    usage: Option<Usage>,
    has_begun: bool,
    is_done: bool,
    follows_return: bool,
    /// How much of the text was shown.
    shown: usize,
    /// How much of the arguments of each call was shown.
    shown_calls: Vec<usize>,
}

/// What one choice has said so far.
#[derive(Default)]
struct Spoken {
    /// The number of the choice.
    index: u64,
    text: String,
    refusal: Option<String>,
    /// The calls, each with the number that its pieces have, if they have one.
    calls: Vec<(Option<u64>, ToolCall)>,
    finish_reason: Option<String>,
    has_ended: bool,
    has_said_anything: bool,
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

    /// Shows what came since this was asked last. Of another choice than the first nothing is shown: the first may still come.
    pub(super) fn show(&mut self, watch: &mut (dyn FnMut(Piece<'_>) -> Watch + Send)) -> Watch {
        if self.spoken.index > 0 {
            return Watch::GoOn;
        }
        let from = std::mem::replace(&mut self.shown, self.spoken.text.len());
        let text = self.spoken.text.get(from..).unwrap_or_default();
        if !text.is_empty() && watch(Piece::Text(text)) == Watch::Hopeless {
            return Watch::Hopeless;
        }
        self.shown_calls.resize(self.spoken.calls.len(), 0);
        for (call, ((_, known), shown)) in self.spoken.calls.iter().zip(&mut self.shown_calls).enumerate() {
            let json = known.arguments.get(*shown..).unwrap_or_default();
            *shown = known.arguments.len();
            if !json.is_empty() && watch(Piece::Arguments { call, name: &known.name, json }) == Watch::Hopeless {
                return Watch::Hopeless;
            }
        }
        Watch::GoOn
    }

    /// What came of an answer that is given up.
    pub(super) fn so_far(self) -> Response {
        let calls = self.spoken.calls.into_iter().map(|(_, call)| call).collect();
        let mut response = Response::new(self.spoken.text).with_tool_calls(calls);
        response.usage = self.usage;
        response
    }

    /// The whole answer. A stream that just stops, without its mark and without a finish reason, broke.
    pub(super) fn finish(mut self) -> Result<Response, TransportError> {
        if !self.is_done {
            let line = std::mem::take(&mut self.line);
            self.take_line(&line)?;
            self.end_event()?;
        }
        let Spoken { text, refusal, calls, finish_reason, has_ended, has_said_anything, .. } = self.spoken;
        if !self.is_done && !has_ended {
            return Err(TransportError::new(TransportKind::Connection));
        }
        let refusal = refusal.filter(|refusal| !refusal.trim().is_empty());
        // A stream of nothing that ends as it should is an empty answer.
        if !has_said_anything && !has_ended && refusal.is_none() {
            return Err(TransportError::new(TransportKind::BadResponse));
        }
        let mut response = Response::new(text).with_tool_calls(calls.into_iter().map(|(_, call)| call).collect());
        response.refusal = refusal;
        response.finish_reason = finish_reason;
        response.usage = self.usage;
        Ok(response)
    }

    fn take_line(&mut self, line: &[u8]) -> Result<(), TransportError> {
        // A mark of the byte order, and blanks, may be before the first field.
        let line = if self.has_begun { line } else { line.trim_ascii_start() };
        let line = line.strip_prefix(MARK).filter(|_| !self.has_begun).map_or(line, <[u8]>::trim_ascii_start);
        self.has_begun |= !line.is_empty();
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
                if value.trim_ascii() == DONE {
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
        if data.trim_ascii() == DONE {
            self.is_done = true;
            return Ok(());
        }
        let chunk = match parse(&data) {
            Err(_) if is_error => return Err(TransportError::new(TransportKind::Server)),
            // What is not JSON was broken on its way; the same request may come through whole.
            Err(error) if error.reason() == TransportKind::BadResponse && !is_readable(&data) => {
                return Err(TransportError::new(TransportKind::BrokenStream));
            }
            parsed => parsed?,
        };
        if let Some(error) = chunk.error {
            return Err(error.into_error());
        }
        if is_error {
            return Err(TransportError::new(TransportKind::Server));
        }
        self.usage = chunk.usage.or(self.usage);
        chunk.choice.map_or(Ok(()), |choice| self.spoken.take(choice))
    }
}

impl Spoken {
    /// Takes a piece of the choice with the lowest number; a server that gives several numbers them, in any order.
    fn take(&mut self, choice: Choice) -> Result<(), TransportError> {
        let index = choice.index.unwrap_or(0);
        let has_begun = self.has_said_anything || self.has_ended || self.refusal.is_some();
        if has_begun && index > self.index {
            return Ok(());
        }
        if index != self.index {
            *self = Self { index, ..Self::default() };
        }
        if let Some(Said { content, refusal, calls }) = choice.said {
            if let Some(content) = content {
                self.has_said_anything = true;
                self.text.push_str(&content);
            }
            if let Some(refusal) = refusal {
                self.refusal.get_or_insert_default().push_str(&refusal);
            }
            calls.into_iter().try_for_each(|call| self.take_call(call))?;
        }
        self.finish_reason = choice.finish_reason.or(self.finish_reason.take());
        self.has_ended |= choice.has_ended;
        Ok(())
    }

    /// Adds a piece of a call to the call that it belongs to: the one of its number; without a number, the last one, unless it names a tool anew.
    fn take_call(&mut self, Call { index, name, arguments }: Call) -> Result<(), TransportError> {
        self.has_said_anything = true;
        let at = match index {
            Some(_) => self.calls.iter().position(|(known, _)| *known == index),
            None if name.is_empty() => self.calls.len().checked_sub(1),
            None => None,
        };
        if let Some((_, known)) = at.and_then(|at| self.calls.get_mut(at)) {
            // Some servers repeat the name in every piece.
            if known.name != name {
                known.name.push_str(&name);
            }
            known.arguments.push_str(&arguments);
            return Ok(());
        }
        if self.calls.len() == MAX_CALLS {
            return Err(TransportError::new(TransportKind::BadResponse));
        }
        self.calls.push((index, ToolCall { name, arguments }));
        Ok(())
    }
}
