//! The repair of one payload: recognise, stop at a fault, ask the rules, make an edit, go on (DESIGN 3).
//!
//! Where the rules have one answer the reading goes on with it. Where they have several, each is read on, and the cheapest reading wins
//! if it leads clearly (SPEC section 6). Most texts never get there: they are read by one reading from start to end.

mod ask;
pub(crate) mod costs;
pub(crate) mod ledger;
mod plan;
mod reading;
mod score;
mod search;

use std::ops::Range;

pub use self::costs::{Clue, Thresholds};
use self::reading::{Reading, Stopped};
use crate::evidence::Evidence;
use crate::fault::{Expected, Site};
use crate::journal::Journal;
use crate::limits::{Limit, Limits};
use crate::peek::Peek;
use crate::proposals::Proposals;
use crate::recognise::Next;
use crate::rules::RuleTable;
use crate::work::Work;

/// What is to be repaired, and with what.
#[derive(Clone, Copy)]
pub(crate) struct Task<'e> {
    /// The completion, or what a locator's edits have made of a part of it.
    pub(crate) completion: &'e str,
    /// The bytes of the completion, which the bound on work is measured by.
    pub(crate) bytes: usize,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// Whether the payload ends where its root closes.
    pub(crate) is_open_ended: bool,
    /// The byte directly before the payload: a quote there may quote it as a whole.
    pub(crate) before: Option<u8>,
    /// Whether the region ends at `end` too: only there may a rule close what is open (SPEC P2).
    pub(crate) is_region_end: bool,
    /// Whether nothing but white space follows `end` in the completion: a fault there is a cut.
    pub(crate) is_last: bool,
    pub(crate) rules: &'e RuleTable,
    pub(crate) limits: &'e Limits,
    /// When a reading may be the answer.
    pub(crate) thresholds: Thresholds,
    /// What the contract allows, if there is one.
    pub(crate) evidence: Option<&'e Evidence>,
    /// What was spent before.
    pub(crate) work: Work,
}

/// A payload that now reads as JSON.
pub(crate) struct Mended {
    pub(crate) journal: Journal,
    pub(crate) payload: Range<usize>,
    pub(crate) work: Work,
    /// By how much this reading led the next one with another value, in hundredths; `None` if there was none.
    pub(crate) gap: Option<u32>,
}

/// A fault that no rule answers, two readings between which nothing decides, or a limit.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) site: Site,
    pub(crate) expected: Expected,
    /// The limit that was met, and the index of the rule that met it.
    pub(crate) limit: Option<(Limit, Option<u16>)>,
    /// The readings between which nothing decides.
    pub(crate) ambiguity: Option<Box<Ambiguity>>,
    /// Where the root ended, when the fault lies after it.
    pub(crate) root_end: Option<usize>,
    /// Rules that are not enabled and would have answered, by name.
    pub(crate) mended_by: Vec<String>,
    pub(crate) work: Work,
}

/// The edits of a reading, each by its rule and place, and what the reading costs in all, in hundredths.
pub(crate) type Named = (Vec<(u16, Range<usize>)>, u32);

/// Two readings of a text, the cheaper first: their edits from where they part, and what each costs in all.
#[derive(Debug)]
pub(crate) struct Ambiguity {
    pub(crate) readings: [Named; 2],
    /// Why no reading was taken, if a rule said so.
    pub(crate) doubt: Option<&'static str>,
}

/// Repairs the payload of `task`. With `known`, which holds the rules of the task and then those that are off,
/// a refusal names the rules that would have helped (SPEC P6).
pub(crate) fn mend<'e>(task: &'e Task<'e>, known: Option<&'e RuleTable>) -> Result<Mended, Refused> {
    let peek = Peek::guided(task.completion, task.end, task.evidence);
    // What former candidates have spent is missing here.
    peek.cap_allowance(task.work.room(task.bytes));
    Engine { task, known, peek, work: task.work, is_alone: true, is_searching: false, proposals: Proposals::default() }
        .mend()
}

struct Engine<'e> {
    task: &'e Task<'e>,
    known: Option<&'e RuleTable>,
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
            if !self.work.and_examined(self.peek.examined()).is_linear(self.task.bytes) {
                return Err(self.refuse(&reading, &site, Some((Limit::Work, latest))));
            }
            self.ask(&mut reading, &site, self.task.rules, &mut answers);
            let is_one = answers.len() == 1 && answers[0].plan.is_some() && answers[0].doubt.is_none();
            if answers.len() > 1 || answers.len() == 1 && !is_one {
                return self.search(reading, site, answers);
            }
            let answer = answers.pop().filter(|answer| answer.cost <= self.task.thresholds.veto);
            let Some((answer, plan)) = answer.as_ref().and_then(|answer| Some((answer, answer.plan.as_ref()?))) else {
                return Err(self.refuse(&reading, &site, None));
            };
            if let Some(guide) = self.peek.guide() {
                guide.forget_from(answer.edits.first().span.start);
            }
            latest = Some(answer.rule);
            if let Some(limit) = reading.take_step(answer, plan, &site, &mut self.work) {
                return Err(self.refuse(&reading, &site, Some((limit, latest))));
            }
        }
    }

    fn refuse(&mut self, reading: &Reading<'e>, site: &Site, limit: Option<(Limit, Option<u16>)>) -> Refused {
        let work = self.work.and_examined(self.peek.examined());
        let expected = reading.fault(site, &self.peek).expected();
        let mended_by = if limit.is_none() { self.mended_by(reading, site) } else { Vec::new() };
        let root_end = (reading.state.next == Next::End).then(|| reading.root_end());
        Refused { site: *site, expected, limit, ambiguity: None, root_end, mended_by, work }
    }

    /// The rules that are off and whose answer to this fault belongs to the winning reading when all known rules are on (SPEC P6).
    fn mended_by(&mut self, reading: &Reading<'e>, site: &Site) -> Vec<String> {
        let Some(known) = self.known else { return Vec::new() };
        let mut answers = self.ask_all(&mut reading.clone(), site, known);
        answers.retain(|(rule, _)| usize::from(*rule) >= self.task.rules.infos().len());
        if answers.is_empty() {
            return Vec::new();
        }
        let task = Task { rules: known, thresholds: Thresholds::default(), ..*self.task };
        let Ok(mended) = mend(&task, None) else { return Vec::new() };
        answers.retain(|(_, edits)| edits.iter().all(|edit| mended.journal.has(edit)));
        let mut names: Vec<_> = answers.into_iter().map(|(rule, _)| known.name(rule).to_owned()).collect();
        names.dedup();
        names
    }
}
