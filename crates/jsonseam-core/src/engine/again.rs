//! Readings of what was read before: from a checkpoint shortly before the first fault, from the start with a ledger, or only up to an earlier place.

use super::reading::Reading;
use super::task::Task;
use crate::edits::journal::Entry;
use crate::looking::ledger::Ledger;
use crate::looking::trace::checkpoints::Checkpoint;
use crate::reading::recognise::Stop;
use crate::reading::token::REMEMBERED;
use crate::reading::work::Work;

impl Reading {
    /// Begins where another reading has come without a fault. What that has read counts here until all is decided, as if it were read.
    pub(super) fn skip_to(&mut self, checkpoint: &Checkpoint) {
        self.resumes_from = Some(self.pos);
        (self.state, self.pos) = (checkpoint.state, checkpoint.pos);
        self.recorder.frames.open_all(checkpoint.open());
    }

    /// Whether it may have skipped tokens that would be remembered. Asked at the first fault.
    pub(super) fn lacks_tokens(&self, task: &Task<'_>) -> bool {
        self.edits() == 0 && task.checkpoint().is_some() && self.recorder.nth_back(REMEMBERED - 1).is_none()
    }

    /// Keeps from now on what the payload says about keys and lines, from its start to this fault. Does nothing for a reading that does so already.
    pub(super) fn keep_ledger(&mut self, task: &Task<'_>, work: &mut Work) {
        if self.recorder.ledger().is_some() {
            return;
        }
        // The text is read once more, and its keys and blanks are looked at.
        let read = (self.pos - task.start) as u64;
        work.steps += 2 * read + self.journal.len() as u64;
        // A token that touches an edit ends elsewhere when it is read again.
        let is_as_read = self.edits() == 0;
        work.unmade += if is_as_read && task.wants_early_ledger() { 2 * read } else { read };
        if self.recorder.ledger.is_none() || !is_as_read {
            self.record_again(Some(Box::new(Ledger::early())), task);
        }
        if let Some(ledger) = &mut self.recorder.ledger {
            ledger.is_early = false;
            work.unmade = work.unmade.saturating_sub(std::mem::take(&mut ledger.examined));
        }
    }

    /// Records the text once more from its start on, with this ledger.
    pub(super) fn record_again(&mut self, ledger: Option<Box<Ledger>>, task: &Task<'_>) {
        let mut again = Self { journal: std::mem::take(&mut self.journal), ..Self::start(task) };
        again.recorder.ledger = ledger;
        // It was read before, so it stops at the same fault.
        again.read_to(task.end, task, &mut Work::default());
        (self.journal, self.recorder) = (again.journal, again.recorder);
    }

    /// The reading of the text before `pos`, where a token begins, as it was made: without any edit that reaches further.
    pub(super) fn rewound(&self, pos: usize, task: &Task<'_>, work: &mut Work) -> Self {
        let mut journal = self.clone().into_journal();
        journal.truncate(journal.place_for(pos, 0));
        work.moves += journal.len() as u64;
        let mut again = Self { journal, score: self.score.clone(), ..Self::start(task) };
        again.recorder.ledger = Some(Box::default());
        again.read_to(pos, task, work);
        again.score.rewind(again.journal.entries(), task.rules);
        again
    }

    /// Reads through all edits up to `pos`, which no edit reaches across, or to the fault before it.
    fn read_to(&mut self, pos: usize, task: &Task<'_>, work: &mut Work) {
        let bytes = task.completion.as_bytes();
        work.steps += pos.saturating_sub(self.pos) as u64;
        while let Some(span) = self.journal.entries().get(self.cursor).map(Entry::span) {
            let before = bytes.get(..span.start).unwrap_or_default();
            let _ = self.run(before, self.pos, task);
            let _ = self.read_replacement(task, work);
            self.frontier = span.end;
            self.at_frontier = self.state;
        }
        self.sealed = self.journal.len();
        let stop = self.run(bytes.get(..pos).unwrap_or_default(), self.pos, task);
        if stop == Stop::Exhausted && pos == task.end {
            let _ = self.ended(task);
        }
        self.pos = pos;
    }
}
