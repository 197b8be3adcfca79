//! Where a string may end: one enumerator, which lists places and what speaks against each, and decides nothing.

mod end;
mod runs;
mod search;
mod swallowed;
mod view;
mod weigh;

use std::cell::RefCell;
use std::rc::Rc;

use jsonseam_core::{Container, Edit, Edits, Expected, Fault, Proposals, TokenKind};

use self::end::EndMark;
pub use self::end::{Doubtful, End, Ending, Member};
use self::search::Known;
pub(super) use self::search::{near, window};
use self::view::View;
pub use self::weigh::ends_in_line_of_closers;

/// The strings near the fault whose end the fault makes doubtful: the open one, or those among the last four tokens.
pub fn doubtful(fault: &Fault<'_>) -> Vec<(Doubtful, Option<usize>)> {
    if let Some(open) = fault.string() {
        let container = fault.container();
        let is_plain = open.start.checked_sub(1).is_some_and(|quote| fault.at(quote).starts_with("\""));
        return container
            .filter(|_| is_plain)
            .map(|container| {
                let member = if open.is_key { None } else { Member::of(fault, 0, open.start) };
                (Doubtful { start: open.start, mark: '"', is_key: open.is_key, container, member }, None)
            })
            .into_iter()
            .collect();
    }
    let mut found = Vec::new();
    let mut container = fault.container();
    for back in 0..4 {
        let Some(token) = fault.token(back) else { break };
        match token.kind {
            TokenKind::ObjectStart | TokenKind::ArrayStart if back > 0 => break,
            TokenKind::ObjectEnd => container = Some(Container::Object),
            TokenKind::ArrayEnd => container = Some(Container::Array),
            TokenKind::Key if back > 0 => {}
            TokenKind::Key | TokenKind::String => {
                let is_whole = token.span.len() > 1
                    && fault.at(token.span.start).starts_with("\"")
                    && fault.at(token.span.end - 1).starts_with("\"");
                let is_key = token.kind == TokenKind::Key;
                if let Some(container) = container.filter(|_| is_whole) {
                    let start = token.span.start + 1;
                    let member = if is_key { None } else { Member::of(fault, back + 1, start) };
                    let string = Doubtful { start, mark: '"', is_key, container, member };
                    found.push((string, Some(token.span.end)));
                }
            }
            _ => {}
        }
    }
    found
}

/// The string that opens at the fault with this mark.
pub fn at_fault(fault: &Fault<'_>, mark: char) -> Option<Doubtful> {
    let start = fault.pos() + mark.len_utf8();
    Some(Doubtful {
        start,
        mark,
        is_key: fault.expected() == Expected::Key,
        container: fault.container()?,
        member: None,
    })
}

/// The string without an opening mark whose content starts at `start`, which is at the fault or with the token before it.
pub fn unopened(fault: &Fault<'_>, start: usize) -> Option<Doubtful> {
    Some(Doubtful {
        start,
        mark: '"',
        is_key: fault.expected() == Expected::Key,
        container: fault.container()?,
        member: None,
    })
}

/// Whether the string could end before `pos`: whether what follows can follow it.
pub fn fits_after(fault: &Fault<'_>, string: Doubtful, pos: usize) -> bool {
    let (text, is_whole) = window(fault, pos, search::NEAR);
    View { string, text, is_whole, is_ascii: true }.follows(0)
}

/// The same from what is near, which is not rationed: for a rule that asks rarely.
pub fn fits_at_a_glance(fault: &Fault<'_>, string: Doubtful, pos: usize) -> bool {
    let (text, is_whole) = near(fault, pos, search::GLANCE);
    View { string, text, is_whole, is_ascii: true }.follows(0)
}

/// The ends that the string may have, the cheapest first. Each string is read once for what it may be: a key, a value, an element.
pub fn of(fault: &Fault<'_>, string: Doubtful) -> Rc<Vec<End>> {
    known(fault, string).borrow_mut().all(fault)
}

/// Those of them that are at the fault or before it. No more is read than tells them.
fn early(fault: &Fault<'_>, string: Doubtful) -> Rc<Vec<End>> {
    known(fault, string).borrow_mut().up_to(fault.pos(), fault)
}

/// What is known of the ends of a string: remembered by its place and by what it is.
fn known(fault: &Fault<'_>, string: Doubtful) -> Rc<RefCell<Known>> {
    match (string.container, string.is_key) {
        (Container::Object, true) => remembered::<0>(fault, string),
        (Container::Object, false) => remembered::<1>(fault, string),
        (Container::Array, _) => remembered::<2>(fault, string),
    }
}

/// `KIND` makes a type, and so an answer, of each thing that a string may be.
#[derive(Clone)]
struct Remembered<const KIND: usize>(Rc<RefCell<Known>>);

fn remembered<const KIND: usize>(fault: &Fault<'_>, string: Doubtful) -> Rc<RefCell<Known>> {
    let find_out = || Rc::new(RefCell::new(Known::new(fault, string)));
    let Remembered(known) = fault.memo(string.start, || Remembered::<KIND>(find_out()));
    if known.borrow().string == string { known } else { find_out() }
}

/// The edits that end the string at `end`: its inner marks from `from` on are escaped, and what must be repaired between them is repaired with them.
pub fn edits(fault: &Fault<'_>, end: &End, from: usize) -> Option<Edits> {
    let text = fault.at(from).slice_to(end.pos);
    let last = if end.ending == Ending::Mark { text.rfind('"')? + 1 } else { text.len() };
    let mut edits = super::content::mended(text.get(..last)?, from)?;
    // Escapes that came about by chance are the matter of another rule.
    if end.inner > 0 && end.has_backslash {
        let content = fault.at(end.start).slice_to(end.pos);
        // What follows the last edit is read after it, and repaired where it is read.
        let edited = if end.ending == Ending::Mark { from + last - end.start } else { content.len() };
        if super::escapes::loses_accidental(content, from.saturating_sub(end.start)..edited) {
            return None;
        }
    }
    if end.ending != Ending::Mark && end.inner == 0 {
        edits.clear();
    }
    match end.ending {
        Ending::Mark if end.mark == EndMark::Doubled => edits = vec![Edit::remove(end.pos - 1..end.pos)],
        Ending::Mark if end.mark == EndMark::Shared => edits.push(Edit::insert(end.pos, "\\\"")),
        Ending::Mark => {}
        Ending::Missing => edits.push(Edit::insert(end.pos, "\"")),
        Ending::OtherMark(len) => edits.push(Edit::replace(end.pos - len..end.pos, "\"")),
        Ending::Escaped => edits.push(Edit::remove(end.pos..end.pos + 1)),
    }
    let mut edits = edits.into_iter();
    let first = Edits::from(edits.next()?);
    Some(edits.fold(first, Edits::and))
}

/// How many ends of the strings near a fault are put up, and how much dearer than the cheapest they may be, in hundredths.
const MOST_OFFERS: usize = 4;
const CREDIBLE: u32 = 180;

/// Offers the most credible of those ends of the strings near the fault for which `from` says where the marks to be escaped begin.
/// It is given the end, and where the string was read to end if it was.
pub fn offer_credible(fault: &Fault<'_>, to: &mut Proposals, from: impl Fn(&End, Option<usize>) -> Option<usize>) {
    let all: Vec<_> = doubtful(fault).into_iter().map(|(string, closed)| (of(fault, string), closed)).collect();
    let found = all.iter().flat_map(|(ends, closed)| ends.iter().map(|end| (end, *closed)));
    offer_best(fault, to, found.filter_map(|(end, closed)| Some((end, from(end, closed)?))).collect());
}

/// Offers the most credible of these ends. With each comes where the marks to be escaped begin.
fn offer_best(fault: &Fault<'_>, to: &mut Proposals, ends: Vec<(&End, usize)>) {
    let mut found: Vec<_> = ends.into_iter().map(|(end, from)| (end.cost_at(fault), end, from)).collect();
    let limit = found.iter().map(|(cost, ..)| cost + CREDIBLE).min().unwrap_or(0);
    for _ in 0..MOST_OFFERS {
        // Of equals the first.
        let cheapest = (0..found.len()).min_by_key(|&at| found[at].0).filter(|&at| found[at].0 <= limit);
        let Some((_, end, from)) = cheapest.map(|at| found.remove(at)) else { break };
        if let Some(edits) = edits(fault, end, from) {
            end.charge_to(to.offer(edits), fault);
        }
    }
}

/// Offers to end a string near the fault at a place without a closing mark of its own, where what is there instead is wanted.
pub fn offer_early(fault: &Fault<'_>, to: &mut Proposals, wants: impl Fn(Ending) -> bool) {
    let is_structure = |char: char| matches!(char, '}' | ']' | ',') || char.is_whitespace();
    // A text that breaks off has no end further up but one that nothing follows.
    let is_cut = |end: &End| {
        fault.is_at_end() && !end.is_key && !fault.at(end.after).slice_to(fault.region_end()).chars().all(is_structure)
    };
    let is_wanted = |end: &End| wants(end.ending) && !is_cut(end);
    if fault.string().is_some() {
        let found = doubtful(fault).first().map(|(string, _)| early(fault, *string)).unwrap_or_default();
        let wanted = found.iter().filter(|end| is_wanted(end));
        return offer_best(fault, to, wanted.map(|end| (end, end.pos)).collect());
    }
    offer_credible(fault, to, |end, closed| {
        let closed = closed?;
        is_wanted(end).then_some(if end.pos >= closed { closed - 1 } else { end.pos })
    });
}
