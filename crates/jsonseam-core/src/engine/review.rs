//! The last look at a payload: rules may double what one backslash tells of the others, or refuse the whole (SPEC R7).

use super::task::{Mended, Refused, Task};
use crate::edits::costs;
use crate::edits::risk::Risk;
use crate::reading::expected::Expected;
use crate::reading::limits::Limit;
use crate::rule::fault::{Site, StringProblem};
use crate::rule::review::{Objection, ReadPayload, Review};

/// The payload as the rules leave it that review it. One that doubles is asked before one that refuses, whatever their order.
///
/// Costs a reading of the payload, two if a rule doubles and another objects, and nothing if no backslash was edited.
pub(super) fn reviewed(task: &Task<'_>, mut mended: Mended) -> Result<Mended, Refused> {
    if !read_payload(task, &mended).has_edited_backslash() {
        return Ok(mended);
    }
    let (doubles, mut objection) = reviews(task, &mut mended);
    for (rule, places) in doubles {
        if double(task, &mut mended, rule, &places)? && objection.is_some() {
            objection = reviews(task, &mut mended).1;
        }
    }
    match objection {
        None => Ok(mended),
        Some(objection) => {
            let pos = objection.at;
            Err(Refused { objection: Some(Box::new(objection)), ..refused(pos, &mended) })
        }
    }
}

/// The escapes that a rule says are none.
type Double = (u16, Vec<usize>);

/// What the rules say of the payload: which escapes are none, and the first objection. What they read is counted.
#[cold]
fn reviews(task: &Task<'_>, mended: &mut Mended) -> (Vec<Double>, Option<Objection>) {
    let payload = read_payload(task, mended);
    let (mut doubles, mut objection) = (Vec::new(), None);
    for (rule, reviewer) in task.rules.reviewing() {
        match reviewer.review(&payload) {
            Some(Review::Double(places)) => doubles.push((rule, places)),
            // The first one in the text, whatever the order of the rules.
            Some(Review::Refuse(found)) if objection.is_none_or(|known: Objection| found.at < known.at) => {
                objection = Some(found);
            }
            Some(Review::Refuse(_)) | None => {}
        }
    }
    let examined = payload.text.examined();
    mended.work.steps += examined;
    (doubles, objection)
}

fn read_payload<'r>(task: &Task<'r>, mended: &'r Mended) -> ReadPayload<'r> {
    ReadPayload::new(task.completion, mended.payload.clone(), &mended.journal)
}

/// Doubles the backslashes at these places, as far as they begin escapes that no edit made, of neither a quote nor a backslash,
/// and the rule's risk is within the veto. Whether any was.
#[cold]
fn double(task: &Task<'_>, mended: &mut Mended, rule: u16, places: &[usize]) -> Result<bool, Refused> {
    let price = costs::of_risk(task.rules.risk(rule).unwrap_or(Risk::Lossy));
    let doubled: Vec<usize> = {
        let payload = read_payload(task, mended);
        let mut escapes = payload.escapes().iter().copied().peekable();
        let mut is_letter = |place: usize| {
            while escapes.next_if(|&escape| escape < place).is_some() {}
            // Without its backslash a quote would end the string, and of two backslashes one would be left.
            escapes.next_if_eq(&place).is_some() && !matches!(payload.at(place).char_after(), Some('"' | '\\'))
        };
        places.iter().copied().filter(|&place| is_letter(place)).collect()
    };
    let Some(&first) = doubled.first().filter(|_| price <= task.thresholds.veto) else { return Ok(false) };
    mended.journal.insert_between(&doubled, "\\\\", rule, u16::try_from(price).unwrap_or(u16::MAX));
    mended.work.inserted += 2 * doubled.len() as u64;
    mended.work.moves += mended.journal.len() as u64;
    if mended.journal.len() > task.limits.edits_for(mended.payload.len()) {
        return Err(Refused { limit: Some((Limit::Edits, Some(rule))), ..refused(first, mended) });
    }
    Ok(true)
}

fn refused(pos: usize, mended: &Mended) -> Refused {
    let site = Site { pos, problem: Some(StringProblem::Escape), is_at_end: false };
    Refused::plain(site, Expected::String, mended.work)
}
