//! One completion on its way: locate, recognise, repair, judge (SPEC P1 to P6).
//!
//! Boundary: nothing leaves this module as repaired that a strict decoder other than ours has not read.

#[cfg(feature = "stream")]
mod begun;
mod beside;
mod candidates;
mod choose;
mod complete;
mod edited;
pub(crate) mod explain;
pub(crate) mod further;
mod judge;
pub(crate) mod options;
pub(crate) mod other_root;
mod outcomes;
mod usual;

use std::cell::{Cell, OnceCell};
use std::ops::Range;

#[cfg(feature = "stream")]
pub(crate) use self::begun::Begun;
use self::options::{RepairOptions, Settings};
use crate::edits::journal::Journal;
use crate::engine::rules::RuleTable;
use crate::engine::{Help, Known, Mended, Task, mend};
use crate::locate::{Candidate, Ending, Reached, Region, Seen, trim};
use crate::looking::peek::text_to;
use crate::looking::trace::checkpoints::{Broken, Checkpoint};
use crate::reading::limits::Limit;
use crate::reading::openers::byte_before;
use crate::reading::position::Position;
use crate::reading::recognise::{Next, Stop, is_valid};
use crate::reading::scan::is_json_space;
use crate::reading::wanted::Policy;
use crate::reading::work::Work;
use crate::results::error::Error;
use crate::results::reason::Reason;
use crate::results::repaired::Repaired;

/// What a stream has begun: nothing in a build without streams.
#[cfg(not(feature = "stream"))]
pub(crate) enum Begun {}

/// One completion on its way.
pub(crate) struct Attempt<'p, 'a> {
    settings: &'p Settings,
    rules: &'p RuleTable,
    completion: &'a str,
    options: &'p RepairOptions<'p>,
    policy: Policy,
    /// Whether the candidates are wanted for the list of them alone: one too many is then no refusal, and why the model stopped says nothing of them.
    is_survey: bool,
    /// The rules that are known, if someone asks which of them would have helped.
    known: Option<Known<'p>>,
    /// What was spent so far: regions count here what locators read of them, and what a repair has spent includes all that was spent before it.
    work: Cell<Work>,
    seen: &'p Seen,
    /// Where the first value of the completion begins, and where it was found not to be JSON before it ended.
    broken: Cell<Option<(usize, usize)>>,
    /// Where the first value that was found not to be JSON may be read again.
    checkpoint: OnceCell<Box<Checkpoint>>,
    /// Room for the text of the first result.
    pub(crate) room: Cell<String>,
    /// What a stream has begun.
    pub(crate) begun: Cell<Option<Begun>>,
}

impl<'p, 'a> Attempt<'p, 'a> {
    pub(crate) fn new(
        settings: &'p Settings,
        completion: &'a str,
        options: &'p RepairOptions<'p>,
        seen: &'p Seen,
    ) -> Self {
        Self {
            settings,
            rules: &settings.rules,
            completion,
            options,
            policy: settings.policy,
            is_survey: false,
            known: None,
            work: Cell::new(Work::default()),
            seen,
            broken: Cell::new(None),
            checkpoint: OnceCell::new(),
            room: Cell::default(),
            begun: Cell::default(),
        }
    }

    fn spend(&self, steps: usize) {
        self.work.update(|work| Work { steps: work.steps + steps as u64, ..work });
    }

    /// Whether the completion is valid JSON as it is; the error is the recogniser's own fault.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let len = self.completion.len();
        if len > self.settings.limits.max_input_bytes {
            return Err(Error::limit(Limit::InputBytes));
        }
        // Most often there is no fault to name.
        if is_valid(self.completion.as_bytes(), self.settings.limits.max_depth) {
            return Ok(());
        }
        let whole = Candidate::plain(0..len, Ending::Exact);
        let nothing = RuleTable::default();
        let task = Task { rules: &nothing, is_last: true, ..self.task(&whole, len) };
        mend(&task, None).map(drop).map_err(|refused| {
            let reason = if refused.site.is_at_end { Reason::Truncated } else { Reason::Syntax };
            let error = match refused.limit {
                Some((limit, _)) => Error::limit(limit),
                None => Error::new(reason).expecting(refused.expected),
            };
            self.placed(refused_at(error, refused.site.pos)).error
        })
    }

    /// Repairs the completion, which was read as it is.
    pub(crate) fn repair(&self, first: Result<(), Broken>) -> Result<Repaired<'a>, Refusal> {
        self.find_and_mend(first).map_err(|refusal| self.placed(refusal))
    }

    fn find_and_mend(&self, first: Result<(), Broken>) -> Result<Repaired<'a>, Refusal> {
        self.spend(self.completion.len());
        match first {
            Ok(()) => {
                let whole = 0..self.completion.len();
                let Some(reason) = other_root::refusal_of_valid(self.completion, self.settings.root) else {
                    return Ok(self.untouched(whole));
                };
                let found = self.unwrapped(&self.region(whole), reason)?;
                return self.choose(&[], found);
            }
            Err(Broken { stop: Stop::TooDeep(pos), .. }) => {
                return Err(refused_at(Error::limit(Limit::Depth), pos));
            }
            Err(broken) => {
                let unmade = (self.completion.len() - broken.at) as u64;
                self.work.update(|work| Work { unmade, ..work });
                self.remember(broken);
            }
        }
        if let Some(repaired) = self.usual() {
            return Ok(repaired);
        }
        // Locators may read all of it once; the bounds reckon with that, so that what they need not read decides nothing.
        let len = self.completion.len() as u64;
        self.work.update(|work| Work { steps: work.steps + len, unmade: work.unmade + len, ..work });
        let parts = self.regions()?;
        let candidates = self.candidates(&parts)?;
        self.choose(&parts, candidates)
    }

    /// Remembers where the first value begins, and where it stops being JSON or its root ended.
    fn remember(&self, broken: Broken) {
        let Some(start) = self.completion.bytes().position(|byte| !is_json_space(byte)) else { return };
        match self.reached(Err(broken)) {
            // What breaks off is not whole before its end either.
            Reached::Fault(at) => self.broken.set(Some((start, at))),
            reached => self.seen.remember_value(start..self.completion.len(), reached),
        }
    }

    /// How far a value is valid that was read. Its checkpoint is kept if there is none yet.
    fn reached(&self, read: Result<(), Broken>) -> Reached {
        let Err(broken) = read else { return Reached::End };
        if matches!(broken.stop, Stop::Unexpected(_)) && broken.state.next == Next::End {
            return Reached::AfterRoot(broken.at);
        }
        if let Some(checkpoint) = broken.checkpoint {
            let _ = self.checkpoint.set(checkpoint);
        }
        Reached::Fault(broken.at)
    }

    fn untouched(&self, payload: Range<usize>) -> Repaired<'a> {
        self.assemble(Mended { journal: Journal::default(), payload, work: self.work.get(), gap: None })
    }

    /// The refusal with its place, and with all that was spent.
    fn placed(&self, mut refusal: Refusal) -> Refusal {
        if let Some(offset) = refusal.offset {
            self.spend(offset);
            refusal.error = refusal.error.at(Position::of(offset, self.completion));
        }
        refusal.error = refusal.error.after(self.work.get());
        refusal
    }

    fn region(&self, span: Range<usize>) -> Region<'_> {
        let span = trim(self.completion, span);
        Region {
            completion: self.completion,
            read: text_to(self.completion, span.end),
            span,
            root: self.settings.root,
            policy: self.policy,
            max_depth: self.settings.limits.max_depth,
            work: &self.work,
            seen: self.seen,
        }
    }

    fn task(&self, candidate: &Candidate, region_end: usize) -> Task<'_> {
        let end = candidate.span.end;
        let is_last = self.is_last(end, region_end);
        Task {
            completion: self.completion,
            bytes: self.completion.len(),
            start: candidate.span.start,
            end,
            is_open_ended: candidate.ending == Ending::RootClose,
            before: byte_before(self.completion, candidate.span.start),
            is_region_end: end == region_end,
            is_last,
            breaks_off: self.broken.get().is_some_and(|(start, pos)| start == candidate.span.start && pos >= end),
            checkpoint: self.checkpoint.get().map(|checkpoint| &**checkpoint),
            is_open: false,
            rules: self.rules,
            limits: &self.settings.limits,
            thresholds: self.settings.thresholds,
            evidence: self.options.evidence,
            work: self.work.get(),
        }
    }
}

/// A refusal whose place is not counted yet.
pub(crate) struct Refusal {
    pub(crate) error: Error,
    /// What the rules that are off would have done, if someone asks.
    pub(crate) help: Option<Box<Help>>,
    /// Where the fault is. Lines are counted for the refusal that is reported: each of many candidates may have one.
    offset: Option<usize>,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self { error, help: None, offset: None }
    }
}

/// A refusal for what is at `offset`.
fn refused_at(error: Error, offset: usize) -> Refusal {
    Refusal { offset: Some(offset), ..error.into() }
}
