//! Counting what a repair costs, so that "linear" is a fact and not a hope.

use std::ops::AddAssign;

use serde::Serialize;

/// What a repair cost, in counted units. Clocks lie on busy machines; these counts are the same everywhere.
///
/// The law (DESIGN 3): the total stays at or below `16 · n + 65,536` for a completion of `n` bytes.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize)]
pub struct Work {
    /// Bytes the recogniser, the judge and the writer passed over, every time they did.
    pub steps: u64,
    /// Bytes that questions of rules and locators read, in either direction.
    pub examined: u64,
    /// Journal entries that moved or were passed over to make room for an edit.
    pub moves: u64,
}

impl Work {
    /// Everything added up.
    pub const fn total(&self) -> u64 {
        self.steps + self.examined + self.moves
    }

    /// The most a completion of `len` bytes may cost.
    pub const fn bound(len: usize) -> u64 {
        16 * len as u64 + (64 << 10)
    }
}

impl AddAssign for Work {
    fn add_assign(&mut self, other: Self) {
        self.steps += other.steps;
        self.examined += other.examined;
        self.moves += other.moves;
    }
}
