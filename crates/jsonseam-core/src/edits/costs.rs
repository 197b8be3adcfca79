//! What readings cost: one table, in hundredths. A reading is cheap if few defects explain the text, and likely ones.
//!
//! Only differences matter: between the cheapest reading and the next one that says something else, and between a step and the veto.

use super::risk::Risk;

/// What an edit of this risk costs before any clue.
pub(crate) const fn of_risk(risk: Risk) -> u32 {
    match risk {
        Risk::Certain => 10,
        Risk::Likely => 30,
        Risk::Guess => 70,
        Risk::Lossy => 80,
    }
}

/// A defect that a text has again and again is one habit: each further one costs this share of the one before it, in hundredths.
pub(crate) const REPEATED: u32 = 75;

/// A token on a line of its own that is not indented as its siblings or its opener are.
pub(crate) const LAYOUT: u32 = 90;

/// What lines out of place cost a reading at least, if they cost as much: a bracket further back may put all of them right, but is not free.
pub(crate) const LINES_AT_LEAST: u32 = 120;

/// A key that its object has already.
pub(crate) const REPEATED_KEY: u32 = 100;

/// The same in an object where a key has come twice before: its writer does not mind.
pub(crate) const REPEATED_AGAIN: u32 = 15;

/// A key that the contract does not list, in an object whose keys it lists.
pub(crate) const UNDECLARED_KEY: u32 = 200;

/// A value that cannot fit the contract at its place.
pub(crate) const MISFIT: u32 = 150;

/// A key that the contract requires of an object and that has not come.
pub(crate) const MISSING_KEY: u32 = 100;

/// So many missing keys are charged at most.
const MISSING_KEYS: u32 = 3;

/// What an object costs that lacks so many keys.
pub(crate) fn of_missing_keys(count: usize) -> u32 {
    u32::try_from(count).map_or(MISSING_KEYS, |count| count.min(MISSING_KEYS)) * MISSING_KEY
}

/// A payload that ends where a member seems to follow, …
pub(crate) const TAIL_OF_MEMBERS: u32 = 200;

/// … or on the same line as other text, …
pub(crate) const TAIL_ON_LINE: u32 = 40;

/// … and how much of what follows is looked at, in bytes.
pub(crate) const TAIL: usize = 400;

/// A reading that costs so much more than one that has come further is given up.
pub(crate) const WINDOW: u32 = 300;

/// What speaks against an answer, by its weight in hundredths. A rule charges its offers with clues; it never takes anything off.
///
/// An answer costs 70 or 80 by the risk of its rule; the cheapest reading must lead by 40, and no step may cost more than 350.
///
/// ```
/// use jsonseam_core::Clue;
///
/// /// The word before the mark is in another script.
/// const OTHER_SCRIPT: Clue = Clue::new(60);
/// assert!(OTHER_SCRIPT.cost() > Clue::WEAK.cost());
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Clue(u32);

impl Clue {
    /// It decides only between readings that are otherwise alike.
    pub const WEAK: Self = Self(20);
    /// With nothing else against either, the other reading wins.
    pub const STRONG: Self = Self(90);
    /// Only a reading without any rival may have it.
    pub const DECISIVE: Self = Self(200);

    /// A clue of this weight, in hundredths.
    pub const fn new(cost: u32) -> Self {
        Self(cost)
    }

    /// What the clue costs, in hundredths.
    pub const fn cost(self) -> u32 {
        self.0
    }
}
