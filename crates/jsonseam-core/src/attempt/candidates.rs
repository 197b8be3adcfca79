//! Where the payload could lie: the candidates, and which of them are valid as they are (SPEC P2 to P4, B4).

use std::ops::Range;

use super::other_root;
use super::{Attempt, Refusal, refused_at};
use crate::edits::journal::Journal;
use crate::engine::mend;
use crate::engine::rules::Locator;
use crate::locate::root;
use crate::locate::{Candidate, Candidates, Ending, Reached, Region, trim};
use crate::looking::peek::text_to;
use crate::looking::trace::checkpoints::read_first;
use crate::reading::limits::Limit;
use crate::reading::openers::byte_before;
use crate::reading::scan::is_json_space;
use crate::reading::wanted::Policy;
use crate::results::error::Error;
use crate::results::reason::Reason;

/// A candidate, and whether it decodes as it is.
pub(super) struct CheckedCandidate {
    pub(super) candidate: Candidate,
    /// The end of its payload, if it is valid.
    pub(super) valid_end: Option<usize>,
    /// The end of the region it is in.
    pub(super) region_end: usize,
    /// What its locator has edited beforehand.
    pub(super) edited: Option<Edited>,
}

/// What a locator's edits make of a candidate.
pub(super) struct Edited {
    pub(super) text: String,
    pub(super) journal: Journal,
}

impl Attempt<'_, '_> {
    /// Every candidate of these regions, in the order of preference, and whether it is valid as it is.
    ///
    /// All are read before any is repaired. Their spans are disjoint for each locator, so this is linear in the completion.
    pub(super) fn candidates(&self, parts: &[Candidate]) -> Result<Vec<CheckedCandidate>, Refusal> {
        let mut checked = Vec::new();
        let mut refused = None;
        for part in parts {
            match self.payloads(&self.region(part.span.clone())) {
                Ok(found) => checked.extend(found.into_iter().map(|mut checked| {
                    checked.candidate.is_passed_over = part.is_passed_over;
                    checked
                })),
                Err(_) if part.is_passed_over => {}
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        if self.is_survey {
            checked.truncate(self.settings.max_candidates);
        }
        let counts = |checked: &&CheckedCandidate| self.policy == Policy::Best || !checked.candidate.is_passed_over;
        if checked.iter().filter(counts).count() > self.settings.max_candidates {
            return Err(Error::limit(Limit::Candidates).into());
        }
        match refused {
            Some(refusal) if checked.iter().all(|checked| checked.candidate.is_passed_over) => Err(refusal),
            _ => Ok(checked),
        }
    }

    /// The regions, each narrowed by every region locator in turn.
    pub(super) fn regions(&self) -> Result<Vec<Candidate>, Refusal> {
        let mut parts = vec![self.whole()];
        let mut narrowed = Vec::with_capacity(1);
        for locator in &self.rules.region_locators {
            for part in parts.drain(..) {
                let found = self.located(locator, &self.region(part.span.clone()))?;
                // What is ruled out holds no payload at all.
                if found.is_ruled_out {
                    continue;
                }
                if found.found.iter().all(|candidate| candidate.is_passed_over) {
                    narrowed.push(part);
                    continue;
                }
                narrowed.extend(found.found.into_iter().map(|candidate| Candidate {
                    is_passed_over: part.is_passed_over || candidate.is_passed_over,
                    ..candidate
                }));
            }
            std::mem::swap(&mut parts, &mut narrowed);
        }
        if parts.is_empty() {
            return Err(refused_at(Error::new(Reason::NoJsonObjectFound), 0));
        }
        if self.policy == Policy::First {
            parts.retain(|part| !part.is_passed_over);
            parts.truncate(1);
        }
        Ok(parts)
    }

    /// The completion as one region.
    pub(super) fn whole(&self) -> Candidate {
        Candidate::plain(0..self.completion.len(), Ending::Exact)
    }

    /// What a locator finds in a region, trimmed, within the limit: nothing in one that it rules out.
    pub(super) fn located(&self, locator: &Locator, region: &Region<'_>) -> Result<Candidates, Refusal> {
        let max = self.settings.max_candidates;
        let mut found = Candidates::new(max);
        if !locator.landmarks.are_in(region) {
            return Ok(found);
        }
        locator.rule.locate(region, &mut found);
        region.account();
        if found.found.len() > max && !self.is_survey {
            return Err(Error::limit(Limit::Candidates).into());
        }
        found.found.truncate(max);
        found.found.retain_mut(|candidate| {
            let span = &candidate.span;
            let is_inside = span.start <= span.end && self.completion.get(span.clone()).is_some();
            if is_inside && candidate.edits.is_none() {
                candidate.span = trim(self.completion, span.clone());
            }
            is_inside && !found.is_ruled_out && !candidate.span.is_empty()
        });
        Ok(found)
    }

    /// The payloads of one region (SPEC P2 to P4).
    fn payloads(&self, region: &Region<'_>) -> Result<Vec<CheckedCandidate>, Refusal> {
        let span = region.span();
        let whole = Candidate::plain(span.clone(), Ending::Exact);
        let whole = (!self.is_whole(&span)).then(|| self.checked(whole, span.end));
        if let Some(whole) = whole.filter(|whole| whole.valid_end.is_some()) {
            let text = self.completion.get(span).unwrap_or_default();
            return match other_root::refusal_of_valid(text, self.settings.root) {
                None => Ok(vec![whole]),
                Some(reason) => self.unwrapped(region, reason),
            };
        }
        let mut checked = self.edited_payloads(region)?;
        if checked.is_empty() {
            return self.plain_payloads(region);
        }
        // Where what was edited cannot be repaired, the text as it is may.
        if self.policy == Policy::First {
            checked.extend(self.plain_payloads(region).unwrap_or_default());
        }
        Ok(checked)
    }

    /// Whether `span` is the completion but for white space that JSON allows: then it is known not to be valid.
    fn is_whole(&self, span: &Range<usize>) -> bool {
        let text = self.completion.as_bytes();
        let outside = [text.get(..span.start), text.get(span.end..)];
        outside.into_iter().flatten().flatten().all(|&byte| is_json_space(byte))
    }

    /// The payloads of a region that is not valid as a whole, as it is.
    fn plain_payloads(&self, region: &Region<'_>) -> Result<Vec<CheckedCandidate>, Refusal> {
        let span = region.span();
        // Then the brackets in it are parts of its values, and no payload (SPEC P4, B6).
        if region.starts_with_member() {
            return Err(refused_at(Error::new(Reason::NoJsonObjectFound), span.start));
        }
        let whole = Candidate::plain(span.clone(), Ending::Exact);
        if let Some(reason) = other_root::refusal_of_region(region, || mend(&self.task(&whole, span.end), None).is_ok())
        {
            return Err(refused_at(Error::new(reason), span.start));
        }
        let mut candidates = Vec::new();
        for locator in &self.rules.payload_locators {
            candidates = self.located(locator, region)?.found;
            if !candidates.is_empty() {
                break;
            }
        }
        if candidates.is_empty() {
            // Every bracket is a mention in prose (SPEC P2).
            if !self.rules.payload_locators.is_empty() && !region.opens_payload(span.start) {
                return Err(refused_at(Error::new(Reason::NoJsonObjectFound), span.start));
            }
            candidates.push(whole);
        }
        let weigh = |mut candidate: Candidate| {
            self.widen(&mut candidate, span.end);
            self.checked(candidate, span.end)
        };
        Ok(candidates.into_iter().map(weigh).collect())
    }

    /// A region that is valid JSON but of another root: a string may hold a payload that a locator unwraps (SPEC P4).
    pub(super) fn unwrapped(&self, region: &Region<'_>, reason: Reason) -> Result<Vec<CheckedCandidate>, Refusal> {
        let edited =
            if reason == Reason::TopLevelScalarNotAllowed { self.edited_payloads(region)? } else { Vec::new() };
        if edited.is_empty() {
            return Err(refused_at(Error::new(reason), region.span().start));
        }
        Ok(edited)
    }

    /// The payloads that the first editing locator finds.
    fn edited_payloads(&self, region: &Region<'_>) -> Result<Vec<CheckedCandidate>, Refusal> {
        for locator in &self.rules.editing_locators {
            let mut checked = Vec::new();
            for candidate in self.located(locator, region)?.found {
                let region_end = region.span().end;
                if candidate.edits.is_none() {
                    checked.push(self.checked(candidate, region_end));
                } else if let Some(edited) = self.edit(&candidate, locator.index, region_end)? {
                    checked.push(CheckedCandidate { candidate, valid_end: None, region_end, edited: Some(edited) });
                }
            }
            if !checked.is_empty() {
                return Ok(checked);
            }
        }
        Ok(Vec::new())
    }

    /// A span whose root goes on after it is not a payload by itself: it is read to the region's end, where the fault will show.
    fn widen(&self, candidate: &mut Candidate, region_end: usize) {
        let Range { start, end } = candidate.span;
        let is_provisional = candidate.ending == Ending::Provisional && end < region_end;
        if is_provisional && !self.region(start..region_end).root_has_ended(start, end) {
            candidate.span.end = region_end;
        }
    }

    /// A candidate without edits, read once.
    pub(super) fn checked(&self, candidate: Candidate, region_end: usize) -> CheckedCandidate {
        CheckedCandidate { valid_end: self.read(&candidate).ok(), candidate, region_end, edited: None }
    }

    /// The end of the payload if the candidate is valid as it is; the error says where reading stopped. What was read for another policy is not read again.
    pub(super) fn read(&self, candidate: &Candidate) -> Result<usize, usize> {
        let span = &candidate.span;
        // Its root had not closed there, so it did not close before.
        if let Some((_, pos)) = self.broken.get().filter(|&(start, _)| start == span.start) {
            return Err(pos.min(span.end));
        }
        let reached = self.value(span);
        // What it costs does not depend on whether it was read before.
        let (stopped, end) = match reached {
            Reached::End => (span.end, Some(span.end)),
            Reached::AfterRoot(pos) => {
                // Usual completions ask this, and have no region.
                let is_outside = || {
                    let text = text_to(self.completion, span.end);
                    let is_outside = root::has_ended(text.at(pos), byte_before(self.completion, span.start));
                    self.work.update(|work| work.and_examined(text.examined()));
                    is_outside
                };
                let end = || self.completion.as_bytes()[..pos].trim_ascii_end().len();
                (pos, (candidate.ending == Ending::RootClose && is_outside()).then(end))
            }
            Reached::Fault(pos) => (pos, None),
        };
        self.spend(stopped - span.start);
        end.ok_or(stopped)
    }

    /// How far the value in `span` is valid as it is.
    pub(super) fn value(&self, span: &Range<usize>) -> Reached {
        let text = self.completion.as_bytes().get(..span.end).unwrap_or_default();
        self.seen.value(span, || self.reached(read_first(text, span.start, self.settings.limits.max_depth)))
    }
}
