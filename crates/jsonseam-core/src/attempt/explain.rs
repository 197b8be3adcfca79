//! Which rules that are off would have helped a completion that was refused (SPEC P6).

use std::ops::Range;

use super::further::note_rival;
use super::options::{RepairOptions, Settings};
use super::{Attempt, Refusal};
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
    let attempt = Attempt::new(settings, completion, options, &seen);
    let attempt = Attempt { known: Some(known), ..attempt };
    let refused = attempt.repair(first.clone()).map(drop).map_err(|refusal| note_rival(&attempt, refusal));
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
    let whole = vec![attempt.whole()];
    let parts = if first.is_ok() { whole.clone() } else { attempt.regions().unwrap_or_default() };
    for (is_of_regions, locator) in settings.known.locators_from(settings.rules.infos.len()) {
        let asked = if is_of_regions { &whole } else { &parts };
        if !asked.iter().any(|part| attempt.finds_other(locator, part, stuck_in.as_ref())) {
            continue;
        }
        // Which payload a larger preset would take is open then.
        together.clear();
        let rules = settings.rules.with_locator_of(&settings.known, locator.index);
        let other = Attempt { rules: &rules, ..Attempt::new(settings, completion, options, &seen) };
        if other.repair(first.clone()).is_ok() {
            mended_by.push(settings.known.name(locator.index).to_owned());
        }
        work += other.work.get();
    }
    // With what locators have read to find nothing.
    work += attempt.work.get();
    let unanswered = unanswered.filter(|_| mended_by.is_empty()).map(|fault| Unanswered {
        position: Position::of(fault.pos, completion),
        expected: fault.expected,
        why: fault.why,
    });
    error.helped_by(mended_by, together, unanswered).after(work)
}

impl Attempt<'_, '_> {
    /// Whether a locator that is off finds anything in `part` but the payload that has its fault in `stuck_in`.
    fn finds_other(&self, locator: &Locator, part: &Candidate, stuck_in: Option<&Range<usize>>) -> bool {
        let is_known = |candidate: &Candidate| {
            candidate.edits.is_none()
                && stuck_in.is_some_and(|stuck| candidate.span.start == stuck.start && candidate.span.end >= stuck.end)
        };
        // What is refused for its number is something.
        self.located(locator, &self.region(part.span.clone()))
            .map_or(true, |found| found.found.iter().any(|candidate| !is_known(candidate)))
    }
}
