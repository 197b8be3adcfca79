//! Everything that people read: summaries, refusals, diffs, annotated sources.

mod annotated;
mod refused;
mod unified;

use std::collections::BTreeMap;
use std::fmt::Write;

use jsonseam::{Repaired, Status};

pub(crate) use annotated::explanation;
pub(crate) use refused::{refusal, refusal_line, repair_help};
pub(crate) use unified::diff;

/// One line: what was done to `name`.
pub(crate) fn summary(name: &str, repaired: &Repaired<'_>) -> String {
    let mut line = format!("{name}: ");
    if repaired.status() == Status::Valid {
        line.push_str("valid, no edits");
    } else {
        let mut rules = BTreeMap::<&str, usize>::new();
        for seam in repaired.edits() {
            *rules.entry(seam.rule).or_default() += 1;
        }
        let rules: Vec<String> = rules.iter().map(|(rule, count)| format!("{rule} {count}")).collect();
        let _ = write!(line, "repaired, {} ({})", counted(repaired.edits().len(), "edit"), rules.join(", "));
    }
    if let Some(risk) = repaired.risk() {
        let _ = write!(line, ", risk {risk}");
    }
    if repaired.is_truncated() {
        line.push_str(", truncated");
    }
    line
}

/// A number with its noun.
pub(crate) fn counted(count: usize, noun: &str) -> String {
    if count == 1 { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
