//! The table of docs/streaming.md, written from the declarations of the rules: how far back their edits may start.

use std::collections::BTreeMap;
use std::fmt::Write;

use anyhow::{Context, Result};
use jsonseam::Catalogue;
use jsonseam::rule::{Reach, Role};

use super::Page;
use crate::workspace::Workspace;

const PATH: &str = "docs/streaming.md";

/// What is around the table.
const MARKS: [&str; 2] = ["<!-- reaches: written by `cargo xtask docs` -->\n", "<!-- end of the reaches -->\n"];

/// The page with the rules of today.
pub(super) fn page(workspace: &Workspace, catalogue: &Catalogue) -> Result<Page> {
    let present = workspace.read(PATH)?;
    let [start, end] = MARKS;
    let (before, rest) = present.split_once(start).with_context(|| format!("{PATH} lacks the line {start}"))?;
    let (_, after) = rest.split_once(end).with_context(|| format!("{PATH} lacks the line {end}"))?;
    Ok((PATH.to_owned(), format!("{before}{start}\n{}\n{end}{after}", table(catalogue))))
}

fn table(catalogue: &Catalogue) -> String {
    let mut by_reach: BTreeMap<String, Vec<&str>> = BTreeMap::new();
    for rule in catalogue.rules() {
        if let Role::Repair { reach, .. } = rule.role {
            let words = if reach == Reach::UNDECLARED {
                "what a rule reaches that declares nothing: ".to_owned()
            } else {
                String::new()
            };
            by_reach.entry(format!("{words}{reach}")).or_default().push(rule.name);
        }
    }
    let mut table = "| an edit starts no further back than | rules |\n|---|---|\n".to_owned();
    for (reach, rules) in by_reach {
        let names: Vec<_> = rules.iter().map(|name| format!("[`{name}`](rules/{name}.md)")).collect();
        let _ = writeln!(table, "| {reach} | {} |", names.join(", "));
    }
    table
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::subjects;

    #[test]
    fn every_rule_that_repairs_has_its_place() {
        let catalogue = subjects::catalogue().expect("the catalogue is valid");
        let table = table(&catalogue);
        let repairs = catalogue.rules().iter().filter(|rule| matches!(rule.role, Role::Repair { .. }));
        assert!(repairs.clone().count() > 50);
        assert!(repairs.into_iter().all(|rule| table.contains(&format!("(rules/{}.md)", rule.name))), "{table}");
    }
}
