//! Where the lines go.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;

use anyhow::{Context, bail};

use crate::files::{self, Left, Part, Replacement};

/// The output of a batch.
#[derive(Debug)]
pub(super) enum Sink {
    /// Standard output.
    Stdout,
    /// A device or a pipe, which is written to as it is.
    Stream(File),
    /// A file, which appears at the end.
    Replacement(Replacement),
    /// A file that an interrupted run leaves under another name.
    Part(Part),
}

impl Sink {
    /// Opens the output that the arguments name.
    pub(super) fn open(path: Option<&Path>) -> anyhow::Result<Self> {
        match path {
            None => Ok(Self::Stdout),
            Some(path) if path.as_os_str() == "-" => Ok(Self::Stdout),
            Some(path) if files::is_stream(path) => {
                let file = File::options().write(true).open(path).context("cannot open the output")?;
                Ok(Self::Stream(file))
            }
            Some(path) => Replacement::beside(path).map(Self::Replacement),
        }
    }

    /// Opens the part of an output, and says what an earlier run has left in it.
    pub(super) fn resume(path: &Path) -> anyhow::Result<(Self, Left)> {
        if path.as_os_str() == "-" || files::is_stream(path) {
            bail!("--resume needs a file that can be read again");
        }
        let (part, left) = Part::open(path)?;
        Ok((Self::Part(part), left))
    }

    /// Writes whole lines.
    pub(super) fn write(&mut self, lines: &[u8]) -> anyhow::Result<()> {
        match self {
            Self::Stdout => {
                let mut stdout = io::stdout().lock();
                stdout.write_all(lines).and_then(|()| stdout.flush()).context("cannot write to standard output")
            }
            Self::Stream(file) => file.write_all(lines).context("cannot write the output"),
            Self::Replacement(replacement) => replacement.write(lines),
            Self::Part(part) => part.write(lines),
        }
    }

    /// All is written.
    pub(super) fn finish(self) -> anyhow::Result<()> {
        match self {
            Self::Stdout | Self::Stream(_) => Ok(()),
            Self::Replacement(replacement) => replacement.commit(None),
            Self::Part(part) => part.commit(),
        }
    }

    /// The run was interrupted: what is written is kept under the name of the part, if anything is.
    pub(super) fn interrupt(self, part: Option<&Path>, has_lines: bool) -> anyhow::Result<()> {
        match (self, part) {
            (Self::Replacement(replacement), Some(part)) if has_lines => replacement.keep_as(part),
            _ => Ok(()),
        }
    }
}
