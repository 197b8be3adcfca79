//! Counts by group, as a Markdown table.

use std::collections::BTreeMap;
use std::fmt;

use super::case::{Case, Outcome};

/// Counts of the cases of one group.
#[derive(Debug, Default, Clone, Copy)]
pub(super) struct Counts {
    pub(super) counted: usize,
    pub(super) equal: usize,
    pub(super) refused: usize,
    pub(super) missed: usize,
    pub(super) other_values: usize,
    pub(super) wrong: usize,
    pub(super) over: usize,
    /// Cases that do not count, and how many of them are equal.
    debatable: usize,
    debatable_equal: usize,
}

impl Counts {
    fn add(&mut self, case: &Case, outcome: &Outcome) {
        if !case.is_counted() {
            self.debatable += 1;
            self.debatable_equal += usize::from(outcome.is_equal());
            return;
        }
        self.counted += 1;
        match outcome {
            Outcome::Equal => self.equal += 1,
            Outcome::OtherValues => self.other_values += 1,
            Outcome::Missed => self.missed += 1,
            Outcome::Refused(_) => self.refused += 1,
            Outcome::WrongCalls => self.wrong += 1,
            Outcome::Over => self.over += 1,
        }
    }
}

/// Counts by the name of a group.
#[derive(Debug, Default)]
pub(super) struct Table {
    groups: BTreeMap<String, Counts>,
    total: Counts,
}

impl Table {
    pub(super) fn add(&mut self, group: &str, case: &Case, outcome: &Outcome) {
        self.groups.entry(group.to_owned()).or_default().add(case, outcome);
        self.total.add(case, outcome);
    }

    pub(super) fn total(&self) -> Counts {
        self.total
    }
}

impl fmt::Display for Table {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(
            formatter,
            "| | counted | equal | refused | missed | other values | wrong calls | over | not counted (equal) |"
        )?;
        writeln!(formatter, "|---|---|---|---|---|---|---|---|---|")?;
        let total = [("all", &self.total)];
        for (group, counts) in self.groups.iter().map(|(group, counts)| (group.as_str(), counts)).chain(total) {
            let Counts { counted, equal, refused, missed, other_values, wrong, over, debatable, debatable_equal } =
                counts;
            writeln!(
                formatter,
                "| {group} | {counted} | {equal} | {refused} | {missed} | {other_values} | {wrong} | {over} | {debatable} ({debatable_equal}) |"
            )?;
        }
        Ok(())
    }
}
