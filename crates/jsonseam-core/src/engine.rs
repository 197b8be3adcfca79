//! The repair of one payload: recognise, stop at a fault, ask the rules, make an edit, go on (DESIGN 3).
//!
//! Where the rules have one answer the reading goes on with it. Where they have several, each is read on, and the cheapest reading wins
//! if it leads clearly (SPEC section 6). Most texts never get there: they are read by one reading from start to end.
//!
//! The text may be open: more of it may come. Then nothing is decided that depends on where it ends: what was asked in vain is taken back, and asked again
//! when more is there. So the decisions are those that the whole text leads to, and a closed text is the case in which nothing waits.

mod again;
mod answer;
mod ask;
mod help;
mod marks;
pub(crate) mod order;
mod past;
mod plan;
mod progress;
mod reading;
mod refuse;
mod review;
pub(crate) mod rules;
mod score;
mod search;
#[cfg(feature = "stream")]
mod settle;
#[cfg(feature = "stream")]
mod sight;
mod task;
mod thresholds;
mod veto;

pub(crate) use self::progress::Progress;
use self::progress::{At, Before, Engine, Outcome, Phase};
use self::reading::{Reading, Stopped};
#[cfg(feature = "stream")]
pub(crate) use self::settle::{Done, Piece};
#[cfg(feature = "stream")]
pub(crate) use self::sight::Sight;
pub(crate) use self::task::{Ambiguity, Help, Known, Mended, Refused, Task};
pub use self::thresholds::Thresholds;
pub(crate) use self::thresholds::{MAX_BEAM, MAX_COST, SearchSettings};
use self::veto::PutOff;
use crate::looking::peek::Peek;
use crate::reading::limits::Limit;
use crate::reading::work::Work;
use crate::rule::fault::Site;

/// Repairs the payload of `task`. With `known`, a refusal says which rules that are off would have helped (SPEC P6).
pub(crate) fn mend<'e>(task: &'e Task<'e>, known: Option<Known<'e>>) -> Result<Mended, Refused> {
    finish(Progress::new(task), task, known)
}

/// Goes on with what was begun to the end of the text, which is closed, and puts the payload to the rules once more (SPEC R7).
pub(crate) fn finish<'e>(begun: Progress, task: &'e Task<'e>, known: Option<Known<'e>>) -> Result<Mended, Refused> {
    review::reviewed(task, begun.close(task, known)?).map_err(|mut refused| {
        let objection = refused.objection.as_deref().zip(known.filter(|known| !known.is_of(task)));
        refused.help = objection.map(|(objection, known)| Box::new(help::of_objection(task, known, objection)));
        refused
    })
}

impl Engine<'_> {
    /// Goes on with the text that is there.
    fn proceed(&mut self) -> Outcome {
        match self.progress.phase.take()? {
            Phase::One(reading, at) => self.read_one(reading, at),
            Phase::Several(search) => self.weigh(search),
            Phase::Over(result) => Some(result),
        }
    }

    /// The one reading, as long as there is one.
    fn read_one(&mut self, mut reading: Box<Reading>, At { mut latest, mut site }: At) -> Outcome {
        let mut answers = Vec::new();
        let (site, limit) = loop {
            let stopped = site.take().map_or_else(|| self.read(&mut reading), Stopped::Fault);
            let site = match stopped {
                Stopped::Needs => return self.wait(Phase::One(reading, At { latest, site: None })),
                Stopped::Done(end) => {
                    let gap = reading.score.gap();
                    let payload = self.task.start..end;
                    return Some(Ok(Mended { journal: reading.take_journal(), payload, work: self.own_work(), gap }));
                }
                Stopped::TooDeep(pos) => {
                    break (Site { pos, problem: None, is_at_end: false }, Some((Limit::Depth, None)));
                }
                Stopped::Fault(site) => site,
            };
            let is_linear = self.spent().is_linear(self.task.bytes);
            if !is_linear && self.task.is_open() {
                return self.wait(Phase::One(reading, At { latest, site: Some(site) }));
            }
            if !is_linear || reading.journal.has_overflowed() {
                break (site, Some((Limit::Work, latest)));
            }
            if !self.ask(&mut reading, &site, &mut answers) {
                return self.wait(Phase::One(reading, At { latest, site: Some(site) }));
            }
            let is_one = answers.len() == 1 && answers[0].plan.is_some() && answers[0].doubt.is_none();
            if answers.len() > 1 || answers.len() == 1 && !is_one {
                return self.search(reading, site, answers);
            }
            let answer = answers.first().filter(|answer| answer.cost <= self.task.thresholds.veto);
            let Some((answer, plan)) = answer.and_then(|answer| Some((answer, answer.plan.as_ref()?))) else {
                break (site, None);
            };
            if let Some(veto) = answer.veto {
                self.progress.vetoes.push(PutOff::new(&reading, &site, veto));
            }
            latest = Some(answer.rule);
            if let Some(limit) = reading.take_step(answer, plan, &site, self.task, &mut self.progress.work) {
                return Some(Err(self.refuse(&reading, &site, Some((limit, latest)))));
            }
        };
        let refused = self.refuse(&reading, &site, limit);
        self.leave(reading);
        Some(Err(refused))
    }

    /// Lets `reading` read on to where it stops.
    fn read(&mut self, reading: &mut Reading) -> Stopped {
        let stopped = self.reads(|task, peek, work| reading.read(task, peek, work));
        if reading.lacks_tokens(self.task) {
            reading.record_again(None, self.task, &self.peek);
        }
        stopped
    }

    /// Lets something be read. What was looked at to see that it has to wait is taken back; what was read stays.
    fn reads(&mut self, read: impl FnOnce(&Task<'_>, &Peek<'_>, &mut Work) -> Stopped) -> Stopped {
        let mark = self.task.is_open().then(|| self.peek.mark());
        let stopped = read(self.task, &self.peek, &mut self.progress.work);
        match mark {
            Some(mark) if matches!(stopped, Stopped::Needs) => self.progress.in_vain += self.peek.go_back(mark),
            _ => self.has_decided = true,
        }
        stopped
    }

    fn wait(&mut self, phase: Phase) -> Outcome {
        self.progress.phase = Some(phase);
        None
    }

    /// What was spent before something that may have to be taken back; nothing of a closed text has.
    fn before(&self) -> Option<Before> {
        self.task.is_open().then(|| Before { work: self.progress.work, mark: self.peek.mark() })
    }

    fn go_back(&mut self, before: Before) {
        let read = self.peek.go_back(before.mark);
        self.progress.in_vain += self.progress.work.total() - before.work.total() + read;
        self.progress.work = before.work;
    }

    /// What this repair has spent.
    fn own_work(&self) -> Work {
        self.progress.work.and_examined(self.peek.text.examined())
    }

    /// The same with what was spent before it.
    fn spent(&self) -> Work {
        let mut spent = self.task.work;
        spent += self.own_work();
        spent
    }
}
