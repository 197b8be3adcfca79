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
use crate::rule::RepairRule;

/// The payload as the rules leave it that review it. One that doubles is asked before one that refuses, whatever their order.
///
/// Costs what the rules read, at most the payload four times for each, and nothing if no backslash was edited.
pub(super) fn reviewed<'e>(
    task: &'e Task<'e>,
    known: Option<Known<'e>>,
    mut mended: Mended,
) -> Result<Mended, Refused> {
    if !read_payload(task, &mended).has_edited_backslash() {
        return Ok(mended);
    }
    for (rule, reviewer) in task.rules.reviewing() {
        let Some(Review::Double(places)) = review(task, &mut mended, reviewer) else { continue };
        double(task, &mut mended, rule, &places)?;
    }
    for (_, reviewer) in task.rules.reviewing() {
        if let Some(Review::Refuse(objection)) = review(task, &mut mended, reviewer) {
            let help = known.map(|known| Box::new(doubled_by(task, known, &objection)));
            return Err(Refused { help, objection: Some(Box::new(objection)), ..refused(objection.at, &mended) });
        }
    }
    Ok(mended)
}

fn read_payload<'r>(task: &Task<'r>, mended: &'r Mended) -> ReadPayload<'r> {
    ReadPayload::new(task.completion, mended.payload.clone(), &mended.journal)
}

/// What a rule says of the payload. What it reads is counted.
fn review(task: &Task<'_>, mended: &mut Mended, reviewer: &dyn RepairRule) -> Option<Review> {
    let payload = read_payload(task, mended);
    let said = reviewer.review(&payload);
    let examined = payload.examined();
    mended.work.steps += examined;
    said
}

/// Doubles the backslashes at these places, as far as they begin escapes that no edit made and the rule's risk is within the veto.
fn double(task: &Task<'_>, mended: &mut Mended, rule: u16, places: &[usize]) -> Result<(), Refused> {
    let price = costs::of_risk(task.rules.risk(rule).unwrap_or(Risk::Lossy));
    let edits = {
        let payload = read_payload(task, mended);
        let mut escapes = payload.escapes().peekable();
        let found = places.iter().filter(|place| {
            while escapes.next_if(|escape| escape < *place).is_some() {}
            escapes.next_if_eq(*place).is_some()
        });
        Edits::group(found.map(|&place| Edit::replace(place..place + 1, "\\\\")).collect::<Vec<_>>())
    };
    let Some(edits) = edits.filter(|_| price <= task.thresholds.veto) else { return Ok(()) };
    let journal = mended.journal.with_between(&edits, rule, u16::try_from(price).unwrap_or(u16::MAX));
    mended.work.inserted += 2 * places.len() as u64;
    mended.work.moves += journal.len() as u64;
    mended.journal = journal;
    if mended.journal.len() > task.limits.edits_for(mended.payload.len()) {
        let limit = Some((Limit::Edits, Some(rule)));
        return Err(Refused { limit, ..refused(edits.first().span.start, mended) });
    }
    Ok(())
}

fn refused(pos: usize, mended: &Mended) -> Refused {
    Refused {
        site: Site { pos, problem: Some(StringProblem::Escape), is_at_end: false },
        expected: Expected::String,
        limit: None,
        ambiguity: None,
        objection: None,
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
