//! What a text costs in Rust, Python and JavaScript, beside what people there would use instead.
//!
//! The wheel and the package are those that `cargo xtask python --release` and `cargo xtask js` have built.

use std::fmt::Write as _;
use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use jsonseam_testkit::workloads::{singles, workload};
use serde::{Deserialize, Serialize};
use serde_json::json;
use serde_json::value::RawValue;

use super::keeping::{keep, kept};
use super::peers::{Beside, Figures};
use crate::verdict::Verdict;
use crate::workspace::{Workspace, shown};

const FIGURES: &str = "bench/languages.json";

/// Bytes of a text with one defect, and how many documents there are.
const BYTES: usize = 1_000;
const DOCUMENTS: u64 = 16;

/// Bytes of the mix and of the lines with many defects.
const MANY: usize = 64 << 10;

/// The same texts in each language.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Languages {
    pub(crate) rust: Vec<Beside>,
    pub(crate) python: Vec<Beside>,
    pub(crate) node: Vec<Beside>,
}

impl Languages {
    /// The figures that are kept.
    pub(crate) fn read(workspace: &Workspace) -> Result<Self> {
        kept(workspace, FIGURES)
    }
}

/// A fault in almost every line of a pretty document: keys without quotes, literals of Python, a comma before a closer.
fn many_faults(valid: &str) -> String {
    let mut lines: Vec<_> = valid.lines().map(unquoted_key).collect();
    for index in 1..lines.len() {
        let is_closer = lines[index].trim_start().starts_with(['}', ']']);
        if is_closer && !lines[index - 1].ends_with(['{', '[', ',']) {
            lines[index - 1].push(',');
        }
    }
    lines.join("\n").replace(": true", ": True").replace(": false", ": False").replace(": null", ": None")
}

fn unquoted_key(line: &str) -> String {
    match line.trim_start().strip_prefix('"').and_then(|rest| rest.split_once("\": ")) {
        Some((key, value)) => format!("{}{key}: {value}", &line[..line.len() - line.trim_start().len()]),
        None => line.to_owned(),
    }
}

/// A line for each text: its set, itself, and what it should become.
fn lines() -> Result<String> {
    let mut lines = String::new();
    let mut line = |set: &str, text: &str, truth: &str| -> Result<()> {
        let truth: &RawValue = serde_json::from_str(truth)?;
        writeln!(lines, "{}", json!({"set": set, "text": text, "truth": truth}))?;
        Ok(())
    };
    for seed in 0..DOCUMENTS {
        let singles = singles(BYTES, seed);
        if let Some(single) = singles.first() {
            line("valid", &single.valid, &single.valid)?;
            line("many-faults", &many_faults(&single.valid), &single.valid)?;
        }
        // Of three places the one in the middle.
        for single in singles.iter().filter(|single| matches!(single.place, "" | "middle")) {
            line(single.defect, &single.text, &single.truth)?;
        }
    }
    for name in ["real-mix", "broken-lines"] {
        for sample in workload(name).with_context(|| format!("no workload `{name}`"))?.samples(MANY) {
            line(name, &sample.text, &sample.truth)?;
        }
    }
    Ok(lines)
}

/// Measures, and prints or keeps the figures.
pub(super) fn run(workspace: &Workspace, is_saved: bool) -> Result<Verdict> {
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("texts.jsonl");
    fs::write(&file, lines()?)?;
    let python = workspace.path("target/python/tools/bin/python");
    if !python.is_file() || !workspace.path("bindings/js/dist").is_dir() {
        bail!("build the wheel and the package first: `cargo xtask python --release`, `cargo xtask js`");
    }
    let mut node = Command::new("node");
    node.arg("test/beside.mjs").current_dir(workspace.path("bindings/js"));
    let mut script = Command::new(python);
    script.arg("tools/beside.py").current_dir(workspace.path("bindings/python"));
    let languages = Languages {
        rust: measured(
            workspace.cargo(&["run", "--release", "--quiet", "--manifest-path", "bench/Cargo.toml", "--"]),
            &file,
        )?,
        python: measured(script, &file)?,
        node: measured(node, &file)?,
    };
    for beside in [&languages.rust, &languages.python, &languages.node].into_iter().flatten() {
        for peer in &beside.peers {
            let (speed, right) = (beside.speed(peer), beside.right(peer));
            println!("{:<18} {:<26} {speed:>7.1} MB/s {right:>6.1} % right", beside.name, peer.who);
        }
    }
    if is_saved {
        keep(workspace, FIGURES, &languages)?;
    }
    Ok(Verdict::pass("three languages, each in one process"))
}

fn measured(mut command: Command, file: &Path) -> Result<Vec<Beside>> {
    let output = command.arg(file).stderr(Stdio::inherit()).output().with_context(|| shown(&command))?;
    if !output.status.success() {
        bail!("`{}` failed", shown(&command));
    }
    let figures: Figures = serde_json::from_slice(&output.stdout).context("the program prints no figures")?;
    Ok(figures.broken)
}
