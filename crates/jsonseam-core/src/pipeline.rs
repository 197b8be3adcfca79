//! The way of a completion: locate, recognise, repair, judge (SPEC P1 to P6).
//!
//! Boundary: nothing leaves this module as repaired that a strict decoder other than ours has not read.

use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use serde_json::value::RawValue;

use crate::catalogue::Catalogue;
use crate::config::{Config, ConfigError, Policy, Root};
use crate::engine::{Mended, Refused, Task, mend};
use crate::error::{Error, Position, Reason};
use crate::fault::Expected;
use crate::limits::{Limit, Limits};
use crate::locate::{Candidate, Candidates, Region, opens, trim};
use crate::peek::Peek;
use crate::recognise::{Next, State, Stop, run, validate};
use crate::repaired::Repaired;
use crate::root;
use crate::rules::{RuleEntry, RuleInfo, RuleTable};
use crate::scan::is_blank;
use crate::work::Work;

/// Rules and settings, ready to repair any number of completions.
///
/// Cheap to clone and free to share between threads.
#[derive(Clone)]
pub struct Pipeline(Arc<Settings>);

pub(crate) struct Settings {
    pub(crate) root: Root,
    pub(crate) policy: Policy,
    pub(crate) max_candidates: usize,
    pub(crate) limits: Limits,
    pub(crate) rules: RuleTable,
    /// The known rules that are not enabled, to say which would have helped.
    pub(crate) others: RuleTable,
}

impl fmt::Debug for Pipeline {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Pipeline")
            .field("rules", &self.0.rules.infos())
            .finish_non_exhaustive()
    }
}

/// Why the model stopped writing, as its interface reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishReason(String);

impl FinishReason {
    /// Whether the answer was cut off rather than finished.
    ///
    /// ```
    /// use jsonseam_core::FinishReason;
    ///
    /// assert!(FinishReason::from("length").is_cut());
    /// assert!(FinishReason::from("MAX_TOKENS").is_cut());
    /// assert!(!FinishReason::from("stop").is_cut());
    /// ```
    pub fn is_cut(&self) -> bool {
        const CUTS: [&str; 7] = [
            "length",
            "max_tokens",
            "max_output_tokens",
            "model_length",
            "model_context_window_exceeded",
            "content_filter",
            "incomplete",
        ];
        CUTS.iter().any(|cut| self.0.eq_ignore_ascii_case(cut))
    }
}

impl<T: Into<String>> From<T> for FinishReason {
    fn from(reason: T) -> Self {
        Self(reason.into())
    }
}

/// A function that says how well a candidate fits what the caller wants; more is better.
pub type Rank<'r> = &'r dyn Fn(&Repaired<'_>) -> u32;

/// What the caller knows about one completion.
#[derive(Clone, Default)]
pub struct RepairOptions<'r> {
    /// Why the model stopped.
    pub finish_reason: Option<FinishReason>,
    /// Whether a refusal names no rules that would have mended it. Finding them costs up to one more repair for each locator.
    pub skips_mended_by: bool,
    /// How well a candidate fits, for the policy `best`.
    pub rank: Option<Rank<'r>>,
}

impl fmt::Debug for RepairOptions<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("RepairOptions")
            .field("finish_reason", &self.finish_reason)
            .field("skips_mended_by", &self.skips_mended_by)
            .field("is_ranked", &self.rank.is_some())
            .finish()
    }
}

impl Pipeline {
    /// The pipeline that `config` describes over the rules of `catalogue`.
    pub fn new(config: &Config, catalogue: &Catalogue) -> Result<Self, ConfigError> {
        let selected = crate::config::resolve(config, catalogue)?;
        let others = crate::config::resolve_unselected(catalogue, &selected);
        Ok(Self(Arc::new(Settings {
            root: config.root(),
            policy: config.policy(),
            max_candidates: config.max_candidates(),
            limits: config.limits(),
            rules: RuleTable::new(selected),
            others: RuleTable::new(others),
        })))
    }

    /// A pipeline of exactly these rules, asked in this order, with the root, policy and limits of `config`.
    ///
    /// Needs no catalogue and no discovery by the linker, so it works where those do not.
    /// A refusal names no rules that would have mended it: only these are known.
    pub fn from_rules(config: &Config, rules: Vec<RuleEntry>) -> Self {
        Self(Arc::new(Settings {
            root: config.root(),
            policy: config.policy(),
            max_candidates: config.max_candidates(),
            limits: config.limits(),
            rules: RuleTable::new(rules),
            others: RuleTable::default(),
        }))
    }

    /// The bounds on each repair.
    pub fn limits(&self) -> Limits {
        self.0.limits
    }

    /// The rules, in the order in which they are asked.
    pub fn rules(&self) -> impl Iterator<Item = &RuleInfo> {
        self.0.rules.infos().iter()
    }

    /// Finds the payload of `completion` and repairs it if it has to.
    ///
    /// Time and memory are linear in the completion. The error says why, where, and which known rules would have mended it.
    pub fn repair<'a>(&self, completion: &'a str) -> Result<Repaired<'a>, Error> {
        self.repair_with(completion, &RepairOptions::default())
    }

    /// Like [`repair`](Self::repair), with what the caller knows about this completion.
    pub fn repair_with<'a>(
        &self,
        completion: &'a str,
        options: &RepairOptions<'_>,
    ) -> Result<Repaired<'a>, Error> {
        let result = Attempt::new(&self.0, &self.0.rules, completion, options).repair();
        match result {
            Ok(repaired) => {
                observe(&repaired, completion.len());
                Ok(repaired)
            }
            Err(refusal) if options.skips_mended_by => Err(refusal.error),
            Err(refusal) => Err(self.name_locators(refusal, completion, options)),
        }
    }

    /// Like [`repair_with`](Self::repair_with), for bytes: this is the one place where UTF-8 is checked.
    pub fn repair_bytes<'a>(
        &self,
        completion: &'a [u8],
        options: &RepairOptions<'_>,
    ) -> Result<Repaired<'a>, Error> {
        match std::str::from_utf8(completion) {
            Ok(text) => self.repair_with(text, options),
            Err(error) => {
                let valid = completion.get(..error.valid_up_to()).unwrap_or_default();
                let position =
                    Position::of(valid.len(), std::str::from_utf8(valid).unwrap_or_default());
                Err(Error::new(Reason::InvalidUtf8).at(position))
            }
        }
    }

    /// Adds to a refusal the locators that would have found a payload which this pipeline repairs.
    fn name_locators(
        &self,
        refusal: Refusal,
        completion: &str,
        options: &RepairOptions<'_>,
    ) -> Error {
        let settings = &*self.0;
        let mut names = refusal.mended_by;
        if refusal.error.reason() != Reason::LimitExceeded {
            let quiet = RepairOptions {
                skips_mended_by: true,
                ..options.clone()
            };
            let others = settings
                .others
                .region_locators()
                .chain(settings.others.payload_locators());
            for (index, _) in others {
                let rules = settings.rules.with_locator_of(&settings.others, index);
                if Attempt::new(settings, &rules, completion, &quiet)
                    .repair()
                    .is_ok()
                {
                    names.push(settings.others.name(index).to_owned());
                }
            }
        }
        refusal.error.mended_by_rules(names)
    }
}

/// One event for each repair that edits; no text of the payload (SPEC M5).
fn observe(repaired: &Repaired<'_>, bytes_in: usize) {
    if !tracing::enabled!(target: "jsonseam", tracing::Level::DEBUG) || repaired.edits().len() == 0
    {
        return;
    }
    let mut rules: Vec<_> = repaired.edits().map(|seam| seam.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    tracing::debug!(
        target: "jsonseam",
        rules = rules.join(","),
        edits = repaired.edits().len(),
        bytes_in,
        bytes_out = repaired.text().len(),
        risk = repaired.risk().map_or("", crate::risk::Risk::as_str),
        truncated = repaired.is_truncated(),
        "repaired"
    );
}

/// A refusal before the locators that would have helped are known.
struct Refusal {
    error: Error,
    mended_by: Vec<String>,
}

impl From<Error> for Refusal {
    fn from(error: Error) -> Self {
        Self {
            error,
            mended_by: Vec::new(),
        }
    }
}

/// One completion on its way.
struct Attempt<'p, 'a> {
    settings: &'p Settings,
    rules: &'p RuleTable,
    completion: &'a str,
    options: &'p RepairOptions<'p>,
    /// Bytes that locators read.
    examined: Cell<u64>,
    steps: Cell<u64>,
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
    fn new(
        settings: &'p Settings,
        rules: &'p RuleTable,
        completion: &'a str,
        options: &'p RepairOptions<'p>,
    ) -> Self {
        Self {
            settings,
            rules,
            completion,
            options,
            examined: Cell::new(0),
            steps: Cell::new(0),
        }
    }

    fn work(&self) -> Work {
        Work {
            steps: self.steps.get(),
            examined: self.examined.get(),
            moves: 0,
        }
    }

    fn spend(&self, steps: usize) {
        self.steps.set(self.steps.get() + steps as u64);
    }

    fn examine(&self, peek: &Peek<'_>) {
        self.examined.set(self.examined.get() + peek.examined());
    }

    fn repair(&self) -> Result<Repaired<'a>, Refusal> {
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
        self.choose(candidates)
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

    fn untouched(&self, payload: std::ops::Range<usize>) -> Repaired<'a> {
        self.assemble(Mended {
            journal: crate::journal::Journal::default(),
            payload,
            work: self.work(),
        })
    }

    fn assemble(&self, mended: Mended) -> Repaired<'a> {
        let payload = mended.payload;
        let output = if mended.journal.len() == 0 {
            self.completion
                .get(payload.clone())
                .unwrap_or_default()
                .into()
        } else {
            mended
                .journal
                .apply(self.completion, payload.clone())
                .into()
        };
        Repaired {
            completion: self.completion,
            output,
            payload,
            journal: mended.journal,
            rules: Arc::clone(self.settings.rules.infos()),
            is_cut_by_reason: self
                .options
                .finish_reason
                .as_ref()
                .is_some_and(FinishReason::is_cut),
            work: mended.work,
        }
    }

    fn error_at(&self, error: Error, offset: usize) -> Error {
        self.spend(offset);
        error
            .at(Position::of(offset, self.completion))
            .after(self.work())
    }

    fn region(&self, span: std::ops::Range<usize>) -> Region<'_> {
        Region::new(
            self.completion,
            span,
            self.settings.root,
            self.settings.policy,
            &self.examined,
        )
    }

    /// Every candidate, in the order of preference, and whether it is valid as it stands.
    fn candidates(&self) -> Result<Vec<Weighed>, Refusal> {
        let mut regions = vec![0..self.completion.len()];
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
            candidate.span = if is_inside {
                trim(self.completion, span.clone())
            } else {
                0..0
            };
        }
        candidates.retain(|candidate| !candidate.span.is_empty());
        Ok(candidates)
    }

    /// The payloads of one region (SPEC P2 to P4).
    fn payloads(&self, region: &Region<'_>) -> Result<Vec<Weighed>, Refusal> {
        let span = region.span();
        let whole = Candidate {
            span: span.clone(),
            is_open_ended: false,
        };
        if self.valid_end(&whole).is_some() {
            let text = self.completion.get(span.clone()).unwrap_or_default();
            return match root::refusal_of_valid(text, self.settings.root) {
                None => Ok(vec![Weighed {
                    candidate: whole,
                    valid_end: Some(span.end),
                    region_end: span.end,
                }]),
                Some(reason) => Err(self.error_at(Error::new(reason), span.start).into()),
            };
        }
        if let Some(reason) =
            root::refusal_of_region(region, |wanted| self.repairs_to(&span, wanted))
        {
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
            Weighed {
                valid_end: self.valid_end(&candidate),
                candidate,
                region_end: span.end,
            }
        };
        Ok(candidates.into_iter().map(weigh).collect())
    }

    /// A span whose root goes on behind it is no payload by itself: it is read to the region's end, where the fault will show.
    fn widen(&self, candidate: &mut Candidate, region_end: usize) {
        if !candidate.is_open_ended
            && candidate.span.end < region_end
            && self.settings.policy == Policy::First
        {
            let peek = Peek::new(self.completion, region_end);
            if !peek.span_has_ended(candidate.span.end) {
                candidate.span.end = region_end;
            }
            self.examine(&peek);
        }
    }

    /// Whether the whole region, repaired, is an array or an object as `wanted` says.
    fn repairs_to(&self, span: &std::ops::Range<usize>, wanted: u8) -> bool {
        let candidate = Candidate {
            span: span.clone(),
            is_open_ended: false,
        };
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
                let ending = crate::recognise::finish(&mut state, span.end, &mut ());
                (ending == crate::recognise::Ending::Complete).then_some(span.end)
            }
            Stop::Unexpected(pos) => {
                self.spend(pos - span.start);
                let peek = Peek::new(self.completion, span.end);
                let is_outside = state.next == Next::End && peek.root_has_ended(pos);
                self.examine(&peek);
                let blanks = text[..pos]
                    .iter()
                    .rev()
                    .take_while(|&&byte| is_blank(byte))
                    .count();
                (candidate.is_open_ended && is_outside).then_some(pos - blanks)
            }
            _ => {
                self.spend(span.len());
                None
            }
        }
    }

    fn task(&self, candidate: &Candidate, region_end: usize) -> Task<'_> {
        let end = candidate.span.end;
        let rest = self.completion.get(end..).unwrap_or_default();
        let is_last = end == region_end && trim(self.completion, end..end + rest.len()).is_empty();
        Task {
            completion: self.completion,
            start: candidate.span.start,
            end,
            is_open_ended: candidate.is_open_ended,
            is_region_end: end == region_end,
            is_last,
            rules: self.rules,
            limits: &self.settings.limits,
            work: self.work(),
        }
    }

    /// Chooses among the candidates (SPEC B4): valid ones before those that need repair, then by policy.
    fn choose(&self, weighed: Vec<Weighed>) -> Result<Repaired<'a>, Refusal> {
        if self.settings.policy == Policy::First || weighed.len() == 1 {
            return match weighed.first() {
                Some(weighed) => self.repair_candidate(weighed),
                None => Err(Error::new(Reason::NoJsonObjectFound)
                    .after(self.work())
                    .into()),
            };
        }
        let has_valid = weighed.iter().any(|weighed| weighed.valid_end.is_some());
        let mut fitting = Vec::new();
        let mut refused = None;
        for weighed in weighed
            .iter()
            .filter(|weighed| weighed.valid_end.is_some() || !has_valid)
        {
            match self.repair_candidate(weighed) {
                Ok(repaired) => fitting.push(repaired),
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        let chosen = match self.settings.policy {
            Policy::Only if fitting.len() > 1 => {
                let spans = fitting.iter().map(Repaired::payload).collect();
                return Err(Error::new(Reason::AmbiguousPayload)
                    .among(spans)
                    .after(self.work())
                    .into());
            }
            Policy::Best => fitting
                .into_iter()
                .max_by_key(|repaired| self.merit(repaired)),
            Policy::Last => fitting.pop(),
            Policy::Only | Policy::First => fitting.into_iter().next(),
        };
        chosen.ok_or_else(|| {
            refused.unwrap_or_else(|| {
                Error::new(Reason::NoJsonObjectFound)
                    .after(self.work())
                    .into()
            })
        })
    }

    /// The order of `best`: fits the contract, then least risk, then fewest edits, then latest start.
    fn merit(&self, repaired: &Repaired<'_>) -> impl Ord + use<> {
        use std::cmp::Reverse;
        let fit = self.options.rank.map_or(0, |rank| rank(repaired));
        (
            fit,
            Reverse(repaired.risk()),
            Reverse(repaired.edits().len()),
            repaired.payload().start,
        )
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
        if refused.site.is_at_end && !task.is_region_end && refused.limit.is_none() {
            self.charge(refused.work);
            let wider = Candidate {
                span: task.start..weighed.region_end,
                ..*candidate
            };
            let wider = self.task(&wider, weighed.region_end);
            return match mend(&wider, others) {
                Ok(mended) => self.judge(mended),
                Err(refused) => Err(self.refusal(&wider, *refused)),
            };
        }
        Err(self.refusal(&task, *refused))
    }

    /// Takes over what a repair has spent, which includes all that was spent before it.
    fn charge(&self, work: Work) {
        self.steps.set(work.steps + work.moves);
        self.examined.set(work.examined);
    }

    /// An independent strict decoder reads the output before anyone else does (DESIGN 3, law 4).
    fn judge(&self, mut mended: Mended) -> Result<Repaired<'a>, Refusal> {
        let payload_len = mended.payload.len();
        mended.work.steps += 2 * payload_len as u64;
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
        Err(self
            .error_at(Error::new(Reason::Syntax), repaired.payload.start)
            .into())
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
            let error =
                Error::new(Reason::AmbiguousPayload).among(vec![task.start..root_end, second]);
            return Refusal {
                error: self.error_at(error, refused.site.pos),
                mended_by: Vec::new(),
            };
        }
        let is_cut = refused.site.is_at_end && task.is_last;
        let reason = if is_cut {
            Reason::Truncated
        } else {
            Reason::Syntax
        };
        let error = self.error_at(
            Error::new(reason).expecting(refused.expected),
            refused.site.pos,
        );
        Refusal {
            error,
            mended_by: refused.mended_by,
        }
    }

    /// The next complete payload of the wanted root between `from` and `end`. Each byte is read once: the search goes on where a candidate failed.
    fn next_root(&self, from: usize, end: usize) -> Option<std::ops::Range<usize>> {
        let bytes = self.completion.as_bytes();
        let mut pos = from;
        loop {
            let opener = bytes
                .get(pos..end)?
                .iter()
                .position(|&byte| crate::locate::opens(byte, self.settings.root))?;
            self.spend(opener);
            let start = pos + opener;
            let mut state = State::START;
            let stop = run(
                &mut state,
                bytes.get(..end)?,
                start,
                self.settings.limits.max_depth,
                &mut (),
            );
            let stopped = match stop {
                Stop::Unexpected(stopped) | Stop::Control(stopped) | Stop::TooDeep(stopped) => {
                    stopped
                }
                Stop::BadScalar => state.token_start,
                Stop::BadEscape => state.escape_start,
                Stop::Exhausted => end,
            };
            self.spend(stopped - start);
            if state.next == Next::End {
                let blanks = bytes[start..stopped]
                    .iter()
                    .rev()
                    .take_while(|&&byte| is_blank(byte))
                    .count();
                return Some(start..stopped - blanks);
            }
            pos = stopped.max(start + 1);
        }
    }
}
