//! The adapter: a contract and a pipeline, ready for any number of completions.

use std::borrow::Cow;
use std::cell::Cell;
use std::fmt;
use std::sync::Arc;

use jsonseam_core::{FinishReason, Pipeline, Policy, Position, RepairOptions, Repaired};
use jsonseam_schema::{Cast, CastKind};

use crate::builder::AdapterBuilder;
use crate::contract::Contract;
use crate::error::Error;
use crate::field::Judged;
use crate::items::{Incomplete, without_incomplete};
use crate::judge::{Failed, judge};
use crate::objection::Validator;
use crate::outputs::Outputs;

/// Takes completions and gives the declared outputs, or one error.
///
/// Cheap to clone and free to share between threads; the contract is compiled once, when it is built.
#[derive(Clone)]
pub struct Adapter {
    pub(crate) contract: Arc<Contract>,
    pub(crate) validators: Arc<[Validator]>,
    pub(crate) pipeline: Pipeline,
    pub(crate) policy: Policy,
    /// Whether the caller chose the policy.
    #[cfg(feature = "stream")]
    pub(crate) names_policy: bool,
}

/// So many candidates may use up the budget of a check before no further one is judged.
const PATIENCE: u32 = 2;

/// What the caller knows about one completion.
///
/// ```
/// use jsonseam_adapter::ParseOptions;
///
/// let options = ParseOptions::new().with_finish_reason(Some("stop"));
/// assert!(!options.finish_reason().is_some_and(|reason| reason.is_cut()));
/// ```
#[derive(Debug, Clone, Default)]
pub struct ParseOptions {
    finish_reason: Option<FinishReason>,
}

impl ParseOptions {
    /// Nothing is known about the completion.
    pub fn new() -> Self {
        Self::default()
    }

    /// Why the model stopped: a reason such as `length` marks the result as truncated (SPEC B3).
    #[must_use]
    pub fn with_finish_reason(mut self, reason: Option<impl Into<FinishReason>>) -> Self {
        self.finish_reason = reason.map(Into::into);
        self
    }

    /// Why the model stopped.
    pub fn finish_reason(&self) -> Option<&FinishReason> {
        self.finish_reason.as_ref()
    }
}

impl Adapter {
    /// A builder without any rule: it takes valid JSON alone, until it gets a catalogue or a pipeline.
    ///
    /// `jsonseam::adapter()` is this builder with the built-in rules.
    pub fn builder() -> AdapterBuilder {
        AdapterBuilder::new()
    }

    /// The contract.
    pub fn contract(&self) -> &Contract {
        &self.contract
    }

    /// The pipeline that repairs the completions.
    pub fn pipeline(&self) -> &Pipeline {
        &self.pipeline
    }

    /// Which payload is taken when a completion holds several.
    pub fn policy(&self) -> Policy {
        self.policy
    }

    /// The outputs of `completion`.
    ///
    /// The error is the first that applies of: the completion does not decode, its keys are not the declared ones, fields do not fit (SPEC K5).
    pub fn parse(&self, completion: &str) -> Result<Outputs, Error> {
        self.parse_with(completion, &ParseOptions::default())
    }

    /// Like [`parse`](Self::parse), with what the caller knows about this completion.
    ///
    /// ```
    /// use jsonseam_adapter::{Adapter, ParseOptions};
    ///
    /// let adapter = Adapter::builder().output("answer").build()?;
    /// let cut = ParseOptions::new().with_finish_reason(Some("length"));
    /// let error = adapter.parse_with(r#"{"answer": 42}"#, &cut).unwrap_err();
    /// assert_eq!((error.code().as_str(), error.reason().as_str()), ("output_decode_failed", "truncated"));
    /// # Ok::<(), jsonseam_adapter::Error>(())
    /// ```
    pub fn parse_with(&self, completion: &str, options: &ParseOptions) -> Result<Outputs, Error> {
        let repaired = self.repair(options, |options| self.pipeline.repair_with(completion, options))?;
        self.accept(repaired, || Position::of(completion.len(), completion))
    }

    /// Like [`parse_with`](Self::parse_with), for bytes that may not be UTF-8.
    pub fn parse_bytes(&self, completion: &[u8], options: &ParseOptions) -> Result<Outputs, Error> {
        let repaired = self.repair(options, |options| self.pipeline.repair_bytes(completion, options))?;
        // It was UTF-8, or there would be no repair.
        self.accept(repaired, || Position::of(completion.len(), std::str::from_utf8(completion).unwrap_or_default()))
    }

    /// The same error about `completion`, with [`mended_by`](Error::mended_by) and [`repaired_with`](Error::repaired_with) filled
    /// if the engine refused it: the known rules that are off and would have helped. Any other error is given back as it is.
    ///
    /// Costs what [`Pipeline::explain`] does. The error of another completion, or of another adapter, gets no names.
    ///
    /// ```
    /// use jsonseam_adapter::Adapter;
    ///
    /// let adapter = Adapter::builder().output("answer").build()?;
    /// let completion = r#"{"answer": 42"#;
    /// let error = adapter.parse(completion).unwrap_err();
    /// // This adapter knows no rules at all; that of `jsonseam::adapter()` would name `unclosed-container`.
    /// assert!(adapter.explain(&error, completion).mended_by().is_empty());
    /// # Ok::<(), jsonseam_adapter::Error>(())
    /// ```
    #[must_use = "the error that is given stays as it is"]
    pub fn explain(&self, error: &Error, completion: &str) -> Error {
        error.explained(|refusal| {
            self.with_options(None, |options| self.pipeline.explain_with(refusal, completion, options))
        })
    }

    fn repair<'a>(
        &self,
        options: &ParseOptions,
        repair: impl FnOnce(&RepairOptions<'_>) -> Result<Repaired<'a>, jsonseam_core::Error>,
    ) -> Result<Repaired<'a>, Error> {
        Ok(self.with_options(options.finish_reason.clone(), repair)?)
    }

    /// What the engine knows of every completion.
    fn with_options<T>(&self, finish_reason: Option<FinishReason>, ask: impl FnOnce(&RepairOptions<'_>) -> T) -> T {
        let patience = Cell::new(PATIENCE);
        let rank = |repaired: &Repaired<'_>| self.fitness(repaired, &patience);
        let options = RepairOptions::new()
            .with_finish_reason(finish_reason)
            .with_rank(if self.policy == Policy::Best { Some(&rank) } else { None })
            .with_evidence(Some(&self.contract.evidence).filter(|evidence| !evidence.is_empty()));
        ask(&options)
    }

    /// How well a candidate fits: not at all, without a declared output, or with at least one (SPEC B4, L1).
    ///
    /// Of two that fit alike, one that only a cast between a value and a list made fit counts less: such a cast fits any of several payloads.
    /// When so many have used up the budget of their check that this must be meant, the others are not judged and do not fit.
    fn fitness(&self, repaired: &Repaired<'_>, patience: &Cell<u32>) -> u32 {
        if patience.get() == 0 {
            return 0;
        }
        match self.judged(repaired) {
            (_, true) => 0,
            (Ok(judged), _) => {
                let is_list = |cast: &Cast| matches!(cast.kind(), CastKind::ToList | CastKind::FromList);
                let fit = 1 + u32::from(!judged.fields.is_empty());
                2 * fit - u32::from(judged.casts.iter().any(is_list))
            }
            (Err(failed), _) => {
                patience.set(patience.get() - u32::from(failed.error.is_out_of_budget()));
                0
            }
        }
    }

    /// What the contract makes of a repair, and whether it is refused because it was cut off.
    fn judged(&self, repaired: &Repaired<'_>) -> (Result<Judged, Box<Failed>>, bool) {
        let policy = self.contract.incomplete;
        let left = if repaired.is_truncated() { without_incomplete(repaired, policy) } else { None };
        let is_cut = repaired.is_truncated() && policy != Incomplete::Keep && left.is_none();
        let (text, dropped) = left.unwrap_or((Cow::Borrowed(repaired.text()), None));
        let mut judged = judge(&self.contract, &text);
        if let Cow::Owned(text) = text {
            let own = judged.as_mut().unwrap_or_else(|failed| &mut failed.partial);
            let envelope = own.casts.first().filter(|cast| cast.kind() == CastKind::Envelope).map(Cast::path);
            let dropped = dropped.map(|item| item.seen_from(envelope.unwrap_or_default()));
            own.dropped.splice(..0, dropped);
            own.text.get_or_insert(text);
        }
        (judged, is_cut)
    }

    pub(crate) fn accept(&self, repaired: Repaired<'_>, end: impl FnOnce() -> Position) -> Result<Outputs, Error> {
        let (judged, is_cut) = self.judged(&repaired);
        // What was taken without its last item and does not fit was refused for the cut.
        let is_cut = is_cut || (judged.is_err() && repaired.is_truncated() && !self.contract.allows_truncated());
        let cut = if is_cut { repaired.incomplete() } else { Vec::new() };
        let repaired = repaired.into_owned();
        let outputs = |judged, is_partial| Outputs::new(Arc::clone(&self.contract), repaired, judged, is_partial);
        match judged {
            Ok(mut judged) if is_cut => {
                judged.forget(&cut, &self.contract);
                Err(Error::truncated(end()).with_partial(outputs(judged, true)))
            }
            Ok(judged) => {
                let outputs = outputs(judged, false);
                let violations: Vec<_> =
                    self.validators.iter().filter_map(|validator| validator.violation(&outputs)).collect();
                if violations.is_empty() { Ok(outputs) } else { Err(Error::objections(violations, outputs)) }
            }
            Err(failed) => {
                let mut failed = *failed;
                failed.partial.forget(&cut, &self.contract);
                let error = if is_cut { Error::truncated(end()) } else { failed.error };
                Err(error.with_partial(outputs(failed.partial, true)))
            }
        }
    }
}

impl fmt::Debug for Adapter {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("Adapter")
            .field("contract", &self.contract)
            .field("validators", &self.validators)
            .field("pipeline", &self.pipeline)
            .field("policy", &self.policy)
            .finish_non_exhaustive()
    }
}
