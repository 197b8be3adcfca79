//! What would have repaired the texts that were refused: the next preset, and the rules that are off.

use std::sync::atomic::{AtomicU64, Ordering};

use jsonseam::{Pipeline, RepairOptions};

use crate::engine::Engine;

/// Refusals that are looked at, counted from the first (SPEC P6).
pub(super) const MOST_REFUSALS: u64 = 1_000;

/// Longest text that is looked at: advice must not take longer than the batch.
const LONGEST: usize = 256 << 10;

/// What would have helped one text.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Advice {
    /// The smallest preset that repairs it.
    pub(super) preset: Option<String>,
    /// The rules that are off and would have answered its fault.
    pub(super) rules: Vec<String>,
}

/// Looks at refusals until enough have been counted.
#[derive(Debug)]
pub(super) struct Adviser {
    pipeline: Pipeline,
    presets: Vec<(String, Pipeline)>,
    /// Refusals that are written, in the order of the lines.
    counted: AtomicU64,
}

impl Adviser {
    /// An adviser over the presets that this engine could take.
    pub(super) fn new(engine: &Engine) -> anyhow::Result<Self> {
        let catalogue = jsonseam::catalogue()?;
        let mut presets = Vec::new();
        for preset in catalogue.presets() {
            let config = engine.config.clone().with_preset(&preset.name);
            // A preset that contradicts the flags is not advice.
            presets.extend(Pipeline::new(&config, &catalogue).ok().map(|pipeline| (preset.name.clone(), pipeline)));
        }
        Ok(Self { pipeline: engine.pipeline.clone(), presets, counted: AtomicU64::new(0) })
    }

    /// What would help this text. Past the first refusals nothing is looked at: their order is that of the lines,
    /// so the summary does not depend on the number of threads.
    pub(super) fn advice(&self, text: &str) -> Option<Advice> {
        if self.counted.load(Ordering::Relaxed) >= MOST_REFUSALS {
            return None;
        }
        if text.len() > LONGEST {
            return Some(Advice::default());
        }
        let rules = self.pipeline.repair(text).err().map(|error| error.mended_by().to_vec()).unwrap_or_default();
        let quiet = RepairOptions::new().with_mended_by(false);
        let repairs = |pipeline: &Pipeline| pipeline.repair_with(text, &quiet).is_ok();
        let preset = self.presets.iter().find(|(_, pipeline)| repairs(pipeline)).map(|(name, _)| name.clone());
        Some(Advice { preset, rules })
    }

    /// That so many refusals are written.
    pub(super) fn count(&self, refusals: u64) {
        self.counted.store(refusals, Ordering::Relaxed);
    }
}
