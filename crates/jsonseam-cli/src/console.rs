//! Standard output and standard error.
//!
//! The printing macros are not used: they panic when the reader has gone.
//! What threads print about files that are read at the same time is captured, and shown in the order of the files.

mod colors;

use std::cell::RefCell;
use std::fmt::Display;
use std::io::{self, IsTerminal, Write};
use std::panic;
use std::sync::OnceLock;

use anyhow::Context;
use serde::Serialize;

pub(crate) use colors::{Paint, paint_stderr, paint_stdout};

use crate::arguments::ConsoleFlags;
use crate::escape::{escaped, escaped_lines};
use crate::identity;

/// Columns that progress takes.
const PROGRESS_WIDTH: usize = 79;

static FLAGS: OnceLock<ConsoleFlags> = OnceLock::new();

/// Sets how the command speaks, once in a process.
pub(crate) fn set(flags: ConsoleFlags) {
    // A second run within one process speaks like the first.
    let _ = FLAGS.set(flags);
}

fn flags() -> ConsoleFlags {
    FLAGS.get().copied().unwrap_or_default()
}

/// Whether summaries are wanted wherever they go.
pub(crate) fn is_verbose() -> bool {
    flags().verbose
}

/// Whether only errors and refusals are wanted.
pub(crate) fn is_quiet() -> bool {
    flags().quiet
}

/// Whether summaries are shown: somebody watches, or has asked.
pub(crate) fn is_talkative() -> bool {
    !is_quiet() && (is_verbose() || is_watched())
}

/// What a piece of work printed.
#[derive(Debug, Default)]
pub(crate) struct Captured(Vec<(Stream, Vec<u8>)>);

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Stream {
    Out,
    Err,
}

thread_local! {
    static CAPTURED: RefCell<Option<Captured>> = const { RefCell::new(None) };
}

/// Runs `work`; what it prints on this thread is kept for later.
pub(crate) fn capture<T>(work: impl FnOnce() -> T) -> (T, Captured) {
    CAPTURED.set(Some(Captured::default()));
    let result = work();
    (result, CAPTURED.take().unwrap_or_default())
}

/// Prints what was captured, in the order in which it was printed.
pub(crate) fn release(captured: Captured) -> anyhow::Result<()> {
    for (stream, bytes) in captured.0 {
        match stream {
            Stream::Out => emit(&bytes)?,
            Stream::Err => complain_raw(&bytes),
        }
    }
    Ok(())
}

/// Keeps the bytes if this thread captures.
fn is_captured(stream: Stream, bytes: &[u8]) -> bool {
    CAPTURED.with_borrow_mut(|captured| match captured {
        None => false,
        Some(captured) => {
            captured.0.push((stream, bytes.to_vec()));
            true
        }
    })
}

/// Writes the product to standard output, whole and flushed.
pub(crate) fn emit(bytes: &[u8]) -> anyhow::Result<()> {
    if is_captured(Stream::Out, bytes) {
        return Ok(());
    }
    let mut stdout = io::stdout().lock();
    stdout.write_all(bytes).and_then(|()| stdout.flush()).context("cannot write to standard output")
}

/// Writes the product to standard output, and to a terminal the line end that it lacks: the prompt would follow it on its line.
pub(crate) fn emit_product(bytes: &[u8]) -> anyhow::Result<()> {
    emit(bytes)?;
    if !bytes.ends_with(b"\n") && io::stdout().is_terminal() && is_watched() {
        complain_raw(b"\n");
    }
    Ok(())
}

/// Writes an answer as one line of JSON to standard output.
pub(crate) fn emit_json(answer: &impl Serialize) -> anyhow::Result<()> {
    let mut line = serde_json::to_vec(answer).context("cannot write the answer")?;
    line.push(b'\n');
    emit(&line)
}

/// Writes a text for people to standard output; escaped when that is a terminal.
pub(crate) fn emit_text(text: &str) -> anyhow::Result<()> {
    if is_shown() { emit(escaped_lines(text).to_string().as_bytes()) } else { emit(text.as_bytes()) }
}

/// Whether standard output is a terminal.
pub(crate) fn is_shown() -> bool {
    io::stdout().is_terminal()
}

/// That no one reads standard error is not an error.
fn complain_raw(bytes: &[u8]) {
    if !is_captured(Stream::Err, bytes) {
        let _ = io::stderr().write_all(bytes);
    }
}

/// One line on standard error.
pub(crate) fn note(message: impl Display) {
    let name = format!("{}:", identity::name());
    let line = format!("{} {}\n", paint_stderr(&name, Paint::Name), escaped(&message.to_string()));
    complain_raw(line.as_bytes());
}

/// One line on standard error about something that is easily overlooked; not with `--quiet`.
pub(crate) fn warn(message: impl Display) {
    if !is_quiet() {
        note(format_args!("warning: {message}"));
    }
}

/// A line under a note, indented.
pub(crate) fn note_below(message: impl Display) {
    complain_raw(format!("  {}\n", escaped(&message.to_string())).as_bytes());
}

/// What may help, under a note; not with `--quiet`.
pub(crate) fn help_below(message: impl Display) {
    if !is_quiet() {
        let line = format!("  {} {}\n", paint_stderr("help:", Paint::Help), escaped(&message.to_string()));
        complain_raw(line.as_bytes());
    }
}

/// Several lines on standard error, as they are but for unsafe characters.
pub(crate) fn note_lines(text: &str) {
    complain_raw(escaped_lines(text).to_string().as_bytes());
}

/// Shows `text` on the current line of a terminal, in place of what was there; an empty text leaves the line empty.
///
/// Blanks rather than an escape sequence: so no message of this command holds one without colours.
pub(crate) fn show_progress(text: &str) {
    let line = format!("\r{:<PROGRESS_WIDTH$}\r{0}", escaped(text).to_string());
    complain_raw(line.as_bytes());
}

/// An error with its causes, in one line. A cause that its error repeats is left out.
pub(crate) fn complain(error: &anyhow::Error) {
    let mut message = String::new();
    for cause in error.chain().map(ToString::to_string) {
        if message.is_empty() {
            message = cause;
        } else if !message.ends_with(&cause) {
            message = format!("{message}: {cause}");
        }
    }
    note(message);
}

/// Whether somebody watches standard error.
pub(crate) fn is_watched() -> bool {
    io::stderr().is_terminal()
}

/// The width of the terminal that standard output is, in columns.
pub(crate) fn width() -> Option<usize> {
    is_shown().then(terminal_size::terminal_size).flatten().map(|(width, _)| usize::from(width.0))
}

/// The name of the threads of a batch, whose panics are counted and reported in its summary.
pub(crate) const WORKER: &str = "batch worker";

/// Reports a panic by its place alone: the message of a panic may quote the text that caused it (SPEC M5).
pub(crate) fn silence_panics() {
    panic::set_hook(Box::new(|panic| {
        if std::thread::current().name() == Some(WORKER) {
            return;
        }
        let place = panic.location().map_or_else(String::new, |place| format!(" at {}:{}", place.file(), place.line()));
        note(format_args!("internal error{place}; please report it"));
    }));
}
