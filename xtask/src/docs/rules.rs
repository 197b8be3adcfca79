//! A page for each rule, written from its declaration, and an index of them by defect.

use std::fmt::Write;

use anyhow::{Context, Result};
use jsonseam::{Catalogue, Registration};

use super::Page;

/// The table of contents of the book.
pub(super) const SUMMARY: &str = "docs/SUMMARY.md";

const INDEX: &str = "docs/rules.md";

/// What is around the list of rules in the table of contents.
const MARKS: [&str; 2] = ["<!-- rules: written by `cargo xtask docs` -->\n", "<!-- end of the rules -->\n"];

/// The defects that rules answer, by where a reader would look for them. A rule that is in none of these is listed last.
const GROUPS: &[(&str, &[&str])] = &[
    (
        "Around the payload",
        &[
            "answer-tag",
            "brackets-in-prose",
            "doubled-braces",
            "escaped-payload",
            "fullwidth-brackets",
            "fence-after-text",
            "markdown-fence",
            "missing-outer-braces",
            "open-ended-payload",
            "other-language-fence",
            "reasoning-block",
            "schema-echo",
            "special-token",
            "stringified-payload",
            "surrounding-prose",
        ],
    ),
    (
        "Quotes",
        &[
            "backtick-quoted-string",
            "concatenated-strings",
            "doubled-quotes",
            "escaped-delimiter",
            "escaped-end-quote",
            "missing-end-quote",
            "missing-end-quote-before-key",
            "missing-open-quote",
            "mixed-quotes",
            "quotes-in-code",
            "quotes-in-single-quotes",
            "quotes-in-smart-quotes",
            "single-quoted-string",
            "smart-quoted-string",
            "string-prefix",
            "tripled-quotes",
            "unescaped-apostrophe",
            "unescaped-quote",
            "unquoted-string",
        ],
    ),
    (
        "Inside strings",
        &["accidental-escape", "cut-escape", "escaped-apostrophe", "invalid-escape", "raw-control-character"],
    ),
    ("Keys", &["number-key", "spaced-key", "unquoted-key", "unquoted-word-key"]),
    (
        "Numbers, words and other values",
        &[
            "bare-decimal-point",
            "bigint-suffix",
            "constructor-call",
            "digit-separator",
            "leading-zero",
            "literal-case",
            "missing-value",
            "missing-value-default",
            "non-finite-number",
            "plus-sign",
            "python-literal",
            "radix-prefix",
            "thousands-separator",
            "typographic-minus",
            "undefined-value",
            "unquoted-date",
            "unquoted-quantity",
        ],
    ),
    (
        "Commas and colons",
        &[
            "comma-for-colon",
            "dangling-key",
            "fullwidth-punctuation",
            "leading-comma",
            "missing-colon",
            "missing-comma-after-container",
            "missing-comma-after-scalar",
            "missing-comma-in-array",
            "missing-comma-on-line",
            "other-language-colon",
            "repeated-colon",
            "repeated-comma",
            "semicolon-separator",
            "trailing-comma",
        ],
    ),
    (
        "Brackets",
        &[
            "extra-closer",
            "extra-inner-closer",
            "mismatched-closer",
            "missing-opener",
            "premature-closer",
            "python-set",
            "python-tuple",
            "redundant-braces",
            "unclosed-inner-container",
        ],
    ),
    (
        "Between tokens",
        &[
            "color-sequence",
            "comment",
            "dash-comment",
            "ellipsis",
            "escaped-white-space",
            "html-comment",
            "invisible-character",
            "stray-text",
            "unclosed-comment",
            "unusual-space",
        ],
    ),
    ("Text that was cut off", &["cut-member", "unclosed-container", "unclosed-string"]),
];

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
        GROUPS.iter().find(|(_, names)| names.contains(&rule.name)).map_or(OTHERS, |(title, _)| *title)
    };
    let titles = GROUPS.iter().map(|(title, _)| *title).chain([OTHERS]);
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
    use super::{GROUPS, OTHERS, groups, index, page, summary};
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
    fn a_rule_is_in_one_group_and_one_that_is_in_none_is_not_lost() {
        let mut names: Vec<_> = GROUPS.iter().flat_map(|(_, names)| names.iter()).collect();
        let count = names.len();
        names.sort();
        names.dedup();
        assert_eq!(names.len(), count);
        let catalogue = subjects::catalogue().expect("the built-in rules are in order");
        let listed: usize = groups(&catalogue).iter().map(|(_, rules)| rules.len()).sum();
        assert_eq!(listed, catalogue.rules().len());
        let others: Vec<_> = groups(&catalogue).into_iter().filter(|(title, _)| *title == OTHERS).collect();
        assert!(others.is_empty(), "put these into a group of xtask/src/docs/rules.rs: {others:?}");
    }

    #[test]
    fn the_contents_need_their_marks() {
        let catalogue = subjects::catalogue().expect("the built-in rules are in order");
        assert!(summary("# Summary\n", &catalogue).is_err());
    }
}
