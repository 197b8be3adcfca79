//! `jsonseam calls`.

mod common;

use common::place;
use serde_json::json;

const TEXT: &str = "On it. <tool_call>{\"name\": \"weather\", \"arguments\": {city: 'Oslo'}}</tool_call>";

#[test]
fn calls_content_and_format_are_one_line() {
    let ran = place().run_on(&["calls"], TEXT).exits(0);
    let expected =
        json!({"calls": [{"name": "weather", "arguments": {"city": "Oslo"}}], "content": "On it.", "format": "hermes"});
    assert_eq!(ran.json(), expected);
    assert_eq!(ran.text().lines().count(), 1);
}

#[test]
fn a_text_without_calls_has_none() {
    let ran = place().run_on(&["calls"], "Nothing to do.\n").exits(0);
    assert_eq!(ran.json(), json!({"calls": [], "content": "Nothing to do.", "format": null}));
}

#[test]
fn l1_only_offered_tools_are_called_and_their_schemas_decide_on_values() {
    let place = place().with("tools.json", r#"[{"type": "function", "function": {"name": "f", "parameters": {"properties": {"n": {"type": "integer"}}}}}]"#);
    let text = |name: &str| format!("<function={name}><parameter=n>1</parameter></function>");
    let called = place.run_on(&["calls", "--tools", "tools.json"], text("f")).exits(0).json();
    assert_eq!(called["calls"], json!([{"name": "f", "arguments": {"n": 1}}]));
    let refused = place.run_on(&["calls", "--tools", "tools.json"], text("rm")).exits(1).json();
    assert_eq!(refused["error"]["code"], "tool_calls_refused");
    assert_eq!(refused["error"]["reason"], "not_offered");
}

#[test]
fn s1_a_repeated_name_is_refused_with_its_place() {
    let text = "<tool_call>{\"name\":\"f\",\"name\":\"rm\",\"arguments\":{}}</tool_call>";
    let error = place().run_on(&["calls"], text).exits(1).json();
    assert_eq!(error["error"]["reason"], "repeated_member");
    assert_eq!((&error["error"]["line"], &error["error"]["format"]), (&json!(1), &json!("hermes")));
}

#[test]
fn one_format_alone_is_read_if_it_is_named() {
    let place = place();
    place.run_on(&["calls", "--format", "hermes"], TEXT).exits(0);
    assert_eq!(place.run_on(&["calls", "--format", "kimi-k2"], TEXT).exits(0).json()["calls"], json!([]));
    place.run_on(&["calls", "--format", "nothing"], TEXT).exits(2);
}

#[test]
fn tools_that_cannot_be_read_are_a_mistake_in_the_usage() {
    let place = place().with("tools.json", "[{\"type\": \"function\"}]");
    place.run_on(&["calls", "--tools", "tools.json"], TEXT).exits(2);
    place.run_on(&["calls", "--tools", "none.json"], TEXT).exits(2);
}

#[test]
fn nothing_is_called_within_thoughts_that_the_prompt_began() {
    let thinking = ["calls", "--within-thoughts"];
    assert_eq!(place().run_on(&thinking, TEXT).exits(0).json()["calls"], json!([]));
    let calls = place().run_on(&thinking, format!("So: {TEXT}</think>{TEXT}")).exits(0).json()["calls"].clone();
    assert_eq!(calls.as_array().map(Vec::len), Some(1));
}

#[test]
fn a_text_that_ended_for_its_length_calls_nothing() {
    let error = place().run_on(&["calls", "--finish-reason", "length"], TEXT).exits(1).json();
    assert_eq!(
        (&error["error"]["code"], &error["error"]["reason"]),
        (&json!("tool_calls_refused"), &json!("truncated"))
    );
}

#[test]
fn a_text_that_is_not_utf8_or_too_long_is_refused() {
    let error = place().run_on(&["calls"], b"ab\xFF".as_slice()).exits(1).json();
    assert_eq!((&error["error"]["reason"], &error["error"]["offset"]), (&json!("invalid_utf8"), &json!(2)));
    let error = place().run_on(&["calls", "--max-input-bytes", "20"], TEXT).exits(1).json();
    assert_eq!(error["error"]["reason"], "limit_exceeded");
}

/// Records of which the first calls what it may, the second what it may not, the third nothing.
fn records() -> String {
    let f = json!([{"name": "f", "input_schema": {"properties": {"n": {"type": "integer"}}}}]);
    let call = "Now. <function=f><parameter=n>1</parameter></function>";
    let records = [
        json!({"id": 1, "text": call, "tools": f}),
        json!({"id": 2, "text": call, "tools": [{"name": "g"}]}),
        json!({"id": 3, "text": "Nothing to do.", "tools": f}),
        json!({"id": 4, "text": call, "tools": []}),
        json!({"id": 5, "text": call}),
        json!({"id": 6, "text": call, "tools": "f"}),
    ];
    records.map(|record| record.to_string() + "\n").concat()
}

#[test]
fn batch_reads_the_calls_of_every_record_with_the_tools_of_its_own() {
    let ran = place().run_on(&["batch", "--calls", "--field", "text", "--tools-field", "tools"], records()).exits(0);
    let lines: Vec<serde_json::Value> =
        ran.text().lines().map(|line| serde_json::from_str(line).expect("it is JSON")).collect();
    let schema = include_str!("../../../docs/record.schema.json");
    let schema = jsonseam::contract::Schema::compile(schema).expect("the schema of the record is one");
    for line in lines.get(..4).expect("these are records of calls") {
        let record = line["jsonseam"].to_string();
        assert!(schema.check(&record, &jsonseam::contract::Casts::NONE).is_ok(), "{record}");
    }
    let [first, second, third, fourth, fifth, sixth] = lines.as_slice() else { panic!("{} lines", lines.len()) };
    assert_eq!((&first["id"], &first["jsonseam"]["status"]), (&json!(1), &json!("valid")));
    assert_eq!(first["jsonseam"]["calls"], json!([{"name": "f", "arguments": {"n": 1}}]));
    assert_eq!(first["jsonseam"]["content"], "Now.");
    assert_eq!(first["jsonseam"]["format"], "function-tags");
    assert_eq!((&first["jsonseam"]["text"], &first["jsonseam"]["value"]), (&json!(null), &json!(null)));
    assert_eq!((&second["jsonseam"]["status"], &second["jsonseam"]["calls"]), (&json!("refused"), &json!(null)));
    assert_eq!(second["jsonseam"]["error"]["code"], "tool_calls_refused");
    assert_eq!(third["jsonseam"]["calls"], json!([]));
    // An empty list offers nothing, and without any list nothing could be checked.
    assert_eq!(fourth["jsonseam"]["error"]["reason"], "not_offered");
    assert_eq!(fifth["jsonseam"]["error"]["reason"], "missing_field");
    assert_eq!(sixth["jsonseam"]["error"]["reason"], "bad_tools");
}

#[test]
fn batch_reads_calls_the_same_with_any_number_of_threads() {
    let run = |jobs: &str| {
        let arguments = ["batch", "--calls", "--field", "text", "--tools-field", "/tools", "--jobs", jobs];
        place().run_on(&arguments, records().repeat(200)).exits(0).text().to_owned()
    };
    assert_eq!(run("1"), run("8"));
}

#[test]
fn flags_that_do_not_go_with_calls_are_a_mistake_in_the_usage() {
    let place = place().with("tools.json", "[{\"name\": \"f\"}]");
    for arguments in [
        ["batch", "--calls", "--keys", "a"].as_slice(),
        &["batch", "--tools", "tools.json"],
        &["batch", "--tools-field", "tools"],
        &["batch", "--calls", "--raw", "--tools-field", "tools"],
    ] {
        place.run_on(arguments, "").exits(2);
    }
}
