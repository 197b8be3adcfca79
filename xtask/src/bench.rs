//! `cargo xtask bench`: what everything costs, beside others and beside itself.
//!
//! Clocks lie on busy machines, so every time is a ratio within one run, and the cost of a change is given in instructions.

mod base;
mod batch;
mod criterion;
mod driver;
mod instructions;
mod keeping;
mod languages;
mod peers;
mod reads;

pub(crate) use self::base::{Goals, SIZES};
pub(crate) use self::batch::Batches;
pub(crate) use self::instructions::{Table, ratio};
pub(crate) use self::languages::Languages;
pub(crate) use self::peers::{Beside, Figures, Hostile};

use anyhow::Result;
use clap::Args;

use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// What to measure.
#[derive(Debug, Args)]
#[allow(clippy::struct_excessive_bools, reason = "each is a flag of the command line")]
pub(crate) struct Arguments {
    /// Only the workloads whose name holds this.
    #[arg(conflicts_with = "counted")]
    name: Option<String>,
    /// Measures other libraries on the same texts: the figures of docs/performance.md.
    #[arg(long, group = "measured", conflicts_with = "counted")]
    peers: bool,
    /// Measures this build beside that of another commit: the same driver built twice, taking turns.
    #[arg(long, value_name = "COMMIT", group = "measured", conflicts_with = "counted")]
    base: Option<String>,
    /// Measures `jsonseam batch` on all processors beside one thread of the library.
    #[arg(long, group = "measured", conflicts_with = "counted")]
    batch: bool,
    /// Measures the wheel and the npm package beside what Python and JavaScript have, on the same texts; both must be built.
    #[arg(long, group = "measured", conflicts_with = "counted")]
    languages: bool,
    /// With one of these: keeps the figures, from which `cargo xtask docs` writes docs/performance.md.
    #[arg(long, requires = "measured")]
    save: bool,
    /// With `--peers`: measures the lines of this file, each with `text` and `truth`, in place of the workloads.
    #[arg(long, requires = "peers", conflicts_with = "save")]
    lines: Option<std::path::PathBuf>,
    /// Counts instructions and compares them with the table.
    #[arg(long, group = "counted")]
    instructions: bool,
    /// Counts how often each byte is read, and compares that with the table.
    #[arg(long, group = "counted")]
    reads: bool,
    /// With `--instructions` or `--reads`: writes the table.
    #[arg(long, requires = "counted")]
    bless: bool,
}

/// Runs the task.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<Verdict> {
    if arguments.instructions {
        return instructions::run(workspace, arguments.bless);
    }
    if arguments.reads {
        return reads::run(workspace, arguments.bless);
    }
    if let Some(commit) = &arguments.base {
        return base::run(workspace, commit, arguments.save);
    }
    if arguments.batch {
        return batch::run(workspace, arguments.save);
    }
    if arguments.languages {
        return languages::run(workspace, arguments.save);
    }
    if arguments.peers {
        return peers::run(workspace, arguments.save, arguments.lines.as_deref());
    }
    criterion::run(workspace, arguments.name.as_deref())
}
