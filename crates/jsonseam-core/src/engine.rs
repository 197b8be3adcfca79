//! The repair of one payload: recognise, stop at a fault, ask the rules, make one edit, go on (DESIGN 3).
//!
//! Invariants, each a law of the testkit: a rule is asked only at a fault; edits are disjoint, sorted and never behind the frontier;
//! an edit is made only if the recogniser reads its replacement to the end; everything is counted against a linear bound.

use std::cell::Cell;
use std::ops::Range;

use crate::edit::{Edit, Edits};
use crate::fault::{Fault, Setting, Site, StringProblem};
use crate::journal::Journal;
use crate::limits::{Limit, Limits};
use crate::peek::Peek;
use crate::recognise::{Ending, Next, Partial, State, Stop, TokenKind, finish, is_all_blank, run};
use crate::rules::RuleTable;
use crate::scan::continues_scalar;
use crate::trace::{Held, REACH, Recorder, Within};
use crate::work::Work;

/// How many edits in a row may end at one place. Closers are one edit, so an honest repair needs two or three.
const MAX_EDITS_AT_ONE_PLACE: usize = 8;

/// What is to be repaired, and with what.
#[derive(Clone, Copy)]
pub(crate) struct Task<'e> {
    pub(crate) completion: &'e str,
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
    .mend(&Peek::new(task.completion, task.end), others)
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

/// How an edit that may be made is made.
struct Plan {
    /// The state at the start of the first edit.
    state: State,
    /// The state behind the last one.
    after: State,
    /// Whether it only takes text between two tokens out of the way, and so leaves the frontier alone.
    is_blank: bool,
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
            if !self.work_so_far(peek).is_linear(self.task.completion.len()) {
                let limit = Some((Limit::Work, self.latest_rule));
                return Err(self.refuse(&site, limit, peek, None));
            }
            let Some((rule, edits, plan)) = self.first_answer(self.task.rules, &site, peek) else {
                return Err(self.refuse(&site, None, peek, others));
            };
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

    /// How `edits` would be made, or `None` when a law forbids them. `tried` counts the bytes read to find out.
    fn plan(&self, edits: &Edits, site: &Site, peek: &Peek<'_>, tried: &mut u64) -> Option<Plan> {
        let source = self.task.completion;
        let mut pos = self.frontier;
        for Edit { span, replacement } in edits.iter() {
            let is_in_place = span.start >= pos && span.end >= span.start && span.end <= self.task.end;
            if !is_in_place || source.get(span.clone())? == replacement {
                return None;
            }
            *tried += (span.len() + replacement.len()) as u64;
            pos = span.end;
        }
        let start = edits.first().span.start;
        if !edits.iter().all(|edit| self.has_room(edit)) {
            return None;
        }
        let state = self.state_at(start, site, peek)?;
        if self.would_join(edits.first()) {
            return None;
        }
        let after = self.read_group(edits, state, tried)?;
        let is_blank = self.is_blank(edits, &state, site);
        (is_blank || self.leaves_blanks_alone(edits, after, tried)).then_some(Plan { state, after, is_blank })
    }

    /// Whether no edit that was made overlaps this one.
    fn has_room(&self, edit: &Edit) -> bool {
        let index = self.journal.place_for(edit.span.start, self.sealed);
        let next = self.journal.entries().get(index);
        next.is_none_or(|next| next.span().start >= edit.span.end)
    }

    /// The state of the recogniser at `pos`, if an edit may start there: between the frontier and the fault,
    /// no further back than the fourth-last token, and not inside an escape, a number or a literal.
    fn state_at(&self, pos: usize, site: &Site, peek: &Peek<'_>) -> Option<State> {
        if pos < self.frontier || pos > site.pos {
            return None;
        }
        if pos == self.frontier && self.sealed > 0 {
            return Some(self.at_frontier);
        }
        if pos == site.pos {
            return Some(self.state);
        }
        let mut after = self.state;
        if self.state.is_in_string() {
            if pos >= self.state.content_start {
                return self.is_outside_escapes(pos, self.state.content_start, peek).then_some(self.state);
            }
            after = self.state.between_tokens();
            if pos == self.state.token_start {
                return Some(after);
            }
        }
        for back in 0..REACH {
            let token = self.recorder.behind(back)?;
            if pos >= token.end() {
                return Some(after);
            }
            if pos == token.start() {
                return Some(token.before());
            }
            if pos > token.start() {
                let is_text = matches!(token.kind, TokenKind::Key | TokenKind::String);
                let content_start = token.content_start();
                let is_inside = is_text && pos >= content_start && self.is_outside_escapes(pos, content_start, peek);
                return is_inside.then(|| token.before().inside_string());
            }
            after = token.before();
        }
        None
    }

    /// Whether `pos`, in valid string content, is not inside an escape.
    fn is_outside_escapes(&self, pos: usize, content_start: usize, peek: &Peek<'_>) -> bool {
        let from = content_start.max(self.frontier);
        let Some(content) = self.task.completion.as_bytes().get(from..pos) else {
            return false;
        };
        let ends_in_open_backslash = |content: &[u8]| {
            let backslashes = content.iter().rev().take_while(|&&byte| byte == b'\\').count();
            peek.charge(backslashes + 1);
            backslashes % 2 == 1
        };
        let is_in_unicode_escape = (2..=5).any(|back| {
            content
                .len()
                .checked_sub(back)
                .is_some_and(|start| content[start..].starts_with(b"\\u") && ends_in_open_backslash(&content[..=start]))
        });
        !ends_in_open_backslash(content) && !is_in_unicode_escape
    }

    /// Whether removing text right after a complete number or word would glue the next one to it.
    fn would_join(&self, edit: &Edit) -> bool {
        let ends_here = self.recorder.behind(0).is_some_and(|token| {
            token.end() == edit.span.start && matches!(token.kind, TokenKind::Number | TokenKind::Literal)
        });
        let next =
            edit.replacement.bytes().next().or_else(|| self.task.completion.as_bytes().get(edit.span.end).copied());
        ends_here && edit.span.end < self.task.end && next.is_some_and(continues_scalar)
    }

    /// The state behind the group, if the recogniser reads its replacements, and what lies between them, without a fault,
    /// and no replacement ends in a token that the source cannot go on with.
    fn read_group(&self, edits: &Edits, mut state: State, tried: &mut u64) -> Option<State> {
        let mut between = None;
        let mut end = self.task.start;
        for Edit { span, replacement } in edits.iter() {
            if let Some(from) = between.replace(span.end)
                && !self.reads_between(&mut state, from..span.start, tried)
            {
                return None;
            }
            let max_depth = self.task.limits.max_depth;
            if run(&mut state, replacement.as_bytes(), 0, max_depth, &mut Within(span.clone())) != Stop::Exhausted {
                return None;
            }
            end = span.end;
        }
        self.can_go_on(state, end, tried).then_some(state)
    }

    /// Whether a token that is open in `state` can go on in the source from `pos` on: an escape never may, a number or word if it ends well.
    fn can_go_on(&self, mut state: State, pos: usize, tried: &mut u64) -> bool {
        match state.partial {
            Partial::None | Partial::Text { escape: 0 } => return true,
            Partial::Text { .. } => return false,
            Partial::Number(_) | Partial::Literal { .. } => {}
        }
        let bytes = self.task.completion.as_bytes().get(..self.task.end).unwrap_or_default();
        let rest = bytes.get(pos..).unwrap_or_default();
        let end = pos + rest.iter().position(|&byte| !continues_scalar(byte)).unwrap_or(rest.len());
        *tried += (end - pos) as u64;
        self.reads_text(&mut state, bytes.get(..end).unwrap_or_default(), pos)
            && finish(&mut state, end, &mut ()) != Ending::CutScalar
    }

    /// Whether the blank edits behind the group still lie between tokens when they are read again after it.
    fn leaves_blanks_alone(&self, edits: &Edits, mut state: State, tried: &mut u64) -> bool {
        let bytes = self.task.completion.as_bytes();
        let mut pos = edits.iter().last().map_or(self.task.start, |edit| edit.span.end);
        let first = self.journal.place_for(pos, self.sealed);
        for blank in self.journal.entries().get(first..).unwrap_or_default() {
            let span = blank.span();
            *tried += (span.start - pos) as u64;
            if !self.reads_text(&mut state, bytes.get(..span.start).unwrap_or_default(), pos) {
                // A new fault before it: then it will be read again from there.
                return true;
            }
            if state.partial != Partial::None {
                return false;
            }
            pos = span.end;
        }
        true
    }

    /// Reads the source of `span`, without what blank edits took out of the way.
    fn reads_between(&self, state: &mut State, span: Range<usize>, tried: &mut u64) -> bool {
        *tried += span.len() as u64;
        let bytes = self.task.completion.as_bytes();
        let mut pos = span.start;
        let first = self.journal.place_for(pos, self.sealed);
        for blank in self.journal.entries().get(first..).unwrap_or_default() {
            if blank.span().start >= span.end {
                break;
            }
            let is_read = self.reads_text(state, bytes.get(..blank.span().start).unwrap_or_default(), pos);
            if !is_read || state.partial != Partial::None {
                return false;
            }
            pos = blank.span().end;
        }
        self.reads_text(state, bytes.get(..span.end).unwrap_or_default(), pos)
    }

    fn reads_text(&self, state: &mut State, text: &[u8], pos: usize) -> bool {
        run(state, text, pos, self.task.limits.max_depth, &mut ()) == Stop::Exhausted
    }

    fn is_blank(&self, edits: &Edits, state: &State, site: &Site) -> bool {
        let Edit { span, replacement } = edits.first();
        let is_behind_tokens = self.recorder.behind(0).is_none_or(|token| span.start >= token.end());
        edits.iter().count() == 1
            && !span.is_empty()
            && site.problem.is_none()
            && !state.is_in_string()
            && is_behind_tokens
            && is_all_blank(replacement)
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
