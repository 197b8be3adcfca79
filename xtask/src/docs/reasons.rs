//! The table of reasons in docs/guarantees.md, written from the one in `jsonseam-core`.

use std::fmt::Write;

use anyhow::{Context, Result};
use jsonseam::Reason;

use super::Page;
use crate::workspace::Workspace;

const PATH: &str = "docs/guarantees.md";

/// What is around the table.
const MARKS: [&str; 2] = ["<!-- reasons: written by `cargo xtask docs` -->\n", "<!-- end of the reasons -->\n"];

/// The page with the reasons of today.
pub(super) fn page(workspace: &Workspace) -> Result<Page> {
    let present = workspace.read(PATH)?;
    let [start, end] = MARKS;
    let (before, rest) = present.split_once(start).with_context(|| format!("{PATH} lacks the line {start}"))?;
    let (_, after) = rest.split_once(end).with_context(|| format!("{PATH} lacks the line {end}"))?;
    Ok((PATH.to_owned(), format!("{before}{start}\n{}\n{end}{after}", table())))
}

fn table() -> String {
    let mut table = "| reason | what it means | ask again? | what to do |\n|---|---|---|---|\n".to_owned();
    for reason in Reason::ALL {
        let again = if reason.is_retryable() { "yes" } else { "no" };
        let _ = writeln!(table, "| `{reason}` | {} | {again} | {} |", reason.meaning(), reason.advice());
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn e1_every_reason_has_a_line() {
        let table = table();
        assert_eq!(table.lines().count(), 2 + Reason::ALL.len());
        assert!(Reason::NAMES.iter().all(|name| table.contains(&format!("| `{name}` |"))), "{table}");
    }
}
