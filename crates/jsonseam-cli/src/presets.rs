//! Which preset repairs a text that was refused, for advice.

use jsonseam::{Catalogue, Error, Pipeline, Reason, Repaired};

use crate::engine::{self, Engine};

/// Refusals of a run that are explained, counted from the first (SPEC P6).
pub(crate) const MOST_EXPLAINED: usize = 20;

/// A preset that repairs a text, and the repair.
pub(crate) struct ByPreset<'b> {
    pub(crate) preset: String,
    pub(crate) pipeline: Pipeline,
    pub(crate) repaired: Repaired<'b>,
}

/// The name of the smallest preset with which the whole text would have been repaired.
///
/// Found by what the rules of the presets are where the error, which is explained, says which rules repair the text together; else by trying.
pub(crate) fn smallest(error: &Error, bytes: &[u8], engine: &Engine) -> Option<String> {
    by_rules(error, engine).or_else(|| repairing(error.reason(), bytes, engine).map(|found| found.preset))
}

fn by_rules(error: &Error, engine: &Engine) -> Option<String> {
    let wanted = error.repaired_with();
    if wanted.is_empty() {
        return None;
    }
    let catalogue = jsonseam::catalogue().ok()?;
    let holding = catalogue.presets().iter().filter(|preset| wanted.iter().all(|rule| preset.rules.contains(rule)));
    // Flags and file may turn off what a preset holds, and a smaller preset lacks what is on.
    let holds = |name: &&String| {
        let found = pipeline_of(name, engine, &catalogue);
        found.is_some_and(|found| {
            let has = |rule: &str| found.rules().any(|known| known.name == rule);
            wanted.iter().all(|rule| has(rule)) && engine.pipeline.rules().all(|rule| has(&rule.name))
        })
    };
    holding.map(|preset| &preset.name).find(holds).cloned()
}

/// The smallest preset with which the whole text would have been repaired, after a refusal for this reason, found by trying.
///
/// What a preset repairs, the next larger one repairs too or finds ambiguous (SPEC R4), so the largest one is tried first, and mostly alone.
pub(crate) fn repairing<'b>(refused: Reason, bytes: &'b [u8], engine: &Engine) -> Option<ByPreset<'b>> {
    let catalogue = jsonseam::catalogue().ok()?;
    let (largest, smaller) = catalogue.presets().split_last()?;
    let own = engine.config.preset();
    let by_largest =
        if largest.name == own { Err(refused) } else { by_preset(&largest.name, bytes, engine, &catalogue) };
    let may_repair = |rules: &[String]| match &by_largest {
        Ok(found) => found.repaired.edits().all(|edit| {
            rules.iter().any(|rule| rule == edit.rule) || engine.pipeline.rules().any(|rule| rule.name == edit.rule)
        }),
        Err(reason) => {
            matches!(reason, Reason::AmbiguousRepair | Reason::AmbiguousPayload | Reason::LimitExceeded)
        }
    };
    let smaller = smaller.iter().filter(|preset| preset.name != own && may_repair(&preset.rules));
    let mut found = smaller.filter_map(|preset| by_preset(&preset.name, bytes, engine, &catalogue).ok());
    let found = found.next();
    found.or(by_largest.ok())
}

fn pipeline_of(preset: &str, engine: &Engine, catalogue: &Catalogue) -> Option<Pipeline> {
    // A preset that contradicts the flags is not advice.
    Pipeline::new(&engine.config.clone().with_preset(preset), catalogue).ok()
}

fn by_preset<'b>(
    preset: &str,
    bytes: &'b [u8],
    engine: &Engine,
    catalogue: &Catalogue,
) -> Result<ByPreset<'b>, Reason> {
    let pipeline = pipeline_of(preset, engine, catalogue).ok_or(Reason::LimitExceeded)?;
    let repaired = engine::repair(&pipeline, bytes, engine.finish_reason.as_ref()).map_err(|error| error.reason())?;
    Ok(ByPreset { preset: preset.to_owned(), pipeline, repaired })
}
