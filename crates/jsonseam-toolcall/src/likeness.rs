//! Whether something looks like a call, before it is read as one or after it was refused.

use jsonseam_core::{Ahead, CountedText, is_quote};
use serde_json::Value;

use crate::cursor::Finder;
use crate::pack::HeadKeys;

/// Members that hold calls, in an object that holds nothing else of a call.
pub(crate) const ENVELOPE_KEYS: [&str; 7] =
    ["tool_calls", "tool_call", "toolCalls", "function_call", "functionCall", "toolUse", "tool_uses"];

/// The rule whose edits take away the key of an object that holds all arguments. Nothing of the arguments changes.
pub(crate) const WRAPPED: &str = "wrapped-arguments";

/// The keys that models put around their arguments.
pub(crate) const WRAPPERS: [&str; 3] = ["arguments", "parameters", "input"];

/// How far into a broken object its keys are read.
const LONGEST_LOOK: usize = 1_024;

/// Whether what is at `pos` begins as a bare call does: as an object whose first member is of a call, or which has a name and arguments in whatever order;
/// or as `name(` of a tool that may be called.
pub(crate) fn is_like_call(
    text: &str,
    pos: usize,
    finder: &Finder<'_>,
    known: &HeadKeys,
    may_be_tool: impl Fn(&str) -> bool,
) -> bool {
    let rest = text.get(pos..).unwrap_or_default();
    let end = (LONGEST_LOOK..rest.len()).find(|&at| rest.is_char_boundary(at)).unwrap_or(rest.len());
    let near = CountedText::new(&rest[..end]);
    let is_like_call = begins_call(near.at(0).skip_space_and_comments(), known, may_be_tool);
    finder.charge(usize::try_from(near.examined()).unwrap_or(usize::MAX));
    is_like_call
}

fn begins_call(mut at: Ahead<'_>, known: &HeadKeys, may_be_tool: impl Fn(&str) -> bool) -> bool {
    if at.eat("[") {
        at = at.skip_space_and_comments();
    }
    if at.eat("{") {
        let keys = keys_of(at);
        let has = |known: &[String]| keys.iter().any(|key| known.iter().any(|known| known == key));
        let is_first = keys.first().is_some_and(|key| known.have(key) || ENVELOPE_KEYS.contains(key));
        return is_first || has(&known.names) && has(&known.arguments);
    }
    let name = at.take_while(|char| char.is_alphanumeric() || matches!(char, '_' | '.' | '-'));
    may_be_tool(name) && at.eat("(")
}

/// The keys of an object that need not be JSON, from after its bracket on: in quotes of any kind or without. What is nested is passed over.
fn keys_of(mut at: Ahead<'_>) -> Vec<&str> {
    let (mut depth, mut awaits_key) = (0_usize, true);
    let mut keys = Vec::new();
    loop {
        at = at.skip_space_and_comments();
        let Some(char) = at.peek() else { return keys };
        if is_quote(char) {
            let content = at.after(char.len_utf8());
            let Some(end) = (if char == '"' { at.double_quoted_end() } else { at.quoted_end() }) else { return keys };
            if depth == 0 && awaits_key {
                let closer = end.char_before().map_or(0, char::len_utf8);
                keys.push(content.slice_to(end.pos() - closer));
            }
            (at, awaits_key) = (end, false);
        } else if let Some(word) = at.identifier() {
            keys.extend((depth == 0 && awaits_key).then_some(word));
            (at, awaits_key) = (at.after(word.len()), false);
        } else {
            at = at.after(char.len_utf8());
            match char {
                '{' | '[' | '(' => depth += 1,
                '}' | ']' | ')' if depth == 0 => return keys,
                '}' | ']' | ')' => depth -= 1,
                ',' => awaits_key = depth == 0,
                _ => {}
            }
        }
    }
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
