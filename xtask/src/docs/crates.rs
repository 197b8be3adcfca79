//! The drawing of the crates in docs/architecture.md, printed from `cargo metadata`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;

use anyhow::{Context, Result, bail};
use serde_json::Value;

use super::Page;
use crate::workspace::{Workspace, shown};

const PATH: &str = "docs/architecture.md";

/// What is around the drawing.
const MARKS: [&str; 2] = ["<!-- crates: printed by `cargo xtask docs` -->\n", "<!-- end of the crates -->\n"];

/// A crate of the workspace: what it is, and which of the others it needs.
#[derive(Debug)]
struct Member {
    description: String,
    needs: BTreeSet<String>,
}

/// The page with the drawing of today.
pub(super) fn page(workspace: &Workspace) -> Result<Page> {
    let present = workspace.read(PATH)?;
    let [start, end] = MARKS;
    let (before, rest) = present.split_once(start).with_context(|| format!("{PATH} lacks the line {start}"))?;
    let (_, after) = rest.split_once(end).with_context(|| format!("{PATH} lacks the line {end}"))?;
    let drawing = drawing(&read(workspace)?);
    Ok((PATH.to_owned(), format!("{before}{start}{drawing}{end}{after}")))
}

/// The crates of the workspace, each after those that it needs.
pub(crate) fn in_order(workspace: &Workspace) -> Result<Vec<String>> {
    let members = read(workspace)?;
    let mut names: Vec<_> = members.keys().map(|name| (floor(&members, name), name.clone())).collect();
    names.sort();
    Ok(names.into_iter().map(|(_, name)| name).collect())
}

/// The crates of the workspace, as cargo knows them.
fn read(workspace: &Workspace) -> Result<BTreeMap<String, Member>> {
    let mut command = workspace.cargo(&["metadata", "--format-version", "1", "--no-deps", "--offline"]);
    let output = command.output().with_context(|| format!("cannot start `{}`", shown(&command)))?;
    if !output.status.success() {
        bail!("`{}` failed: {}", shown(&command), String::from_utf8_lossy(&output.stderr));
    }
    Ok(members(&serde_json::from_slice(&output.stdout)?))
}

/// The crates of the workspace, with their dependencies among each other. Those of tests are left out.
fn members(metadata: &Value) -> BTreeMap<String, Member> {
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let packages = list(&metadata["packages"]);
    let names: BTreeSet<String> = packages.iter().map(|package| text(&package["name"])).collect();
    let member = |package: &Value| {
        let dependencies = list(&package["dependencies"]);
        let needs = dependencies.iter().filter(|dependency| dependency["kind"].is_null());
        let needs = needs.map(|dependency| text(&dependency["name"])).filter(|name| names.contains(name)).collect();
        (text(&package["name"]), Member { description: text(&package["description"]), needs })
    };
    packages.iter().map(member).collect()
}

/// One row for each crate, each after those that it needs.
fn drawing(members: &BTreeMap<String, Member>) -> String {
    let mut drawing = String::from("\n| floor | crate | needs | what it is |\n|---|---|---|---|\n");
    let mut rows: Vec<_> = members.iter().map(|(name, member)| (floor(members, name), name, member)).collect();
    rows.sort_by_key(|(floor, name, _)| (*floor, *name));
    for (floor, name, member) in rows {
        // What a crate gets through another one that it needs is not drawn.
        let is_direct =
            |need: &&String| !member.needs.iter().any(|other| other != *need && reaches(members, other, need));
        let needs: Vec<_> = member.needs.iter().filter(is_direct).map(|need| format!("`{need}`")).collect();
        let needs = if needs.is_empty() { "–".to_owned() } else { needs.join(", ") };
        let _ = writeln!(drawing, "| {floor} | `{name}` | {needs} | {} |", member.description);
    }
    drawing.push('\n');
    drawing
}

/// The longest way down: 0 for a crate that needs no other.
fn floor(members: &BTreeMap<String, Member>, name: &str) -> usize {
    let needs = members.get(name).map(|member| &member.needs);
    needs.into_iter().flatten().map(|need| floor(members, need) + 1).max().unwrap_or(0)
}

fn reaches(members: &BTreeMap<String, Member>, from: &str, to: &str) -> bool {
    let needs = members.get(from).map(|member| &member.needs);
    needs.into_iter().flatten().any(|need| need == to || reaches(members, need, to))
}

#[cfg(test)]
mod tests {
    use super::{drawing, members};

    #[test]
    fn a_crate_is_drawn_after_those_that_it_needs() {
        let metadata = serde_json::json!({"packages": [
            {"name": "face", "description": "The face", "dependencies": [{"name": "core", "kind": null}, {"name": "rules", "kind": null}]},
            {"name": "rules", "description": "Rules", "dependencies": [{"name": "core", "kind": null}, {"name": "kit", "kind": "dev"}]},
            {"name": "core", "description": "The engine", "dependencies": [{"name": "serde", "kind": null}]},
            {"name": "kit", "description": "Laws", "dependencies": [{"name": "core", "kind": null}]},
        ]});
        let drawing = drawing(&members(&metadata));
        let rows: Vec<_> = drawing.lines().skip(3).take(4).collect();
        assert_eq!(
            rows,
            [
                "| 0 | `core` | – | The engine |",
                "| 1 | `kit` | `core` | Laws |",
                "| 1 | `rules` | `core` | Rules |",
                "| 2 | `face` | `rules` | The face |",
            ]
        );
    }
}
