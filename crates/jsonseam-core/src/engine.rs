//! The repair of one payload: recognise, stop at a fault, ask the rules, make an edit, go on (DESIGN 3).
//!
//! Where the rules have one answer the reading goes on with it. Where they have several, each is read on, and the cheapest reading wins
//! if it leads clearly (SPEC section 6). Most texts never get there: they are read by one reading from start to end.

mod answer;
mod ask;
pub(crate) mod costs;
mod help;
pub(crate) mod ledger;
mod marks;
mod plan;
mod reading;
mod review;
mod score;
mod search;
mod task;

pub use self::costs::{Clue, Thresholds};
use self::reading::{Reading, Stopped};
pub(crate) use self::task::{Ambiguity, Help, Known, Mended, Refused, Task};
use crate::fault::Site;
use crate::limits::Limit;
use crate::peek::Peek;
use crate::proposals::Proposals;
use crate::recognise::Next;
use crate::work::Work;

/// Repairs the payload of `task`. With `known`, a refusal says which rules that are off would have helped (SPEC P6).
pub(crate) fn mend<'e>(task: &'e Task<'e>, known: Option<Known<'e>>) -> Result<Mended, Refused> {
    let peek = Peek::new(task.completion, task.end);
    // What former candidates have spent is missing here.
    peek.cap_allowance(task.work.room(task.bytes));
    let engine = Engine {
        task,
        known,
        peek,
        work: task.work,
        is_alone: true,
        is_searching: false,
        proposals: Proposals::default(),
    };
    review::reviewed(task, engine.mend()?).map_err(|mut refused| {
        let objection = refused.objection.as_deref().zip(known);
        refused.help = objection.map(|(objection, known)| Box::new(help::of_objection(task, known, objection)));
        refused
    })
}

struct Engine<'e> {
    task: &'e Task<'e>,
    known: Option<Known<'e>>,
    peek: Peek<'e>,
    work: Work,
    /// Whether nothing like a payload is around this one. Found out by the search.
    is_alone: bool,
    /// Whether several readings are followed.
    is_searching: bool,
    /// Room for the answers of one rule.
    proposals: Proposals,
}

impl<'e> Engine<'e> {
    /// The one reading, as long as there is one.
    fn mend(mut self) -> Result<Mended, Refused> {
        let mut reading = Reading::start(self.task);
        let mut latest = None;
        let mut answers = Vec::with_capacity(4);
        loop {
            let site = match reading.read(&self.peek, &mut self.work) {
                Stopped::Done(end) => {
                    let work = self.work.and_examined(self.peek.examined());
                    let gap = reading.score.gap();
                    return Ok(Mended { journal: reading.journal, payload: self.task.start..end, work, gap });
                }
                Stopped::TooDeep(pos) => {
                    let site = Site { pos, problem: None, is_at_end: false };
                    return Err(self.refuse(&reading, &site, Some((Limit::Depth, None))));
                }
                Stopped::Fault(site) => site,
            };
            let is_linear = self.work.and_examined(self.peek.examined()).is_linear(self.task.bytes);
            if !is_linear || reading.journal.has_overflowed() {
                return Err(self.refuse(&reading, &site, Some((Limit::Work, latest))));
            }
            self.ask(&mut reading, &site, self.task.rules, &mut answers);
            let is_one = answers.len() == 1 && answers[0].plan.is_some() && answers[0].doubt.is_none();
            if answers.len() > 1 || answers.len() == 1 && !is_one {
                return self.search(reading, site, answers);
            }
            let answer = answers.first().filter(|answer| answer.cost <= self.task.thresholds.veto);
            let Some((answer, plan)) = answer.and_then(|answer| Some((answer, answer.plan.as_ref()?))) else {
                return Err(self.refuse(&reading, &site, None));
            };
            latest = Some(answer.rule);
            if let Some(limit) = reading.take_step(answer, plan, &site, &mut self.work) {
                return Err(self.refuse(&reading, &site, Some((limit, latest))));
            }
        }
    }

    fn refuse(&mut self, reading: &Reading<'e>, site: &Site, limit: Option<(Limit, Option<u16>)>) -> Refused {
        let work = self.work.and_examined(self.peek.examined());
        let expected = reading.fault(site, &self.peek).expected();
        let help = if limit.is_none() { self.help(reading, site).map(Box::new) } else { None };
        let root_end = (reading.state.next == Next::End).then(|| reading.root_end());
        Refused { site: *site, expected, limit, ambiguity: None, objection: None, root_end, help, work }
    }
}
