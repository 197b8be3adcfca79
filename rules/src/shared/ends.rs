//! Where a string may end: one enumerator, which lists places and what speaks against each, and decides nothing.

mod search;
mod swallowed;
mod weigh;

use std::cell::RefCell;
use std::rc::Rc;

use jsonseam_core::{Clue, Container, Edit, Edits, Expected, Fault, Offer, Proposals, TokenKind};

use self::search::{Known, View};
use self::weigh::MEMBER_IN_TEXT;

/// A string whose end is in question.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Doubtful {
    /// Where its content starts.
    pub start: usize,
    /// The mark that opens it.
    pub mark: char,
    /// Whether it is a key.
    pub is_key: bool,
    /// The container it is in.
    pub container: Container,
    /// How its member is laid out, if it is the value of one.
    pub member: Option<Member>,
}

/// How a member is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Member {
    /// Whether its key begins a line.
    pub begins_line: bool,
    /// Whether one space follows its colon, or nothing; `None` for any other blanks.
    pub is_spaced: Option<bool>,
}

impl Member {
    /// That of the value that starts at `start`, whose colon is the token `back` places before the fault.
    fn of(fault: &Fault<'_>, back: usize, start: usize) -> Option<Self> {
        let (colon, key) = (fault.token(back)?, fault.token(back + 1)?);
        if (colon.kind, key.kind) != (TokenKind::Colon, TokenKind::Key) {
            return None;
        }
        Some(Self {
            begins_line: fault.at(key.span.start).indent().is_some(),
            is_spaced: spaced(fault.at(colon.span.end).slice_to(start - 1)),
        })
    }
}

/// Whether what follows a colon is one space, or nothing.
fn spaced(gap: &str) -> Option<bool> {
    match gap {
        "" => Some(false),
        " " => Some(true),
        _ => None,
    }
}

/// What is where a string may end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Ending {
    /// Its closing mark.
    Mark,
    /// No mark: one is missing.
    Missing,
    /// A mark of another kind, of so many bytes, that is the last of the content.
    OtherMark(usize),
    /// A mark with a backslash before it.
    Escaped,
}

/// A place where a string may end.
#[derive(Debug, Clone)]
pub struct End {
    /// Where its content starts.
    pub start: usize,
    /// Where its content ends.
    pub pos: usize,
    /// Where the text goes on after it.
    pub after: usize,
    /// Whether the string is a key.
    pub is_key: bool,
    /// What is there.
    pub ending: Ending,
    /// How many marks of its own kind the content holds that nothing hides.
    pub inner: usize,
    /// Whether these marks are all doubled, an even number of times.
    pub has_doubled_marks: bool,
    /// What speaks against this end.
    clues: Vec<(Clue, usize)>,
    /// Where the colons of members are that the content would swallow.
    swallowed: Vec<usize>,
    /// A reading that no rule can put up, and that is as likely.
    doubt: Option<&'static str>,
    cost: u32,
}

impl End {
    fn charge(&mut self, clue: Clue, times: usize) {
        if times > 0 {
            self.cost += clue.cost() * u32::try_from(times).unwrap_or(u32::MAX);
            self.clues.push((clue, times));
        }
    }

    /// The clues that count at this fault. Keys that the contract forbids here are no members, so the content may hold them.
    fn clues_for(&self, fault: &Fault<'_>) -> impl Iterator<Item = &(Clue, usize)> {
        let holds_no_member = !self.swallowed.is_empty()
            && fault.declares_key("").is_some()
            && self.swallowed.iter().all(|&colon| {
                let before = fault.at(colon).before_while(|char| char != '\n').trim_end();
                let key = before.strip_suffix('"').and_then(|before| before.rsplit_once('"'));
                key.is_some_and(|(_, key)| fault.declares_key(key) == Some(false))
            });
        let is_of_members =
            |clue| matches!(clue, Clue::SwallowedMember | Clue::MarksAroundComma | Clue::MarksAroundLineBreak);
        let is_excused = move |clue| holds_no_member && is_of_members(clue);
        self.clues.iter().filter(move |(clue, _)| !is_excused(*clue))
    }

    /// What speaks against this end at this fault, in hundredths.
    fn cost_at(&self, fault: &Fault<'_>) -> u32 {
        self.clues_for(fault).map(|&(clue, times)| clue.cost() * u32::try_from(times).unwrap_or(u32::MAX)).sum()
    }

    /// Charges an offer that ends the string here with all that speaks against it.
    /// Where a contract lists the keys, it decides what is a member, and that is no doubt any more.
    pub fn charge_to(&self, offer: &mut Offer, fault: &Fault<'_>) {
        for &(clue, times) in self.clues_for(fault) {
            offer.clues(clue, times);
        }
        let is_decided = |doubt| doubt == MEMBER_IN_TEXT && fault.declares_key("").is_some();
        if let Some(doubt) = self.doubt.filter(|doubt| !is_decided(*doubt)) {
            offer.doubt(doubt);
        }
    }
}

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

/// Whether the string could end before `pos`: whether what follows can follow it, at a glance.
pub fn fits_after(fault: &Fault<'_>, string: Doubtful, pos: usize) -> bool {
    let (text, is_whole) = search::window(fault, pos, search::NEAR);
    View { string, text, is_whole }.follows(0)
}

/// The ends that the string may have, the cheapest first. Each string is read once for what it may be: a key, a value, an element.
pub fn of(fault: &Fault<'_>, string: Doubtful) -> Rc<Vec<End>> {
    known(fault, string).borrow_mut().all(fault)
}

/// Those of them that lie at the fault or before it. No more is read than tells them.
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

/// The edits that end the string at `end`: its inner marks from `from` on are escaped, and what must be mended between them is mended with them.
pub fn edits(fault: &Fault<'_>, end: &End, from: usize) -> Option<Edits> {
    let text = fault.at(from).slice_to(end.pos);
    let last = if end.ending == Ending::Mark { text.rfind('"')? + 1 } else { text.len() };
    let mut edits = super::content::mended(text.get(..last)?, from)?;
    // Escapes that came about by chance are the matter of another rule.
    if end.inner > 0 && super::escapes::holds_accidental(fault.at(end.start).slice_to(end.pos)) {
        return None;
    }
    if end.ending != Ending::Mark && end.inner == 0 {
        edits.clear();
    }
    match end.ending {
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
