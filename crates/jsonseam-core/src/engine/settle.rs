//! What is settled of a text of which more may come: no later edit changes it, whatever follows.

use std::ops::Range;

use super::progress::{At, Engine, Phase, Progress};
use super::reading::{CUT, Reading};
use super::sight::Sight;
use super::task::{Mended, Refused, Task};
use super::veto::Vetoed;
use crate::looking::trace::RecordedToken;
use crate::reading::expected::Expected;
use crate::reading::recognise::{Next, Partial, Stop};
use crate::reading::token::{REACH, REMEMBERED};
use crate::reading::work::Work;

/// Up to where a text was returned, and how many edits that were.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Done {
    pub(crate) pos: usize,
    pub(crate) edits: usize,
}

/// A piece of a repaired text.
pub(crate) enum Piece<'j> {
    /// What stays as it was written.
    Kept(Range<usize>),
    /// What an edit puts there.
    Edit { span: Range<usize>, replacement: &'j str, rule: u16 },
}

impl Progress {
    /// Lets a reading that is alone and waits for nothing read on to the end of the text; `false` if the engine has to see why it stops.
    pub(crate) fn glide(&mut self, task: &Task<'_>) -> bool {
        self.alone().is_some_and(|reading| reading.glide(task))
    }

    /// The same over plain content of the string that is open.
    pub(crate) fn pass(&mut self, from: usize, to: usize) -> bool {
        self.alone().is_some_and(|reading| reading.pass(from, to))
    }

    /// The reading that is alone and waits for nothing.
    fn alone(&mut self) -> Option<&mut Reading> {
        match &mut self.phase {
            Some(Phase::One(reading, At { site: None, .. })) if self.in_vain == 0 => Some(reading),
            _ => None,
        }
    }

    /// Goes on with the text that is there, of which more may come, or begins with it.
    pub(crate) fn proceed(self, task: &Task<'_>) -> Self {
        let begun = if self.phase.is_some() { self } else { Self::new(task) };
        let mut engine = begun.engine(task, None);
        let mut result = engine.proceed();
        let vetoed = if result.is_some() { engine.vetoed() } else { Vetoed::Not };
        if let Vetoed::At(site) = vetoed {
            let refused = Refused::plain(site, Expected::String, engine.own_work());
            engine.progress.left.mended = result.replace(Err(refused)).and_then(Result::ok);
        }
        let Engine { peek, mut progress, has_decided, .. } = engine;
        progress.memory = peek.into_memory();
        progress.waits_for_vetoes = matches!(vetoed, Vetoed::Waits) && matches!(result, Some(Err(_)));
        progress.phase = result.map(Phase::Over).or(progress.phase);
        progress.all_in_vain += progress.in_vain;
        if has_decided {
            progress.decided_at = task.end;
            progress.parted_at = progress.parting();
        }
        progress
    }

    /// What came of it, if that is decided.
    pub(crate) fn result(&self) -> Option<&Result<Mended, Refused>> {
        match &self.phase {
            Some(Phase::Over(result)) if !self.waits_for_vetoes => Some(result),
            _ => None,
        }
    }

    /// What was spent: for what is decided, and in vain.
    pub(crate) fn work(&self) -> (Work, u64) {
        (self.work.and_examined(self.memory.counted.examined), self.all_in_vain)
    }

    /// Where it waits, if a fault is the reason.
    pub(crate) fn waits_at(&self) -> Option<usize> {
        if self.in_vain == 0 {
            return None;
        }
        self.readings().map(|reading| reading.pos).min()
    }

    /// Whether it has begun, and all that was decided holds for this task, whose text is all there: nothing was looked at beyond its end, and as
    /// much was spent before as was reckoned with.
    pub(crate) fn holds_for(&self, task: &Task<'_>) -> bool {
        let reckoned = Self::reckoned(task.bytes);
        let read_to = match &self.phase {
            Some(Phase::Over(Ok(mended))) => mended.payload.end,
            Some(Phase::Over(Err(_))) => 0,
            _ => self.readings().map(|reading| reading.come_to(task)).max().unwrap_or(0),
        };
        let has_begun = self.phase.is_some();
        has_begun && self.decided_at <= task.end && read_to <= task.end && task.work.total() <= reckoned.total()
    }

    /// What is spent before a payload is repaired, at most most often: the completion is read, and locators look for the payload.
    pub(crate) fn reckoned(bytes: usize) -> Work {
        Work { steps: 4 * bytes as u64 + 1024, ..Work::default() }
    }

    fn readings(&self) -> impl Iterator<Item = &Reading> {
        let (one, several) = match &self.phase {
            Some(Phase::One(reading, _)) => (Some(&**reading), None),
            Some(Phase::Several(search)) => (None, Some(search.readings())),
            Some(Phase::Over(_)) | None => (None, None),
        };
        one.into_iter().chain(several.into_iter().flatten()).chain(&self.left.readings)
    }

    /// How many edits all readings share, and where the next one is.
    fn parting(&self) -> Option<(usize, usize)> {
        let queued = match &self.phase {
            Some(Phase::Several(search)) => Some(search.queued()),
            _ => None,
        };
        let mut readings = self.readings();
        let first = readings.next()?;
        let parted = readings.filter_map(|other| first.parts_from(other, |one, other| one.rule() == other.rule()));
        let parted = parted.map(|parting| (parting.shared, parting.start)).chain(queued.into_iter().flatten());
        parted.reduce(|one, other| (one.0.min(other.0), one.1.min(other.1)))
    }

    /// Hands out what no later edit can change, from where `done` ended on.
    pub(crate) fn settle(&self, task: &Task<'_>, sight: Sight, done: &mut Done, take: &mut dyn FnMut(Piece<'_>)) {
        let mended = match &self.phase {
            Some(Phase::Over(result)) => result.as_ref().ok().or(self.left.mended.as_ref()),
            _ => None,
        };
        let (mut bound, shared, sealed, edits) = if let Some(mended) = mended {
            let bound = mended.payload.end.min(sight.most());
            let edits = mended.journal.entries().iter().skip(done.edits);
            (bound, usize::MAX, mended.journal.len(), edits.map(|entry| (&mended.journal, *entry)).collect())
        } else {
            let bound = match &self.phase {
                Some(Phase::One(reading, _)) => reading.bound(sight, task),
                _ => self.readings().map(|reading| reading.bound(sight, task)).min().unwrap_or(0),
            };
            let (shared, parted) = self.parted_at.unwrap_or((usize::MAX, usize::MAX));
            let bound = bound.min(sight.most()).min(parted);
            let Some(first) = self.readings().next().filter(|_| bound >= done.pos) else { return };
            if first.edits() > done.edits {
                let sealed = self.readings().map(Reading::sealed_edits).min().unwrap_or(0);
                (bound, shared, sealed, first.edits_from(done.edits))
            } else {
                (bound, shared, 0, Vec::new())
            }
        };
        for (journal, entry) in edits {
            let span = entry.span();
            // One that another may still come before waits with it.
            let is_last = span.start >= bound && done.edits >= sealed;
            if span.end > bound || is_last || done.edits >= shared {
                bound = bound.min(span.start);
                break;
            }
            take(Piece::Kept(done.pos..span.start));
            take(Piece::Edit { span: span.clone(), replacement: journal.replacement(&entry), rule: entry.rule() });
            (done.pos, done.edits) = (span.end, done.edits + 1);
        }
        if bound > done.pos {
            take(Piece::Kept(done.pos..bound));
            done.pos = bound;
        }
    }
}

impl Reading {
    /// Goes on over plain content of the open string from `from` to `to`; `false` if it is not there, in such a string and outside of its escapes.
    pub(super) fn pass(&mut self, from: usize, to: usize) -> bool {
        let is_here = self.pos == from && self.state.partial == Partial::Text { escape: 0 };
        if !is_here || self.cursor < self.journal.len() {
            return false;
        }
        self.resumes_from.get_or_insert(from);
        self.pos = to;
        true
    }

    /// Reads on to the end of an open text, if no edit is there to be read and nothing stops it; where something does, `read` stops there as well.
    pub(super) fn glide(&mut self, task: &Task<'_>) -> bool {
        if self.cursor < self.journal.len() {
            return false;
        }
        self.resumes_from.get_or_insert(self.pos);
        let text = task.completion.as_bytes().get(..task.end).unwrap_or_default();
        let stop = self.run(text, self.pos, task);
        self.pos = self.state.stopped_at(stop, task.end);
        stop == Stop::Exhausted
    }

    /// No later edit starts before this place.
    pub(super) fn bound(&self, sight: Sight, task: &Task<'_>) -> usize {
        let reach = sight.reach;
        let oldest = || {
            (0..REMEMBERED).rev().find_map(|back| self.recorder.nth_back(back)).map_or(task.start, RecordedToken::start)
        };
        let back = |count: usize| match count {
            0 => usize::MAX,
            count => self.recorder.nth_back(count - 1).map_or_else(oldest, RecordedToken::start),
        };
        let has_mark = sight.mark >= Some(back(REACH).min(self.pos));
        let tokens = reach.token_count(has_mark);
        let in_string = || {
            let is_settling = self.state.is_in_string() && self.pos > self.state.content_start;
            let read = match self.state.partial {
                Partial::Text { escape: 0 } => self.pos,
                _ => self.pos.min(self.state.escape_start),
            };
            let from = self.state.content_start.min(read);
            reach.bound_in_string(read, sight.solid_before(read, task).max(from), has_mark).filter(|_| is_settling)
        };
        let nearest = || self.recorder.nth_back(0);
        let held = || match nearest() {
            _ if tokens > 0 => back(tokens),
            Some(token) if reach.has_last(token.last_at(token.last_start())) => token.last_start(),
            _ => usize::MAX,
        };
        let reached = match self.state.partial {
            // What takes text between two tokens out of the way leaves room before it.
            Partial::None => held().min(nearest().map_or(task.start, RecordedToken::end)),
            // What is open may turn out to be a fault where it begins, so it does not count as a token.
            _ => in_string().unwrap_or_else(|| self.state.token_start.min(held())),
        };
        // What was taken out of the way after the root goes if the payload ends there.
        let end = if self.state.next == Next::End { self.root_end(task).max(self.frontier) } else { self.pos };
        let cut = || self.recorder.nth_back(CUT - 1).map_or(task.start, RecordedToken::start);
        let bound = reached.max(self.frontier).min(end);
        let bound = if reach.has_cut { bound.min(cut()) } else { bound };
        if !reach.has_suspects {
            return bound;
        }
        // The next token may be a suspect, which reaches back to the second one before it, edits between them or not.
        let next = self.recorder.nth_back(1).or(nearest()).map_or(task.start, RecordedToken::start);
        let suspect = self.recorder.ledger.as_ref().and_then(|ledger| ledger.first_suspect());
        bound.min(suspect.map_or(next, |suspect| suspect.min(next)))
    }

    /// How many of its edits no later one can come before.
    pub(super) fn sealed_edits(&self) -> usize {
        self.past.as_ref().map_or(0, |past| past.len) + self.sealed
    }

    /// How far it has come: no further than its root, once that is closed.
    pub(super) fn come_to(&self, task: &Task<'_>) -> usize {
        if self.state.next == Next::End { self.root_end(task) } else { self.pos }
    }
}
