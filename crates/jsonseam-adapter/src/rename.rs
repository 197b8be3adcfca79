//! Keys of the outermost object that stand for declared outputs: by an alias, or by the cast `key-case` (SPEC K1).
//!
//! Objects further in are the schema's to rename.

use std::ops::Range;

use jsonseam_keyset::members;
use jsonseam_schema::{Cast, CastKind, folded};

use crate::contract::{Contract, Output};

/// Whether an undeclared key may stand for a declared output, which the whole object decides.
pub(crate) fn may_stand(contract: &Contract, key: &str) -> bool {
    let is_alias = contract.aliases.iter().any(|(alias, _)| **alias == *key);
    let of_letters = |output: &Output| folded(output.name()) == folded(key);
    is_alias || contract.casts.has(CastKind::KeyCase) && contract.outputs.iter().any(of_letters)
}

/// The text with declared names in place of those that stand for them, and what was done; `None` if nothing is to be done.
pub(crate) fn renamed(contract: &Contract, text: &str) -> Option<(String, Vec<Cast>)> {
    let by_letters = contract.casts.has(CastKind::KeyCase);
    if contract.outputs.is_empty() || (!by_letters && contract.aliases.is_empty()) {
        return None;
    }
    let mut keys: Vec<(String, Range<usize>)> = Vec::new();
    for member in members(text) {
        // A name that no string holds is no alias.
        keys.extend(member.name(text).as_str().map(|name| (name.to_owned(), member.key.clone())));
    }
    let is_declared = |name: &str| contract.position(name).is_some();
    let absent = |name: &str| keys.iter().all(|(key, _)| key != name);
    let mut edits: Vec<(Range<usize>, &str, CastKind)> = Vec::new();
    for output in contract.outputs.iter().filter(|output| absent(&output.name)) {
        let is_alias =
            |key: &str| contract.aliases.iter().any(|(alias, field)| **alias == *key && *field == output.name);
        let letters = folded(&output.name);
        let is_only_declared = contract.outputs.iter().filter(|other| folded(&other.name) == letters).count() == 1;
        let of_letters = |key: &str| by_letters && is_only_declared && !letters.is_empty() && folded(key) == letters;
        let only = |stands: &dyn Fn(&str) -> bool| {
            let mut standing = keys.iter().filter(|(key, _)| !is_declared(key) && stands(key));
            standing.next().filter(|_| standing.next().is_none()).map(|(_, span)| span.clone())
        };
        let found = only(&is_alias).map(|span| (span, CastKind::Alias));
        let found = found.or_else(|| only(&of_letters).map(|span| (span, CastKind::KeyCase)));
        edits.extend(found.map(|(span, kind)| (span, &*output.name, kind)));
    }
    if edits.is_empty() {
        return None;
    }
    let casts = edits.iter().map(|(_, name, kind)| Cast::of_key(name, *kind)).collect();
    jsonseam_text::sort_by_key(&mut edits, |(span, ..)| span.start);
    let mut renamed = String::with_capacity(text.len());
    let mut pos = 0;
    for (span, name, _) in edits {
        renamed.push_str(text.get(pos..span.start).unwrap_or_default());
        renamed.push_str(&serde_json::to_string(name).unwrap_or_default());
        pos = span.end;
    }
    renamed.push_str(text.get(pos..).unwrap_or_default());
    Some((renamed, casts))
}
