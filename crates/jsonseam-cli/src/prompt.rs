//! `jsonseam prompt`: the prompt that would ask for an answer again. No one is asked.

use anyhow::Context;
use jsonseam::ParseOptions;

use crate::arguments::PromptArguments;
use crate::console;
use crate::contract;
use crate::engine::Engine;
use crate::exit::Exit;
use crate::input::Source;
use crate::render;

/// Shows the prompt for the answer that the arguments name.
pub(crate) fn run(arguments: &PromptArguments) -> anyhow::Result<Exit> {
    let engine = Engine::from_flags(&arguments.engine)?;
    let Some(adapter) = arguments.contract.adapter_or_report(&engine.config)? else {
        return Ok(Exit::Failed);
    };
    let source = arguments.file.as_deref().map_or(Source::Stdin, Source::of);
    let input = source.read_text(engine.most_bytes())?;
    let text = match str::from_utf8(&input.bytes) {
        Ok(text) if input.bytes.len() <= engine.config.limits().max_input_bytes => text,
        // What cannot be quoted cannot be asked about; the adapter knows how to say so.
        _ => {
            let options = ParseOptions::new().with_finish_reason(engine.finish_reason.clone());
            if let Err(error) = contract::parse(&adapter, &input.bytes, &options)
                && let Some(refusal) = error.decode()
            {
                render::refusal_under_contract(&source.name(), refusal, &input.bytes, &engine);
            }
            return Ok(Exit::Refused);
        }
    };
    let mut settings = engine.settings.clone();
    arguments.looped.apply(&mut settings);
    let reask = jsonseam::reask(adapter)?.settings(settings);
    let prompt = reask.prompt(text, arguments.engine.finish_reason.as_deref()).context("cannot make the prompt")?;
    match prompt {
        Some(prompt) => console::emit_text(&format!("{}\n", prompt.trim_end_matches('\n')))?,
        None => console::note(format_args!("{}: the contract is met; there is nothing to ask", source.name())),
    }
    Ok(Exit::Done)
}
