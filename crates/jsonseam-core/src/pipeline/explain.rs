//! Which rules that are off would have helped: found by those who hold the text, when they ask (SPEC P6).

use std::sync::Arc;

use super::Pipeline;
use crate::attempt::explain::explain;
use crate::attempt::options::{RepairOptions, Settings};
use crate::engine::rules::RuleTable;
use crate::results::error::Error;
use crate::results::reason::Reason;

impl Pipeline {
    /// The same pipeline with every known rule on, whatever its risk: to see what they would make of a text, not to repair with.
    ///
    /// ```
    /// use jsonseam_core::{Catalogue, Config, Pipeline};
    ///
    /// let catalogue = Catalogue::new(Vec::new(), &[])?;
    /// let strict = Pipeline::new(&Config::default(), &catalogue)?;
    /// assert!(strict.with_known_rules().rules().count() >= strict.rules().count());
    /// # Ok::<(), jsonseam_core::ConfigError>(())
    /// ```
    #[must_use]
    pub fn with_known_rules(&self) -> Self {
        let own = &*self.0;
        if own.known.infos.is_empty() {
            return self.clone();
        }
        Self(Arc::new(Settings {
            rules: own.known.clone(),
            thresholds: own.known_thresholds,
            known: RuleTable::default(),
            ..*own
        }))
    }

    /// The same refusal of `completion`, with [`mended_by`](Error::mended_by) and [`repaired_with`](Error::repaired_with) filled:
    /// the known rules that are off and would have helped.
    ///
    /// Costs less than a repair with all known rules and a second refusal together, and one more refusal for each locator that is off and finds a payload elsewhere;
    /// so time and memory are linear in the completion. The error of another completion, or of another pipeline, gets no names.
    ///
    /// ```
    /// use jsonseam_core::{Catalogue, Config, Edits, Fault, Pipeline, Proposals, RepairRule, rule};
    ///
    /// # rule! {
    /// #     /// Reads `=>` as a colon.
    /// #     pub struct FatArrow { name: "acme/fat-arrow", risk: Likely, answers: [Colon], cases: "../../tests/fat_arrow.toml", }
    /// # }
    /// # impl RepairRule for FatArrow {
    /// #     fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
    /// #         to.only(fault.ahead().starts_with("=>").then(|| fault.replace_ahead(2, ":")));
    /// #     }
    /// # }
    /// // The rule is known, and no preset enables it.
    /// let catalogue = Catalogue::new(vec![FatArrow::REGISTRATION], &[])?;
    /// let pipeline = Pipeline::new(&Config::default(), &catalogue)?;
    /// let completion = "{\"a\" => 1}";
    /// let refusal = pipeline.repair(completion).unwrap_err();
    /// assert!(!refusal.is_explained());
    ///
    /// let explained = pipeline.explain(&refusal, completion);
    /// assert_eq!(explained.mended_by(), ["acme/fat-arrow"]);
    /// assert!(explained.to_string().ends_with("; would be repaired by acme/fat-arrow"));
    /// # Ok::<(), jsonseam_core::ConfigError>(())
    /// ```
    #[must_use = "the error that is given stays as it is"]
    pub fn explain(&self, error: &Error, completion: &str) -> Error {
        self.explain_with(error, completion, &RepairOptions::default())
    }

    /// Like [`explain`](Self::explain), of a refusal by [`repair_with`](Self::repair_with) with these options.
    #[must_use = "the error that is given stays as it is"]
    pub fn explain_with(&self, error: &Error, completion: &str, options: &RepairOptions<'_>) -> Error {
        let error = error.clone();
        match error.reason() {
            // More rules do not decide between two readings, and neither move a bound nor change an encoding.
            Reason::AmbiguousRepair | Reason::LimitExceeded | Reason::InvalidUtf8 | Reason::NotRepresentable => {
                error.helped_by(Vec::new(), Vec::new(), None)
            }
            _ => explain(&self.0, error, completion, options),
        }
    }
}
