//! The law *blind* (STREAM S8): an answer that did not touch the end of the text is the same for every longer text.
//!
//! The driver runs a rule alone on a text and on longer ones, and compares what it was asked and answered, question by question, up to the first
//! one that touched the end: from there on the two runs may differ. Whether a question touched the end is what the engine's cursor notes; the
//! driver takes it as one function, so that a planted one can show that the law bites.

use std::sync::{Arc, Mutex};

use jsonseam_core::{
    AnyRule, Config, Edits, Fault, Pipeline, Proposals, ReadPayload, Registration, RepairRule, Review, Root, RuleEntry,
};

use crate::laws::{Violation, is_json};
use crate::subject::Subject;

/// Whether the questions that a rule has asked of this fault so far read up to the end of the text, or asked whether it is near: the engine's own
/// note of it is `Fault::touched_end`.
pub type TouchesEnd = fn(&Fault<'_>) -> bool;

/// One question: where the fault was, all that the rule answered, and whether it touched the end.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Question {
    fault: usize,
    answers: Vec<Edits>,
    touches_end: bool,
}

/// A rule that behaves like another and keeps its questions.
struct Noted {
    rule: Arc<dyn RepairRule>,
    touches_end: TouchesEnd,
    log: Arc<Mutex<Vec<Question>>>,
}

impl RepairRule for Noted {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        // What another rule touched before is no matter of this one.
        fault.forget_touched_end();
        self.rule.answer(fault, to);
        if let Ok(mut log) = self.log.lock() {
            let touches_end = (self.touches_end)(fault);
            log.push(Question { fault: fault.pos(), answers: to.edits().cloned().collect(), touches_end });
        }
    }

    fn review(&self, payload: &ReadPayload<'_>) -> Option<Review> {
        self.rule.review(payload)
    }
}

/// What texts go on with.
const TAILS: [&str; 14] =
    ["\"", "x", "1", ",", "}", "]", ": 1", "\n", " ", "\\", "\", \"b\": 2}", "}]}", "// x\n", "'x': [\"y\"]"];

/// Whether the registered rule keeps the law on these texts; for a locator there is nothing to ask.
///
/// # Errors
///
/// The first violation, or that the rule cannot be built.
pub fn blind<'t>(
    rule: &Registration,
    texts: impl IntoIterator<Item = &'t str>,
    touches_end: TouchesEnd,
) -> Result<(), Violation> {
    let broken = |seen: String| Violation { law: "declaration", seen, text: rule.name.to_owned() };
    let entry = RuleEntry::of(rule).map_err(|error| broken(error.to_string()))?;
    blind_entry(entry, texts, touches_end)
}

/// The same for a rule that is not registered.
///
/// # Errors
///
/// The first violation.
pub fn blind_entry<'t>(
    mut entry: RuleEntry,
    texts: impl IntoIterator<Item = &'t str>,
    touches_end: TouchesEnd,
) -> Result<(), Violation> {
    let log = Arc::new(Mutex::default());
    let AnyRule::Repair { rule, .. } = &mut entry.rule else {
        return Ok(());
    };
    *rule = Arc::new(Noted { rule: Arc::clone(rule), touches_end, log: Arc::clone(&log) });
    let config = Config::default().with_root(Root::Any);
    let pipeline = Pipeline::from_rules(&config, vec![entry]);
    // A text that begins otherwise may be located anew when it grows, which is no matter of a rule.
    for text in texts.into_iter().filter(|text| text.starts_with(['{', '['])) {
        let mut questions = asked(&pipeline, &log, text);
        let settled = questions.iter().take_while(|question| !question.touches_end).count();
        questions.truncate(settled);
        if questions.is_empty() {
            continue;
        }
        for tail in TAILS {
            let longer = format!("{text}{tail}");
            if is_json(&longer) || is_json(text) {
                continue;
            }
            compare(&questions, &asked(&pipeline, &log, &longer), text, tail)?;
        }
    }
    Ok(())
}

fn asked(pipeline: &Pipeline, log: &Mutex<Vec<Question>>, text: &str) -> Vec<Question> {
    drop(Subject::repair(pipeline, text));
    log.lock().map(|mut log| std::mem::take(&mut *log)).unwrap_or_default()
}

/// What was asked of the shorter text before a question touched the end is asked of the longer one, with the same answers.
fn compare(shorter: &[Question], longer: &[Question], text: &str, tail: &str) -> Result<(), Violation> {
    for (index, question) in shorter.iter().enumerate() {
        let other = longer.get(index);
        if other.is_none_or(|other| other.fault != question.fault || other.answers != question.answers) {
            let seen = format!(
                "question {index}, at {}: {:?}, and {:?} when {tail:?} follows, though it did not touch the end",
                question.fault,
                question.answers,
                other.map(|other| (other.fault, &other.answers))
            );
            return Err(Violation { law: "blind", seen, text: text.to_owned() });
        }
    }
    Ok(())
}
