//! A string whose end is doubtful, and a place where it may end.

use std::rc::Rc;

use jsonseam_core::{Clue, Container, Fault, Offer, TokenKind};

/// Nothing but a contract tells a text that quotes `"key": …` from the next member.
pub(super) const MEMBER_IN_TEXT: &str = "the text may hold what looks like the next member";

/// One mark may have been meant to end a quotation in the text, and the text. Where the string ends is the same for a contract.
pub(super) const SHARED_MARK: &str = "one quote may end the quotation and the text";

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
    /// Whether its key is in double quotes.
    pub is_quoted: bool,
}

impl Member {
    /// That of the value that starts at `start`, whose colon is the token `back` places before the fault.
    pub(super) fn of(fault: &Fault<'_>, back: usize, start: usize) -> Option<Self> {
        let (colon, key) = (fault.token(back)?, fault.token(back + 1)?);
        if (colon.kind, key.kind) != (TokenKind::Colon, TokenKind::Key) {
            return None;
        }
        Some(Self {
            begins_line: fault.at(key.span.start).indent().is_some(),
            is_spaced: spaced(fault.at(colon.span.end).slice_to(start - 1)),
            is_quoted: fault.at(key.span.start).starts_with("\""),
        })
    }
}

/// Whether what follows a colon is one space, or nothing.
pub(super) fn spaced(gap: &str) -> Option<bool> {
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

/// What the mark at the end of a string is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum EndMark {
    Single,
    /// It also ends a quotation in the text.
    Shared,
    /// It comes twice.
    Doubled,
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
    /// How many marks in the content a backslash hides.
    pub(super) hidden: usize,
    /// Whether the content holds a backslash.
    pub(super) has_backslash: bool,
    /// Whether these marks are all doubled, an even number of times.
    pub has_doubled_marks: bool,
    /// What its mark is.
    pub(super) mark: EndMark,
    /// What speaks against this end.
    clues: Clues,
    /// Where the colons of members are that the content would swallow.
    pub(super) swallowed: Swallows,
    /// A reading that no rule can put up, and that is as likely.
    pub(super) doubt: Option<&'static str>,
    pub(super) cost: u32,
}

/// The members that an end would swallow: the first so many of all that the string may swallow.
#[derive(Debug, Clone, Default)]
pub(super) struct Swallows {
    pub(super) all: Option<Rc<[usize]>>,
    pub(super) len: usize,
}

impl Swallows {
    fn colons(&self) -> &[usize] {
        self.all.as_deref().and_then(|all| all.get(..self.len)).unwrap_or_default()
    }
}

/// Clues with how often each counts. There is room for all that one end may have.
#[derive(Debug, Clone, Copy, Default)]
struct Clues {
    list: [Option<(Clue, u8)>; 16],
    len: usize,
}

impl Clues {
    fn push(&mut self, clue: Clue, times: u8) {
        if let Some(free) = self.list.get_mut(self.len) {
            *free = Some((clue, times));
            self.len += 1;
        }
    }

    fn iter(&self) -> impl Iterator<Item = (Clue, u8)> {
        self.list.iter().map_while(|clue| *clue)
    }
}

impl End {
    /// An end at `pos`, against which nothing speaks yet.
    pub(super) fn new(string: Doubtful, pos: usize, after: usize, ending: Ending) -> Self {
        Self {
            start: string.start,
            pos,
            after,
            is_key: string.is_key,
            ending,
            inner: 0,
            hidden: 0,
            has_backslash: false,
            has_doubled_marks: false,
            mark: EndMark::Single,
            clues: Clues::default(),
            swallowed: Swallows::default(),
            doubt: None,
            cost: 0,
        }
    }

    pub(super) fn charge(&mut self, clue: Clue, times: usize) {
        if times > 0 {
            let times = u8::try_from(times).unwrap_or(u8::MAX);
            self.cost += clue.cost() * u32::from(times);
            self.clues.push(clue, times);
        }
    }

    /// The clues that count at this fault. Keys that the contract forbids here are not members, so the content may hold them.
    fn clues_for(&self, fault: &Fault<'_>) -> impl Iterator<Item = (Clue, u8)> {
        let colons = self.swallowed.colons();
        let holds_no_member = !colons.is_empty()
            && fault.declares_key("").is_some()
            && colons.iter().all(|&colon| {
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
    pub(super) fn cost_at(&self, fault: &Fault<'_>) -> u32 {
        self.clues_for(fault).map(|(clue, times)| clue.cost() * u32::from(times)).sum()
    }

    /// Charges an offer that ends the string here with all that speaks against it.
    /// Where a contract lists the keys, it decides what is a member, and that is no doubt any more.
    pub fn charge_to(&self, offer: &mut Offer, fault: &Fault<'_>) {
        for (clue, times) in self.clues_for(fault) {
            offer.clues(clue, times.into());
        }
        let is_decided = |doubt| matches!(doubt, MEMBER_IN_TEXT | SHARED_MARK) && fault.declares_key("").is_some();
        if let Some(doubt) = self.doubt.filter(|doubt| !is_decided(*doubt)) {
            offer.doubt(doubt);
        }
    }
}
