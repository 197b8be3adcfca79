//! The heads of tool calls in an answer: the list, and in each call the name and the arguments, each given once and in its plain spelling (SPEC L1, L2).
//!
//! A schema judges one of two members, and another decoder may read the other one: the first, the last, or one in other letters.
//! Whoever runs a call must read what was judged, so an answer with such a head is refused.

use jsonseam_keyset::{Member, members};
use jsonseam_schema::Violation;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::contract::Output;

/// The members that hold the calls of an answer.
const LISTS: [&str; 2] = ["toolCalls", "tool_calls"];
/// The members of a call that say what is run.
const HEADS: [&str; 3] = ["name", "arguments", "function"];
/// How many of them are reported: one is enough to refuse the answer.
const MOST: usize = 10;

const TWICE: &str = "The call gives this twice, and decoders differ on which one counts";
const SPELLED: &str = "The key of the call is spelled in another way, and decoders differ on whether it counts";

/// Whether a member of this name holds calls.
pub(crate) fn is_list(name: &str) -> bool {
    LISTS.contains(&name)
}

/// Whether a field of this name is one of those that a violation about calls is to blame on.
pub(crate) fn is_like_list(name: &str) -> bool {
    folded(name) == folded(LISTS[0])
}

/// Whether a contract speaks of such a member, at whatever depth of its schema, so also where references lead.
pub(crate) fn declares_calls(outputs: &[Output], whole: Option<&Value>) -> bool {
    fn speaks(schema: &Value) -> bool {
        match schema {
            Value::Object(members) => members.iter().any(|(key, value)| is_list(key) || speaks(value)),
            Value::Array(items) => items.iter().any(speaks),
            _ => false,
        }
    }
    outputs.iter().any(|output| is_list(&output.name)) || whole.is_some_and(speaks)
}

/// What is given twice in an object that holds calls, as the model wrote it.
pub(crate) fn repeated(text: &str) -> Vec<Violation> {
    let lists: Vec<_> = members(text).filter(|member| stands_for(member, text, LISTS[0])).collect();
    let mut found = Vec::new();
    if lists.len() > 1 {
        found.push(Violation::of_member(&format!("/{}", LISTS[0]), TWICE));
    }
    for list in lists {
        let calls = text.get(list.value).unwrap_or_default();
        each_call(calls, |at, call| {
            let heads = heads_of(call);
            for head in HEADS {
                if heads.iter().filter(|(known, _)| *known == head).count() > 1 {
                    found.push(Violation::of_member(&format!("/{}{at}/{head}", LISTS[0]), TWICE));
                }
            }
            found.len() < MOST
        });
    }
    found
}

/// What is spelled in another way in `calls`, the value of the member `list`, as it would be given to the caller.
pub(crate) fn misspelled(list: &str, calls: &str) -> Vec<Violation> {
    let mut found = Vec::new();
    each_call(calls, |at, call| {
        for (head, is_plain) in heads_of(call) {
            if !is_plain {
                found.push(Violation::of_member(&format!("/{list}{at}/{head}"), SPELLED));
            }
        }
        found.len() < MOST
    });
    found
}

/// The members of `text` that stand for a list of calls without being spelled as one.
pub(crate) fn misspelled_lists(text: &str) -> Vec<Violation> {
    let is_other = |member: &Member| {
        let is_plain = |list: &&str| is_spelled(member, text, list);
        stands_for(member, text, LISTS[0]) && !LISTS.iter().any(is_plain)
    };
    let found = members(text).filter(is_other).take(1);
    found.map(|_| Violation::of_member(&format!("/{}", LISTS[0]), SPELLED)).collect()
}

/// Each call in a list or by itself, with its pointer, and each function within one; until `visit` says no.
fn each_call(calls: &str, mut visit: impl FnMut(&str, &str) -> bool) {
    let items: Vec<&RawValue> = serde_json::from_str(calls).unwrap_or_default();
    let items = items.iter().enumerate().map(|(index, item)| (format!("/{index}"), item.get()));
    let alone = calls.starts_with('{').then(|| (String::new(), calls));
    for (at, call) in items.chain(alone) {
        if !visit(&at, call) {
            return;
        }
        for member in members(call).filter(|member| stands_for(member, call, "function")) {
            let function = call.get(member.value).unwrap_or_default();
            if !visit(&format!("{at}/function"), function) {
                return;
            }
        }
    }
}

/// The heads of a call, each by the name that it stands for, and whether it is spelled so.
fn heads_of(call: &str) -> Vec<(&'static str, bool)> {
    let head_of = |member: Member| {
        let head = HEADS.into_iter().find(|head| stands_for(&member, call, head))?;
        Some((head, is_spelled(&member, call, head)))
    };
    members(call).filter_map(head_of).collect()
}

/// Whether a lenient decoder might take the key for this name: by other letters, or with marks between them.
fn stands_for(member: &Member, text: &str, name: &str) -> bool {
    member.key.len() < 128 && folded(&member.name(text).to_text()) == folded(name)
}

fn is_spelled(member: &Member, text: &str, name: &str) -> bool {
    let key = text.get(member.key.clone()).unwrap_or_default();
    key.strip_prefix('"').and_then(|key| key.strip_suffix('"')) == Some(name)
}

/// Letters and digits in lower case. The way over upper case takes `ſ` for `s`, as decoders that fold by Unicode do.
fn folded(name: &str) -> String {
    let upper = name.chars().flat_map(char::to_uppercase);
    upper.flat_map(char::to_lowercase).filter(|char| char.is_alphanumeric()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn told(text: &str) -> Vec<String> {
        let list = members(text).next().expect("there is a member");
        let found = [repeated(text), misspelled("toolCalls", &text[list.value]), misspelled_lists(text)];
        found.concat().iter().map(Violation::path).collect()
    }

    #[test]
    fn s1_heads_that_decoders_read_in_two_ways_are_found() {
        for (text, places) in [
            (r#"{"toolCalls": [{"name": "f", "arguments": {"Name": 1, "name": 2}}]}"#, vec![]),
            (r#"{"toolCalls": [{"name": "f"}, {"name": "f", "name": "rm"}]}"#, vec!["/toolCalls/1/name"]),
            (r#"{"toolCalls": [{"n\u0061me": "rm"}]}"#, vec!["/toolCalls/0/name"]),
            (r#"{"toolCalls": [{"Name": "rm"}]}"#, vec!["/toolCalls/0/name"]),
            (r#"{"toolCalls": [{"argumentſ": {}}]}"#, vec!["/toolCalls/0/arguments"]),
            (r#"{"toolCalls": [{"function": {"name": "f", " name": "rm"}}]}"#, vec!["/toolCalls/0/function/name"; 2]),
            (r#"{"tool_calls": [], "ToolCalls": [{"name": "rm"}]}"#, vec!["/toolCalls"; 2]),
            (r#"{"toolcalls": {"name": "rm"}}"#, vec!["/toolCalls"]),
        ] {
            assert_eq!(told(text), places, "{text}");
        }
    }

    #[test]
    fn few_of_many_are_told() {
        let call = r#"{"name": "f", "Name": "rm"}"#;
        let text = format!("{{\"toolCalls\": [{}]}}", vec![call; 10_000].join(","));
        assert!(told(&text).len() <= 2 * MOST + 1);
    }
}
