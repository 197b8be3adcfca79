//! What there is to know about the rules, for pages and tools.

use jsonseam::{Preset, Risk, Role, built_in};
use serde::Serialize;
use wasm_bindgen::prelude::wasm_bindgen;

use crate::problem::Problem;

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

/// Every built-in rule and every preset, as JSON.
#[wasm_bindgen]
pub fn catalogue() -> Result<String, Problem> {
    let known = built_in()?;
    let rules = known.rules().iter().map(|rule| Rule {
        name: rule.name,
        risk: rule.risk().map(Risk::as_str),
        locator: !matches!(rule.role, Role::Repair { .. }),
        summary: rule.summary(),
        doc: rule.doc,
    });
    Ok(crate::json(&Catalogue { rules: rules.collect(), presets: known.presets().iter().map(Into::into).collect() }))
}
