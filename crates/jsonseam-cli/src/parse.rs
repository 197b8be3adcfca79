//! `jsonseam parse`: the declared outputs of one text, or one error.

use anyhow::bail;
use jsonseam::contract::{Cast, DropReason, DroppedItem};
use jsonseam::{Adapter, ContractError, Outputs, ParseOptions, Record, Repaired};
use serde::Serialize;

use crate::arguments::ParseArguments;
use crate::console;
use crate::contract::{self, Unmet};
use crate::engine::Engine;
use crate::exit::Exit;
use crate::follow;
use crate::input::Source;
use crate::jobs;
use crate::render;
use crate::statistics::Statistics;
use crate::walk;
use crate::ways;

/// Of further keys that are not declared only the number is shown.
const MOST_KEYS: usize = 8;

/// What is printed when the contract is met.
#[derive(Serialize)]
struct Met<'o> {
    #[serde(skip_serializing_if = "Option::is_none")]
    file: Option<&'o str>,
    outputs: &'o Outputs,
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    casts: &'o [Cast],
    #[serde(skip_serializing_if = "<[_]>::is_empty")]
    dropped: &'o [DroppedItem],
    repair: Record<'o>,
}

/// What is printed of one of several files when the contract is not met.
#[derive(Serialize)]
struct UnmetIn<'o> {
    file: &'o str,
    error: &'o ContractError,
}

/// The outputs of one of several files, alone.
#[derive(Serialize)]
struct OutputsIn<'o> {
    file: &'o str,
    outputs: &'o Outputs,
}

/// Parses what the arguments name.
pub(crate) fn run(arguments: &ParseArguments) -> anyhow::Result<Exit> {
    let engine = Engine::from_flags(&arguments.engine)?;
    let walked = walk::sources(&arguments.find, &engine.exclude)?;
    if arguments.find.show_files {
        return walked.show();
    }
    let Some(adapter) = arguments.contract.adapter_or_report(&engine.config)? else {
        return Ok(Exit::Failed);
    };
    let is_one = matches!(walked.sources.as_slice(), [Source::Stdin | Source::File(_)]);
    if arguments.follow && !is_one {
        bail!("--follow reads one text: name one file, or `-` for standard input");
    }
    let mut done = jobs::each(&walked.sources, arguments.find.jobs, |source| {
        let file = (!is_one).then(|| source.name_as_is());
        let exit = parse(source, file.as_deref(), arguments, &engine, &adapter)?;
        let mut statistics = Statistics::default();
        let count = if exit == Exit::Done { &mut statistics.unchanged } else { &mut statistics.refused };
        *count = 1;
        Ok((exit, statistics))
    })?;
    walked.count_unreadable(&mut done);
    let has_summary = !is_one && console::is_talkative();
    if has_summary {
        done.1.tell_files("with the outputs", None);
    }
    walked.tell(has_summary);
    Ok(done.0)
}

fn parse(
    source: &Source,
    file: Option<&str>,
    arguments: &ParseArguments,
    engine: &Engine,
    adapter: &Adapter,
) -> anyhow::Result<Exit> {
    let (outputs, bytes) = if arguments.follow {
        follow::outputs(adapter, source, engine.finish_reason.clone(), engine.most_bytes())?
    } else {
        let bytes = source.read_text(engine.most_bytes())?.bytes;
        let options = ParseOptions::new().with_finish_reason(engine.finish_reason.clone());
        (contract::parse(adapter, &bytes, &options), bytes)
    };
    match outputs {
        Ok(outputs) => {
            if let (true, Some(file)) = (arguments.outputs_only, file) {
                console::emit_json(&OutputsIn { file, outputs: &outputs })?;
            } else if arguments.outputs_only {
                console::emit_json(&outputs)?;
            } else {
                let repair = outputs.repair().into();
                console::emit_json(&Met {
                    file,
                    outputs: &outputs,
                    casts: outputs.casts(),
                    dropped: outputs.dropped(),
                    repair,
                })?;
            }
            tell(&source.name(), &outputs, bytes.len());
            Ok(Exit::Done)
        }
        Err(error) => {
            let error = adapter.explain(&error, str::from_utf8(&bytes).unwrap_or_default());
            match file {
                Some(file) => console::emit_json(&UnmetIn { file, error: &error })?,
                None => console::emit_json(&Unmet { error: &error })?,
            }
            tell_refused(&source.name(), &error, &bytes, arguments, engine, adapter);
            Ok(Exit::Refused)
        }
    }
}

/// Why there are no outputs, and what to do.
fn tell_refused(
    name: &str,
    error: &ContractError,
    bytes: &[u8],
    arguments: &ParseArguments,
    engine: &Engine,
    adapter: &Adapter,
) {
    if let Some(refusal) = error.decode() {
        render::refusal_under_contract(name, refusal, bytes, engine);
        if arguments.follow && !console::is_quiet() && is_met_as_a_whole(adapter, bytes, engine) {
            console::help_below(
                "--follow takes the first payload; without it the whole text is read, and the payload taken that fits",
            );
        }
        return;
    }
    tell_unmet(name, error);
    if !console::is_quiet() {
        let text = str::from_utf8(bytes).unwrap_or_default();
        ways::to_fit(&arguments.contract, adapter, error, text).iter().for_each(console::help_below);
    }
}

/// Whether a text that a stream refuses is taken when all of it is there: then the best of its payloads is chosen.
fn is_met_as_a_whole(adapter: &Adapter, bytes: &[u8], engine: &Engine) -> bool {
    let options = ParseOptions::new().with_finish_reason(engine.finish_reason.clone());
    contract::parse(adapter, bytes, &options).is_ok()
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

/// That items are not in the outputs: a warning whoever watches, since a value is lost.
fn tell_dropped(name: &str, dropped: &[DroppedItem]) {
    for (reason, what) in [(DropReason::Incomplete, "truncated"), (DropReason::Schema, "not fitting")] {
        let count = dropped.iter().filter(|item| item.reason() == reason).count();
        if count > 0 {
            console::warn(format_args!("{name}: items left out because they are {what}: {count}"));
        }
    }
}

fn tell(name: &str, outputs: &Outputs, len: usize) {
    let repaired: &Repaired<'_> = outputs.repair();
    tell_dropped(name, outputs.dropped());
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
