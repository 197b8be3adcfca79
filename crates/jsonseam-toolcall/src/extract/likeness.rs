//! Whether something looks like a call, before it is read as one or after it was refused.

use serde_json::Value;
use serde_json::value::RawValue;

use crate::body::Reader;
use crate::call::ENVELOPE_KEYS;
use crate::cursor::Cursor;

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
        return is_head_key(key) || ENVELOPE_KEYS.contains(&key);
    }
    let name = at.take_while(|char| char.is_alphanumeric() || matches!(char, '_' | '.' | '-'));
    let name = reader.text.get(name).unwrap_or_default();
    let is_known = (takes_any || reader.tools.is_empty()) && !name.is_empty() || reader.tools.offers(name);
    is_known && at.eat("(")
}

/// Whether a member of this key names a tool or holds its arguments.
fn is_head_key(key: &str) -> bool {
    NAME_KEYS.contains(&key) || ARGUMENT_KEYS.contains(&key)
}

/// The members that name a tool in calls without marks, and those that hold its arguments.
const NAME_KEYS: [&str; 5] = ["name", "tool_name", "function", "tool", "action"];
const ARGUMENT_KEYS: [&str; 9] =
    ["arguments", "parameters", "args", "input", "params", "tool_input", "kwargs", "inputs", "action_input"];

/// Where the JSON value that begins at `pos` ends, or ends to be JSON; and whether it is whole.
pub(super) fn value_end(reader: &Reader<'_, '_>, pos: usize) -> (usize, bool) {
    let rest = reader.text.get(pos..).unwrap_or_default();
    let mut values = serde_json::Deserializer::from_str(rest).into_iter::<&RawValue>();
    let (len, is_whole) = match values.next() {
        Some(Ok(_)) => (values.byte_offset(), true),
        Some(Err(error)) => {
            let lines = rest.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len);
            (rest.len().min(lines.sum::<usize>() + error.column()), false)
        }
        None => (0, false),
    };
    reader.finder.charge(len);
    (pos + len, is_whole)
}

/// Whether an object names a tool and holds arguments, or holds nothing but such objects.
pub(super) fn is_call(value: &Value) -> bool {
    let Value::Object(members) = value else { return false };
    let has = |keys: &[&str]| keys.iter().any(|key| members.contains_key(*key));
    let is_envelope = members.len() == 1 && has(&ENVELOPE_KEYS);
    let is_nested = members.get("function").is_some_and(is_call);
    is_envelope || is_nested || has(&NAME_KEYS) && has(&ARGUMENT_KEYS)
}

/// Whether something within a value looks like a call.
pub(super) fn holds_call(value: &Value) -> bool {
    match value {
        Value::Array(list) => list.iter().any(|value| is_call(value) || holds_call(value)),
        Value::Object(members) => members.values().any(|value| is_call(value) || holds_call(value)),
        _ => false,
    }
}
