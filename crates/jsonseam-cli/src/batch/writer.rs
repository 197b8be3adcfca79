//! Putting the chunks back in order.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::Duration;

use anyhow::bail;

use super::advice::FirstRefused;
use super::budget::Budget;
use super::message::{Finished, Message};
use super::progress::Progress;
use super::sink::Sink;
use super::spares::Spares;
use super::tally::Tally;
use crate::exit;
use crate::signals::Interruption;

/// How long the writer waits before it looks whether a signal has come.
const PATIENCE: Duration = Duration::from_millis(50);
/// Why a run cannot go on where another ended.
pub(super) const OTHER_INPUT: &str =
    "what the earlier run left was not made from this input with these flags; remove it to begin anew";
/// Bytes written between two looks for a signal, so that a slow reader does not hold up the end.
const PIECE: usize = 64 << 10;

/// How the writing ended.
#[derive(Debug)]
pub(super) struct Outcome {
    /// What an interrupted run has left, for `--resume`.
    pub(super) has_part: bool,
    /// What was written.
    pub(super) tally: Tally,
    /// Lines that were written of a part of the input that is not counted, because a signal came in between.
    pub(super) uncounted: u64,
    /// The signal that ended it early.
    pub(super) signal: Option<u8>,
    /// The reader of the output has gone.
    pub(super) is_closed: bool,
}

/// Writes chunks in order.
#[derive(Debug)]
pub(super) struct Writer<'a> {
    sink: Sink,
    budget: &'a Budget,
    spares: &'a Spares,
    interruption: &'a Interruption,
    waiting: BTreeMap<u64, Box<Finished>>,
    next: u64,
    tally: Tally,
    progress: Progress,
    uncounted: u64,
    /// The line that an earlier run wrote last: the first one now must be the same.
    expected: Option<Vec<u8>>,
    first_refused: &'a FirstRefused,
    ending: Ending<'a>,
}

/// What happens to the output at the end.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Ending<'a> {
    /// Where an interrupted run leaves what it has written.
    pub(super) part: Option<&'a Path>,
    /// What tells this run from others.
    pub(super) digest: &'a str,
    /// Whether the output takes the place of the input: then no line may be lost.
    pub(super) replaces_input: bool,
}

impl<'a> Writer<'a> {
    /// Writes to `sink` and gives back to `budget` and to `spares` what is written.
    pub(super) fn new(
        sink: Sink,
        budget: &'a Budget,
        spares: &'a Spares,
        interruption: &'a Interruption,
        first_refused: &'a FirstRefused,
        progress: Progress,
    ) -> Self {
        Self {
            sink,
            budget,
            spares,
            interruption,
            waiting: BTreeMap::new(),
            next: 0,
            tally: Tally::default(),
            progress,
            uncounted: 0,
            expected: None,
            first_refused,
            ending: Ending::default(),
        }
    }

    /// Says what happens to the output at the end.
    pub(super) fn ending(mut self, ending: Ending<'a>) -> Self {
        self.ending = ending;
        self
    }

    /// The first line must be this one, which is written already.
    pub(super) fn after(mut self, line: Option<Vec<u8>>) -> Self {
        self.expected = line;
        self
    }

    /// Writes all chunks that arrive, until the end, a signal, or a failure.
    pub(super) fn write_all(mut self, inbox: &Receiver<Message>) -> anyhow::Result<Outcome> {
        let result = self.write_chunks(inbox);
        self.progress.clear();
        let (signal, is_closed) = match result {
            Ok(signal) => (signal, false),
            Err(error) if exit::is_closed_pipe(&error) => (None, true),
            Err(error) => return Err(error),
        };
        let Self { sink, tally, uncounted, expected, ending, .. } = self;
        let has_part = signal.is_some() && ending.part.is_some() && tally.lines > 0;
        if signal.is_some() {
            sink.interrupt(ending.part, ending.digest, tally.lines > 0)?;
        } else if !is_closed {
            if let Some(number) = tally.too_long.filter(|_| ending.replaces_input) {
                bail!("line {number} is too long to be held and would be lost; nothing is written over the input");
            }
            if expected.is_some() {
                bail!(OTHER_INPUT);
            }
            sink.finish()?;
        }
        Ok(Outcome { has_part, tally, uncounted, signal, is_closed })
    }

    fn write_chunks(&mut self, inbox: &Receiver<Message>) -> anyhow::Result<Option<u8>> {
        let mut chunks = None;
        while chunks != Some(self.next) {
            if let Some(signal) = self.interruption.signal() {
                return Ok(Some(signal));
            }
            self.progress.show(&self.tally);
            match inbox.recv_timeout(PATIENCE) {
                Ok(Message::Finished(finished)) => {
                    self.waiting.insert(finished.index, finished);
                }
                Ok(Message::End(count)) => chunks = Some(count),
                Ok(Message::Failed(error)) => return Err(error),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => {
                    bail!("internal error: a worker thread has ended early")
                }
            }
            while let Some(finished) = self.waiting.remove(&self.next) {
                if let Some(signal) = self.write(*finished)? {
                    return Ok(Some(signal));
                }
            }
        }
        Ok(None)
    }

    /// Writes one chunk. Where somebody reads, a signal ends it between two pieces of whole lines; a file gets all of it, so that the counts are right.
    fn write(&mut self, finished: Finished) -> anyhow::Result<Option<u8>> {
        let mut rest = finished.bytes.as_slice();
        if !rest.is_empty()
            && let Some(expected) = self.expected.take()
        {
            let Some(after) = rest.strip_prefix(expected.as_slice()).and_then(|rest| rest.strip_prefix(b"\n")) else {
                bail!(OTHER_INPUT);
            };
            rest = after;
        }
        while !rest.is_empty() {
            if let Some(signal) = self.interruption.signal().filter(|_| self.sink.may_wait()) {
                let written = finished.bytes.get(..finished.bytes.len() - rest.len()).unwrap_or_default();
                self.uncounted = memchr::memchr_iter(b'\n', written).count() as u64;
                return Ok(Some(signal));
            }
            let (piece, after) = rest.split_at(piece_len(rest));
            self.sink.write(piece)?;
            rest = after;
        }
        self.next += 1;
        self.tally.add(&finished.tally);
        self.progress.add(finished.cost);
        self.first_refused.count(self.tally.first_refused.len());
        self.budget.give_back(finished.cost);
        self.spares.give_back(finished.bytes);
        Ok(None)
    }
}

/// The length of the first lines that make at least a piece.
fn piece_len(lines: &[u8]) -> usize {
    let after = lines.get(PIECE..).and_then(|after| memchr::memchr(b'\n', after));
    after.map_or(lines.len(), |newline| PIECE + newline + 1)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_piece_ends_with_a_line() {
        let line = [vec![b'x'; 50_000], b"\n".to_vec()].concat();
        let lines = line.repeat(3);
        assert_eq!(piece_len(&lines), 2 * line.len());
        assert_eq!(piece_len(&line), line.len());
    }
}
