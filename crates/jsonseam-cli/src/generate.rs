//! `jsonseam completions` and `jsonseam man`: texts made from the command line's own definition.

use anyhow::{Context, bail};
use clap::{Command, CommandFactory};
use clap_complete::Shell;

use crate::arguments::Arguments;
use crate::console;
use crate::exit::Exit;

/// Writes the completion script for `shell`.
pub(crate) fn completions(shell: Shell) -> anyhow::Result<Exit> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Arguments::command(), "jsonseam", &mut script);
    console::emit(&script)?;
    Ok(Exit::Done)
}

/// Writes the manual page of the whole command or of one subcommand.
pub(crate) fn man(subcommand: Option<&str>) -> anyhow::Result<Exit> {
    let mut command = Arguments::command();
    command.build();
    let page = match subcommand {
        None => command,
        Some(name) => page_of(&command, name)?,
    };
    let mut text = Vec::new();
    clap_mangen::Man::new(page).render(&mut text).context("cannot make the manual page")?;
    console::emit(&text)?;
    Ok(Exit::Done)
}

fn page_of(command: &Command, name: &str) -> anyhow::Result<Command> {
    let Some(found) = command.find_subcommand(name) else {
        bail!("there is no subcommand `{name}`");
    };
    Ok(found.clone())
}
