//! What this command is called: `jsonseam`, or the name that a house gave to its own.

use std::sync::OnceLock;

use clap::{Command, CommandFactory};

use crate::arguments::Arguments;

/// The name and the version of a house's command.
static HOUSE: OnceLock<(&'static str, &'static str)> = OnceLock::new();

/// Sets what the command is called, once in a process.
pub(crate) fn set(name: &'static str, version: &'static str) {
    let _ = HOUSE.set((name, version));
}

/// The name that messages begin with and that advice calls.
pub(crate) fn name() -> &'static str {
    HOUSE.get().map_or("jsonseam", |(name, _)| name)
}

/// The definition of the command line under the name of this command.
pub(crate) fn command() -> Command {
    match HOUSE.get() {
        Some((name, version)) => of_house(Arguments::command(), name, version),
        None => Arguments::command(),
    }
}

/// A house answers for its own version, and which jsonseam is in it decides what is repaired.
fn of_house(command: Command, name: &'static str, version: &'static str) -> Command {
    let version: &'static str = format!("{version} (jsonseam {})", env!("CARGO_PKG_VERSION")).leak();
    with_examples(command.name(name).bin_name(name).version(version), name)
}

/// The examples of every subcommand call the command by its name.
fn with_examples(command: Command, name: &str) -> Command {
    let help = command.get_after_help().map(|help| help.to_string().replace("jsonseam ", &format!("{name} ")));
    let command = match help {
        Some(help) => command.after_help(help),
        None => command,
    };
    command.mut_subcommands(|subcommand| with_examples(subcommand, name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_command_of_a_house_names_itself_in_version_usage_and_examples() {
        let mut command = of_house(Arguments::command(), "acme-rules", "2.1.0");
        assert_eq!(command.render_version(), concat!("acme-rules 2.1.0 (jsonseam ", env!("CARGO_PKG_VERSION"), ")\n"));
        assert!(command.render_help().to_string().contains("Usage: acme-rules "));
        command.build();
        let repair = command.find_subcommand_mut("repair").expect("there is one").render_long_help().to_string();
        assert!(
            repair.contains("Usage: acme-rules repair") && repair.contains("\n  acme-rules repair answer.txt"),
            "{repair}"
        );
        assert!(!repair.contains("jsonseam repair"), "{repair}");
    }
}
