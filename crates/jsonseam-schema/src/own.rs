//! The own text of a schema: its value in the spelling of its source, so that members keep their order and numbers their digits.
//!
//! A `serde_json::Value` has neither, unless the program turns on a feature that holds for all of its crates.

use std::collections::HashMap;

use jsonseam_text::{elements, members};
use serde_json::{Map, Value};

/// The text that `pointer` leads to in `text`, a valid JSON text. Of members that repeat a name it is the last, as for `serde_json`.
pub(crate) fn at<'t>(text: &'t str, pointer: &str) -> &'t str {
    jsonseam_text::pointer::names(pointer).fold(text, |text, name| {
        let named = members(text).filter(|member| member.name(text).as_str() == Some(&*name)).last();
        named.and_then(|member| text.get(member.value)).unwrap_or_default()
    })
}

/// `value` in the spelling of `text`, which spells it, or something much like it: the order, digits and escapes are those of the text,
/// and what the text has otherwise or twice is as in the value. Without white space.
pub(crate) fn spelled(text: &str, value: &Value) -> Box<str> {
    let mut out = String::with_capacity(text.len());
    push_spelled(text.trim(), value, &mut out);
    out.into()
}

fn push_spelled(text: &str, value: &Value, out: &mut String) {
    match value {
        Value::Object(values) if text.starts_with('{') => push_members(text, values, out),
        Value::Array(values) if text.starts_with('[') => {
            let mut texts = elements(text);
            push_all(values, ['[', ']'], out, |value, out| {
                let own = texts.next().and_then(|span| text.get(span));
                push_spelled(own.unwrap_or_default(), value, out);
            });
        }
        _ if serde_json::from_str::<Value>(text).is_ok_and(|spelled| spelled == *value) => out.push_str(text),
        _ => out.push_str(&value.to_string()),
    }
}

/// The members of an object in the order of its text, each as often as it counts: once, where its name comes last.
fn push_members(text: &str, values: &Map<String, Value>, out: &mut String) {
    let named = || members(text).map(|member| (member.name(text).to_text(), member));
    let last: HashMap<String, usize> = named().enumerate().map(|(at, (name, _))| (name, at)).collect();
    let counted = named().enumerate().filter(|(at, (name, _))| last.get(name) == Some(at));
    let kept = counted.filter_map(|(_, (name, member))| Some((member, values.get(&name)?)));
    push_all(kept, ['{', '}'], out, |(member, value), out| {
        out.push_str(text.get(member.key).unwrap_or_default());
        out.push(':');
        push_spelled(text.get(member.value).unwrap_or_default(), value, out);
    });
}

fn push_all<T>(
    items: impl IntoIterator<Item = T>,
    [open, close]: [char; 2],
    out: &mut String,
    mut push: impl FnMut(T, &mut String),
) {
    out.push(open);
    for (index, item) in items.into_iter().enumerate() {
        out.push_str(if index == 0 { "" } else { "," });
        push(item, out);
    }
    out.push(close);
}

/// The text of the schema of a Rust type, with its properties in the order of the fields.
///
/// `schemars` puts properties into a map that sorts them, but `required` into a list.
/// For what is read it leaves out the fields that may be absent, for what is written (`twin`) only those that are skipped at times;
/// so both lists together have the order of every field but those that may be absent and are skipped too. These follow the others.
pub(crate) fn of_type(schema: &Value, twin: &Value) -> String {
    let mut out = String::new();
    push_typed(schema, Some(twin), &mut out);
    out
}

fn push_typed(schema: &Value, twin: Option<&Value>, out: &mut String) {
    match schema {
        Value::Object(values) => push_all(values, ['{', '}'], out, |(name, value), out| {
            out.push_str(&Value::from(name.as_str()).to_string());
            out.push(':');
            let below = twin.and_then(|twin| twin.get(name));
            match value {
                Value::Object(properties) if name == "properties" => {
                    let order = order(properties, [Some(schema), twin]);
                    push_all(order, ['{', '}'], out, |name, out| {
                        out.push_str(&Value::from(name).to_string());
                        out.push(':');
                        push_typed(&properties[name], below.and_then(|below| below.get(name)), out);
                    });
                }
                _ => push_typed(value, below, out),
            }
        }),
        Value::Array(values) => {
            let mut twins = twin.and_then(Value::as_array).into_iter().flatten();
            push_all(values, ['[', ']'], out, |value, out| push_typed(value, twins.next(), out));
        }
        scalar => out.push_str(&scalar.to_string()),
    }
}

/// The names of properties in the order of the fields: as the map has it, if it keeps one, else as far as the lists of what is required tell.
fn order<'s>(properties: &'s Map<String, Value>, [read, written]: [Option<&'s Value>; 2]) -> Vec<&'s str> {
    if maps_keep_order() {
        return properties.keys().map(String::as_str).collect();
    }
    let required = |schema: Option<&'s Value>| {
        let names = schema.and_then(|schema| schema.get("required")).and_then(Value::as_array);
        names.into_iter().flatten().filter_map(Value::as_str).filter(|name| properties.contains_key(*name))
    };
    let mut order: Vec<&str> = required(written).collect();
    let mut next = 0;
    for name in required(read) {
        let known = order.iter().position(|known| *known == name);
        if known.is_none() {
            order.insert(next, name);
        }
        next = known.unwrap_or(next) + 1;
    }
    let others: Vec<&str> = properties.keys().map(String::as_str).filter(|name| !order.contains(name)).collect();
    order.extend(others);
    order
}

/// Whether `serde_json` is compiled with its feature `preserve_order`, which any crate of a program may have turned on.
fn maps_keep_order() -> bool {
    let map: Map<String, Value> = ["b", "a"].into_iter().map(|name| (name.to_owned(), Value::Null)).collect();
    map.keys().next().is_some_and(|first| first == "b")
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::Schema;

    #[test]
    fn l3_a_schema_keeps_order_digits_and_escapes_and_loses_blanks_and_repetitions() {
        for (text, own) in [
            (r#" {"type": "object", "maximum": 1.10} "#, r#"{"type":"object","maximum":1.10}"#),
            (
                r#"{"title": "\u0041\/b", "b": 1, "a": [2e0, {"d": 1, "c": 2}]}"#,
                r#"{"title":"\u0041\/b","b":1,"a":[2e0,{"d":1,"c":2}]}"#,
            ),
            // Of a name that is given twice the last counts, as it does where the schema is compiled.
            (r#"{"maximum": 1, "\u0074ype": "string", "type": "integer"}"#, r#"{"maximum":1,"type":"integer"}"#),
            // A wrapper is taken off, and types in upper case are lowered, as they are where the schema is compiled.
            (r#"{"name": "n", "schema": {"title": "x", "const": 1.0}}"#, r#"{"title":"x","const":1.0}"#),
            (
                r#"{"type": "OBJECT", "properties": {"b": {"type": "STRING", "minLength": "3"}, "a": {"title": "\u0041", "type": "TYPE_UNSPECIFIED"}}}"#,
                r#"{"type":"object","properties":{"b":{"type":"string","minLength":3},"a":{"title":"\u0041"}}}"#,
            ),
            ("true", "true"),
        ] {
            let schema = Schema::compile(text).unwrap_or_else(|error| panic!("{text}: {error}"));
            assert_eq!(schema.text(), own);
            assert_eq!(serde_json::from_str::<Value>(schema.text()).ok().as_ref(), Some(schema.source()));
        }
    }

    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    struct Step {
        why: String,
        #[serde(default)]
        how: String,
        also: Option<u8>,
    }

    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    #[serde(tag = "kind", rename_all = "kebab-case")]
    enum Verdict {
        Yes { reason: String, certainty: u8 },
        No { objection: Option<String>, alternative: String },
    }

    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    struct Math {
        steps: Vec<Step>,
        #[serde(skip_serializing_if = "String::is_empty")]
        long: String,
        #[serde(rename = "final")]
        answer: Option<String>,
        #[serde(flatten)]
        more: More,
        #[serde(default = "empty", skip_serializing_if = "Vec::is_empty")]
        errata: Vec<u8>,
        verdict: Verdict,
        by: (Step, Box<Option<Verdict>>),
    }

    #[derive(serde::Serialize, serde::Deserialize, schemars::JsonSchema)]
    struct More {
        zeal: u8,
        calm: Option<u8>,
    }

    fn empty() -> Vec<u8> {
        Vec::new()
    }

    /// The names below each `properties`, with where it is.
    fn properties(text: &str, path: &str, found: &mut Vec<String>) {
        for member in members(text) {
            let name = member.name(text).to_text();
            let value = &text[member.value];
            if name == "properties" {
                let names: Vec<String> = members(value).map(|member| member.name(value).to_text()).collect();
                found.push(format!("{path}: {}", names.join(" ")));
            }
            properties(value, &format!("{path}/{name}"), found);
        }
        for (at, element) in elements(text).enumerate() {
            properties(&text[element], &format!("{path}/{at}"), found);
        }
    }

    #[test]
    fn l3_the_schema_of_a_type_has_its_fields_in_their_order() {
        let mut found = Vec::new();
        let schema = Schema::of::<Math>().expect("it is a schema");
        properties(schema.text(), "", &mut found);
        found.sort_unstable();
        assert_eq!(
            found,
            [
                "/$defs/Step: why how also",
                "/$defs/Verdict/oneOf/0: kind reason certainty",
                "/$defs/Verdict/oneOf/1: kind objection alternative",
                // `errata` may be absent and is skipped: it is in neither list, so it is after the others.
                ": steps long final zeal calm verdict by errata",
            ]
        );
        assert_eq!(serde_json::from_str::<Value>(schema.text()).ok().as_ref(), Some(schema.source()));
    }

    /// JSON texts with members in any order, numbers and strings in any spelling, and what they spell.
    fn texts() -> impl Strategy<Value = String> {
        let scalar = prop_oneof![
            "-?(0|[1-9][0-9]{0,3})(\\.[0-9]{1,3})?([eE][+-]?[0-9]{1,2})?",
            "\"(\\\\u00[46][0-9a-f]|\\\\/|[a-z ö{}\\[\\],:])*\"",
            "(true|false|null)",
        ];
        scalar.prop_recursive(4, 40, 6, |inner| {
            let key = "\"[a-e]{1,2}\"|\"\\\\u006[1-5]\"";
            prop_oneof![
                prop::collection::vec(inner.clone(), 0..5).prop_map(|items| format!("[ {} ]", items.join(" ,\n"))),
                prop::collection::vec((key, inner), 0..6).prop_map(|members| {
                    let members: Vec<_> = members.into_iter().map(|(key, value)| format!("{key} :\t{value}")).collect();
                    format!("{{ {} }}", members.join(" , "))
                }),
            ]
        })
    }

    /// The tokens of a text: what is left of it without blanks outside strings.
    fn compact(text: &str) -> String {
        let mut out = Vec::new();
        jsonseam_text::push_compact(text, &mut out);
        String::from_utf8(out).expect("it was a text")
    }

    proptest! {
        #[test]
        fn l3_a_value_in_its_own_spelling_is_its_text_without_blanks(text in texts()) {
            let value: Value = serde_json::from_str(&text).expect("the generator writes JSON");
            let own = spelled(&text, &value);
            prop_assert_eq!(serde_json::from_str::<Value>(&own).expect("it is JSON"), value);
            // Where no name is repeated, nothing else is lost.
            if compact(&text).matches(':').count() == own.matches(':').count() {
                prop_assert_eq!(&*own, compact(&text));
            }
        }
    }
}
