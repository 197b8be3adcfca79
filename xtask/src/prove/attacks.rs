//! Attacks on tool calls, generated for every format and tried in three presets: `crates/jsonseam-toolcall/tests/attacks.rs` has them.

use anyhow::{Context, Result};

use super::Figures;
use crate::workspace::Workspace;

/// Runs the tests that hold the attacks: all of them, or the part that every test run tries.
pub(super) fn run(is_quick: bool) -> Result<Figures> {
    let mut command = Workspace::new(None).cargo(&["test", "--quiet", "--profile", "prove", "--package"]);
    command.args(["jsonseam-toolcall", "--test", "attacks", "s1_no_attack", "--", "--nocapture"]);
    if !is_quick {
        command.arg("--include-ignored");
    }
    let output = command.output().context("cannot start cargo")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let verdicts: Vec<_> = text.lines().filter(|line| line.contains(" attacks, ")).collect();
    let count = |verdict: &&str| verdict.split_whitespace().find_map(|word| word.parse::<u64>().ok());
    let mut figures =
        Figures { texts: verdicts.iter().filter_map(count).sum(), counted: verdicts.join("; "), ..Figures::default() };
    if !output.status.success() {
        let errors = String::from_utf8_lossy(&output.stderr);
        let last: Vec<_> = errors.lines().rev().take(10).collect();
        figures.complain(|| format!("{}: {}", output.status, last.join("; ")));
    }
    Ok(figures)
}
