//! What happened to the lines, in numbers.

use std::collections::BTreeMap;
use std::fmt::Write;

use crate::console;

use super::record::BadRecord;

/// The counts of some lines.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub(super) struct Tally {
    /// Lines that were not blank.
    pub(super) lines: u64,
    /// Blank lines.
    pub(super) blank: u64,
    /// Texts that were valid.
    pub(super) valid: u64,
    /// Texts that were repaired.
    pub(super) repaired: u64,
    /// Records over which a rule panicked.
    pub(super) internal: u64,
    refused: BTreeMap<&'static str, u64>,
    bad: BTreeMap<BadRecord, u64>,
    unmet: BTreeMap<String, u64>,
    edits: BTreeMap<String, u64>,
}

impl Tally {
    /// The counts of so many blank lines.
    pub(super) fn of_blank(blank: u64) -> Self {
        Self { blank, ..Self::default() }
    }

    /// Counts an edit of a rule.
    pub(super) fn count_edit(&mut self, rule: &str) {
        if let Some(count) = self.edits.get_mut(rule) {
            *count += 1;
        } else {
            self.edits.insert(rule.to_owned(), 1);
        }
    }

    /// Counts a refused text.
    pub(super) fn count_refusal(&mut self, reason: &'static str) {
        *self.refused.entry(reason).or_default() += 1;
    }

    /// Counts a text that did not meet the contract, whatever its status.
    pub(super) fn count_unmet(&mut self, reason: &str) {
        *self.unmet.entry(reason.to_owned()).or_default() += 1;
    }

    /// Counts a line that cannot be used.
    pub(super) fn count_bad(&mut self, bad: BadRecord) {
        *self.bad.entry(bad).or_default() += 1;
    }

    /// Adds the counts of other lines.
    pub(super) fn add(&mut self, other: &Self) {
        self.lines += other.lines;
        self.blank += other.blank;
        self.valid += other.valid;
        self.repaired += other.repaired;
        self.internal += other.internal;
        for (reason, count) in &other.refused {
            *self.refused.entry(reason).or_default() += count;
        }
        for (reason, count) in &other.unmet {
            *self.unmet.entry(reason.clone()).or_default() += count;
        }
        for (bad, count) in &other.bad {
            *self.bad.entry(*bad).or_default() += count;
        }
        for (rule, count) in &other.edits {
            *self.edits.entry(rule.clone()).or_default() += count;
        }
    }

    /// All records whose status is refused.
    pub(super) fn refusals(&self) -> u64 {
        self.refused.values().sum::<u64>() + self.bad.values().sum::<u64>() + self.internal
    }

    /// All records without a result: refused ones, and those that did not meet the contract.
    pub(super) fn failures(&self) -> u64 {
        self.refusals() + self.unmet.values().sum::<u64>()
    }

    /// Tells the counts on standard error.
    pub(super) fn tell(&self, is_verbose: bool) {
        let refused: u64 = self.refused.values().sum();
        let mut line =
            format!("{} records: {} valid, {} repaired, {refused} refused", self.lines, self.valid, self.repaired);
        if !self.unmet.is_empty() {
            let _ = write!(line, "; {} did not meet the contract", self.unmet.values().sum::<u64>());
        }
        if !self.bad.is_empty() {
            let reasons: Vec<String> =
                self.bad.iter().map(|(bad, count)| format!("{} {count}", bad.as_str())).collect();
            let _ = write!(line, ", {} bad ({})", self.bad.values().sum::<u64>(), reasons.join(", "));
        }
        if self.blank > 0 {
            let _ = write!(line, "; {} blank lines passed over", self.blank);
        }
        console::note(line);
        if self.internal > 0 {
            console::note(format_args!(
                "{} records hit an internal error (a rule panicked); please report it",
                self.internal
            ));
        }
        for (rule, count) in &self.edits {
            console::note_below(format_args!("{rule}: {count} edits"));
        }
        if is_verbose {
            for (reason, count) in &self.refused {
                console::note_below(format_args!("refused, {reason}: {count}"));
            }
            for (reason, count) in &self.unmet {
                console::note_below(format_args!("contract not met, {reason}: {count}"));
            }
        }
    }
}
