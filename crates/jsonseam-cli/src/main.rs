//! The `jsonseam` command: arguments in, one exit code out.
//!
//! **Boundary:** this is the only crate of the workspace that prints.
//! Everything for people goes through [`escape`]; the only raw bytes are the product itself on standard output.

mod arguments;
mod ask;
mod batch;
mod check;
mod config;
mod console;
mod contract;
mod engine;
mod escape;
mod exit;
mod explain;
mod files;
mod generate;
mod init;
mod input;
mod parse;
mod prompt;
mod render;
mod repair;
mod rules;
mod signals;

use std::process::ExitCode;

use arguments::{Arguments, Command, ConfigCommand};
use clap::Parser;
use exit::Exit;

fn main() -> ExitCode {
    console::silence_panics();
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(answer) => return exit::of_clap(&answer).into(),
    };
    // The panic itself has been told by then; a bug must not look like a refusal.
    let result = std::panic::catch_unwind(|| run(&arguments.command));
    result.map_or(Exit::Failed, exit::of).into()
}

fn run(command: &Command) -> anyhow::Result<Exit> {
    match command {
        Command::Repair(arguments) => repair::run(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::Batch(arguments) => batch::run(arguments),
        Command::Parse(arguments) => parse::run(arguments),
        Command::Ask(arguments) => ask::run(arguments),
        Command::Prompt(arguments) => prompt::run(arguments),
        Command::Rules { preset } => rules::run(preset.as_deref()),
        Command::Explain { rule } => explain::run(rule),
        Command::Init => init::run(),
        Command::Config { command: ConfigCommand::Check { file } } => config::check(file.as_deref()),
        Command::Completions { shell } => generate::completions(*shell),
        Command::Man { command } => generate::man(command.as_deref()),
    }
}
