//! Whether something looks like a call, before it is read as one or after it was refused.

use serde_json::Value;

use crate::body::Reader;
use crate::call::ENVELOPE_KEYS;
use crate::cursor::Cursor;
use crate::pack::HeadKeys;

/// Whether what is at `pos` begins as a bare call does: as an object whose first member is of a call, or as `name(` of a tool that may be called;
/// or of any, if `takes_any`.
pub(super) fn is_like_call(reader: &Reader<'_, '_>, pos: usize, takes_any: bool) -> bool {
    let mut at = Cursor::new(reader.text, pos);
    at.skip_blanks();
    if at.eat("[") {
        at.skip_blanks();
    }
    if at.eat("{") {
        at.skip_blanks();
        let key = at.eat("\"").then(|| at.take_while(|char| char.is_alphanumeric() || char == '_'));
        let key = key.and_then(|key| reader.text.get(key)).unwrap_or_default();
        return reader.head_keys.have(key) || ENVELOPE_KEYS.contains(&key);
    }
    let name = at.take_while(|char| char.is_alphanumeric() || matches!(char, '_' | '.' | '-'));
    let name = reader.text.get(name).unwrap_or_default();
    let is_known = (takes_any || reader.tools.is_empty()) && !name.is_empty() || reader.tools.offers(name);
    is_known && at.eat("(")
}

/// Whether an object names a tool and holds arguments, or holds nothing but such objects.
pub(super) fn looks_like_call(value: &Value, keys: &HeadKeys) -> bool {
    let Value::Object(members) = value else { return false };
    let is_envelope = members.len() == 1 && ENVELOPE_KEYS.iter().any(|key| members.contains_key(*key));
    let is_nested = members.get("function").is_some_and(|function| looks_like_call(function, keys));
    let has = |keys: &[String]| keys.iter().any(|key| members.contains_key(key));
    is_envelope || is_nested || has(&keys.names) && has(&keys.arguments)
}

/// Whether something within a value looks like a call.
pub(super) fn holds_call(value: &Value, keys: &HeadKeys) -> bool {
    let is_one = |value: &Value| looks_like_call(value, keys) || holds_call(value, keys);
    match value {
        Value::Array(list) => list.iter().any(is_one),
        Value::Object(members) => members.values().any(is_one),
        _ => false,
    }
}
