//! `repair --follow`: a text that is still being written, repaired as it comes.

use anyhow::{Context, bail};
use jsonseam::stream::{Container, Event, Events};
use jsonseam::{Error, Risk, StreamOptions};
use serde::Serialize;
use serde_json::value::RawValue;

use super::product::{Layout, Product};
use super::told::Told;
use super::{Job, statistics_of};
use crate::arguments::{ByLine, RepairArguments};
use crate::console;
use crate::engine::{self, Engine};
use crate::exit::Exit;
use crate::follow::{self, Pieces, Spoken};
use crate::identity;
use crate::input::{Input, Source};
use crate::jobs::Done;
use crate::lines::{self, Found};

/// What standard output gets.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Form {
    /// The settled text.
    Text,
    /// A line for each event.
    Events,
    /// A line for each operation that makes the value of what was there before (RFC 6902, and `append` for strings).
    Patch,
}

/// One event, as a line of `--events`. All places are bytes of the text.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "lowercase")]
enum EventLine<'e> {
    Payload { start: usize, sign: &'static str },
    Begin { path: String, kind: &'static str },
    Text { path: String, text: Spoken<'e> },
    Done { path: String, json: &'e RawValue, start: usize, end: usize, risk: Option<Risk> },
    Seam { rule: &'e str, risk: Risk, start: usize, end: usize, replacement: &'e str },
}

/// One operation, as a line of `--patch`.
#[derive(Serialize)]
struct Operation<'o, V: Serialize> {
    op: &'static str,
    path: &'o str,
    value: V,
}

/// Writes events in one of the forms.
struct Teller {
    form: Form,
    /// The string that is being written, by its pointer, and what was not written of it yet.
    string: Option<String>,
    lines: Vec<u8>,
}

impl Engine {
    /// The same engine for a stream: the preset is `standard` unless flags or a file name another.
    pub(super) fn for_stream(mut self, arguments: &RepairArguments) -> anyhow::Result<Self> {
        let flags = &arguments.engine;
        if flags.preset.is_none() && flags.config.is_none() && engine::nearest().is_none() {
            self.config = self.config.with_preset("standard");
            self.pipeline = jsonseam::pipeline(&self.config)?;
            self.named_preset = Some("standard".to_owned());
        }
        Ok(self)
    }
}

impl Job<'_> {
    /// Repairs one text as it comes.
    pub(super) fn follow(&self, sources: &[Source]) -> anyhow::Result<Done> {
        let [source] = sources else { bail!("--follow reads one text: name one file, or `-` for standard input") };
        if self.arguments.files.lines == ByLine::Always || lines::is_named_lines(source) {
            bail!(
                "{}: --follow reads one text, and JSON Lines hold many: `{} repair --lines` answers each line as it comes",
                source.name(),
                identity::name()
            );
        }
        let form = match (self.arguments.events, self.arguments.patch) {
            (true, _) => Form::Events,
            (_, true) => Form::Patch,
            _ => Form::Text,
        };
        let mut teller = Teller { form, string: None, lines: Vec::new() };
        let mut stream = self.engine.pipeline.stream(StreamOptions::new());
        let mut pieces = Pieces::of(source, self.engine.most_bytes())?;
        let mut written = 0;
        loop {
            let new = pieces.next_bytes()?;
            if new.is_empty() {
                break;
            }
            let refused = match stream.push_bytes(new) {
                Ok(events) => teller.take(events).map(|()| None)?,
                Err(error) => Some(error),
            };
            if form == Form::Text {
                let settled = stream.settled();
                console::emit(settled.get(written..).unwrap_or_default().as_bytes())?;
                written = settled.len();
            }
            teller.flush()?;
            // Nothing that follows can change a refusal, so nothing more is read.
            if let Some(error) = refused {
                return self.refuse_stream(&error, source, pieces.bytes);
            }
        }
        let bytes = pieces.bytes;
        let mut problem = None;
        let tell = |event: Event<'_>| problem = problem.take().or(teller.tell(&event).err());
        let repaired = match stream.finish_with(self.engine.finish_reason.clone(), tell) {
            Ok(repaired) => repaired,
            Err(error) => return self.refuse_stream(&error, source, bytes),
        };
        problem.map_or(Ok(()), Err)?;
        teller.flush()?;
        if form == Form::Text {
            let text = repaired.text();
            let rest = text.trim_start().get(written..).unwrap_or_default();
            console::emit_product(rest.as_bytes())?;
        }
        let (further, input) = (repaired.further().to_vec(), Input::of_stream(bytes));
        let is_changed = repaired.edits().len() > 0;
        let product = Product::Whole(Found { payloads: vec![repaired], further, broken: Vec::new() });
        self.tell(&product, source, &input, Layout::of(self.arguments, false), Told { is_held: false, is_changed });
        Ok((Exit::Done, statistics_of(&product, is_changed, false, false)))
    }

    fn refuse_stream(&self, error: &Error, source: &Source, bytes: Vec<u8>) -> anyhow::Result<Done> {
        self.refuse(error, source, &Input::of_stream(bytes))
    }
}

impl Teller {
    fn take(&mut self, mut events: Events<'_>) -> anyhow::Result<()> {
        if self.form != Form::Text {
            while let Some(event) = events.next() {
                self.tell(&event)?;
            }
        }
        Ok(())
    }

    fn flush(&mut self) -> anyhow::Result<()> {
        let lines = std::mem::take(&mut self.lines);
        if lines.is_empty() { Ok(()) } else { console::emit(&lines) }
    }

    fn tell(&mut self, event: &Event<'_>) -> anyhow::Result<()> {
        match self.form {
            Form::Text => Ok(()),
            Form::Events => self.event(event),
            Form::Patch => self.operation(event),
        }
    }

    fn event(&mut self, event: &Event<'_>) -> anyhow::Result<()> {
        let line = match event {
            Event::Payload { start, sign } => EventLine::Payload { start: *start, sign: sign.as_str() },
            Event::Begin { path, kind } => EventLine::Begin { path: path.to_string(), kind: kind.as_str() },
            Event::Text { path, text, json } => EventLine::Text { path: path.to_string(), text: Spoken { text, json } },
            Event::Done { path, json, span, risk } => {
                let json = serde_json::from_str(json).context("a value that was told is JSON")?;
                EventLine::Done { path: path.to_string(), json, start: span.start, end: span.end, risk: *risk }
            }
            Event::Seam(edit) => EventLine::Seam {
                rule: edit.rule,
                risk: edit.risk,
                start: edit.span.start,
                end: edit.span.end,
                replacement: edit.replacement,
            },
            _ => return Ok(()),
        };
        self.line(&line)
    }

    fn operation(&mut self, event: &Event<'_>) -> anyhow::Result<()> {
        match event {
            Event::Begin { path, kind } => {
                let value = RawValue::from_string(if *kind == Container::Object { "{}" } else { "[]" }.to_owned())?;
                self.line(&Operation { op: "add", path: &path.to_string(), value })
            }
            Event::Text { path, text, json } => {
                let path = path.to_string();
                let op = if self.string.as_ref() == Some(&path) { "append" } else { "add" };
                self.line(&Operation { op, path: &path, value: Spoken { text, json } })?;
                self.string = Some(path);
                Ok(())
            }
            Event::Done { path, json, .. } => {
                let is_container = json.starts_with(['{', '[']);
                let was_written = self.string.take().is_some();
                if is_container || was_written {
                    return Ok(());
                }
                let value: &RawValue = serde_json::from_str(json).context("a value that was told is JSON")?;
                self.line(&Operation { op: "add", path: &path.to_string(), value })
            }
            _ => Ok(()),
        }
    }

    fn line(&mut self, line: &impl Serialize) -> anyhow::Result<()> {
        follow::push_line(line, &mut self.lines)
    }
}
