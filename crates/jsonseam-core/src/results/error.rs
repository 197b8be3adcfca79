//! Why a completion was refused: one opaque error with a code, a reason and a place.

use std::fmt;
use std::ops::Range;

use jsonseam_text::ErrorCode;
use serde::Serialize;
use serde::ser::{SerializeMap, Serializer};

use super::reason::Reason;
use crate::reading::expected::Expected;
use crate::reading::limits::Limit;
use crate::reading::position::Position;
use crate::reading::work::Work;

/// One of two readings between which nothing decides, with the reason [`Reason::AmbiguousRepair`].
///
/// Its edits are those from where the two readings part. It holds names of rules, offsets and a cost, and no text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RefusedReading {
    /// The edits, by position. Empty if no rule writes this reading: then [`Error::doubt`] says what it is.
    pub edits: Vec<RefusedEdit>,
    /// What the reading costs, in hundredths: the less, the likelier.
    pub cost: u32,
}

impl RefusedReading {
    /// The names of the rules of its edits, each once, in the order of the text.
    ///
    /// ```
    /// # use jsonseam_core::Error;
    /// fn told(error: &Error) -> String {
    ///     let by = error.readings().iter().map(|reading| reading.rules().join(" and "));
    ///     by.collect::<Vec<_>>().join(", or ")
    /// }
    /// ```
    pub fn rules(&self) -> Vec<&str> {
        let mut rules = Vec::new();
        for edit in &self.edits {
            if !rules.contains(&edit.rule.as_str()) {
                rules.push(edit.rule.as_str());
            }
        }
        rules
    }
}

impl fmt::Display for RefusedReading {
    /// The rules, as in `missing-end-quote and trailing-comma`, or that none writes it.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.rules().split_last() {
            None => formatter.write_str("what no rule writes"),
            Some((last, [])) => formatter.write_str(last),
            Some((last, others)) => write!(formatter, "{} and {last}", others.join(", ")),
        }
    }
}

/// An edit of a [`RefusedReading`].
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct RefusedEdit {
    /// The name of the rule.
    pub rule: String,
    /// The first byte of the completion that it replaces.
    pub start: usize,
    /// The end of what it replaces.
    pub end: usize,
}

/// The first fault that no known rule answers, with all of them on.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Unanswered {
    /// Where it is; other rules may have answered faults before it.
    #[serde(flatten)]
    pub position: Position,
    /// What the grammar expected there.
    #[serde(serialize_with = "described")]
    pub expected: Expected,
    /// Why a rule that looks like the right one does not answer it, if one says so: a sentence without text of the payload.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub why: Option<&'static str>,
}

impl fmt::Display for Unanswered {
    /// Place and reason, as in `all rules together stop at line 1 column 7: …`.
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "all rules together stop at line {} column {}", self.position.line, self.position.column)?;
        match self.why {
            Some(why) => write!(formatter, ": {why}"),
            None => write!(formatter, ", expected {}", self.expected.described()),
        }
    }
}

/// What was expected, as people read it.
#[expect(clippy::trivially_copy_pass_by_ref, reason = "serde gives a reference")]
fn described<S: Serializer>(expected: &Expected, serializer: S) -> Result<S::Ok, S::Error> {
    serializer.serialize_str(expected.described())
}

/// A member that is absent without a value.
fn entry<M: SerializeMap>(map: &mut M, name: &str, value: Option<impl Serialize>) -> Result<(), M::Error> {
    value.map_or(Ok(()), |value| map.serialize_entry(name, &value))
}

/// Why a completion was refused.
///
/// Neither `Display` nor `Debug` nor the serialised form holds any text of the completion (SPEC M5): only codes, offsets, counts and names of rules.
/// Looking at an error repairs nothing, and it holds no copy of the text (SPEC P6):
/// [`Pipeline::explain`](crate::Pipeline::explain), which takes the text again, says which rules that are off would have helped.
///
/// ```
/// use jsonseam_core::{Config, Pipeline, Reason};
///
/// let without_rules = Pipeline::from_rules(&Config::default(), Vec::new());
/// let error = without_rules.repair("{\"a\": 1,}").unwrap_err();
/// assert_eq!((error.code().as_str(), error.reason()), ("output_decode_failed", Reason::Syntax));
/// assert_eq!(error.position().map(|place| (place.line, place.column)), Some((1, 9)));
/// assert!(error.is_retryable());
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Error {
    reason: Reason,
    facts: Box<Facts>,
}

/// What is known of a refusal beside its reason.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Facts {
    position: Option<Position>,
    expected: Option<Expected>,
    limit: Option<Limit>,
    rule: Option<String>,
    /// Which rules would have helped; `None` until someone has asked.
    mended_by: Option<Vec<String>>,
    repaired_with: Vec<String>,
    unanswered: Option<Unanswered>,
    candidates: Vec<Range<usize>>,
    readings: Vec<RefusedReading>,
    doubt: Option<&'static str>,
    doubted_by: Option<Position>,
    work: Work,
}

impl Error {
    /// A refusal without a place.
    pub(crate) fn new(reason: Reason) -> Self {
        Self { reason, facts: Box::default() }
    }

    pub(crate) fn limit(limit: Limit) -> Self {
        let mut error = Self::new(Reason::LimitExceeded);
        error.facts.limit = Some(limit);
        error
    }

    pub(crate) fn at(mut self, position: Position) -> Self {
        self.facts.position = Some(position);
        self
    }

    pub(crate) fn expecting(mut self, expected: Expected) -> Self {
        self.facts.expected = Some(expected);
        self
    }

    pub(crate) fn blaming(mut self, rule: Option<&str>) -> Self {
        self.facts.rule = rule.map(str::to_owned);
        self
    }

    /// Someone has asked what would have helped, and this is all of it.
    pub(crate) fn helped_by(mut self, mended_by: Vec<String>, together: Vec<String>, stop: Option<Unanswered>) -> Self {
        (self.facts.mended_by, self.facts.repaired_with, self.facts.unanswered) = (Some(mended_by), together, stop);
        self
    }

    pub(crate) fn among(mut self, candidates: Vec<Range<usize>>) -> Self {
        self.facts.candidates = candidates;
        self
    }

    pub(crate) fn between(mut self, readings: [RefusedReading; 2], doubt: Option<&'static str>) -> Self {
        self.facts.readings = readings.into();
        self.facts.doubt = doubt;
        self
    }

    pub(crate) fn doubting(mut self, doubt: &'static str, because: Position) -> Self {
        self.facts.doubt = Some(doubt);
        self.facts.doubted_by = Some(because);
        self
    }

    pub(crate) fn after(mut self, work: Work) -> Self {
        self.facts.work = work;
        self
    }

    /// The stable code of the error type: always `output_decode_failed` (SPEC E1).
    pub const fn code(&self) -> ErrorCode {
        ErrorCode::OutputDecodeFailed
    }

    /// Why it was refused.
    pub fn reason(&self) -> Reason {
        self.reason
    }

    /// Where it was refused; `None` when no single place is to blame.
    pub fn position(&self) -> Option<Position> {
        self.facts.position
    }

    /// What the grammar expected there.
    ///
    /// ```
    /// # use jsonseam_core::{Config, Pipeline};
    /// # let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
    /// use jsonseam_core::Expected;
    ///
    /// assert_eq!(pipeline.repair("{\"a\": 1,}").unwrap_err().expected(), Some(Expected::Key));
    /// ```
    pub fn expected(&self) -> Option<Expected> {
        self.facts.expected
    }

    /// The bound that was met, with the reason [`Reason::LimitExceeded`].
    ///
    /// ```
    /// use jsonseam_core::{Config, Limit, Limits, Pipeline};
    ///
    /// let config = Config::default().with_limits(Limits::default().with_max_input_bytes(4));
    /// let refusal = Pipeline::from_rules(&config, Vec::new()).repair("{\"a\": 1}").unwrap_err();
    /// assert_eq!(refusal.limit_met(), Some(Limit::InputBytes));
    /// ```
    pub fn limit_met(&self) -> Option<Limit> {
        self.facts.limit
    }

    /// The rule whose edit met the bound, if one did.
    pub fn rule(&self) -> Option<&str> {
        self.facts.rule.as_deref()
    }

    /// The known rules that are not enabled and would have answered this fault; empty until [`Pipeline::explain`](crate::Pipeline::explain) has filled it.
    ///
    /// Each belongs to the winning reading when all known rules are on, or is a locator which alone finds a payload that the pipeline repairs.
    pub fn mended_by(&self) -> &[String] {
        self.facts.mended_by.as_deref().unwrap_or_default()
    }

    /// The known rules that are not enabled and together repair the whole text, not this fault alone;
    /// empty if no other rules do, or if it cannot be told without a further repair, and until [`Pipeline::explain`](crate::Pipeline::explain) has filled it.
    ///
    /// A configuration that enables them all repairs the text, so this says which preset would.
    pub fn repaired_with(&self) -> &[String] {
        &self.facts.repaired_with
    }

    /// Where all known rules together find no way on, and why; `None` if they repair the fault, if nothing more is known than the refusal says,
    /// and until [`Pipeline::explain`](crate::Pipeline::explain) has filled it.
    pub fn unanswered(&self) -> Option<&Unanswered> {
        self.facts.unanswered.as_ref()
    }

    /// Whether this error says which rules would have helped, even if none would.
    pub fn is_explained(&self) -> bool {
        self.facts.mended_by.is_some()
    }

    /// What a person can do, a clause each, in lower case and without text of the completion; more is known once
    /// [`Pipeline::explain`](crate::Pipeline::explain) has been asked.
    ///
    /// ```
    /// # use jsonseam_core::{Config, Pipeline};
    /// # let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
    /// let refusal = pipeline.repair("{\"a\": [1, 2").unwrap_err();
    /// assert_eq!(refusal.help(), ["raise the model's limit of output tokens, or ask for a shorter answer"]);
    /// ```
    pub fn help(&self) -> Vec<String> {
        let (mended_by, together) = (self.mended_by(), self.repaired_with());
        let mut help = Vec::new();
        if !mended_by.is_empty() && mended_by != together {
            help.push(format!("rules that are off and answer this: {}", mended_by.join(", ")));
        }
        if !together.is_empty() {
            help.push(format!("rules that are off and repair the text together: {}", together.join(", ")));
        }
        // Where it says no more than the refusal, it does not help.
        let unanswered = self.unanswered().filter(|at| at.why.is_some() || self.position() != Some(at.position));
        help.extend(unanswered.map(ToString::to_string));
        if help.is_empty() {
            help.push(self.advice().to_owned());
        }
        help
    }

    /// What can be done where no rule that is off is known to help.
    fn advice(&self) -> &'static str {
        match self.reason() {
            Reason::AmbiguousRepair if self.is_unwritten() => {
                "if the first reading is the one that is meant, make its edits by hand; if not, write what the doubt says, or ask the model again"
            }
            Reason::Syntax if self.is_explained() => {
                "no known rule repairs this; ask the model again, or edit it by hand"
            }
            reason => reason.advice(),
        }
    }

    /// The spans, in the completion, among which the policy does not choose, with the reason [`Reason::AmbiguousPayload`].
    pub fn candidates(&self) -> &[Range<usize>] {
        &self.facts.candidates
    }

    /// The two readings between which nothing decides, the cheaper first, with the reason [`Reason::AmbiguousRepair`]; else empty.
    pub fn readings(&self) -> &[RefusedReading] {
        &self.facts.readings
    }

    /// Whether the second reading is one that no rule writes.
    pub(crate) fn is_unwritten(&self) -> bool {
        self.readings().get(1).is_some_and(|reading| reading.edits.is_empty())
    }

    /// Why neither reading was taken, or why what was read is doubtful, if a rule said so: a sentence of that rule, without text of the payload.
    pub fn doubt(&self) -> Option<&'static str> {
        self.facts.doubt
    }

    /// The place that makes [`position`](Self::position) doubtful, if it is another one:
    /// a backslash that begins no escape speaks against the escapes of other strings (SPEC R7).
    pub fn doubted_by(&self) -> Option<Position> {
        self.facts.doubted_by
    }

    /// What the refusal cost; of an explained error, with what finding help cost.
    pub fn work(&self) -> Work {
        self.spent().made()
    }

    /// The same, as the bounds reckon.
    pub(crate) fn spent(&self) -> Work {
        self.facts.work
    }

    /// Whether asking the model again can help: [`Reason::is_retryable`].
    ///
    /// ```
    /// # use jsonseam_core::{Config, Pipeline};
    /// # let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
    /// assert!(pipeline.repair("I do not know.").unwrap_err().is_retryable());
    /// assert!(!pipeline.repair("{\"a\": [1, 2").unwrap_err().is_retryable());
    /// ```
    pub fn is_retryable(&self) -> bool {
        self.reason.is_retryable()
    }
}

impl fmt::Display for Error {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let facts = &self.facts;
        formatter.write_str(self.reason.meaning())?;
        if let Some(limit) = facts.limit {
            write!(formatter, ": {limit}")?;
        }
        if let Some(rule) = &facts.rule {
            write!(formatter, " (in rule {rule})")?;
        }
        if let Some(position) = facts.position {
            write!(formatter, " at line {} column {} (byte {})", position.line, position.column, position.offset)?;
        }
        if let Some(expected) = facts.expected {
            write!(formatter, ", expected {}", expected.described())?;
        }
        if let [first, second] = facts.readings.as_slice() {
            write!(formatter, ": by {first}, or by {second}")?;
        }
        if let Some(doubt) = facts.doubt {
            // Of a reading that no rule writes, the doubt says what it is.
            write!(formatter, "{} {doubt}", if self.is_unwritten() { ":" } else { ";" })?;
        }
        if let Some(position) = facts.doubted_by {
            write!(formatter, " (line {} column {})", position.line, position.column)?;
        }
        if !facts.candidates.is_empty() {
            write!(formatter, ": {} candidates", facts.candidates.len())?;
        }
        if !self.mended_by().is_empty() {
            write!(formatter, "; would be repaired by {}", self.mended_by().join(", "))?;
        }
        if let Some(unanswered) = self.unanswered() {
            write!(formatter, "; {unanswered}")?;
        }
        Ok(())
    }
}

impl std::error::Error for Error {}

/// The `error` member of the record, whose shape is fixed. Members that do not apply are left out;
/// [`limit_met`](Error::limit_met), [`rule`](Error::rule) and [`candidates`](Error::candidates) are for callers in Rust.
impl Serialize for Error {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let facts = &self.facts;
        let is_ambiguous = self.reason == Reason::AmbiguousRepair;
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("code", &self.code())?;
        map.serialize_entry("reason", &self.reason)?;
        entry(&mut map, "offset", facts.position.map(|position| position.offset))?;
        entry(&mut map, "line", facts.position.map(|position| position.line))?;
        entry(&mut map, "column", facts.position.map(|position| position.column))?;
        entry(&mut map, "expected", facts.expected.map(Expected::described))?;
        entry(&mut map, "mended_by", facts.mended_by.as_ref())?;
        entry(&mut map, "unanswered", self.unanswered())?;
        entry(&mut map, "readings", is_ambiguous.then_some(&facts.readings))?;
        entry(&mut map, "doubt", facts.doubt)?;
        entry(&mut map, "doubted_by", facts.doubted_by)?;
        map.end()
    }
}
