//! The trace: a file of JSON lines, each written in one piece.
//!
//! **Invariant:** no text of a prompt or an answer is in it, unless the caller asked for that by name.

use std::fs::{File, OpenOptions};
use std::io::{self, Read, Seek, SeekFrom, Write};
use std::path::Path;
use std::time::{SystemTime, UNIX_EPOCH};

use anyhow::{Context, bail};
use jsonseam::reask::{Attempt, Message, Mode, Phase, Progress};
use serde::Serialize;

use crate::escape::escaped;

/// One line, without its time.
#[derive(Serialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub(super) enum Line<'a> {
    /// An attempt is over.
    Attempt(&'a Attempt),
    /// A repetition is about to happen.
    Progress { phase: Phase, attempt: u32, maximum: u32, delay_ms: u64, reason: &'a str, started_at_ms: u64 },
    /// A request is about to be sent. It holds text.
    Request { attempt: u32, mode: Mode, messages: &'a [Message] },
    /// An answer has come. It holds text.
    Answer { attempt: u32, text: &'a str },
}

impl<'a> Line<'a> {
    pub(super) fn progress(progress: &'a Progress) -> Self {
        let milliseconds = |time: std::time::Duration| u64::try_from(time.as_millis()).unwrap_or(u64::MAX);
        Self::Progress {
            phase: progress.phase,
            attempt: progress.attempt,
            maximum: progress.maximum,
            delay_ms: milliseconds(progress.delay),
            reason: &progress.reason,
            started_at_ms: milliseconds(progress.started_at),
        }
    }

    fn holds_text(&self) -> bool {
        matches!(self, Self::Request { .. } | Self::Answer { .. })
    }
}

/// A line with its time, in milliseconds since the Unix epoch.
#[derive(Serialize)]
struct Timed<'a> {
    at_ms: u64,
    #[serde(flatten)]
    line: &'a Line<'a>,
}

/// The file.
pub(super) struct Trace {
    file: File,
    has_texts: bool,
    /// The first failure; nothing is written after it.
    failure: Option<io::Error>,
}

impl Trace {
    /// Opens the file to append to; a new one can be read by its owner alone.
    pub(super) fn open(path: &Path, has_texts: bool) -> anyhow::Result<Self> {
        let name = path.to_string_lossy();
        let mut options = OpenOptions::new();
        options.read(true).append(true).create(true);
        #[cfg(unix)]
        std::os::unix::fs::OpenOptionsExt::mode(&mut options, 0o600);
        let mut file = options.open(path).with_context(|| format!("cannot open the trace {}", escaped(&name)))?;
        if has_texts && is_open_to_others(&file) {
            bail!("the trace {} would hold text, and others than its owner can read it", escaped(&name));
        }
        end_last_line(&mut file).with_context(|| format!("cannot write the trace {}", escaped(&name)))?;
        Ok(Self { file, has_texts, failure: None })
    }

    /// Adds a line, if it belongs into this trace.
    pub(super) fn write(&mut self, line: &Line<'_>) {
        if self.failure.is_some() || (line.holds_text() && !self.has_texts) {
            return;
        }
        let at_ms = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default().as_millis();
        let timed = Timed { at_ms: u64::try_from(at_ms).unwrap_or(u64::MAX), line };
        let written = serde_json::to_vec(&timed).map_err(io::Error::from).and_then(|mut bytes| {
            bytes.push(b'\n');
            append(&mut self.file, &bytes)
        });
        self.failure = written.err();
    }

    /// What went wrong, if anything did.
    pub(super) fn finish(&mut self) -> anyhow::Result<()> {
        match self.failure.take() {
            Some(error) => Err(anyhow::Error::new(error).context("cannot write the trace")),
            None => Ok(()),
        }
    }
}

/// Appends a whole line, or nothing: it goes out in one write, and what a full disk leaves of it is taken back.
fn append(file: &mut File, line: &[u8]) -> io::Result<()> {
    let before = file.metadata()?;
    let written = file.write_all(line);
    if written.is_err() && before.is_file() {
        let is_begun = file.metadata().is_ok_and(|now| now.len() > before.len());
        if is_begun {
            file.set_len(before.len())?;
        }
    }
    written
}

/// Ends a line that somebody else has left open.
fn end_last_line(file: &mut File) -> io::Result<()> {
    let metadata = file.metadata()?;
    if !metadata.is_file() || metadata.len() == 0 {
        return Ok(());
    }
    let mut last = [0];
    file.seek(SeekFrom::End(-1))?;
    file.read_exact(&mut last)?;
    if last == *b"\n" { Ok(()) } else { file.write_all(b"\n") }
}

#[cfg(unix)]
fn is_open_to_others(file: &File) -> bool {
    use std::os::unix::fs::PermissionsExt;
    file.metadata().is_ok_and(|metadata| metadata.is_file() && metadata.permissions().mode() & 0o077 != 0)
}

#[cfg(not(unix))]
fn is_open_to_others(_: &File) -> bool {
    false
}
