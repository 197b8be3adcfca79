//! `--follow`: a text is read as it comes, and a line of JSON written for each event as soon as it is known. Those of `ask`, `calls` and `parse` are here.

mod utf16;

use std::io::{ErrorKind, Read};

use anyhow::Context;
use jsonseam::contract::FieldEvent;
use jsonseam::reask::{AnswerEvent, Mode};
use jsonseam::toolcall::CallEvent;
use jsonseam::{Adapter, ContractError, FinishReason, Outputs, StreamOptions};
use serde::ser::Error as _;
use serde::{Serialize, Serializer};
use serde_json::value::RawValue;

use crate::console;
use crate::input::Source;
use utf16::Decoding;

/// The most that is read at once, in bytes: what is there is taken, however little it is.
const PIECE: usize = 64 << 10;

/// One event, as a line.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
enum Line<'e> {
    Content { text: &'e str },
    Thought,
    Begin { index: usize, name: &'e str, format: &'e str },
    Arguments { index: usize, json: &'e str },
    Done { index: usize },
    Started { name: &'e str },
    Text { name: &'e str, text: Spoken<'e> },
    Element { name: &'e str, index: usize, json: &'e RawValue },
    Field { name: &'e str, json: &'e RawValue },
    Hopeless { error: &'e ContractError },
    Attempt { attempt: u32, mode: Mode },
    GivenUp { attempt: u32, errors: &'e [String], stopped_early: bool },
    Withdrawn { attempt: u32 },
}

/// A piece of a string, spelled so that no half of a surrogate pair in it is lost.
#[derive(Clone, Copy)]
pub(crate) struct Spoken<'e> {
    pub(crate) text: &'e str,
    /// The same as JSON text, without quotation marks.
    pub(crate) json: &'e str,
}

impl Serialize for Spoken<'_> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        if !self.text.contains(char::REPLACEMENT_CHARACTER) {
            return self.text.serialize(serializer);
        }
        let spelled = RawValue::from_string(format!("\"{}\"", self.json)).map_err(S::Error::custom)?;
        spelled.serialize(serializer)
    }
}

/// A text that comes in pieces, and what of it was read.
pub(crate) struct Pieces {
    reader: Box<dyn Read + Send>,
    name: String,
    /// Room for the next piece.
    room: Vec<u8>,
    /// All that was read.
    pub(crate) bytes: Vec<u8>,
    /// Up to where it was given out.
    given: usize,
    most_bytes: u64,
}

impl Pieces {
    /// Those of a source, no more than so many bytes. Where its mark says that it is UTF-16, they are those of the text in UTF-8.
    pub(crate) fn of(source: &Source, most_bytes: u64) -> anyhow::Result<Self> {
        let (reader, name) = (source.open()?.0, source.cannot_read());
        let reader = Box::new(Decoding::of(reader).take(most_bytes));
        Ok(Self { reader, name, room: vec![0; PIECE], bytes: Vec::new(), given: 0, most_bytes })
    }

    /// The next bytes; none at the end.
    pub(crate) fn next_bytes(&mut self) -> anyhow::Result<&[u8]> {
        let start = self.bytes.len();
        loop {
            match self.reader.read(&mut self.room) {
                Ok(len) => {
                    self.bytes.extend_from_slice(self.room.get(..len).unwrap_or_default());
                    return Ok(self.bytes.get(start..).unwrap_or_default());
                }
                Err(error) if error.kind() == ErrorKind::Interrupted => {}
                Err(error) => return Err(error).with_context(|| self.name.clone()),
            }
        }
    }

    /// The next piece: the characters that are whole, and `None` at the end, at the limit, or at what is not UTF-8.
    pub(crate) fn next(&mut self) -> anyhow::Result<Option<&str>> {
        loop {
            let is_end = self.next_bytes()?.is_empty();
            let rest = self.bytes.get(self.given..).unwrap_or_default();
            let valid = match str::from_utf8(rest) {
                Ok(text) => text.len(),
                Err(error) if error.error_len().is_none() && !is_end => error.valid_up_to(),
                Err(_) => return Ok(None),
            };
            if is_end || self.bytes.len() as u64 >= self.most_bytes {
                return Ok(None);
            }
            if valid > 0 {
                let start = self.given;
                self.given += valid;
                return Ok(self.bytes.get(start..self.given).and_then(|piece| str::from_utf8(piece).ok()));
            }
        }
    }

    /// Whether all of the text was given out, to its end.
    pub(crate) fn is_whole(&self) -> bool {
        self.given == self.bytes.len()
    }
}

/// Writes the events of calls, one a line. Arguments that are checked may be cast, so they come with the last line alone.
pub(crate) fn tell_calls(events: impl Iterator<Item = CallEvent>, is_checked: bool) -> anyhow::Result<()> {
    lines(events, |event| match event {
        CallEvent::Arguments { .. } | CallEvent::Done { .. } if is_checked => None,
        CallEvent::Content { text } => Some(Line::Content { text }),
        CallEvent::Thought => Some(Line::Thought),
        CallEvent::Begin { index, name, format } => Some(Line::Begin { index: *index, name, format }),
        CallEvent::Arguments { index, json } => Some(Line::Arguments { index: *index, json }),
        CallEvent::Done { index } => Some(Line::Done { index: *index }),
        _ => None,
    })
}

fn tell_fields(events: impl Iterator<Item = FieldEvent>) -> anyhow::Result<()> {
    lines(events, of_field)
}

fn of_field(event: &FieldEvent) -> Option<Line<'_>> {
    match event {
        FieldEvent::Started { name } => Some(Line::Started { name }),
        FieldEvent::Text { name, text, json } => Some(Line::Text { name, text: Spoken { text, json } }),
        FieldEvent::Element { name, index, json } => Some(Line::Element { name, index: *index, json: raw(json)? }),
        FieldEvent::Field { name, json } => Some(Line::Field { name, json: raw(json)? }),
        FieldEvent::Hopeless(error) => Some(Line::Hopeless { error }),
        _ => None,
    }
}

/// Writes an event of `ask`: those of the contract as `parse --follow` has them, and which attempt they are of.
pub(crate) fn tell_answer(event: &AnswerEvent<'_>) -> anyhow::Result<()> {
    let line = match event {
        AnswerEvent::Attempt { number, mode } => Some(Line::Attempt { attempt: *number, mode: *mode }),
        AnswerEvent::Field(event) => of_field(event),
        AnswerEvent::GivenUp { number, errors, stopped_early } => {
            Some(Line::GivenUp { attempt: *number, errors, stopped_early: *stopped_early })
        }
        AnswerEvent::Withdrawn { number } => Some(Line::Withdrawn { attempt: *number }),
        _ => None,
    };
    let mut lines = Vec::new();
    line.map_or(Ok(()), |line| push_line(&line, &mut lines).and_then(|()| console::emit(&lines)))
}

fn raw(json: &str) -> Option<&RawValue> {
    serde_json::from_str(json).ok()
}

/// Appends a line: it is one line, whatever white space a value holds.
pub(crate) fn push_line(line: &impl Serialize, lines: &mut Vec<u8>) -> anyhow::Result<()> {
    let spelled = serde_json::to_string(line).context("cannot write the event")?;
    jsonseam_text::push_compact(&spelled, lines);
    lines.push(b'\n');
    Ok(())
}

/// Writes each event that has a line, all of them at once.
fn lines<E>(events: impl Iterator<Item = E>, line: impl Fn(&E) -> Option<Line<'_>>) -> anyhow::Result<()> {
    let mut lines = Vec::new();
    for event in events {
        if let Some(line) = line(&event) {
            push_line(&line, &mut lines)?;
        }
    }
    if lines.is_empty() { Ok(()) } else { console::emit(&lines) }
}

/// The outputs of a text that comes in pieces, with a line for each event; and all that was read.
pub(crate) fn outputs(
    adapter: &Adapter,
    source: &Source,
    finish_reason: Option<FinishReason>,
    most_bytes: u64,
) -> anyhow::Result<(Result<Outputs, ContractError>, Vec<u8>)> {
    let mut pieces = Pieces::of(source, most_bytes)?;
    let mut stream = adapter.stream(StreamOptions::new());
    while let Some(piece) = pieces.next()? {
        tell_fields(stream.push(piece))?;
    }
    if !pieces.is_whole() {
        // What is too long, or no text, is refused as a whole.
        let options = jsonseam::ParseOptions::new().with_finish_reason(finish_reason);
        return Ok((crate::contract::parse(adapter, &pieces.bytes, &options), pieces.bytes));
    }
    let mut left = Vec::new();
    let outputs = stream.finish_with(finish_reason, |event| left.push(event));
    tell_fields(left.into_iter())?;
    Ok((outputs, pieces.bytes))
}
