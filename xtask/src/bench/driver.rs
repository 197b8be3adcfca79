//! The program of `bench/driver`: it repairs sets of texts by the public `repair`, from a crate outside the workspace, a round when it is told.

use std::fmt::Write as _;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use anyhow::{Context, Result};
use serde_json::json;

use crate::workspace::succeed;

/// Where it is, in this tree and put into an older one.
pub(super) const DRIVER: &str = "bench/driver";

/// Texts, and who reads them.
pub(super) struct Set {
    pub(super) name: String,
    pub(super) reader: &'static str,
    pub(super) texts: Vec<String>,
}

/// The sets as the driver reads them.
pub(super) fn lines(sets: &[Set]) -> String {
    let mut all = String::new();
    for Set { name, reader, texts } in sets {
        for text in texts {
            let _ = writeln!(all, "{}", json!({"set": name, "reader": reader, "text": text}));
        }
    }
    all
}

/// Builds the driver of a tree.
pub(super) fn built(root: &Path) -> Result<PathBuf> {
    let target = root.join("target/driver");
    let mut cargo = Command::new("cargo");
    cargo.args(["build", "--release", "--quiet", "--manifest-path"]).arg(root.join(DRIVER).join("Cargo.toml"));
    // Each tree has a folder of its own; all else is the same for both.
    cargo.env("CARGO_TARGET_DIR", &target).current_dir(root);
    succeed(&mut cargo)?;
    Ok(target.join("release/jsonseam-bench-driver"))
}

/// A driver that waits for the number of a set.
pub(super) struct Driver {
    child: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
}

impl Driver {
    pub(super) fn start(program: &Path, sets: &Path) -> Result<Self> {
        let mut child = Command::new(program)
            .arg(sets)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .with_context(|| format!("cannot start {}", program.display()))?;
        let (input, output) = (child.stdin.take().context("no input")?, child.stdout.take().context("no output")?);
        Ok(Self { child, input, output: BufReader::new(output) })
    }

    /// The nanoseconds of one round over a set.
    pub(super) fn round(&mut self, set: usize) -> Result<f64> {
        writeln!(self.input, "{set}")?;
        let mut line = String::new();
        self.output.read_line(&mut line)?;
        line.trim().parse().context("the driver prints no time")
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        // It may have ended by itself; nothing is left to do then.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
