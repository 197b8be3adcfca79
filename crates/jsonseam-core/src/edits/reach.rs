//! How far back the edits of a rule may start: what a stream may settle while more text comes.

use crate::reading::token::REACH;

/// The most tokens that an edit may reach back.
#[allow(clippy::cast_possible_truncation, reason = "it is a small number")]
const MOST: u8 = REACH as u8;

/// How far back before its fault an edit of a rule may start. A stream holds back what an enabled rule could still reach.
///
/// Declared with a rule (`reaches` in [`rule!`](crate::rule!)), and held by the engine: an edit that starts further back is not made.
/// A rule that declares none may reach four tokens and into the open string.
///
/// ```
/// use jsonseam_core::Reach;
///
/// let reach = Reach::tokens(2).or(Reach::SUSPECTS);
/// assert_eq!(reach.to_string(), "2 tokens, suspects");
/// ```
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Reach {
    tokens: u8,
    tokens_after_mark: u8,
    /// What of the nearest token, as [`Start::last`] has it.
    last: u8,
    string: Within,
    /// Whether an edit may start at a suspect, …
    pub(crate) has_suspects: bool,
    /// … take away the member that the end of the text cuts, …
    pub(crate) has_cut: bool,
    /// … or double an escape when all was read.
    pub(crate) has_escapes: bool,
}

/// How far into a string.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord)]
enum Within {
    /// Not before what was read of it, …
    #[default]
    Nowhere,
    /// … to the blanks and the comma that end what was read, …
    Tail,
    /// … or anywhere.
    Anywhere,
}

/// Where an edit starts, seen from its fault.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub(crate) struct Start {
    /// How many tokens back. An open string, number or word does not count.
    pub(crate) tokens: u8,
    /// Of one token, whether that is a comma, or the closing quote of a string: [`COMMA`], [`QUOTE`], or neither.
    pub(crate) last: u8,
    /// What of a string was read after that.
    string: Within,
}

impl Start {
    /// Notes that it is before this part of the content of a string.
    pub(crate) fn note_string(&mut self, content: &str) {
        let is_tail = tail_len(content) == content.len();
        self.string = self.string.max(if is_tail { Within::Tail } else { Within::Anywhere });
    }
}

pub(crate) const COMMA: u8 = 1;
pub(crate) const QUOTE: u8 = 2;

impl Reach {
    /// Not before the nearest token ends.
    pub const FAULT: Self = Self {
        tokens: 0,
        tokens_after_mark: 0,
        last: 0,
        string: Within::Nowhere,
        has_suspects: false,
        has_cut: false,
        has_escapes: false,
    };
    /// To the nearest token if that is a comma.
    pub const LAST_COMMA: Self = Self { last: COMMA, ..Self::FAULT };
    /// To the quote that closes the string which is the nearest token, or to that string if it is empty.
    pub const LAST_QUOTE: Self = Self { last: QUOTE, ..Self::FAULT };
    /// To the blanks and the comma that end what was read of a string.
    pub const STRING_TAIL: Self = Self { string: Within::Tail, ..Self::FAULT };
    /// Anywhere in a string that is open or among the tokens in reach.
    pub const OPEN_STRING: Self = Self { string: Within::Anywhere, ..Self::FAULT };
    /// Any [`Suspect`](crate::Suspect), however far back.
    pub const SUSPECTS: Self = Self { has_suspects: true, ..Self::FAULT };
    /// The member that the end of the text cuts, with the edits in it: a removal from its comma to the end.
    pub const CUT: Self = Self { has_cut: true, ..Self::FAULT };
    /// Any escape of the payload, when it was read to its end: for a rule that [doubles](crate::Review::Double).
    pub const ESCAPES: Self = Self { has_escapes: true, ..Self::FAULT };
    /// Four tokens, and the open string: what a rule reaches that declares nothing.
    pub const UNDECLARED: Self = Self::tokens(MOST).or(Self::OPEN_STRING);

    /// The start of so many tokens back, 4 at most.
    pub const fn tokens(count: u8) -> Self {
        let tokens = if count > MOST { MOST } else { count };
        Self { tokens, ..Self::FAULT }
    }

    /// The same, and anywhere in a string among them, after a back-tick.
    pub const fn tokens_after_mark(count: u8) -> Self {
        Self { tokens_after_mark: Self::tokens(count).tokens, ..Self::FAULT }
    }

    /// Both.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        const fn most(one: u8, other: u8) -> u8 {
            if one > other { one } else { other }
        }
        let string = if self.string as u8 > other.string as u8 { self.string } else { other.string };
        Self {
            tokens: most(self.tokens, other.tokens),
            tokens_after_mark: most(self.tokens_after_mark, other.tokens_after_mark),
            last: self.last | other.last,
            string,
            has_suspects: self.has_suspects || other.has_suspects,
            has_cut: self.has_cut || other.has_cut,
            has_escapes: self.has_escapes || other.has_escapes,
        }
    }

    /// Whether an edit may start there.
    pub(crate) fn holds(self, start: Start, has_mark: impl FnOnce() -> bool) -> bool {
        let is_near = (start.tokens <= self.tokens || start.last & self.last != 0) && start.string <= self.string;
        is_near || self.tokens_after_mark > 0 && start.tokens <= self.tokens_after_mark && has_mark()
    }

    /// Whether an edit may start at a comma that is the nearest token, or at the closing quote of a string.
    pub(crate) fn has_last(self, last: u8) -> bool {
        self.last & last != 0
    }

    /// How many tokens back an edit may start, where a back-tick is among them and where none is.
    pub(crate) fn token_count(self, has_mark: bool) -> usize {
        usize::from(if has_mark { self.tokens.max(self.tokens_after_mark) } else { self.tokens })
    }

    /// Up to where an open string may be settled of which was read up to `pos`; `solid` ends what is neither blank nor comma. `None` if nothing of it may.
    pub(crate) fn bound_in_string(self, pos: usize, solid: usize, has_mark: bool) -> Option<usize> {
        match self.string {
            Within::Anywhere => None,
            _ if has_mark && self.tokens_after_mark > 0 => None,
            Within::Tail => Some(pos.min(solid)),
            Within::Nowhere => Some(pos),
        }
    }
}

/// How long the blanks and the one comma are that end a text.
fn tail_len(text: &str) -> usize {
    let rest = text.trim_end();
    let rest = rest.strip_suffix(',').map_or(rest, str::trim_end);
    text.len() - rest.len()
}

impl std::fmt::Display for Reach {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let named = |is_part: bool, text: &str| is_part.then(|| text.to_owned());
        let tokens = if self.tokens == 1 { "token" } else { "tokens" };
        let parts = [
            (self.tokens > 0).then(|| format!("{} {tokens}", self.tokens)),
            named(self.tokens == 0 && self.has_last(COMMA), "a comma before it"),
            named(self.tokens == 0 && self.has_last(QUOTE), "the end of a string before it"),
            (self.tokens_after_mark > 0).then(|| format!("{} tokens after a back-tick", self.tokens_after_mark)),
            named(self.string == Within::Tail, "the end of an open string"),
            named(self.string == Within::Anywhere, "a string"),
            named(self.has_suspects, "suspects"),
            named(self.has_cut, "the member that the end cuts"),
            named(self.has_escapes, "escapes"),
            named(*self == Self::FAULT, "the fault"),
        ];
        let parts: Vec<String> = parts.into_iter().flatten().collect();
        formatter.write_str(&parts.join(", "))
    }
}
