//! `jsonseam heal`: histories of conversations, made fit to be sent.

use anyhow::{Context, bail};
use jsonseam::toolcall::{Healed, Healer, HistoryError, HistoryRecord};
use serde::Serialize;
use serde_json::value::RawValue;

use crate::arguments::HealArguments;
use crate::calls;
use crate::console;
use crate::counts::counted;
use crate::engine::Engine;
use crate::exit::Exit;
use crate::files;
use crate::input::Source;
use crate::lines::is_named_lines;
use crate::repair::write_output;

/// One record of `--report`.
#[derive(Serialize)]
struct Report<'r> {
    /// The line, of JSON Lines.
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(flatten)]
    record: Option<&'r HistoryRecord>,
    error: Option<Unread>,
}

/// Why a text is no history.
#[derive(Serialize)]
struct Unread {
    code: &'static str,
    reason: &'static str,
    #[serde(skip_serializing_if = "Option::is_none")]
    offset: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    line: Option<usize>,
    #[serde(skip_serializing_if = "Option::is_none")]
    column: Option<usize>,
}

impl From<HistoryError> for Unread {
    fn from(error: HistoryError) -> Self {
        let (code, reason) = (error.code().as_str(), error.reason().as_str());
        let at = error.position();
        let place = |part: fn(jsonseam::Position) -> usize| at.map(part);
        Self { code, reason, offset: place(|at| at.offset), line: place(|at| at.line), column: place(|at| at.column) }
    }
}

/// A history, or a line with one, and what became of it.
struct Part {
    line: Option<usize>,
    result: Result<Healed, HistoryError>,
}

/// Heals what the arguments name.
pub(crate) fn run(arguments: &HealArguments) -> anyhow::Result<Exit> {
    let source = arguments.file.as_deref().map_or(Source::Stdin, Source::of);
    for (flag, path) in [("--report", &arguments.report), ("--output", &arguments.output)] {
        if source.path().zip(path.as_deref()).is_some_and(|(read, written)| files::lead_to_same_file(read, written)) {
            bail!("{flag} would replace the file that is read");
        }
    }
    // The cap of risk is on the result and turns no rule off.
    let engine = Engine::from_flags(&arguments.engine.without_cap())?;
    let mut healer = jsonseam::healer(&calls::config(&arguments.engine, &engine))?;
    if let Some(tools) = arguments.tools.as_deref().map(calls::tools).transpose()? {
        healer = healer.with_tools(tools);
    }
    let input = source.read(engine.most_bytes())?;
    let text = match str::from_utf8(&input.bytes) {
        _ if input.bytes.len() > engine.config.limits().max_input_bytes => {
            console::note(format_args!("{}: refused, limit_exceeded", source.name()));
            return Ok(Exit::Refused);
        }
        Ok(text) => text,
        Err(error) => {
            console::note(format_args!("{}: refused, invalid_utf8 at byte {}", source.name(), error.valid_up_to()));
            return Ok(Exit::Refused);
        }
    };
    let parts = parts(&healer, text, arguments.lines || is_named_lines(&source));
    write(arguments, text, &parts)?;
    Ok(tell(&parts, &source))
}

/// The whole text as a history, or each of its lines, if the text is several lines that are JSON each by itself.
fn parts(healer: &Healer, text: &str, is_lines: bool) -> Vec<Part> {
    let is_json = |text: &str| serde_json::from_str::<&RawValue>(text).is_ok();
    let lines = || text.split_inclusive('\n').enumerate().filter(|(_, line)| !line.trim().is_empty());
    if !is_lines && (lines().nth(1).is_none() || !lines().all(|(_, line)| is_json(line))) {
        return vec![Part { line: None, result: healer.heal(text) }];
    }
    lines().map(|(index, text)| Part { line: Some(index + 1), result: healer.heal(text) }).collect()
}

fn write(arguments: &HealArguments, text: &str, parts: &[Part]) -> anyhow::Result<()> {
    if let Some(report) = &arguments.report {
        let mut records = Vec::new();
        for part in parts {
            let (record, error) = match &part.result {
                Ok(healed) => (Some(healed.record()), None),
                Err(error) => (None, Some(Unread::from(*error))),
            };
            serde_json::to_writer(&mut records, &Report { line: part.line, record, error })
                .context("cannot write the record")?;
            records.push(b'\n');
        }
        write_output(report, &records)?;
    }
    let is_whole = parts.iter().all(|part| part.line.is_none());
    let healed = if is_whole { of_whole(parts) } else { of_lines(text, parts) };
    match (&arguments.output, &arguments.report) {
        (Some(output), _) => write_output(output, healed.as_bytes()),
        (None, None) => console::emit_product(healed.as_bytes()),
        (None, Some(_)) => Ok(()),
    }
}

/// The one history; nothing of a text that is not one.
fn of_whole(parts: &[Part]) -> String {
    parts.iter().filter_map(|part| part.result.as_ref().ok()).map(Healed::text).collect()
}

/// The lines, blank ones and those that cannot be read as they were.
fn of_lines(text: &str, parts: &[Part]) -> String {
    let mut parts = parts.iter().peekable();
    let line = |(index, line): (usize, &str)| {
        let part = parts.next_if(|part| part.line == Some(index + 1));
        part.and_then(|part| part.result.as_ref().ok()).map_or(line, Healed::text).to_owned()
    };
    text.split_inclusive('\n').enumerate().map(line).collect()
}

/// Says what stays broken, and sums up what was done.
fn tell(parts: &[Part], source: &Source) -> Exit {
    let (mut edits, mut refused, mut unpaired, mut unread) = (0, 0, 0, 0);
    for part in parts {
        let name = part.line.map_or_else(|| source.name(), |line| format!("{}:{line}", source.name()));
        match &part.result {
            Ok(healed) => {
                let record = healed.record();
                for call in &record.refused {
                    let (message, index, reason) = (call.message, call.call, call.reason.as_str());
                    console::note(format_args!("{name}: message {message}, call {index}: refused, {reason}"));
                }
                for one in &record.unpaired {
                    let (what, index) =
                        one.call.map_or(("result", one.result.unwrap_or_default()), |call| ("call", call));
                    let reason = one.reason.as_str();
                    console::warn(format_args!("{name}: message {}, {what} {index}: {reason}", one.message));
                }
                edits += record.edits.len();
                refused += record.refused.len();
                unpaired += record.unpaired.len();
            }
            Err(error) => {
                console::note(format_args!("{name}: {error}"));
                unread += 1;
            }
        }
    }
    if console::is_talkative() {
        console::note(format_args!("{}, {refused} refused, {unpaired} unpaired", counted(edits, "edit")));
    }
    if refused + unread == 0 { Exit::Done } else { Exit::Refused }
}
