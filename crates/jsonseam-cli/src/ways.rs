//! What to do about an answer that does not fit its schemas: found by trying, and said below the refusal.

use jsonseam::contract::{CastKind, Casts, Violation};
use jsonseam::{Adapter, ContractError, Root};

use crate::arguments::ContractFlags;
use crate::engine::Engine;
use crate::identity;
use crate::render::LONGEST_ADVISED;

/// The ways to an answer that fits: casts that make this one fit, a root that the schema allows, or another answer.
pub(crate) fn to_fit(
    flags: &ContractFlags,
    engine: &Engine,
    adapter: &Adapter,
    error: &ContractError,
    text: &str,
) -> Vec<String> {
    if error.violations().is_empty() || text.len() > LONGEST_ADVISED {
        return Vec::new();
    }
    let root = error.violations().iter().find_map(|violation| of_root(violation, engine.config.root()));
    let fitting = match fitting_casts(flags, engine, adapter, text) {
        Some(names) => format!("it fits when it is cast: --coerce={}", names.join(",")),
        None => format!(
            "no cast makes it fit: change the schema if the answer is right, or ask again with what `{} prompt` writes",
            identity::name()
        ),
    };
    root.into_iter().chain([fitting]).collect()
}

/// The casts that make the answer fit, beside those that are made already.
fn fitting_casts(flags: &ContractFlags, engine: &Engine, adapter: &Adapter, text: &str) -> Option<Vec<&'static str>> {
    let all = ContractFlags { coerce: vec![Casts::ALL.without(CastKind::Default)], ..flags.clone() };
    let outputs = all.adapter(&engine.config).ok()?.ok()?.parse(text).ok()?;
    let named = flags.coerce.iter().fold(Casts::NONE, |all, casts| all.and(*casts));
    let own = adapter.contract().casts();
    let needed =
        outputs.casts().iter().filter(|cast| !own.has(cast.kind())).fold(named, |all, cast| all.with(cast.kind()));
    Some(CastKind::ALL.iter().filter(|kind| needed.has(**kind)).map(|kind| kind.name()).collect())
}

/// What a schema says that wants a whole of a kind that the root does not admit.
fn of_root(violation: &Violation, root: Root) -> Option<String> {
    if !violation.path().is_empty() || violation.keyword() != "type" {
        return None;
    }
    let wanted: Vec<&str> = violation
        .expected()
        .split(|char: char| !char.is_ascii_lowercase())
        .filter(|kind| !matches!(*kind, "" | "or"))
        .collect();
    let is_admitted = |kind: &&str| match root {
        Root::Any => true,
        Root::Object => *kind == "object",
        Root::Array => *kind == "array",
    };
    (!wanted.is_empty() && !wanted.iter().any(is_admitted)).then(|| {
        format!(
            "the schema wants {} as a whole, and --root {root} reads no such value: --root any does",
            wanted.join(" or ")
        )
    })
}
