//! Which candidate is the payload, by policy (SPEC B4).

use super::candidates::CheckedCandidate;
use super::further::ambiguous;
use super::outcomes::Outcome;
use super::{Attempt, Refusal};
use crate::edits::risk::Risk;
use crate::engine::mend;
#[cfg(not(feature = "stream"))]
use crate::engine::{Mended, Refused, Task};
use crate::locate::{Candidate, Ending};
use crate::reading::limits::Limit;
use crate::reading::wanted::Policy;
use crate::results::error::Error;
use crate::results::reason::Reason;
use crate::results::repaired::Repaired;

impl<'a> Attempt<'_, 'a> {
    /// Chooses among the candidates of these regions that are valid or can be repaired, by policy (SPEC B4).
    pub(super) fn choose(&self, parts: &[Candidate], checked: Vec<CheckedCandidate>) -> Result<Repaired<'a>, Refusal> {
        let is_edited_alone = || matches!(checked.as_slice(), [only] if only.edited.is_some());
        if self.settings.policy == Policy::First || is_edited_alone() {
            return self.first(&checked);
        }
        let mut outcomes = self.outcomes(checked, None);
        if outcomes.len() > self.settings.max_candidates {
            return Err(Error::limit(Limit::Candidates).into());
        }
        let beside = self.beside(parts, &mut outcomes, None);
        let mut fitting = Vec::new();
        let mut elements = Vec::new();
        let mut refused = None;
        for outcome in outcomes {
            let extent = outcome.extent();
            let Outcome { checked, result, is_element, .. } = outcome;
            match result {
                Ok(repaired) if !is_element => fitting.push((repaired, checked.candidate.is_passed_over)),
                _ if checked.candidate.is_passed_over => {}
                // What was cut off is the last one there is: taking an earlier one for it would hide the cut.
                Err(refusal) if refusal.error.reason() == Reason::Truncated => return Err(refusal),
                result => {
                    // One element of a list is not the answer.
                    elements.extend(is_element.then_some(extent));
                    refused = refused.or(result.err());
                }
            }
        }
        if self.settings.policy != Policy::Best {
            fitting.retain(|(_, is_passed_over)| !is_passed_over);
        }
        let chosen = match self.settings.policy {
            Policy::Only if !fitting.is_empty() && fitting.len() + elements.len() > 1 => {
                let mut spans: Vec<_> =
                    fitting.iter().map(|(repaired, _)| repaired.payload()).chain(elements).collect();
                jsonseam_text::sort_by_key(&mut spans, |span| span.start);
                return Err(ambiguous(spans));
            }
            Policy::Best => {
                fitting.into_iter().max_by_key(|(repaired, is_passed_over)| self.merit(repaired, *is_passed_over))
            }
            Policy::Last => fitting.pop(),
            Policy::Only | Policy::First => fitting.into_iter().next(),
        };
        chosen
            .map(|(mut repaired, _)| {
                repaired.further = self.besides(&repaired.payload, beside);
                repaired
            })
            .ok_or_else(|| refused.unwrap_or_else(|| Error::new(Reason::NoJsonObjectFound).into()))
    }

    /// The first candidate; after one that was edited beforehand in vain, the next.
    fn first(&self, checked: &[CheckedCandidate]) -> Result<Repaired<'a>, Refusal> {
        let mut refused = None;
        for (at, candidate) in checked.iter().enumerate() {
            match self.repair_candidate(candidate) {
                Err(refusal) if candidate.edited.is_some() => refused = refused.or(Some(refusal)),
                Err(refusal) => return Err(refused.unwrap_or(refusal)),
                Ok(repaired) if candidate.edited.is_some() => {
                    return Ok(self.unless_plain(repaired, checked.get(at + 1..).unwrap_or_default()));
                }
                repaired => return repaired,
            }
        }
        Err(refused.unwrap_or_else(|| Error::new(Reason::NoJsonObjectFound).into()))
    }

    /// What was read from an edited text, unless the text as it is can be read at a lower risk, as a smaller preset would (SPEC R4).
    fn unless_plain(&self, mut edited: Repaired<'a>, others: &[CheckedCandidate]) -> Repaired<'a> {
        let is_sure = |repaired: &Repaired<'_>| repaired.risk() <= Some(Risk::Likely);
        if is_sure(&edited) {
            return edited;
        }
        let plain = others.iter().find(|other| other.edited.is_none());
        if let Some(plain) = plain.and_then(|plain| self.repair_candidate(plain).ok()).filter(is_sure) {
            return plain;
        }
        edited.work = self.work.get();
        edited
    }

    /// The order of `best` (SPEC B4): fits the contract, then no edit above `likely`, then the latest start, then least cost.
    /// What a locator passed over counts only where it fits better.
    fn merit(&self, repaired: &Repaired<'_>, is_passed_over: bool) -> impl Ord + use<> {
        use std::cmp::Reverse;
        let fit = self.options.rank.map_or(0, |rank| rank(repaired));
        let is_sure = repaired.risk() <= Some(Risk::Likely);
        let cost = (repaired.risk(), repaired.edits().len());
        (fit, !is_passed_over, is_sure, repaired.payload().start, Reverse(cost))
    }

    /// Repairs a payload.
    #[cfg(not(feature = "stream"))]
    fn mend(&self, task: &Task<'_>) -> Result<Mended, Refused> {
        mend(task, self.known)
    }

    pub(super) fn repair_candidate(&self, checked: &CheckedCandidate) -> Result<Repaired<'a>, Refusal> {
        let candidate = &checked.candidate;
        if let Some(edited) = &checked.edited {
            return self.repair_edited(checked, edited);
        }
        if let Some(end) = checked.valid_end {
            return Ok(self.untouched(candidate.span.start..end));
        }
        let mut task = self.task(candidate, checked.region_end);
        let mut mended = self.mend(&task);
        // A span that ends at the last closer may end before the text does: then the true fault is further on.
        if let Err(refused) = &mended
            && candidate.ending == Ending::Provisional
            && !task.is_region_end
            && refused.site.is_at_end
            && refused.limit.is_none()
        {
            self.work.set(refused.work);
            let wider = Candidate::plain(task.start..checked.region_end, candidate.ending);
            task = self.task(&wider, checked.region_end);
            mended = mend(&task, self.known);
        }
        let mended = mended.map_err(|refused| self.refusal(&task, refused))?;
        self.judge(self.settings.root, mended)
    }
}
