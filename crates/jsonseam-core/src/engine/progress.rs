//! How far the repair of a payload has come: all that outlives the text that is there.

use std::ops::Range;

use super::reading::{Reading, Sight};
use super::search::Search;
use super::task::{Known, Mended, Refused, Task};
use super::{Engine, help, review};
use crate::fault::Site;
use crate::peek::{Mark, Memory, Peek};
use crate::proposals::Proposals;
use crate::reach::Reach;
use crate::work::Work;

/// A repair that goes on with each piece of its text. It holds nothing of the text, so it may go from thread to thread between two pieces.
pub(crate) struct Progress {
    memory: Memory,
    work: Work,
    is_alone: Option<bool>,
    is_searching: bool,
    phase: Phase,
    /// The end of the text when something was last decided: what was looked at for that is before it.
    decided_at: usize,
    /// How many edits the readings share, and where the next one is, as they were when something was last decided.
    parted_at: Option<(usize, usize)>,
    /// What was spent on questions whose answers depended on text that was not there yet: when it last went on, and in all.
    in_vain: u64,
    all_in_vain: u64,
}

/// Where it goes on.
pub(super) enum Phase {
    /// With one reading.
    One(Box<Reading>, At),
    /// With several.
    Several(Box<Search>),
    /// All is decided.
    Over(Result<Mended, Refused>),
}

/// Where one reading is: the rule that made the latest edit, and the fault that waits for an answer, if one does.
#[derive(Default)]
pub(super) struct At {
    pub(super) latest: Option<u16>,
    pub(super) site: Option<Site>,
}

/// Up to where a text was handed out, and how many edits that were.
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

/// What had been spent when something was asked.
pub(super) struct Before {
    pub(super) work: Work,
    pub(super) mark: Mark,
}

impl Progress {
    /// At the start of a payload.
    pub(crate) fn new(task: &Task<'_>) -> Self {
        Self {
            memory: Memory::default(),
            work: Work::default(),
            is_alone: None,
            is_searching: false,
            phase: Phase::One(Box::new(Reading::start(task)), At::default()),
            decided_at: 0,
            parted_at: None,
            in_vain: 0,
            all_in_vain: 0,
        }
    }

    /// The same of a text of which more may come, repaired by rules that reach so far.
    pub(crate) fn open(task: &Task<'_>, reach: Reach) -> Self {
        let mut reading = Box::new(Reading::start(task));
        if reach.has_suspects() {
            reading.keep_early_ledger();
        }
        Self { phase: Phase::One(reading, At::default()), ..Self::new(task) }
    }

    /// The result by all of the text, which is closed.
    pub(crate) fn finish<'e>(self, task: &'e Task<'e>, known: Option<Known<'e>>) -> Result<Mended, Refused> {
        let mut engine = self.engine(task, known);
        let result = engine.proceed().unwrap_or_else(|| unreachable!("a closed text leaves nothing to wait for"));
        let with_former = |work: &mut Work| *work += task.work;
        let mut mended = result.map_err(|mut refused| {
            with_former(&mut refused.work);
            refused
        })?;
        with_former(&mut mended.work);
        review::reviewed(task, mended).map_err(|mut refused| {
            let objection = refused.objection.as_deref().zip(known);
            refused.help = objection.map(|(objection, known)| Box::new(help::of_objection(task, known, objection)));
            refused
        })
    }

    /// Goes on with the text that is there, of which more may come.
    pub(crate) fn proceed(self, task: &Task<'_>) -> Self {
        let Self { decided_at, parted_at, all_in_vain, .. } = self;
        let mut engine = self.engine(task, None);
        let phase = engine.proceed().map(Phase::Over);
        let Engine { peek, work, is_alone, is_searching, in_vain, has_decided, .. } = engine;
        let phase = phase.or(engine.phase).unwrap_or_else(|| unreachable!("it waits where it did not come to an end"));
        let mut progress = Self {
            memory: peek.into_memory(),
            work,
            is_alone,
            is_searching,
            phase,
            decided_at: if has_decided { task.end } else { decided_at },
            parted_at,
            in_vain,
            all_in_vain: all_in_vain + in_vain,
        };
        if has_decided {
            progress.parted_at = progress.parting();
        }
        progress
    }

    /// What came of it, if that is decided.
    pub(crate) fn result(&self) -> Option<&Result<Mended, Refused>> {
        match &self.phase {
            Phase::Over(result) => Some(result),
            Phase::One(..) | Phase::Several(_) => None,
        }
    }

    /// What was spent: for what is decided, and in vain.
    pub(crate) fn work(&self) -> (Work, u64) {
        (self.work.and_examined(self.memory.examined()), self.all_in_vain)
    }

    /// What finding out took that it has to wait.
    pub(crate) fn price(&self) -> u64 {
        self.in_vain
    }

    /// Where it waits, if a fault is the reason.
    pub(crate) fn waits_at(&self) -> Option<usize> {
        let readings: Vec<_> = self.readings().collect();
        let at = readings.iter().map(|reading| reading.pos).min()?;
        (self.in_vain > 0).then_some(at)
    }

    /// Whether all that was decided holds for this task, whose text is all there: nothing was looked at beyond its end, and as much was spent
    /// before as was reckoned with.
    pub(crate) fn holds_for(&self, task: &Task<'_>) -> bool {
        let reckoned = Self::reckoned(task.bytes);
        let read_to = match &self.phase {
            Phase::Over(Ok(mended)) => mended.payload.end,
            Phase::Over(Err(_)) => 0,
            Phase::One(..) | Phase::Several(_) => {
                self.readings().map(|reading| reading.come_to(task)).max().unwrap_or(0)
            }
        };
        self.decided_at <= task.end && read_to <= task.end && task.work.total() <= reckoned.total()
    }

    /// What is spent before a payload is repaired, at most most often: the completion is read, and locators look for the payload.
    pub(crate) fn reckoned(bytes: usize) -> Work {
        Work { steps: 4 * bytes as u64 + 1024, ..Work::default() }
    }

    fn readings(&self) -> impl Iterator<Item = &Reading> {
        let (one, several) = match &self.phase {
            Phase::One(reading, _) => (Some(&**reading), None),
            Phase::Several(search) => (None, Some(search.readings())),
            Phase::Over(_) => (None, None),
        };
        one.into_iter().chain(several.into_iter().flatten())
    }

    /// How many edits all readings share, and where the next one is.
    fn parting(&self) -> Option<(usize, usize)> {
        let Phase::Several(search) = &self.phase else { return None };
        let mut readings = search.readings();
        let first = readings.next()?;
        let parted = readings.filter_map(|other| first.parts_from(other)).chain(search.queued());
        parted.reduce(|one, other| (one.0.min(other.0), one.1.min(other.1)))
    }

    /// Hands out what no later edit can change, from where `done` ended on: rules reach so far back, and nothing from `most` on is settled.
    pub(crate) fn settle(
        &self,
        task: &Task<'_>,
        (reach, sight): (Reach, Sight),
        most: usize,
        done: &mut Done,
        take: &mut dyn FnMut(Piece<'_>),
    ) {
        let (mut bound, shared, sealed, edits) = match &self.phase {
            Phase::Over(Err(_)) => return,
            Phase::Over(Ok(mended)) => {
                let bound = mended.payload.end.min(most);
                let edits = mended.journal.entries().iter().skip(done.edits);
                (bound, usize::MAX, mended.journal.len(), edits.map(|entry| (&mended.journal, *entry)).collect())
            }
            Phase::One(..) | Phase::Several(_) => {
                let bound = self.readings().map(|reading| reading.bound(reach, sight, task)).min();
                let (shared, parted) = self.parted_at.unwrap_or((usize::MAX, usize::MAX));
                let bound = bound.unwrap_or(0).min(most).min(parted);
                let Some(first) = self.readings().next().filter(|_| bound > done.pos) else { return };
                let sealed = self.readings().map(Reading::sealed_edits).min().unwrap_or(0);
                (bound, shared, sealed, first.edits_from(done.edits))
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

    fn engine<'e>(self, task: &'e Task<'e>, known: Option<Known<'e>>) -> Engine<'e> {
        let Self { memory, work, is_alone, is_searching, phase, .. } = self;
        let peek = Peek::resumed(task.completion, task.end, task.is_open, memory);
        // What former candidates have spent is missing here.
        peek.cap_allowance(task.work.room(task.bytes));
        let proposals = Proposals::default();
        Engine {
            task,
            known,
            peek,
            work,
            is_alone,
            is_searching,
            proposals,
            phase: Some(phase),
            in_vain: 0,
            has_decided: false,
        }
    }
}
