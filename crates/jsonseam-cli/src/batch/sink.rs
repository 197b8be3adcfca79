//! Where the lines go.

use std::fs::File;
use std::io::{self, BufReader, Write};
use std::path::Path;

use anyhow::{Context, bail};

use crate::files::{self, Left, Part, Replacement};

/// Why a run cannot go on after another one.
const OTHER_SETTINGS: &str = "left by a run with other flags, another configuration or another version, or by an unknown one; remove it to begin anew";

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

    /// Opens the part of an output, and says what an earlier run with the same digest has left in it, and where that is read.
    pub(super) fn resume(path: &Path, digest: &str) -> anyhow::Result<(Self, Left, BufReader<File>)> {
        if path.as_os_str() == "-" || files::is_stream(path) {
            bail!("--resume needs a file that can be read again");
        }
        let (part, left) = Part::open(path)?;
        if !part.is_of_run(digest, &left)? {
            bail!("{}: {}", files::shown(&files::part_of(path)?), OTHER_SETTINGS);
        }
        let lines = part.reader()?;
        Ok((Self::Part(part), left, lines))
    }

    /// Whether writing may wait for somebody who reads.
    pub(super) fn may_wait(&self) -> bool {
        matches!(self, Self::Stdout | Self::Stream(_))
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

    /// The run was interrupted: what is written is kept under the name of the part, if anything is, with the digest beside it.
    pub(super) fn interrupt(self, part: Option<&Path>, digest: &str, has_lines: bool) -> anyhow::Result<()> {
        match (self, part) {
            (Self::Replacement(replacement), Some(part)) if has_lines => {
                replacement.keep_as(part)?;
                files::write_digest(part, digest)
            }
            _ => Ok(()),
        }
    }
}
