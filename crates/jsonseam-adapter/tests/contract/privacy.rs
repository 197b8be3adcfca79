//! M5: no text of a completion in any error's `Display`, `Debug` or record, but for the lists of keys that the record is made to hold.

use jsonseam_adapter::{Adapter, Error};

use crate::common::builder;

/// A marker that can stand in no message by chance.
const CANARY: &str = "zqCanary7781xv";

fn contract(preset: &str) -> Adapter {
    builder()
        .preset(preset)
        .schema("answer", r#"{"type": "string", "maxLength": 5, "pattern": "^[a-c]*$"}"#)
        .schema("kind", r#"{"enum": ["a", "b"]}"#)
        .schema(
            "list",
            r#"{"type": "array", "maxItems": 2, "items": {"type": "object", "additionalProperties": false, "required": ["id"],
                "properties": {"id": {"type": "integer"}}, "propertyNames": {"maxLength": 3}}}"#,
        )
        .whole_schema(r#"{"minProperties": 2, "properties": {"answer": {"const": "c"}}}"#)
        .build()
        .expect("the schemas are sound")
}

/// Canaries at every kind of place, in texts that fail at every stage.
fn texts() -> Vec<String> {
    let shapes = [
        "@",
        "{\"@\": 1 2}",
        "{\"answer\": \"@",
        "[\"@\"]",
        "{\"@\": \"@\"}",
        "{\"answer\": \"@\", \"@\": 1, \"@\": 2}",
        "{\"answer\": 1, \"kind\": 2, \"list\": [], \"@\": 1}",
        "{\"answer\": \"@\", \"kind\": \"@\", \"list\": [{\"@\": \"@\"}, \"@\", [\"@\"]]}",
        "{\"answer\": {\"@\": 1}, \"kind\": [\"@\"], \"list\": \"@\"}",
        "{\"answer\": \"a\", \"kind\": \"a\", \"list\": [{\"id\": \"@\", \"@\": {\"@\": 1}}]}",
        "{\"answer\": \"@\\ud800\", \"kind\": \"a\", \"list\": [1e400]}",
        "@ {\"answer\": '@', kind: @, \"list\": [@]} @",
    ];
    shapes.iter().map(|shape| shape.replace('@', CANARY)).collect()
}

fn assert_silent(shown: &str, what: &str) {
    for window in CANARY.as_bytes().windows(8) {
        let window = std::str::from_utf8(window).expect("the canary is ASCII");
        assert!(!shown.contains(window), "{what} shows {window}: {shown}");
    }
}

fn check(error: &Error) {
    assert_silent(&format!("{error} {error:?} {:?}", error.partial()), "an error");
    let sources = std::iter::successors(std::error::Error::source(error), |inner| inner.source());
    sources.for_each(|inner| assert_silent(&format!("{inner} {inner:?}"), "a source"));
    assert_silent(&format!("{:?} {:?} {:?}", error.extra(), error.duplicates(), error.violations()), "a finding");
    let mut record = serde_json::to_value(error).expect("errors serialise");
    let members = record.as_object_mut().expect("a record is an object");
    members.remove("extra");
    members.remove("duplicates");
    assert_silent(&record.to_string(), "the record");
}

#[test]
fn m5_no_error_of_the_adapter_holds_text_of_the_completion() {
    let mut codes = std::collections::BTreeSet::new();
    for preset in ["strict", "standard", "lenient"] {
        let adapter = contract(preset);
        for text in texts() {
            match adapter.parse(&text) {
                Ok(outputs) => assert_silent(&format!("{outputs:?}"), "the outputs"),
                Err(error) => {
                    check(&error);
                    codes.insert(error.code().to_string());
                }
            }
        }
    }
    assert_eq!(codes.len(), 3, "every stage has failed: {codes:?}");
}

#[test]
fn m5_decoding_a_field_as_a_type_quotes_no_value() {
    #[derive(serde::Deserialize, Debug)]
    #[serde(deny_unknown_fields)]
    #[expect(dead_code, reason = "it is only decoded")]
    struct Closed {
        id: u32,
    }
    let adapter = builder().output("a").build().expect("it holds");
    for value in ["{\"id\": \"@\"}", "{\"@\": 1}", "\"@\"", "{\"id\": 1e400, \"@\": 1}", "\"@\\ud800\""] {
        let outputs = adapter.parse(&format!("{{\"a\": {}}}", value.replace('@', CANARY))).expect("it is valid");
        check(&outputs.get::<Closed>("a").expect_err("it does not fit"));
        check(&outputs.decode::<Vec<u8>>().expect_err("it is no list"));
    }
}

#[test]
fn m5_a_refused_contract_quotes_no_schema() {
    let schemas = ["{\"type\": \"@\"}", "{\"@\": ", "{\"$ref\": \"https://@.example\"}", "{\"pattern\": \"(?<=@)\"}"];
    for schema in schemas {
        let error = builder().schema("a", &schema.replace('@', CANARY)).build().expect_err("it is refused");
        check(&error);
    }
}
