//! `cargo xtask docs`: the pages that are written from the sources, and what every page must keep.

mod calls;
pub(crate) mod crates;
mod formats;
mod links;
mod performance;
mod picture;
mod prose;
mod reaches;
mod reasons;
mod rules;
mod scoreboard;
mod streams;

use std::collections::BTreeSet;

use anyhow::Result;
use clap::Args;

use crate::subjects;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// Whether to write or to compare.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Writes nothing; fails if a page differs from what the sources say, a link is dead or a word is banned.
    #[arg(long)]
    check: bool,
}

/// A file that is written from the sources: its path and its text.
type Page = (String, String);

/// Runs the task.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<Verdict> {
    let catalogue = subjects::catalogue()?;
    let mut pages = rules::pages(&catalogue);
    pages.push(crates::page(workspace)?);
    pages.push(picture::page(workspace)?);
    pages.push(reasons::page(workspace)?);
    let (path, page) = reaches::page(workspace, &catalogue)?;
    pages.push((path, streams::with_tables(workspace, &page)?));
    pages.extend(performance::pages(workspace)?);
    pages.extend(scoreboard::pages(workspace)?);
    pages.push(formats::page(workspace)?);
    pages.push(calls::page(workspace)?);
    pages.push(rules::summary(&workspace.read(rules::SUMMARY)?, &catalogue)?);
    let passed = format!("{} generated files are up to date; links and words are in order", pages.len());
    let mut complaints = stale(workspace, &pages);
    if arguments.check {
        for (path, text) in &pages {
            let present = workspace.read(path).unwrap_or_default();
            if present != *text {
                let same = present.lines().zip(text.lines()).take_while(|(present, wanted)| present == wanted).count();
                complaints.push(format!("{path}:{}: out of date; run `cargo xtask docs`", same + 1));
            }
        }
    } else {
        for (path, text) in &pages {
            workspace.write(path, text)?;
        }
    }
    complaints.extend(links::complaints(workspace)?);
    complaints.extend(prose::complaints(workspace)?);
    Ok(Verdict::of_complaints(&complaints, passed))
}

/// Pages of rules that no longer exist.
fn stale(workspace: &Workspace, pages: &[Page]) -> Vec<String> {
    let written: BTreeSet<&str> = pages.iter().map(|(path, _)| path.as_str()).collect();
    let found = workspace.stems("docs/rules", "md").unwrap_or_default();
    let paths = found.iter().map(|stem| format!("docs/rules/{stem}.md"));
    let stale = paths.filter(|path| !written.contains(path.as_str()));
    stale.map(|path| format!("{path}: there is no such rule")).collect()
}
