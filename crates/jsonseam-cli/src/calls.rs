//! `jsonseam calls`, and the reading that `batch --calls` shares: the tool calls of one text, or one error.

use std::path::Path;

use anyhow::{Context, bail};
use jsonseam::toolcall::{self, CallRefusal, CallsRecord, EditRecord, Tools};
use jsonseam::{Config, ErrorCode, FinishReason, Reason, Risk};
use serde::Serialize;
use serde_json::Value;

use crate::arguments::{CallFlags, CallsArguments, EngineFlags};
use crate::console;
use crate::engine::{self, Engine};
use crate::escape::escaped;
use crate::exit::Exit;
use crate::follow::{self, Pieces};
use crate::input::Source;

/// The code of every refusal of calls (SPEC E1).
const REFUSED: ErrorCode = ErrorCode::ToolCallsRefused;

/// Reads the calls of texts.
#[derive(Debug, Clone)]
pub(crate) struct CallReader {
    reader: toolcall::CallReader,
    /// Why the model stopped, for every text.
    finish_reason: Option<FinishReason>,
    longest: usize,
    /// Whether arguments are checked, and may be cast.
    is_checked: bool,
}

/// What is printed when there is a refusal.
#[derive(Serialize)]
struct Unread<'r> {
    error: &'r CallRefusal,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    edits: &'r [EditRecord],
}

/// Reads the calls of what the arguments name.
pub(crate) fn run(arguments: &CallsArguments) -> anyhow::Result<Exit> {
    // The cap of risk is on the result and turns no rule off.
    let engine = Engine::from_flags(&arguments.engine.without_cap())?;
    let reader = CallReader::new(&arguments.calls, &arguments.engine, &engine)?;
    let source = arguments.file.as_deref().map_or(Source::Stdin, Source::of);
    let (calls, bytes) = if arguments.follow {
        reader.follow(&source, engine.most_bytes())?
    } else {
        let bytes = source.read_text(engine.most_bytes())?.bytes;
        (reader.read_bytes(&bytes)?, bytes)
    };
    match calls {
        Ok(calls) => {
            let text = str::from_utf8(&bytes).unwrap_or_default();
            let shaped = calls.shaped(arguments.output.unwrap_or_default(), text);
            console::emit(format!("{shaped}\n").as_bytes())?;
            if calls.is_sound() {
                return Ok(Exit::Done);
            }
            console::note(format_args!("{}: the arguments of a call do not fit the schema of its tool", source.name()));
            Ok(Exit::Refused)
        }
        Err(error) => {
            console::emit_json(&Unread { error: &error, edits: &error.edits })?;
            let CallRefusal { code, reason, line, column, .. } = error;
            console::note(format_args!("{}: {code}, {reason}, at line {line} column {column}", source.name()));
            Ok(Exit::Refused)
        }
    }
}

impl CallReader {
    /// Reads the built-in formats, or the one that is named, and repairs arguments that are broken JSON: by `standard` unless flags or a file say otherwise.
    pub(crate) fn new(calls: &CallFlags, flags: &EngineFlags, engine: &Engine) -> anyhow::Result<Self> {
        let config = config(flags, engine);
        let packs = jsonseam::wrappers();
        let packs = match &calls.format {
            None => packs.clone(),
            Some(name) => packs.only(name).with_context(|| {
                let known: Vec<_> = packs.formats().map(|(_, name)| name).collect();
                format!("there is no format {}; the formats are {}", escaped(name), known.join(", "))
            })?,
        };
        let mut extractor = jsonseam::tool_calls_with(packs, &config)?.with_bare(calls.bare.unwrap_or_default());
        if calls.within_thoughts {
            extractor = extractor.within_thoughts();
        }
        let longest = config.limits().max_input_bytes;
        let mut reader = toolcall::CallReader::new(extractor).with_longest(longest);
        if let Some(tools) = calls.tools.as_deref().map(tools).transpose()? {
            if let Some((name, error)) = tools.unreadable_schemas().next().filter(|_| calls.check) {
                bail!("the schema of the tool {}: {error}", escaped(name));
            }
            reader = reader.with_tools(tools);
        }
        if calls.check {
            reader = reader.checking();
        }
        Ok(Self { reader, finish_reason: engine.finish_reason.clone(), longest, is_checked: calls.check })
    }

    /// The calls of a text, of these tools if they are given; why the model stopped, if this text's own reason is known.
    /// The outer error is a mistake of ours: an envelope that does not decode.
    pub(crate) fn read(
        &self,
        text: &str,
        tools: Option<&Tools>,
        finish_reason: Option<&FinishReason>,
    ) -> anyhow::Result<Result<CallsRecord, CallRefusal>> {
        let finish_reason = finish_reason.or(self.finish_reason.as_ref());
        self.reader.read(text, tools, finish_reason).context("the envelope cannot be read")
    }

    /// The calls of a text that comes in pieces, with a line for each event; and all that was read.
    fn follow(&self, source: &Source, most_bytes: u64) -> anyhow::Result<(Result<CallsRecord, CallRefusal>, Vec<u8>)> {
        let mut pieces = Pieces::of(source, most_bytes)?;
        let mut stream = self.reader.stream();
        while let Some(piece) = pieces.next()? {
            // A refusal is repeated at the end.
            if let Ok(events) = stream.push(piece) {
                follow::tell_calls(events, self.is_checked)?;
            }
        }
        if !pieces.is_whole() || pieces.bytes.len() > self.longest {
            return Ok((self.read_bytes(&pieces.bytes)?, pieces.bytes));
        }
        let mut left = Vec::new();
        let tell = |event| left.push(event);
        let calls =
            self.reader.end(&mut stream, self.finish_reason.as_ref(), tell).context("the envelope cannot be read")?;
        follow::tell_calls(left.into_iter(), self.is_checked)?;
        Ok((calls, pieces.bytes))
    }

    fn read_bytes(&self, bytes: &[u8]) -> anyhow::Result<Result<CallsRecord, CallRefusal>> {
        match str::from_utf8(bytes) {
            Ok(text) => self.read(text, None, None),
            Err(error) => {
                let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
                let text = str::from_utf8(valid).unwrap_or_default();
                let refusal = if bytes.len() > self.longest {
                    CallRefusal::at(text.len(), text, REFUSED, Reason::LimitExceeded.as_str())
                } else {
                    CallRefusal::at(text.len(), text, ErrorCode::OutputDecodeFailed, Reason::InvalidUtf8.as_str())
                };
                Ok(Err(refusal))
            }
        }
    }
}

/// The configuration of what repairs calls: the cap of risk, also that of the file, is on the result, and the preset is `standard` unless flags or a file name another.
pub(crate) fn config(flags: &EngineFlags, engine: &Engine) -> Config {
    let mut config: Config = engine.config.clone();
    config = config.with_max_risk(flags.max_risk.or(engine.config.max_risk()).unwrap_or(Risk::Likely));
    if flags.preset.is_none() && flags.config.is_none() && engine::nearest().is_none() {
        config = config.with_preset("standard");
    }
    config
}

/// The tools of a file.
pub(crate) fn tools(path: &Path) -> anyhow::Result<Tools> {
    let name = path.to_string_lossy();
    let text = std::fs::read_to_string(path).with_context(|| format!("cannot read the tools {}", escaped(&name)))?;
    let list: Value = match serde_json::from_str(&text) {
        Ok(list) => list,
        Err(error) => bail!("{}: not JSON, line {} column {}", escaped(&name), error.line(), error.column()),
    };
    Tools::from_json(&list).with_context(|| escaped(&name).to_string())
}
