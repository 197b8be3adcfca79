//! The last look at a payload: rules may double what one backslash tells of the others, or refuse the whole (SPEC R7).

use super::costs;
use super::help::{Help, Known, helped};
use super::task::{Mended, Refused, Task};
use crate::edit::{Edit, Edits};
use crate::expected::Expected;
use crate::fault::{Site, StringProblem};
use crate::journal::Entry;
use crate::limits::Limit;
use crate::review::{Objection, ReadPayload, Review};
use crate::risk::Risk;

/// The payload as the rules leave it that review it. One that doubles is asked before one that refuses, whatever their order.
///
/// Costs a reading of the payload for each of these rules, and nothing if no backslash was edited.
pub(super) fn reviewed<'e>(
    task: &'e Task<'e>,
    known: Option<Known<'e>>,
    mut mended: Mended,
) -> Result<Mended, Refused> {
    let has_edited_backslash = |mended: &Mended| read_payload(task, mended).has_edited_backslash();
    if mended.journal.len() == 0 || !has_edited_backslash(&mended) {
        return Ok(mended);
    }
    for (rule, reviewer) in task.rules.reviewing() {
        let price = costs::of_risk(task.rules.risk(rule).unwrap_or(Risk::Lossy));
        mended.work.steps += mended.payload.len() as u64;
        let Some(Review::Double(places)) = reviewer.review(&read_payload(task, &mended)) else { continue };
        if price <= task.thresholds.veto
            && let Some(edits) = doubled(&read_payload(task, &mended), &places)
        {
            mended.work.inserted += 2 * places.len() as u64;
            mended.work.moves += mended.journal.len() as u64;
            mended.journal = mended.journal.with_between(&edits, rule, u16::try_from(price).unwrap_or(u16::MAX));
            if mended.journal.len() > task.limits.edits_for(mended.payload.len()) {
                let at = Objection { at: edits.first().span.start, because: edits.first().span.start, doubt: "" };
                return Err(Refused {
                    limit: Some((Limit::Edits, Some(rule))),
                    objection: None,
                    ..refused(at, &mended)
                });
            }
        }
    }
    for (_, reviewer) in task.rules.reviewing() {
        mended.work.steps += mended.payload.len() as u64;
        if let Some(Review::Refuse(objection)) = reviewer.review(&read_payload(task, &mended)) {
            let help = known.map(|known| Box::new(doubled_by(task, known, &objection)));
            return Err(Refused { help, ..refused(objection, &mended) });
        }
    }
    Ok(mended)
}

fn read_payload<'r>(task: &Task<'r>, mended: &'r Mended) -> ReadPayload<'r> {
    ReadPayload::new(task.completion, mended.payload.clone(), &mended.journal)
}

/// The edits that double the backslashes at these places, as far as they begin escapes that no edit made.
fn doubled(payload: &ReadPayload<'_>, places: &[usize]) -> Option<Edits> {
    let mut escapes = payload.escapes().peekable();
    let is_escape = move |place: &usize| {
        while escapes.next_if(|escape| escape < place).is_some() {}
        escapes.next_if_eq(place).is_some()
    };
    let mut is_escape = is_escape;
    let found = places.iter().copied().filter(|place| is_escape(place));
    Edits::group(found.map(|place| Edit::replace(place..place + 1, "\\\\")).collect::<Vec<_>>())
}

fn refused(objection: Objection, mended: &Mended) -> Refused {
    Refused {
        site: Site { pos: objection.at, problem: Some(StringProblem::Escape), is_at_end: false },
        expected: Expected::String,
        limit: None,
        ambiguity: None,
        objection: Some(Box::new(objection)),
        root_end: None,
        help: None,
        work: mended.work,
    }
}

/// The rules that are off and double the doubtful escape when all known rules are on (SPEC P6).
fn doubled_by(task: &Task<'_>, known: Known<'_>, objection: &Objection) -> Help {
    helped(task, known, Help::default(), |mended| {
        let answers = mended.journal.entries().iter().filter(|entry| entry.span().start == objection.at);
        answers.map(Entry::rule).collect()
    })
}
