//! The pipelines that tasks put to work.

use anyhow::{Context, Result, anyhow};
use jsonseam::{Catalogue, Config, Pipeline, Root};
use jsonseam_testkit::cases::Case;
use jsonseam_testkit::corpus::Suite;
use jsonseam_testkit::rule_laws::subject_of;
use jsonseam_testkit::subject::Subject;

/// Every known rule and the presets.
pub(crate) fn catalogue() -> Result<Catalogue> {
    jsonseam::catalogue().context("the built-in rules and presets contradict each other")
}

/// The pipeline of a preset.
pub(crate) fn preset(name: &str, root: Root) -> Result<Pipeline> {
    let config = Config::default().with_preset(name).with_root(root);
    jsonseam::pipeline(&config).with_context(|| format!("preset {name}"))
}

/// The pipeline of a preset that asks for another margin, in hundredths.
pub(crate) fn preset_with_margin(name: &str, root: Root, margin: u32) -> Result<Pipeline> {
    let text = format!("preset = \"{name}\"\n[search]\nmargin = {margin}\n");
    let mut config = Config::from_toml(&text, "--margins")?;
    config = config.with_root(root);
    jsonseam::pipeline(&config).with_context(|| format!("preset {name}"))
}

/// The pipelines of all presets, by name.
pub(crate) fn presets(root: Root) -> Result<Vec<(String, Pipeline)>> {
    catalogue()?.presets().iter().map(|known| Ok((known.name.clone(), preset(&known.name, root)?))).collect()
}

/// A pipeline without any rule: what it accepts, the recogniser accepts.
pub(crate) fn recogniser() -> Result<Pipeline> {
    let config = Config::default().with_root(Root::Any).with_order(&[]);
    Ok(jsonseam::pipeline(&config)?)
}

/// What a case runs under: its preset and root in the corpus; beside a rule that rule with its options, then those of `with`, with any root.
pub(crate) fn of_case(suite: &Suite, case: &Case) -> Result<Box<dyn Subject>> {
    if !suite.is_of_rule {
        let config = case.config().map_err(|seen| anyhow!(seen))?;
        return Ok(case.subject(jsonseam::pipeline(&config)?));
    }
    let catalogue = catalogue()?;
    let rule = catalogue.rule(&suite.name).with_context(|| format!("there is no rule `{}`", suite.name))?;
    let (pipeline, _) = subject_of(rule, case).map_err(|seen| anyhow!(seen))?;
    Ok(case.subject(pipeline))
}
