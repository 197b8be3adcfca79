//! What the laws are put to: anything that repairs text.
//!
//! A [`Subject`] is usually a pipeline. It is a trait so that the laws themselves can be tested on subjects that break them.

use std::ops::Range;
use std::sync::{Arc, Mutex};

use jsonseam_core::{
    AnyRule, Candidates, Config, ConfigError, Edits, Evidence, Fault, Landmarks, Limit, LocateRule, OptionValue,
    Pipeline, Proposals, ReadPayload, Reason, Region, Registration, RepairOptions, RepairRule, Review, Risk, Root,
    RuleEntry, Status, Work,
};

/// Anything that repairs text.
pub trait Subject {
    /// Repairs `text`, or says why not.
    fn repair(&self, text: &str) -> Outcome;

    /// The payload that the subject wants: a valid text of another kind does not count (SPEC P0).
    fn root(&self) -> Root {
        Root::Any
    }

    /// The longest text the subject reads, in bytes: an output beyond it cannot be accepted again.
    fn max_input_bytes(&self) -> usize {
        usize::MAX
    }
}

/// What came of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Outcome {
    /// It was valid or was repaired.
    Accepted(Accepted),
    /// It was refused.
    Refused {
        /// Why.
        reason: Reason,
        /// The limit that was met, if one was.
        limit: Option<Limit>,
        /// The message.
        message: String,
        /// The `Debug` form of the error.
        shown: String,
        /// What the refusal cost.
        work: Work,
    },
}

/// A text that was valid or was repaired.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Accepted {
    /// Whether edits were needed.
    pub status: Status,
    /// The output.
    pub text: String,
    /// Where the payload is in the input.
    pub payload: Range<usize>,
    /// The edits: rule, risk, span, replacement.
    pub edits: Vec<(String, Risk, Range<usize>, String)>,
    /// The payload, as the result gives it back.
    pub reverted: String,
    /// Whether the input was cut off.
    pub is_truncated: bool,
    /// What is incomplete.
    pub incomplete: Vec<String>,
    /// The `Debug` form of the result.
    pub shown: String,
    /// What the repair cost.
    pub work: Work,
}

impl Outcome {
    /// What it cost.
    pub fn work(&self) -> Work {
        match self {
            Self::Accepted(accepted) => accepted.work,
            Self::Refused { work, .. } => *work,
        }
    }

    /// The result, unless the text was refused.
    pub fn accepted(&self) -> Option<&Accepted> {
        match self {
            Self::Accepted(accepted) => Some(accepted),
            Self::Refused { .. } => None,
        }
    }
}

impl Subject for Pipeline {
    fn repair(&self, text: &str) -> Outcome {
        outcome(self, text, None)
    }

    fn root(&self) -> Root {
        Self::root(self)
    }

    fn max_input_bytes(&self) -> usize {
        self.limits().max_input_bytes
    }
}

/// A pipeline whose caller has declared keys.
#[derive(Debug)]
pub struct Guided {
    /// The pipeline.
    pub pipeline: Pipeline,
    /// The keys.
    pub evidence: Evidence,
}

impl Subject for Guided {
    fn repair(&self, text: &str) -> Outcome {
        outcome(&self.pipeline, text, Some(&self.evidence))
    }

    fn root(&self) -> Root {
        self.pipeline.root()
    }

    fn max_input_bytes(&self) -> usize {
        self.pipeline.limits().max_input_bytes
    }
}

fn outcome(pipeline: &Pipeline, text: &str, evidence: Option<&Evidence>) -> Outcome {
    let options = RepairOptions::new().with_evidence(evidence);
    match pipeline.repair_with(text, &options) {
        Ok(repaired) => Outcome::Accepted(Accepted {
            status: repaired.status(),
            text: repaired.text().to_owned(),
            payload: repaired.payload(),
            edits: repaired
                .edits()
                .map(|seam| (seam.rule.to_owned(), seam.risk, seam.span, seam.replacement.to_owned()))
                .collect(),
            reverted: repaired.revert(),
            is_truncated: repaired.is_truncated(),
            incomplete: repaired.incomplete(),
            shown: format!("{repaired:?}"),
            work: repaired.work(),
        }),
        Err(error) => Outcome::Refused {
            reason: error.reason(),
            limit: error.limit_met(),
            message: error.to_string(),
            shown: format!("{error:?}"),
            work: error.work(),
        },
    }
}

/// One proposal of a rule: where the fault was, and what the rule answered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Proposal {
    /// The fault's place.
    pub fault: usize,
    /// Which of the answers to this question it is, from 0.
    pub nth: usize,
    /// The answer.
    pub edits: Edits,
}

/// What a watched rule was asked and answered, in order.
#[derive(Debug, Clone, Default)]
pub struct Log(Arc<Mutex<Vec<Option<Proposal>>>>, Arc<Mutex<Option<usize>>>);

impl Log {
    /// Empties the log and gives back what it held: one entry for each question, `None` where the rule declined.
    pub fn take(&self) -> Vec<Option<Proposal>> {
        self.0.lock().map(|mut log| std::mem::take(&mut *log)).unwrap_or_default()
    }

    /// Where the region begins in which a locator found something without its landmarks, if one did since this was last asked.
    pub fn take_beyond_landmarks(&self) -> Option<usize> {
        self.1.lock().ok()?.take()
    }

    fn note(&self, entry: Option<Proposal>) {
        if let Ok(mut log) = self.0.lock() {
            log.push(entry);
        }
    }
}

/// A rule that behaves like another and keeps a log. A locator is asked without its landmarks too, but for how a region must not start.
struct Watched<R: ?Sized> {
    rule: Arc<R>,
    landmarks: Landmarks,
    log: Log,
}

impl<R: ?Sized> Watched<R> {
    fn new(rule: &Arc<R>, landmarks: Landmarks, log: &Log) -> Arc<Self> {
        Arc::new(Self { rule: Arc::clone(rule), landmarks, log: log.clone() })
    }
}

/// The same entry with a log.
fn watched(mut entry: RuleEntry, log: &Log) -> RuleEntry {
    match &mut entry.rule {
        AnyRule::Repair { rule, .. } => *rule = Watched::new(rule, Landmarks::ANY, log),
        AnyRule::Locate { landmarks, rule, .. } => {
            let kept = Landmarks { never_starts: landmarks.never_starts, ..Landmarks::ANY };
            *rule = Watched::new(rule, std::mem::replace(landmarks, kept), log);
        }
    }
    entry
}

impl LocateRule for Watched<dyn LocateRule> {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        self.rule.locate(region, found);
        if !found.is_empty()
            && !self.landmarks.are_in(region)
            && let Ok(mut beyond) = self.log.1.lock()
        {
            *beyond = Some(region.span().start);
        }
    }
}

impl RepairRule for Watched<dyn RepairRule> {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        self.rule.answer(fault, to);
        if to.is_empty() {
            self.log.note(None);
        }
        to.edits().enumerate().for_each(|(nth, edits)| {
            self.log.note(Some(Proposal { fault: fault.pos(), nth, edits: edits.clone() }));
        });
    }

    fn review(&self, payload: &ReadPayload<'_>) -> Option<Review> {
        self.rule.review(payload)
    }
}

/// A pipeline of one rule with its default options, any root, and the log of what it is asked.
pub fn alone(rule: &Registration) -> Result<(Pipeline, Log), ConfigError> {
    among(rule, &[], &[])
}

/// A pipeline of `rule` with `options`, watched, followed by `others` with their default options; any root.
pub fn among(
    rule: &Registration,
    options: &[(&str, &OptionValue)],
    others: &[&Registration],
) -> Result<(Pipeline, Log), ConfigError> {
    among_for(Root::Any, rule, options, others)
}

/// The same for payloads of this root alone: some are not defects where any root will do.
///
/// # Errors
///
/// As for [`among`].
pub fn among_for(
    root: Root,
    rule: &Registration,
    options: &[(&str, &OptionValue)],
    others: &[&Registration],
) -> Result<(Pipeline, Log), ConfigError> {
    let log = Log::default();
    let mut rules = vec![watched(RuleEntry::with_options(rule, options)?, &log)];
    for other in others.iter().filter(|other| other.name != rule.name) {
        rules.push(RuleEntry::of(other)?);
    }
    let config = Config::default().with_root(root);
    Ok((Pipeline::from_rules(&config, rules), log))
}
