//! Readings of what was read before: from a checkpoint shortly before the first fault, from the start with a ledger, or only up to an earlier place.

use super::reading::Reading;
use super::task::Task;
use crate::looking::ledger::Ledger;
use crate::looking::peek::Peek;
use crate::looking::trace::checkpoints::Checkpoint;
use crate::reading::token::REMEMBERED;
use crate::reading::work::Work;

impl Reading {
    /// Begins where the first reading of the completion has come without a fault. The bounds reckon with that part as if it were read again.
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
    pub(super) fn keep_ledger(&mut self, task: &Task<'_>, peek: &Peek<'_>, work: &mut Work) {
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
            self.record_again(Some(Box::new(Ledger::early())), task, peek);
        }
        if let Some(ledger) = &mut self.recorder.ledger {
            ledger.is_early = false;
            work.unmade = work.unmade.saturating_sub(std::mem::take(&mut ledger.examined));
        }
    }

    /// Records the text once more from its start, with this ledger.
    pub(super) fn record_again(&mut self, ledger: Option<Box<Ledger>>, task: &Task<'_>, peek: &Peek<'_>) {
        let mut again = Self { journal: std::mem::take(&mut self.journal), ..Self::start(task) };
        again.recorder.ledger = ledger;
        let examined = peek.text.examined();
        // It was read before, so it stops at the same fault.
        let _ = again.read(task, peek, &mut Work::default());
        peek.text.count_from(examined);
        (self.journal, self.recorder) = (again.journal, again.recorder);
    }

    /// The reading of the text before `pos`, where a token begins, as it was made: without any edit that reaches further.
    pub(super) fn rewound(&self, pos: usize, task: &Task<'_>, peek: &Peek<'_>, work: &mut Work) -> Self {
        let mut journal = self.clone().take_journal();
        journal.truncate(journal.place_for(pos, 0));
        work.moves += journal.len() as u64;
        let mut again = Self { journal, score: self.score.clone(), ..Self::start(task) };
        again.recorder.ledger = Some(Box::default());
        // There is no fault on the way. First through the edits, then up to the place.
        let _ = again.read_until(0, task, peek, work);
        (again.frontier, again.at_frontier, again.sealed) = (again.pos, again.state, again.journal.len());
        let _ = again.read_until(pos, task, peek, work);
        again.score.rewind(again.journal.entries(), task.rules);
        again
    }
}
