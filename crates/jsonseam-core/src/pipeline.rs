//! Rules and settings made ready: the door through which completions come in and results go out.

#[cfg(feature = "pattern")]
pub(crate) mod cases;

use std::borrow::Cow;
use std::panic::{RefUnwindSafe, UnwindSafe};
use std::sync::Arc;

use crate::attempt::explain::explain;
use crate::attempt::further::{note_further, note_rival};
use crate::attempt::options::{FinishReason, RepairOptions, Settings};
use crate::attempt::other_root;
use crate::attempt::{Attempt, Begun};
use crate::config::Config;
use crate::config::catalogue::Catalogue;
use crate::config::error::ConfigError;
use crate::config::select::{resolve, resolve_unselected};
use crate::derived::debug_facts;
use crate::engine::Thresholds;
use crate::engine::rules::{RuleEntry, RuleInfo, RuleTable};
use crate::locate::Seen;
use crate::looking::trace::checkpoints::read_first;
use crate::reading::limits::{Limit, Limits};
use crate::reading::position::Position;
use crate::reading::wanted::{Policy, Root};
use crate::results::error::Error;
use crate::results::reason::Reason;
use crate::results::repaired::Repaired;

/// Rules and settings, ready to repair any number of completions.
///
/// Cheap to clone and free to share between threads.
#[derive(Clone)]
pub struct Pipeline(pub(crate) Arc<Settings>);

/// A repair changes nothing in a pipeline, so one that a rule has left by a panic is as good as before.
impl UnwindSafe for Pipeline {}
impl RefUnwindSafe for Pipeline {}

debug_facts!(Pipeline, |pipeline| rules: pipeline.0.rules.infos);

impl Pipeline {
    /// The pipeline that `config` describes over the rules of `catalogue`.
    ///
    /// ```
    /// use jsonseam_core::{Catalogue, Config, Pipeline};
    ///
    /// let catalogue = Catalogue::new(Vec::new(), &[])?;
    /// let pipeline = Pipeline::new(&Config::default(), &catalogue)?;
    /// assert!(pipeline.repair("{\"a\": 1}").is_ok());
    /// # Ok::<(), jsonseam_core::ConfigError>(())
    /// ```
    pub fn new(config: &Config, catalogue: &Catalogue) -> Result<Self, ConfigError> {
        let selected = resolve(config, catalogue)?;
        let others = resolve_unselected(catalogue, &selected);
        #[cfg(feature = "pattern")]
        config.patterns().iter().try_for_each(cases::check_cases)?;
        let known = RuleTable::new(selected.iter().cloned().chain(others).collect());
        Ok(Self::of(config, config.thresholds(catalogue), RuleTable::new(selected), known))
    }

    /// A pipeline of exactly these rules, asked in this order, with the root, policy and limits of `config`.
    ///
    /// Needs no catalogue and no discovery by the linker, so it works where those do not.
    /// No refusal can name rules that would have repaired it: only these are known. Limits beyond their greatest values count as those values,
    /// and of more than 32,768 rules the first ones are asked.
    ///
    /// ```
    /// use jsonseam_core::{Config, Pipeline, Root};
    ///
    /// let pipeline = Pipeline::from_rules(&Config::default().with_root(Root::Any), Vec::new());
    /// assert!(pipeline.repair("[1]").is_ok());
    /// assert!(pipeline.repair("[1,]").is_err());
    /// ```
    pub fn from_rules(config: &Config, rules: Vec<RuleEntry>) -> Self {
        Self::of(config, config.thresholds_of_all(), RuleTable::new(rules), RuleTable::default())
    }

    fn of(config: &Config, thresholds: Thresholds, rules: RuleTable, known: RuleTable) -> Self {
        Self(Arc::new(Settings {
            root: config.root(),
            policy: config.policy(),
            max_candidates: config.max_candidates(),
            limits: config.limits().within_bounds(),
            thresholds,
            rules,
            known,
            known_thresholds: config.thresholds_of_all(),
        }))
    }

    /// The payload that is wanted.
    pub fn root(&self) -> Root {
        self.0.root
    }

    /// The same pipeline with another way to choose among several payloads.
    ///
    /// ```
    /// use jsonseam_core::{Config, Pipeline, Policy};
    ///
    /// let first = Pipeline::from_rules(&Config::default(), Vec::new());
    /// let only = first.with_policy(Policy::Only);
    /// let two = "{\"a\": 1}\n{\"a\": 2}";
    /// assert_eq!(only.repair(two).unwrap_err().reason().as_str(), "ambiguous_payload");
    /// ```
    #[must_use]
    pub fn with_policy(&self, policy: Policy) -> Self {
        let own = &*self.0;
        Self(Arc::new(Settings { policy, rules: own.rules.clone(), known: own.known.clone(), ..*own }))
    }

    /// The bounds on each repair.
    pub fn limits(&self) -> Limits {
        self.0.limits
    }

    /// The rules, in the order in which they are asked.
    pub fn rules(&self) -> impl Iterator<Item = &RuleInfo> {
        self.0.rules.infos.iter()
    }

    /// Finds the payload of `completion` and repairs it if it has to.
    ///
    /// Time and memory are linear in the completion. The error says why and where; [`explain`](Self::explain) says which known rules would have repaired it.
    ///
    /// ```
    /// # use jsonseam_core::{Catalogue, Config, Pipeline};
    /// # let pattern = "[[pattern]]\nname = 'fat-arrow'\nat = 'colon'\nfind = '=>'\nreplace = ':'\nrisk = 'likely'";
    /// # let catalogue = Catalogue::new(Vec::new(), &[])?;
    /// # let pipeline = Pipeline::new(&Config::from_toml(pattern, "jsonseam.toml")?, &catalogue)?;
    /// let repaired = pipeline.repair("{\"a\" => 1}")?;
    /// assert_eq!(repaired.text(), "{\"a\" : 1}");
    ///
    /// let refusal = pipeline.repair("{\"a\" -> 1}").unwrap_err();
    /// assert_eq!(refusal.position().map(|place| place.offset), Some(5));
    /// # Ok::<(), Box<dyn std::error::Error>>(())
    /// ```
    pub fn repair<'a>(&self, completion: &'a str) -> Result<Repaired<'a>, Error> {
        self.repair_with(completion, &RepairOptions::default())
    }

    /// Like [`repair`](Self::repair), with what the caller knows about this completion.
    ///
    /// ```
    /// # use jsonseam_core::{Config, Pipeline};
    /// # let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
    /// use jsonseam_core::{Reason, RepairOptions};
    ///
    /// let options = RepairOptions::new().with_finish_reason(Some("max_tokens"));
    /// let refusal = pipeline.repair_with("{\"a\": 1", &options).unwrap_err();
    /// assert_eq!(refusal.reason(), Reason::Truncated);
    /// ```
    pub fn repair_with<'a>(&self, completion: &'a str, options: &RepairOptions<'_>) -> Result<Repaired<'a>, Error> {
        self.repair_in(completion, options, None, &mut String::new())
    }

    /// Like [`repair_with`](Self::repair_with), with room for the text: of a payload with edits the text is written into `output`, in place of
    /// what that holds. A valid payload stays where it is, and `output` is left empty.
    ///
    /// With the same `output` for many completions, their texts cost one allocation together.
    ///
    /// ```
    /// use jsonseam_core::{Config, Pipeline, RepairOptions};
    ///
    /// let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
    /// let mut output = String::new();
    /// let repaired = pipeline.repair_into("{\"a\": 1}", &RepairOptions::default(), &mut output)?;
    /// assert_eq!(repaired.text(), "{\"a\": 1}");
    /// # Ok::<(), jsonseam_core::Error>(())
    /// ```
    pub fn repair_into<'a>(
        &self,
        completion: &'a str,
        options: &RepairOptions<'_>,
        output: &'a mut String,
    ) -> Result<Repaired<'a>, Error> {
        output.clear();
        let mut repaired = self.repair_in(completion, options, None, output)?;
        if let Some(text) = repaired.output.take() {
            *output = text.into_owned();
            repaired.output = Some(Cow::Borrowed(output));
        }
        Ok(repaired)
    }

    #[cfg(feature = "stream")]
    /// The result of a stream, whose text is all there: of the rest of it from `start` on if that was told.
    pub(crate) fn finish_stream<'a>(
        &self,
        completion: &'a str,
        start: Option<usize>,
        options: &RepairOptions<'_>,
        begun: Option<Begun>,
    ) -> Result<Repaired<'a>, Error> {
        let Some(start) = start else { return self.repair_in(completion, options, begun, &mut String::new()) };
        let seen = Seen::default();
        let attempt = Attempt::new(&self.0, completion, options, &seen);
        attempt.begun.set(begun);
        attempt.repair_at(start).map_err(|refusal| refusal.error)
    }

    fn repair_in<'a>(
        &self,
        completion: &'a str,
        options: &RepairOptions<'_>,
        begun: Option<Begun>,
        room: &mut String,
    ) -> Result<Repaired<'a>, Error> {
        let Settings { root, limits, .. } = &*self.0;
        if completion.len() > limits.max_input_bytes {
            return Err(Error::limit(Limit::InputBytes));
        }
        let first = read_first(completion.as_bytes(), 0, limits.max_depth);
        // Most completions are their own payload.
        if first.is_ok() && other_root::refusal_of_valid(completion, *root).is_none() {
            let is_cut = options.finish_reason.as_ref().is_some_and(FinishReason::is_cut);
            return Ok(Repaired::whole(completion, is_cut));
        }
        // What the first reading has found is not read again.
        let seen = Seen::default();
        let attempt = Attempt::new(&self.0, completion, options, &seen);
        attempt.room.set(std::mem::take(room));
        attempt.begun.set(begun);
        let result = attempt.repair(first);
        *room = attempt.room.take();
        let mut repaired = result.map_err(|refusal| note_rival(&attempt, refusal).error)?;
        // A payload that may not be the one that was meant is refused: no further rule decides that.
        note_further(&attempt, &mut repaired)?;
        #[cfg(feature = "tracing")]
        observe(&repaired, completion.len());
        Ok(repaired)
    }

    /// Like [`repair_with`](Self::repair_with), for bytes: this is the one place where UTF-8 is checked.
    ///
    /// ```
    /// # use jsonseam_core::{Config, Pipeline};
    /// # let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
    /// use jsonseam_core::{Reason, RepairOptions};
    ///
    /// let refusal = pipeline.repair_bytes(b"{\"a\": \xff}", &RepairOptions::new()).unwrap_err();
    /// assert_eq!(refusal.reason(), Reason::InvalidUtf8);
    /// ```
    pub fn repair_bytes<'a>(&self, completion: &'a [u8], options: &RepairOptions<'_>) -> Result<Repaired<'a>, Error> {
        self.repair_with(utf8(completion)?, options)
    }

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
    /// ```standalone_crate
    /// use jsonseam_core::{Catalogue, Config, Edits, Fault, Pipeline, Proposals, RepairRule, rule};
    ///
    /// # rule! {
    /// #     /// Reads `=>` as a colon.
    /// #     pub struct FatArrow { name: "acme/fat-arrow", risk: Likely, answers: [Colon], cases: "../tests/fat_arrow.toml", }
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
            Reason::AmbiguousRepair | Reason::LimitExceeded | Reason::InvalidUtf8 | Reason::NotRepresentable => {}
            // What is too long has another reason.
            _ if completion.len() > self.0.limits.max_input_bytes => {}
            _ => return explain(&self.0, error, completion, options),
        }
        error.helped_by(Vec::new(), Vec::new(), None)
    }

    /// Whether `bytes` are valid JSON of any root as they are, within the limits (SPEC P0). No rule is asked; nothing is located.
    ///
    /// The error says where the text stops being JSON and what was expected there.
    ///
    /// ```
    /// # use jsonseam_core::{Config, Pipeline};
    /// # let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
    /// use jsonseam_core::Expected;
    ///
    /// assert!(pipeline.check(b" [1, 2] ").is_ok());
    /// assert_eq!(pipeline.check(b"[1 2]").unwrap_err().expected(), Some(Expected::Comma));
    /// ```
    pub fn check(&self, bytes: &[u8]) -> Result<(), Error> {
        let text = utf8(bytes)?;
        Attempt::new(&self.0, text, &RepairOptions::default(), &Seen::default()).check()
    }
}

/// One event for each repair that edits; no text of the payload (SPEC M5).
#[cfg(feature = "tracing")]
fn observe(repaired: &Repaired<'_>, bytes_in: usize) {
    if !tracing::enabled!(target: "jsonseam", tracing::Level::DEBUG) || repaired.edits().len() == 0 {
        return;
    }
    let mut rules: Vec<_> = repaired.edits().map(|seam| seam.rule).collect();
    rules.sort_unstable();
    rules.dedup();
    tracing::debug!(
        target: "jsonseam",
        rules = rules.join(","),
        edits = repaired.edits().len(),
        bytes_in,
        bytes_out = repaired.text().len(),
        risk = repaired.risk().map_or("", crate::edits::risk::Risk::as_str),
        truncated = repaired.is_truncated(),
        "repaired"
    );
}

/// The text of `bytes`; an error at the first byte that is not UTF-8.
fn utf8(bytes: &[u8]) -> Result<&str, Error> {
    std::str::from_utf8(bytes).map_err(|error| {
        let valid = bytes.get(..error.valid_up_to()).unwrap_or_default();
        let position = Position::of(valid.len(), std::str::from_utf8(valid).unwrap_or_default());
        Error::new(Reason::InvalidUtf8).at(position)
    })
}
