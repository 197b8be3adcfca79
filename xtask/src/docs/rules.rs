//! A page for each rule, written from its declaration, and an index of them by defect.

use std::fmt::Write;

use anyhow::{Context, Result};
use jsonseam::{Catalogue, Registration};

use super::Page;
use crate::groups::{self, GROUPS};

/// The table of contents of the book.
pub(super) const SUMMARY: &str = "docs/SUMMARY.md";

const INDEX: &str = "docs/rules.md";

/// What is around the list of rules in the table of contents.
const MARKS: [&str; 2] = ["<!-- rules: written by `cargo xtask docs` -->\n", "<!-- end of the rules -->\n"];

/// The group of rules that no other holds.
const OTHERS: &str = "Others";

/// The index, and the page of each rule.
pub(super) fn pages(catalogue: &Catalogue) -> Vec<Page> {
    let mut pages = vec![(INDEX.to_owned(), index(catalogue))];
    let rules = catalogue.rules().iter();
    pages.extend(rules.map(|rule| (format!("docs/rules/{}.md", rule.name), page(catalogue, rule))));
    pages
}

/// The rules of each group that has any, by name.
fn groups(catalogue: &Catalogue) -> Vec<(&'static str, Vec<&'static Registration>)> {
    let mut rules: Vec<_> = catalogue.rules().to_vec();
    rules.sort_by_key(|rule| rule.name);
    let group = |rule: &Registration| {
        let folder = groups::folder(rule);
        GROUPS.iter().find(|(name, _)| *name == folder).map_or(OTHERS, |(_, title)| *title)
    };
    let titles = GROUPS.iter().map(|(_, title)| *title).chain([OTHERS]);
    let groups = titles.map(|title| (title, rules.iter().copied().filter(|rule| group(rule) == title).collect()));
    groups.filter(|(_, rules): &(_, Vec<_>)| !rules.is_empty()).collect()
}

fn index(catalogue: &Catalogue) -> String {
    let mut page = String::from(
        "# The built-in rules\n\n\
         <!-- Written by `cargo xtask docs` from the rules' own documentation. Changes made here are lost. -->\n\n\
         Each rule answers one defect with one small edit; locators only find the payload.\n\
         The risk of a rule is what its edits can do: [risk and presets](risk-and-presets.md).\n\
         A preset enables the rules that are listed with it; `enable` and `disable` change that by name.\n\
         `jsonseam explain NAME` prints the page of a rule.\n",
    );
    for (title, rules) in groups(catalogue) {
        let _ = write!(page, "\n## {title}\n\n| rule | risk | presets | what it does |\n|---|---|---|---|\n");
        for rule in rules {
            let _ = writeln!(
                page,
                "| [`{name}`](rules/{name}.md) | {} | {} | {} |",
                kind(rule),
                presets(catalogue, rule),
                rule.summary().replace('|', "\\|"),
                name = rule.name,
            );
        }
    }
    page
}

fn kind(rule: &Registration) -> &'static str {
    rule.risk().map_or("locator", jsonseam::Risk::as_str)
}

fn presets(catalogue: &Catalogue, rule: &Registration) -> String {
    let holds = |preset: &&jsonseam::Preset| preset.rules.iter().any(|name| name == rule.name);
    let names: Vec<_> = catalogue.presets().iter().filter(holds).map(|preset| preset.name.as_str()).collect();
    if names.is_empty() { "none".to_owned() } else { names.join(", ") }
}

/// The documentation of one rule, its headings one level below the rule's.
fn page(catalogue: &Catalogue, rule: &Registration) -> String {
    let kind = match kind(rule) {
        "locator" => "A locator".to_owned(),
        risk => format!("Risk: *{risk}*"),
    };
    let mut page = format!(
        "# {}\n\n<!-- Written by `cargo xtask docs`. Changes made here are lost. -->\n\n{kind}; presets: {}.\n\n",
        rule.name,
        presets(catalogue, rule)
    );
    for line in unindented(rule.doc) {
        let heading = if line.starts_with('#') { "#" } else { "" };
        let _ = writeln!(page, "{heading}{line}");
    }
    if rule.options.is_empty() {
        return page;
    }
    page.push_str("\n## Options\n\n");
    for option in rule.options {
        let doc = option.doc.split_whitespace().collect::<Vec<_>>().join(" ");
        let _ = writeln!(page, "- `{}` ({}; default `{}`): {doc}", option.name(), option.kind, (option.default)());
    }
    page
}

/// The lines of a documentation comment without the space that precedes each, and without blank lines around them.
fn unindented(doc: &str) -> impl Iterator<Item = &str> {
    doc.trim().lines().map(|line| line.strip_prefix(' ').unwrap_or(line).trim_end())
}

/// The table of contents with the rules of today in their place.
pub(super) fn summary(present: &str, catalogue: &Catalogue) -> Result<Page> {
    let [start, end] = MARKS;
    let (before, rest) = present.split_once(start).with_context(|| format!("{SUMMARY} lacks the line {start}"))?;
    let (_, after) = rest.split_once(end).with_context(|| format!("{SUMMARY} lacks the line {end}"))?;
    let mut list = String::new();
    for (_, rules) in groups(catalogue) {
        for rule in rules {
            let _ = writeln!(list, "  - [{name}](rules/{name}.md)", name = rule.name);
        }
    }
    Ok((SUMMARY.to_owned(), format!("{before}{start}{list}{end}{after}")))
}

#[cfg(test)]
mod tests {
    use super::{GROUPS, groups, index, page, summary};
    use crate::subjects;

    #[test]
    fn every_rule_has_its_row_and_its_page() {
        let catalogue = subjects::catalogue().expect("the built-in rules are in order");
        let index = index(&catalogue);
        for rule in catalogue.rules() {
            assert_eq!(index.matches(&format!("| [`{0}`](rules/{0}.md) |", rule.name)).count(), 1, "{}", rule.name);
            let page = page(&catalogue, rule);
            assert_eq!(page.lines().filter(|line| line.starts_with("# ")).count(), 1, "{}", rule.name);
            assert!(page.contains("\n## Example\n"), "{}", rule.name);
        }
    }

    #[test]
    fn a_rule_is_in_a_group_and_one_that_is_in_none_is_not_lost() {
        let catalogue = subjects::catalogue().expect("the built-in rules are in order");
        let listed: usize = groups(&catalogue).iter().map(|(_, rules)| rules.len()).sum();
        assert_eq!(listed, catalogue.rules().len());
        let titles: Vec<_> = groups(&catalogue).into_iter().map(|(title, _)| title).collect();
        assert_eq!(
            titles,
            GROUPS.map(|(_, title)| title),
            "each group has rules, and each rule is in a folder of xtask/src/groups.rs"
        );
    }

    #[test]
    fn the_contents_need_their_marks() {
        let catalogue = subjects::catalogue().expect("the built-in rules are in order");
        assert!(summary("# Summary\n", &catalogue).is_err());
    }
}
