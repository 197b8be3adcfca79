//! Which faults a rule can answer, by the next character and the token before: so that most rules are not even asked.
//!
//! Invariant: a rule is asked about no fault outside its key, so its body need not say again what its declaration says.

use super::fault::Fault;
use crate::reading::recognise::TokenKind;

/// What may come next at a fault that a rule answers: a set of ASCII characters, all others together, and the region's end.
///
/// ```
/// use jsonseam_core::{Dispatch, NextSet, PreviousSet, TokenKind};
///
/// // A digit or a sign, after a colon.
/// let next = NextSet::DIGIT.or(NextSet::of("+-"));
/// let dispatch = Dispatch::ANY.before(next).after(PreviousSet::of(TokenKind::Colon));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct NextSet {
    /// One bit for each ASCII character, then one for all others and one for the end.
    bits: [u64; 3],
}

/// Where the bits are of what is not an ASCII character.
const OTHER: u32 = 128;
const END: u32 = 129;

impl NextSet {
    /// Nothing.
    pub const NONE: Self = Self { bits: [0; 3] };
    /// Everything.
    pub const ANY: Self = Self { bits: [u64::MAX; 3] };
    /// `0` to `9`.
    pub const DIGIT: Self = Self::of("0123456789");
    /// `a` to `z` and `A` to `Z`.
    pub const LETTER: Self = Self::of("abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ");
    /// The characters below U+0020.
    pub const CONTROL: Self = Self { bits: [(1 << 0x20) - 1, 0, 0] };
    /// Every character beyond ASCII.
    pub const NON_ASCII: Self = Self::NONE.with(OTHER);
    /// The end of the region.
    pub const END: Self = Self::NONE.with(END);

    const fn with(mut self, bit: u32) -> Self {
        self.bits[bit as usize / 64] |= 1 << (bit % 64);
        self
    }

    const fn holds(&self, bit: u32) -> bool {
        self.bits[bit as usize / 64] >> (bit % 64) & 1 == 1
    }

    /// The characters of `text`; one beyond ASCII stands for all that are.
    pub const fn of(text: &str) -> Self {
        let mut set = Self::NONE;
        let bytes = text.as_bytes();
        let mut index = 0;
        while index < bytes.len() {
            set = set.with(if bytes[index].is_ascii() { bytes[index] as u32 } else { OTHER });
            index += 1;
        }
        set
    }

    /// Both sets together.
    #[must_use]
    pub const fn or(self, other: Self) -> Self {
        let [first, second, third] = self.bits;
        Self { bits: [first | other.bits[0], second | other.bits[1], third | other.bits[2]] }
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
}

/// The faults that a rule can answer, as far as the next character and the token before tell. A rule is not asked about others.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
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
}

/// What keys look at of one fault, found out once for all of them.
#[derive(Clone, Copy)]
pub(crate) struct Place {
    next: u32,
    previous: u16,
}

impl Place {
    pub(crate) fn of(fault: &Fault<'_>) -> Self {
        Self::between(fault.token_kind(0), fault.next_char())
    }

    fn between(previous: Option<TokenKind>, next: Option<char>) -> Self {
        let next = next.map_or(END, |char| if char.is_ascii() { char as u32 } else { OTHER });
        let PreviousSet(previous) = previous.map_or(PreviousSet::NOTHING, PreviousSet::of);
        Self { next, previous }
    }
}

/// Which of several keys hold at a place, without a look at each: most hold at few.
///
/// Of every 64 keys one word says which of them hold before a character, and one which hold after a token.
#[derive(Debug, Clone, Default)]
pub(crate) struct Index {
    blocks: Vec<Block>,
}

#[derive(Debug, Clone)]
struct Block {
    before: [u64; PLACES],
    after: [u64; u16::BITS as usize],
}

/// How many things a key can tell apart of what comes next.
const PLACES: usize = END as usize + 1;

impl Index {
    pub(crate) fn of<'k>(keys: impl Iterator<Item = &'k Dispatch>) -> Self {
        let mut blocks = Vec::new();
        for (nth, key) in keys.enumerate() {
            if nth % 64 == 0 {
                blocks.push(Block { before: [0; PLACES], after: [0; u16::BITS as usize] });
            }
            let Some(Block { before, after }) = blocks.last_mut() else { continue };
            for (next, words) in (0..).zip(before) {
                *words |= u64::from(key.next.holds(next)) << (nth % 64);
            }
            for (previous, words) in after.iter_mut().enumerate() {
                *words |= u64::from(key.previous.0 >> previous & 1) << (nth % 64);
            }
        }
        Self { blocks }
    }

    /// Which keys hold at `place`, in their order.
    #[inline]
    pub(crate) fn at(&self, place: Place) -> impl Iterator<Item = usize> + Clone {
        let previous = place.previous.trailing_zeros() as usize;
        let mut words = self.blocks.iter().map(move |block| block.before[place.next as usize] & block.after[previous]);
        let (mut left, mut first) = (words.next().unwrap_or(0), 0);
        std::iter::from_fn(move || {
            while left == 0 {
                left = words.next()?;
                first += 64;
            }
            let found = first + left.trailing_zeros() as usize;
            left &= left - 1;
            Some(found)
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    impl Place {
        fn is_in(self, key: &Dispatch) -> bool {
            key.previous.0 & self.previous != 0 && key.next.holds(self.next)
        }
    }

    #[test]
    fn a_set_holds_what_it_was_made_of_and_nothing_else() {
        let holds = |next, char| Place::between(None, char).is_in(&Dispatch::ANY.before(next));
        let set = NextSet::of("{é").or(NextSet::END);
        assert!(holds(set, Some('{')) && holds(set, Some('‘')) && holds(set, None));
        assert!(!holds(set, Some('[')) && !holds(NextSet::DIGIT, None) && !holds(NextSet::CONTROL, Some(' ')));
        let set = PreviousSet::of(TokenKind::Comma).or(PreviousSet::NOTHING);
        let holds = |previous| Place::between(previous, None).is_in(&Dispatch::ANY.after(set));
        assert!(holds(Some(TokenKind::Comma)) && holds(None) && !holds(Some(TokenKind::Colon)));
    }

    #[test]
    fn an_index_names_the_keys_that_hold_in_their_order() {
        let digit = Dispatch::ANY.before(NextSet::DIGIT);
        let after_comma = Dispatch::ANY.after(PreviousSet::of(TokenKind::Comma));
        let keys: Vec<_> = (0..200).map(|nth| if nth % 3 == 0 { digit } else { after_comma }).collect();
        let index = Index::of(keys.iter());
        for (previous, next) in
            [(None, Some('1')), (Some(TokenKind::Comma), Some('1')), (Some(TokenKind::Comma), None), (None, Some('ä'))]
        {
            let place = Place::between(previous, next);
            let one_by_one = (0..keys.len()).filter(|&nth| place.is_in(&keys[nth]));
            assert!(index.at(place).eq(one_by_one), "{previous:?} {next:?}");
        }
    }
}
