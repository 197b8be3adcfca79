//! One completion on its way: locate, recognise, repair, judge (SPEC P1 to P6).
//!
//! Boundary: nothing leaves this module as repaired that a strict decoder other than ours has not read.

use std::cell::Cell;
use std::ops::Range;
use std::sync::Arc;

use serde_json::value::RawValue;

use crate::config::Policy;
use crate::engine::{Mended, Refused, Task, mend};
use crate::error::{Error, Position, Reason};
use crate::fault::Expected;
use crate::journal::Journal;
use crate::limits::Limit;
use crate::locate::{Candidate, Candidates, Ending, Region, opens, trim};
use crate::peek::Peek;
use crate::pipeline::{FinishReason, RepairOptions, Settings};
use crate::recognise::{self, Next, State, Stop, finish, is_all_blank, run, validate};
use crate::repaired::Repaired;
use crate::root;
use crate::rules::RuleTable;
use crate::scan::is_blank;
use crate::work::Work;

/// A refusal before the locators that would have helped are known.
pub(crate) struct Refusal {
    pub(crate) error: Error,
    pub(crate) mended_by: Vec<String>,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self { error, mended_by: Vec::new() }
    }
}

/// One completion on its way.
pub(crate) struct Attempt<'p, 'a> {
    settings: &'p Settings,
    rules: &'p RuleTable,
    completion: &'a str,
    options: &'p RepairOptions<'p>,
    /// What was spent so far.
    work: Cell<Work>,
    /// Bytes that locators read: regions count them here.
    examined: Cell<u64>,
}

/// A candidate, and whether it decodes as it stands.
struct Weighed {
    candidate: Candidate,
    /// The end of its payload, if it is valid.
    valid_end: Option<usize>,
    /// The end of the region it lies in.
    region_end: usize,
}

impl<'p, 'a> Attempt<'p, 'a> {
    pub(crate) fn new(
        settings: &'p Settings,
        rules: &'p RuleTable,
        completion: &'a str,
        options: &'p RepairOptions<'p>,
    ) -> Self {
        Self { settings, rules, completion, options, work: Cell::new(Work::default()), examined: Cell::new(0) }
    }

    fn work(&self) -> Work {
        let mut work = self.work.get();
        work.examined += self.examined.take();
        self.work.set(work);
        work
    }

    fn spend(&self, steps: usize) {
        let mut work = self.work.get();
        work.steps += steps as u64;
        self.work.set(work);
    }

    fn examine(&self, peek: &Peek<'_>) {
        self.examined.set(self.examined.get() + peek.examined());
    }

    /// Takes over what a repair has spent, which includes all that was spent before it.
    fn charge(&self, work: Work) {
        self.work.set(work);
    }

    /// Whether the completion as it stands is valid JSON; the error is the recogniser's own fault.
    pub(crate) fn check(&self) -> Result<(), Error> {
        let len = self.completion.len();
        if len > self.settings.limits.max_input_bytes {
            return Err(Error::limit(Limit::InputBytes));
        }
        let whole = Candidate { span: 0..len, ending: Ending::Exact };
        let nothing = RuleTable::default();
        let task = Task { rules: &nothing, is_last: true, ..self.task(&whole, len) };
        mend(&task, None).map(drop).map_err(|refused| {
            let reason = if refused.site.is_at_end { Reason::Truncated } else { Reason::Syntax };
            let error = match refused.limit {
                Some((limit, _)) => Error::limit(limit),
                None => Error::new(reason).expecting(refused.expected),
            };
            self.error_at(error, refused.site.pos)
        })
    }

    pub(crate) fn repair(&self) -> Result<Repaired<'a>, Refusal> {
        if self.completion.len() > self.settings.limits.max_input_bytes {
            return Err(Error::limit(Limit::InputBytes).into());
        }
        self.spend(self.completion.len());
        match validate(self.completion.as_bytes(), self.settings.limits.max_depth) {
            Ok(()) => return self.accept_whole(),
            Err((_, Stop::TooDeep(pos))) => {
                return Err(self.error_at(Error::limit(Limit::Depth), pos).into());
            }
            Err(_) => {}
        }
        let candidates = self.candidates()?;
        self.choose(&candidates)
    }

    /// The completion is valid as a whole: it is its own payload if its root is wanted.
    fn accept_whole(&self) -> Result<Repaired<'a>, Refusal> {
        match root::refusal_of_valid(self.completion, self.settings.root) {
            None => Ok(self.untouched(0..self.completion.len())),
            Some(reason) => {
                let start = trim(self.completion, 0..self.completion.len()).start;
                Err(self.error_at(Error::new(reason), start).into())
            }
        }
    }

    fn untouched(&self, payload: Range<usize>) -> Repaired<'a> {
        self.assemble(Mended { journal: Journal::default(), payload, work: self.work() })
    }

    fn assemble(&self, mended: Mended) -> Repaired<'a> {
        let payload = with_outer_blanks(self.completion, mended.payload);
        let is_edited = mended.journal.len() > 0;
        Repaired {
            source: self.completion.get(payload.clone()).unwrap_or_default().into(),
            output: is_edited.then(|| mended.journal.apply(self.completion, payload.clone())),
            payload,
            journal: mended.journal,
            rules: Arc::clone(self.settings.rules.infos()),
            is_cut_by_reason: self.options.finish_reason.as_ref().is_some_and(FinishReason::is_cut),
            work: mended.work,
        }
    }

    fn error_at(&self, error: Error, offset: usize) -> Error {
        self.spend(offset);
        error.at(Position::of(offset, self.completion)).after(self.work())
    }

    fn region(&self, span: Range<usize>) -> Region<'_> {
        Region::new(self.completion, span, self.settings.root, self.settings.policy, &self.examined)
    }

    /// Every candidate, in the order of preference, and whether it is valid as it stands.
    fn candidates(&self) -> Result<Vec<Weighed>, Refusal> {
        let whole = 0..self.completion.len();
        let mut regions = Vec::from([whole]);
        for (_, locator) in self.rules.region_locators() {
            let mut narrowed = Vec::new();
            for span in regions {
                let mut found = Candidates::new(self.settings.max_candidates);
                locator.locate(&self.region(span.clone()), &mut found);
                let found = self.within_limit(found)?;
                if found.is_empty() {
                    narrowed.push(span);
                } else {
                    narrowed.extend(found.into_iter().map(|candidate| candidate.span));
                }
            }
            regions = narrowed;
        }
        if self.settings.policy == Policy::First {
            regions.truncate(1);
        }
        let mut weighed = Vec::new();
        let mut refused = None;
        for span in regions {
            match self.payloads(&self.region(span)) {
                Ok(found) => weighed.extend(found),
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        if weighed.len() > self.settings.max_candidates {
            return Err(Error::limit(Limit::Candidates).after(self.work()).into());
        }
        match refused {
            Some(refusal) if weighed.is_empty() => Err(refusal),
            _ => Ok(weighed),
        }
    }

    fn within_limit(&self, found: Candidates) -> Result<Vec<Candidate>, Refusal> {
        if found.has_overflowed() {
            return Err(Error::limit(Limit::Candidates).after(self.work()).into());
        }
        let mut candidates = found.into_found();
        for candidate in &mut candidates {
            let span = &candidate.span;
            let is_inside = span.start <= span.end && self.completion.get(span.clone()).is_some();
            candidate.span = if is_inside { trim(self.completion, span.clone()) } else { 0..0 };
        }
        candidates.retain(|candidate| !candidate.span.is_empty());
        Ok(candidates)
    }

    /// The payloads of one region (SPEC P2 to P4).
    fn payloads(&self, region: &Region<'_>) -> Result<Vec<Weighed>, Refusal> {
        let span = region.span();
        let whole = Candidate { span: span.clone(), ending: Ending::Exact };
        if self.valid_end(&whole).is_some() {
            let text = self.completion.get(span.clone()).unwrap_or_default();
            return match root::refusal_of_valid(text, self.settings.root) {
                None => Ok(vec![Weighed { candidate: whole, valid_end: Some(span.end), region_end: span.end }]),
                Some(reason) => Err(self.error_at(Error::new(reason), span.start).into()),
            };
        }
        if self.has_lost_its_opener(&span) {
            return Err(self.error_at(Error::new(Reason::NoJsonObjectFound), span.start).into());
        }
        if let Some(reason) = root::refusal_of_region(region, |wanted| self.repairs_to(&span, wanted)) {
            return Err(self.error_at(Error::new(reason), span.start).into());
        }
        let mut candidates = Vec::new();
        for (_, locator) in self.rules.payload_locators() {
            let mut found = Candidates::new(self.settings.max_candidates);
            locator.locate(region, &mut found);
            candidates = self.within_limit(found)?;
            if !candidates.is_empty() {
                break;
            }
        }
        if candidates.is_empty() {
            candidates.push(whole);
        }
        let weigh = |mut candidate: Candidate| {
            self.widen(&mut candidate, span.end);
            Weighed { valid_end: self.valid_end(&candidate), candidate, region_end: span.end }
        };
        Ok(candidates.into_iter().map(weigh).collect())
    }

    /// Whether the region starts with a member: then the brackets in it are parts of its values, and no payload (SPEC P4, B6).
    fn has_lost_its_opener(&self, span: &Range<usize>) -> bool {
        let peek = Peek::new(self.completion, span.end);
        let starts_with_key = peek.starts_with(span.start, "\"") && peek.key_is_at(span.start);
        self.examine(&peek);
        starts_with_key
    }

    /// A span whose root goes on behind it is no payload by itself: it is read to the region's end, where the fault will show.
    fn widen(&self, candidate: &mut Candidate, region_end: usize) {
        if candidate.ending == Ending::Provisional && candidate.span.end < region_end {
            let peek = Peek::new(self.completion, region_end);
            if !peek.span_has_ended(candidate.span.end) {
                candidate.span.end = region_end;
            }
            self.examine(&peek);
        }
    }

    /// Whether the whole region, repaired, is an array or an object as `wanted` says.
    fn repairs_to(&self, span: &Range<usize>, wanted: u8) -> bool {
        let candidate = Candidate { span: span.clone(), ending: Ending::Exact };
        self.completion.as_bytes().get(span.start) == Some(&wanted)
            && mend(&self.task(&candidate, span.end), None).is_ok()
    }

    /// The end of the payload if the candidate is valid as it stands.
    fn valid_end(&self, candidate: &Candidate) -> Option<usize> {
        let span = &candidate.span;
        let text = self.completion.as_bytes().get(..span.end)?;
        let mut state = State::START;
        let max_depth = self.settings.limits.max_depth;
        let stop = run(&mut state, text, span.start, max_depth, &mut ());
        match stop {
            Stop::Exhausted => {
                self.spend(span.len());
                let ending = finish(&mut state, span.end, &mut ());
                (ending == recognise::Ending::Complete).then_some(span.end)
            }
            Stop::Unexpected(pos) => {
                self.spend(pos - span.start);
                let peek = Peek::new(self.completion, span.end);
                let is_outside = state.next == Next::End && peek.root_has_ended(pos);
                self.examine(&peek);
                let blanks = text[..pos].iter().rev().take_while(|&&byte| is_blank(byte)).count();
                (candidate.ending == Ending::RootClose && is_outside).then_some(pos - blanks)
            }
            _ => {
                self.spend(span.len());
                None
            }
        }
    }

    fn task(&self, candidate: &Candidate, region_end: usize) -> Task<'_> {
        let end = candidate.span.end;
        let is_last = end == region_end && trim(self.completion, end..self.completion.len()).is_empty();
        Task {
            completion: self.completion,
            start: candidate.span.start,
            end,
            is_open_ended: candidate.ending == Ending::RootClose,
            is_region_end: end == region_end,
            is_last,
            rules: self.rules,
            limits: &self.settings.limits,
            evidence: self.options.evidence,
            work: self.work(),
        }
    }

    /// Chooses among the candidates that are valid or can be repaired, by policy (SPEC B4).
    fn choose(&self, weighed: &[Weighed]) -> Result<Repaired<'a>, Refusal> {
        if self.settings.policy == Policy::First || weighed.len() == 1 {
            return match weighed.first() {
                Some(weighed) => self.repair_candidate(weighed),
                None => Err(Error::new(Reason::NoJsonObjectFound).after(self.work()).into()),
            };
        }
        let mut fitting = Vec::new();
        let mut refused = None;
        for weighed in weighed {
            match self.repair_candidate(weighed) {
                Ok(repaired) => fitting.push(repaired),
                // What was cut off is the last one there is: taking an earlier one for it would hide the cut.
                Err(refusal) if refusal.error.reason() == Reason::Truncated => return Err(refusal),
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        let chosen = match self.settings.policy {
            Policy::Only if fitting.len() > 1 => {
                let spans = fitting.iter().map(Repaired::payload).collect();
                return Err(Error::new(Reason::AmbiguousPayload).among(spans).after(self.work()).into());
            }
            Policy::Best => fitting.into_iter().max_by_key(|repaired| self.merit(repaired)),
            Policy::Last => fitting.pop(),
            Policy::Only | Policy::First => fitting.into_iter().next(),
        };
        chosen.ok_or_else(|| refused.unwrap_or_else(|| Error::new(Reason::NoJsonObjectFound).after(self.work()).into()))
    }

    /// The order of `best`: fits the contract, then least risk, then fewest edits, then latest start.
    fn merit(&self, repaired: &Repaired<'_>) -> impl Ord + use<> {
        use std::cmp::Reverse;
        let fit = self.options.rank.map_or(0, |rank| rank(repaired));
        (fit, Reverse(repaired.risk()), Reverse(repaired.edits().len()), repaired.payload().start)
    }

    fn repair_candidate(&self, weighed: &Weighed) -> Result<Repaired<'a>, Refusal> {
        let candidate = &weighed.candidate;
        if let Some(end) = weighed.valid_end {
            return Ok(self.untouched(candidate.span.start..end));
        }
        let others = (!self.options.skips_mended_by).then_some(&self.settings.others);
        let task = self.task(candidate, weighed.region_end);
        let refused = match mend(&task, others) {
            Ok(mended) => return self.judge(mended),
            Err(refused) => refused,
        };
        // A span that ends at the last closer may end before the text does: then the true fault lies further on.
        let goes_on = candidate.ending == Ending::Provisional && !task.is_region_end;
        if goes_on && refused.site.is_at_end && refused.limit.is_none() {
            self.charge(refused.work);
            let wider = Candidate { span: task.start..weighed.region_end, ..*candidate };
            let wider = self.task(&wider, weighed.region_end);
            return match mend(&wider, others) {
                Ok(mended) => self.judge(mended),
                Err(refused) => Err(self.refusal(&wider, refused)),
            };
        }
        Err(self.refusal(&task, refused))
    }

    /// An independent strict decoder reads the output before anyone else does (DESIGN 3, law 4).
    fn judge(&self, mut mended: Mended) -> Result<Repaired<'a>, Refusal> {
        // The output is written once and judged once.
        mended.work.steps += 2 * (mended.payload.len() as u64 + mended.work.inserted);
        let repaired = self.assemble(mended);
        self.charge(repaired.work);
        if serde_json::from_str::<&RawValue>(repaired.text()).is_ok() {
            // A scalar is a payload only if it decodes as it stands, so what was repaired is of the wanted root (SPEC P3).
            let first = repaired.text().trim_ascii_start().bytes().next();
            if first.is_some_and(|first| opens(first, self.settings.root)) {
                return Ok(repaired);
            }
            let error = Error::new(Reason::Syntax).expecting(Expected::Value);
            return Err(self.error_at(error, repaired.payload.start).into());
        }
        tracing::error!(target: "jsonseam", edits = repaired.edits().len(), "the judge refused a repair: a defect of jsonseam");
        debug_assert!(false, "the engine and the judge agree");
        Err(self.error_at(Error::new(Reason::Syntax), repaired.payload.start).into())
    }

    /// Turns the engine's refusal into the caller's error.
    fn refusal(&self, task: &Task<'_>, refused: Refused) -> Refusal {
        self.charge(refused.work);
        if let Some((limit, rule)) = refused.limit {
            let error = Error::limit(limit).blaming(rule.map(|index| self.rules.name(index)));
            return self.error_at(error, refused.site.pos).into();
        }
        if let Some(root_end) = refused.root_end.filter(|_| !task.is_open_ended)
            && let Some(second) = self.next_root(refused.site.pos, task.end)
        {
            let error = Error::new(Reason::AmbiguousPayload).among(vec![task.start..root_end, second]);
            return Refusal { error: self.error_at(error, refused.site.pos), mended_by: Vec::new() };
        }
        let is_cut = refused.site.is_at_end && task.is_last;
        let reason = if is_cut { Reason::Truncated } else { Reason::Syntax };
        let error = self.error_at(Error::new(reason).expecting(refused.expected), refused.site.pos);
        Refusal { error, mended_by: refused.mended_by }
    }

    /// The next complete payload of the wanted root between `from` and `end`. Each byte is read once: the search goes on where a candidate failed.
    fn next_root(&self, from: usize, end: usize) -> Option<Range<usize>> {
        let bytes = self.completion.as_bytes();
        let mut pos = from;
        loop {
            let opener = bytes.get(pos..end)?.iter().position(|&byte| opens(byte, self.settings.root))?;
            self.spend(opener);
            let start = pos + opener;
            let mut state = State::START;
            let stop = run(&mut state, bytes.get(..end)?, start, self.settings.limits.max_depth, &mut ());
            let stopped = match stop {
                Stop::Unexpected(stopped) | Stop::Control(stopped) | Stop::TooDeep(stopped) => stopped,
                Stop::BadScalar => state.token_start,
                Stop::BadEscape => state.escape_start,
                Stop::Exhausted => end,
            };
            self.spend(stopped - start);
            if state.next == Next::End {
                let blanks = bytes[start..stopped].iter().rev().take_while(|&&byte| is_blank(byte)).count();
                return Some(start..stopped - blanks);
            }
            pos = stopped.max(start + 1);
        }
    }
}

/// The payload together with the white space around it, when there is nothing else around it:
/// a text that needs no locating loses no final newline (SPEC P2). A byte order mark stays outside.
fn with_outer_blanks(completion: &str, payload: Range<usize>) -> Range<usize> {
    let before = completion.get(..payload.start).unwrap_or_default();
    let before = before.strip_prefix('\u{FEFF}').unwrap_or(before);
    let after = completion.get(payload.end..).unwrap_or_default();
    if is_all_blank(before) && is_all_blank(after) { payload.start - before.len()..completion.len() } else { payload }
}
