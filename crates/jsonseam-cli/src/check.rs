//! `jsonseam check`: strictly valid or not (SPEC P0), without repairing anything.

use jsonseam::{Config, Limit, Root};

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
    Ok(Engine { config, pipeline, finish_reason: None, settings: repairing.settings.clone() })
}

fn check(source: &Source, strict: &Engine, repairing: &Engine) -> anyhow::Result<Exit> {
    let input = source.read(strict.most_bytes())?;
    let repaired = strict.repair(&input.bytes);
    let refusal = match (strict.pipeline.check(&input.bytes), repaired) {
        // What was read of a text that is too long may end inside a character.
        (_, Err(error)) if error.limit_met() == Some(Limit::InputBytes) => error,
        (Err(error), _) | (Ok(()), Err(error)) => error,
        (Ok(()), Ok(_)) => return Ok(Exit::Done),
    };
    console::note(render::refusal_line(&source.name(), &refusal, &input.bytes));
    for help in render::repair_help(&input.bytes, repairing) {
        console::note_below(format_args!("help: {help}"));
    }
    Ok(Exit::Refused)
}
