//! What a reading has cost so far, and by how much it has led the readings that it met.

use std::ops::Range;
use std::sync::Arc;

use super::rules::RuleTable;
use crate::debug::copied;
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
    /// How often each rule has made a step, for the latest few rules.
    habits: Vec<(u16, u16)>,
    /// The risk of the least risky reading that it beat, had that one gone on with the same steps.
    lower: Option<Lowest>,
}

copied! { Score: steps, worst, risk, rival, habits, lower }

/// The risk of a reading; `None` if it has no edit that carries one.
#[derive(Debug, Clone, Copy)]
struct Lowest(Option<Risk>);

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

/// What share of its cost a step still has after so many steps of the same rule, in hundredths; later ones cost nothing.
const SHARES: [u32; 17] = {
    let mut shares = [100; 17];
    let mut times = 1;
    while times < shares.len() {
        let share = shares[times - 1] * costs::REPEATED / 100;
        shares[times] = share;
        times += 1;
    }
    shares
};

/// How many rules a reading remembers the habits of.
const HABITS: usize = 16;

impl Score {
    /// By how much it leads the next reading that says something else; `None` if it met none.
    pub(super) fn gap(&self) -> Option<u32> {
        self.rival.as_ref().map(|rival| rival.gap)
    }

    /// What a step of `rule` that costs `cost` the first time costs now.
    pub(super) fn price(&self, rule: u16, cost: u32) -> u32 {
        let times = self.habits.iter().find(|(known, _)| *known == rule).map_or(0, |(_, times)| *times);
        let share = SHARES.get(usize::from(times)).copied().unwrap_or(0);
        cost * share / 100
    }

    /// Takes a step of `rule`; returns what it costs.
    pub(super) fn take(&mut self, rule: u16, risk: Risk, cost: u32) -> u32 {
        let price = self.price(rule, cost);
        if let Some((_, times)) = self.habits.iter_mut().find(|(known, _)| *known == rule) {
            *times = times.saturating_add(1);
        } else {
            if self.habits.len() == HABITS {
                self.habits.remove(0);
            }
            self.habits.push((rule, 1));
        }
        self.steps = self.steps.saturating_add(price);
        self.worst = self.worst.max(cost);
        self.risk = self.risk.max(Some(risk));
        self.lower = self.lower.map(|Lowest(lower)| Lowest(lower.max(Some(risk))));
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
        self.lower = Some(Lowest(self.lower.map_or(risk, |Lowest(lower)| lower.min(risk))));
    }

    /// Whether a reading was beaten that a smaller preset would have taken: one of low risk that would have come to the end too.
    pub(super) fn beats_lower_risk(&self) -> bool {
        let is_sober = |risk: Option<Risk>| risk < Some(Risk::Guess);
        self.lower.is_some_and(|Lowest(lower)| is_sober(lower) && !is_sober(self.risk))
    }

    /// Forgets all steps but those of `kept`.
    pub(super) fn rewind(&mut self, kept: &[Entry], rules: &RuleTable) {
        self.steps = kept.iter().map(|entry| u32::from(entry.cost)).sum();
        self.worst = kept.iter().map(|entry| u32::from(entry.cost)).max().unwrap_or(0);
        self.risk = kept.iter().map(|entry| rules.risk(entry.rule())).max().flatten();
    }
}
