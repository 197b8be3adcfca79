//! One line about a repair.

use std::collections::BTreeMap;
use std::fmt::Write;

use jsonseam::{Repaired, Status};

use crate::counts::{counted, descending};

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
