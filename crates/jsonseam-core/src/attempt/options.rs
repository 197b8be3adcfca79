//! What is set for one repair, and for all repairs of one pipeline.

use crate::derived::debug_facts;
use crate::engine::Thresholds;
use crate::engine::rules::RuleTable;
use crate::looking::evidence::Evidence;
use crate::reading::limits::Limits;
use crate::reading::wanted::{Policy, Root};
use crate::results::repaired::Repaired;

/// What a pipeline is made of.
pub(crate) struct Settings {
    pub(crate) root: Root,
    pub(crate) policy: Policy,
    pub(crate) max_candidates: usize,
    pub(crate) limits: Limits,
    pub(crate) thresholds: Thresholds,
    pub(crate) rules: RuleTable,
    /// The rules, and after them the known ones that are off, to say which would have helped.
    pub(crate) known: RuleTable,
    /// When a reading by all of them may be the answer.
    pub(crate) known_thresholds: Thresholds,
}

/// Why the model stopped writing, as its interface reports it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FinishReason(String);

impl FinishReason {
    /// Whether the answer was cut off rather than finished.
    ///
    /// ```
    /// use jsonseam_core::FinishReason;
    ///
    /// assert!(FinishReason::from("length").is_cut());
    /// assert!(FinishReason::from("MAX_TOKENS").is_cut());
    /// assert!(!FinishReason::from("stop").is_cut());
    /// ```
    pub fn is_cut(&self) -> bool {
        const CUTS: [&str; 7] = [
            "length",
            "max_tokens",
            "max_output_tokens",
            "model_length",
            "model_context_window_exceeded",
            "content_filter",
            "incomplete",
        ];
        CUTS.iter().any(|cut| self.0.eq_ignore_ascii_case(cut))
    }
}

impl<T: Into<String>> From<T> for FinishReason {
    fn from(reason: T) -> Self {
        Self(reason.into())
    }
}

/// A function that says how well a candidate fits what the caller wants; more is better.
pub type Rank<'r> = &'r dyn Fn(&Repaired<'_>) -> u32;

/// What the caller knows about one completion.
///
/// ```
/// use jsonseam_core::RepairOptions;
///
/// let options = RepairOptions::new().with_finish_reason(Some("length"));
/// assert!(options.finish_reason().is_some_and(|reason| reason.is_cut()));
/// ```
#[derive(Clone, Default)]
pub struct RepairOptions<'r> {
    pub(crate) finish_reason: Option<FinishReason>,
    pub(crate) rank: Option<Rank<'r>>,
    pub(crate) evidence: Option<&'r Evidence>,
}

impl<'r> RepairOptions<'r> {
    /// Nothing is known about the completion.
    pub fn new() -> Self {
        Self::default()
    }

    /// Why the model stopped; `None` if no one says.
    #[must_use]
    pub fn with_finish_reason(mut self, reason: Option<impl Into<FinishReason>>) -> Self {
        self.finish_reason = reason.map(Into::into);
        self
    }

    /// How well a candidate fits, for the policy `best`.
    ///
    /// ```
    /// use jsonseam_core::{Config, Pipeline, RepairOptions, Repaired};
    ///
    /// let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
    /// let longer = |repaired: &Repaired<'_>| u32::try_from(repaired.text().len()).unwrap_or(u32::MAX);
    /// let options = RepairOptions::new().with_rank(Some(&longer));
    /// assert!(pipeline.repair_with("{\"a\": 1}", &options).is_ok());
    /// ```
    #[must_use]
    pub fn with_rank(mut self, rank: Option<Rank<'r>>) -> Self {
        self.rank = rank;
        self
    }

    /// Which keys the contract allows, for rules that choose among readings.
    ///
    /// ```
    /// use jsonseam_core::{Evidence, RepairOptions};
    ///
    /// let evidence = Evidence::new().closed(&[], ["city", "country"]);
    /// let options = RepairOptions::new().with_evidence(Some(&evidence));
    /// ```
    #[must_use]
    pub fn with_evidence(mut self, evidence: Option<&'r Evidence>) -> Self {
        self.evidence = evidence;
        self
    }

    /// Why the model stopped.
    pub fn finish_reason(&self) -> Option<&FinishReason> {
        self.finish_reason.as_ref()
    }
}

debug_facts!(RepairOptions<'_>, |options| finish_reason: options.finish_reason, is_ranked: options.rank.is_some(),
    has_evidence: options.evidence.is_some());
