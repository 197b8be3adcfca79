//! Which candidate is the payload, by policy (SPEC B4).

use super::candidates::Weighed;
use super::{Attempt, Refusal, refused_at};
use crate::config::Policy;
use crate::engine::mend;
use crate::error::{Error, Reason};
use crate::locate::{Candidate, Ending};
use crate::repaired::Repaired;

impl<'a> Attempt<'_, 'a> {
    /// Chooses among the candidates that are valid or can be repaired, by policy (SPEC B4).
    pub(super) fn choose(&self, weighed: &[Weighed]) -> Result<Repaired<'a>, Refusal> {
        if self.settings.policy == Policy::First || weighed.len() == 1 {
            return self.first(weighed);
        }
        let mut fitting = Vec::new();
        let mut refused = None;
        for weighed in weighed {
            match self.repair_candidate(weighed) {
                Ok(repaired) => fitting.push((repaired, weighed.candidate.is_passed_over)),
                Err(_) if weighed.candidate.is_passed_over => {}
                // What was cut off is the last one there is: taking an earlier one for it would hide the cut.
                Err(refusal) if refusal.error.reason() == Reason::Truncated => return Err(refusal),
                Err(refusal) => refused = refused.or(Some(refusal)),
            }
        }
        let chosen = match self.settings.policy {
            Policy::Only if fitting.len() > 1 => {
                let spans: Vec<_> = fitting.iter().map(|(repaired, _)| repaired.payload()).collect();
                let second = spans.get(1).map_or(0, |span| span.start);
                return Err(refused_at(Error::new(Reason::AmbiguousPayload).among(spans), second));
            }
            Policy::Best => {
                fitting.into_iter().max_by_key(|(repaired, is_passed_over)| self.merit(repaired, *is_passed_over))
            }
            Policy::Last => fitting.pop(),
            Policy::Only | Policy::First => fitting.into_iter().next(),
        };
        chosen
            .map(|(repaired, _)| repaired)
            .ok_or_else(|| refused.unwrap_or_else(|| Error::new(Reason::NoJsonObjectFound).into()))
    }

    /// The first candidate; behind one that was edited beforehand in vain, the next.
    fn first(&self, weighed: &[Weighed]) -> Result<Repaired<'a>, Refusal> {
        let mut refused = None;
        for weighed in weighed {
            match self.repair_candidate(weighed) {
                Err(refusal) if weighed.edited.is_some() => refused = refused.or(Some(refusal)),
                Err(refusal) => return Err(refused.unwrap_or(refusal)),
                repaired => return repaired,
            }
        }
        Err(refused.unwrap_or_else(|| Error::new(Reason::NoJsonObjectFound).into()))
    }

    /// The order of `best`: fits the contract, then least risk, then fewest edits, then latest start.
    /// What a locator passed over counts only where it fits better.
    fn merit(&self, repaired: &Repaired<'_>, is_passed_over: bool) -> impl Ord + use<> {
        use std::cmp::Reverse;
        let fit = self.options.rank.map_or(0, |rank| rank(repaired));
        (fit, !is_passed_over, Reverse(repaired.risk()), Reverse(repaired.edits().len()), repaired.payload().start)
    }

    fn repair_candidate(&self, weighed: &Weighed) -> Result<Repaired<'a>, Refusal> {
        let candidate = &weighed.candidate;
        if let Some(edited) = &weighed.edited {
            return self.repair_edited(weighed, edited);
        }
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
            let wider = Candidate::plain(task.start..weighed.region_end, candidate.ending);
            let wider = self.task(&wider, weighed.region_end);
            return match mend(&wider, others) {
                Ok(mended) => self.judge(mended),
                Err(refused) => Err(self.refusal(&wider, refused)),
            };
        }
        Err(self.refusal(&task, refused))
    }
}
