//! How far a batch is, on a terminal.

use std::fmt::Write;
use std::time::{Duration, Instant};

use super::tally::Tally;
use crate::console;

/// How often progress is shown.
const PAUSE: Duration = Duration::from_millis(200);

/// How far a batch is.
#[derive(Debug)]
pub(super) struct Progress {
    began: Instant,
    shown: Option<Instant>,
    /// Bytes of the input, if its length is known.
    total: Option<u64>,
    done: u64,
}

impl Progress {
    /// The progress over an input of `total` bytes, which is shown if somebody watches.
    pub(super) fn new(total: Option<u64>) -> Self {
        let began = Instant::now();
        Self { began, shown: (console::is_watched() && !console::is_quiet()).then_some(began), total, done: 0 }
    }

    /// Adds bytes of the input that are done.
    pub(super) fn add(&mut self, bytes: usize) {
        self.done += bytes as u64;
    }

    /// Shows where the batch is, unless that was shown a moment ago.
    pub(super) fn show(&mut self, tally: &Tally) {
        if self.shown.is_some_and(|shown| shown.elapsed() >= PAUSE) {
            console::show_progress(&self.line(tally.lines, tally.refusals(), self.began.elapsed()));
            self.shown = Some(Instant::now());
        }
    }

    /// Leaves the line empty.
    pub(super) fn clear(&self) {
        if self.shown.is_some() {
            console::show_progress("");
        }
    }

    fn line(&self, lines: u64, refused: u64, elapsed: Duration) -> String {
        let mut line = format!("{}, {refused} refused", crate::counts::counted(lines, "record"));
        let milliseconds = elapsed.as_millis().max(1);
        let _ = write!(line, ", {} a second", u128::from(lines) * 1000 / milliseconds);
        if let Some(total) = self.total.filter(|&total| total > 0) {
            let done = self.done.min(total);
            let _ = write!(line, ", {} %", u128::from(done) * 100 / u128::from(total));
            if done > 0 {
                let left = milliseconds * u128::from(total - done) / u128::from(done) / 1000;
                let _ = write!(line, ", {}:{:02} left", left / 60, left % 60);
            }
        }
        line
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_known_length_gives_a_share_and_the_time_left() {
        let mut progress = Progress::new(Some(1000));
        progress.add(250);
        let line = progress.line(500, 3, Duration::from_secs(30));
        assert_eq!(line, "500 records, 3 refused, 16 a second, 25 %, 1:30 left");
        let unknown = Progress::new(None).line(1, 0, Duration::from_secs(1));
        assert_eq!(unknown, "1 record, 0 refused, 1 a second");
    }
}
