//! Whether something looks like a call, before it is read as one or after it was refused.

use std::ops::Range;

use serde_json::Value;

use crate::body::Reader;
use crate::call::ENVELOPE_KEYS;
use crate::cursor::Cursor;
use crate::pack::HeadKeys;

/// How far into a broken object its keys are read.
const LONGEST_LOOK: usize = 1_024;

impl Reader<'_, '_> {
    /// Whether what begins here looks like a call: see [`is_like_call`].
    pub(crate) fn may_call_at(&self, pos: usize) -> bool {
        is_like_call(self, pos, false)
    }
}

/// Whether what is at `pos` begins as a bare call does: as an object whose first member is of a call, or which has a name and arguments in whatever order;
/// or as `name(` of a tool that may be called, or of any if `takes_any`.
pub(crate) fn is_like_call(reader: &Reader<'_, '_>, pos: usize, takes_any: bool) -> bool {
    let mut at = Cursor::new(reader.text, pos);
    at.skip_blanks();
    if at.eat("[") {
        at.skip_blanks();
    }
    if at.eat("{") {
        let keys = keys_of(at);
        let has = |known: &[String]| keys.iter().any(|key| known.iter().any(|known| known == key));
        let is_first = keys.first().is_some_and(|key| reader.head_keys.have(key) || ENVELOPE_KEYS.contains(key));
        return is_first || has(&reader.head_keys.names) && has(&reader.head_keys.arguments);
    }
    let name = at.take_while(|char| char.is_alphanumeric() || matches!(char, '_' | '.' | '-'));
    let name = reader.text.get(name).unwrap_or_default();
    let is_known = (takes_any || reader.tools.is_empty()) && !name.is_empty() || reader.tools.offers(name);
    is_known && at.eat("(")
}

/// The keys of an object that need not be JSON, from after its bracket on: in quotes of any kind or without. What is nested is passed over.
fn keys_of(start: Cursor<'_>) -> Vec<&str> {
    let (mut at, mut depth, mut awaits_key) = (start, 0_usize, true);
    let mut keys = Vec::new();
    while at.pos - start.pos < LONGEST_LOOK {
        at.skip_blanks();
        let Some(char) = at.peek() else { break };
        let quote = matches!(char, '"' | '\'' | '\u{201C}' | '\u{201D}').then_some(char);
        at.pos += quote.map_or(0, char::len_utf8);
        let word = match quote {
            Some(quote) => within_quotes(&mut at, quote),
            None => at.take_while(|char| char.is_alphanumeric() || char == '_'),
        };
        if quote.is_some() || !word.is_empty() {
            if depth == 0 && awaits_key {
                keys.extend(at.text.get(word));
            }
            awaits_key = false;
            continue;
        }
        at.pos += char.len_utf8();
        match char {
            '{' | '[' | '(' => depth += 1,
            '}' | ']' | ')' if depth == 0 => break,
            '}' | ']' | ')' => depth -= 1,
            ',' => awaits_key = depth == 0,
            _ => {}
        }
    }
    keys
}

/// What is up to the quote that ends a string, which is passed over.
fn within_quotes(at: &mut Cursor<'_>, quote: char) -> Range<usize> {
    let start = at.pos;
    let (mut end, mut is_escaped) = (None, false);
    for (offset, char) in at.rest().char_indices().take(LONGEST_LOOK) {
        let ends = char == quote || quote == '\u{201C}' && char == '\u{201D}';
        if ends && !is_escaped {
            end = Some((start + offset, char.len_utf8()));
            break;
        }
        is_escaped = char == '\\' && !is_escaped;
    }
    let (end, len) = end.unwrap_or((at.text.len(), 0));
    at.pos = end + len;
    start..end
}

/// Whether an object names a tool and holds arguments, or holds nothing but such objects.
pub(crate) fn looks_like_call(value: &Value, keys: &HeadKeys) -> bool {
    let Value::Object(members) = value else { return false };
    let is_envelope = members.len() == 1 && ENVELOPE_KEYS.iter().any(|key| members.contains_key(*key));
    let is_nested = members.get("function").is_some_and(|function| looks_like_call(function, keys));
    let has = |keys: &[String]| keys.iter().any(|key| members.contains_key(key));
    is_envelope || is_nested || has(&keys.names) && has(&keys.arguments)
}

/// Whether something within a value looks like a call.
pub(crate) fn holds_call(value: &Value, keys: &HeadKeys) -> bool {
    let is_one = |value: &Value| looks_like_call(value, keys) || holds_call(value, keys);
    match value {
        Value::Array(list) => list.iter().any(is_one),
        Value::Object(members) => members.values().any(is_one),
        _ => false,
    }
}
