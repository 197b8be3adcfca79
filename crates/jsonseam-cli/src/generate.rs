//! `jsonseam completions` and `jsonseam man`: texts made from the command line's own definition.

use std::path::Path;

use anyhow::{Context, bail};
use clap::Command;
use clap::builder::PossibleValuesParser;
use clap_complete::Shell;

use crate::console;
use crate::exit::Exit;
use crate::files::{self, Replacement};
use crate::identity;
use crate::names;

/// Writes the completion script for `shell`. It knows the names of the presets and the rules.
pub(crate) fn completions(shell: Shell) -> anyhow::Result<Exit> {
    let catalogue = jsonseam::catalogue()?;
    // The definition of a command line wants names that last; there are three, and the process ends after it.
    let presets: Vec<&'static str> = catalogue.presets().iter().map(|preset| &*preset.name.clone().leak()).collect();
    let rules: Vec<&'static str> = catalogue.rules().iter().map(|rule| rule.name).collect();
    let mut command = with_names(identity::command(), &presets, &rules);
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, identity::name(), &mut script);
    console::emit(&script)?;
    Ok(Exit::Done)
}

/// The command with the values that only the catalogue knows.
fn with_names(command: Command, presets: &[&'static str], rules: &[&'static str]) -> Command {
    let command = command.mut_args(|argument| match argument.get_id().as_str() {
        "preset" => argument.value_parser(PossibleValuesParser::new(presets.to_vec())),
        "enable" | "disable" | "rule" => argument.value_parser(PossibleValuesParser::new(rules.to_vec())),
        _ => argument,
    });
    command.mut_subcommands(|subcommand| with_names(subcommand, presets, rules))
}

/// Writes the manual page of the whole command or of one subcommand.
pub(crate) fn man(subcommand: &[String]) -> anyhow::Result<Exit> {
    let mut command = identity::command();
    command.build();
    let words: Vec<&str> = subcommand.iter().flat_map(|words| words.split([' ', '-'])).collect();
    let mut page = &command;
    for word in &words {
        let Some(found) = page.find_subcommand(word) else {
            let known: Vec<&str> = page.get_subcommands().map(Command::get_name).collect();
            let near = names::nearest(word, known.iter().copied());
            let advice = near.map_or_else(|| known.join(", "), |near| format!("did you mean `{near}`?"));
            bail!("there is no subcommand `{}`; {advice}", crate::escape::escaped(&words.join(" ")));
        };
        page = found;
    }
    console::emit(&rendered(page)?)?;
    Ok(Exit::Done)
}

/// Writes the page of every subcommand into a directory.
pub(crate) fn all_pages(directory: &Path) -> anyhow::Result<Exit> {
    let mut command = identity::command();
    command.build();
    std::fs::create_dir_all(directory).with_context(|| format!("cannot make {}", files::shown(directory)))?;
    let mut pages = vec![&command];
    let mut written = 0_usize;
    while let Some(page) = pages.pop() {
        if page.get_name() == "help" {
            continue;
        }
        pages.extend(page.get_subcommands());
        let mut replacement = Replacement::beside(&directory.join(format!("{}.1", page_name(page))))?;
        replacement.write(&rendered(page)?)?;
        replacement.commit(None)?;
        written += 1;
    }
    console::emit(format!("{} in {}\n", crate::counts::counted(written, "page"), files::shown(directory)).as_bytes())?;
    Ok(Exit::Done)
}

fn page_name(page: &Command) -> String {
    page.get_bin_name().unwrap_or(page.get_name()).replace(' ', "-")
}

fn rendered(page: &Command) -> anyhow::Result<Vec<u8>> {
    let name = page_name(page);
    let page = page.clone().display_name(name);
    let mut text = Vec::new();
    let source = concat!("jsonseam ", env!("CARGO_PKG_VERSION"));
    clap_mangen::Man::new(page).source(source).render(&mut text).context("cannot make the manual page")?;
    Ok(with_sections(&String::from_utf8_lossy(&text)).into_bytes())
}

/// The page with sections of their own for what help texts end with: examples, line by line, and exit codes.
fn with_sections(page: &str) -> String {
    let page = page
        .replace(".SH EXTRA\nExamples:\n", ".SH EXAMPLES\n.nf\n")
        .replace(".SH EXTRA\nExit codes: ", ".SH \"EXIT STATUS\"\n");
    let Some((before, after)) = page.split_once(".SH EXAMPLES\n") else { return page };
    let after = match after.split_once("\n\n") {
        Some((examples, rest)) => format!("{examples}\n.fi\n{rest}"),
        None => format!("{after}.fi\n"),
    };
    format!("{before}.SH EXAMPLES\n{}", after.replace("\nExit codes: ", "\n.SH \"EXIT STATUS\"\n"))
}
