//! Valid documents come back byte for byte, borrowed, and no rule is asked about them (DESIGN 3, law 1).

use std::borrow::Cow;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use anyhow::{Context, Result};
use jsonseam::rule::{Candidates, Fault, LocateRule, Proposals, Region, RepairRule};
use jsonseam::{AnyRule, Catalogue, Config, Pipeline, Root, RuleEntry};
use jsonseam_testkit::generate::{RootKind, Shape, document};
use jsonseam_testkit::random::Random;

use super::{Figures, on_all_cores, share};
use crate::subjects;

const DOCUMENTS: u64 = 1_000_000;
const QUICK_DOCUMENTS: u64 = 20_000;

/// Runs the campaign.
pub(super) fn run(is_quick: bool) -> Result<Figures> {
    let documents = if is_quick { QUICK_DOCUMENTS } else { DOCUMENTS };
    let catalogue = subjects::catalogue()?;
    let calls = Arc::new(AtomicU64::new(0));
    let pipelines = catalogue
        .presets()
        .iter()
        .map(|preset| Ok((preset.name.as_str(), counted(&catalogue, &preset.rules, &calls)?)))
        .collect::<Result<Vec<_>>>()?;
    let bytes = AtomicU64::new(0);
    let mut figures = on_all_cores(|index, parts| {
        let mut figures = Figures::default();
        let mut random = Random::new(0x5eed + index);
        for _ in 0..share(documents, index, parts) {
            let text = document(&Shape::any(RootKind::Any, &mut random), &mut random).text();
            bytes.fetch_add(text.len() as u64, Ordering::Relaxed);
            figures.texts += 1;
            for (name, pipeline) in &pipelines {
                if let Err(seen) = is_left_alone(pipeline, &text) {
                    figures.complain(|| format!("{name}: {seen}: {text:?}"));
                }
            }
        }
        figures
    });
    let calls = calls.load(Ordering::Relaxed);
    if calls > 0 {
        figures.complain(|| format!("rules were asked {calls} times"));
    }
    figures.counted =
        format!("{} presets, {} MB, {calls} rules asked", pipelines.len(), bytes.into_inner() / 1_000_000);
    Ok(figures)
}

fn is_left_alone(pipeline: &Pipeline, text: &str) -> Result<(), String> {
    match pipeline.repair(text) {
        Ok(repaired) if repaired.edits().len() > 0 => Err("edits".to_owned()),
        Ok(repaired) => match repaired.into_text() {
            Cow::Borrowed(output) if std::ptr::eq(output, text) => Ok(()),
            Cow::Borrowed(_) => Err("a part of the text".to_owned()),
            Cow::Owned(_) => Err("a copy".to_owned()),
        },
        Err(error) => Err(format!("refused: {error}")),
    }
}

/// A pipeline of these rules that counts every question to any of them.
fn counted(catalogue: &Catalogue, names: &[String], calls: &Arc<AtomicU64>) -> Result<Pipeline> {
    let mut rules = Vec::new();
    for name in names {
        let mut entry = RuleEntry::of(catalogue.rule(name).context("presets name known rules")?)?;
        match &mut entry.rule {
            AnyRule::Locate { rule, .. } => {
                *rule = Arc::new(Counted { rule: Arc::clone(rule), calls: Arc::clone(calls) });
            }
            AnyRule::Repair { rule, .. } => {
                *rule = Arc::new(Counted { rule: Arc::clone(rule), calls: Arc::clone(calls) });
            }
        }
        rules.push(entry);
    }
    let config = Config::default().with_root(Root::Any);
    Ok(Pipeline::from_rules(&config, rules))
}

/// A rule that counts how often it is asked.
struct Counted<R: ?Sized> {
    rule: Arc<R>,
    calls: Arc<AtomicU64>,
}

impl LocateRule for Counted<dyn LocateRule> {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.rule.locate(region, found);
    }
}

impl RepairRule for Counted<dyn RepairRule> {
    fn answer(&self, fault: &Fault<'_>, to: &mut Proposals) {
        self.calls.fetch_add(1, Ordering::Relaxed);
        self.rule.answer(fault, to);
    }
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicU64, Ordering};

    use super::{counted, is_left_alone};
    use crate::subjects;

    #[test]
    fn questions_are_counted_and_edits_are_seen() {
        let catalogue = subjects::catalogue().expect("the built-in rules are in order");
        let calls = Arc::new(AtomicU64::new(0));
        let rules = &catalogue.preset("strict").expect("it is built in").rules;
        let pipeline = counted(&catalogue, rules, &calls).expect("its rules are known");
        assert_eq!(is_left_alone(&pipeline, " [1] "), Ok(()));
        assert_eq!(calls.load(Ordering::Relaxed), 0);
        assert!(is_left_alone(&pipeline, "[1,]").is_err());
        assert!(is_left_alone(&pipeline, "x {} y").is_err());
        assert!(calls.load(Ordering::Relaxed) > 0);
    }
}
