//! docs/record.schema.json describes every record: those of repairs, of refusals, and of contracts met and unmet (CLI.md, "The record").

use jsonseam::contract::Schema;
use jsonseam::{Config, Pipeline, Policy, Record, RepairOptions, Root, pipeline};
use serde_json::Value;

const SCHEMA: &str = include_str!("../../../docs/record.schema.json");

const PAGE: &str = include_str!("../../../docs/record.md");

const COMPLETIONS: [&str; 12] = [
    "{\"a\": 1}",
    "Sure: {\"city\": \"Oslo\",}",
    "```json\n{\"a\": [1, 2,]}\n```\nand ```json\n{\"b\": {\"c\": 'd'}}\n```",
    "{name: 'Ada', \"tags\": [\"a\", \"b\",",
    "{\"a\": 12",
    "{\"a/b~c\": [True, {\"\": None}]}",
    "[1, 2]",
    "no JSON at all",
    "",
    "{\"a\": 1}\n{\"a\": 2}",
    "{\"a\": \"x\u{1}y\"}",
    "{\"a\": nope nope}",
];

fn pipelines() -> Vec<Pipeline> {
    let mut pipelines = Vec::new();
    for preset in ["strict", "standard", "lenient"] {
        for (root, policy) in [(Root::Object, Policy::First), (Root::Any, Policy::Only), (Root::Any, Policy::Last)] {
            let config = Config::default().with_preset(preset).with_root(root).with_policy(policy);
            pipelines.push(pipeline(&config).expect("the preset is built in"));
        }
    }
    pipelines
}

/// Every record there is to look at, as JSON.
fn records() -> Vec<Value> {
    let mut records = Vec::new();
    for pipeline in pipelines() {
        for completion in COMPLETIONS {
            let result = pipeline.repair(completion);
            records.push(serde_json::to_value(Record::new(&result)).expect("a record can be written"));
        }
        let result = pipeline.repair_bytes(b"{\"a\": \xff}", &RepairOptions::default());
        records.push(serde_json::to_value(Record::new(&result)).expect("a record can be written"));
    }
    let adapter = jsonseam::adapter().preset("standard").schema("a", r#"{"type": "integer"}"#).optional("b");
    let adapter = adapter.build().expect("the contract is right");
    for completion in ["{a: 1}", "{\"a\": \"x\"}", "{\"A\": 1, \"A\": 2}", "{\"a\": 1, \"b\": 2, \"c\": 3}", "nothing"]
    {
        let record = match adapter.parse(completion) {
            Ok(outputs) => serde_json::to_value(outputs.record()),
            Err(error) => serde_json::to_value(error.record()),
        };
        let record = record.expect("a record can be written");
        // A refused completion has no repair to write a record of.
        if !record.is_null() {
            records.push(record);
        }
    }
    records
}

#[test]
fn every_record_fits_the_published_schema() {
    let schema = Schema::compile(SCHEMA).expect("the schema is right");
    let records = records();
    let is = |status: &str| records.iter().filter(|record| record["status"] == status).count();
    assert!(is("valid") > 5 && is("repaired") > 10 && is("refused") > 20);
    for record in &records {
        assert!(schema.is_valid(record), "{record:#}");
    }
}

#[test]
fn the_schema_refuses_what_is_no_record() {
    let schema = Schema::compile(SCHEMA).expect("the schema is right");
    let record = records().into_iter().find(|record| record["status"] == "repaired").expect("there is one");
    for (member, value) in [
        ("status", serde_json::json!("valid")),
        ("payload", Value::Null),
        ("edits", serde_json::json!([])),
        ("risk", serde_json::json!("high")),
        ("incomplete", serde_json::json!(["no pointer"])),
        ("version", serde_json::json!(2)),
    ] {
        let mut other = record.clone();
        other[member] = value;
        assert!(!schema.is_valid(&other), "{member}");
    }
}

/// A member that is added to the record is added to the schema and to the page.
#[test]
fn every_member_is_described() {
    let schema: Value = serde_json::from_str(SCHEMA).expect("it is JSON");
    for record in records() {
        let objects = [(&record, &schema["properties"]), (&record["error"], &schema["$defs"]["error"]["properties"])];
        for (object, properties) in objects {
            for name in object.as_object().into_iter().flat_map(serde_json::Map::keys) {
                assert!(properties.get(name).is_some(), "{name} is not in the schema");
                assert!(PAGE.contains(&format!("`{name}`")), "{name} is not on the page");
            }
        }
    }
}
