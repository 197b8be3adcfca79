//! The table of formats in the page of tool calls, written from the packs.

use std::fmt::Write as _;

use anyhow::{Context, Result};

use super::Page;
use crate::workspace::Workspace;

const PAGE: &str = "docs/tool-calls.md";

/// What is around the table.
const MARKS: [&str; 2] =
    ["<!-- formats: written by `cargo xtask docs` from the packs -->\n", "<!-- end of the formats -->\n"];

/// The page, with a line for each format of the packs.
pub(super) fn page(workspace: &Workspace) -> Result<Page> {
    let text = workspace.read(PAGE)?;
    let (before, rest) = text.split_once(MARKS[0]).context("the page of tool calls has no place for the formats")?;
    let (_, after) = rest.split_once(MARKS[1]).context("the table of formats has no end")?;
    Ok((PAGE.to_owned(), format!("{before}{}{}{}{after}", MARKS[0], table()?, MARKS[1])))
}

fn table() -> Result<String> {
    let mut table = String::from("| row | models | begins with | looked up in |\n|---|---|---|---|\n");
    for format in jsonseam::wrappers().described() {
        let is_told = !format.models.is_empty() && !format.source.is_empty();
        anyhow::ensure!(is_told, "the format {} says neither its models nor its source", format.name);
        let mark = match format.marks.as_slice() {
            [] => "nothing".to_owned(),
            [first, ..] => code(first),
        };
        let only = if format.is_offered_only { " \\*" } else { "" };
        let _ = writeln!(table, "| `{}`{only} | {} | {mark} | {} |", format.name, format.models, format.source);
    }
    Ok(table)
}

/// A mark as inline code in a table: backticks in it want longer ones around it, and bars are escaped.
fn code(mark: &str) -> String {
    let shown = mark.replace('|', "\\|").replace('\n', "\\n");
    let ticks = if shown.contains("```") { "````" } else { "`" };
    let space = if shown.starts_with('`') || shown.ends_with('`') { " " } else { "" };
    format!("{ticks}{space}{shown}{space}{ticks}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_format_has_its_line_with_models_and_a_source() {
        let table = table().expect("every row says both");
        let names: Vec<_> = jsonseam::wrappers().formats().map(|(_, name)| name).collect();
        assert!(names.len() > 70 && names.iter().all(|name| table.contains(&format!("| `{name}`"))));
        assert!(table.lines().all(|line| line.replace("\\|", "").matches('|').count() == 5), "{table}");
    }

    #[test]
    fn a_mark_of_backticks_is_shown_whole() {
        assert_eq!(code("```tool_code"), "```` ```tool_code ````");
        assert_eq!(code("<|a|>"), "`<\\|a\\|>`");
    }
}
