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

    /// Those of a preset. `strict` and `standard` hold rules of low risk alone, so nothing dear may win there.
    pub(crate) fn of_preset(name: &str) -> Self {
        match name {
            "strict" | "standard" => Self { margin: 50, veto: 200, beam: 4 },
            _ => Self::default(),
        }
    }
}

impl Default for Thresholds {
    /// Those of `lenient`.
    fn default() -> Self {
        Self { margin: 40, veto: 350, beam: 4 }
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

/// What speaks against an answer, or for another one. A rule charges its offers with clues; it never takes anything off.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Clue {
    /// A bracket is wrong, missing or too many.
    Bracket,
    /// A second bracket is wrong beside it.
    SecondBracket,
    /// One more closer is missing in the same place.
    FurtherBracket,
    /// More than the innermost container is closed.
    FarBracket,
    /// An opener is missing: a model rarely forgets what it is about to write.
    Opener,
    /// A closer came before its time.
    EarlyCloser,
    /// A comma is missing between two values on one line.
    CommaOnLine,
    /// A string lacks its closing mark.
    NoEndMark,
    /// A string lacks its closing mark in the middle of a line.
    NoEndMarkOnLine,
    /// A string without a closing mark would hold more openers than closers, or end in a line that begins with a closer.
    OpenBracketsInText,
    /// A closer that ends a line would be text.
    CloserInText,
    /// A key would hold a comma or a line break.
    StructureInKey,
    /// A key would hold quotes.
    QuotesInKey,
    /// A string has two defects: inner marks, and no closing one.
    SecondDefect,
    /// The marks inside a string are pairs.
    EvenMarks,
    /// One of a pair faces the wrong way.
    MarkFacesWord,
    /// One of a pair is before a colon or a closer.
    MarkBeforeStructure,
    /// The only mark inside follows a digit: inches.
    InchMark,
    /// The marks inside a string are not pairs.
    OddMarks,
    /// A mark inside a string.
    InnerMark,
    /// A string spans lines.
    RawLines,
    /// A string would swallow a member.
    SwallowedMember,
    /// A text without an opening mark holds commas, colons or brackets.
    StructureInText,
    /// What is between two marks inside a string begins and ends with a comma.
    MarksAroundComma,
    /// What is between them is a comma and a line break.
    MarksAroundLineBreak,
    /// Containers are open where the region ends.
    Unclosed,
    /// Closers follow the root.
    Surplus,
    /// Words are dropped.
    DroppedText,
    /// A value is invented.
    Invented,
    /// A key would be a piece of a sentence.
    SentenceAsKey,
}

impl Clue {
    /// What the clue costs, in hundredths.
    #[expect(clippy::match_same_arms, reason = "a table: what costs the same today is another number tomorrow")]
    pub const fn cost(self) -> u32 {
        match self {
            Self::Bracket => 90,
            Self::SecondBracket => 20,
            Self::FurtherBracket => 30,
            Self::FarBracket => 50,
            Self::Opener => 60,
            Self::EarlyCloser => 60,
            Self::CommaOnLine => 60,
            Self::NoEndMark => 80,
            Self::NoEndMarkOnLine => 30,
            Self::OpenBracketsInText => 80,
            Self::CloserInText => 20,
            Self::StructureInKey => 100,
            Self::QuotesInKey => 200,
            Self::SecondDefect => 70,
            Self::EvenMarks => 20,
            Self::MarkFacesWord => 20,
            Self::MarkBeforeStructure => 25,
            Self::InchMark => 60,
            Self::OddMarks => 140,
            Self::InnerMark => 3,
            Self::RawLines => 30,
            Self::SwallowedMember => 120,
            Self::StructureInText => 50,
            Self::MarksAroundComma => 100,
            Self::MarksAroundLineBreak => 40,
            Self::Unclosed => 70,
            Self::Surplus => 90,
            Self::DroppedText => 180,
            Self::Invented => 60,
            Self::SentenceAsKey => 150,
        }
    }
}
