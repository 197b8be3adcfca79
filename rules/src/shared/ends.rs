//! Where a string may end: one enumerator, which lists places and what speaks against each, and decides nothing.

mod doubts;
mod end;
mod glimpse;
mod known;
mod parts;
mod search;
mod swallowed;
mod view;
mod weigh;

use jsonseam_core::{Container, Edit, Edits, Expected, Fault, Proposals, TokenKind};

use self::end::EndMark;
pub use self::end::{Doubtful, End, Ending, Member};
use self::known::Known;
pub(super) use self::search::{near, window};
use self::view::View;
pub use self::weigh::ends_in_line_of_closers;

/// How many tokens before a fault may be strings whose end it makes doubtful.
const NEAREST: usize = 4;

/// The strings near the fault whose end the fault makes doubtful: the open one, or those among the last four tokens.
/// With each comes where it was read to end, if it was.
pub fn doubtful<'f>(fault: &'f Fault<'_>) -> impl Iterator<Item = (Doubtful, Option<usize>)> + 'f {
    let mut open = fault.string();
    let mut container = fault.container();
    let mut back = if open.is_some() { NEAREST } else { 0 };
    std::iter::from_fn(move || {
        if let Some(string) = open.take() {
            return plain(fault, string.start, string.is_key, container?, 0).map(|string| (string, None));
        }
        while back < NEAREST {
            let (at, kind) = (back, fault.token_kind(back)?);
            back += 1;
            match kind {
                TokenKind::ObjectStart | TokenKind::ArrayStart if at > 0 => back = NEAREST,
                TokenKind::ObjectEnd => container = Some(Container::Object),
                TokenKind::ArrayEnd => container = Some(Container::Array),
                // A key further back has a colon after it.
                TokenKind::Key if at > 0 => {}
                TokenKind::Key | TokenKind::String => {
                    let found = container.and_then(|container| closed(fault, at, container));
                    if found.is_some() {
                        return found;
                    }
                }
                _ => {}
            }
        }
        None
    })
}

/// The string in plain quotes that is the token so many places before the fault, and where it ends.
fn closed(fault: &Fault<'_>, back: usize, container: Container) -> Option<(Doubtful, Option<usize>)> {
    let token = fault.token(back)?;
    if token.span.len() < 2 || !fault.at(token.span.end - 1).starts_with("\"") {
        return None;
    }
    let string = plain(fault, token.span.start + 1, token.kind == TokenKind::Key, container, back + 1)?;
    Some((string, Some(token.span.end)))
}

/// The string whose content starts at `start`, if a plain quote opens it. The token before it is so many places before the fault.
fn plain(fault: &Fault<'_>, start: usize, is_key: bool, container: Container, back: usize) -> Option<Doubtful> {
    let is_plain = fault.at(start.checked_sub(1)?).starts_with("\"");
    is_plain.then(|| Doubtful { start, mark: '"', is_key, container, member: Member::of(fault, back) })
}

/// The string that opens at the fault with this mark.
pub fn at_fault(fault: &Fault<'_>, mark: char) -> Option<Doubtful> {
    Some(Doubtful { mark, ..unopened(fault, fault.pos() + mark.len_utf8())? })
}

/// The string without an opening mark whose content starts at `start`, which is at the fault or with the token before it.
pub fn unopened(fault: &Fault<'_>, start: usize) -> Option<Doubtful> {
    let (is_key, container) = (fault.expected() == Expected::Key, fault.container()?);
    Some(Doubtful { start, mark: '"', is_key, container, member: None })
}

/// Whether the string could end before `pos`: whether what follows can follow it.
pub fn fits_after(fault: &Fault<'_>, string: Doubtful, pos: usize) -> bool {
    let (text, is_whole) = window(fault, pos, search::NEAR);
    View { string, layout: None, text, is_whole, is_ascii: true }.follows(0)
}

/// The same from what is near, which is not rationed: for a rule that asks rarely.
pub fn fits_at_a_glance(fault: &Fault<'_>, string: Doubtful, pos: usize) -> bool {
    let (text, is_whole) = near(fault, pos, search::GLANCE);
    View { string, layout: None, text, is_whole, is_ascii: true }.follows(0)
}

/// What `ask` says of what is known of the ends of a string: that is remembered by its place and by what it is.
fn with_known<R>(fault: &Fault<'_>, string: Doubtful, ask: impl FnOnce(&mut Known) -> R) -> R {
    fault.memo_with(string, || Known::new(fault, string), ask)
}

/// The edits that end the string at `end`: its inner marks from `from` on are escaped, and what must be repaired between them is repaired with them.
fn edits(fault: &Fault<'_>, end: &End, mark: EndMark, from: usize) -> Option<Edits> {
    let text = fault.at(from).slice_to(end.pos);
    let last = if end.ending == Ending::Mark { text.rfind('"')? + 1 } else { text.len() };
    let mut edits = super::content::mended(text.get(..last)?, from);
    // Escapes that came about by chance are the matter of another rule.
    if end.inner > 0 && end.first_backslash.is_some() {
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
        Ending::Mark if mark == EndMark::Doubled => edits = vec![Edit::remove(end.pos - 1..end.pos)],
        Ending::Mark if mark == EndMark::Shared => edits.push(Edit::insert(end.pos, "\\\"")),
        Ending::Mark => {}
        Ending::Missing => edits.push(Edit::insert(end.pos, "\"")),
        Ending::OtherMark(len) => edits.push(Edit::replace(end.pos - len..end.pos, "\"")),
        Ending::Escaped => edits.push(Edit::remove(end.pos..end.pos + 1)),
    }
    Edits::group(edits)
}

/// How many ends of the strings near a fault are offered, and how much dearer than the cheapest they may be, in hundredths.
const MOST_OFFERS: usize = 4;
const CREDIBLE: u32 = 180;

/// An end that may be offered.
struct Candidate {
    string: Doubtful,
    /// Which end of the string it is.
    nth: usize,
    /// Where the marks to be escaped begin.
    from: usize,
}

/// Which ends a rule wants, by what is there.
type Wants<'w> = &'w dyn Fn(Ending) -> bool;

/// Where the marks to be escaped begin if the string ends there; `None` if it is not to be offered.
/// Given are the end, and where the string was read to end if it was.
type From<'f> = &'f dyn Fn(&End, Option<usize>) -> Option<usize>;

/// How many members, which the contract forbids, a string may swallow for less.
const MOST_FREED: usize = 3;

/// Offers the most credible of the ends of the strings near a fault that are wanted.
pub fn offer_credible(fault: &Fault<'_>, to: &mut Proposals, wants: Wants<'_>, from: From<'_>) {
    // Where all ends of an open string precede its last edit, they were offered at a fault before this one.
    let open = fault.string().map(|string| string.content.start..=fault.pos());
    let mut found = Vec::new();
    let mut limit = u32::MAX;
    for (which, (string, closed)) in doubtful(fault).enumerate() {
        with_known(fault, string, |known| {
            known.look_for(fault, closed, wants);
            if open.as_ref().is_some_and(|open| !known.ends().iter().any(|end| open.contains(&end.pos))) {
                return;
            }
            for nth in 0..known.ends().len() {
                let end = &known.ends()[nth];
                let Some(from) = (if wants(end.ending) { from(end, closed) } else { None }) else {
                    continue;
                };
                // What a contract says of keys that a string would swallow may take clues back.
                let may_be_freed = || (1..=MOST_FREED).contains(&end.members) && fault.declares_key("").is_some();
                if known.least(nth) > limit && !may_be_freed() {
                    continue;
                }
                let own_cost = known.weight(nth).cost;
                let cost = known.cost_at(nth, fault);
                if cost <= limit && !known.comes_again(nth) {
                    limit = limit.min(cost.saturating_add(CREDIBLE));
                    // Of equals those of the first string come first, and of these the ends that cost less by themselves.
                    enter(&mut found, (cost, which, own_cost, nth), Candidate { string, nth, from });
                }
            }
        });
    }
    for ((cost, ..), Candidate { string, nth, from }) in found {
        if cost > limit {
            break;
        }
        with_known(fault, string, |known| {
            known.offer(nth, fault, to, |end, mark| edits(fault, end, mark, from));
        });
    }
}

/// Offers to end a string near the fault at a place without a closing mark of its own, where what is there instead is wanted.
pub fn offer_early(fault: &Fault<'_>, to: &mut Proposals, wants: Wants<'_>) {
    let is_structure = |char: char| matches!(char, '}' | ']' | ',') || char.is_whitespace();
    // A text that breaks off has no end further up but one that nothing follows.
    let is_cut = |end: &End| {
        fault.is_at_end() && !end.is_key && !fault.at(end.after).slice_to(fault.region_end()).chars().all(is_structure)
    };
    // Nor does it break off where it closes, and the next member is in the mark that was found.
    let is_whole = || {
        let last = fault.region_end() - fault.at(fault.region_end()).before_while(char::is_whitespace).len();
        fault.at(last).char_before().is_some_and(|char| matches!(char, '}' | ']'))
    };
    let is_credible = |end: &End| !is_cut(end) || end.takes_over && is_whole();
    if glimpse::shows_no_end(fault) {
        return;
    }
    offer_credible(fault, to, wants, &|end, closed| {
        let Some(closed) = closed else {
            return (end.pos <= fault.pos() && is_credible(end)).then_some(end.pos);
        };
        // A comment after a quote says that the string ended there.
        let is_ended = || {
            let next = fault.at(closed).skip_json_space();
            matches!(next.peek(), Some('/' | '#')) && next.comment_end().is_some()
        };
        let is_later = end.pos >= closed;
        (is_credible(end) && !(is_later && is_ended())).then_some(if is_later { closed - 1 } else { end.pos })
    });
}

/// Offers what `edits` makes of the cheapest ends of the string at a mark, and charges it with what speaks against them.
pub fn offer_at_marks(fault: &Fault<'_>, string: Doubtful, to: &mut Proposals, edits: &dyn Fn(&End) -> Option<Edits>) {
    with_known(fault, string, |known| {
        for nth in cheapest_at_marks(fault, known, |_, _| true) {
            known.offer(nth, fault, to, |end, _| edits(end));
        }
    });
}

/// The cheapest end of the string before which all marks are doubled.
pub fn end_of_doubled_marks(fault: &Fault<'_>, string: Doubtful) -> Option<usize> {
    with_known(fault, string, |known| {
        let nth = cheapest_at_marks(fault, known, Known::has_doubled_marks).next()?;
        Some(known.ends()[nth].pos)
    })
}

/// The cheapest ends at a mark that are wanted, in this order.
fn cheapest_at_marks(
    fault: &Fault<'_>,
    known: &mut Known,
    is_wanted: fn(&Known, usize) -> bool,
) -> impl Iterator<Item = usize> + use<> {
    known.find_all(fault);
    let mut found = Vec::new();
    for nth in 0..known.ends().len() {
        if known.ends()[nth].ending == Ending::Mark && is_wanted(known, nth) && !known.comes_again(nth) {
            enter(&mut found, (known.weight(nth).cost, nth), nth);
        }
    }
    found.into_iter().map(|(_, nth)| nth)
}

/// Enters a candidate by its rank, if it is among the first.
fn enter<R: Ord, T>(found: &mut Vec<(R, T)>, rank: R, candidate: T) {
    let at = found.partition_point(|(known, _)| *known < rank);
    if at < MOST_OFFERS {
        found.truncate(MOST_OFFERS - 1);
        found.insert(at, (rank, candidate));
    }
}
