//! `cargo xtask features`: every part of `jsonseam` that can be left out, alone, none and all; and what the smallest build costs.

use std::collections::BTreeSet;
use std::process::Command;

use anyhow::{Context, Result, bail};

use crate::verdict::Verdict;
use crate::workspace::{Workspace, shown, succeed};

/// Most crates of others that `repair`, the presets and the edits may need.
const MOST_DEPENDENCIES: usize = 12;

/// The builds whose crates of others docs/rust.md counts, as it names them, and what asks cargo for them.
const BUILDS: [(&str, &[&str]); 5] = [
    ("`default-features = false`", &["--no-default-features"]),
    (
        "`default-features = false, features = [\"config\", \"contract\"]`",
        &["--no-default-features", "--features", "config,contract"],
    ),
    ("default", &[]),
    ("`features = [\"reask\", \"discovery\"]`, the default of earlier versions", &["--features", "reask,discovery"]),
    ("`features = [\"http\"]`", &["--features", "http"]),
];

/// The target of browsers.
const WEB: &str = "wasm32-unknown-unknown";

/// Runs the task.
pub(crate) fn run(workspace: &Workspace) -> Result<Verdict> {
    let features = features(&workspace.read("crates/jsonseam/Cargo.toml")?)?;
    let mut sets: Vec<Vec<String>> = vec![vec!["--no-default-features".to_owned()]];
    sets.extend(features.iter().map(|feature| {
        vec!["--no-default-features".to_owned(), "--features".to_owned(), format!("jsonseam/{feature}")]
    }));
    sets.push(vec!["--all-features".to_owned()]);
    for set in &sets {
        check(workspace, set)?;
    }
    if let Some(missing) = web(workspace)? {
        return Ok(Verdict::fail(missing));
    }
    let guide = workspace.read("docs/rust.md")?;
    for (build, arguments) in BUILDS {
        let row = format!("| {build} | {} |", dependencies(workspace, arguments)?.len());
        if !guide.contains(&row) {
            return Ok(Verdict::fail(format!("docs/rust.md lacks the row `{row}`")));
        }
    }
    let slim = dependencies(workspace, BUILDS[0].1)?;
    if slim.len() > MOST_DEPENDENCIES {
        let names = slim.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        return Ok(Verdict::fail(format!(
            "without features jsonseam needs {} crates, more than {MOST_DEPENDENCIES}: {names}",
            slim.len()
        )));
    }
    Ok(Verdict::pass(format!("{} sets of features compile; without any, {} dependencies", sets.len(), slim.len())))
}

/// The features of a manifest but `default`, by name.
fn features(manifest: &str) -> Result<Vec<String>> {
    let manifest: toml_edit::DocumentMut = manifest.parse()?;
    let table = manifest.get("features").and_then(|table| table.as_table()).context("jsonseam has no [features]")?;
    Ok(table.iter().map(|(name, _)| name.to_owned()).filter(|name| name != "default").collect())
}

/// Checks the face and the engine with one set of features. A warning fails: what is unused there is not gated right.
fn check(workspace: &Workspace, set: &[String]) -> Result<()> {
    let mut command = workspace.cargo(&["check", "--quiet", "--package", "jsonseam", "--package", "jsonseam-core"]);
    command.args(set);
    let output = command.output().with_context(|| format!("cannot start `{}`", shown(&command)))?;
    let messages = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() || messages.contains("warning:") {
        bail!("`{}`:\n{messages}", shown(&command));
    }
    Ok(())
}

/// What is wrong with the builds for WebAssembly: the default one must hold, and one with the client must say why it cannot.
fn web(workspace: &Workspace) -> Result<Option<String>> {
    let targets = Command::new("rustup").args(["target", "list", "--installed"]).output();
    if !targets.is_ok_and(|listed| String::from_utf8_lossy(&listed.stdout).lines().any(|target| target == WEB)) {
        println!("NOT RUN: the target {WEB} is not installed");
        return Ok(None);
    }
    let check = |features: &[&str]| {
        let mut command = workspace.cargo(&["check", "--quiet", "--package", "jsonseam", "--target", WEB]);
        command.args(features);
        command.output().with_context(|| format!("cannot start `{}`", shown(&command)))
    };
    let plain = check(&["--features", "reask"])?;
    if !plain.status.success() {
        return Ok(Some(format!("{WEB}: {}", String::from_utf8_lossy(&plain.stderr))));
    }
    let refused = String::from_utf8_lossy(&check(&["--features", "http"])?.stderr).into_owned();
    // Its reason alone: an error of a dependency before it, or names that are missing after it, would hide it.
    let is_said = refused.contains("needs a native target") && refused.matches("error: ").count() == 2;
    Ok((!is_said).then(|| format!("{WEB}, with `http`: {refused}")))
}

/// The crates of others that `jsonseam` needs with these features.
fn dependencies(workspace: &Workspace, features: &[&str]) -> Result<BTreeSet<String>> {
    let mut command =
        workspace.cargo(&["tree", "--package", "jsonseam", "--edges", "normal", "--prefix", "none", "--format", "{p}"]);
    command.args(features);
    let output = command.output().with_context(|| format!("cannot start `{}`", shown(&command)))?;
    if !output.status.success() {
        bail!("`{}` failed: {}", shown(&command), String::from_utf8_lossy(&output.stderr));
    }
    let names = String::from_utf8_lossy(&output.stdout);
    let names = names.lines().filter_map(|line| line.split_whitespace().next());
    Ok(names.filter(|name| !name.starts_with("jsonseam")).map(str::to_owned).collect())
}

/// The whole workspace, checked with the oldest Rust that it promises. The error says which toolchain is missing.
pub(crate) fn oldest(workspace: &Workspace) -> Result<Result<String, String>> {
    let manifest: toml_edit::DocumentMut = workspace.read("Cargo.toml")?.parse()?;
    let version = manifest
        .get("workspace")
        .and_then(|table| table.get("package")?.get("rust-version")?.as_str())
        .context("the workspace names no rust-version")?
        .to_owned();
    let mut probe = workspace.cargo(&[format!("+{version}").as_str(), "--version"]);
    // Not asked of a rustup that would fetch it.
    probe.env("RUSTUP_AUTO_INSTALL", "0");
    if !probe.output().is_ok_and(|output| output.status.success()) {
        return Ok(Err(format!("Rust {version} is not installed")));
    }
    let toolchain = format!("+{version}");
    succeed(&mut workspace.cargo(&[toolchain.as_str(), "check", "--workspace", "--all-features", "--quiet"]))?;
    Ok(Ok(format!("Rust {version}")))
}

#[cfg(test)]
mod tests {
    use super::features;

    #[test]
    fn features_are_those_of_the_manifest() {
        let manifest = "[package]\nname = \"a\"\n[features]\ndefault = [\"b\"]\nb = []\nc = [\"b\"]\n";
        assert_eq!(features(manifest).expect("there are some"), ["b", "c"]);
        assert!(features("[package]\n").is_err());
    }
}
