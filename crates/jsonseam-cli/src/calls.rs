//! `jsonseam calls`, and the reading that `batch --calls` shares: the tool calls of one text, or one error.

mod check;
pub(crate) mod output;

use std::ops::Range;
use std::path::Path;

use anyhow::{Context, bail};
use jsonseam::record::compact;
use jsonseam::toolcall::{Error, Extractor, Reading, Tools};
use jsonseam::{AppliedEdit, Config, ErrorCode, FinishReason, Position, Reason, Risk, Root};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

use self::check::Check;
use crate::arguments::{CallFlags, CallsArguments, EngineFlags};
use crate::console;
use crate::engine::{self, Engine};
use crate::escape::escaped;
use crate::exit::Exit;
use crate::input::Source;

/// The code of every refusal of calls (SPEC E1).
const REFUSED: ErrorCode = ErrorCode::ToolCallsRefused;

/// Reads the calls of texts.
#[derive(Debug, Clone)]
pub(crate) struct CallReader {
    extractor: Extractor,
    /// Why the model stopped, for every text.
    finish_reason: Option<FinishReason>,
    longest: usize,
    /// The tools of every text that has none of its own.
    tools: Tools,
    /// Whether arguments are put to the schemas of the tools.
    checks: bool,
}

/// The calls of a text, and what is said around them.
#[derive(Debug, Default, Serialize)]
pub(crate) struct Calls {
    #[serde(rename = "calls")]
    pub(crate) list: Vec<Call>,
    pub(crate) content: Option<Box<RawValue>>,
    pub(crate) thoughts: Option<String>,
    pub(crate) format: Option<String>,
    pub(crate) edits: Vec<Edit>,
    pub(crate) risk: Option<Risk>,
    pub(crate) passed_over: Vec<Passed>,
}

/// One call: every part of it as the model spelled it, without white space between tokens.
#[derive(Debug, Serialize)]
pub(crate) struct Call {
    id: Option<String>,
    name: Box<RawValue>,
    arguments: Box<RawValue>,
    /// What the check found, if one was asked for.
    #[serde(flatten)]
    check: Option<Check>,
}

/// An edit that was made in a call, in bytes of the completion.
#[derive(Debug, Serialize)]
pub(crate) struct Edit {
    pub(crate) rule: String,
    risk: Risk,
    start: usize,
    end: usize,
    replacement: String,
    path: String,
    /// Where it is in the text of the string at `start`, if it is in one.
    #[serde(skip_serializing_if = "Option::is_none")]
    inner: Option<Inner>,
}

/// A span of the text that a string holds.
#[derive(Debug, Serialize)]
struct Inner {
    start: usize,
    end: usize,
}

/// What looked like a call and is not one.
#[derive(Debug, Serialize)]
pub(crate) struct Passed {
    reason: &'static str,
    start: usize,
    end: usize,
}

/// Why the calls could not be read, and where: no text of the completion.
#[derive(Debug, Serialize)]
pub(crate) struct Refusal {
    code: ErrorCode,
    pub(crate) reason: &'static str,
    offset: usize,
    line: usize,
    column: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    format: Option<String>,
    /// The edits whose risk is too high.
    #[serde(skip)]
    pub(crate) edits: Vec<Edit>,
}

/// What is printed when there is a refusal.
#[derive(Serialize)]
struct Unread<'r> {
    error: &'r Refusal,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    edits: &'r [Edit],
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

/// Reads the calls of what the arguments name.
pub(crate) fn run(arguments: &CallsArguments) -> anyhow::Result<Exit> {
    // The cap of risk is on the result and turns no rule off.
    let engine = Engine::from_flags(&arguments.engine.without_cap())?;
    let reader = CallReader::new(&arguments.calls, &arguments.engine, &engine)?;
    let source = arguments.file.as_deref().map_or(Source::Stdin, Source::of);
    let input = source.read_text(engine.most_bytes())?;
    match reader.read_bytes(&input.bytes)? {
        Ok(calls) => {
            let text = str::from_utf8(&input.bytes).unwrap_or_default();
            match arguments.output.unwrap_or_default().shaped(&calls, text) {
                Some(shaped) => console::emit(format!("{shaped}\n").as_bytes())?,
                None => console::emit_json(&calls)?,
            }
            if calls.are_sound() {
                return Ok(Exit::Done);
            }
            console::note(format_args!("{}: the arguments of a call do not fit the schema of its tool", source.name()));
            Ok(Exit::Refused)
        }
        Err(error) => {
            console::emit_json(&Unread { error: &error, edits: &error.edits })?;
            let Refusal { code, reason, line, column, .. } = error;
            console::note(format_args!("{}: {code}, {reason}, at line {line} column {column}", source.name()));
            Ok(Exit::Refused)
        }
    }
}

impl CallReader {
    /// Reads the built-in formats, or the one that is named, and repairs arguments that are broken JSON: by `standard` unless flags or a file say otherwise.
    pub(crate) fn new(calls: &CallFlags, flags: &EngineFlags, engine: &Engine) -> anyhow::Result<Self> {
        let mut config: Config = engine.config.clone();
        // The cap of the file is on the result too, unless a flag names another.
        let max_risk = flags.max_risk.or(config.max_risk()).unwrap_or(Risk::Likely);
        config = config.with_root(Root::Any).with_max_risk(Risk::Lossy);
        if flags.preset.is_none() && flags.config.is_none() && engine::nearest().is_none() {
            config = config.with_preset("standard");
        }
        let packs = jsonseam::wrappers();
        let packs = match &calls.format {
            None => packs.clone(),
            Some(name) => packs.only(name).with_context(|| {
                let known: Vec<_> = packs.formats().map(|(_, name)| name).collect();
                format!("there is no format {}; the formats are {}", escaped(name), known.join(", "))
            })?,
        };
        let mut extractor = Extractor::new(packs).with_pipeline(jsonseam::pipeline(&config)?);
        let tools = calls.tools.as_deref().map(tools).transpose()?;
        if let Some(tools) = &tools {
            extractor = extractor.with_tools(tools.clone());
        }
        let tools = tools.unwrap_or_default();
        if let Some((name, error)) = tools.unreadable_schemas().next().filter(|_| calls.check) {
            bail!("the schema of the tool {}: {error}", escaped(name));
        }
        if calls.within_thoughts {
            extractor = extractor.within_thoughts();
        }
        extractor = extractor.with_bare(calls.bare.unwrap_or_default());
        extractor = extractor.with_max_risk(max_risk);
        let longest = config.limits().max_input_bytes;
        Ok(Self { extractor, finish_reason: engine.finish_reason.clone(), longest, tools, checks: calls.check })
    }

    /// The calls of a text, of these tools if they are given; why the model stopped, if this text's own reason is known. The outer error is a mistake of ours: an envelope that does not decode.
    pub(crate) fn read(
        &self,
        text: &str,
        tools: Option<&Tools>,
        finish_reason: Option<&FinishReason>,
    ) -> anyhow::Result<Result<Calls, Refusal>> {
        if text.len() > self.longest {
            let last = (0..=self.longest).rev().find(|&offset| text.is_char_boundary(offset));
            return Ok(Err(Refusal::at(last.unwrap_or_default(), text, REFUSED, Reason::LimitExceeded.as_str())));
        }
        let finish_reason = finish_reason.or(self.finish_reason.as_ref());
        let reading = match tools {
            Some(tools) => self.extractor.clone().with_tools(tools.clone()).read(text),
            None => self.extractor.read(text),
        };
        Ok(match reading {
            // What was cut may have been another call.
            Ok(reading) if reading.envelope().is_some() && finish_reason.is_some_and(FinishReason::is_cut) => {
                Err(Refusal::at(text.len(), text, REFUSED, "truncated"))
            }
            Ok(reading) => {
                let mut calls = Calls::new(&reading, text)?;
                if self.checks {
                    let tools = tools.unwrap_or(&self.tools);
                    calls.list.iter_mut().try_for_each(|call| check::check(call, tools))?;
                }
                Ok(calls)
            }
            Err(error) => Err(error.into()),
        })
    }

    fn read_bytes(&self, bytes: &[u8]) -> anyhow::Result<Result<Calls, Refusal>> {
        match str::from_utf8(bytes) {
            Ok(text) => self.read(text, None, None),
            Err(error) => {
                let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let text = str::from_utf8(valid).unwrap_or_default();
                let refusal = if bytes.len() > self.longest {
                    Refusal::at(text.len(), text, REFUSED, Reason::LimitExceeded.as_str())
                } else {
                    Refusal::at(text.len(), text, ErrorCode::OutputDecodeFailed, Reason::InvalidUtf8.as_str())
                };
                Ok(Err(refusal))
            }
        }
    }
}

impl Calls {
    fn new(reading: &Reading, text: &str) -> anyhow::Result<Self> {
        let thoughts: Vec<_> = reading.thoughts().iter().filter_map(|span| text.get(span.clone())).collect();
        let passed_over = reading.passed_over().iter().map(|passed| {
            let Range { start, end } = passed.span.clone();
            Passed { reason: passed.reason.as_str(), start, end }
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
        let Decoded { calls, content } =
            serde_json::from_str(&compact(envelope.text())).context("the envelope cannot be read")?;
        let calls = calls.into_iter().zip(envelope.ids());
        let calls = calls.map(|(DecodedCall { name, arguments }, id)| Call {
            id: id.map(str::to_owned),
            name,
            arguments,
            check: None,
        });
        let format = envelope.formats().next().map(str::to_owned);
        let repairs = envelope.repairs().zip(envelope.paths()).zip(envelope.inner_spans());
        let edits = repairs.map(|((edit, path), inner)| Edit::new(&edit, path, inner)).collect();
        Ok(Self { list: calls.collect(), content, format, edits, risk: envelope.risk(), ..around })
    }

    /// Whether no check found an error.
    fn are_sound(&self) -> bool {
        self.list.iter().filter_map(|call| call.check.as_ref()).all(|check| check.errors.is_empty())
    }
}

impl Edit {
    fn new(edit: &AppliedEdit<'_>, path: &str, inner: Option<Range<usize>>) -> Self {
        let Range { start, end } = edit.span.clone();
        // The envelope calls the list by another name than the record.
        let path = path.strip_prefix("/toolCalls").map_or_else(String::new, |path| format!("/calls{path}"));
        let (rule, replacement) = (edit.rule.to_owned(), edit.replacement.to_owned());
        let inner = inner.map(|Range { start, end }| Inner { start, end });
        Self { rule, risk: edit.risk, start, end, replacement, path, inner }
    }
}

impl Refusal {
    fn at(offset: usize, text: &str, code: ErrorCode, reason: &'static str) -> Self {
        let Position { offset, line, column } = Position::of(offset, text);
        Self { code, reason, offset, line, column, format: None, edits: Vec::new() }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let Position { offset, line, column } = error.position();
        let format = Some(error.format().to_owned());
        let places = error.paths().zip(error.inner_spans());
        let edits = error.edits().zip(places).map(|(edit, (path, inner))| Edit::new(&edit, path, inner)).collect();
        Self { code: error.code(), reason: error.reason().as_str(), offset, line, column, format, edits }
    }
}

/// The tools of a file.
fn tools(path: &Path) -> anyhow::Result<Tools> {
    let name = path.to_string_lossy();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read the tools {}", escaped(&name)))?;
    let list: Value = match serde_json::from_str(&text) {
        Ok(list) => list,
        Err(error) => bail!("{}: not JSON, line {} column {}", escaped(&name), error.line(), error.column()),
    };
    Tools::from_json(&list).with_context(|| escaped(&name).to_string())
}
