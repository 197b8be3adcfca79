//! `jsonseam parse`: the declared outputs of one text, or one error.

use jsonseam::{Adapter, ContractError, Outputs, ParseOptions, Record, Repaired};
use serde::Serialize;

use crate::arguments::ParseArguments;
use crate::console;
use crate::contract;
use crate::engine::Engine;
use crate::exit::Exit;
use crate::input::Source;
use crate::render;

/// What is printed when the contract is met.
#[derive(Serialize)]
struct Met<'o> {
    outputs: &'o Outputs,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    casts: &'o [jsonseam::contract::Cast],
    repair: Record<'o>,
}

/// What is printed when it is not.
#[derive(Serialize)]
pub(crate) struct Unmet<'e> {
    pub(crate) error: &'e ContractError,
}

/// Parses what the arguments name.
pub(crate) fn run(arguments: &ParseArguments) -> anyhow::Result<Exit> {
    let engine = Engine::from_flags(&arguments.engine)?;
    let adapter = match arguments.contract.adapter(&engine.config)? {
        Ok(adapter) => adapter,
        Err(error) => {
            console::emit_json(&Unmet { error: &error })?;
            console::note(&error);
            return Ok(Exit::Failed);
        }
    };
    let source = arguments.file.as_deref().map_or(Source::Stdin, Source::of);
    parse(&source, arguments, &engine, &adapter)
}

fn parse(source: &Source, arguments: &ParseArguments, engine: &Engine, adapter: &Adapter) -> anyhow::Result<Exit> {
    let input = source.read(engine.most_bytes())?;
    let options = ParseOptions { finish_reason: engine.finish_reason.clone(), ..ParseOptions::default() };
    match contract::parse(adapter, &input.bytes, &options) {
        Ok(outputs) => {
            console::emit_json(&Met { outputs: &outputs, casts: outputs.casts(), repair: outputs.repair().into() })?;
            if arguments.verbose || console::is_watched() {
                tell(&source.name(), &outputs);
            }
            Ok(Exit::Done)
        }
        Err(error) => {
            console::emit_json(&Unmet { error: &error })?;
            match error.decode() {
                Some(refusal) => render::refusal(&source.name(), refusal, &input.bytes, engine),
                None => console::note(format_args!("{}: {error} ({})", source.name(), error.reason())),
            }
            Ok(Exit::Refused)
        }
    }
}

fn tell(name: &str, outputs: &Outputs) {
    let repaired: &Repaired<'_> = outputs.repair();
    console::note(render::summary(name, repaired));
    let repeated = outputs.nested_duplicates().len();
    if repeated > 0 {
        console::note_below(format_args!("keys that nested objects hold more than once: {repeated}"));
    }
}
