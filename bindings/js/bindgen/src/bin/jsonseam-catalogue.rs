//! `jsonseam-catalogue`: what there is to know about the rules, for pages and tools, as JSON.
//!
//! It is a file beside the engine and not a part of it: only those who show the texts load them.

use anyhow::Result;
use jsonseam::{Preset, Risk, Role, built_in};
use serde::Serialize;

#[derive(Serialize)]
struct Catalogue<'c> {
    rules: Vec<Rule<'c>>,
    presets: Vec<PresetRules<'c>>,
}

#[derive(Serialize)]
struct Rule<'c> {
    name: &'c str,
    /// Null for a locator that makes no edit.
    risk: Option<&'c str>,
    locator: bool,
    summary: &'c str,
    /// Markdown, with the headings *What*, *Why*, *Example*, *Limits*.
    doc: &'c str,
}

#[derive(Serialize)]
struct PresetRules<'c> {
    name: &'c str,
    rules: &'c [String],
}

impl<'c> From<&'c Preset> for PresetRules<'c> {
    fn from(preset: &'c Preset) -> Self {
        Self { name: &preset.name, rules: &preset.rules }
    }
}

fn main() -> Result<()> {
    let known = built_in()?;
    let rules = known.rules().iter().map(|rule| Rule {
        name: rule.name,
        risk: rule.risk().map(Risk::as_str),
        locator: !matches!(rule.role, Role::Repair { .. }),
        summary: rule.summary(),
        doc: rule.doc,
    });
    let catalogue = Catalogue { rules: rules.collect(), presets: known.presets().iter().map(Into::into).collect() };
    serde_json::to_writer(std::io::stdout().lock(), &catalogue)?;
    Ok(())
}
