//! Links of the pages: each leads to a file that exists, and to a heading of it; each page is in the table of contents.

use std::collections::{BTreeMap, BTreeSet};

use anyhow::Result;

use super::rules::SUMMARY;
use crate::workspace::Workspace;

/// The pages outside the book whose links are checked.
const FRONT: [&str; 4] = ["README.md", "CONTRIBUTING.md", "SECURITY.md", "CHANGELOG.md"];

/// Dead links, and pages that the table of contents leaves out.
pub(super) fn complaints(workspace: &Workspace) -> Result<Vec<String>> {
    let mut pages = BTreeMap::new();
    for folder in ["docs", "docs/rules"] {
        for stem in workspace.stems(folder, "md")? {
            let path = format!("{folder}/{stem}.md");
            pages.insert(path.clone(), workspace.read(&path)?);
        }
    }
    let listed: BTreeSet<String> = links(&workspace.read(SUMMARY)?).map(|link| format!("docs/{link}")).collect();
    let mut complaints: Vec<String> = pages
        .keys()
        .filter(|path| path.as_str() != SUMMARY && !listed.contains(*path))
        .map(|path| format!("{path}: not in {SUMMARY}"))
        .collect();
    for path in FRONT {
        pages.insert(path.to_owned(), workspace.read(path)?);
    }
    for (path, text) in &pages {
        for link in links(text).filter(|link| !link.contains("://") && !link.starts_with("mailto:")) {
            let (file, heading) = link.split_once('#').map_or((link, None), |(file, heading)| (file, Some(heading)));
            let target = if file.is_empty() { path.clone() } else { resolved(path, file) };
            if !workspace.path(&target).exists() {
                complaints.push(format!("{path}: {link} leads to nothing"));
            } else if let Some(heading) = heading {
                let known = pages.get(&target).is_some_and(|page| headings(page).any(|known| known == heading));
                if !known {
                    complaints.push(format!("{path}: {link}: there is no such heading"));
                }
            }
        }
    }
    Ok(complaints)
}

/// The lines of a page outside its fenced blocks.
fn prose(page: &str) -> impl Iterator<Item = &str> {
    let mut is_fenced = false;
    page.lines().filter(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        is_fenced ^= is_fence;
        !is_fenced && !is_fence
    })
}

/// Where the links of a page lead, as they are written. What is in back-ticks is not a link.
fn links(page: &str) -> impl Iterator<Item = &str> {
    prose(page)
        .flat_map(|line| line.split("](").skip(1))
        .filter_map(|rest| rest.split(')').next())
        .filter(|link| !link.contains(['`', ' ']))
}

/// The anchors of a page's headings, as renderers of Markdown make them.
fn headings(page: &str) -> impl Iterator<Item = String> {
    prose(page).filter(|line| line.starts_with('#')).map(|line| {
        let title = line.trim_start_matches('#').trim().to_lowercase();
        let kept = title.chars().filter(|char| char.is_alphanumeric() || matches!(char, ' ' | '-' | '_'));
        kept.map(|char| if char == ' ' { '-' } else { char }).collect()
    })
}

/// A link as a path from the root.
fn resolved(page: &str, link: &str) -> String {
    let mut parts: Vec<&str> = page.split('/').collect();
    parts.pop();
    for part in link.split('/') {
        match part {
            "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}

#[cfg(test)]
mod tests {
    use super::{headings, links, resolved};

    #[test]
    fn links_are_read_outside_of_code() {
        let page = "[a](b.md) and [c](d.md#e)\n```text\n[x](y)\n```\n`m[\"a\"](1)`\n";
        assert_eq!(links(page).collect::<Vec<_>>(), ["b.md", "d.md#e", "1"]);
        assert_eq!(resolved("docs/rules/a.md", "../b.md"), "docs/b.md");
        assert_eq!(resolved("README.md", "docs/b.md"), "docs/b.md");
    }

    #[test]
    fn headings_have_the_anchors_of_renderers() {
        let page = "# The `cargo xtask` door, once\n## A-b\n```\n# not one\n```\n";
        assert_eq!(headings(page).collect::<Vec<_>>(), ["the-cargo-xtask-door-once", "a-b"]);
    }
}
