//! The laws (DESIGN 3): what must hold for every subject and every text.
//!
//! Each is written once, here. `laws!`, property tests, the corpus and the fuzz targets all call the same functions.
//! `serde_json` is the oracle: its `RawValue` reads exactly the grammar of RFC 8259, iteratively.

use std::fmt;
use std::panic::{AssertUnwindSafe, catch_unwind};

use jsonseam_core::{Limit, Root, Status};
use serde_json::value::RawValue;

use crate::subject::{Accepted, Outcome, Subject};

/// A law that does not hold, and for what.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Violation {
    /// The law's name.
    pub law: &'static str,
    /// What was seen.
    pub seen: String,
    /// The text it was seen on, shortened.
    pub text: String,
}

impl fmt::Display for Violation {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "law `{}`: {} on {:?}", self.law, self.seen, self.text)
    }
}

impl std::error::Error for Violation {}

/// A law about one text.
#[derive(Debug, Clone, Copy)]
pub struct Law {
    /// Its name, as in DESIGN.
    pub name: &'static str,
    check: fn(&Judged<'_>) -> Result<(), String>,
}

impl Law {
    /// Whether the law holds for `subject` on `text`.
    pub fn check(&self, subject: &dyn Subject, text: &str) -> Result<(), Violation> {
        self.of(&Judged::new(subject, text))
    }

    fn of(&self, judged: &Judged<'_>) -> Result<(), Violation> {
        (self.check)(judged).map_err(|seen| Violation { law: self.name, seen, text: shortened(judged.text) })
    }
}

/// What every law about one text judges: one outcome, so that a text is repaired once for most of them.
struct Judged<'t> {
    subject: &'t dyn Subject,
    text: &'t str,
    /// `None` after a panic.
    outcome: Option<Outcome>,
}

impl<'t> Judged<'t> {
    fn new(subject: &'t dyn Subject, text: &'t str) -> Self {
        Self { subject, text, outcome: outcome(subject, text) }
    }

    /// The result, unless the text was refused.
    fn accepted(&self) -> Option<&Accepted> {
        self.outcome.as_ref().and_then(Outcome::accepted)
    }
}

/// What comes of a text, or `None` if the subject panics.
fn outcome(subject: &dyn Subject, text: &str) -> Option<Outcome> {
    catch_unwind(AssertUnwindSafe(|| subject.repair(text))).ok()
}

/// Every law about one text.
pub const LAWS: [Law; 9] = [
    Law { name: "unpanicking", check: unpanicking },
    Law { name: "quiet", check: quiet },
    Law { name: "judged", check: judged },
    Law { name: "conserving", check: conserving },
    Law { name: "reversible", check: reversible },
    Law { name: "idempotent", check: idempotent },
    Law { name: "deterministic", check: deterministic },
    Law { name: "bounded", check: bounded },
    Law { name: "private", check: private },
];

/// Puts `text` to every law.
///
/// This repairs at most three texts: `text`, `text` again, and the output if it differs from `text`.
pub fn check_all(subject: &dyn Subject, text: &str) -> Result<(), Violation> {
    judge(subject, text).map(drop)
}

/// Puts `text` to every law and gives back the outcome that they judged: callers that ask more of it need not repair the text again.
///
/// # Errors
///
/// The first law that does not hold.
///
/// ```
/// use jsonseam_core::{Config, Pipeline, Root};
/// use jsonseam_testkit::laws::judge;
///
/// let pipeline = Pipeline::from_rules(&Config::default().with_root(Root::Any), Vec::new());
/// assert!(judge(&pipeline, "[1, 2]").expect("every law holds").accepted().is_some());
/// assert!(judge(&pipeline, "[1, 2").expect("every law holds").accepted().is_none());
/// ```
pub fn judge(subject: &dyn Subject, text: &str) -> Result<Outcome, Violation> {
    let judged = Judged::new(subject, text);
    LAWS.iter().try_for_each(|law| law.of(&judged))?;
    // There is an outcome: the law `unpanicking` holds.
    Ok(judged.outcome.unwrap_or_else(|| subject.repair(text)))
}

/// Like [`check_all`], for bytes that may not be UTF-8: the laws do not apply to those, which no pipeline reads.
pub fn check_bytes(subject: &dyn Subject, bytes: &[u8]) -> Result<(), Violation> {
    std::str::from_utf8(bytes).map_or(Ok(()), |text| check_all(subject, text))
}

fn shortened(text: &str) -> String {
    const SHOWN: usize = 400;
    if text.len() <= SHOWN {
        return text.to_owned();
    }
    let end = (0..=SHOWN).rev().find(|&end| text.is_char_boundary(end)).unwrap_or(0);
    format!("{}… ({} bytes)", &text[..end], text.len())
}

fn ensure(holds: bool, seen: impl FnOnce() -> String) -> Result<(), String> {
    if holds { Ok(()) } else { Err(seen()) }
}

/// Whether `text` is JSON, by a decoder that shares nothing with ours.
pub fn is_json(text: &str) -> bool {
    serde_json::from_str::<&RawValue>(text).is_ok()
}

/// No text makes a subject panic.
fn unpanicking(judged: &Judged<'_>) -> Result<(), String> {
    ensure(judged.outcome.is_some(), || "a panic".to_owned())
}

/// Valid text comes back byte for byte, without an edit (SPEC P0), unless a limit or the configured root refuses it.
fn quiet(judged: &Judged<'_>) -> Result<(), String> {
    let Some(accepted) = judged.accepted() else { return Ok(()) };
    // Where an object or array is wanted, a string is not a payload; a locator may find one in it.
    let is_string = judged.text.trim_start().starts_with('"');
    if !is_json(judged.text) || is_string && judged.subject.root() != Root::Any {
        return Ok(());
    }
    ensure(accepted.status == Status::Valid && accepted.edits.is_empty(), || "edits on valid text".to_owned())?;
    ensure(accepted.text == judged.text, || "valid text came back changed".to_owned())
}

/// Every output is JSON.
fn judged(judged: &Judged<'_>) -> Result<(), String> {
    ensure(judged.accepted().is_none_or(|accepted| is_json(&accepted.text)), || "an output that is not JSON".to_owned())
}

/// Every byte of the payload is kept, or inside exactly one edit (SPEC B2).
fn conserving(judged: &Judged<'_>) -> Result<(), String> {
    let (Some(accepted), text) = (judged.accepted(), judged.text) else { return Ok(()) };
    let payload = &accepted.payload;
    ensure(text.get(payload.clone()).is_some(), || format!("payload {payload:?} outside the completion"))?;
    let mut rebuilt = String::new();
    let mut pos = payload.start;
    for (rule, _, span, replacement) in &accepted.edits {
        let kept = text.get(pos..span.start).filter(|_| span.start <= span.end && span.end <= payload.end);
        let kept =
            kept.ok_or_else(|| format!("edit {span:?} of `{rule}` overlaps, is out of order or splits a character"))?;
        ensure(text.get(span.clone()).is_some_and(|removed| removed != replacement), || {
            format!("edit {span:?} of `{rule}` changes nothing")
        })?;
        rebuilt.push_str(kept);
        rebuilt.push_str(replacement);
        pos = span.end;
    }
    rebuilt.push_str(text.get(pos..payload.end).unwrap_or_default());
    ensure(rebuilt == accepted.text, || "kept spans and edits do not give the output".to_owned())?;
    ensure((accepted.status == Status::Valid) == accepted.edits.is_empty(), || {
        "the status contradicts the edits".to_owned()
    })
}

/// Taking the edits back gives the payload.
fn reversible(judged: &Judged<'_>) -> Result<(), String> {
    let Some(accepted) = judged.accepted() else { return Ok(()) };
    let payload = judged.text.get(accepted.payload.clone()).unwrap_or_default();
    ensure(accepted.reverted == payload, || "reverting does not give the payload".to_owned())
}

/// Every output is accepted again, unchanged, by the same subject (SPEC M4).
fn idempotent(judged: &Judged<'_>) -> Result<(), String> {
    let Some(first) = judged.accepted() else { return Ok(()) };
    // That a text which is its own output gives the same again is the law `deterministic`.
    let again = (first.text != judged.text).then(|| outcome(judged.subject, &first.text));
    match again.as_ref().unwrap_or(&judged.outcome) {
        Some(Outcome::Accepted(second)) => ensure(second.status == Status::Valid && second.text == first.text, || {
            "an output is changed when it comes back".to_owned()
        }),
        Some(Outcome::Refused { reason, .. }) => Err(format!("an output is refused when it comes back: {reason}")),
        None => Err("an output makes the subject panic when it comes back".to_owned()),
    }
}

/// The same text gives the same outcome again.
fn deterministic(judged: &Judged<'_>) -> Result<(), String> {
    ensure(outcome(judged.subject, judged.text) == judged.outcome, || "two runs differ".to_owned())
}

/// The work stays below the linear bound, and no refusal says that it did not (DESIGN 3, law 3).
fn bounded(judged: &Judged<'_>) -> Result<(), String> {
    judged.outcome.as_ref().map_or(Ok(()), |outcome| within_bound(outcome, judged.text.len()))
}

fn within_bound(outcome: &Outcome, len: usize) -> Result<(), String> {
    let work = outcome.work();
    ensure(work.is_linear(len), || format!("{work:?} for {len} bytes; at most {}", work.bound(len)))?;
    match outcome {
        Outcome::Refused { limit: Some(Limit::Work), message, .. } => {
            Err(format!("the work limit was exceeded: {message}"))
        }
        _ => Ok(()),
    }
}

/// Neither the `Debug` form of a result nor the message of a refusal holds a word of the text (SPEC M5).
fn private(judged: &Judged<'_>) -> Result<(), String> {
    let shown = match &judged.outcome {
        Some(Outcome::Accepted(accepted)) => [accepted.shown.as_str(), ""],
        Some(Outcome::Refused { message, shown, .. }) => [message.as_str(), shown],
        None => return Ok(()),
    };
    // Long runs of letters and digits cannot stand in a message by chance.
    let is_telling = |word: &&str| word.len() >= 12 && word.bytes().any(|byte| byte.is_ascii_digit());
    let mut words = judged.text.split(|char: char| !char.is_alphanumeric()).filter(is_telling);
    ensure(!words.any(|word| shown.iter().any(|shown| shown.contains(word))), || {
        "the text shows in a message".to_owned()
    })
}

/// The law of linear work: twice the text costs at most 2.1 times the work, for one family of texts at `n` bytes.
///
/// Everything is counted, each byte that an answer of [`Fault`](jsonseam_core::Fault) reads too, so this does not depend on the machine.
/// The lengths that `make` gives may differ from `n`; the ratio is taken of what it gave.
pub fn linear(subject: &dyn Subject, family: &str, make: &dyn Fn(usize) -> String, n: usize) -> Result<(), Violation> {
    /// What does not grow with the text, such as the start of a refusal, is not measured by a ratio.
    const FLOOR: u64 = 512;
    let violation = |seen: String| Violation { law: "linear", seen, text: format!("family `{family}` at {n} bytes") };
    let (once, twice) = (make(n), make(2 * n));
    let work = |text: &str| {
        let outcome = subject.repair(text);
        within_bound(&outcome, text.len()).map(|()| outcome.work().total()).map_err(violation)
    };
    let (first, second) = (work(&once)?, work(&twice)?);
    // second / first <= 1.05 * |twice| / |once|, in whole numbers.
    let allowed = first * 105 * twice.len() as u64 / (100 * once.len().max(1) as u64);
    ensure(second <= allowed + FLOOR, || {
        format!("{first} units of work for {} bytes, {second} for {}", once.len(), twice.len())
    })
    .map_err(violation)
}
