//! Everything that people read: summaries, refusals, diffs, annotated sources.

mod annotated;
mod github;
mod pretty;
mod refused;
mod unified;

use std::collections::BTreeMap;
use std::fmt::{Display, Write};

use jsonseam::{Repaired, Status};

pub(crate) use annotated::{annotated, explanation};
pub(crate) use github::{annotate, annotation};
pub(crate) use pretty::pretty;
pub(crate) use refused::{LONGEST_ADVISED, looks_like_utf16, refusal, refusal_line, refusal_of_line, repair_help};
pub(crate) use unified::{Change, diff, diff_of, shown_diff};

use crate::statistics::descending;

/// One line: what was done to `name`, a text of `len` bytes.
pub(crate) fn summary(name: &str, repaired: &Repaired<'_>, len: usize) -> String {
    let payload = repaired.payload();
    let kept = (payload.len() < len).then(|| format!("bytes {}..{} of {len} kept", payload.start, payload.end));
    let mut line = format!("{name}: ");
    match (repaired.status(), &kept) {
        (Status::Valid, None) => line.push_str("valid, no edits"),
        (Status::Valid, Some(kept)) => {
            let _ = write!(line, "extracted: {kept}, no edits");
        }
        (Status::Repaired, _) => {
            let mut rules = BTreeMap::<String, u64>::new();
            for seam in repaired.edits() {
                *rules.entry(seam.rule.to_owned()).or_default() += 1;
            }
            let rules: Vec<String> = descending(&rules).iter().map(|(rule, count)| format!("{rule} {count}")).collect();
            let _ = write!(line, "repaired, {} ({})", counted(repaired.edits().len(), "edit"), rules.join(", "));
        }
    }
    if let Some(risk) = repaired.risk() {
        let _ = write!(line, ", risk {risk}");
    }
    if let (Status::Repaired, Some(kept)) = (repaired.status(), &kept) {
        let _ = write!(line, "; {kept}");
    }
    if repaired.is_truncated() {
        line.push_str(", truncated");
    }
    if !repaired.further().is_empty() {
        let _ = write!(line, "; {} left out", counted(repaired.further().len(), "further payload"));
    }
    line
}

/// A number with its noun.
pub(crate) fn counted<N: Copy + Display + PartialEq + From<u8>>(count: N, noun: &str) -> String {
    if count == N::from(1) { format!("1 {noun}") } else { format!("{count} {noun}s") }
}
