//! A thousand subsets of all rules, each in an order of its own, keep every law.

use std::collections::HashSet;
use std::sync::Mutex;

use anyhow::Result;
use jsonseam_testkit::random::Random;
use jsonseam_testkit::subsets::{laws_of_subset, subset};

use super::{Figures, on_all_cores};
use crate::subjects;

const SUBSETS: u64 = 1_000;
const QUICK_SUBSETS: u64 = 100;

/// Runs the campaign.
pub(super) fn run(is_quick: bool) -> Result<Figures> {
    let catalogue = subjects::catalogue()?;
    let rules = catalogue.rules();
    let count = if is_quick { QUICK_SUBSETS } else { SUBSETS };
    let seen: Mutex<HashSet<Vec<&str>>> = Mutex::default();
    let mut figures = on_all_cores(|index, parts| {
        let mut figures = Figures::default();
        for seed in (0..count).filter(|seed| seed % parts == index) {
            figures.texts += 24;
            let names = subset(rules, &mut Random::new(seed)).iter().map(|rule| rule.name).collect();
            if let Ok(mut seen) = seen.lock() {
                seen.insert(names);
            }
            if let Err(violation) = laws_of_subset(rules, seed) {
                figures.complain(|| violation.to_string());
            }
        }
        figures
    });
    let different = seen.into_inner().map_or(0, |seen| seen.len());
    figures.counted = format!("{different} different subsets and orders of {} rules", rules.len());
    Ok(figures)
}
