//! A repair that a stream has begun, for the whole text.

use super::{Attempt, Refusal};
use crate::engine::{Mended, Progress, Refused, Task, finish, mend};
use crate::locate::{Candidate, Ending, trim};
use crate::results::repaired::Repaired;

/// How far a stream has come with a payload.
pub(crate) struct Begun {
    pub(crate) start: usize,
    pub(crate) is_open_ended: bool,
    pub(crate) progress: Progress,
}

impl<'a> Attempt<'_, 'a> {
    /// Repairs a payload, or goes on with what was begun.
    pub(super) fn mend(&self, task: &Task<'_>) -> Result<Mended, Refused> {
        let is_same = |begun: &Begun| {
            (begun.start, begun.is_open_ended) == (task.start, task.is_open_ended) && begun.progress.holds_for(task)
        };
        match self.begun.take() {
            Some(begun) if is_same(&begun) => finish(begun.progress, task, self.known),
            begun => {
                self.begun.set(begun);
                mend(task, self.known)
            }
        }
    }

    /// The payload that starts at `start` and is the rest of the text.
    pub(crate) fn repair_at(&self, start: usize) -> Result<Repaired<'a>, Refusal> {
        let end = self.completion.len();
        let candidate = Candidate::plain(trim(self.completion, start..end), Ending::Exact);
        self.repair_candidate(&self.checked(candidate, end)).map_err(|refusal| self.placed(refusal))
    }

    /// Whether a payload that starts at `start` ends where its root closes, by what the locators say of the text so far.
    pub(crate) fn is_open_ended(&self, start: usize) -> bool {
        let region = self.region(start..self.completion.len());
        let found = self.rules.payload_locators.iter().filter_map(|locator| self.located(locator, &region).ok());
        let first = found.flat_map(|found| found.found).find(|candidate| candidate.span.start == start);
        first.is_some_and(|candidate| candidate.ending == Ending::RootClose)
    }
}
