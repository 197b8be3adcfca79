//! A string whose end is doubtful, and a place where it may end.

use jsonseam_core::{Clue, Container, Fault, TokenKind};

use crate::shared::clues;

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
    /// Its member, if it is the value of one.
    pub member: Option<Member>,
}

/// Where a member is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Member {
    /// Where its key starts.
    pub key: usize,
    /// Where its colon ends.
    pub colon: usize,
}

impl Member {
    /// That of a value whose colon is the token `back` places before the fault.
    pub(super) fn of(fault: &Fault<'_>, back: usize) -> Option<Self> {
        let is_member = fault.token_kind(back)? == TokenKind::Colon && fault.token_kind(back + 1)? == TokenKind::Key;
        if !is_member {
            return None;
        }
        Some(Self { key: fault.token(back + 1)?.span.start, colon: fault.token(back)?.span.end })
    }
}

/// How a member is laid out.
#[derive(Debug, Clone, Copy)]
pub(super) struct Layout {
    /// Whether its key begins a line.
    pub(super) begins_line: bool,
    /// Whether one space follows its colon, or nothing; `None` for any other blanks.
    pub(super) is_spaced: Option<bool>,
    /// Whether its key is in double quotes.
    pub(super) is_quoted: bool,
}

impl Layout {
    /// That of the member whose value is this string.
    pub(super) fn of(fault: &Fault<'_>, string: Doubtful) -> Option<Self> {
        let Member { key, colon } = string.member?;
        Some(Self {
            begins_line: fault.at(key).indent().is_some(),
            is_spaced: spaced(fault.at(colon).slice_to(string.start - 1)),
            is_quoted: fault.at(key).starts_with("\""),
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

/// What an end leaves open that no cost tells.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct Doubts {
    /// What its mark is.
    pub(super) mark: EndMark,
    /// A reading that no rule can offer, and that is as likely.
    pub(super) reading: Option<&'static str>,
}

impl Doubts {
    /// Notes this reading, in place of one before it, if it is possible.
    pub(super) fn read_if(&mut self, is_possible: bool, reading: &'static str) {
        self.reading = if is_possible { Some(reading) } else { self.reading };
    }
}

/// A place where a string may end, with what is known of it.
#[derive(Debug, Clone, Copy)]
pub struct End {
    /// Where the content starts.
    pub start: usize,
    /// Where it ends.
    pub pos: usize,
    /// Where the text goes on after it.
    pub after: usize,
    /// Whether the string is a key.
    pub is_key: bool,
    /// What is there.
    pub ending: Ending,
    /// Whether it ends in another mark, and the key of the next member opens with that too.
    pub(super) takes_over: bool,
    /// How many marks of its own kind the content holds that nothing hides, and how many that a backslash hides.
    pub(super) inner: usize,
    pub(super) hidden: usize,
    /// Where the content holds its first backslash, and its first control character.
    pub(super) first_backslash: Option<usize>,
    pub(super) first_control: Option<usize>,
    /// Whether a control character that nothing hides is on the way to what follows it.
    pub(super) has_raw_controls: bool,
    /// How many more brackets open than close in it.
    pub(super) open: i32,
    /// How many closers after it would be text otherwise.
    pub(super) closers: usize,
    /// How many members the content would swallow, and how many of them count.
    pub(super) members: usize,
    pub(super) charged: usize,
    /// What speaks against it in the text, once that is weighed.
    pub(super) weight: Option<Weight>,
    /// Found out for the ends that are offered alone.
    pub(super) doubts: Option<Doubts>,
}

/// What speaks against an end, in hundredths.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Weight {
    pub(super) cost: u32,
    /// The part of it that counts only if the content would swallow members.
    of_members: u32,
}

impl Weight {
    pub(super) fn charge(&mut self, clue: Clue, times: usize) {
        let cost = clue.cost() * u32::try_from(times.min(255)).unwrap_or(0);
        self.cost += cost;
        if [clues::SWALLOWED_MEMBER, clues::MARKS_AROUND_COMMA, clues::MARKS_AROUND_LINE_BREAK].contains(&clue) {
            self.of_members += cost;
        }
    }

    /// What speaks against an end at this fault, of a string whose content starts at `start` and may swallow members with these colons.
    /// Keys that the contract forbids here are not members, so the content may hold them.
    pub(super) fn cost_at(self, fault: &Fault<'_>, start: usize, colons: &[usize]) -> u32 {
        let holds_no_member = !colons.is_empty()
            && fault.declares_key("").is_some()
            && colons.iter().all(|&colon| {
                let before = fault.at(start + colon).before_while(|char| char != '\n').trim_end();
                let key = before.strip_suffix('"').and_then(|before| before.rsplit_once('"'));
                key.is_some_and(|(_, key)| fault.declares_key(key) == Some(false))
            });
        if holds_no_member { self.cost - self.of_members } else { self.cost }
    }
}
