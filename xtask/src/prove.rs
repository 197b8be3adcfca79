//! `cargo xtask prove`: the campaigns, for what must hold for more texts than a test can try.
//!
//! They run in the profile `prove`: optimised, and with every assertion of the libraries on.

mod attacks;
mod damage;
mod depth;
mod hostile;
mod quiet;
mod readings;
mod strings;
mod subsets;
mod terms;

use std::thread;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;

use crate::verdict::{ExitStatus, Verdict};
use crate::workspace::Workspace;

/// How much to try.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of its own")]
pub(crate) struct Arguments {
    /// The smaller campaigns that continuous integration runs.
    #[arg(long)]
    pub(crate) quick: bool,
    /// Only campaigns whose name holds this.
    #[arg(long)]
    pub(crate) only: Option<String>,
    /// Sets each term of the cost table to 0 in turn, in a copy of the workspace, and wants a test to fail. Nothing else runs.
    #[arg(long)]
    pub(crate) terms: bool,
    /// Runs in this build instead of building the profile `prove`.
    #[arg(long, hide = true)]
    pub(crate) here: bool,
    /// Runs the campaign of depth in this very process, which a stack overflow would end.
    #[arg(long, hide = true)]
    pub(crate) depth_alone: bool,
}

/// What a campaign found.
#[derive(Debug, Default)]
pub(crate) struct Figures {
    /// Texts that were tried.
    pub(crate) texts: u64,
    /// What else was counted, for the table.
    pub(crate) counted: String,
    /// What does not hold; a campaign keeps the first few.
    pub(crate) complaints: Vec<String>,
}

/// Complaints that a part of a campaign keeps: one defect shows in thousands of texts.
const KEPT: usize = 5;

impl Figures {
    /// Adds a complaint, unless there are enough.
    pub(crate) fn complain(&mut self, complaint: impl FnOnce() -> String) {
        if self.complaints.len() < KEPT {
            self.complaints.push(complaint());
        }
    }

    fn add(&mut self, other: Self) {
        self.texts += other.texts;
        self.complaints.extend(other.complaints);
    }
}

/// A campaign, or its quick form.
type Campaign = fn(bool) -> Result<Figures>;

const CAMPAIGNS: [(&str, Campaign); 13] = [
    ("valid documents are left alone", quiet::run),
    ("every short text keeps every law", strings::laws),
    ("the recogniser reads what RawValue reads", strings::recogniser),
    ("strict damage is repaired", damage::run),
    ("every rule alone and left out", subsets::alone_and_left_out),
    ("subsets of rules in any order keep the laws", subsets::run),
    ("the order of rules decides nothing", readings::order_free),
    ("a richer preset repairs alike", readings::monotone),
    ("texts with two truths are refused", readings::doubtful),
    ("certain and likely are honest", readings::honest),
    ("hostile texts cost linear work", hostile::run),
    ("a million levels in a stack of 256 KiB", depth::run),
    ("no attack on tool calls passes", attacks::run),
];

/// Runs the task.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<Verdict> {
    if arguments.depth_alone {
        let figures = depth::alone()?;
        return Ok(Verdict::of_complaints(&figures.complaints, figures.counted));
    }
    if arguments.terms {
        let figures = terms::run(workspace, arguments.only.as_deref().unwrap_or_default())?;
        return Ok(Verdict::of_complaints(&figures.complaints, figures.counted));
    }
    if !arguments.here {
        return again(workspace, arguments);
    }
    if cfg!(debug_assertions) {
        println!("assertions of the libraries are on");
    }
    let only = arguments.only.as_deref().unwrap_or_default();
    let mut complaints = Vec::new();
    let mut table = Vec::new();
    for (name, campaign) in CAMPAIGNS {
        if !name.contains(only) {
            continue;
        }
        println!("{name} …");
        let start = Instant::now();
        let figures = campaign(arguments.quick)?;
        table.push(format!(
            "{name:<42} {:>10} {:>8.1} {:>7}  {}",
            figures.texts,
            start.elapsed().as_secs_f64(),
            if figures.complaints.is_empty() { "holds" } else { "FAILS" },
            figures.counted
        ));
        complaints.extend(figures.complaints.into_iter().map(|complaint| format!("{name}: {complaint}")));
    }
    println!("\n{:<42} {:>10} {:>8} {:>7}", "campaign", "texts", "seconds", "");
    println!("{}\n", table.join("\n"));
    Ok(Verdict::of_complaints(&complaints, format!("{} campaigns", table.len())))
}

/// Builds this program in the profile `prove` and runs it there: a debug build would take hours.
fn again(workspace: &Workspace, arguments: &Arguments) -> Result<Verdict> {
    let mut command = workspace.cargo(&["run", "--quiet", "--profile", "prove"]);
    command.args(["--package", "xtask", "--", "prove", "--here"]);
    if arguments.quick {
        command.arg("--quick");
    }
    if let Some(only) = &arguments.only {
        command.args(["--only", only]);
    }
    let status = command.status().context("cannot start cargo")?;
    Ok(Verdict::Announced(if status.success() { ExitStatus::Success } else { ExitStatus::Failure }))
}

/// Runs `part` once for each core, with its index and their count, and adds up what the parts found.
fn on_all_cores(part: impl Fn(u64, u64) -> Figures + Sync) -> Figures {
    let cores = thread::available_parallelism().map_or(1, usize::from) as u64;
    let mut sum = Figures::default();
    thread::scope(|scope| {
        let part = &part;
        let handles: Vec<_> = (0..cores).map(|index| scope.spawn(move || part(index, cores))).collect();
        for handle in handles {
            match handle.join() {
                Ok(figures) => sum.add(figures),
                Err(_) => sum.complaints.push("a panic".to_owned()),
            }
        }
    });
    sum
}

/// The part of `total` that belongs to `index` of `parts`.
const fn share(total: u64, index: u64, parts: u64) -> u64 {
    total * (index + 1) / parts - total * index / parts
}

#[cfg(test)]
mod tests {
    use super::{on_all_cores, share};

    #[test]
    fn shares_are_the_whole() {
        for total in [0, 1, 7, 20_000] {
            assert_eq!((0..3).map(|index| share(total, index, 3)).sum::<u64>(), total);
        }
    }

    #[test]
    fn a_panic_in_a_part_is_a_complaint() {
        let found = on_all_cores(|index, _| {
            assert!(index > 0, "planted");
            super::Figures::default()
        });
        assert_eq!(found.complaints, ["a panic"]);
    }
}
