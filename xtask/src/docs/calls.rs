//! The page of the scoreboard of calls: its words from `bench/scoreboard-calls.md`, its figures from what `cargo xtask toolcalls --save` has kept.

use std::fmt::Write as _;

use anyhow::Result;

use super::Page;
use crate::toolcalls::{Family, Figures, Ours, Theirs};
use crate::workspace::Workspace;

const SOURCE: &str = "bench/scoreboard-calls.md";

/// The columns of others, in their order.
const PROJECTS: [&str; 6] = ["vLLM", "SGLang", "dynamo", "SMG", "llama.cpp", "others"];

pub(super) fn page(workspace: &Workspace) -> Result<Page> {
    let figures = Figures::read(workspace)?;
    let text = workspace.read(SOURCE)?.replace("{table}", table(&figures).trim_end());
    Ok(("docs/scoreboard-calls.md".to_owned(), text))
}

fn table(figures: &Figures) -> String {
    let mut table =
        format!("| format | {} | jsonseam |\n|---{}|---|\n", PROJECTS.join(" | "), "|---".repeat(PROJECTS.len()));
    let mut all = Family::default();
    for (name, family) in &figures.families {
        line(&mut table, name, family);
        add(&mut all, family);
    }
    line(&mut table, "**all**", &all);
    table
}

fn line(table: &mut String, name: &str, family: &Family) {
    let theirs = PROJECTS.iter().map(|project| match family.theirs.get(*project) {
        Some(Theirs { right, odd, wrong }) => format!("{right} / {odd} / {wrong}"),
        None => String::new(),
    });
    let Ours { right, wrong, refused } = family.ours;
    let cells: Vec<String> = theirs.collect();
    let _ = writeln!(table, "| {name} | {} | {right} / {wrong} / {refused} |", cells.join(" | "));
}

fn add(all: &mut Family, family: &Family) {
    for (project, more) in &family.theirs {
        let sum = all.theirs.entry(project.clone()).or_default();
        sum.right += more.right;
        sum.odd += more.odd;
        sum.wrong += more.wrong;
    }
    all.ours.right += family.ours.right;
    all.ours.wrong += family.ours.wrong;
    all.ours.refused += family.ours.refused;
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_format_has_a_line_and_all_of_them_a_sum() {
        let family = |right: usize| Family {
            theirs: [("vLLM".to_owned(), Theirs { right, odd: 1, wrong: 0 })].into(),
            ours: Ours { right, wrong: 0, refused: 2 },
        };
        let figures = Figures { families: [("a".to_owned(), family(3)), ("b".to_owned(), family(4))].into() };
        let table = table(&figures);
        assert!(table.contains("| b | 4 / 1 / 0 |  |  |  |  |  | 4 / 0 / 2 |\n"), "{table}");
        assert!(table.ends_with("| **all** | 7 / 2 / 0 |  |  |  |  |  | 7 / 0 / 4 |\n"), "{table}");
    }
}
