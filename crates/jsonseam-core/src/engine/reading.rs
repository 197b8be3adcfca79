//! One reading of a payload: how far the recogniser has come, and the edits made on the way.
//!
//! Invariants, each a law of the testkit: edits are disjoint, sorted and never before the frontier;
//! an edit is made only if the recogniser reads its replacement to the end; everything is counted.

use std::cell::Cell;
use std::sync::Arc;

use super::answer::{Answer, Plan};
use super::past::Past;
use super::score::{Rival, Score};
use super::task::Task;
use crate::derived::copied;
use crate::edits::costs;
use crate::edits::edit::Edits;
use crate::edits::journal::Journal;
use crate::edits::reach::Reach;
use crate::edits::risk::Risk;
use crate::locate::root;
use crate::looking::ledger::Ledger;
use crate::looking::peek::Peek;
use crate::looking::trace::{RecordedToken, Recorder};
use crate::reading::limits::Limit;
use crate::reading::openers::closes_more;
use crate::reading::recognise::{Ending, Next, State, Stop, finish, run};
use crate::reading::scan::is_json_space;
use crate::reading::work::Work;
use crate::rule::fault::{Fault, FaultContext, Site, StringProblem};

/// How many edits in a row may end at one place. Closers are one edit, so an honest repair needs two or three.
const MAX_EDITS_AT_ONE_PLACE: usize = 8;

/// A reading of a payload up to a place. A copy of it reads on by itself.
#[derive(Default)]
pub(super) struct Reading {
    pub(super) state: State,
    pub(super) pos: usize,
    /// The next journal entry to read.
    pub(super) cursor: usize,
    /// The edits before those of `journal`, which readings with a common past share.
    pub(super) past: Option<Arc<Past>>,
    pub(super) journal: Journal,
    /// How many entries of `journal` are at or before the frontier.
    pub(super) sealed: usize,
    /// The end of the last edit that changed a token: no edit may start before it.
    pub(super) frontier: usize,
    /// The state right after that edit: its replacement may have opened a string.
    pub(super) at_frontier: State,
    pub(super) recorder: Recorder,
    pub(super) newlines: Cell<(usize, usize, bool)>,
    /// Where the latest edits ended, and how many in a row did.
    pub(super) edits_here: (usize, usize),
    pub(super) score: Score,
    /// Which reading of its search it is, in order: of equals the first one goes on.
    pub(super) number: u32,
    /// Where the segment began in whose midst the text ended.
    pub(super) resumes_from: Option<usize>,
}

copied! {
    Reading: state, pos, cursor, past, journal, sealed, frontier, at_frontier, recorder, newlines, edits_here,
    score, number, resumes_from
}

/// Where a reading stops.
#[derive(Clone, Copy)]
pub(super) enum Stopped {
    /// The payload is whole and ends here.
    Done(usize),
    Fault(Site),
    TooDeep(usize),
    /// What comes next depends on text that is not there yet.
    Needs,
}

impl Reading {
    pub(super) fn start(task: &Task<'_>) -> Self {
        Self { pos: task.start, frontier: task.start, ..Self::default() }
    }

    /// Reads on, through replacements and source, to the next fault or the end.
    pub(super) fn read(&mut self, task: &Task<'_>, peek: &Peek<'_>, work: &mut Work) -> Stopped {
        loop {
            if let Some(stopped) = self.read_until(task.end, task, peek, work) {
                return stopped;
            }
        }
    }

    /// The same, but no further than to `until`, or to the last edit if that comes later; `None` if it does not stop before.
    pub(super) fn read_until(
        &mut self,
        until: usize,
        task: &Task<'_>,
        peek: &Peek<'_>,
        work: &mut Work,
    ) -> Option<Stopped> {
        let stopped = self.read_on(until, task, peek, work);
        work.examined += std::mem::take(&mut self.recorder.frames.examined);
        if let Some(ledger) = self.recorder.ledger.as_mut().filter(|ledger| !ledger.is_early) {
            work.examined += std::mem::take(&mut ledger.examined);
        }
        stopped
    }

    fn read_on(&mut self, until: usize, task: &Task<'_>, peek: &Peek<'_>, work: &mut Work) -> Option<Stopped> {
        let bytes = task.completion.as_bytes();
        loop {
            let next_edit = self.journal.entries().get(self.cursor).map(|entry| entry.span().start);
            let segment_end = next_edit.unwrap_or(until.max(self.pos).min(task.end));
            let from = self.resumes_from.take().unwrap_or(self.pos);
            let segment = bytes.get(..segment_end).unwrap_or_default();
            if next_edit.is_none() && self.may_be_last(segment_end, task) && self.is_sound_to(segment, task) {
                work.steps += segment_end.saturating_sub(from) as u64;
                return Some(Stopped::Done(segment_end));
            }
            let stop = self.run(segment, self.pos, task);
            let Stop::Exhausted = stop else {
                let stopped = self.stopped(stop, task, peek, work);
                if matches!(stopped, Stopped::Needs) {
                    self.resumes_from = Some(from);
                } else {
                    work.steps += self.pos.saturating_sub(from) as u64 + 1;
                }
                return Some(stopped);
            };
            if next_edit.is_none() && segment_end == task.end && task.is_open() {
                // What was read is counted where it ends.
                (self.pos, self.resumes_from) = (task.end, Some(from));
                return Some(Stopped::Needs);
            }
            work.steps += segment_end.saturating_sub(from) as u64;
            if next_edit.is_none() {
                self.pos = segment_end;
                return (segment_end == task.end).then(|| self.ended(task));
            }
            if let Some(stopped) = self.read_replacement(task, work) {
                return Some(stopped);
            }
        }
    }

    /// Lets the recogniser read `text` from `pos` on, with the recorder listening.
    pub(super) fn run(&mut self, text: &[u8], pos: usize, task: &Task<'_>) -> Stop {
        run(&mut self.state, text, pos, task.limits.max_depth, &mut self.recorder.of(task.guide()))
    }

    /// Whether the text after the latest edit may well have no fault: most often the first edit is the only one.
    fn may_be_last(&self, segment_end: usize, task: &Task<'_>) -> bool {
        let is_traced = self.recorder.ledger.is_some() || task.evidence.is_some();
        // Where prose follows, the text does not end as a payload does.
        let closes = || matches!(task.completion.as_bytes().get(segment_end - 1), Some(b'}' | b']'));
        self.journal.len() == 1 && !is_traced && segment_end == task.end && !task.is_open() && closes()
    }

    /// Reads a segment without keeping its tokens, which are not looked at once the text has ended. If it has a fault, nothing has changed.
    fn is_sound_to(&mut self, segment: &[u8], task: &Task<'_>) -> bool {
        let mut state = self.state;
        let stop = run(&mut state, segment, self.pos, task.limits.max_depth, &mut ());
        let is_sound = stop == Stop::Exhausted && finish(&mut state, segment.len(), &mut ()) == Ending::Complete;
        if is_sound {
            (self.state, self.pos) = (state, segment.len());
        }
        is_sound
    }

    /// Reads the replacement at the cursor. It was tried before it entered the journal, so it holds no fault.
    fn read_replacement(&mut self, task: &Task<'_>, work: &mut Work) -> Option<Stopped> {
        let entry = self.journal.entries().get(self.cursor)?;
        let (span, text) = (entry.span(), self.journal.replacement(entry).as_bytes());
        self.pos = span.end;
        self.cursor += 1;
        let start = span.start;
        self.recorder.within = Some(span);
        let stop = run(&mut self.state, text, 0, task.limits.max_depth, &mut self.recorder.of(task.guide()));
        self.recorder.within = None;
        work.steps += text.len() as u64;
        if stop == Stop::Exhausted {
            return None;
        }
        debug_assert!(false, "an accepted replacement is read without a fault");
        Some(Stopped::Fault(Site { pos: start, problem: None, is_at_end: false }))
    }

    fn stopped(&mut self, stop: Stop, task: &Task<'_>, peek: &Peek<'_>, work: &mut Work) -> Stopped {
        let touched_before = peek.text.note_touched(false);
        let before = *work;
        let stopped = self.stopped_at(stop, task, peek, work);
        if matches!(stopped, Stopped::Needs) {
            *work = before;
        }
        peek.text.note_touched(touched_before || peek.text.has_touched_end());
        stopped
    }

    fn stopped_at(&mut self, stop: Stop, task: &Task<'_>, peek: &Peek<'_>, work: &mut Work) -> Stopped {
        let pos = self.state.stopped_at(stop, task.end);
        self.pos = pos;
        let mut site = Site { pos, problem: None, is_at_end: false };
        match stop {
            Stop::TooDeep(_) => return Stopped::TooDeep(pos),
            Stop::Unexpected(_) => {
                if task.is_open_ended && self.state.next == Next::End && root::has_ended(peek.text.at(pos), task.before)
                {
                    if task.is_open() && (peek.text.has_touched_end() || self.waits_for_tail(pos, task)) {
                        return Stopped::Needs;
                    }
                    self.charge_tail(pos, task, work);
                    return Stopped::Done(self.end_at_root(task));
                }
                // Where the payload ends with a span, what follows its root may be outside of it.
                if task.is_open() && !task.is_open_ended && self.state.next == Next::End {
                    return Stopped::Needs;
                }
                let is_due = self.state.expects_key() || self.state.expects_value();
                site.is_at_end = is_due && scalar_reaches_end(pos, task, peek);
            }
            Stop::BadScalar | Stop::Exhausted => site.is_at_end = scalar_reaches_end(pos, task, peek),
            Stop::Control(_) => site.problem = Some(StringProblem::ControlCharacter),
            Stop::BadEscape => site.problem = Some(StringProblem::Escape),
        }
        if task.is_open() && peek.text.has_touched_end() { Stopped::Needs } else { Stopped::Fault(site) }
    }

    /// Whether what follows the root speaks for or against the reading, and is not there yet.
    fn waits_for_tail(&self, pos: usize, task: &Task<'_>) -> bool {
        self.recorder.ledger().is_some() && pos + costs::TAIL > task.end
    }

    fn ended(&mut self, task: &Task<'_>) -> Stopped {
        let end = task.end;
        let mut site = Site { pos: end, problem: None, is_at_end: true };
        match finish(&mut self.state, end, &mut self.recorder.of(task.guide())) {
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
    fn charge_tail(&mut self, pos: usize, task: &Task<'_>, work: &mut Work) {
        let root_end = self.root_end(task);
        let Some(ledger) = self.recorder.ledger.as_mut().filter(|ledger| !ledger.is_early) else { return };
        let bytes = task.completion.as_bytes();
        let tail = bytes.get(pos..(pos + costs::TAIL).min(task.end)).unwrap_or_default();
        work.steps += tail.len() as u64;
        let until = tail.iter().position(|byte| matches!(byte, b'{' | b'[')).unwrap_or(tail.len());
        let mut quotes = tail[..until].iter().enumerate().filter(|(_, byte)| **byte == b'"');
        let ends_key = |at: usize| {
            let rest = tail.get(at + 1..).unwrap_or_default();
            rest.iter().find(|byte| !is_json_space(**byte)) == Some(&b':')
        };
        if quotes.any(|(at, _)| ends_key(at)) || closes_more(&tail[until..]) {
            ledger.charge(costs::TAIL_OF_MEMBERS);
        }
        let gap = bytes.get(root_end..pos).unwrap_or_default();
        if !tail.is_empty() && !gap.contains(&b'\n') && !tail.starts_with(b"```") {
            ledger.charge(costs::TAIL_ON_LINE);
        }
    }

    pub(super) fn root_end(&self, task: &Task<'_>) -> usize {
        self.recorder.nth_back(0).map_or(task.start, RecordedToken::end)
    }

    /// Ends the payload where its root closed. What was taken out of the way after it is not part of it, so those edits go.
    fn end_at_root(&mut self, task: &Task<'_>) -> usize {
        let end = self.root_end(task).max(self.frontier);
        self.journal.truncate(self.journal.place_for(end, self.sealed));
        end
    }

    /// The fault at `site`, as rules see it.
    pub(super) fn fault<'s>(&'s self, site: &Site, task: &'s Task<'_>, peek: &'s Peek<'s>) -> Fault<'s> {
        let context = FaultContext {
            source: task.completion,
            evidence: task.evidence,
            start: task.start,
            end: task.end,
            is_last: task.is_last,
            frontier: self.frontier,
            sealed: self.sealed,
            recorder: &self.recorder,
            journal: &self.journal,
            peek,
            gap: &self.newlines,
        };
        let is_at_end = site.is_at_end && task.is_region_end;
        Fault::new(context, self.state, &Site { is_at_end, ..*site })
    }

    /// What the reading has cost so far, in hundredths.
    pub(super) fn cost(&self) -> u32 {
        self.score.steps + self.misfits() + self.recorder.ledger().map_or(0, Ledger::cost)
    }

    /// The same, and what open objects lack so far, for readings that meet within them.
    pub(super) fn cost_so_far(&self, task: &Task<'_>) -> u32 {
        let missing = if self.guesses() { self.recorder.frames.missing_keys_of_all(task.guide()) } else { 0 };
        self.cost() + costs::of_missing_keys(missing)
    }

    /// What values cost that do not fit the contract. A reading that needs no guess never loses by it.
    fn misfits(&self) -> u32 {
        self.recorder.ledger().filter(|_| self.guesses()).map_or(0, Ledger::misfits)
    }

    fn guesses(&self) -> bool {
        self.score.risk >= Some(Risk::Guess)
    }

    /// The least that the reading can come to cost: its lines may be put right by a bracket further back.
    pub(super) fn least_cost(&self) -> u32 {
        let of_text = self.recorder.ledger().map_or(0, |ledger| {
            let plain = ledger.cost_without_lines();
            plain + (ledger.cost() - plain).min(costs::LINES_AT_LEAST)
        });
        self.score.steps + self.misfits() + of_text
    }

    /// Whether edits that cannot be made here may be made in a reading of what precedes them, by a rule that reaches so far.
    pub(super) fn is_further_back(&self, edits: &Edits, reach: Reach, task: &Task<'_>) -> bool {
        reach.has_suspects && self.is_at_suspect(edits) || reach.has_cut && self.is_at_cut(edits, task)
    }

    /// Whether the edits start at a place further back where the lines say that something is wrong.
    fn is_at_suspect(&self, edits: &Edits) -> bool {
        let start = edits.first().span.start;
        let suspects = self.recorder.ledger().map_or(&[][..], Ledger::suspects);
        suspects.iter().any(|suspect| (suspect.start()..=suspect.pos).contains(&start))
    }

    /// Whether the edit takes away what the end of the text cuts, with the edits in it: from one of the nearest tokens to the end.
    fn is_at_cut(&self, edits: &Edits, task: &Task<'_>) -> bool {
        let near = || (0..CUT).filter_map(|back| self.recorder.nth_back(back));
        let [edit] = edits.all() else { return false };
        let is_removal = edit.replacement.is_empty() && edit.span.end == task.end;
        is_removal && near().any(|token| [token.start(), token.end()].contains(&edit.span.start))
    }

    /// Makes an answer: enters the edits and goes to their end, or back to their start where their tokens were not kept.
    /// Returns the limit that this meets, if any.
    pub(super) fn take_step(
        &mut self,
        answer: &Answer,
        plan: &Plan,
        site: &Site,
        task: &Task<'_>,
        work: &mut Work,
    ) -> Option<Limit> {
        let Answer { edits, rule, doubt, .. } = answer;
        let edits = edits.all();
        let price = self.score.take(*rule, answer.risk, answer.cost);
        let start = edits[0].span.start;
        let (end, len) = edits.iter().fold((start, 0), |(_, len), edit| (edit.span.end, len + edit.replacement.len()));
        // What is put right before a token was not cut.
        let is_after_all = self.recorder.nth_back(0).is_none_or(|token| end > token.start());
        let takes_rest = || end == task.end && task.rules.reach(*rule).has_cut;
        let at_cut = task.is_last && (site.is_at_end && is_after_all || takes_rest());
        work.inserted += len as u64;
        self.cursor = self.journal.place_for(start, self.sealed);
        let made = self.journal.insert(self.sealed, edits, *rule, at_cut, u16::try_from(price).unwrap_or(u16::MAX));
        work.moves += made.moves;
        self.recorder.take_back(start);
        if plan.tokens.is_whole() {
            plan.tokens.enter_in(self.recorder.of(task.guide()));
            (self.state, self.pos, self.cursor) = (plan.after, end, made.next);
        } else {
            (self.state, self.pos) = (plan.state, start);
        }
        if !plan.is_blank {
            self.frontier = end;
            self.at_frontier = plan.after;
            self.sealed = made.next;
        }
        if doubt.is_some() {
            self.score.meet(Rival { gap: 0, cost: self.cost(), from: start, edits: Vec::new(), doubt: *doubt });
        }
        self.edits_here = if self.edits_here.0 == end { (end, self.edits_here.1 + 1) } else { (end, 1) };
        let payload_len = task.end - task.start;
        // The bound grows with the text: while more may come, the engine waits before it is met.
        let has_too_many = !task.is_open() && self.edits() > task.limits.edits_for(payload_len);
        (has_too_many || self.edits_here.1 > MAX_EDITS_AT_ONE_PLACE).then_some(Limit::Edits)
    }
}

/// How many tokens may be cut with their edits: a comma, a key and a colon.
pub(super) const CUT: usize = 3;

/// Whether the word or number at `pos` runs on to the end of the text.
fn scalar_reaches_end(pos: usize, task: &Task<'_>, peek: &Peek<'_>) -> bool {
    peek.text.at(pos).word().len() == task.end - pos
}
