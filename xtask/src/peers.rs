//! Other repair libraries, to measure beside: one small file of ours each in `bench/peers/`, and those in Rust in `bench/`.
//!
//! Nothing is downloaded unless `--install-peers` asks for it. Those in Python and JavaScript are looked for in the folder that `JSONSEAM_PEERS`
//! names, else in `target/peers`: what `pip install --target FOLDER/python` and `npm install --prefix FOLDER` put there.
//! Each runs in one process of its own, which is driven line by line.

use std::ffi::OsString;
use std::io::{BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::{env, fs, thread};

use anyhow::{Context, Result, bail};
use clap::Args;
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use crate::workspace::{Workspace, shown, succeed};

/// Where the files of the peers are, and what they share.
pub(crate) const FOLDER: &str = "bench/peers";
const SHARED: &str = "bench/peers/lib";

/// The two that most programs use, which damage is measured beside.
const WIDELY_USED: [&str; 2] = ["json_repair", "jsonrepair"];

/// What the registries call those that `--install-peers` fetches, and the versions whose figures are kept.
const PYTHON: [&str; 6] = [
    "json_repair==0.64.6",
    "fast_json_repair==0.2.3",
    "partial-json-parser==0.2.1.1.post7",
    "jiter==0.19.0",
    "jsonmend==0.1.4",
    "langchain-core==1.8.3",
];
const NODE: [&str; 6] = [
    "jsonrepair@3.15.0",
    "partial-json@0.1.7",
    "ai6@npm:ai@6.0.325",
    "ai7@npm:ai@7.0.173",
    "best-effort-json-parser@1.5.1",
    "jsonriver@1.1.1",
];

/// Set in the environment, a peer says its version and ends.
const VERSION: &str = "PEER_VERSION";

/// A peer that does not come back from more texts than this is not asked on.
const MOST_CRASHES: usize = 200;

/// Which other libraries to measure.
#[derive(Debug, Args)]
pub(crate) struct Choice {
    /// Measures `json_repair` and `jsonrepair` beside the presets, as far as they are installed.
    #[arg(long)]
    pub(crate) peers: bool,
    /// Installs the peers in Python and JavaScript into target/peers first, with pip and npm.
    #[arg(long)]
    pub(crate) install_peers: bool,
}

/// A library that can be asked.
#[derive(Debug, Clone)]
pub(crate) struct Peer {
    /// Its name.
    pub(crate) name: String,
    program: PathBuf,
    arguments: Vec<String>,
    variables: Vec<(&'static str, OsString)>,
}

/// What a peer made of a text.
#[derive(Debug, Clone, Default, PartialEq, Eq, Deserialize)]
#[serde(default)]
pub(crate) struct Reply {
    /// The repaired text; without one it gave up.
    pub(crate) text: Option<String>,
    /// How long it took.
    pub(crate) nanoseconds: u64,
    /// Whether it is marked as one that was cut off.
    pub(crate) marked: bool,
    /// Whether it panicked, ended its process or did not come back.
    pub(crate) crashed: bool,
}

/// What comes back for each thing that a peer is asked.
pub(crate) trait Answered: DeserializeOwned {
    /// What counts where the process ended over it.
    fn crashed() -> Self;
}

impl Answered for Reply {
    fn crashed() -> Self {
        Self { crashed: true, ..Self::default() }
    }
}

impl Choice {
    /// The libraries to measure beside: none unless they are asked for, and an error if none of those asked for is there.
    pub(crate) fn found(&self, workspace: &Workspace) -> Result<Vec<Peer>> {
        if !self.peers && !self.install_peers {
            return Ok(Vec::new());
        }
        if self.install_peers {
            install(&workspace.path("target/peers"))?;
        }
        let (mut found, _) = scripted(workspace, FOLDER, answers)?;
        found.retain(|peer| WIDELY_USED.contains(&peer.name.as_str()));
        if found.is_empty() {
            bail!("no peer is installed in {}: try --install-peers", folder(workspace).display());
        }
        Ok(found)
    }
}

/// Fetches the peers in Python and JavaScript.
pub(crate) fn install(folder: &Path) -> Result<()> {
    let python = folder.join("python");
    let pip = ["-m", "pip", "install", "--quiet", "--upgrade", "--target"];
    succeed(Command::new("python3").args(pip).arg(python).args(PYTHON))?;
    let npm = ["install", "--silent", "--no-audit", "--no-fund", "--prefix"];
    succeed(Command::new("npm").args(npm).arg(folder).args(NODE))
}

fn folder(workspace: &Workspace) -> PathBuf {
    env::var_os("JSONSEAM_PEERS").map_or_else(|| workspace.path("target/peers"), PathBuf::from)
}

/// Whether a peer answers at all.
pub(crate) fn answers(peer: &Peer) -> bool {
    matches!(peer.replies(&["{}"]).as_deref(), Ok([Reply { text: Some(_), .. }]))
}

/// The peers with a file of their own in `scripts` that are there, and the names of those that are not.
pub(crate) fn scripted(
    workspace: &Workspace,
    scripts: &str,
    is_there: impl Fn(&Peer) -> bool,
) -> Result<(Vec<Peer>, Vec<String>)> {
    let (folder, shared) = (folder(workspace), workspace.path(SHARED));
    let mut peers = Vec::new();
    for (ending, program, flag, variable, installed) in [
        ("py", "python3", "-c", "PYTHONPATH", folder.join("python")),
        ("cjs", "node", "-e", "NODE_PATH", folder.join("node_modules")),
    ] {
        let path = env::join_paths([&installed, &shared])?;
        for stem in workspace.stems(scripts, ending)? {
            let script = workspace.read(&format!("{scripts}/{stem}.{ending}"))?;
            peers.push(Peer {
                name: stem,
                program: program.into(),
                arguments: vec![flag.to_owned(), script],
                variables: vec![(variable, path.clone())],
            });
        }
    }
    let (found, missing): (Vec<Peer>, Vec<Peer>) = peers.into_iter().partition(is_there);
    Ok((found, missing.into_iter().map(|peer| peer.name).collect()))
}

/// Ourselves and the peers in Rust, of the program of this name, built with optimisation; the presets come first.
pub(crate) fn built(workspace: &Workspace, program: &str) -> Result<Vec<Peer>> {
    let flags = ["build", "--release", "--quiet", "--manifest-path", "bench/Cargo.toml", "--bin", program];
    let target = workspace.target();
    succeed(workspace.cargo(&flags).arg("--target-dir").arg(&target))?;
    let program = target.join("release").join(program).with_extension(env::consts::EXE_EXTENSION);
    let output = Command::new(&program).arg("--list").output().with_context(|| program.display().to_string())?;
    let names = String::from_utf8(output.stdout)?;
    let peer = |name: &str| Peer {
        name: name.to_owned(),
        program: program.clone(),
        arguments: vec![name.to_owned()],
        variables: Vec::new(),
    };
    Ok(names.lines().map(peer).collect())
}

impl Peer {
    /// Which version of it answers.
    pub(crate) fn version(&self) -> Result<String> {
        let mut command = self.command();
        let output = command.env(VERSION, "1").output().with_context(|| shown(&command))?;
        Ok(String::from_utf8(output.stdout)?.trim().to_owned())
    }

    /// What it makes of each text, `None` where it gives up.
    pub(crate) fn answers(&self, texts: &[String]) -> Result<Vec<Option<String>>> {
        Ok(self.replies(texts)?.into_iter().map(|reply: Reply| reply.text).collect())
    }

    /// What it says to each question. Where its process ends over one, another takes up the next.
    pub(crate) fn replies<A: Answered>(&self, questions: &[impl Serialize + Sync]) -> Result<Vec<A>> {
        let mut replies = Vec::new();
        let mut crashes = 0;
        while let Some(rest) = questions.get(replies.len()..).filter(|rest| !rest.is_empty()) {
            replies.extend(self.replies_until_it_ends(rest)?);
            if replies.len() < questions.len() {
                replies.push(A::crashed());
                crashes += 1;
            }
            if crashes > MOST_CRASHES {
                bail!("{} ended over {crashes} of {} texts", self.name, replies.len());
            }
        }
        Ok(replies)
    }

    fn command(&self) -> Command {
        let mut command = Command::new(&self.program);
        command.args(&self.arguments).envs(self.variables.iter().cloned());
        command
    }

    fn replies_until_it_ends<A: Answered>(&self, questions: &[impl Serialize + Sync]) -> Result<Vec<A>> {
        let mut command = self.command();
        command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().with_context(|| format!("cannot start {}", self.program.display()))?;
        let mut stdin = child.stdin.take().context("a pipe was asked for")?;
        let stdout = child.stdout.take().context("a pipe was asked for")?;
        let replies = thread::scope(|scope| -> Result<Vec<A>> {
            // A peer that ends early breaks the pipe; the missing answers tell.
            scope.spawn(move || {
                for question in questions {
                    let line = serde_json::to_string(question).unwrap_or_default();
                    if writeln!(stdin, "{line}").is_err() {
                        return;
                    }
                }
            });
            BufReader::new(stdout).lines().map(|line| reply(&line?)).collect()
        })?;
        child.wait()?;
        Ok(replies)
    }
}

/// What a line says.
fn reply<A: Answered>(line: &str) -> Result<A> {
    serde_json::from_str(line).context("a peer's line is no JSON")
}

/// The texts of a file, one a line, with `\n` for a line end within one.
pub(crate) fn lines_of(path: &Path) -> Result<Vec<String>> {
    let text = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    Ok(text.lines().filter(|line| !line.is_empty()).map(|line| line.replace("\\n", "\n")).collect())
}

#[cfg(test)]
mod tests {
    use super::{Peer, Reply, reply};

    #[test]
    fn an_answer_without_a_text_is_a_refusal() {
        let reply = reply::<Reply>;
        assert_eq!(reply("{\"text\": \"[1]\"}").expect("it is JSON").text, Some("[1]".to_owned()));
        assert_eq!(reply("{}").expect("it is JSON"), Reply::default());
        assert!(reply("oops").is_err());
    }

    #[cfg(unix)]
    #[test]
    fn a_text_that_ends_the_process_is_a_crash_and_the_next_ones_are_answered() {
        let script =
            "while read -r line; do case $line in *kill*) exit 3;; *) echo \"{\\\"text\\\": $line}\";; esac; done";
        let peer = Peer {
            name: "shell".to_owned(),
            program: "sh".into(),
            arguments: vec!["-c".to_owned(), script.to_owned()],
            variables: Vec::new(),
        };
        let texts = ["a", "kill", "b", "kill"].map(str::to_owned);
        let replies: Vec<Reply> = peer.replies(&texts).expect("it is asked on");
        let shown: Vec<_> = replies.iter().map(|reply| (reply.text.as_deref(), reply.crashed)).collect();
        assert_eq!(shown, [(Some("a"), false), (None, true), (Some("b"), false), (None, true)]);
    }
}
