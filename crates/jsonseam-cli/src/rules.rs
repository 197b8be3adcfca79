//! `jsonseam rules`: the rules in a table.

use std::fmt::Write;

use jsonseam::{Catalogue, Config, Pipeline, Registration};

use crate::console;
use crate::exit::Exit;

/// Lists every rule, or those of one preset in their order.
pub(crate) fn run(preset: Option<&str>) -> anyhow::Result<Exit> {
    let catalogue = jsonseam::catalogue()?;
    let rules: Vec<&Registration> = match preset {
        None => {
            let mut rules = catalogue.rules().to_vec();
            rules.sort_by_key(|rule| rule.name);
            rules
        }
        Some(preset) => {
            let mut config = Config::default();
            config.set_preset(preset);
            let pipeline = Pipeline::new(&config, &catalogue)?;
            pipeline.rules().filter_map(|enabled| catalogue.rule(&enabled.name)).collect()
        }
    };
    console::emit_text(&table(&rules, &catalogue))?;
    Ok(Exit::Done)
}

/// The names of the presets that hold a rule.
pub(crate) fn presets_of(rule: &str, catalogue: &Catalogue) -> String {
    let names: Vec<&str> = catalogue
        .presets()
        .iter()
        .filter(|preset| preset.rules.iter().any(|name| name == rule))
        .map(|preset| preset.name.as_str())
        .collect();
    if names.is_empty() { "-".to_owned() } else { names.join(",") }
}

/// The risk of a rule; locators have none.
pub(crate) fn risk_of(rule: &Registration) -> &'static str {
    rule.risk().map_or("-", jsonseam::Risk::as_str)
}

fn table(rules: &[&Registration], catalogue: &Catalogue) -> String {
    let rows: Vec<[String; 4]> = rules
        .iter()
        .map(|rule| {
            let summary = rule.summary().to_owned();
            [rule.name.to_owned(), risk_of(rule).to_owned(), presets_of(rule.name, catalogue), summary]
        })
        .collect();
    let heading = ["RULE", "RISK", "PRESETS", "SUMMARY"].map(str::to_owned);
    let width = |column: usize| {
        rows.iter().chain([&heading]).filter_map(|row| row.get(column)).map(String::len).max().unwrap_or(0)
    };
    let (names, risks, presets) = (width(0), width(1), width(2));
    let mut out = String::new();
    for [name, risk, preset, summary] in [&heading].into_iter().chain(&rows) {
        let _ = writeln!(out, "{name:names$}  {risk:risks$}  {preset:presets$}  {summary}");
    }
    out
}
