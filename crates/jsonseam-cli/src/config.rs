//! `jsonseam config`: does a configuration hold, and what is in force?

use std::collections::BTreeSet;
use std::fmt::Write;
use std::path::Path;

use anyhow::bail;
use jsonseam::{Catalogue, Config, Pipeline, Root};

use crate::arguments::EngineFlags;
use crate::console;
use crate::engine::{self, CONFIG_FILE, Engine, Loaded};
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
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let table = text.parse::<toml::Table>().unwrap_or_default();
    let order = table.get("rules").and_then(|rules| rules.get("order"));
    order.is_some() && table.contains_key("preset")
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
    let plain = Config::default();
    let named = source.as_deref().unwrap_or("file");
    let mut line = |setting: String, is_flag: bool, is_in_file: bool| {
        let origin = if is_flag {
            "flag"
        } else if is_in_file {
            named
        } else {
            "default"
        };
        let _ = writeln!(out, "{setting}  # {}", escaped(origin));
    };
    let (config, from_file) = (&engine.config, &file.config);
    line(format!("preset = \"{}\"", config.preset()), flags.preset.is_some(), from_file.preset() != plain.preset());
    if let Some(risk) = config.max_risk() {
        line(format!("max-risk = \"{risk}\""), flags.max_risk.is_some(), from_file.max_risk().is_some());
    }
    line(format!("root = \"{}\"", config.root()), flags.root.is_some(), from_file.root() != plain.root());
    line(
        format!("candidates.policy = \"{}\"", config.policy()),
        flags.candidates.is_some(),
        from_file.policy() != plain.policy(),
    );
    line(
        format!("candidates.max = {}", config.max_candidates()),
        false,
        from_file.max_candidates() != plain.max_candidates(),
    );
    let (limits, in_file, default) = (config.limits(), from_file.limits(), plain.limits());
    let is_flag = flags.max_input_bytes.is_some();
    line(
        format!("limits.max-input-bytes = {}", limits.max_input_bytes),
        is_flag,
        in_file.max_input_bytes != default.max_input_bytes,
    );
    line(format!("limits.max-depth = {}", limits.max_depth), false, in_file.max_depth != default.max_depth);
    if let Some(edits) = limits.max_edits {
        line(format!("limits.max-edits = {edits}"), false, true);
    }
    let catalogue = jsonseam::catalogue()?;
    let (search, in_file) = (config.thresholds(&catalogue), from_file.thresholds(&catalogue));
    let default = plain.with_preset(from_file.preset()).thresholds(&catalogue);
    line(format!("search.margin = {}", search.margin), false, in_file.margin != default.margin);
    line(format!("search.veto = {}", search.veto), false, in_file.veto != default.veto);
    line(format!("search.beam = {}", search.beam), false, in_file.beam != default.beam);
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
