//! `jsonseam repair`: one text to standard output, or files in place.

use std::path::Path;

use anyhow::{Context, bail};
use jsonseam::{Error, Record, Repaired};

use crate::arguments::RepairArguments;
use crate::console;
use crate::engine::Engine;
use crate::exit::{self, Exit};
use crate::files::{self, Replacement};
use crate::input::{Input, Source};
use crate::render;

/// Repairs what the arguments name.
pub(crate) fn run(arguments: &RepairArguments) -> anyhow::Result<Exit> {
    let sources = Source::all(&arguments.files);
    refuse_contradictions(arguments, &sources)?;
    let engine = Engine::from_flags(&arguments.engine)?;
    let mut worst = Exit::Done;
    for source in &sources {
        let exit = match repair(source, arguments, &engine) {
            Err(error) if !exit::is_closed_pipe(&error) => {
                // One file that cannot be read does not stop the others.
                console::complain(&error);
                Exit::Failed
            }
            other => other?,
        };
        worst = worst.max(exit);
    }
    Ok(worst)
}

fn refuse_contradictions(arguments: &RepairArguments, sources: &[Source]) -> anyhow::Result<()> {
    if sources.len() > 1 {
        if !(arguments.write || arguments.check || arguments.diff) {
            bail!("several files need --write, --check or --diff");
        }
        if arguments.explain || arguments.report.is_some() {
            bail!("--explain and --report take one file only");
        }
    }
    if arguments.write && sources.contains(&Source::Stdin) {
        bail!("--write needs files: standard input cannot be replaced");
    }
    if let Some(report) = &arguments.report {
        let is_same = |source: &Source| matches!(source, Source::File(path) if leads_to_same_file(path, report));
        if sources.iter().any(is_same) {
            bail!("--report would replace the file that is read");
        }
    }
    Ok(())
}

fn leads_to_same_file(one: &Path, other: &Path) -> bool {
    match (one.canonicalize(), other.canonicalize()) {
        (Ok(one), Ok(other)) => one == other && !files::is_stream(&one),
        _ => false,
    }
}

fn repair(source: &Source, arguments: &RepairArguments, engine: &Engine) -> anyhow::Result<Exit> {
    let input = source.read(engine.most_bytes())?;
    let result = engine.repair(&input.bytes);
    if let Some(report) = &arguments.report {
        write_record(report, &result)?;
    }
    match &result {
        Ok(repaired) => {
            let exit = deliver(repaired, source, &input, arguments)?;
            if arguments.verbose || (console::is_watched() && !arguments.check) {
                console::note(render::summary(&source.name(), repaired));
            }
            Ok(exit)
        }
        Err(error) => {
            render::refusal(&source.name(), error, &input.bytes, engine);
            Ok(Exit::Refused)
        }
    }
}

fn deliver(
    repaired: &Repaired<'_>,
    source: &Source,
    input: &Input,
    arguments: &RepairArguments,
) -> anyhow::Result<Exit> {
    let is_changed = repaired.text().as_bytes() != input.bytes;
    if arguments.check {
        return Ok(if is_changed { Exit::Refused } else { Exit::Done });
    }
    if let (true, true, Source::File(path)) = (arguments.write, is_changed, source) {
        replace(path, repaired, input)?;
    }
    // The input was UTF-8, or there would be no repair.
    let text = str::from_utf8(&input.bytes).context("the text changed its encoding")?;
    if arguments.diff {
        console::emit_text(&render::diff(&source.name(), text, repaired))?;
    } else if arguments.explain {
        console::emit(render::explanation(&source.name(), text, repaired).as_bytes())?;
    } else if arguments.report.is_none() && !arguments.write {
        console::emit(repaired.text().as_bytes())?;
    }
    Ok(Exit::Done)
}

fn replace(path: &Path, repaired: &Repaired<'_>, input: &Input) -> anyhow::Result<()> {
    let mut replacement = Replacement::beside(path)?;
    replacement.write(repaired.text().as_bytes())?;
    replacement.commit(input.fingerprint.as_ref())
}

fn write_record(report: &Path, result: &Result<Repaired<'_>, Error>) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(&Record::new(result)).context("cannot write the record")?;
    line.push(b'\n');
    if report.as_os_str() == "-" {
        return console::emit(&line);
    }
    if files::is_stream(report) {
        return std::fs::write(report, line).context("cannot write the record");
    }
    let mut replacement = Replacement::beside(report)?;
    replacement.write(&line)?;
    replacement.commit(None)
}
