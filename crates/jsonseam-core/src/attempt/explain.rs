//! Which rules that are off would have helped a completion that was refused (SPEC P6).

use std::cell::Cell;
use std::ops::Range;

use super::Attempt;
use super::further::note_rival;
use super::options::{RepairOptions, Settings};
use super::refusal::Refusal;
use crate::engine::rules::Locator;
use crate::engine::{Help, Known};
use crate::locate::{Candidate, Seen};
use crate::looking::trace::checkpoints::read_first;
use crate::reading::position::Position;
use crate::results::error::{Error, Unanswered};

/// The refusal of `completion` with the rules that would have helped. One that is not of this completion gets none.
pub(crate) fn explain(settings: &Settings, error: Error, completion: &str, options: &RepairOptions<'_>) -> Error {
    let seen = Seen::default();
    let known = Known { rules: &settings.known, thresholds: settings.known_thresholds };
    let first = read_first(completion.as_bytes(), 0, settings.limits.max_depth);
    let attempt = Attempt::new(settings, &settings.rules, completion, options, &seen);
    let attempt = Attempt { known: Some(known), first: Cell::new(Some(first.clone())), ..attempt };
    let refused = attempt.repair().map(drop).map_err(|refusal| note_rival(&attempt, refusal));
    let is_this_one =
        |refusal: &Refusal| (refusal.error.reason(), refusal.error.position()) == (error.reason(), error.position());
    let Some(refusal) = refused.err().filter(is_this_one) else { return error.helped_by(Vec::new(), Vec::new(), None) };
    let Help { mut mended_by, mut together, stuck_in, opener, unanswered, work: of_help } =
        *refusal.help.unwrap_or_default();
    let mut work = error.work();
    work += of_help;
    if !opener.is_some_and(|opener| settings.root.opens(opener)) {
        together.clear();
    }
    let parts = if first.is_ok() { Ok(vec![attempt.whole()]) } else { attempt.regions() };
    for (is_of_regions, locator) in settings.known.locators_from(settings.rules.infos.len()) {
        if !attempt.finds_other(is_of_regions, locator, &parts, stuck_in.as_ref()) {
            continue;
        }
        // Which payload a larger preset would take is open then.
        together.clear();
        let rules = settings.rules.with_locator_of(&settings.known, locator.index);
        let other = Attempt::new(settings, &rules, completion, options, &seen);
        other.first.set(Some(first.clone()));
        if other.repair().is_ok() {
            mended_by.push(settings.known.name(locator.index).to_owned());
        }
        work += other.work();
    }
    // With what locators have read to find nothing.
    work += attempt.work();
    let unanswered = unanswered.filter(|_| mended_by.is_empty()).map(|fault| Unanswered {
        position: Position::of(fault.pos, completion),
        expected: fault.expected,
        why: fault.why,
    });
    error.helped_by(mended_by, together, unanswered).after(work)
}

impl Attempt<'_, '_> {
    /// Whether a locator that is off finds anything, where it would be asked, but the payload that has its fault in `stuck_in`.
    fn finds_other(
        &self,
        is_of_regions: bool,
        locator: &Locator,
        parts: &Result<Vec<Candidate>, Refusal>,
        stuck_in: Option<&Range<usize>>,
    ) -> bool {
        let is_known = |candidate: &Candidate| {
            candidate.edits.is_none()
                && stuck_in.is_some_and(|stuck| candidate.span.start == stuck.start && candidate.span.end >= stuck.end)
        };
        let finds = |part: &Candidate| {
            // What is refused for its number is something.
            self.located(locator, &self.region(part.span.clone()))
                .map_or(true, |found| found.found.iter().any(|candidate| !is_known(candidate)))
        };
        match parts {
            _ if is_of_regions => finds(&self.whole()),
            Ok(parts) => parts.iter().any(finds),
            Err(_) => false,
        }
    }
}
