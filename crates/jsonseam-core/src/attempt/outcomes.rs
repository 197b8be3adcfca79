//! What becomes of every candidate, and of the payloads that the broken ones before them hid.

use std::ops::Range;

use jsonseam_text::begins_payload;

use super::candidates::CheckedCandidate;
use super::{Attempt, Refusal};
use crate::locate::{Candidate, Ending, Reached};
use crate::reading::openers::opens_index;
use crate::results::repaired::Repaired;

/// A candidate and what became of it.
pub(super) struct Outcome<'a> {
    pub(super) checked: CheckedCandidate,
    pub(super) result: Result<Repaired<'a>, Refusal>,
    /// Where its value ends, if it was refused because a comma and another one follow.
    element_end: Option<usize>,
    /// Whether it is an element of a list without brackets: such a comma follows or precedes it.
    pub(super) is_element: bool,
}

impl Outcome<'_> {
    /// What the candidate takes up: its payload, or all of its text if it was refused.
    pub(super) fn extent(&self) -> Range<usize> {
        let span = &self.checked.candidate.span;
        let refused = || span.start..self.element_end.unwrap_or(span.end);
        self.result.as_ref().map_or_else(|_| refused(), Repaired::payload)
    }

    /// Where its payload is, if it has one that was not closed at a cut.
    pub(super) fn whole(&self) -> Option<Range<usize>> {
        match &self.result {
            Ok(repaired) => (!repaired.is_cut_short()).then(|| repaired.payload()),
            Err(_) => self.element_end.map(|end| self.checked.candidate.span.start..end),
        }
    }
}

impl<'a> Attempt<'_, 'a> {
    /// Repairs every candidate, but for the one at `known`, whose payload is that.
    ///
    /// Candidates are located in the text as it is, where a string or bracket that lost its end hides what follows.
    /// So wherever a repaired payload ends before its candidate does, the rest is searched again (SPEC B4). Each byte is searched once.
    pub(super) fn outcomes(&self, candidates: Vec<CheckedCandidate>, known: Option<&Range<usize>>) -> Vec<Outcome<'a>> {
        let mut outcomes = Vec::with_capacity(candidates.len());
        let mut uncovered: Vec<Range<usize>> = Vec::new();
        for checked in candidates {
            let span = checked.candidate.span.clone();
            // A payload that was hidden may end beyond the candidate that hid it.
            if uncovered.iter().any(|payload| payload.contains(&span.start)) {
                continue;
            }
            let hides = checked.edited.is_none();
            let (is_passed_over, region_end) = (checked.candidate.is_passed_over, checked.region_end);
            let mut is_listed = false;
            let end = if let Some(known) = known.filter(|known| known.start == span.start) {
                Some(known.end)
            } else {
                let outcome = self.outcome(checked);
                let end = outcome.result.as_ref().map_or(outcome.element_end, |repaired| Some(repaired.payload().end));
                is_listed = outcome.element_end.is_some();
                outcomes.push(outcome);
                end
            };
            let mut rest = end.filter(|&end| hides && end < span.end).unwrap_or(span.end)..span.end;
            // One beyond the limit shows that there are too many.
            while outcomes.len() <= self.settings.max_candidates
                && let Some(mut found) = self.uncover(&rest, region_end, is_passed_over)
            {
                found.is_element |= std::mem::replace(&mut is_listed, found.element_end.is_some());
                let extent = found.extent();
                rest.start = extent.end;
                uncovered.push(extent);
                outcomes.push(found);
            }
        }
        outcomes
    }

    /// The first thing in `rest` that begins as a payload, and what becomes of it.
    fn uncover(&self, rest: &Range<usize>, region_end: usize, is_passed_over: bool) -> Option<Outcome<'a>> {
        if !self.work.get().has_room(self.completion.len(), true) {
            return None;
        }
        let bytes = self.completion.as_bytes().get(..rest.end)?;
        let mut pos = rest.start;
        let start = loop {
            let start = pos + self.settings.root.opener_in(bytes.get(pos..)?)?;
            if begins_payload(bytes, start) && !is_part(bytes, start) {
                break start;
            }
            pos = start + 1;
        };
        self.spend(start - rest.start);
        let plain = Candidate::plain(start..region_end, Ending::RootClose);
        let candidate = Candidate { is_passed_over, ..plain };
        Some(self.outcome(self.checked(candidate, region_end)))
    }

    fn outcome(&self, checked: CheckedCandidate) -> Outcome<'a> {
        let result = self.repair_candidate(&checked);
        let is_refused = result.is_err() && checked.edited.is_none();
        let element_end = if is_refused { self.element_end(&checked.candidate.span) } else { None };
        Outcome { checked, result, element_end, is_element: element_end.is_some() }
    }

    /// Where the value that begins `span` ends, if it is valid as it is, and a comma and what begins as a payload of its kind follow.
    fn element_end(&self, span: &Range<usize>) -> Option<usize> {
        let Reached::AfterRoot(comma) = self.value(span) else { return None };
        let text = self.completion.get(..span.end)?;
        let next = text.len() - text.get(comma..)?.strip_prefix(',')?.trim_start().len();
        let bytes = text.as_bytes();
        let goes_on = bytes.get(next) == bytes.get(span.start) && begins_payload(bytes, next);
        goes_on.then(|| text[..comma].trim_end().len())
    }
}

/// Whether what is at `pos` is the value of a quoted key, and so a part of something broken, or an index (SPEC P2).
fn is_part(text: &[u8], pos: usize) -> bool {
    let before = text.get(..pos).unwrap_or_default();
    before.trim_ascii_end().ends_with(b"\":") || opens_index(text, pos)
}
