//! How far the repair of a payload has come: all that outlives the text that is there.

use super::reading::Reading;
use super::search::Search;
use super::task::{HAS_STREAMS, Known, Mended, Refused, Task};
use super::veto::{PutOff, Vetoed};
use crate::looking::ledger::Ledger;
use crate::looking::peek::{Counted, Memory, Peek};
use crate::reading::work::Work;
use crate::rule::fault::Site;
use crate::rule::proposals::Proposals;

/// A repair that goes on with each piece of its text. It holds nothing of the text, so it may go from thread to thread between two pieces.
#[derive(Default)]
pub(crate) struct Progress {
    /// What was found out about the text; an engine that is at work has it.
    pub(super) memory: Memory,
    /// What this repair has spent, without what was spent before it.
    pub(super) work: Work,
    /// Whether nothing like a payload is around this one, once that was looked at.
    pub(super) is_alone: Option<bool>,
    /// Whether several readings are followed.
    pub(super) is_searching: bool,
    /// Where it goes on; `None` while an engine is at work.
    pub(super) phase: Option<Phase>,
    /// The end of the text when something was last decided: what was looked at for that is before it.
    pub(super) decided_at: usize,
    /// How many edits the readings share, and where the next one is, as they were when something was last decided.
    pub(super) parted_at: Option<(usize, usize)>,
    /// What was spent on questions whose answers depended on text that was not there yet: when it last went on, and in all.
    pub(crate) in_vain: u64,
    pub(super) all_in_vain: u64,
    /// What is to be asked when the text has ended.
    pub(super) vetoes: Vec<PutOff>,
    /// Whether a refusal waits for them: one before it may refuse the payload first.
    pub(super) waits_for_vetoes: bool,
    /// What was read when the payload was refused: what is settled of it holds until then.
    pub(super) left: Left,
}

/// What is left of a payload that was refused.
#[derive(Default)]
pub(super) struct Left {
    /// The readings that were the last to be followed.
    pub(super) readings: Vec<Reading>,
    /// The payload, where a veto refused it that was put off.
    pub(super) mended: Option<Mended>,
}

/// A repair at work on the text that is there.
pub(super) struct Engine<'e> {
    pub(super) task: &'e Task<'e>,
    pub(super) known: Option<Known<'e>>,
    pub(super) peek: Peek<'e>,
    /// Room for the answers of one rule.
    pub(super) proposals: Proposals,
    /// How far it has come.
    pub(super) progress: Progress,
    /// Whether anything was decided since it last went on.
    pub(super) has_decided: bool,
    /// Whether vetoes are asked at their faults, and none is put off.
    pub(super) asks_vetoes: bool,
}

/// What came of a payload; `None` if that depends on text that is not there yet.
pub(super) type Outcome = Option<Result<Mended, Refused>>;

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

/// What had been spent when something was asked.
pub(super) struct Before {
    pub(super) work: Work,
    pub(super) mark: Counted,
}

impl Progress {
    /// At the start of a payload.
    pub(crate) fn new(task: &Task<'_>) -> Self {
        // A reading is large, so it is made where it stays.
        let mut reading = Box::<Reading>::default();
        (reading.pos, reading.frontier) = (task.start, task.start);
        // While more may come, what suspects reach is not settled.
        if task.wants_early_ledger() || task.is_open() && task.rules.reach_of_all.has_suspects {
            reading.recorder.ledger = Some(Box::new(Ledger::early()));
        } else if let Some(checkpoint) = task.checkpoint() {
            reading.skip_to(checkpoint);
        }
        Self { phase: Some(Phase::One(reading, At::default())), ..Self::default() }
    }

    /// The result by all of the text, which is closed; what was spent before is counted with it.
    pub(super) fn close<'e>(self, task: &'e Task<'e>, known: Option<Known<'e>>) -> Result<Mended, Refused> {
        let mut engine = self.engine(task, known);
        let mut result = engine.proceed_closed();
        let skipped = task.checkpoint().map_or(0, |checkpoint| checkpoint.pos - task.start) as u64;
        if HAS_STREAMS && matches!(engine.vetoed(), Vetoed::At(_)) {
            let spent = engine.own_work();
            let mut again = Self::new(task).engine(task, known);
            again.asks_vetoes = true;
            result = again.proceed_closed();
            *work_of(&mut result) += Work { unmade: spent.unmade + skipped, ..spent };
        }
        *work_of(&mut result) += Work { unmade: task.work.unmade + skipped, ..task.work };
        result
    }

    pub(super) fn engine<'e>(mut self, task: &'e Task<'e>, known: Option<Known<'e>>) -> Engine<'e> {
        let memory = std::mem::take(&mut self.memory);
        // What former candidates have spent is missing here.
        let room = task.work.room(task.bytes);
        let peek = Peek::resumed(task.completion, task.end, task.is_open(), room, memory);
        (self.in_vain, self.left) = (0, Left::default());
        let proposals = Proposals::default();
        Engine { task, known, peek, proposals, progress: self, has_decided: false, asks_vetoes: false }
    }
}

impl Engine<'_> {
    /// What the vetoes say that were put off. Those that do not hold are not asked again.
    pub(super) fn vetoed(&mut self) -> Vetoed {
        if self.progress.vetoes.is_empty() {
            return Vetoed::Not;
        }
        let before = self.before();
        self.peek.text.note_touched(false);
        let first = self
            .progress
            .vetoes
            .iter()
            .find(|put_off| put_off.holds(self.task, &self.peek))
            .map(|put_off| put_off.site);
        let touched = self.peek.text.has_touched_end();
        match before {
            // It is asked again at the end, and counted there.
            Some(before) if first.is_some() || touched => self.go_back(before),
            _ => self.progress.vetoes.clear(),
        }
        match first {
            _ if touched && self.task.is_open() => Vetoed::Waits,
            Some(site) => Vetoed::At(site),
            None => Vetoed::Not,
        }
    }

    /// The result by all of a text.
    fn proceed_closed(&mut self) -> Result<Mended, Refused> {
        self.proceed().unwrap_or_else(|| unreachable!("a closed text leaves nothing to wait for"))
    }
}

fn work_of(result: &mut Result<Mended, Refused>) -> &mut Work {
    match result {
        Ok(mended) => &mut mended.work,
        Err(refused) => &mut refused.work,
    }
}
