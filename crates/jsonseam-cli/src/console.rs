//! Standard output and standard error.
//!
//! The printing macros are not used: they panic when the reader has gone.

use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::panic;

use anyhow::Context;
use serde::Serialize;

use crate::escape::{escaped, escaped_lines};

/// Columns that progress takes.
const PROGRESS_WIDTH: usize = 60;

/// Writes the product to standard output, whole and flushed.
pub(crate) fn emit(bytes: &[u8]) -> anyhow::Result<()> {
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).context("cannot write to standard output")
}

/// Writes an answer as one line of JSON to standard output.
pub(crate) fn emit_json(answer: &impl Serialize) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(answer).context("cannot write the answer")?;
    line.push(b'\n');
    emit(&line)
}

/// Writes a text for people to standard output; escaped when that is a terminal.
pub(crate) fn emit_text(text: &str) -> anyhow::Result<()> {
    if io::stdout().is_terminal() { emit(escaped_lines(text).to_string().as_bytes()) } else { emit(text.as_bytes()) }
}

/// One line on standard error. That nobody reads it is no error.
pub(crate) fn note(message: impl Display) {
    let line = format!("jsonseam: {}\n", escaped(&message.to_string()));
    let _ = io::stderr().write_all(line.as_bytes());
}

/// A line under a note, indented.
pub(crate) fn note_below(message: impl Display) {
    let line = format!("  {}\n", escaped(&message.to_string()));
    let _ = io::stderr().write_all(line.as_bytes());
}

/// Several lines on standard error, as they are but for unsafe characters.
pub(crate) fn note_lines(text: &str) {
    let _ = io::stderr().write_all(escaped_lines(text).to_string().as_bytes());
}

/// Shows `text` on the current line of a terminal, in place of what stood there; an empty text leaves the line empty.
///
/// Blanks rather than an escape sequence: so no message of this command ever holds one.
pub(crate) fn show_progress(text: &str) {
    let line = format!("\r{:<PROGRESS_WIDTH$}\r{0}", escaped(text).to_string());
    let _ = io::stderr().write_all(line.as_bytes());
}

/// An error with its causes, in one line.
pub(crate) fn complain(error: &anyhow::Error) {
    note(format_args!("{error:#}"));
}

/// Whether somebody watches standard error.
pub(crate) fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// Tells a panic by its place alone: the message of a panic may quote the text that caused it (SPEC M5).
///
/// Panics in batch workers are counted by the batch and told in its summary.
pub(crate) fn silence_panics() {
    panic::set_hook(Box::new(|panic| {
        if std::thread::current().name() == Some(crate::batch::WORKER) {
            return;
        }
        let place = panic.location().map_or_else(String::new, |place| format!(" at {}:{}", place.file(), place.line()));
        note(format_args!("internal error{place}; please report it"));
    }));
}
