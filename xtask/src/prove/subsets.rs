//! Every rule alone, all rules but one, and a thousand subsets of them, each in an order of its own, keep every law.

use std::collections::HashSet;
use std::sync::Mutex;

use anyhow::Result;
use jsonseam_testkit::random::Random;
use jsonseam_testkit::subsets::{laws_of, laws_of_subset, subset};

use super::{Figures, on_all_cores};
use crate::subjects;

const SUBSETS: u64 = 1_000;
const QUICK_SUBSETS: u64 = 100;

/// Every rule alone, and all rules but each: the quick form puts them to the texts of one seed, the full one to those of ten.
pub(super) fn alone_and_left_out(is_quick: bool) -> Result<Figures> {
    let catalogue = subjects::catalogue()?;
    let rules = catalogue.rules();
    let seeds = if is_quick { 1 } else { 10 };
    let mut figures = on_all_cores(|index, parts| {
        let mut figures = Figures::default();
        for (at, rule) in rules.iter().enumerate().filter(|(at, _)| *at as u64 % parts == index) {
            let others: Vec<_> = rules.iter().copied().filter(|other| other.name != rule.name).collect();
            for seed in 0..seeds {
                for chosen in [&[*rule][..], &others] {
                    figures.texts += 24;
                    if let Err(violation) = laws_of(chosen, &mut Random::new(seed << 16 | at as u64)) {
                        figures.complain(|| violation.to_string());
                    }
                }
            }
        }
        figures
    });
    figures.counted = format!("{} rules, alone and left out", rules.len());
    Ok(figures)
}

/// Runs the campaign over subsets.
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
