//! `cargo xtask fuzz`: every fuzz target for a while, from the inputs of the corpus.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::corpus;
use crate::verdict::Verdict;
use crate::workspace::{Workspace, succeed};

/// How long, and what.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Seconds for each target.
    #[arg(long, default_value_t = 20)]
    pub(crate) seconds: u64,
    /// Only this target.
    #[arg(long)]
    pub(crate) target: Option<String>,
}

/// Runs the task.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<Verdict> {
    if let Some(missing) = missing(workspace) {
        bail!("{missing}");
    }
    let all = workspace.stems("fuzz/fuzz_targets", "rs")?;
    let targets = match &arguments.target {
        None => all,
        Some(name) if all.contains(name) => vec![name.clone()],
        Some(name) => bail!("there is no target `{name}`; there are {}", all.join(", ")),
    };
    succeed(&mut nightly(workspace, "build"))?;
    let mut complaints = Vec::new();
    for target in &targets {
        let seeds = seed(workspace, target)?;
        let before = crashes(workspace, target);
        let result = fuzz(workspace, target, arguments.seconds);
        for crash in crashes(workspace, target).difference(&before) {
            let kept = keep(workspace, target, crash)?;
            complaints.push(format!("{target}: crashes on {kept}"));
        }
        match result {
            Ok(done) => println!("{target:<16} {seeds:>5} seeds  {done}"),
            Err(error) => complaints.push(format!("{target}: {error:#}")),
        }
    }
    let passed = format!("{} targets, {} seconds each, no crash", targets.len(), arguments.seconds);
    Ok(Verdict::of_complaints(&complaints, passed))
}

/// What has to be installed before anything can be fuzzed.
pub(crate) fn missing(workspace: &Workspace) -> Option<&'static str> {
    let runs = |arguments: &[&str]| {
        let mut command: Command = workspace.cargo(arguments);
        command.stdout(Stdio::null()).stderr(Stdio::null());
        command.status().is_ok_and(|status| status.success())
    };
    if !runs(&["+nightly", "--version"]) {
        return Some("fuzzing needs nightly: rustup toolchain install nightly");
    }
    if !runs(&["+nightly", "fuzz", "--version"]) {
        return Some("fuzzing needs cargo-fuzz: cargo install cargo-fuzz");
    }
    None
}

/// Writes the seeds of a target and says how many there are. Each file is named after its content, so they are written once.
fn seed(workspace: &Workspace, target: &str) -> Result<usize> {
    let mut seeds: BTreeSet<Vec<u8>> = BTreeSet::new();
    let own = workspace.path(&format!("fuzz/seeds/{target}"));
    if own.is_dir() {
        for entry in fs::read_dir(&own)? {
            seeds.insert(fs::read(entry?.path())?);
        }
    }
    // A configuration is not a completion; everything else starts from what the corpus repairs.
    if target != "config" {
        seeds.extend(corpus::inputs(workspace)?.into_iter().map(String::into_bytes));
    }
    for seed in &seeds {
        let file = format!("fuzz/corpus/{target}/seed-{:016x}", digest(seed));
        workspace.write(&file, seed)?;
    }
    Ok(seeds.len())
}

/// FNV-1a: names for files, no more.
fn digest(bytes: &[u8]) -> u64 {
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, |hash, &byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3))
}

/// `cargo fuzz` in a toolchain that it works with.
fn nightly(workspace: &Workspace, action: &str) -> Command {
    let mut command = workspace.cargo(&["+nightly", "fuzz", action]);
    command.env_remove("RUSTFLAGS").env_remove("CARGO_TARGET_DIR");
    command
}

/// Runs a target; what it prints is long, and shown only when it fails. Gives the fuzzer's own last line: inputs tried, coverage.
fn fuzz(workspace: &Workspace, target: &str, seconds: u64) -> Result<String> {
    let mut command = nightly(workspace, "run");
    let longest = format!("-max_total_time={seconds}");
    command.args([target, "--", &longest, "-max_len=4096", "-timeout=10"]);
    let output = command.output().context("cannot start cargo fuzz")?;
    let log = String::from_utf8_lossy(&output.stderr);
    if !output.status.success() {
        let lines: Vec<_> = log.lines().collect();
        let shown = lines.len().saturating_sub(60);
        println!("{}", lines.get(shown..).unwrap_or_default().join("\n"));
        bail!("cargo fuzz ended with {}", output.status);
    }
    let done = log.lines().rev().find(|line| line.contains("\tDONE"));
    Ok(done.unwrap_or_default().trim().replace('\t', " "))
}

/// What libFuzzer has left for a target.
fn crashes(workspace: &Workspace, target: &str) -> BTreeSet<PathBuf> {
    let folder = workspace.path(&format!("fuzz/artifacts/{target}"));
    fs::read_dir(folder).into_iter().flatten().filter_map(|entry| Some(entry.ok()?.path())).collect()
}

/// Copies a crash to where `cargo test` replays it.
fn keep(workspace: &Workspace, target: &str, crash: &Path) -> Result<String> {
    let name = crash.file_name().context("a crash has a name")?;
    let kept = format!("fuzz/crashes/{target}/{}", name.to_string_lossy());
    workspace.write(&kept, fs::read(crash)?)?;
    Ok(kept)
}
