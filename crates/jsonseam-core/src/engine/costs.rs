//! What readings cost: one table, in hundredths. A reading is cheap if few defects explain the text, and likely ones.
//!
//! Only differences matter: between the cheapest reading and the next one that says something else, and between a step and the veto.

use crate::risk::Risk;

/// What an edit of this risk costs before any clue.
pub(super) const fn of_risk(risk: Risk) -> u32 {
    match risk {
        Risk::Certain => 10,
        Risk::Likely => 30,
        Risk::Guess => 70,
        Risk::Lossy => 80,
    }
}

/// A defect that a text has again and again is one habit: each further one costs this share of the one before it, in hundredths.
pub(super) const REPEATED: u32 = 75;

/// A token on a line of its own that is not indented as its siblings or its opener are.
pub(super) const LAYOUT: u32 = 90;

/// What lines out of place cost a reading at least, if they cost as much: a bracket further back may put all of them right, but is not free.
pub(super) const LINES_AT_LEAST: u32 = 120;

/// A key that its object has already.
pub(super) const REPEATED_KEY: u32 = 100;

/// The same in an object where a key has come twice before: its writer does not mind.
pub(super) const REPEATED_AGAIN: u32 = 15;

/// A key that the contract does not list, in an object whose keys it lists.
pub(super) const UNDECLARED_KEY: u32 = 200;

/// A value that cannot fit the contract at its place.
pub(super) const MISFIT: u32 = 150;

/// A key that the contract requires of an object and that has not come.
pub(super) const MISSING_KEY: u32 = 100;

/// So many missing keys are charged at most.
const MISSING_KEYS: u32 = 3;

/// What an object costs that lacks so many keys.
pub(super) fn of_missing_keys(count: usize) -> u32 {
    u32::try_from(count).map_or(MISSING_KEYS, |count| count.min(MISSING_KEYS)) * MISSING_KEY
}

/// A payload that ends where a member seems to follow, …
pub(super) const TAIL_OF_MEMBERS: u32 = 200;

/// … or on the same line as other text, …
pub(super) const TAIL_ON_LINE: u32 = 40;

/// … and how much of what follows is looked at, in bytes.
pub(super) const TAIL: usize = 400;

/// A reading that costs so much more than one that has come further is given up.
pub(super) const WINDOW: u32 = 300;

/// When a reading may be the answer, in hundredths.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Thresholds {
    /// By how much the cheapest reading must lead the next one with another value.
    pub margin: u32,
    /// The dearest step that the answer may have.
    pub veto: u32,
    /// How many readings are followed at a time, from 1 to 8.
    pub beam: u8,
}

impl Thresholds {
    /// The same with this margin.
    #[must_use]
    pub fn with_margin(self, margin: u32) -> Self {
        Self { margin, ..self }
    }

    /// The same with this veto.
    #[must_use]
    pub fn with_veto(self, veto: u32) -> Self {
        Self { veto, ..self }
    }

    /// The same with this many readings at a time.
    #[must_use]
    pub fn with_beam(self, beam: u8) -> Self {
        Self { beam, ..self }
    }

    /// These costs, and four readings at a time.
    pub const fn new(margin: u32, veto: u32) -> Self {
        Self { margin, veto, beam: 4 }
    }
}

impl Default for Thresholds {
    /// Those of rules without a preset, whatever their risk.
    fn default() -> Self {
        Self::new(40, 350)
    }
}

/// The largest margin and veto that can be configured, in hundredths.
pub(crate) const MAX_COST: u32 = 100_000;

/// The most readings that can be followed at a time.
pub(crate) const MAX_BEAM: u8 = 8;

/// What `[search]` sets.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct SearchSettings {
    pub(crate) margin: Option<u32>,
    pub(crate) veto: Option<u32>,
    pub(crate) beam: Option<u8>,
}

impl SearchSettings {
    /// These settings, and those of `preset` for what is not set.
    pub(crate) fn over(self, preset: Thresholds) -> Thresholds {
        Thresholds {
            margin: self.margin.unwrap_or(preset.margin),
            veto: self.veto.unwrap_or(preset.veto),
            beam: self.beam.unwrap_or(preset.beam).clamp(1, MAX_BEAM),
        }
    }
}

impl From<Thresholds> for SearchSettings {
    fn from(Thresholds { margin, veto, beam }: Thresholds) -> Self {
        Self { margin: Some(margin), veto: Some(veto), beam: Some(beam) }
    }
}

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
