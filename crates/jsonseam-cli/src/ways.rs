//! What to do about an answer that does not fit its schemas, said below the refusal in flags of the command.

use jsonseam::contract::{CastKind, Casts};
use jsonseam::{Adapter, ContractError};

use crate::arguments::ContractFlags;
use crate::identity;
use crate::render::LONGEST_ADVISED;

/// The ways to an answer that fits: casts that make this one fit, a root that the schema allows, or another answer.
pub(crate) fn to_fit(flags: &ContractFlags, adapter: &Adapter, error: &ContractError, text: &str) -> Vec<String> {
    if text.len() > LONGEST_ADVISED {
        return Vec::new();
    }
    let again = format!("ask again with what `{} prompt` writes", identity::name());
    let setting = |name: &str, values: &[&str]| match name {
        "coerce" => format!("--coerce={}", with_named(flags, values).join(",")),
        _ => format!("--{name} {}", values.join(",")),
    };
    adapter.ways_to_fit(error, text).map_or_else(Vec::new, |ways| ways.told(setting, &again))
}

/// These casts and those that the flags name: the flag that is advised replaces the one that is there.
fn with_named<'k>(flags: &ContractFlags, casts: &[&'k str]) -> Vec<&'k str> {
    let named = flags.coerce.iter().fold(Casts::NONE, |all, casts| all.and(*casts));
    let is_meant = |kind: &&CastKind| named.has(**kind) || casts.contains(&kind.name());
    CastKind::ALL.iter().filter(is_meant).map(|kind| kind.name()).collect()
}
