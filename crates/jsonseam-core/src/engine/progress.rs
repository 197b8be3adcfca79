//! How far the repair of a payload has come: all that outlives the text that is there.

use super::reading::Reading;
use super::search::Search;
use super::task::{Known, Mended, Refused, Task};
use super::{Engine, help, review};
use crate::peek::{Mark, Memory, Peek};
use crate::proposals::Proposals;
use crate::work::Work;

/// A repair that goes on with each piece of its text. It holds nothing of the text, so it may go from thread to thread between two pieces.
pub(crate) struct Progress {
    memory: Memory,
    work: Work,
    is_alone: Option<bool>,
    is_searching: bool,
    phase: Phase,
    /// The end of the text when something was last decided: what was looked at lies before it.
    pub(crate) decided_at: usize,
    /// What was spent on questions whose answers depended on text that was not there yet: when it last went on, and in all.
    pub(crate) in_vain: u64,
    pub(crate) all_in_vain: u64,
}

/// Where it goes on.
pub(super) enum Phase {
    /// With one reading; the rule that made the latest edit.
    One(Box<Reading>, Option<u16>),
    /// With several.
    Several(Box<Search>),
    /// All is decided.
    Over(Result<Mended, Refused>),
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
            phase: Phase::One(Box::new(Reading::start(task)), None),
            decided_at: 0,
            in_vain: 0,
            all_in_vain: 0,
        }
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

    fn engine<'e>(self, task: &'e Task<'e>, known: Option<Known<'e>>) -> Engine<'e> {
        let Self { memory, work, is_alone, is_searching, phase, .. } = self;
        let peek = Peek::resumed(task.completion, task.end, task.is_open, memory);
        // What former candidates have spent is missing here.
        peek.cap_allowance(task.work.room(task.bytes));
        let proposals = Proposals::default();
        Engine { task, known, peek, work, is_alone, is_searching, proposals, phase: Some(phase), in_vain: 0 }
    }
}
