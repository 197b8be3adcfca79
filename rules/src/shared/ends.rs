//! Where a string may end: one enumerator, which lists places and what speaks against each, and decides nothing.

mod doubts;
mod end;
mod glimpse;
mod known;
mod runs;
mod search;
mod swallowed;
mod view;
mod weigh;

use jsonseam_core::{Container, Edit, Edits, Expected, Fault, Proposals, TokenKind};

pub use self::end::{Doubtful, Ending, Member, Place};
use self::end::{End, EndMark};
use self::known::Known;
pub(super) use self::search::{near, window};
use self::view::View;
pub use self::weigh::ends_in_line_of_closers;

/// How many tokens before a fault may be strings whose end it makes doubtful.
const NEAREST: usize = 4;

/// The strings near the fault whose end the fault makes doubtful: the open one, or those among the last four tokens.
/// With each comes where it was read to end, if it was.
pub fn doubtful<'f>(fault: &'f Fault<'_>) -> impl Iterator<Item = (Doubtful, Option<usize>)> + 'f {
    let is_open = fault.string().is_some();
    let open = if is_open { open(fault) } else { None };
    let closed = Closed { fault, back: if is_open { NEAREST } else { 0 }, container: fault.container() };
    open.map(|string| (string, None)).into_iter().chain(closed)
}

/// The open string, if it is in plain quotes.
fn open(fault: &Fault<'_>) -> Option<Doubtful> {
    let open = fault.string()?;
    let container = fault.container()?;
    let is_plain = open.start.checked_sub(1).is_some_and(|quote| fault.at(quote).starts_with("\""));
    is_plain.then(|| {
        let member = if open.is_key { None } else { Member::of(fault, 0, open.start) };
        Doubtful { start: open.start, mark: '"', is_key: open.is_key, container, member }
    })
}

/// The strings in plain quotes among the last four tokens, and where each ends.
struct Closed<'f, 'e> {
    fault: &'f Fault<'e>,
    back: usize,
    container: Option<Container>,
}

impl Iterator for Closed<'_, '_> {
    type Item = (Doubtful, Option<usize>);

    fn next(&mut self) -> Option<Self::Item> {
        while self.back < NEAREST {
            let back = self.back;
            self.back += 1;
            let token = self.fault.token(back)?;
            match token.kind {
                TokenKind::ObjectStart | TokenKind::ArrayStart if back > 0 => self.back = NEAREST,
                TokenKind::ObjectEnd => self.container = Some(Container::Object),
                TokenKind::ArrayEnd => self.container = Some(Container::Array),
                TokenKind::Key if back > 0 => {}
                TokenKind::Key | TokenKind::String => {
                    let is_quote = |at: usize| self.fault.at(at).starts_with("\"");
                    let is_whole = token.span.len() > 1 && is_quote(token.span.start) && is_quote(token.span.end - 1);
                    if let Some(container) = self.container.filter(|_| is_whole) {
                        let is_key = token.kind == TokenKind::Key;
                        let start = token.span.start + 1;
                        let member = if is_key { None } else { Member::of(self.fault, back + 1, start) };
                        return Some((Doubtful { start, mark: '"', is_key, container, member }, Some(token.span.end)));
                    }
                }
                _ => {}
            }
        }
        None
    }
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
    View { string, text, is_whole, is_ascii: true }.follows(0)
}

/// The same from what is near, which is not rationed: for a rule that asks rarely.
pub fn fits_at_a_glance(fault: &Fault<'_>, string: Doubtful, pos: usize) -> bool {
    let (text, is_whole) = near(fault, pos, search::GLANCE);
    View { string, text, is_whole, is_ascii: true }.follows(0)
}

/// What `ask` says of what is known of the ends of a string: that is remembered by its place and by what it is.
fn with_known<R>(fault: &Fault<'_>, string: Doubtful, ask: impl FnOnce(&mut Known) -> R) -> R {
    fault.memo_with(string, || Known::new(fault, string), ask)
}

/// The edits that end the string at `end`: its inner marks from `from` on are escaped, and what must be repaired between them is repaired with them.
fn edits(fault: &Fault<'_>, end: &End, mark: EndMark, from: usize) -> Option<Edits> {
    let text = fault.at(from).slice_to(end.place.pos);
    let last = if end.place.ending == Ending::Mark { text.rfind('"')? + 1 } else { text.len() };
    let mut edits = super::content::mended(text.get(..last)?, from);
    // Escapes that came about by chance are the matter of another rule.
    if end.inner > 0 && end.has_backslash {
        let content = fault.at(end.place.start).slice_to(end.place.pos);
        // What follows the last edit is read after it, and repaired where it is read.
        let edited = if end.place.ending == Ending::Mark { from + last - end.place.start } else { content.len() };
        if super::escapes::loses_accidental(content, from.saturating_sub(end.place.start)..edited) {
            return None;
        }
    }
    if end.place.ending != Ending::Mark && end.inner == 0 {
        edits.clear();
    }
    match end.place.ending {
        Ending::Mark if mark == EndMark::Doubled => edits = vec![Edit::remove(end.place.pos - 1..end.place.pos)],
        Ending::Mark if mark == EndMark::Shared => edits.push(Edit::insert(end.place.pos, "\\\"")),
        Ending::Mark => {}
        Ending::Missing => edits.push(Edit::insert(end.place.pos, "\"")),
        Ending::OtherMark(len) => edits.push(Edit::replace(end.place.pos - len..end.place.pos, "\"")),
        Ending::Escaped => edits.push(Edit::remove(end.place.pos..end.place.pos + 1)),
    }
    Edits::group(edits)
}

/// How many ends of the strings near a fault are offered, and how much dearer than the cheapest they may be, in hundredths.
const MOST_OFFERS: usize = 4;
const CREDIBLE: u32 = 180;

/// An end that may be offered.
#[derive(Clone, Copy)]
struct Candidate {
    cost: u32,
    /// Which string it ends, what the end costs by itself, and which of its ends it is.
    rank: (usize, u32, usize),
    /// Where the marks to be escaped begin.
    from: usize,
}

/// The cheapest candidates; of equals those of the first string, and of these the ends that are found first.
#[derive(Default)]
struct Best {
    list: [Option<Candidate>; MOST_OFFERS],
}

impl Best {
    fn enter(&mut self, candidate: Candidate) {
        let key = |candidate: &Candidate| (candidate.cost, candidate.rank);
        let place = self.list.iter().position(|known| known.is_none_or(|known| key(&known) > key(&candidate)));
        if let Some(at) = place {
            self.list[at..].rotate_right(1);
            self.list[at] = Some(candidate);
        }
    }

    /// The most that a candidate may cost.
    fn limit(&self) -> u32 {
        self.list[0].map_or(u32::MAX, |first| first.cost.saturating_add(CREDIBLE))
    }

    fn all(&self) -> impl Iterator<Item = Candidate> {
        self.list.iter().map_while(|candidate| *candidate)
    }
}

/// Which ends a rule wants, by what is there.
type Wants<'w> = &'w dyn Fn(Ending) -> bool;

/// Where the marks to be escaped begin if the string ends there; `None` if it is not to be offered.
/// Given are the end, and where the string was read to end if it was.
type From<'f> = &'f dyn Fn(&Place, Option<usize>) -> Option<usize>;

/// Offers the most credible of the ends of the strings near a fault that are wanted.
pub fn offer_credible(fault: &Fault<'_>, to: &mut Proposals, wants: Wants<'_>, from: From<'_>) {
    let mut strings = Vec::new();
    for (string, closed) in doubtful(fault) {
        with_known(fault, string, |known| known.look_for(fault, closed, wants));
        strings.push((string, closed));
    }
    if strings.is_empty() {
        return;
    }
    offer_best(fault, to, &strings, &|place, closed| if wants(place.ending) { from(place, closed) } else { None });
}

/// How many members, which the contract forbids, a string may swallow for less.
const MOST_FREED: usize = 3;

/// Offers the most credible of the ends that were found.
fn offer_best(fault: &Fault<'_>, to: &mut Proposals, strings: &[(Doubtful, Option<usize>)], from: From<'_>) {
    // What a contract says of keys that a string would swallow may take clues back.
    let is_guided = fault.declares_key("").is_some();
    let mut best = Best::default();
    for (string, &(of, closed)) in strings.iter().enumerate() {
        with_known(fault, of, |known| {
            for nth in 0..known.places().len() {
                let Some(from) = from(&known.places()[nth], closed) else { continue };
                if known.comes_again(nth) {
                    continue;
                }
                let least = known.least(nth);
                let members = known.places()[nth].swallowed.map_or(0, |(members, _)| members);
                if least > best.limit() && !(is_guided && (1..=MOST_FREED).contains(&members)) {
                    continue;
                }
                let (end, colons) = known.end(nth);
                best.enter(Candidate { cost: end.cost_at(fault, colons), rank: (string, end.cost, nth), from });
            }
        });
    }
    for Candidate { rank: (string, _, nth), from, .. } in best.all().take_while(|found| found.cost <= best.limit()) {
        with_known(fault, strings[string].0, |known| {
            let doubts = known.doubts(nth);
            let (end, colons) = known.end(nth);
            if let Some(edits) = edits(fault, end, doubts.mark, from) {
                end.charge_to(to.offer(edits), fault, colons, doubts);
            }
        });
    }
}

/// Offers to end a string near the fault at a place without a closing mark of its own, where what is there instead is wanted.
pub fn offer_early(fault: &Fault<'_>, to: &mut Proposals, wants: Wants<'_>) {
    let is_structure = |char: char| matches!(char, '}' | ']' | ',') || char.is_whitespace();
    // A text that breaks off has no end further up but one that nothing follows.
    let is_cut = |end: &Place| {
        fault.is_at_end() && !end.is_key && !fault.at(end.after).slice_to(fault.region_end()).chars().all(is_structure)
    };
    // Nor does it break off where it closes, and the next member is in the mark that was found.
    let is_whole = || {
        let last = fault.region_end() - fault.at(fault.region_end()).before_while(char::is_whitespace).len();
        fault.at(last).char_before().is_some_and(|char| matches!(char, '}' | ']'))
    };
    let is_wanted = |end: &Place| wants(end.ending) && (!is_cut(end) || end.takes_over && is_whole());
    if fault.string().is_some() {
        if glimpse::shows_no_end(fault) {
            return;
        }
        let Some(string) = open(fault) else { return };
        with_known(fault, string, |known| known.look_up_to(fault.pos(), fault));
        let is_early = |end: &Place| end.pos <= fault.pos() && is_wanted(end);
        return offer_best(fault, to, &[(string, None)], &|end, _| is_early(end).then_some(end.pos));
    }
    offer_credible(fault, to, wants, &|end, closed| {
        let closed = closed?;
        // A comment after a quote says that the string ended there.
        let is_ended = || {
            let next = fault.at(closed).skip_json_space();
            matches!(next.peek(), Some('/' | '#')) && next.comment_end().is_some()
        };
        (is_wanted(end) && !(end.pos >= closed && is_ended())).then_some(if end.pos >= closed {
            closed - 1
        } else {
            end.pos
        })
    });
}

/// Offers what `edits` makes of the cheapest ends of the string at a mark, and charges it with what speaks against them.
pub fn offer_at_marks(
    fault: &Fault<'_>,
    string: Doubtful,
    to: &mut Proposals,
    edits: &dyn Fn(&Place) -> Option<Edits>,
) {
    with_known(fault, string, |known| {
        known.find_all(fault);
        for Candidate { rank: (.., nth), .. } in cheapest_at_marks(known, |_, _| true).all() {
            if let Some(edits) = edits(&known.places()[nth]) {
                let doubts = known.doubts(nth);
                let (end, colons) = known.end(nth);
                end.charge_to(to.offer(edits), fault, colons, doubts);
            }
        }
    });
}

/// The cheapest end of the string before which all marks are doubled.
pub fn end_of_doubled_marks(fault: &Fault<'_>, string: Doubtful) -> Option<usize> {
    with_known(fault, string, |known| {
        known.find_all(fault);
        let Candidate { rank: (.., nth), .. } = cheapest_at_marks(known, Known::has_doubled_marks).all().next()?;
        Some(known.places()[nth].pos)
    })
}

/// The cheapest of the ends at a mark that `is_wanted`.
fn cheapest_at_marks(known: &mut Known, is_wanted: impl Fn(&Known, usize) -> bool) -> Best {
    let mut best = Best::default();
    for nth in 0..known.places().len() {
        if known.places()[nth].ending == Ending::Mark && is_wanted(known, nth) && !known.comes_again(nth) {
            let (end, _) = known.end(nth);
            best.enter(Candidate { cost: end.cost, rank: (0, end.cost, nth), from: 0 });
        }
    }
    best
}
