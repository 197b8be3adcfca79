//! Other libraries on the same texts, in one process: the figures of docs/performance.md.

use std::path::Path;
use std::process::Stdio;

use anyhow::{Context, Result, bail};
use serde::{Deserialize, Serialize};

use super::keeping::{keep, kept};
use crate::verdict::Verdict;
use crate::workspace::{Workspace, shown};

const FIGURES: &str = "bench/figures.json";

/// What `bench/` prints.
#[derive(Debug, Default, Deserialize, Serialize)]
#[serde(default)]
pub(crate) struct Figures {
    pub(crate) valid: Vec<Row>,
    pub(crate) broken: Vec<Beside>,
    pub(crate) all_hostile: Vec<Hostile>,
}

/// The times of some readers for the same texts.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Row {
    pub(crate) name: String,
    pub(crate) bytes: f64,
    pub(crate) texts: f64,
    /// In nanoseconds, for all texts.
    pub(crate) times: std::collections::BTreeMap<String, f64>,
}

/// Everyone on one set of broken texts.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Beside {
    pub(crate) name: String,
    pub(crate) bytes: f64,
    pub(crate) texts: f64,
    pub(crate) peers: Vec<Peer>,
}

#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Peer {
    pub(crate) who: String,
    pub(crate) nanoseconds: f64,
    /// How many texts became what they should.
    pub(crate) right: f64,
}

/// The time of one hostile family under one preset.
#[derive(Debug, Deserialize, Serialize)]
pub(crate) struct Hostile {
    pub(crate) preset: String,
    pub(crate) name: String,
    pub(crate) bytes: f64,
    pub(crate) nanoseconds: f64,
}

impl Hostile {
    /// Megabytes per second.
    pub(crate) fn speed(&self) -> f64 {
        self.bytes / self.nanoseconds * 1_000.0
    }
}

impl Row {
    /// How many times as fast `who` is as `than`.
    pub(crate) fn ratio(&self, who: &str, than: &str) -> Option<f64> {
        Some(self.times.get(than)? / self.times.get(who)?)
    }
}

impl Beside {
    /// Megabytes per second.
    pub(crate) fn speed(&self, peer: &Peer) -> f64 {
        self.bytes / peer.nanoseconds * 1_000.0
    }

    /// The one of this name.
    pub(crate) fn peer(&self, who: &str) -> Option<&Peer> {
        self.peers.iter().find(|peer| peer.who == who)
    }

    /// How many times as fast as `than` somebody is.
    pub(crate) fn times(&self, who: &str, than: &str) -> Option<f64> {
        Some(self.speed(self.peer(who)?) / self.speed(self.peer(than)?))
    }

    /// How many of a hundred texts a peer gets right.
    pub(crate) fn right(&self, peer: &Peer) -> f64 {
        100.0 * peer.right / self.texts
    }
}

impl Figures {
    /// The figures that are kept.
    pub(crate) fn read(workspace: &Workspace) -> Result<Self> {
        kept(workspace, FIGURES)
    }
}

/// Measures, and prints or keeps the figures.
pub(super) fn run(workspace: &Workspace, is_saved: bool, lines: Option<&Path>) -> Result<Verdict> {
    let mut command = workspace.cargo(&["run", "--release", "--quiet", "--manifest-path", "bench/Cargo.toml", "--"]);
    let output = command.args(lines).stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    if !output.status.success() {
        bail!("`{}` failed", shown(&command));
    }
    let figures: Figures = serde_json::from_slice(&output.stdout).context("the program prints no figures")?;
    for row in &figures.valid {
        let of = |name: &str| row.ratio("jsonseam", name).map(|ratio| format!("{ratio:.2} x {name}"));
        let ratios: Vec<_> = ["ignored-any", "struct", "valid"].into_iter().filter_map(of).collect();
        println!("{:<24} {}", row.name, ratios.join(", "));
    }
    for beside in &figures.broken {
        for peer in &beside.peers {
            println!(
                "{:<24} {:<14} {:>7.1} MB/s {:>6.1} % right",
                beside.name,
                peer.who,
                beside.speed(peer),
                beside.right(peer)
            );
        }
    }
    if is_saved {
        keep(workspace, FIGURES, &figures)?;
    }
    Ok(Verdict::pass("everyone was measured in one process"))
}
