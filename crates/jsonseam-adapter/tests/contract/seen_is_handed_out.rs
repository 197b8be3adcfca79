//! The value that the validator saw is the value that the caller gets, whatever reader the caller uses.

use jsonseam_adapter::{Adapter, Outputs};
use jsonseam_testkit::random::Random;
use serde::Deserialize;
use serde::de::{Deserializer, MapAccess, Visitor};
use serde_json::Value;
use serde_json::value::RawValue;

use crate::common::builder;

/// The members of an object as they stand, repeated ones too.
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

#[test]
fn s1_of_a_name_given_twice_in_valid_json_the_one_that_was_judged_is_handed_out_alone() {
    let by_whole = builder().optional("toolCalls").whole_schema(OFFERED).build().expect("the contract holds");
    let items =
        serde_json::from_str::<serde_json::Value>(OFFERED).expect("it is JSON")["properties"]["toolCalls"].to_string();
    let by_field = builder().schema("toolCalls", &items).build().expect("the contract holds");
    for adapter in [by_whole, by_field] {
        for (call, name) in [
            (r#"{"name": "f", "name": "rm", "arguments": {}}"#, None),
            (r#"{"name": "f", "n\u0061me": "rm", "arguments": {}}"#, None),
            (r#"{"name": "rm", "name": "f", "arguments": {}}"#, Some("f")),
            (r#"{"name": "f", "arguments": {"p": 1}, "arguments": {"p": 2}}"#, Some("f")),
        ] {
            let result = adapter.parse(&format!("{{\"toolCalls\": [{call}]}}"));
            let Some(name) = name else {
                assert_eq!(result.expect_err("rm was not offered").reason(), "schema", "{call}");
                continue;
            };
            let outputs = result.expect("the last one was offered");
            let calls = outputs.text("toolCalls").expect("it is there");
            // One name and one list of arguments are left, so first-wins and last-wins decoders read the same.
            assert_eq!((calls.matches("\"name\"").count(), calls.matches("arguments").count()), (1, 1), "{calls}");
            assert!(calls.contains(&format!("\"name\": \"{name}\"")), "{calls}");
        }
    }
}
