//! Candidates that can be read only after their locator's edits: escaped payloads, and payloads inside a string.
//!
//! The edits make a text of their own; it is repaired like any other, and both rounds of edits become one journal over the completion.
//! So spans are places of the completion, and conservation, revert and the judge are the same as everywhere.

use super::candidates::{CheckedCandidate, Edited};
use super::{Attempt, Refusal, refused_at};
use crate::edits::edit::{Edit, Edits};
use crate::edits::journal::Journal;
use crate::engine::{Mended, Task, mend};
use crate::locate::{Candidate, trim};
use crate::reading::limits::Limit;
use crate::results::error::Error;
use crate::results::repaired::Repaired;

impl<'a> Attempt<'_, 'a> {
    /// Makes the edits of a candidate; `None` if the candidate is no good.
    pub(super) fn edit(&self, candidate: &Candidate, rule: u16, region_end: usize) -> Result<Option<Edited>, Refusal> {
        let span = &candidate.span;
        let Some(edits) = candidate.edits.as_ref().filter(|edits| self.are_sound(edits, candidate)) else {
            return Ok(None);
        };
        let inserted: usize = edits.iter().map(|edit| edit.replacement.len()).sum();
        let mut work = self.work.get();
        work.inserted += inserted as u64;
        // The locator's text is written once and read once.
        work.steps += 2 * (span.len() + inserted) as u64;
        self.work.set(work);
        let is_over = edits.iter().count() > self.settings.limits.edits_for(span.len());
        if is_over || !work.is_linear(self.completion.len()) {
            let limit = if is_over { Limit::Edits } else { Limit::Work };
            let error = Error::limit(limit).blaming(Some(self.rules.name(rule)));
            return Err(refused_at(error, span.start));
        }
        let mut journal = Journal::default();
        journal.insert(0, edits.all(), rule, false, 0);
        if self.is_last(span.end, region_end) {
            journal.mark_cut_at(span.end);
        }
        let text = journal.apply(self.completion, span.clone());
        Ok(Some(Edited { text, journal }))
    }

    /// Whether a locator's edits are in order, inside the candidate, on character boundaries, and change something.
    fn are_sound(&self, edits: &Edits, candidate: &Candidate) -> bool {
        let mut pos = candidate.span.start;
        edits.iter().all(|Edit { span, replacement }| {
            let is_in_place = span.start >= pos && span.end >= span.start && span.end <= candidate.span.end;
            pos = span.end;
            is_in_place && self.completion.get(span.clone()).is_some_and(|text| text != replacement)
        })
    }

    /// Repairs what the edits have made, and gives both rounds as one.
    pub(super) fn repair_edited(&self, checked: &CheckedCandidate, edited: &Edited) -> Result<Repaired<'a>, Refusal> {
        let span = &checked.candidate.span;
        let task = Task {
            completion: &edited.text,
            start: 0,
            end: edited.text.len(),
            is_open_ended: true,
            breaks_off: false,
            checkpoint: None,
            ..self.task(&checked.candidate, checked.region_end)
        };
        match mend(&task, self.known) {
            Ok(mended) => self.composed(&checked.candidate, edited, &mended),
            Err(mut refused) => {
                let source_of = |pos| edited.journal.source_of(pos, span.start);
                refused.site.pos = source_of(refused.site.pos);
                refused.root_end = None;
                if let Some(help) = &mut refused.help {
                    help.stuck_in = None;
                    help.unanswered.iter_mut().for_each(|fault| fault.pos = source_of(fault.pos));
                }
                refused.objection.iter_mut().for_each(|objection| objection.because = source_of(objection.because));
                let readings = refused.ambiguity.iter_mut().flat_map(|ambiguity| &mut ambiguity.readings);
                for (_, place) in readings.flat_map(|(edits, _)| edits) {
                    *place = source_of(place.start)..source_of(place.end);
                }
                Err(self.refusal(&task, refused))
            }
        }
    }

    fn composed(&self, candidate: &Candidate, edited: &Edited, mended: &Mended) -> Result<Repaired<'a>, Refusal> {
        let start = candidate.span.start;
        let end = edited.journal.source_of(mended.payload.end, start);
        let mut work = mended.work;
        work.steps += (edited.journal.len() + mended.journal.len()) as u64;
        let within_payload = edited.journal.up_to(mended.payload.end, start);
        let journal = within_payload
            .map(|first| {
                first.then(&mended.journal, self.completion, &edited.text, start, |rule| self.rules.risk(rule))
            })
            .filter(|journal| journal.len() <= self.settings.limits.edits_for(candidate.span.len()));
        let Some(journal) = journal else {
            self.work.set(work);
            return Err(refused_at(Error::limit(Limit::Edits), start));
        };
        self.judge(self.settings.root, Mended { journal, payload: start..end, work, gap: mended.gap })
    }

    /// Whether a region that ends at `region_end` ends here, and nothing follows it: what is closed here was cut (SPEC B3).
    pub(super) fn is_last(&self, end: usize, region_end: usize) -> bool {
        end == region_end && trim(self.completion, end..self.completion.len()).is_empty()
    }
}
