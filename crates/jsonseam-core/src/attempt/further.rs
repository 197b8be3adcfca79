//! The payloads besides the one that was chosen (SPEC B4): none is dropped silently.

use std::collections::BTreeSet;
use std::ops::Range;

use jsonseam_text::members;

use super::beside::{is_citation, is_inside};
use super::candidates::CheckedCandidate;
use super::{Attempt, Refusal, refused_at};
use crate::edits::risk::Risk;
use crate::locate::{begins_line, ends_line};
use crate::reading::recognise::is_all_blank;
use crate::reading::wanted::{Policy, Root};
use crate::results::error::Error;
use crate::results::reason::Reason;
use crate::results::repaired::{Further, Repaired};

/// Notes in `chosen` where the other payloads of `completion` are, and what finding them cost.
///
/// Fails as ambiguous if `chosen` lost or invented something and a sound payload with the same keys follows (SPEC B4, R4).
pub(crate) fn note_further(of: &Attempt<'_, '_>, chosen: &mut Repaired<'_>) -> Result<(), Error> {
    if of.settings.policy != Policy::First {
        // Choosing has looked at all of them already.
        return Ok(());
    }
    let payload = chosen.payload();
    let survey = of.survey();
    // The usual text has nothing like a payload around its payload.
    if !survey.may_be_beside(&payload) {
        return Ok(());
    }
    survey.work.set(chosen.work);
    survey.spend(of.completion.len() - payload.len());
    let parts = survey.regions().unwrap_or_default();
    // Regions that are refused as a whole hold no candidate.
    let mut candidates = survey.candidates(&parts).unwrap_or_default();
    candidates.retain(|checked| {
        let span = &checked.candidate.span;
        span.start == payload.start || !is_inside(span, &payload)
    });
    let mut outcomes = survey.outcomes(candidates, Some(&payload));
    if chosen.risk() == Some(Risk::Lossy) {
        let after = outcomes.iter().map(|outcome| &outcome.checked);
        let after = after.filter(|checked| checked.candidate.span.start >= payload.end);
        if let Some(spans) = survey.rival(&payload, after) {
            return Err(survey.placed(ambiguous(spans)).error);
        }
    }
    let beside = survey.beside(&parts, &mut outcomes, Some(&payload));
    chosen.further = survey.besides(&payload, beside);
    chosen.work = survey.work.get();
    Ok(())
}

/// A refusal of the first payload as ambiguous, if a sound one of the same kind with the same keys follows what is broken (SPEC B4):
/// which of the two was meant is for the caller to say.
pub(crate) fn note_rival(of: &Attempt<'_, '_>, refusal: Refusal) -> Refusal {
    let place = refusal.error.position().filter(|_| refusal.error.reason() == Reason::Syntax);
    let Some(fault) = place.filter(|_| of.settings.policy == Policy::First).map(|place| place.offset) else {
        return refusal;
    };
    let survey = of.survey();
    survey.work.set(refusal.error.spent());
    let candidates = survey.regions().and_then(|parts| survey.candidates(&parts)).unwrap_or_default();
    let mut preferred = candidates.iter().filter(|checked| !checked.candidate.is_passed_over);
    let is_broken = |checked: &&CheckedCandidate| {
        let span = &checked.candidate.span;
        checked.valid_end.is_none() && span.start <= fault && fault <= span.end
    };
    let Some(broken) = preferred.find(is_broken) else { return refusal };
    match survey.rival(&broken.candidate.span, preferred) {
        Some(spans) => Refusal { error: survey.placed(ambiguous(spans)).error, ..refusal },
        None => refusal,
    }
}

impl Attempt<'_, '_> {
    /// An attempt that looks for all candidates, and knows where the first value breaks.
    fn survey(&self) -> Self {
        let survey = Attempt::new(self.settings, self.completion, self.options, self.seen);
        Attempt { policy: Policy::Best, is_survey: true, broken: self.broken.clone(), ..survey }
    }

    /// The payload that is broken, and the first sound one among `others` that has the same keys.
    fn rival<'c>(
        &self,
        broken: &Range<usize>,
        others: impl Iterator<Item = &'c CheckedCandidate>,
    ) -> Option<Vec<Range<usize>>> {
        // Most often nothing sound follows.
        let is_sound = |checked: &&CheckedCandidate| checked.valid_end.is_some() && !checked.candidate.is_passed_over;
        let mut sound = others.filter(is_sound).peekable();
        sound.peek()?;
        // Quotes of a broken text may not pair, so what is between any two counts.
        // Extended, not collected: `collect` sorts them first, which is more code in the WebAssembly module.
        let mut words = BTreeSet::new();
        words.extend(self.completion.get(broken.clone())?.split('"'));
        self.spend(broken.len());
        let rival = sound.find_map(|checked| {
            let sound = checked.candidate.span.start..checked.valid_end?;
            let object = self.completion.get(sound.clone())?;
            self.spend(sound.len());
            let mut keys = members(object).map(|member| &object[member.key.start + 1..member.key.end - 1]).peekable();
            (keys.peek().is_some() && keys.all(|key| words.contains(key))).then_some(sound)
        })?;
        Some(vec![broken.clone(), rival])
    }

    /// Those of `spans` that are payloads besides `payload` and no scalars, in order and disjoint.
    pub(super) fn besides(&self, payload: &Range<usize>, mut spans: Vec<Range<usize>>) -> Vec<Further> {
        spans.retain(|span| !overlap(span, payload) && !self.is_pair_in_prose(span, payload));
        jsonseam_text::sort_by_key(&mut spans, |span| span.start);
        let mut end = 0;
        spans.retain(|span| {
            let is_apart = span.start >= end;
            end = end.max(span.end);
            is_apart
        });
        spans.truncate(self.settings.max_candidates);
        let described = |span: Range<usize>| {
            let first = self.completion.get(span.clone())?.trim_ascii_start().bytes().next()?;
            let root = [Root::Object, Root::Array].into_iter().find(|root| root.opens(first))?;
            Some(Further { span, root })
        };
        spans.into_iter().filter_map(described).collect()
    }

    /// Whether `span` is `{}` or `[]` on a line that holds something else (SPEC P2), or beside an object begins with a number that cites a source (P3).
    fn is_pair_in_prose(&self, span: &Range<usize>, payload: &Range<usize>) -> bool {
        let text = self.completion.get(span.clone()).unwrap_or_default().trim();
        let is_empty = text.get(1..text.len().saturating_sub(1)).is_some_and(is_all_blank);
        let bytes = self.completion.as_bytes();
        let is_first = begins_line(bytes, span.start);
        let is_cited = || {
            let is_beside_object = bytes.get(payload.start) == Some(&b'{');
            is_beside_object && text.split_inclusive(']').next().is_some_and(|pair| is_citation(pair.as_bytes()))
        };
        is_empty && !(is_first && ends_line(bytes, span.end)) || !is_first && is_cited()
    }
}

/// Which of these payloads was meant is for the caller to say.
pub(super) fn ambiguous(spans: Vec<Range<usize>>) -> Refusal {
    let second = spans.get(1).map_or(0, |span| span.start);
    refused_at(Error::new(Reason::AmbiguousPayload).among(spans), second)
}

fn overlap(one: &Range<usize>, other: &Range<usize>) -> bool {
    one.start < other.end && other.start < one.end
}
