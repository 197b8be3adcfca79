//! The `jsonseam` command as a library: arguments in, one exit code out.
//!
//! A house with rules of its own builds the whole command around them; the linker brings the rules, the configuration turns them on by name:
//!
//! ```no_run
//! // use acme_rules as _;
//! fn main() -> std::process::ExitCode {
//!     jsonseam_cli::main_as(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
//! }
//! ```
//!
//! `jsonseam init --rules NAME` writes a crate of rules with such a command.
//!
//! **Boundary:** this is the only crate of the workspace that prints.
//! Everything for people goes through the module `escape`; the only raw bytes are the product itself on standard output.

mod arguments;
mod ask;
mod batch;
mod calls;
mod check;
mod config;
mod console;
mod contract;
mod counts;
mod engine;
mod escape;
mod exit;
mod explain;
mod files;
mod follow;
mod generate;
mod git;
mod heal;
mod identity;
mod init;
mod input;
mod jobs;
mod left_out;
mod lines;
mod names;
mod parse;
mod presets;
mod prompt;
mod render;
mod repair;
mod rules;
mod signals;
mod staged;
mod statistics;
mod walk;
mod ways;

use std::ffi::OsString;
use std::process::ExitCode;

use arguments::{Arguments, Command, ConfigCommand};
use clap::FromArgMatches;
use exit::Exit;

/// Runs the command with the arguments of the process.
///
/// It takes over the process: it sets a panic hook, watches for signals where it writes files, and reads and writes the standard streams.
pub fn main() -> ExitCode {
    run(std::env::args_os())
}

/// The same under the name and the version of a house, which its usage, its version and its messages give.
///
/// ```no_run
/// fn main() -> std::process::ExitCode {
///     jsonseam_cli::main_as(env!("CARGO_PKG_NAME"), env!("CARGO_PKG_VERSION"))
/// }
/// ```
pub fn main_as(name: &'static str, version: &'static str) -> ExitCode {
    identity::set(name, version);
    main()
}

/// Runs the command with these arguments, the first of which is the name of the program, and gives its exit code:
/// 0 done, 1 refused, 2 usage, configuration, input or output, 128 and the number of the signal that ended it.
///
/// ```
/// let code = jsonseam_cli::run(["jsonseam", "explain", "trailing-comma"]);
/// assert_eq!(code, std::process::ExitCode::SUCCESS);
/// ```
pub fn run(arguments: impl IntoIterator<Item = impl Into<OsString> + Clone>) -> ExitCode {
    console::silence_panics();
    let matches = identity::command().try_get_matches_from(arguments);
    let arguments = match matches.and_then(|matches| Arguments::from_arg_matches(&matches)) {
        Ok(arguments) => arguments,
        Err(answer) => return exit::of_clap(&answer).into(),
    };
    console::set(arguments.console);
    // The panic itself has been reported by then; a bug must not look like a refusal.
    let result = std::panic::catch_unwind(|| dispatch(&arguments.command));
    result.map_or(Exit::Failed, exit::of).into()
}

fn dispatch(command: &Command) -> anyhow::Result<Exit> {
    match command {
        Command::Repair(arguments) => repair::run(arguments),
        Command::Check(arguments) => check::run(arguments),
        Command::Batch(arguments) => batch::run(arguments),
        Command::Parse(arguments) => parse::run(arguments),
        Command::Calls(arguments) => calls::run(arguments),
        Command::Heal(arguments) => heal::run(arguments),
        Command::Ask(arguments) => ask::run(arguments),
        Command::Prompt(arguments) => prompt::run(arguments),
        Command::Rules(arguments) => rules::run(arguments),
        Command::Explain(arguments) => explain::run(arguments),
        Command::Init(arguments) => init::run(arguments),
        Command::Config { command: ConfigCommand::Check { file, config } } => {
            config::check(file.as_deref().or(config.as_deref()))
        }
        Command::Config { command: ConfigCommand::Show { engine } } => config::show(engine),
        Command::Completions { shell } => generate::completions(*shell),
        Command::Man { all: Some(directory), .. } => generate::all_pages(directory),
        Command::Man { command, all: None } => generate::man(command),
    }
}
