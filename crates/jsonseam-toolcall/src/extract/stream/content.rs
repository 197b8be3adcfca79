//! The text around calls as it comes.

use std::ops::Range;

/// How long text after a call must be to be compared with the call; then it must double.
const FIRST: usize = 8;

/// The text around calls that was told.
#[expect(clippy::struct_excessive_bools, reason = "each is one fact about the text so far")]
#[derive(Debug, Default)]
pub(super) struct Content {
    pub(super) told: String,
    /// What is known and was not told yet.
    pub(super) pending: String,
    /// Whether what comes is no content.
    pub(super) is_shut: bool,
    /// Whether nothing more is told before the end.
    pub(super) is_lost: bool,
    /// Whether a call was read.
    pub(super) is_after: bool,
    /// Whether any of the text after a call was told.
    pub(super) has_gone_on: bool,
    /// What may repeat the last call.
    pub(super) echo: Option<Echo>,
}

/// Text after a call of which it is not known whether it repeats the call.
#[derive(Debug)]
pub(super) struct Echo {
    pub(super) call: Range<usize>,
    pub(super) next: usize,
    pub(super) comparisons: u8,
}

impl Content {
    pub(super) fn push(&mut self, part: &str) {
        if !self.is_shut && !self.is_lost {
            self.pending.push_str(part);
        }
    }

    /// The next piece: white space at the end waits, and that at the start is no content.
    pub(super) fn take(&mut self) -> Option<String> {
        let is_first = self.told.is_empty() || self.is_after && !self.has_gone_on;
        if is_first {
            self.pending.drain(..self.pending.len() - self.pending.trim_start().len());
        }
        let rest = self.pending.split_off(self.pending.trim_end().len());
        let mut piece = std::mem::replace(&mut self.pending, rest);
        if self.is_after && !self.has_gone_on && !piece.is_empty() {
            self.has_gone_on = true;
            if !self.told.is_empty() {
                piece.insert(0, '\n');
            }
        }
        self.told.push_str(&piece);
        (!piece.is_empty()).then_some(piece)
    }

    /// The text is refused here: what was said is told, but where it may repeat the last call.
    pub(super) fn release(&mut self, text: &str) {
        let Some(Echo { call, .. }) = self.echo.take() else { return };
        let called = text.get(call).unwrap_or_default();
        if memchr::memmem::find(called.as_bytes(), self.pending.trim().as_bytes()).is_some() {
            self.pending.clear();
        }
    }

    /// A call begins: what precedes it is told, and what follows is content once it is known to be.
    pub(super) fn stop(&mut self) {
        if self.echo.take().is_some() {
            // The call before may be repeated here.
            self.is_lost = true;
        }
        self.is_shut = true;
        if !self.is_after {
            self.pending.clear();
        }
    }

    /// A call is over: what follows is content too.
    pub(super) fn resume(&mut self, call: Range<usize>) {
        if self.is_lost {
            return;
        }
        self.is_shut = false;
        self.is_after = true;
        self.echo = Some(Echo { call, next: FIRST, comparisons: 0 });
    }
}
