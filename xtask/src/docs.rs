//! `cargo xtask docs`: docs/rules.md, written from the rules' own declarations.

use std::fmt::Write;

use anyhow::Result;
use clap::Args;
use jsonseam::{Catalogue, Registration, Risk, Role};

use crate::subjects;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

const PAGE: &str = "docs/rules.md";

/// Whether to write or to compare.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Writes nothing; fails if the page is not what the rules say.
    #[arg(long)]
    check: bool,
}

/// Runs the task.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<Verdict> {
    let catalogue = subjects::catalogue()?;
    let page = page(&catalogue);
    let passed = format!("{PAGE} describes {} rules", catalogue.rules().len());
    if !arguments.check {
        workspace.write(PAGE, page)?;
        return Ok(Verdict::pass(passed));
    }
    let present = workspace.read(PAGE).unwrap_or_default();
    if present == page {
        return Ok(Verdict::pass(passed));
    }
    let same = present.lines().zip(page.lines()).take_while(|(present, wanted)| present == wanted).count();
    println!("{PAGE}:{}: differs from the rules", same + 1);
    Ok(Verdict::fail(format!("{PAGE} is out of date: run `cargo xtask docs`")))
}

/// The whole page.
fn page(catalogue: &Catalogue) -> String {
    let mut rules: Vec<_> = catalogue.rules().to_vec();
    rules.sort_by_key(|rule| rule.name);
    let mut page = String::from(
        "# The built-in rules\n\n\
         <!-- Written by `cargo xtask docs` from the rules' own documentation. Changes made here are lost. -->\n\n",
    );
    let _ = writeln!(
        page,
        "Each rule answers one defect with one small edit; locators only say where the payload lies.\n\
         How sure a rule is, is its risk: {}.\n\
         A preset enables the rules that are listed with it; `enable` and `disable` change that by name.\n",
        Risk::ALL.map(|risk| format!("*{risk}*")).join(", ")
    );
    page.push_str("| rule | risk | presets | what it does |\n|---|---|---|---|\n");
    for rule in &rules {
        let _ = writeln!(
            page,
            "| [`{name}`](#{name}) | {} | {} | {} |",
            kind(rule),
            presets(catalogue, rule),
            rule.summary().replace('|', "\\|"),
            name = rule.name,
        );
    }
    for rule in rules {
        section(&mut page, catalogue, rule);
    }
    page
}

fn kind(rule: &Registration) -> &'static str {
    match rule.role {
        Role::Repair { risk, .. } | Role::EditingLocator { risk } => risk.as_str(),
        Role::RegionLocator | Role::PayloadLocator => "locator",
    }
}

fn presets(catalogue: &Catalogue, rule: &Registration) -> String {
    let holds = |preset: &&jsonseam::Preset| preset.rules.iter().any(|name| name == rule.name);
    let names: Vec<_> = catalogue.presets().iter().filter(holds).map(|preset| preset.name.as_str()).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// The documentation of one rule, its headings one level below the rule's.
fn section(page: &mut String, catalogue: &Catalogue, rule: &Registration) {
    let _ = writeln!(
        page,
        "\n## {}\n\n{}; presets: {}.\n",
        rule.name,
        match kind(rule) {
            "locator" => "A locator".to_owned(),
            risk => format!("Risk: *{risk}*"),
        },
        presets(catalogue, rule)
    );
    for line in unindented(rule.doc) {
        let heading = if line.starts_with('#') { "##" } else { "" };
        let _ = writeln!(page, "{heading}{line}");
    }
    if rule.options.is_empty() {
        return;
    }
    page.push_str("\n### Options\n\n");
    for option in rule.options {
        let doc = option.doc.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(page, "- `{}` ({}; default `{}`): {doc}", option.name(), option.kind, (option.default)());
    }
}

/// The lines of a documentation comment without the space that stands before each, and without blank lines around them.
fn unindented(doc: &str) -> impl Iterator<Item = &str> {
    doc.trim().lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end())
}

#[cfg(test)]
mod tests {
    use super::page;
    use crate::subjects;

    #[test]
    fn every_rule_has_its_row_and_its_section() {
        let catalogue = subjects::catalogue().expect("the built-in rules are in order");
        let page = page(&catalogue);
        for rule in catalogue.rules() {
            assert!(page.contains(&format!("| [`{0}`](#{0}) |", rule.name)));
            assert!(page.contains(&format!("\n## {}\n", rule.name)));
        }
        assert_eq!(page.lines().filter(|line| line.starts_with("# ")).count(), 1);
    }
}
