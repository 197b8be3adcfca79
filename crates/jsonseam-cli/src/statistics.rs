//! Counts over many texts.

use std::collections::BTreeMap;

use jsonseam::{Error, Reason, Repaired, Status};

use crate::console;
use crate::counts::{counted, descending};

/// What happened to texts, in numbers.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(crate) struct Statistics {
    /// Texts that are as they should be.
    pub(crate) unchanged: u64,
    /// Texts that a repair changes, or has changed.
    pub(crate) changed: u64,
    /// Texts that are refused.
    pub(crate) refused: u64,
    /// Texts that were cut off, whether they are refused for it or not.
    pub(crate) truncated: u64,
    /// Files that cannot be read or written.
    pub(crate) unreadable: u64,
    /// What was found, for a log of all files.
    pub(crate) findings: Vec<serde_json::Value>,
    edits: BTreeMap<String, u64>,
    reasons: BTreeMap<&'static str, u64>,
}

impl Statistics {
    /// One text that is refused.
    pub(crate) fn of_refused() -> Self {
        Self { refused: 1, ..Self::default() }
    }

    /// Counts the edits of a repair.
    pub(crate) fn count_edits(&mut self, repaired: &Repaired<'_>) {
        if repaired.status() == Status::Repaired {
            for seam in repaired.edits() {
                *self.edits.entry(seam.rule.to_owned()).or_default() += 1;
            }
        }
    }

    /// Counts a refusal by its reason.
    pub(crate) fn count_refusal(&mut self, error: &Error) {
        *self.reasons.entry(error.reason().as_str()).or_default() += 1;
        self.truncated += u64::from(error.reason() == Reason::Truncated);
    }

    /// Adds other counts.
    pub(crate) fn add(&mut self, other: &Self) {
        self.unchanged += other.unchanged;
        self.changed += other.changed;
        self.refused += other.refused;
        self.unreadable += other.unreadable;
        self.truncated += other.truncated;
        self.findings.extend(other.findings.iter().cloned());
        for (rule, count) in &other.edits {
            *self.edits.entry(rule.clone()).or_default() += count;
        }
        for (reason, count) in &other.reasons {
            *self.reasons.entry(reason).or_default() += count;
        }
    }

    /// Tells the counts of files, in the words of what was done to those that are not as they should be.
    pub(crate) fn tell_files(&self, unchanged: &str, changed: Option<&str>) {
        let total = self.unchanged + self.changed + self.refused + self.unreadable;
        let mut parts = vec![format!("{} {unchanged}", self.unchanged)];
        parts.extend(changed.map(|changed| format!("{} {changed}", self.changed)));
        parts.push(format!("{} refused", self.refused));
        if self.unreadable > 0 {
            parts.push(format!("{} could not be read or written", self.unreadable));
        }
        let truncated = if self.truncated > 0 { format!("; {} truncated", self.truncated) } else { String::new() };
        console::note(format_args!("{}: {}{truncated}", counted(total, "file"), parts.join(", ")));
    }

    /// Tells the counts by rule and by reason, the largest first.
    pub(crate) fn tell_details(&self) {
        for (rule, count) in descending(&self.edits) {
            console::note_below(format_args!("{rule}: {}", counted(count, "edit")));
        }
        for (reason, count) in descending(&self.reasons) {
            console::note_below(format_args!("refused, {reason}: {count}"));
        }
    }
}
