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
    /// A file as it is staged: its path from the root of the repository, and git's name of its content.
    Staged {
        /// The path.
        path: PathBuf,
        /// The name of the content.
        content: String,
    },
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
            Self::File(path) | Self::Found(path) | Self::Staged { path, .. } => {
                escaped(&path.to_string_lossy()).to_string()
            }
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
            Self::File(path) | Self::Found(path) | Self::Staged { path, .. } => Some(path),
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
            Self::Staged { content, .. } => {
                let bytes = crate::git::content(content).with_context(|| self.cannot_read())?;
                Ok((Box::new(io::Cursor::new(bytes)), None))
            }
        }
    }

    /// Reads at most `most_bytes`.
    pub(crate) fn read(&self, most_bytes: u64) -> anyhow::Result<Input> {
        let (reader, fingerprint) = self.open()?;
        let mut bytes = Vec::new();
        reader.take(most_bytes).read_to_end(&mut bytes).with_context(|| self.cannot_read())?;
        Ok(Input { bytes, raw: None, fingerprint })
    }

    /// Reads at most `most_bytes` of a text, which is UTF-16 if it begins with the mark of that.
    ///
    /// All places are then those of the text in UTF-8.
    pub(crate) fn read_text(&self, most_bytes: u64) -> anyhow::Result<Input> {
        let (mut reader, fingerprint) = self.open()?;
        let mut raw = Vec::new();
        (&mut reader).take(most_bytes).read_to_end(&mut raw).with_context(|| self.cannot_read())?;
        if utf16_unit(&raw).is_none() {
            return Ok(Input { bytes: raw, raw: None, fingerprint });
        }
        // It takes up to two bytes where UTF-8 takes one: more has to be read to see that the limit is exceeded.
        reader.take(most_bytes.saturating_mul(2)).read_to_end(&mut raw).with_context(|| self.cannot_read())?;
        Ok(match decoded(&raw) {
            Some(text) => Input { bytes: text.into_bytes(), raw: Some(raw), fingerprint },
            None => Input { bytes: raw, raw: None, fingerprint },
        })
    }

    /// The message when reading fails.
    pub(crate) fn cannot_read(&self) -> String {
        format!("cannot read {}", self.name())
    }
}

/// A text as it was read.
#[derive(Debug)]
pub(crate) struct Input {
    /// The text.
    pub(crate) bytes: Vec<u8>,
    /// What was read, if that was another encoding of the text.
    raw: Option<Vec<u8>>,
    /// What the file looked like just before; `None` for standard input.
    pub(crate) fingerprint: Option<Fingerprint>,
}

impl Input {
    /// A text that came in pieces.
    pub(crate) fn of_stream(bytes: Vec<u8>) -> Self {
        Self { bytes, raw: None, fingerprint: None }
    }

    /// The bytes that were read.
    pub(crate) fn raw(&self) -> &[u8] {
        self.raw.as_deref().unwrap_or(&self.bytes)
    }

    /// Whether the text was read from UTF-16.
    pub(crate) fn is_utf16(&self) -> bool {
        self.raw.is_some()
    }
}

/// How a unit is read of a text that begins with the byte order mark of UTF-16; `None` if it does not.
pub(crate) fn utf16_unit(bytes: &[u8]) -> Option<fn([u8; 2]) -> u16> {
    match bytes {
        [0xFF, 0xFE, ..] => Some(u16::from_le_bytes),
        [0xFE, 0xFF, ..] => Some(u16::from_be_bytes),
        _ => None,
    }
}

/// The text after its mark; `None` if it is not UTF-16 throughout.
pub(crate) fn decoded(bytes: &[u8]) -> Option<String> {
    let unit = utf16_unit(bytes)?;
    let (pairs, []) = bytes[2..].as_chunks::<2>() else { return None };
    char::decode_utf16(pairs.iter().map(|pair| unit(*pair))).collect::<Result<String, _>>().ok()
}

fn open_file(path: &Path) -> io::Result<(File, Fingerprint)> {
    let file = File::open(path)?;
    let fingerprint = Fingerprint::of(&file.metadata()?);
    Ok((file, fingerprint))
}
