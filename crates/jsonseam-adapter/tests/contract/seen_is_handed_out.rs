//! The value that the validator saw is the value that the caller gets, whatever reader the caller uses.

use jsonseam_adapter::{Adapter, CastKind, Casts, Duplicates, Outputs};
use jsonseam_testkit::random::Random;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::common::builder;

/// The members of an object as they are, repeated ones too.
pub(crate) struct AllMembers(pub(crate) Vec<(String, Box<RawValue>)>);

impl<'de> Deserialize<'de> for AllMembers {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct All;
        impl<'de> Visitor<'de> for All {
            type Value = AllMembers;

            fn expecting(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                formatter.write_str("an object")
            }

            fn visit_map<A: MapAccess<'de>>(self, mut map: A) -> Result<AllMembers, A::Error> {
                let mut members = Vec::new();
                while let Some(member) = map.next_entry()? {
                    members.push(member);
                }
                Ok(AllMembers(members))
            }
        }
        deserializer.deserialize_map(All)
    }
}

/// Reads like a parser that keeps the first of repeated keys.
fn first_of_each(text: &str) -> Value {
    match serde_json::from_str::<AllMembers>(text) {
        Ok(AllMembers(members)) => {
            let mut map = serde_json::Map::new();
            for (name, value) in members {
                map.entry(name).or_insert_with(|| first_of_each(value.get()));
            }
            Value::Object(map)
        }
        Err(_) => match serde_json::from_str::<Vec<Box<RawValue>>>(text) {
            Ok(items) => Value::Array(items.iter().map(|item| first_of_each(item.get())).collect()),
            Err(_) => serde_json::from_str(text).expect("it is valid"),
        },
    }
}

/// A value in which some objects repeat `role`, some with escapes.
fn value(depth: usize, random: &mut Random) -> String {
    match random.below(if depth == 0 { 2 } else { 4 }) {
        0 => random.pick_text(&["1", "\"x\"", "null", "[]"]).to_owned(),
        1 => "{}".to_owned(),
        2 => {
            let items: Vec<_> = (0..random.between(1, 3)).map(|_| value(depth - 1, random)).collect();
            format!("[ {} ]", items.join(" , "))
        }
        _ => {
            let members: Vec<_> = (0..random.between(1, 4))
                .map(|_| {
                    let key = random.pick_text(&["role", "r\\u006fle", "user", "\\u0075ser", "list"]);
                    let value = match random.below(3) {
                        0 => "\"user\"".to_owned(),
                        1 => "\"admin\"".to_owned(),
                        _ => value(depth - 1, random),
                    };
                    format!("\"{key}\" : {value}")
                })
                .collect();
            format!("{{ {} }}", members.join(" , "))
        }
    }
}

fn readings_agree(outputs: &Outputs, name: &str) {
    let text = outputs.text(name).expect("it is there");
    let last: Value = serde_json::from_str(text).expect("it is valid");
    assert_eq!(first_of_each(text), last, "two readers of {text} would differ");
    assert_eq!(outputs.get::<Value>(name).expect("it decodes"), last);
}

fn adapters() -> [Adapter; 2] {
    let schema = r##"{"$defs": {"n": {"type": ["object", "array", "string", "number", "null"],
        "properties": {"role": {"not": {"const": "admin"}}}, "additionalProperties": {"$ref": "#/$defs/n"}, "items": {"$ref": "#/$defs/n"}}},
        "$ref": "#/$defs/n"}"##;
    let whole = format!("{{\"properties\": {{\"a\": {schema}}}}}").replace("#/$defs/n", "#/properties/a/$defs/n");
    [
        builder().schema("a", schema).build().expect("the schema is sound"),
        builder().output("a").whole_schema(&whole).build().expect("the schema is sound"),
    ]
}

#[test]
fn k4_what_a_schema_has_judged_reads_the_same_for_every_reader() {
    let adapters = adapters();
    let mut random = Random::new(11);
    let (mut fit, mut repeated) = (0, 0);
    for _ in 0..1_500 {
        let value = value(4, &mut random);
        for adapter in &adapters {
            if let Ok(outputs) = adapter.parse(&format!("{{\"a\": {value}}}")) {
                readings_agree(&outputs, "a");
                fit += 1;
                repeated += usize::from(!outputs.nested_duplicates().is_empty());
                let last: Value = serde_json::from_str(&value).expect("it is valid");
                assert_eq!(outputs.get::<Value>("a").expect("it decodes"), last, "the last of each is what counts");
            }
        }
    }
    assert!(fit > 500 && repeated > 100, "{fit} fit, {repeated} of them with repeated keys");
}

#[test]
fn v1_a_type_gets_the_member_that_its_schema_has_judged() {
    #[derive(Deserialize, jsonseam_adapter::JsonSchema, Debug, PartialEq)]
    struct User {
        role: String,
    }
    let adapter = builder().field_type::<User>("user").build().expect("the type has a schema");
    let outputs = adapter.parse(r#"{"user": {"role": 1, "role": "user"}}"#).expect("the last one fits");
    assert_eq!(outputs.typed::<User>("user"), Some(&User { role: "user".to_owned() }));
    assert_eq!(outputs.get::<User>("user").expect("it decodes"), User { role: "user".to_owned() });
    assert!(adapter.parse(r#"{"user": {"role": "user", "role": 1}}"#).is_err());
}

#[test]
fn v1_text_that_nothing_casts_or_repeats_is_the_completions_own() {
    for adapter in adapters() {
        let text = r#"{ "b" : 1.10, "l\u0069st":[ 1e400e ] }"#.replace("1e400e", "0.10000000000000000000001");
        let outputs = adapter.parse(&format!("{{\"a\": {text}}}")).expect("it fits");
        assert_eq!(outputs.text("a"), Some(text.as_str()));
    }
}

/// The envelope of SPEC L2, with the tools that were offered.
const OFFERED: &str = r#"{"type": "object", "properties": {"toolCalls": {"type": "array", "items": {
    "type": "object", "required": ["name", "arguments"],
    "properties": {"name": {"enum": ["f"]}, "arguments": {"type": "object"}}}}}}"#;

/// What a decoder reads in an object: the first or last member of a name, and whether it minds the case of keys.
fn read(calls: &str, key: &str, takes_last: bool, folds_case: bool) -> Vec<String> {
    let calls: Vec<&RawValue> = serde_json::from_str(calls).expect("it is a list");
    let read = |call: &&RawValue| {
        let text = call.get();
        let mut fitting = jsonseam_keyset::members(text).filter(|member| {
            let name = member.name(text).to_text();
            name == key || folds_case && name.eq_ignore_ascii_case(key)
        });
        let chosen = if takes_last { fitting.last() } else { fitting.next() };
        chosen.map_or_else(String::new, |member| text[member.value].to_owned())
    };
    calls.iter().map(read).collect()
}

#[test]
fn s1_whatever_decoder_reads_the_calls_that_are_handed_out_reads_what_was_judged() {
    let by_whole = builder().optional("toolCalls").whole_schema(OFFERED).build().expect("the contract holds");
    let alone = builder().whole_schema(OFFERED).build().expect("the contract holds");
    let items =
        serde_json::from_str::<serde_json::Value>(OFFERED).expect("it is JSON")["properties"]["toolCalls"].to_string();
    let by_field = builder().schema("toolCalls", &items).build().expect("the contract holds");
    let by_reference = format!("{{\"$ref\": \"#/$defs/E\", \"$defs\": {{\"E\": {OFFERED}}}}}");
    let by_reference = builder().whole_schema(&by_reference).build().expect("the contract holds");
    let last = builder().whole_schema(OFFERED).duplicates(Duplicates::Last).build().expect("the contract holds");
    let keys = ["name", "n\\u0061me", "Name", "NAME", " name", "na_me"];
    let others = ["arguments", "\\u0061rguments", "Arguments", "argument\u{17F}"];
    let mut texts: Vec<String> = Vec::new();
    for key in keys {
        for (one, other) in [("f", "rm"), ("rm", "f"), ("f", "f")] {
            texts.push(format!("[{{\"name\": \"{one}\", \"{key}\": \"{other}\", \"arguments\": {{}}}}]"));
            texts.push(format!("[{{\"{key}\": \"{one}\", \"arguments\": {{}}, \"name\": \"{other}\"}}]"));
        }
    }
    for key in others {
        texts.push(format!("[{{\"name\": \"f\", \"arguments\": {{\"p\": 1}}, \"{key}\": {{\"p\": 2}}}}]"));
        texts.push(format!("[{{\"name\": \"f\", \"{key}\": {{\"p\": 1}}, \"arguments\": {{\"p\": 2}}}}]"));
    }
    for adapter in [&by_whole, &alone, &by_field, &by_reference, &last] {
        for calls in &texts {
            for text in [
                format!("{{\"toolCalls\": {calls}}}"),
                format!("{{\"toolCalls\": [{{\"name\": \"f\", \"arguments\": {{}}}}], \"ToolCalls\": {calls}}}"),
                format!("{{\"toolcalls\": {calls}, \"toolCalls\": [{{\"name\": \"f\", \"arguments\": {{}}}}]}}"),
            ] {
                let error = adapter.parse(&text).expect_err(&text);
                let partial = error.partial().expect("it decoded");
                assert!(partial.iter().all(|(name, _)| !name.eq_ignore_ascii_case("toolCalls")), "{text}");
            }
        }
        let sound = r#"[{"name": "f", "arguments": {"p": 1, "P": 2}}, {"name": "f", "arguments": {"name": "rm"}}]"#;
        let outputs = adapter.parse(&format!("{{\"toolCalls\": {sound}}}")).expect("one tool is called twice");
        let calls = outputs.text("toolCalls").expect("it is there");
        for (takes_last, folds_case) in [(false, false), (false, true), (true, false), (true, true)] {
            assert_eq!(read(calls, "name", takes_last, folds_case), ["\"f\"", "\"f\""]);
        }
    }
}

#[test]
fn a_cast_of_keys_by_case_still_renames_the_head_of_a_call() {
    let adapter =
        builder().whole_schema(OFFERED).casts(Casts::NONE.with(CastKind::KeyCase)).build().expect("the contract holds");
    let outputs = adapter.parse(r#"{"toolCalls": [{"Name": "f", "arguments": {}}]}"#).expect("the cast is allowed");
    assert_eq!(outputs.text("toolCalls"), Some(r#"[{"name": "f", "arguments": {}}]"#));
    assert!(adapter.parse(r#"{"toolCalls": [{"Name": "f", "NAME": "rm", "arguments": {}}]}"#).is_err());
}
