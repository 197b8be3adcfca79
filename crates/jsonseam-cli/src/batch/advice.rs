//! What would have repaired the first texts that were refused: the smallest preset, and the rules that are off.
//!
//! The texts are kept until the summary is told, so a run explains exactly as many refusals as it shows, and none where no one reads.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::atomic::{AtomicUsize, Ordering};

use crate::console;
use crate::engine::Engine;
use crate::presets::{self, MOST_EXPLAINED};

/// Longest text that is looked at: advice must not take longer than the batch.
const LONGEST: usize = 256 << 10;

/// A text that was refused; nothing of one that is too long to be looked at.
#[derive(Clone, Default, PartialEq, Eq)]
pub(super) struct Refused(Box<str>);

impl fmt::Debug for Refused {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Refused").field("bytes", &self.0.len()).finish()
    }
}

/// What would have helped one text.
#[derive(Debug, Default)]
pub(super) struct Advice {
    /// The smallest preset that repairs it.
    pub(super) preset: Option<String>,
    /// The rules that are off and would have answered its fault.
    pub(super) rules: Vec<String>,
}

/// Says which refusals are kept to be looked at: the first ones, in the order of the lines, whatever the number of threads (SPEC P6).
#[derive(Debug)]
pub(super) struct FirstRefused {
    most: usize,
    /// Refusals that are kept of the lines written so far.
    counted: AtomicUsize,
}

impl FirstRefused {
    /// Keeps as many as are shown: none on a quiet console.
    pub(super) fn new() -> Self {
        Self { most: if console::is_quiet() { 0 } else { MOST_EXPLAINED }, counted: AtomicUsize::new(0) }
    }

    /// This text, if it may be among the first.
    pub(super) fn keep(&self, text: &str) -> Option<Refused> {
        let is_wanted = self.counted.load(Ordering::Relaxed) < self.most;
        is_wanted.then(|| Refused(if text.len() > LONGEST { "" } else { text }.into()))
    }

    /// That so many are kept of the lines written so far.
    pub(super) fn count(&self, kept: usize) {
        self.counted.store(kept, Ordering::Relaxed);
    }
}

impl Refused {
    /// What would have helped this text.
    pub(super) fn advice(&self, engine: &Engine) -> Advice {
        let Self(text) = self;
        let look = || {
            let error = engine.pipeline.repair(text).map(drop).err()?;
            let error = engine.pipeline.explain(&error, text);
            let preset = presets::smallest(&error, text.as_bytes(), engine);
            Some(Advice { preset, rules: error.mended_by().to_vec() })
        };
        // A rule that panics here was asked for advice only: the records are written.
        let looked = if text.is_empty() { None } else { catch_unwind(AssertUnwindSafe(look)).unwrap_or_default() };
        looked.unwrap_or_default()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::batch::tally::Tally;

    #[test]
    fn p6_a_run_keeps_its_first_refusals_alone_whichever_thread_had_them_and_a_quiet_one_keeps_none() {
        let first = FirstRefused { most: MOST_EXPLAINED, counted: AtomicUsize::new(0) };
        let mut whole = Tally::default();
        for chunk in 0..3 {
            let mut tally = Tally::default();
            (0..15).for_each(|line| tally.keep(first.keep(&format!("{chunk}.{line}"))));
            whole.add(&tally);
        }
        let kept: Vec<_> = whole.first_refused.iter().map(|Refused(text)| &**text).collect();
        assert_eq!((kept.len(), kept[0], kept[19]), (MOST_EXPLAINED, "0.0", "1.4"));
        first.count(kept.len());
        assert_eq!(first.keep("x"), None, "no thread copies a text that cannot be among the first");
        let quiet = FirstRefused { most: 0, counted: AtomicUsize::new(0) };
        assert_eq!(quiet.keep("x"), None);
        assert_eq!(format!("{:?}", Refused("canary".into())), "Refused { bytes: 6 }");
    }
}
