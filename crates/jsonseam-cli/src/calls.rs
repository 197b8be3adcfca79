//! `jsonseam calls`, and the reading that `batch --calls` shares: the tool calls of one text, or one error.

use std::path::Path;

use anyhow::{Context, bail};
use jsonseam::toolcall::{Error, Extractor, Tools};
use jsonseam::{Config, ErrorCode, FinishReason, Position, Reason, Root};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use serde_json::value::RawValue;

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
}

/// The calls of a text, and what is said around them.
#[derive(Debug, Serialize)]
pub(crate) struct Calls {
    #[serde(rename = "calls")]
    pub(crate) list: Box<RawValue>,
    pub(crate) content: Option<Box<RawValue>>,
    pub(crate) format: Option<String>,
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
}

/// What is printed when there is a refusal.
#[derive(Serialize)]
struct Unread {
    error: Refusal,
}

#[derive(Deserialize)]
struct Decoded {
    #[serde(rename = "toolCalls")]
    calls: Box<RawValue>,
    content: Option<Box<RawValue>>,
}

/// Reads the calls of what the arguments name.
pub(crate) fn run(arguments: &CallsArguments) -> anyhow::Result<Exit> {
    let engine = Engine::from_flags(&arguments.engine)?;
    let reader = CallReader::new(&arguments.calls, &arguments.engine, &engine)?;
    let source = arguments.file.as_deref().map_or(Source::Stdin, Source::of);
    let input = source.read(engine.most_bytes())?;
    match reader.read_bytes(&input.bytes)? {
        Ok(calls) => {
            console::emit_json(&calls)?;
            Ok(Exit::Done)
        }
        Err(error) => {
            let Refusal { code, reason, line, column, .. } = error;
            console::emit_json(&Unread { error })?;
            console::note(format_args!("{}: {code}, {reason}, at line {line} column {column}", source.name()));
            Ok(Exit::Refused)
        }
    }
}

impl CallReader {
    /// Reads the built-in formats, or the one that is named, and repairs arguments that are broken JSON: by `standard` unless flags or a file say otherwise.
    pub(crate) fn new(calls: &CallFlags, flags: &EngineFlags, engine: &Engine) -> anyhow::Result<Self> {
        let mut config: Config = engine.config.clone();
        config = config.with_root(Root::Any);
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
        if let Some(path) = &calls.tools {
            extractor = extractor.with_tools(tools(path)?);
        }
        if calls.within_thoughts {
            extractor = extractor.within_thoughts();
        }
        let longest = config.limits().max_input_bytes;
        Ok(Self { extractor, finish_reason: engine.finish_reason.clone(), longest })
    }

    /// The calls of a text, of these tools if they are given. The outer error is a mistake of ours: an envelope that does not decode.
    pub(crate) fn read(&self, text: &str, tools: Option<&Tools>) -> anyhow::Result<Result<Calls, Refusal>> {
        if text.len() > self.longest {
            let last = (0..=self.longest).rev().find(|&offset| text.is_char_boundary(offset));
            return Ok(Err(Refusal::at(last.unwrap_or_default(), text, REFUSED, Reason::LimitExceeded.as_str())));
        }
        let envelope = match tools {
            Some(tools) => self.extractor.clone().with_tools(tools.clone()).extract(text),
            None => self.extractor.extract(text),
        };
        Ok(match envelope {
            // What was cut may have been another call.
            Ok(Some(_)) if self.finish_reason.as_ref().is_some_and(FinishReason::is_cut) => {
                Err(Refusal::at(text.len(), text, REFUSED, "truncated"))
            }
            Ok(Some(envelope)) => {
                let Decoded { calls, content } =
                    serde_json::from_str(envelope.text()).context("the envelope cannot be read")?;
                Ok(Calls { list: calls, content, format: envelope.formats().next().map(str::to_owned) })
            }
            Ok(None) => {
                let content = Some(text.trim()).filter(|text| !text.is_empty());
                let content = content.map(serde_json::value::to_raw_value).transpose()?;
                Ok(Calls { list: RawValue::from_string("[]".to_owned())?, content, format: None })
            }
            Err(error) => Err(error.into()),
        })
    }

    fn read_bytes(&self, bytes: &[u8]) -> anyhow::Result<Result<Calls, Refusal>> {
        match str::from_utf8(bytes) {
            Ok(text) => self.read(text, None),
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

impl Refusal {
    fn at(offset: usize, text: &str, code: ErrorCode, reason: &'static str) -> Self {
        let Position { offset, line, column } = Position::of(offset, text);
        Self { code, reason, offset, line, column, format: None }
    }
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        let Position { offset, line, column } = error.position();
        let format = Some(error.format().to_owned());
        Self { code: error.code(), reason: error.reason().as_str(), offset, line, column, format }
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
