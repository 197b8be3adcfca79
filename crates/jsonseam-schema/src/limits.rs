//! The bounds of schemas and checks (SPEC V3).

/// The longest schema, in bytes.
pub(crate) const MAX_SCHEMA_BYTES: usize = 1 << 20;
/// The deepest schema, in levels of JSON.
pub(crate) const MAX_SCHEMA_DEPTH: usize = 64;

/// The steps that any check may take, and those for each byte of the text.
const STEPS: u64 = 5_000_000;
const STEPS_PER_BYTE: u64 = 8;

/// The budget of a check of a text this long, in steps.
pub(crate) fn budget(bytes: usize) -> u64 {
    STEPS.saturating_add(STEPS_PER_BYTE.saturating_mul(bytes as u64))
}

/// Whether a value is nested no deeper than a schema may be.
pub(crate) fn is_shallow(value: &serde_json::Value) -> bool {
    fn depth(value: &serde_json::Value, left: usize) -> bool {
        let Some(left) = left.checked_sub(1) else { return false };
        match value {
            serde_json::Value::Array(items) => items.iter().all(|item| depth(item, left)),
            serde_json::Value::Object(members) => members.values().all(|member| depth(member, left)),
            _ => true,
        }
    }
    // A schema that was built in code may be deeper than any that was read, so the depth bounds the recursion.
    depth(value, MAX_SCHEMA_DEPTH + 1)
}
