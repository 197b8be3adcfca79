//! Putting the chunks back in order.

use std::collections::BTreeMap;
use std::sync::mpsc::{Receiver, RecvTimeoutError};
use std::time::{Duration, Instant};

use anyhow::bail;

use super::Message;
use super::budget::Budget;
use super::sink::Sink;
use super::tally::Tally;
use super::workers::Finished;
use crate::console;
use crate::exit;
use crate::signals::Interruption;

/// How long the writer waits before it looks whether a signal has come.
const PATIENCE: Duration = Duration::from_millis(50);
/// How often progress is shown.
const PROGRESS: Duration = Duration::from_millis(200);
/// Bytes written between two looks for a signal, so that a slow reader does not hold up the end.
const PIECE: usize = 64 << 10;

/// How the writing ended.
#[derive(Debug)]
pub(super) struct Outcome {
    /// What was written.
    pub(super) tally: Tally,
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
    interruption: &'a Interruption,
    waiting: BTreeMap<u64, Finished>,
    next: u64,
    tally: Tally,
    shown: Option<Instant>,
}

impl<'a> Writer<'a> {
    /// Writes to `sink` and gives back to `budget` what is written.
    pub(super) fn new(sink: Sink, budget: &'a Budget, interruption: &'a Interruption) -> Self {
        let shown = console::is_watched().then(Instant::now);
        Self { sink, budget, interruption, waiting: BTreeMap::new(), next: 0, tally: Tally::default(), shown }
    }

    /// Writes all chunks that arrive, until the end, a signal, or a failure.
    pub(super) fn write_all(mut self, inbox: &Receiver<Message>) -> anyhow::Result<Outcome> {
        let result = self.write_chunks(inbox);
        self.clear_progress();
        let (signal, is_closed) = match result {
            Ok(signal) => (signal, false),
            Err(error) if exit::is_closed_pipe(&error) => (None, true),
            Err(error) => return Err(error),
        };
        let Self { sink, tally, .. } = self;
        if signal.is_none() && !is_closed {
            sink.finish()?;
        }
        Ok(Outcome { tally, signal, is_closed })
    }

    fn write_chunks(&mut self, inbox: &Receiver<Message>) -> anyhow::Result<Option<u8>> {
        let mut chunks = None;
        while chunks != Some(self.next) {
            if let Some(signal) = self.interruption.signal() {
                return Ok(Some(signal));
            }
            self.show_progress();
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
                if let Some(signal) = self.write(&finished)? {
                    return Ok(Some(signal));
                }
            }
        }
        Ok(None)
    }

    /// Writes one chunk in pieces of whole lines; a signal ends it between two pieces.
    fn write(&mut self, finished: &Finished) -> anyhow::Result<Option<u8>> {
        let mut rest = finished.bytes.as_slice();
        while !rest.is_empty() {
            if let Some(signal) = self.interruption.signal() {
                return Ok(Some(signal));
            }
            let (piece, after) = rest.split_at(piece_len(rest));
            self.sink.write(piece)?;
            rest = after;
        }
        self.next += 1;
        self.tally.add(&finished.tally);
        self.budget.give_back(finished.cost);
        Ok(None)
    }

    fn show_progress(&mut self) {
        if self.shown.is_some_and(|shown| shown.elapsed() >= PROGRESS) {
            console::show_progress(&format!("{} records, {} refused", self.tally.lines, self.tally.refusals()));
            self.shown = Some(Instant::now());
        }
    }

    fn clear_progress(&self) {
        if self.shown.is_some() {
            console::show_progress("");
        }
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
