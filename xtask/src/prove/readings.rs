//! The laws of readings (SPEC R4) over damaged documents, every short text, and texts with two truths.
//!
//! The tests of the crate `jsonseam` put every case of the corpus to the same laws.

use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result};
use jsonseam::{Config, Pipeline, Root};
use jsonseam_testkit::damage::{Defect, damage_many};
use jsonseam_testkit::doubtful::doubtful_texts;
use jsonseam_testkit::exhaustive::Exhaustive;
use jsonseam_testkit::laws::Violation;
use jsonseam_testkit::readings;

use super::{Figures, on_all_cores, share};
use crate::subjects;

/// Symbols in the longest of the short texts.
const LONGEST: u32 = 6;
const QUICK_LONGEST: u32 = 4;

const DOCUMENTS: u64 = 20_000;
const QUICK_DOCUMENTS: u64 = 2_000;

/// Texts with two truths.
const DOUBTFUL: u64 = 10_000;
const QUICK_DOUBTFUL: u64 = 800;

/// Orders of the rules of each preset; every text is put to one of them, which depends on the text.
const ORDERS: u64 = 200;

/// Parts that the texts are cut into, however many cores there are.
const SHARDS: u64 = 16;

/// Puts a text to a law.
type Check<'c> = &'c (dyn Fn(&str) -> Vec<Violation> + Sync);

/// Shuffled rules give the same values and the same refusals.
pub(super) fn order_free(is_quick: bool) -> Result<Figures> {
    let mut presets = Vec::new();
    for (name, pipeline) in subjects::presets(Root::Any)? {
        presets.push((orders(&name)?, pipeline));
    }
    let check = |text: &str| {
        let number = readings::seed_of(text);
        let of_preset = |(orders, subject): &(Vec<Pipeline>, Pipeline)| {
            let other = usize::try_from(number % ORDERS).ok().and_then(|index| orders.get(index))?;
            readings::order_free(subject, other, text).err()
        };
        presets.iter().filter_map(of_preset).collect()
    };
    Ok(over_texts(is_quick, &check))
}

/// The same rules in as many orders as there are seeds.
fn orders(preset: &str) -> Result<Vec<Pipeline>> {
    let catalogue = subjects::catalogue()?;
    let names = &catalogue.preset(preset).context("the preset is built in")?.rules;
    let rules: Vec<_> = names.iter().filter_map(|name| catalogue.rule(name)).collect();
    let build = |seed| {
        let config =
            Config::default().with_preset(preset).with_root(Root::Any).with_order(&readings::shuffled(&rules, seed));
        Ok(jsonseam::pipeline(&config)?)
    };
    (0..ORDERS).map(build).collect()
}

/// What a preset repairs, the next richer one repairs alike.
pub(super) fn monotone(is_quick: bool) -> Result<Figures> {
    let presets = subjects::presets(Root::Any)?;
    let check = |text: &str| {
        let of_pair = |pair: &[(String, Pipeline)]| match pair {
            [(_, poorer), (_, richer)] => readings::monotone(poorer, richer, text).err(),
            _ => None,
        };
        presets.windows(2).filter_map(of_pair).collect()
    };
    Ok(over_texts(is_quick, &check))
}

/// Certain and likely mean what they say.
pub(super) fn honest(is_quick: bool) -> Result<Figures> {
    let presets = subjects::presets(Root::Any)?;
    let check = |text: &str| presets.iter().filter_map(|(_, subject)| readings::honest(subject, text).err()).collect();
    Ok(over_texts(is_quick, &check))
}

/// A text with two truths is refused.
pub(super) fn doubtful(is_quick: bool) -> Result<Figures> {
    let presets = subjects::presets(Root::Any)?;
    let count = if is_quick { QUICK_DOUBTFUL } else { DOUBTFUL };
    let violations = AtomicU64::new(0);
    let figures = on_all_cores(|index, parts| {
        let mut figures = Figures::default();
        let texts = doubtful_texts(31, usize::try_from(count).unwrap_or(usize::MAX)).enumerate();
        for (_, text) in texts.filter(|(number, _)| *number as u64 % parts == index) {
            figures.texts += 1;
            for (_, subject) in &presets {
                if let Err(violation) = readings::doubtful(subject, &text.text) {
                    note(&violations, &mut figures, &violation);
                }
            }
        }
        figures
    });
    Ok(counted(figures, violations.into_inner()))
}

/// Puts damaged documents and every short text to a law, on all cores.
fn over_texts(is_quick: bool, check: Check<'_>) -> Figures {
    let (documents, longest) = if is_quick { (QUICK_DOCUMENTS, QUICK_LONGEST) } else { (DOCUMENTS, LONGEST) };
    let violations = AtomicU64::new(0);
    let figures = on_all_cores(|index, parts| {
        let mut figures = Figures::default();
        // The shards are the same on every machine, and so are the counts.
        for shard in (0..SHARDS).filter(|shard| shard % parts == index) {
            let mut put = |text: &str| {
                figures.texts += 1;
                for violation in check(text) {
                    note(&violations, &mut figures, &violation);
                }
            };
            let count = usize::try_from(share(documents, shard, SHARDS)).unwrap_or(usize::MAX);
            for damaged in damage_many(0x12ead + shard, Defect::ALL, count) {
                put(&damaged.text);
            }
            let mut texts = Exhaustive::shard(longest, shard, SHARDS);
            while let Some(text) = texts.advance() {
                put(text);
            }
        }
        figures
    });
    counted(figures, violations.into_inner())
}

fn note(violations: &AtomicU64, figures: &mut Figures, violation: &Violation) {
    violations.fetch_add(1, Ordering::Relaxed);
    figures.complain(|| violation.to_string());
}

/// The first few violations are complaints; this says how many there are.
fn counted(mut figures: Figures, violations: u64) -> Figures {
    figures.counted = format!("{violations} violations");
    figures
}
