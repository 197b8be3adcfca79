//! What a reading has cost so far, and by how much it has led the readings that it met.

use std::ops::Range;
use std::sync::Arc;

use super::rules::RuleTable;
use crate::derived::copied;
use crate::edits::costs;
use crate::edits::journal::Entry;
use crate::edits::risk::Risk;

/// The score of one reading.
#[derive(Debug, Default)]
pub(super) struct Score {
    /// What its steps cost.
    pub(super) steps: u32,
    /// What the dearest of them costs.
    pub(super) worst: u32,
    /// The highest risk of its edits.
    pub(super) risk: Option<Risk>,
    /// The nearest reading with another value that it met.
    pub(super) rival: Option<Arc<Rival>>,
    /// What share of its cost the next step of a rule has, in hundredths, for the latest few rules: each is a habit.
    habits: Vec<(u16, u32)>,
    /// Whether it beat a reading of low risk, which would still be one had it gone on with the same steps.
    has_beaten_sober: bool,
}

copied! { Score: steps, worst, risk, rival, habits, has_beaten_sober }

/// A reading that lost to another one.
#[derive(Debug)]
pub(super) struct Rival {
    /// By how much, in hundredths.
    pub(super) gap: u32,
    /// What it cost in all, in hundredths.
    pub(super) cost: u32,
    /// Where the two part.
    pub(super) from: usize,
    /// Its edits from there on.
    pub(super) edits: Vec<(u16, Range<usize>)>,
    /// Why the lead is so small, if a rule said so.
    pub(super) doubt: Option<&'static str>,
}

/// How many rules a reading remembers the habits of.
const HABITS: usize = 16;

impl Score {
    /// By how much it leads the next reading that says something else; `None` if it met none.
    pub(super) fn gap(&self) -> Option<u32> {
        self.rival.as_ref().map(|rival| rival.gap)
    }

    /// Takes a step of `rule` that costs `cost` the first time; returns what it costs now.
    pub(super) fn take(&mut self, rule: u16, risk: Risk, cost: u32) -> u32 {
        let known = self.habits.iter().position(|(known, _)| *known == rule);
        let at = known.unwrap_or_else(|| {
            if self.habits.len() == HABITS {
                self.habits.remove(0);
            }
            self.habits.push((rule, 100));
            self.habits.len() - 1
        });
        let share = &mut self.habits[at].1;
        let price = cost * *share / 100;
        *share = *share * costs::REPEATED / 100;
        self.steps = self.steps.saturating_add(price);
        self.worst = self.worst.max(cost);
        self.risk = self.risk.max(Some(risk));
        self.has_beaten_sober &= risk < Risk::Guess;
        price
    }

    /// Remembers a reading with another value, if none was nearer.
    pub(super) fn meet(&mut self, rival: Rival) {
        if self.gap().is_none_or(|gap| rival.gap < gap) {
            self.rival = Some(Arc::new(rival));
        }
    }

    /// Remembers that a reading of this risk, which says something else, was beaten.
    pub(super) fn beat(&mut self, risk: Option<Risk>) {
        self.has_beaten_sober |= risk < Some(Risk::Guess);
    }

    /// Whether a reading was beaten that a smaller preset would have taken: one of low risk that would have come to the end too.
    pub(super) fn beats_lower_risk(&self) -> bool {
        self.has_beaten_sober && self.risk >= Some(Risk::Guess)
    }

    /// Forgets all steps but those of `kept`.
    pub(super) fn rewind(&mut self, kept: &[Entry], rules: &RuleTable) {
        self.steps = kept.iter().map(|entry| u32::from(entry.cost)).sum();
        self.worst = kept.iter().map(|entry| u32::from(entry.cost)).max().unwrap_or(0);
        self.risk = kept.iter().map(|entry| rules.risk(entry.rule())).max().flatten();
    }
}
