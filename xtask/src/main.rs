//! `cargo xtask …`: the one door to everything that is done with this workspace.
//!
//! Each subcommand prints what it found and, as its last line, a verdict that starts with `PASS` or `FAIL`; the exit code is 1 on `FAIL`.
//! A command that could not do its work at all (a file is missing, a tool is not installed) is a `FAIL` too.

#![allow(clippy::print_stdout, clippy::print_stderr, reason = "a program for people prints what it does")]

mod answers;
mod bench;
mod ci;
mod corpus;
mod damage;
mod docs;
mod evidence;
mod features;
mod fuzz;
mod groups;
mod js;
mod package;
mod peers;
mod prove;
mod python;
mod reads;
mod rule;
mod score;
mod scoreboard;
mod simulate;
mod size;
mod stream;
mod subjects;
mod toolcalls;
mod verdict;
mod workspace;

use std::path::PathBuf;
use std::process::ExitCode;

use clap::{Parser, Subcommand};

use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// The tasks of the jsonseam workspace.
#[derive(Debug, Parser)]
#[command(name = "cargo xtask", bin_name = "cargo xtask")]
struct Arguments {
    /// The workspace to work on, if not the one this program was built from.
    #[arg(long, global = true, hide = true)]
    workspace: Option<PathBuf>,
    #[command(subcommand)]
    task: Task,
}

#[derive(Debug, Subcommand)]
enum Task {
    /// Runs every case of the corpus and beside the rules.
    Corpus(corpus::Arguments),
    /// Works on the built-in rules.
    #[command(subcommand)]
    Rule(rule::Task),
    /// Writes the pages that come from the sources, and checks links and words.
    Docs(docs::Arguments),
    /// Runs the fuzz targets for a while, seeded from the corpus.
    Fuzz(fuzz::Arguments),
    /// Damages documents in known ways, and counts what each preset, and each other library, makes of them.
    Damage(damage::Arguments),
    /// Puts the presets and every other library that can be run here to the same texts.
    Scoreboard(scoreboard::Arguments),
    /// Runs the loop against a scripted model on a virtual clock, and prints the figures of each preset.
    Simulate(simulate::Arguments),
    /// Runs the campaigns: what must hold for more texts than a test can try.
    Prove(prove::Arguments),
    /// Reads tool calls as other projects' tests have them, and compares.
    Toolcalls(toolcalls::Arguments),
    /// Writes what each preset makes of every text there is, or compares it with another build's answers.
    Answers(answers::Arguments),
    /// Streams every text there is, in pieces, and holds it to what the whole text gives.
    Stream(stream::Arguments),
    /// Measures speed beside others, and counts instructions.
    Bench(bench::Arguments),
    /// Builds the Python package and runs its tests.
    Python(python::Arguments),
    /// Builds the npm package and runs its tests.
    Js(js::Arguments),
    /// Builds the page that shows every seam, and runs its tests in a browser.
    Page(js::PageArguments),
    /// Checks every part of jsonseam that can be left out: each alone, none, all.
    Features,
    /// Lists what each crate would publish, in the order of publishing.
    Package,
    /// Counts the code lines of core and rules by room.
    Size(size::Arguments),
    /// Exactly what continuous integration runs.
    Ci,
}

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let workspace = Workspace::new(arguments.workspace);
    let result = match &arguments.task {
        Task::Corpus(arguments) => corpus::run(&workspace, arguments),
        Task::Rule(task) => rule::run(&workspace, task),
        Task::Docs(arguments) => docs::run(&workspace, arguments),
        Task::Fuzz(arguments) => fuzz::run(&workspace, arguments),
        Task::Damage(arguments) => damage::run(&workspace, arguments),
        Task::Scoreboard(arguments) => scoreboard::run(&workspace, arguments),
        Task::Simulate(arguments) => simulate::run(&workspace, arguments),
        Task::Prove(arguments) => prove::run(&workspace, arguments),
        Task::Toolcalls(arguments) => toolcalls::run(&workspace, arguments),
        Task::Answers(arguments) => answers::run(&workspace, arguments),
        Task::Stream(arguments) => stream::run(&workspace, arguments),
        Task::Bench(arguments) => bench::run(&workspace, arguments),
        Task::Python(arguments) => python::run(&workspace, arguments),
        Task::Js(arguments) => js::run(&workspace, arguments),
        Task::Page(arguments) => js::run_page(&workspace, arguments),
        Task::Features => features::run(&workspace),
        Task::Package => package::run(&workspace),
        Task::Size(arguments) => size::run(&workspace, arguments),
        Task::Ci => Ok(ci::run(&workspace)),
    };
    result.unwrap_or_else(|error| Verdict::fail(format!("{error:#}"))).announce()
}

#[cfg(test)]
mod tests {
    use clap::error::ErrorKind;

    use super::*;

    /// The calls of this program in a page, as arguments; what is in angle brackets stands for a name.
    fn calls(page: &str) -> Vec<Vec<String>> {
        let after = page.split("cargo xtask ").skip(1).filter(|text| !text.starts_with('…'));
        let call = |text: &str| {
            let text = text.split("-->").next().unwrap_or_default();
            let end = text.find(['`', '\n', '#', ';', '|', ')', '&']).unwrap_or(text.len());
            let words =
                text[..end].split_whitespace().map(|word| word.trim_matches(['<', '>', '[', ']', ',', '.']).to_owned());
            ["cargo xtask".to_owned()].into_iter().chain(words).collect()
        };
        after.map(call).collect()
    }

    #[test]
    fn every_task_that_the_pages_name_is_one_that_there_is() {
        let root = Workspace::new(None);
        let mut count = 0;
        let docs = root.stems("docs", "md").expect("there is documentation");
        let docs = docs.into_iter().map(|stem| format!("docs/{stem}.md"));
        for page in docs.chain(["README.md", "CONTRIBUTING.md"].map(str::to_owned)) {
            for call in calls(&root.read(&page).expect("the page is there")) {
                // A word that stands for a value is no mistake; a task or a flag that does not exist is.
                let mistake = Arguments::try_parse_from(&call)
                    .err()
                    .filter(|error| matches!(error.kind(), ErrorKind::UnknownArgument | ErrorKind::InvalidSubcommand));
                assert!(mistake.is_none(), "{page}: {}: {}", call.join(" "), mistake.expect("there is one"));
                count += 1;
            }
        }
        assert!(count > 40, "{count} calls");
    }
}
