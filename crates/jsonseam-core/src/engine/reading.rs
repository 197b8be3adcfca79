//! One reading of a payload: how far the recogniser has come, and the edits made on the way.
//!
//! Invariants, each a law of the testkit: edits are disjoint, sorted and never before the frontier;
//! an edit is made only if the recogniser reads its replacement to the end; everything is counted.

use std::cell::Cell;
use std::rc::Rc;

use super::answer::{Answer, Plan};
use super::costs;
use super::score::{Rival, Score};
use super::task::Task;
use crate::edit::Edits;
use crate::fault::{Fault, FaultContext, Site, StringProblem};
use crate::journal::{Entry, Journal};
use crate::limits::Limit;
use crate::peek::Peek;
use crate::recognise::{Ending, Next, State, Stop, finish, run};
use crate::root;
use crate::scan::{continues_word, is_json_space};
use crate::token::REMEMBERED;
use crate::trace::{RecordedToken, Recorder};
use crate::work::Work;

/// How many edits in a row may end at one place. Closers are one edit, so an honest repair needs two or three.
const MAX_EDITS_AT_ONE_PLACE: usize = 8;

/// A reading of a payload up to a place. A copy of it reads on by itself.
#[derive(Clone)]
pub(super) struct Reading<'e> {
    pub(super) task: &'e Task<'e>,
    pub(super) state: State,
    pub(super) pos: usize,
    /// The next journal entry to read.
    cursor: usize,
    /// The edits before those of `journal`, which readings with a common past share.
    pub(super) past: Option<Rc<Past>>,
    pub(super) journal: Journal,
    /// How many entries of `journal` are at or before the frontier.
    pub(super) sealed: usize,
    /// The end of the last edit that changed a token: no edit may start before it.
    pub(super) frontier: usize,
    /// The state right after that edit: its replacement may have opened a string.
    pub(super) at_frontier: State,
    pub(super) recorder: Recorder<'e>,
    newlines: Cell<(usize, usize, bool)>,
    /// Where the latest edits ended, and how many in a row did.
    edits_here: (usize, usize),
    pub(super) score: Score,
}

/// Edits that are settled for every reading that shares them.
pub(super) struct Past {
    pub(super) before: Option<Rc<Self>>,
    pub(super) journal: Journal,
    /// How many edits there are, those before included.
    pub(super) len: usize,
}

/// Where a reading stops.
#[derive(Clone, Copy)]
pub(super) enum Stopped {
    /// The payload is whole and ends here.
    Done(usize),
    Fault(Site),
    TooDeep(usize),
}

impl<'e> Reading<'e> {
    pub(super) fn start(task: &'e Task<'e>) -> Self {
        Self {
            task,
            state: State::START,
            pos: task.start,
            cursor: 0,
            past: None,
            journal: Journal::default(),
            sealed: 0,
            frontier: task.start,
            at_frontier: State::START,
            recorder: Recorder::new(task.completion, task.evidence),
            newlines: Cell::new((0, 0, false)),
            edits_here: (usize::MAX, 0),
            score: Score::default(),
        }
    }

    /// Makes `room` a copy of this reading, in the memory that it has.
    pub(super) fn copy_into(&self, room: &mut Self) {
        // Every field is named, so that none is forgotten.
        let Self {
            task,
            state,
            pos,
            cursor,
            past,
            journal,
            sealed,
            frontier,
            at_frontier,
            recorder,
            newlines,
            edits_here,
            score,
        } = self;
        (room.task, room.state, room.pos, room.cursor) = (task, *state, *pos, *cursor);
        (room.past, room.sealed) = (past.clone(), *sealed);
        (room.frontier, room.at_frontier) = (*frontier, *at_frontier);
        (room.newlines, room.edits_here) = (newlines.clone(), *edits_here);
        journal.copy_into(&mut room.journal);
        recorder.copy_into(&mut room.recorder);
        score.copy_into(&mut room.score);
    }

    /// Reads on, through replacements and source, to the next fault or the end.
    pub(super) fn read(&mut self, peek: &Peek<'_>, work: &mut Work) -> Stopped {
        loop {
            if let Some(stopped) = self.read_until(self.task.end, peek, work) {
                return stopped;
            }
        }
    }

    /// The same, but no further than to `until`, or to the last edit if that comes later; `None` if it does not stop before.
    pub(super) fn read_until(&mut self, until: usize, peek: &Peek<'_>, work: &mut Work) -> Option<Stopped> {
        let stopped = self.read_on(until, peek, work);
        work.examined += std::mem::take(&mut self.recorder.frames.examined);
        stopped
    }

    fn read_on(&mut self, until: usize, peek: &Peek<'_>, work: &mut Work) -> Option<Stopped> {
        let bytes = self.task.completion.as_bytes();
        loop {
            let next_edit = self.journal.entries().get(self.cursor).map(|entry| entry.span().start);
            let segment_end = next_edit.unwrap_or(until.max(self.pos).min(self.task.end));
            let from = self.pos;
            let segment = bytes.get(..segment_end).unwrap_or_default();
            let stop = run(&mut self.state, segment, from, self.task.limits.max_depth, &mut self.recorder);
            let Stop::Exhausted = stop else {
                let stopped = self.stopped(stop, peek, work);
                work.steps += self.pos.saturating_sub(from) as u64 + 1;
                return Some(stopped);
            };
            work.steps += (segment_end - from) as u64;
            if next_edit.is_none() {
                self.pos = segment_end;
                return (segment_end == self.task.end).then(|| self.ended());
            }
            if let Some(stopped) = self.read_replacement(work) {
                return Some(stopped);
            }
        }
    }

    /// Reads the replacement at the cursor. It was tried before it entered the journal, so it holds no fault.
    fn read_replacement(&mut self, work: &mut Work) -> Option<Stopped> {
        let entry = self.journal.entries().get(self.cursor)?;
        let (span, text) = (entry.span(), self.journal.replacement(entry).as_bytes());
        self.pos = span.end;
        self.cursor += 1;
        let start = span.start;
        self.recorder.within = Some(span);
        let stop = run(&mut self.state, text, 0, self.task.limits.max_depth, &mut self.recorder);
        self.recorder.within = None;
        work.steps += text.len() as u64;
        if stop == Stop::Exhausted {
            return None;
        }
        debug_assert!(false, "an accepted replacement is read without a fault");
        Some(Stopped::Fault(Site { pos: start, problem: None, is_at_end: false }))
    }

    fn stopped(&mut self, stop: Stop, peek: &Peek<'_>, work: &mut Work) -> Stopped {
        let mut site = Site { pos: self.pos, problem: None, is_at_end: false };
        match stop {
            Stop::TooDeep(pos) => return Stopped::TooDeep(pos),
            Stop::Unexpected(pos) => {
                if self.task.is_open_ended
                    && self.state.next == Next::End
                    && root::has_ended(peek.text.at(pos), self.task.before)
                {
                    self.charge_tail(pos, work);
                    return Stopped::Done(self.end_at_root());
                }
                site.pos = pos;
                let is_due = self.state.expects_key() || self.state.expects_value();
                site.is_at_end = is_due && self.scalar_reaches_end(pos, work);
            }
            Stop::BadScalar | Stop::Exhausted => {
                site.pos = self.state.token_start;
                site.is_at_end = self.scalar_reaches_end(site.pos, work);
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
        Stopped::Fault(site)
    }

    fn ended(&mut self) -> Stopped {
        let end = self.task.end;
        let mut site = Site { pos: end, problem: None, is_at_end: true };
        match finish(&mut self.state, end, &mut self.recorder) {
            Ending::Complete => return Stopped::Done(end),
            Ending::Missing => {}
            Ending::OpenString => site.problem = Some(StringProblem::Unclosed),
            Ending::OpenEscape => {
                site.pos = self.state.escape_start;
                site.problem = Some(StringProblem::Escape);
            }
            Ending::CutScalar => site.pos = self.state.token_start,
        }
        self.pos = site.pos;
        Stopped::Fault(site)
    }

    /// What follows the payload speaks against a reading that ends there, if it looks like more of it.
    fn charge_tail(&mut self, pos: usize, work: &mut Work) {
        let root_end = self.root_end();
        let Some(ledger) = &mut self.recorder.ledger else { return };
        let bytes = self.task.completion.as_bytes();
        let tail = bytes.get(pos..(pos + costs::TAIL).min(self.task.end)).unwrap_or_default();
        work.steps += tail.len() as u64;
        let until = tail.iter().position(|byte| matches!(byte, b'{' | b'[')).unwrap_or(tail.len());
        let mut quotes = tail[..until].iter().enumerate().filter(|(_, byte)| **byte == b'"');
        let ends_key = |at: usize| {
            let rest = tail.get(at + 1..).unwrap_or_default();
            rest.iter().find(|byte| !is_json_space(**byte)) == Some(&b':')
        };
        if quotes.any(|(at, _)| ends_key(at)) {
            ledger.charge(costs::TAIL_OF_MEMBERS);
        }
        let gap = bytes.get(root_end..pos).unwrap_or_default();
        if !tail.is_empty() && !gap.contains(&b'\n') && !tail.starts_with(b"```") {
            ledger.charge(costs::TAIL_ON_LINE);
        }
    }

    pub(super) fn root_end(&self) -> usize {
        self.recorder.nth_back(0).map_or(self.task.start, RecordedToken::end)
    }

    /// Ends the payload where its root closed. What was taken out of the way after it is not part of it, so those edits go.
    fn end_at_root(&mut self) -> usize {
        let end = self.root_end().max(self.frontier);
        self.journal.truncate(self.journal.place_for(end, self.sealed));
        end
    }

    fn scalar_reaches_end(&mut self, pos: usize, work: &mut Work) -> bool {
        let ahead = self.task.completion.get(pos..self.task.end).unwrap_or_default();
        let len = ahead.find(|char| !continues_word(char)).unwrap_or(ahead.len());
        work.steps += len as u64;
        len == ahead.len()
    }

    /// The fault at `site`, as rules see it.
    pub(super) fn fault<'s>(&'s self, site: &Site, peek: &'s Peek<'s>) -> Fault<'s> {
        let context = FaultContext {
            source: self.task.completion,
            start: self.task.start,
            end: self.task.end,
            is_last: self.task.is_last,
            frontier: self.frontier,
            sealed: self.sealed,
            recorder: &self.recorder,
            journal: &self.journal,
            peek,
            gap: &self.newlines,
        };
        let is_at_end = site.is_at_end && self.task.is_region_end;
        Fault::new(context, self.state, &Site { is_at_end, ..*site })
    }

    /// What the reading has cost so far, in hundredths.
    pub(super) fn cost(&self) -> u32 {
        self.score.steps() + self.recorder.ledger.as_ref().map_or(0, |ledger| ledger.cost())
    }

    /// The least that the reading can come to cost: its lines may be put right by a bracket further back.
    pub(super) fn least_cost(&self) -> u32 {
        let of_text = self.recorder.ledger.as_ref().map_or(0, |ledger| {
            let plain = ledger.cost_without_lines();
            plain + (ledger.cost() - plain).min(costs::LINES_AT_LEAST)
        });
        self.score.steps() + of_text
    }

    /// Whether the edits start at a place further back where the lines say that something is wrong.
    pub(super) fn is_at_suspect(&self, edits: &Edits) -> bool {
        let start = edits.first().span.start;
        let suspects = self.recorder.ledger.as_ref().map_or(&[][..], |ledger| ledger.suspects());
        suspects.iter().any(|suspect| (suspect.start()..=suspect.pos).contains(&start))
    }

    /// Makes an answer. Returns the limit that this meets, if any.
    pub(super) fn take_step(&mut self, answer: &Answer, plan: &Plan, site: &Site, work: &mut Work) -> Option<Limit> {
        let price = self.score.take(answer.rule, answer.risk, answer.cost);
        let limit = self.make(answer, price, plan, site, work);
        if let Some(doubt) = answer.doubt {
            let from = answer.edits.first().span.start;
            self.score.meet(Rival { gap: 0, cost: self.cost(), from, edits: Vec::new(), doubt: Some(doubt) });
        }
        limit
    }

    /// Enters the edits and goes to their end, or back to their start where their tokens were not kept.
    fn make(&mut self, answer: &Answer, price: u32, plan: &Plan, site: &Site, work: &mut Work) -> Option<Limit> {
        let Answer { edits, rule, .. } = answer;
        let start = edits.first().span.start;
        let (end, len) = edits.iter().fold((start, 0), |(_, len), edit| (edit.span.end, len + edit.replacement.len()));
        // What is put right before a token was not cut.
        let is_after_all = self.recorder.nth_back(0).is_none_or(|token| end > token.start());
        let at_cut = site.is_at_end && self.task.is_last && is_after_all;
        work.inserted += len as u64;
        self.cursor = self.journal.place_for(start, self.sealed);
        let made = self.journal.insert(self.sealed, edits, *rule, at_cut, u16::try_from(price).unwrap_or(u16::MAX));
        work.moves += made.moves;
        self.recorder.take_back(start);
        if plan.tokens.is_whole() {
            plan.tokens.enter_in(&mut self.recorder);
            (self.state, self.pos, self.cursor) = (plan.after, end, made.next);
        } else {
            (self.state, self.pos) = (plan.state, start);
        }
        if !plan.is_blank {
            self.frontier = end;
            self.at_frontier = plan.after;
            self.sealed = made.next;
        }
        self.edits_here = if self.edits_here.0 == end { (end, self.edits_here.1 + 1) } else { (end, 1) };
        let payload_len = self.task.end - self.task.start;
        let has_too_many = self.edits() > self.task.limits.edits_for(payload_len);
        (has_too_many || self.edits_here.1 > MAX_EDITS_AT_ONE_PLACE).then_some(Limit::Edits)
    }

    /// How many edits were made.
    pub(super) fn edits(&self) -> usize {
        self.past.as_ref().map_or(0, |past| past.len) + self.journal.len()
    }

    /// Moves the edits that no later one can reach to where copies of this reading share them. Each is moved once.
    pub(super) fn settle(&mut self) {
        // Edits that only took something out of the way leave the frontier where it is, but lie beyond reach all the same.
        let reach = self.recorder.nth_back(REMEMBERED - 1).map_or(self.task.start, RecordedToken::start);
        let passed = self.journal.entries().partition_point(|entry| entry.span().end < reach);
        let settled = self.sealed.max(passed).min(self.cursor);
        if settled == 0 {
            return;
        }
        let journal = self.journal.split_off_front(settled);
        let len = journal.len() + self.past.as_ref().map_or(0, |past| past.len);
        self.past = Some(Rc::new(Past { before: self.past.take(), journal, len }));
        self.cursor -= settled;
        self.sealed = self.sealed.saturating_sub(settled);
    }

    /// All edits as one journal.
    pub(super) fn into_journal(self) -> Journal {
        let mut parts = Vec::new();
        let mut past = self.past.as_deref();
        while let Some(part) = past {
            parts.push(&part.journal);
            past = part.before.as_deref();
        }
        if parts.is_empty() {
            return self.journal;
        }
        parts.iter().rev().copied().chain([&self.journal]).collect()
    }

    /// Reads the payload again from its start to this fault, and keeps from now on what it says about keys and lines.
    /// Does nothing for a reading that does so already.
    pub(super) fn keep_ledger(&mut self, peek: &Peek<'_>, work: &mut Work) {
        if self.recorder.ledger.is_some() {
            return;
        }
        let mut again = Self::start(self.task);
        again.recorder.ledger = Some(Box::default());
        again.journal = std::mem::take(&mut self.journal);
        // It was read before, so it stops at the same fault.
        let _ = again.read(peek, work);
        (self.journal, self.recorder) = (again.journal, again.recorder);
    }

    /// The reading of the text before `pos`, where a token begins, as it was made: without any edit that reaches further.
    pub(super) fn rewound(&self, pos: usize, work: &mut Work) -> Self {
        let mut journal = self.clone().into_journal();
        journal.truncate(journal.place_for(pos, 0));
        work.moves += journal.len() as u64;
        let mut again = Self { journal, score: self.score.clone(), ..Self::start(self.task) };
        again.recorder.ledger = Some(Box::default());
        again.read_to(pos, work);
        again.score.rewind(again.journal.entries(), self.task.rules);
        again
    }

    /// Reads through all edits up to `pos`, which no edit reaches across. There is no fault on the way.
    fn read_to(&mut self, pos: usize, work: &mut Work) {
        let bytes = self.task.completion.as_bytes();
        let max_depth = self.task.limits.max_depth;
        work.steps += pos.saturating_sub(self.pos) as u64;
        while let Some(span) = self.journal.entries().get(self.cursor).map(Entry::span) {
            let before = bytes.get(..span.start).unwrap_or_default();
            let _ = run(&mut self.state, before, self.pos, max_depth, &mut self.recorder);
            let _ = self.read_replacement(work);
            self.frontier = span.end;
            self.at_frontier = self.state;
        }
        self.sealed = self.journal.len();
        let _ = run(&mut self.state, bytes.get(..pos).unwrap_or_default(), self.pos, max_depth, &mut self.recorder);
        self.pos = pos;
    }
}
