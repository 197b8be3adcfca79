//! Which faults a rule can answer, by the next character and the token before: so that most rules are not even asked.
//!
//! Invariant: a rule declines every fault outside its key. The testkit runs each rule without the filter, and holds it to that.

use crate::fault::Fault;
use crate::recognise::TokenKind;

/// What may come next at a fault that a rule answers: a set of ASCII characters, all others together, and the region's end.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextSet {
    ascii: u128,
    other: bool,
    end: bool,
}

impl NextSet {
    /// Nothing.
    pub const NONE: Self = Self { ascii: 0, other: false, end: false };
    /// Everything.
    pub const ANY: Self = Self { ascii: u128::MAX, other: true, end: true };
    /// `0` to `9`.
    pub const DIGIT: Self = Self::of("0123456789");
    /// `a` to `z` and `A` to `Z`.
    pub const LETTER: Self = Self::of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    /// The characters below U+0020.
    pub const CONTROL: Self = Self { ascii: (1 << 0x20) - 1, ..Self::NONE };
    /// Every character beyond ASCII.
    pub const NON_ASCII: Self = Self { other: true, ..Self::NONE };
    /// The end of the region.
    pub const END: Self = Self { end: true, ..Self::NONE };

    /// The characters of `text`; one beyond ASCII stands for all that are.
    pub const fn of(text: &str) -> Self {
        let mut set = Self::NONE;
        let bytes = text.as_bytes();
        let mut index = 0;
        while index < bytes.len() {
            if bytes[index].is_ascii() {
                set.ascii |= 1 << bytes[index];
            } else {
                set.other = true;
            }
            index += 1;
        }
        set
    }

    /// Both sets together.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self { ascii: self.ascii | other.ascii, other: self.other || other.other, end: self.end || other.end }
    }

    const fn holds(self, next: Option<char>) -> bool {
        match next {
            None => self.end,
            Some(char) if char.is_ascii() => self.ascii >> (char as u32) & 1 == 1,
            Some(_) => self.other,
        }
    }
}

/// What the nearest token before a fault may be that a rule answers.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct PreviousSet(u16);

impl PreviousSet {
    /// No token.
    pub const NONE: Self = Self(0);
    /// Any token, and none at all.
    pub const ANY: Self = Self(u16::MAX);
    /// No token: the fault is the first thing in the payload.
    pub const NOTHING: Self = Self(1 << 15);

    /// Tokens of this kind.
    pub const fn of(kind: TokenKind) -> Self {
        Self(1 << kind as u16)
    }

    /// Both sets together.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        Self(self.0 | other.0)
    }

    const fn holds(self, previous: Option<TokenKind>) -> bool {
        let set = match previous {
            Some(kind) => Self::of(kind),
            None => Self::NOTHING,
        };
        self.0 & set.0 != 0
    }
}

/// The faults that a rule can answer, as far as the next character and the token before tell. A rule is not asked about others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Dispatch {
    /// What may come next.
    pub next: NextSet,
    /// What may come before.
    pub previous: PreviousSet,
}

impl Dispatch {
    /// Every fault.
    pub const ANY: Self = Self { next: NextSet::ANY, previous: PreviousSet::ANY };

    /// The same, but only before what is in `next`.
    #[must_use]
    pub const fn before(self, next: NextSet) -> Self {
        Self { next, ..self }
    }

    /// The same, but only after what is in `previous`.
    #[must_use]
    pub const fn after(self, previous: PreviousSet) -> Self {
        Self { previous, ..self }
    }

    /// Whether a rule with this key is asked about `fault`.
    pub fn holds(&self, fault: &Fault<'_>) -> bool {
        self.holds_at(fault.next_char(), fault.previous_kind())
    }

    pub(crate) const fn holds_at(&self, next: Option<char>, previous: Option<TokenKind>) -> bool {
        self.next.holds(next) && self.previous.holds(previous)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_set_holds_what_it_was_made_of_and_nothing_else() {
        let set = NextSet::of("{é").or(NextSet::END);
        assert!(set.holds(Some('{')) && set.holds(Some('‘')) && set.holds(None));
        assert!(!set.holds(Some('[')) && !NextSet::DIGIT.holds(None) && !NextSet::CONTROL.holds(Some(' ')));
        let set = PreviousSet::of(TokenKind::Comma).or(PreviousSet::NOTHING);
        assert!(set.holds(Some(TokenKind::Comma)) && set.holds(None) && !set.holds(Some(TokenKind::Colon)));
    }
}
