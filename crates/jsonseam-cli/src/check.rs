//! `jsonseam check`: strictly valid or not (SPEC P0), without repairing anything.

use std::ops::Range;

use jsonseam::{Config, Position, Root, Status};

use crate::arguments::CheckArguments;
use crate::console;
use crate::engine::Engine;
use crate::exit::{self, Exit};
use crate::input::Source;
use crate::render;

/// Checks what the arguments name.
pub(crate) fn run(arguments: &CheckArguments) -> anyhow::Result<Exit> {
    let repairing = Engine::from_flags(&arguments.engine)?;
    let strict = strict(&repairing, arguments.engine.root)?;
    let mut worst = Exit::Done;
    for source in Source::all(&arguments.files) {
        let exit = match check(&source, &strict, &repairing) {
            Err(error) if !exit::is_closed_pipe(&error) => {
                console::complain(&error);
                Exit::Failed
            }
            other => other?,
        };
        worst = worst.max(exit);
    }
    Ok(worst)
}

/// The question is RFC 8259 within the limits; it knows no rules, and a root only if one is asked for.
fn strict(repairing: &Engine, root: Option<Root>) -> anyhow::Result<Engine> {
    let mut config = Config::default();
    config.set_limits(repairing.config.limits());
    config.set_root(root.unwrap_or(Root::Any));
    config.set_order(&[]);
    let pipeline = jsonseam::pipeline(&config)?;
    Ok(Engine { config, pipeline, finish_reason: None })
}

fn check(source: &Source, strict: &Engine, repairing: &Engine) -> anyhow::Result<Exit> {
    let input = source.read(strict.most_bytes())?;
    match strict.repair(&input.bytes) {
        Ok(repaired) if repaired.status() == Status::Valid && repaired.text().as_bytes() == input.bytes => {
            return Ok(Exit::Done);
        }
        Ok(repaired) => {
            let text = String::from_utf8_lossy(&input.bytes);
            let Position { line, column, .. } =
                Position::of(first_byte_outside(&input.bytes, &repaired.payload()), &text);
            console::note(format_args!("{}:{line}:{column}: not valid JSON: other text surrounds it", source.name()));
        }
        Err(error) => console::note(render::refusal_line(&source.name(), &error, &input.bytes)),
    }
    for help in render::repair_help(&input.bytes, repairing) {
        console::note_below(format_args!("help: {help}"));
    }
    Ok(Exit::Refused)
}

/// The first byte that is neither white space nor part of the payload.
fn first_byte_outside(bytes: &[u8], payload: &Range<usize>) -> usize {
    let mut places = bytes.iter().enumerate();
    places.position(|(pos, byte)| !payload.contains(&pos) && !byte.is_ascii_whitespace()).unwrap_or(bytes.len())
}
