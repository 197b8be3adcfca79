//! A completion that is still being written: what settles of it, and its events.

use jsonseam::stream::{Event, Units};
use jsonseam::{Error, Risk, Stream, StreamOptions};
use serde::Serialize;
use serde_json::value::RawValue;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::{Engine, answer, json, summary};

/// A stream. It is not used again after [`finish`](Self::finish).
#[wasm_bindgen]
#[derive(Debug)]
pub struct Flow {
    stream: Option<Stream>,
    units: Units,
    /// How much of the settled text was given piece by piece.
    given: usize,
}

/// An event as JavaScript gets it. Places are UTF-16 units, then bytes.
#[derive(Serialize)]
#[serde(tag = "kind", rename_all = "camelCase")]
enum Told {
    Payload {
        #[serde(flatten)]
        start: Start,
        sign: &'static str,
    },
    Begin {
        path: String,
        #[serde(rename = "type")]
        kind: &'static str,
    },
    Text {
        path: String,
        text: Spoken,
    },
    Done {
        path: String,
        json: String,
        #[serde(flatten)]
        span: Span,
        risk: Option<&'static str>,
    },
    Seam {
        rule: String,
        risk: &'static str,
        #[serde(flatten)]
        span: Span,
        replacement: String,
    },
}

/// A piece of a string. Half a surrogate pair, which a string of JavaScript can hold and none of Rust, stays the escape that JSON has for it.
#[derive(Serialize)]
#[serde(untagged)]
enum Spoken {
    Text(String),
    Spelled(Box<RawValue>),
}

impl Spoken {
    fn of(text: String, json: &str) -> Self {
        let spelled = || RawValue::from_string(format!("\"{json}\"")).ok();
        let spelled = if text.contains(char::REPLACEMENT_CHARACTER) { spelled() } else { None };
        spelled.map_or(Self::Text(text), Self::Spelled)
    }
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Start {
    start: usize,
    byte_start: usize,
}

#[derive(Serialize)]
#[serde(rename_all = "camelCase")]
struct Span {
    start: usize,
    end: usize,
    byte_start: usize,
    byte_end: usize,
}

impl Span {
    fn of(bytes: std::ops::Range<usize>) -> Self {
        Self { start: 0, end: 0, byte_start: bytes.start, byte_end: bytes.end }
    }
}

impl Told {
    /// The event without units of UTF-16: they are counted in a text that the event keeps from being read.
    fn of(event: Event<'_>) -> Option<Self> {
        Some(match event {
            Event::Payload { start, sign } => {
                Self::Payload { start: Start { start: 0, byte_start: start }, sign: sign.as_str() }
            }
            Event::Begin { path, kind } => Self::Begin { path: path.to_string(), kind: kind.as_str() },
            Event::Text { path, text, json } => {
                Self::Text { path: path.to_string(), text: Spoken::of(text.into_owned(), json) }
            }
            Event::Done { path, json, span, risk } => {
                let risk = risk.map(Risk::as_str);
                Self::Done { path: path.to_string(), json: json.to_owned(), span: Span::of(span), risk }
            }
            Event::Seam(edit) => Self::Seam {
                rule: edit.rule.to_owned(),
                risk: edit.risk.as_str(),
                span: Span::of(edit.span),
                replacement: edit.replacement.to_owned(),
            },
            _ => return None,
        })
    }

    fn placed(mut self, text: &str, units: &mut Units) -> Self {
        match &mut self {
            Self::Payload { start, .. } => start.start = units.at(text, start.byte_start),
            Self::Done { span, .. } | Self::Seam { span, .. } => {
                (span.start, span.end) = (units.at(text, span.byte_start), units.at(text, span.byte_end));
            }
            Self::Begin { .. } | Self::Text { .. } => {}
        }
        self
    }
}

fn written(told: Vec<Told>, text: &str, units: &mut Units) -> String {
    if told.is_empty() {
        return String::new();
    }
    json(&told.into_iter().map(|event| event.placed(text, units)).collect::<Vec<_>>())
}

fn refused(error: Error) -> String {
    format!("refused\n{}", answer(&Err(error)))
}

#[wasm_bindgen]
impl Engine {
    /// A completion that comes in pieces.
    pub fn stream(&self) -> Flow {
        Flow { stream: Some(self.0.stream(StreamOptions::new())), units: Units::utf16(), given: 0 }
    }
}

#[wasm_bindgen]
impl Flow {
    /// Takes the next piece. The events that it settled as a JSON list, or nothing; of a refusal the line `refused`, and after it the record.
    pub fn push(&mut self, piece: &str) -> String {
        let Some(stream) = &mut self.stream else { return String::new() };
        let mut told = Vec::new();
        match stream.push(piece) {
            Ok(mut events) => {
                while let Some(event) = events.next() {
                    told.extend(Told::of(event));
                }
            }
            Err(error) => return refused(error),
        }
        written(told, stream.text(), &mut self.units)
    }

    /// Ends the text: what [`Engine::repair`] gives, with the events that are left, a JSON list or nothing, in a line of their own before the text.
    pub fn finish(&mut self, finish_reason: Option<String>) -> String {
        let Some(stream) = self.stream.take() else { return String::new() };
        let text = stream.text().to_owned();
        let mut told = Vec::new();
        match stream.finish_with(finish_reason.map(Into::into), |event| told.extend(Told::of(event))) {
            Ok(repaired) => {
                let told = written(told, &text, &mut self.units);
                format!("{}\n{told}\n{}", summary(&text, &repaired), repaired.text())
            }
            Err(error) => refused(error),
        }
    }

    /// The repaired text so far.
    pub fn settled(&self) -> String {
        self.stream.as_ref().map_or("", Stream::settled).to_owned()
    }

    /// What settled since this was asked last.
    pub fn settled_since(&mut self) -> String {
        let settled = self.stream.as_ref().map_or("", Stream::settled);
        let new = settled.get(self.given..).unwrap_or_default().to_owned();
        self.given = settled.len();
        new
    }

    /// What came and is not settled.
    pub fn tail(&self) -> String {
        self.stream.as_ref().map_or("", Stream::tail).to_owned()
    }

    /// How far it has come.
    pub fn state(&self) -> String {
        self.stream.as_ref().map_or("finished", |stream| stream.state().as_str()).to_owned()
    }

    /// The value so far as JSON; nothing before one has begun.
    pub fn snapshot(&self) -> Option<String> {
        let snapshot = self.stream.as_ref()?.snapshot();
        snapshot.has_begun().then(|| snapshot.text())
    }

    /// Pointers to what is not whole in the snapshot, as a JSON list.
    pub fn open(&self) -> String {
        json(&self.stream.as_ref().map(|stream| stream.snapshot().open()).unwrap_or_default())
    }
}
