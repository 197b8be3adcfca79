//! When the cheapest reading may be the answer.

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
