//! Counting what a repair costs, so that "linear" is a fact and not a hope.

use std::ops::AddAssign;

use serde::Serialize;

/// What a repair cost, in counted units. Clocks lie on busy machines; these counts are the same everywhere.
///
/// The law (DESIGN 3): the [`total`](Self::total) stays at or below `16 · n + 65,536`,
/// where `n` counts the bytes of the completion and those that edits inserted.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Work {
    /// Bytes the recogniser, the judge and the writer passed over, every time that counts: what is remembered counts again where it is used, and what
    /// is looked at in vain, at most once for each byte, does not.
    pub steps: u64,
    /// Bytes that questions of rules and locators read, in either direction. Where a region is only asked whether it may hold a text or a fence, eight
    /// count as one.
    pub examined: u64,
    /// Journal entries that moved to make room for an edit.
    pub moves: u64,
    /// Bytes of replacements. At most `6 · n + 65,536`: the longest escape of one byte is six.
    pub inserted: u64,
    /// Steps that the bounds reckon with and that were not made, since something had been read before: no decision depends on that.
    #[serde(skip)]
    pub(crate) unmade: u64,
}

/// What a text of any size may cost.
const FLOOR: u64 = 64 << 10;

impl Work {
    /// All units of work added up. What was inserted is a size, not work.
    pub const fn total(&self) -> u64 {
        self.steps + self.examined + self.moves
    }

    /// The most that may be spent on a completion of `len` bytes with these insertions.
    ///
    /// ```
    /// use jsonseam_core::Work;
    ///
    /// assert_eq!(Work::default().bound(1_000), 16 * 1_000 + 65_536);
    /// ```
    pub const fn bound(&self, len: usize) -> u64 {
        16 * (len as u64 + self.inserted) + FLOOR
    }

    /// Whether the law holds for a completion of `len` bytes.
    pub const fn is_linear(&self, len: usize) -> bool {
        self.total() <= self.bound(len) && self.inserted <= 6 * len as u64 + FLOOR
    }
}

impl Work {
    /// Whether one more reading of a completion of `len` bytes stays within the law.
    /// Where there may be further payloads, room is kept for the search for them.
    pub(crate) const fn has_room(&self, len: usize, is_alone: bool) -> bool {
        let (share, floor) = if is_alone { (12, FLOOR / 4 * 3) } else { (8, FLOOR / 3) };
        self.total() <= share * len as u64 + floor
    }

    /// Whether one more rule may be asked: its answer may read much, and what was spent must stay within the law.
    pub(crate) const fn has_room_to_ask(&self, len: usize) -> bool {
        self.total() <= 14 * len as u64 + FLOOR / 5 * 4
    }

    /// How many units are left to a completion of `len` bytes before nothing far is looked at any more.
    pub(crate) fn room(&self, len: usize) -> usize {
        let all = 10 * len as u64 + FLOOR / 2;
        usize::try_from(all.saturating_sub(self.total())).unwrap_or(usize::MAX)
    }

    /// What was spent since so much had been.
    pub(crate) const fn since(self, before: Self) -> Self {
        Self {
            steps: self.steps.saturating_sub(before.steps),
            examined: self.examined.saturating_sub(before.examined),
            moves: self.moves.saturating_sub(before.moves),
            inserted: self.inserted.saturating_sub(before.inserted),
            unmade: self.unmade.saturating_sub(before.unmade),
        }
    }

    /// What was done, without the steps that were not made.
    pub(crate) const fn made(self) -> Self {
        Self { steps: self.steps.saturating_sub(self.unmade), unmade: 0, ..self }
    }

    /// The same with so many more bytes examined.
    pub(crate) const fn and_examined(mut self, bytes: u64) -> Self {
        self.examined += bytes;
        self
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.steps += other.steps;
        self.examined += other.examined;
        self.moves += other.moves;
        self.inserted += other.inserted;
        self.unmade += other.unmade;
    }
}
