//! The repair of one payload: recognise, stop at a fault, ask the rules, make one edit, go on (DESIGN 3).
//!
//! Invariants, each a law of the testkit: a rule is asked only at a fault; edits are disjoint, sorted and never behind the frontier;
//! an edit is made only if the recogniser reads its replacement to the end; everything is counted against a linear bound.

mod plan;

use std::cell::Cell;
use std::ops::Range;

use self::plan::Plan;
use crate::edit::Edits;
use crate::evidence::Evidence;
use crate::fault::{Fault, Setting, Site, StringProblem};
use crate::journal::Journal;
use crate::limits::{Limit, Limits};
use crate::peek::Peek;
use crate::recognise::{Ending, Next, State, Stop, finish, run};
use crate::rules::RuleTable;
use crate::scan::continues_scalar;
use crate::trace::{Held, Recorder};
use crate::work::Work;

/// How many edits in a row may end at one place. Closers are one edit, so an honest repair needs two or three.
const MAX_EDITS_AT_ONE_PLACE: usize = 8;

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
    /// Whether the region ends at `end` too: only there may a rule close what is open (SPEC P2).
    pub(crate) is_region_end: bool,
    /// Whether nothing but white space follows `end` in the completion: a fault there is a cut.
    pub(crate) is_last: bool,
    pub(crate) rules: &'e RuleTable,
    pub(crate) limits: &'e Limits,
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
}

/// A fault that no rule answers, or a limit.
#[derive(Debug)]
pub(crate) struct Refused {
    pub(crate) site: Site,
    pub(crate) expected: crate::fault::Expected,
    /// The limit that was met, and the index of the rule that met it.
    pub(crate) limit: Option<(Limit, Option<u16>)>,
    /// Where the root ended, when the fault lies after it.
    pub(crate) root_end: Option<usize>,
    /// Rules that are not enabled and would have answered, by name.
    pub(crate) mended_by: Vec<String>,
    pub(crate) work: Work,
}

/// Repairs the payload of `task`. With `others`, a refusal names those of them that would have answered the fault.
pub(crate) fn mend(task: &Task<'_>, others: Option<&RuleTable>) -> Result<Mended, Refused> {
    Engine {
        task,
        state: State::START,
        pos: task.start,
        cursor: 0,
        journal: Journal::default(),
        sealed: 0,
        frontier: task.start,
        at_frontier: State::START,
        recorder: Recorder::new(),
        gap: Cell::new((0, 0, false)),
        work: task.work,
        edits_here: (usize::MAX, 0),
        latest_rule: None,
    }
    .mend(&Peek::guided(task.completion, task.end, task.evidence), others)
}

struct Engine<'e> {
    task: &'e Task<'e>,
    state: State,
    pos: usize,
    /// The next journal entry to read.
    cursor: usize,
    journal: Journal,
    /// How many journal entries lie at or before the frontier.
    sealed: usize,
    /// The end of the last edit that changed a token: no edit may start before it.
    frontier: usize,
    /// The state right behind that edit: its replacement may have opened a string.
    at_frontier: State,
    recorder: Recorder,
    gap: Cell<(usize, usize, bool)>,
    work: Work,
    /// Where the latest edits ended, and how many in a row did.
    edits_here: (usize, usize),
    latest_rule: Option<u16>,
}

enum Reading {
    Done(usize),
    Fault(Site),
    TooDeep(usize),
}

impl Engine<'_> {
    fn mend(mut self, peek: &Peek<'_>, others: Option<&RuleTable>) -> Result<Mended, Refused> {
        loop {
            let site = match self.read(peek) {
                Reading::Done(end) => {
                    let work = self.work_so_far(peek);
                    return Ok(Mended { journal: self.journal, payload: self.task.start..end, work });
                }
                Reading::TooDeep(pos) => {
                    let site = Site { pos, problem: None, is_at_end: false };
                    return Err(self.refuse(&site, Some((Limit::Depth, None)), peek, None));
                }
                Reading::Fault(site) => site,
            };
            if !self.work_so_far(peek).is_linear(self.task.bytes) {
                let limit = Some((Limit::Work, self.latest_rule));
                return Err(self.refuse(&site, limit, peek, None));
            }
            let Some((rule, edits, plan)) = self.first_answer(self.task.rules, &site, peek) else {
                return Err(self.refuse(&site, None, peek, others));
            };
            if let Some(guide) = peek.guide() {
                guide.forget_from(edits.first().span.start);
            }
            if let Some(limit) = self.make(rule, &edits, &plan, &site) {
                return Err(self.refuse(&site, Some((limit, Some(rule))), peek, None));
            }
        }
    }

    /// Reads on, through replacements and source, to the next fault or the end.
    fn read(&mut self, peek: &Peek<'_>) -> Reading {
        let bytes = self.task.completion.as_bytes();
        loop {
            let entry = self.journal.entries().get(self.cursor).copied();
            let segment_end = entry.as_ref().map_or(self.task.end, |entry| entry.span().start);
            let from = self.pos;
            let segment = bytes.get(..segment_end).unwrap_or_default();
            let stop = run(&mut self.state, segment, from, self.task.limits.max_depth, &mut self.recorder);
            let Stop::Exhausted = stop else {
                let reading = self.stopped(stop, peek);
                self.work.steps += self.pos.saturating_sub(from) as u64 + 1;
                return reading;
            };
            self.work.steps += segment_end.saturating_sub(from) as u64;
            let Some(entry) = entry else {
                self.pos = self.task.end;
                return self.ended();
            };
            if let Some(reading) = self.read_replacement(&entry) {
                return reading;
            }
        }
    }

    /// Reads one replacement. It was tried before it entered the journal, so it holds no fault.
    fn read_replacement(&mut self, entry: &crate::journal::Entry) -> Option<Reading> {
        let text = self.journal.replacement(entry).as_bytes();
        self.recorder.within = Some(entry.span());
        let stop = run(&mut self.state, text, 0, self.task.limits.max_depth, &mut self.recorder);
        self.recorder.within = None;
        self.work.steps += text.len() as u64;
        self.pos = entry.span().end;
        self.cursor += 1;
        if stop == Stop::Exhausted {
            return None;
        }
        debug_assert!(false, "an accepted replacement is read without a fault");
        Some(Reading::Fault(Site { pos: entry.span().start, problem: None, is_at_end: false }))
    }

    fn stopped(&mut self, stop: Stop, peek: &Peek<'_>) -> Reading {
        let mut site = Site { pos: self.pos, problem: None, is_at_end: false };
        match stop {
            Stop::TooDeep(pos) => return Reading::TooDeep(pos),
            Stop::Unexpected(pos) => {
                if self.task.is_open_ended && self.state.next == Next::End && peek.root_has_ended(pos) {
                    return Reading::Done(self.end_at_root());
                }
                site.pos = pos;
                site.is_at_end = self.state.expects_key() && self.scalar_reaches_end(pos);
            }
            Stop::BadScalar | Stop::Exhausted => {
                site.pos = self.state.token_start;
                site.is_at_end = self.scalar_reaches_end(site.pos);
            }
            Stop::Control(pos) => {
                site.pos = pos;
                site.problem = Some(StringProblem::ControlCharacter);
            }
            Stop::BadEscape => {
                site.pos = self.state.escape_start;
                site.problem = Some(StringProblem::Escape);
            }
        }
        self.pos = site.pos;
        Reading::Fault(site)
    }

    fn ended(&mut self) -> Reading {
        let end = self.task.end;
        let mut site = Site { pos: end, problem: None, is_at_end: true };
        match finish(&mut self.state, end, &mut self.recorder) {
            Ending::Complete => return Reading::Done(end),
            Ending::Missing => {}
            Ending::OpenString => site.problem = Some(StringProblem::Unclosed),
            Ending::OpenEscape => {
                site.pos = self.state.escape_start;
                site.problem = Some(StringProblem::Escape);
            }
            Ending::CutScalar => site.pos = self.state.token_start,
        }
        self.pos = site.pos;
        Reading::Fault(site)
    }

    fn root_end(&self) -> usize {
        self.recorder.behind(0).map_or(self.task.start, Held::end)
    }

    /// Ends the payload where its root closed. What was taken out of the way behind it is no part of it, so those edits go.
    fn end_at_root(&mut self) -> usize {
        let end = self.root_end().max(self.frontier);
        self.journal.truncate(self.journal.place_for(end, self.sealed));
        end
    }

    fn scalar_reaches_end(&mut self, pos: usize) -> bool {
        let ahead = self.task.completion.as_bytes().get(pos..self.task.end).unwrap_or_default();
        let len = ahead.iter().position(|&byte| !continues_scalar(byte)).unwrap_or(ahead.len());
        self.work.steps += len as u64;
        len == ahead.len()
    }

    fn fault<'s>(&'s self, site: &Site, peek: &'s Peek<'s>) -> Fault<'s> {
        let setting = Setting {
            source: self.task.completion,
            start: self.task.start,
            end: self.task.end,
            is_last: self.task.is_last,
            frontier: self.frontier,
            sealed: self.sealed,
            recorder: &self.recorder,
            journal: &self.journal,
            peek,
            gap: &self.gap,
        };
        if let Some(guide) = peek.guide() {
            let frames = self.recorder.frames();
            peek.charge(guide.follow(frames, self.state.containers, self.task.completion, &self.journal));
        }
        let is_at_end = site.is_at_end && self.task.is_region_end;
        Fault::new(setting, self.state, &Site { is_at_end, ..*site })
    }

    /// The first rule whose answer to the fault may be made.
    fn first_answer(&mut self, rules: &RuleTable, site: &Site, peek: &Peek<'_>) -> Option<(u16, Edits, Plan)> {
        let fault = self.fault(site, peek);
        let mut tried = 0;
        let answer = rules.answering(fault.expected()).find_map(|(index, rule)| {
            let edits = rule.repair(&fault)?;
            let plan = self.plan(&edits, site, peek, &mut tried)?;
            Some((index, edits, plan))
        });
        self.work.steps += tried;
        answer
    }

    /// Enters the edits and goes back to their start. Returns the limit that this meets, if any.
    fn make(&mut self, rule: u16, edits: &Edits, plan: &Plan, site: &Site) -> Option<Limit> {
        let at_cut = site.is_at_end && self.task.is_last;
        let start = edits.first().span.start;
        let (end, len) = edits.iter().fold((start, 0), |(_, len), edit| (edit.span.end, len + edit.replacement.len()));
        self.latest_rule = Some(rule);
        self.work.inserted += len as u64;
        self.cursor = self.journal.place_for(start, self.sealed);
        let made = self.journal.insert(self.sealed, edits, rule, at_cut);
        self.work.moves += made.moves;
        self.recorder.take_back(start);
        self.state = plan.state;
        self.pos = start;
        if !plan.is_blank {
            self.frontier = end;
            self.at_frontier = plan.after;
            self.sealed = made.next;
        }
        self.edits_here = if self.edits_here.0 == end { (end, self.edits_here.1 + 1) } else { (end, 1) };
        let payload_len = self.task.end - self.task.start;
        let has_too_many = self.journal.len() > self.task.limits.edits_for(payload_len);
        (has_too_many || self.edits_here.1 > MAX_EDITS_AT_ONE_PLACE).then_some(Limit::Edits)
    }

    fn work_so_far(&self, peek: &Peek<'_>) -> Work {
        let mut work = self.work;
        work.examined += peek.examined();
        work
    }

    fn refuse(
        &mut self,
        site: &Site,
        limit: Option<(Limit, Option<u16>)>,
        peek: &Peek<'_>,
        others: Option<&RuleTable>,
    ) -> Refused {
        let work = self.work_so_far(peek);
        let fault = self.fault(site, peek);
        let expected = fault.expected();
        let mended_by = others.map_or_else(Vec::new, |others| {
            let answers = |&(_, rule): &(u16, &dyn crate::rule::RepairRule)| {
                rule.repair(&fault).is_some_and(|edits| self.plan(&edits, site, peek, &mut 0).is_some())
            };
            others.answering(expected).filter(answers).map(|(index, _)| others.name(index).to_owned()).collect()
        });
        let root_end = (self.state.next == Next::End).then(|| self.root_end());
        Refused { site: *site, expected, limit, root_end, mended_by, work }
    }
}
