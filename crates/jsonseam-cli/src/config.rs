//! `jsonseam config`: does a configuration hold, and what is in force?

use std::collections::BTreeSet;
use std::fmt::{Display, Write};
use std::path::Path;

use anyhow::bail;
use jsonseam::{Catalogue, Config, Pipeline, Root};

use crate::arguments::EngineFlags;
use crate::console;
use crate::engine::{self, CONFIG_FILE, Engine, Loaded, PRESET_VARIABLE};
use crate::escape::escaped;
use crate::exit::Exit;

/// Loads the configuration and builds its pipeline, which also runs the cases of its patterns.
pub(crate) fn check(file: Option<&Path>) -> anyhow::Result<Exit> {
    let Some(path) = file.map(Path::to_owned).or_else(engine::nearest) else {
        bail!("there is no {CONFIG_FILE} here or above; `jsonseam init` writes one");
    };
    let Loaded { config, .. } = engine::load(&path)?;
    let catalogue = jsonseam::catalogue()?;
    let pipeline = Pipeline::new(&config, &catalogue).map_err(engine::with_advice)?;
    let rules = pipeline.rules().count();
    let name = path.to_string_lossy();
    let rules = crate::counts::counted(rules, "rule");
    console::emit(format!("{}: ok, preset {}, {rules}\n", escaped(&name), config.preset()).as_bytes())?;
    engine::warn_of_former_names(&config)?;
    for warning in warnings(&path, &config, &pipeline).into_iter().chain(preceded(&config, &catalogue)) {
        console::warn(format_args!("{name}: {warning}"));
    }
    Ok(Exit::Done)
}

/// What holds, but hardly does what was meant.
fn warnings(path: &Path, config: &Config, pipeline: &Pipeline) -> Vec<String> {
    let mut warnings = Vec::new();
    let enabled: Vec<&str> = pipeline.rules().map(|rule| rule.name.as_str()).collect();
    if enabled.is_empty() {
        warnings.push("no rule is enabled: nothing is ever repaired or located".to_owned());
    }
    if has_preset_and_order(path) {
        warnings.push("`order` names every rule that is asked; the preset adds none".to_owned());
    }
    for pattern in config.patterns() {
        if !enabled.contains(&pattern.name()) {
            warnings.push(format!("the pattern `{}` is not enabled: `order` leaves it out", pattern.name()));
        } else if pattern.cases().is_empty() {
            warnings.push(format!("the pattern `{}` has no [[pattern.case]] to prove what it does", pattern.name()));
        }
    }
    warnings
}

/// A warning for each pattern that repairs no case of its own, because other rules answer before it.
fn preceded(config: &Config, catalogue: &Catalogue) -> Vec<String> {
    let Ok(pipeline) = Pipeline::new(&config.clone().with_root(Root::Any), catalogue) else {
        return Vec::new();
    };
    let mut warnings = Vec::new();
    for pattern in config.patterns().iter().filter(|pattern| pipeline.rules().any(|rule| rule.name == pattern.name())) {
        let mended = pattern.cases().iter().filter(|case| case.output().is_some());
        let answers: Option<Vec<BTreeSet<String>>> = mended
            .map(|case| Some(pipeline.repair(case.input()).ok()?.edits().map(|edit| edit.rule.to_owned()).collect()))
            .collect();
        let Some(answers) = answers.filter(|answers| !answers.is_empty()) else { continue };
        if answers.iter().all(|rules| !rules.contains(pattern.name())) {
            let rules: BTreeSet<String> = answers.into_iter().flatten().map(|rule| format!("`{rule}`")).collect();
            let rules = rules.into_iter().collect::<Vec<_>>().join(", ");
            warnings.push(format!(
                "the pattern `{}` repairs none of its cases, because other rules answer first: {rules}; disable them to replace them",
                pattern.name()
            ));
        }
    }
    warnings
}

fn has_preset_and_order(path: &Path) -> bool {
    let table = table_of(path);
    is_stated(&table, "rules.order") && is_stated(&table, "preset")
}

/// The file as it is written; it has been read before, so what fails here is nothing to tell of.
fn table_of(path: &Path) -> toml::Table {
    std::fs::read_to_string(path).unwrap_or_default().parse().unwrap_or_default()
}

/// Whether the file states a setting, `a` or `a.b`.
fn is_stated(table: &toml::Table, key: &str) -> bool {
    match key.split_once('.') {
        Some((section, key)) => table.get(section).is_some_and(|section| section.get(key).is_some()),
        None => table.contains_key(key),
    }
}

/// Shows what is in force, and where each setting comes from.
pub(crate) fn show(flags: &EngineFlags) -> anyhow::Result<Exit> {
    let file = engine::base(flags.config.as_deref())?;
    let engine = Engine::from_flags(flags)?;
    let source = file.path.as_ref().map(|path| path.to_string_lossy().into_owned());
    let mut out = match &source {
        Some(name) => format!("# configuration: {}\n", escaped(name)),
        None => format!("# no {CONFIG_FILE} here or above; the defaults are in force\n"),
    };
    let named = source.as_deref().unwrap_or("file");
    let table = file.path.as_deref().map(table_of).unwrap_or_default();
    let mut line = |key: &str, value: &dyn Display, flag: Option<&str>| {
        let origin = flag.unwrap_or(if is_stated(&table, key) { named } else { "default" });
        let _ = writeln!(out, "{key} = {value}  # {}", escaped(origin));
    };
    let flag = |is_given: bool| is_given.then_some("flag");
    let config = &engine.config;
    // clap fills the flag from the environment.
    let environment = flags.preset.is_some() && std::env::var(PRESET_VARIABLE).ok() == flags.preset;
    let preset = if environment { Some(PRESET_VARIABLE) } else { flag(flags.preset.is_some()) };
    line("preset", &format_args!("\"{}\"", config.preset()), preset);
    if let Some(risk) = config.max_risk() {
        line("max-risk", &format_args!("\"{risk}\""), flag(flags.max_risk.is_some()));
    }
    line("root", &format_args!("\"{}\"", config.root()), flag(flags.root.is_some()));
    line("candidates.policy", &format_args!("\"{}\"", config.policy()), flag(flags.candidates.is_some()));
    line("candidates.max", &config.max_candidates(), None);
    let limits = config.limits();
    line("limits.max-input-bytes", &limits.max_input_bytes, flag(flags.max_input_bytes.is_some()));
    line("limits.max-depth", &limits.max_depth, None);
    if let Some(edits) = limits.max_edits {
        line("limits.max-edits", &edits, None);
    }
    let search = config.thresholds(&jsonseam::catalogue()?);
    line("search.margin", &search.margin, None);
    line("search.veto", &search.veto, None);
    line("search.beam", &search.beam, None);
    write_rules(&mut out, &engine)?;
    console::emit_text(&out)?;
    Ok(Exit::Done)
}

/// The enabled rules in their order, with what makes them more than the preset.
fn write_rules(out: &mut String, engine: &Engine) -> anyhow::Result<()> {
    let catalogue = jsonseam::catalogue()?;
    let preset = catalogue.preset(engine.config.preset()).map(|preset| preset.rules.as_slice()).unwrap_or_default();
    let enabled: Vec<&str> = engine.pipeline.rules().map(|rule| rule.name.as_str()).collect();
    let _ = writeln!(out, "\n# {} enabled:", crate::counts::counted(enabled.len(), "rule"));
    for name in &enabled {
        let pattern = engine.config.patterns().iter().find(|pattern| pattern.name() == *name);
        let origin = match pattern {
            Some(pattern) => format!("  # pattern, {}", pattern.place()),
            None if preset.iter().any(|of_preset| of_preset == name) => String::new(),
            None => "  # enabled by name".to_owned(),
        };
        let _ = writeln!(out, "{name}{origin}");
    }
    let missing: Vec<&str> = preset.iter().map(String::as_str).filter(|name| !enabled.contains(name)).collect();
    if !missing.is_empty() {
        let _ = writeln!(out, "\n# of the preset, but not enabled: {}", missing.join(", "));
    }
    Ok(())
}
