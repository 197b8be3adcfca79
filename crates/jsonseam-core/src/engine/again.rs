//! Readings of what was read before: from a checkpoint shortly before the first fault, from the start with a ledger, or only up to an earlier place.

use super::reading::Reading;
use super::task::Task;
use crate::edits::journal::Entry;
use crate::looking::peek::Peek;
use crate::looking::trace::checkpoints::Checkpoint;
use crate::reading::token::REMEMBERED;
use crate::reading::work::Work;

impl Reading {
    /// Begins where another reading has come without a fault. What it has read counts as read.
    pub(super) fn skip_to(&mut self, checkpoint: &Checkpoint) {
        self.resumes_from = Some(self.pos);
        (self.state, self.pos, self.has_skipped) = (checkpoint.state, checkpoint.pos, true);
        self.recorder.frames.open_all(checkpoint.open());
    }

    /// Whether it has skipped tokens that would be remembered. Asked at the first fault.
    pub(super) fn lacks_tokens(&mut self) -> bool {
        std::mem::take(&mut self.has_skipped) && self.recorder.nth_back(REMEMBERED - 1).is_none()
    }

    /// Keeps from now on what the payload says about keys and lines, from its start to this fault. Does nothing for a reading that does so already.
    pub(super) fn keep_ledger(&mut self, task: &Task<'_>, peek: &Peek<'_>, work: &mut Work) {
        if self.recorder.ledger().is_some() {
            return;
        }
        // The text is read once more, and its keys and blanks are looked at.
        work.steps += 2 * (self.pos - task.start) as u64 + self.journal.len() as u64;
        // A token that touches an edit ends elsewhere when it is read again.
        let is_as_read = task.breaks_off && self.journal.len() == 0 && self.past.is_none();
        if let Some(early) = self.recorder.ledger.as_mut().filter(|_| is_as_read) {
            (early.examined, early.is_early) = (0, false);
            return;
        }
        let mut again = Self::start(task);
        again.recorder.ledger = Some(Box::default());
        again.journal = std::mem::take(&mut self.journal);
        let examined = peek.text.examined();
        // It was read before, so it stops at the same fault.
        let _ = again.read(task, peek, &mut Work::default());
        peek.text.count_from(examined);
        (self.journal, self.recorder) = (again.journal, again.recorder);
    }

    /// The reading of the text before `pos`, where a token begins, as it was made: without any edit that reaches further.
    pub(super) fn rewound(&self, pos: usize, task: &Task<'_>, work: &mut Work) -> Self {
        let mut journal = self.clone().take_journal();
        journal.truncate(journal.place_for(pos, 0));
        work.moves += journal.len() as u64;
        let mut again = Self { journal, score: self.score.clone(), ..Self::start(task) };
        again.recorder.ledger = Some(Box::default());
        again.read_to(pos, task, work);
        again.score.rewind(again.journal.entries(), task.rules);
        again
    }

    /// Reads through all edits up to `pos`, which no edit reaches across. There is no fault on the way.
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
        let _ = self.run(bytes.get(..pos).unwrap_or_default(), self.pos, task);
        self.pos = pos;
    }
}
