//! Reading texts: standard input or files, never more than the limit.

use std::borrow::Cow;
use std::fs::File;
use std::io::{self, IsTerminal, Read};
use std::path::{Path, PathBuf};

use anyhow::Context;

use crate::escape::escaped;
use crate::files::Fingerprint;

/// Where a text comes from.
#[derive(Debug, Clone, PartialEq, Eq, Hash)]
pub(crate) enum Source {
    /// Standard input, written `-`.
    Stdin,
    /// A file that was named.
    File(PathBuf),
    /// A file that was found in a directory.
    Found(PathBuf),
}

impl Source {
    /// The source that one argument names.
    pub(crate) fn of(argument: &Path) -> Self {
        if argument.as_os_str() == "-" { Self::Stdin } else { Self::File(argument.to_owned()) }
    }

    /// The name for messages, safe to show.
    pub(crate) fn name(&self) -> String {
        match self {
            Self::Stdin => "<stdin>".to_owned(),
            Self::File(path) | Self::Found(path) => escaped(&path.to_string_lossy()).to_string(),
        }
    }

    /// The name as it is, for programs. What is not Unicode in it is lost.
    pub(crate) fn name_as_is(&self) -> Cow<'_, str> {
        match self.path() {
            None => Cow::Borrowed("<stdin>"),
            Some(path) => path.to_string_lossy(),
        }
    }

    /// The path, unless it is standard input.
    pub(crate) fn path(&self) -> Option<&Path> {
        match self {
            Self::Stdin => None,
            Self::File(path) | Self::Found(path) => Some(path),
        }
    }

    /// Opens the source for reading.
    pub(crate) fn open(&self) -> anyhow::Result<(Box<dyn Read + Send>, Option<Fingerprint>)> {
        match self {
            Self::Stdin => {
                if io::stdin().is_terminal() && !crate::console::is_quiet() {
                    // Without a message the command would seem to hang.
                    crate::console::note("reading standard input; Ctrl-D ends it");
                }
                Ok((Box::new(io::stdin()), None))
            }
            Self::File(path) | Self::Found(path) => {
                let (file, fingerprint) = open_file(path).with_context(|| self.cannot_read())?;
                Ok((Box::new(file), Some(fingerprint)))
            }
        }
    }

    /// Reads at most `most_bytes`.
    pub(crate) fn read(&self, most_bytes: u64) -> anyhow::Result<Input> {
        let (reader, fingerprint) = self.open()?;
        let mut bytes = Vec::new();
        reader.take(most_bytes).read_to_end(&mut bytes).with_context(|| self.cannot_read())?;
        Ok(Input { bytes, fingerprint })
    }

    /// The message when reading fails.
    pub(crate) fn cannot_read(&self) -> String {
        format!("cannot read {}", self.name())
    }
}

/// A text as it was read.
#[derive(Debug)]
pub(crate) struct Input {
    /// The bytes.
    pub(crate) bytes: Vec<u8>,
    /// What the file looked like just before; `None` for standard input.
    pub(crate) fingerprint: Option<Fingerprint>,
}

fn open_file(path: &Path) -> io::Result<(File, Fingerprint)> {
    let file = File::open(path)?;
    let fingerprint = Fingerprint::of(&file.metadata()?);
    Ok((file, fingerprint))
}
