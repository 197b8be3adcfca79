//! Other repair libraries, to measure beside: `json_repair` from `PyPI` and `jsonrepair` from npm.
//!
//! Nothing is downloaded unless `--install-peers` asks for it. They are looked for in the folder that `JSONSEAM_PEERS` names, else in
//! `target/peers`: what `pip install --target FOLDER/python json_repair` and `npm install --prefix FOLDER jsonrepair` put there.
//! Each runs in one process of its own, which a small script of ours drives line by line.

use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::workspace::{Workspace, succeed};

/// Which other libraries to measure.
#[derive(Debug, Args)]
pub(crate) struct Choice {
    /// Measures `json_repair` and `jsonrepair` beside the presets, as far as they are installed.
    #[arg(long)]
    pub(crate) peers: bool,
    /// Installs them into target/peers first, with pip and npm.
    #[arg(long)]
    pub(crate) install_peers: bool,
}

/// A library that is installed.
#[derive(Debug)]
pub(crate) struct Peer {
    /// Its name.
    pub(crate) name: &'static str,
    program: &'static str,
    arguments: Vec<String>,
    variable: (&'static str, PathBuf),
}

impl Choice {
    /// The libraries to measure beside: none unless they are asked for, and an error if none of those asked for is there.
    pub(crate) fn found(&self, workspace: &Workspace) -> Result<Vec<Peer>> {
        if !self.peers && !self.install_peers {
            return Ok(Vec::new());
        }
        let own = workspace.path("target/peers");
        if self.install_peers {
            let python = own.join("python");
            succeed(
                Command::new("python3")
                    .args(["-m", "pip", "install", "--quiet", "--upgrade", "--target"])
                    .arg(python)
                    .arg("json_repair"),
            )?;
            succeed(
                Command::new("npm")
                    .args(["install", "--silent", "--no-audit", "--no-fund", "--prefix"])
                    .arg(&own)
                    .arg("jsonrepair"),
            )?;
        }
        let folder = std::env::var_os("JSONSEAM_PEERS").map_or(own, PathBuf::from);
        let scripts = [include_str!("peers/json_repair.py"), include_str!("peers/jsonrepair.cjs")];
        let known = [
            Peer {
                name: "json_repair",
                program: "python3",
                arguments: vec!["-c".to_owned(), scripts[0].to_owned()],
                variable: ("PYTHONPATH", folder.join("python")),
            },
            Peer {
                name: "jsonrepair",
                program: "node",
                arguments: vec!["-e".to_owned(), scripts[1].to_owned()],
                variable: ("NODE_PATH", folder.join("node_modules")),
            },
        ];
        let found: Vec<Peer> = known.into_iter().filter(Peer::is_there).collect();
        if found.is_empty() {
            bail!("no peer is installed in {}: try --install-peers", folder.display());
        }
        Ok(found)
    }
}

impl Peer {
    /// Whether it answers at all.
    fn is_there(&self) -> bool {
        matches!(self.answers(&["{}".to_owned()]).as_deref(), Ok([Some(_)]))
    }

    /// What it makes of each text, `None` where it gives up.
    pub(crate) fn answers(&self, texts: &[String]) -> Result<Vec<Option<String>>> {
        let mut command = Command::new(self.program);
        command.args(&self.arguments).env(self.variable.0, &self.variable.1);
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().with_context(|| format!("cannot start {}", self.program))?;
        let mut stdin = child.stdin.take().context("a pipe was asked for")?;
        let stdout = child.stdout.take().context("a pipe was asked for")?;
        let answers = thread::scope(|scope| -> Result<Vec<Option<String>>> {
            // A peer that ends early breaks the pipe; the missing answers tell.
            scope.spawn(move || {
                for text in texts {
                    let line = serde_json::to_string(text).unwrap_or_default();
                    if writeln!(stdin, "{line}").is_err() {
                        return;
                    }
                }
            });
            BufReader::new(stdout).lines().map(|line| answer(&line?)).collect()
        })?;
        child.wait()?;
        if answers.len() != texts.len() {
            bail!("{} answered {} of {} texts", self.name, answers.len(), texts.len());
        }
        Ok(answers)
    }
}

/// The text in a line, if it holds one.
fn answer(line: &str) -> Result<Option<String>> {
    let answer: serde_json::Value = serde_json::from_str(line).context("a peer's line is no JSON")?;
    Ok(answer.get("text").and_then(serde_json::Value::as_str).map(str::to_owned))
}

#[cfg(test)]
mod tests {
    use super::answer;

    #[test]
    fn an_answer_without_a_text_is_a_refusal() {
        assert_eq!(answer("{\"text\": \"[1]\"}").expect("it is JSON"), Some("[1]".to_owned()));
        assert_eq!(answer("{}").expect("it is JSON"), None);
        assert!(answer("oops").is_err());
    }
}
