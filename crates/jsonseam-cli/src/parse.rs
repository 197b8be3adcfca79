//! `jsonseam parse`: the declared outputs of one text, or one error.

use jsonseam::{Adapter, ContractError, Outputs, ParseOptions, Record, Repaired};
use serde::Serialize;

use crate::arguments::ParseArguments;
use crate::console;
use crate::contract::{self, Unmet};
use crate::engine::Engine;
use crate::exit::Exit;
use crate::input::Source;
use crate::render;

/// Of further keys that are not declared only the number is shown.
const MOST_KEYS: usize = 8;

/// What is printed when the contract is met.
#[derive(Serialize)]
struct Met<'o> {
    outputs: &'o Outputs,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    casts: &'o [jsonseam::contract::Cast],
    repair: Record<'o>,
}

/// Parses what the arguments name.
pub(crate) fn run(arguments: &ParseArguments) -> anyhow::Result<Exit> {
    let engine = Engine::from_flags(&arguments.engine)?;
    let Some(adapter) = arguments.contract.adapter_or_report(&engine.config)? else {
        return Ok(Exit::Failed);
    };
    let source = arguments.file.as_deref().map_or(Source::Stdin, Source::of);
    parse(&source, arguments, &engine, &adapter)
}

fn parse(source: &Source, arguments: &ParseArguments, engine: &Engine, adapter: &Adapter) -> anyhow::Result<Exit> {
    let input = source.read(engine.most_bytes())?;
    let options = ParseOptions::new().with_finish_reason(engine.finish_reason.clone());
    match contract::parse(adapter, &input.bytes, &options) {
        Ok(outputs) => {
            if arguments.outputs_only {
                console::emit_json(&outputs)?;
            } else {
                let repair = outputs.repair().into();
                console::emit_json(&Met { outputs: &outputs, casts: outputs.casts(), repair })?;
            }
            tell(&source.name(), &outputs, input.bytes.len());
            Ok(Exit::Done)
        }
        Err(error) => {
            let error = adapter.explain(&error, str::from_utf8(&input.bytes).unwrap_or_default());
            console::emit_json(&Unmet { error: &error })?;
            match error.decode() {
                Some(refusal) => render::refusal_under_contract(&source.name(), refusal, &input.bytes, engine),
                None => tell_unmet(&source.name(), &error),
            }
            Ok(Exit::Refused)
        }
    }
}

/// Why the contract is not met, and what undeclared keys were probably meant to be.
fn tell_unmet(name: &str, error: &ContractError) {
    console::note(format_args!("{name}: {error} ({})", error.reason()));
    if console::is_talkative() {
        let unrecognized = error.violations().iter().flat_map(jsonseam::contract::Violation::unrecognized);
        for name in unrecognized.take(MOST_KEYS) {
            console::note_below(format_args!("not declared: `{name}`"));
        }
    }
    for extra in error.extra().iter().take(MOST_KEYS) {
        // A key that no contract declares is text of the completion: only a person who watches sees it, no log.
        match (&extra.hint, console::is_talkative()) {
            (Some(hint), true) => {
                console::note_below(format_args!("not declared: `{}`; did you mean `{}`?", extra.name, hint.name));
            }
            (Some(hint), false) => console::note_below(format_args!("one was probably meant to be `{}`", hint.name)),
            (None, true) => console::note_below(format_args!("not declared: `{}`", extra.name)),
            (None, false) => {}
        }
    }
}

fn tell(name: &str, outputs: &Outputs, len: usize) {
    let repaired: &Repaired<'_> = outputs.repair();
    if !repaired.further().is_empty() && !console::is_talkative() {
        console::warn(render::summary(name, repaired, len));
    }
    if !console::is_talkative() {
        return;
    }
    console::note(render::summary(name, repaired, len));
    let repeated = outputs.nested_duplicates().len();
    if repeated > 0 {
        console::note_below(format_args!("keys that nested objects hold more than once: {repeated}"));
    }
}
