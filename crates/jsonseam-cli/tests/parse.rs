//! `jsonseam parse`, and the contract flags of `batch`.

mod common;

use common::place;
use serde_json::{Value, json};

#[test]
fn outputs_and_the_repair_are_one_answer() {
    let ran = place().run_on(&["parse", "--keys", "a,b"], "Sure: {\"b\": [1.10, 2],\n \"a\": 'x',}").exits(0);
    let text = ran.text();
    assert!(text.starts_with("{\"outputs\":{\"a\":\"x\",\"b\":[1.10,2]},\"repair\":{\"version\":1,"), "{text}");
    let answer = ran.json();
    assert_eq!(answer["repair"]["status"], "repaired");
    assert_eq!(answer["repair"]["text"], "{\"b\": [1.10, 2],\n \"a\": \"x\"}");
    assert_eq!(answer["repair"]["error"], Value::Null);
}

#[test]
fn k2_k3_k4_keys_that_are_not_the_declared_ones_are_one_error_with_all_lists() {
    let place = place();
    let error = |arguments: &[&str], text: &str| place.run_on(arguments, text).exits(1).json();
    assert_eq!(
        error(&["parse", "--keys", "a,b"], "{\"a\": 1, \"c\": 2, \"a\": 3}"),
        json!({"error": {"code": "invalid_outputs", "reason": "missing_output_keys",
            "missing": ["b"], "extra": ["c"], "duplicates": ["a"]}})
    );
    assert_eq!(error(&["parse", "--key", "a,b"], "{\"a,b\": 1, \"c\": 2}")["error"]["reason"], "extra_output_keys");
    assert_eq!(
        error(&["parse", "--keys", "a"], "{\"a\": 1, \"\\u0061\": 2}")["error"]["reason"],
        "duplicate_output_keys"
    );
    let last = place.run_on(&["parse", "--keys", "a", "--duplicates", "last"], "{\"a\": 1, \"\\u0061\": 2}").exits(0);
    assert_eq!(last.json()["outputs"], json!({"a": 2}));
}

#[test]
fn k2_optional_outputs_that_are_absent_are_left_out() {
    let place = place();
    let arguments = ["parse", "--keys", "a", "--optional", "b"];
    assert_eq!(place.run_on(&arguments, "{\"a\": 1}").exits(0).json()["outputs"], json!({"a": 1}));
    assert_eq!(
        place.run_on(&arguments, "{\"a\": 1, \"b\": null}").exits(0).json()["outputs"],
        json!({"a": 1, "b": null})
    );
    place.run_on(&arguments, "{\"b\": 1}").exits(1);
}

#[test]
fn without_keys_there_is_no_key_check() {
    let place = place();
    let ran = place.run_on(&["parse"], "{\"z\": 1, \"a\": {\"x\": 1e400}}").exits(0);
    assert!(ran.text().starts_with("{\"outputs\":{\"z\":1,\"a\":{\"x\":1e400}},"), "{}", ran.text());
    let whole = place.with("whole.json", "{\"required\": [\"z\"]}");
    let answer = whole.run_on(&["parse", "--schema", "whole.json"], "{\"z\": 1, \"y\": 2}").exits(0).json();
    assert_eq!(answer["outputs"], json!({"z": 1, "y": 2}));
    let error = whole.run_on(&["parse", "--schema", "whole.json"], "{\"y\": 2}").exits(1).json();
    assert_eq!(error["error"]["code"], "output_validation_failed");
}

#[test]
fn v2_a_field_that_does_not_fit_its_schema_is_named() {
    let place = place().with("count.json", "{\"type\": \"integer\"}");
    let arguments = ["parse", "--keys", "count,name", "--schema-for", "count=count.json"];
    assert_eq!(
        place.run_on(&arguments, "{\"count\": 3, \"name\": 1}").exits(0).json()["outputs"],
        json!({"count": 3, "name": 1})
    );
    let answer = place.run_on(&arguments, "{\"count\": \"3\", \"name\": 1}").exits(1).json();
    let error = &answer["error"];
    assert_eq!(
        (&error["code"], &error["reason"], &error["field"]),
        (&json!("output_validation_failed"), &json!("schema"), &json!("count"))
    );
    assert_eq!(error["errors"][0]["path"], "/count");
    let members: Vec<_> = error["errors"][0].as_object().expect("an object").keys().map(String::as_str).collect();
    assert_eq!(members, ["expected", "found", "keyword", "message", "path", "schema_path"]);
}

#[test]
fn v1_formats_are_asserted_when_asked_for_and_wrappers_are_taken_off() {
    let schema = "{\"name\": \"n\", \"strict\": true, \"schema\": {\"properties\": {\"due\": {\"type\": \"string\", \"format\": \"date\"}}}}";
    let place = place().with("due.json", schema);
    place.run_on(&["parse", "--schema", "due.json"], "{\"due\": \"soon\"}").exits(0);
    place.run_on(&["parse", "--schema", "due.json"], "{\"due\": 7}").exits(1);
    let error = place.run_on(&["parse", "--schema", "due.json", "--formats"], "{\"due\": \"soon\"}").exits(1).json();
    assert_eq!(error["error"]["errors"][0]["keyword"], json!("format"));
}

#[test]
fn p6_what_does_not_fit_its_schema_is_followed_by_what_to_do() {
    let place =
        place().with("s", r#"{"type": "string"}"#).with("n", r#"{"type": "number"}"#).with("a", r#"{"type": "array"}"#);
    for (schema, text, advice) in [
        ("s", r#"{"x": 12}"#, "it fits when it is cast: --coerce=to-string"),
        ("n", r#"{"x": "12"}"#, "it fits when it is cast: --coerce=string-to-number"),
        ("a", r#"{"x": "12"}"#, "it fits when it is cast: --coerce=to-list"),
        ("s", r#"{"x": {"a": 1}}"#, "no cast makes it fit: change the schema if the answer is right, or ask again"),
        ("n", r#"{"x": "many"}"#, "no cast makes it fit"),
    ] {
        let schema = format!("x={schema}");
        let ran = place.run_on(&["parse", "--schema-for", &schema], text).exits(1);
        ran.says(advice);
        // What is advised was tried.
        if let Some((_, coerce)) = advice.split_once("cast: ") {
            place.run_on(&["parse", "--schema-for", &schema, coerce], text).exits(0);
        }
    }
    for (schema, kind) in [("s", "string"), ("n", "number"), ("a", "array")] {
        let ran = place.run_on(&["parse", "--schema", schema], r#"{"a": 1}"#).exits(1);
        ran.says(&format!(
            "the schema wants {kind} as a whole, and --root object reads no such value: --root any does"
        ));
    }
    let quiet = place.run_on(&["parse", "-q", "--schema", "s"], r#"{"a": 1}"#).exits(1);
    assert!(!quiet.stderr.contains("help"), "{}", quiet.stderr);
}

#[test]
fn v3_a_refused_schema_is_an_error_of_its_own_and_exits_with_2() {
    let place = place().with("bad.json", "{\"type\": \"nonsense\"}").with("text.json", "not a schema");
    for file in ["bad.json", "text.json"] {
        let ran = place.run_on(&["parse", "--schema-for", &format!("a={file}")], "{\"a\": 1}").exits(2);
        let answer = ran.json();
        assert_eq!((&answer["error"]["code"], &answer["error"]["field"]), (&json!("schema_refused"), &json!("a")));
        place.run_on(&["batch", "--schema", file], "").exits(2).says("schema");
    }
    let wrong = place.with("deep.json", "{\n \"properties\": {\n  \"n\": {\"type\": \"intger\"}}}");
    let ran = wrong.run_on(&["parse", "--schema", "deep.json"], "{}").exits(2);
    let ran = ran.says("not_a_schema: deep.json: line 3: /properties/n/type: Value must be one of");
    let error = &ran.json()["error"];
    let told = ["file", "line", "pointer", "keyword"].map(|member| error[member].clone());
    assert_eq!(told, [json!("deep.json"), json!(3), json!("/properties/n/type"), json!("type")]);
    let place = wrong.with("own.json", "{\"$schema\": \"https://example.com/own\", \"required\": [\"a\"]}");
    place.run_on(&["parse", "--schema", "own.json"], "{}").exits(2).says("choose one of draft-04");
    place.run_on(&["parse", "--schema", "own.json", "--draft", "2020-12"], "{}").exits(1);
    place.run_on(&["parse", "--schema", "absent.json"], "{}").exits(2).says("cannot read the schema absent.json");
    place.run_on(&["parse", "--schema-for", "a"], "{}").exits(2).says("NAME=FILE");
    place.run_on(&["parse", "--schema", "a=own.json"], "{}").exits(2).says("for one output: --schema-for a=own.json");
}

#[test]
fn a_contract_file_declares_what_the_flags_do() {
    let folder = place();
    std::fs::create_dir(folder.path("deep")).expect("a folder can be made");
    let place = folder
        .with("deep/note.json", "{\"maxLength\": 3}")
        .with("deep/c.toml", "[outputs.answer]\ntype = \"string\"\n[outputs.note]\nschema-file = \"note.json\"\noptional = true\n[outputs.list.schema]\ntype = \"array\"\n");
    let run = |text: &str| place.run_on(&["parse", "--contract", "deep/c.toml"], text);
    assert_eq!(
        run("{\"list\": [], \"answer\": \"x\"}").exits(0).json()["outputs"].to_string(),
        "{\"answer\":\"x\",\"list\":[]}"
    );
    assert_eq!(run("{\"list\": [], \"answer\": 1, \"note\": \"long\"}").exits(1).json()["error"]["field"], "answer");
    assert_eq!(run("{\"answer\": \"x\"}").exits(1).json()["error"]["missing"], json!(["list"]));
    let mistaken = common::place().with("c.toml", "[outputs.a]\nkind = 'string'\n");
    mistaken
        .run_on(&["parse", "--contract", "c.toml"], "{}")
        .exits(2)
        .says("c.toml:2:1: unknown key `kind` in an output");
}

#[test]
fn b3_cut_texts_are_refused_unless_they_are_allowed() {
    let place = place();
    let cut = "{\"a\": 1, \"b\": [1, 2";
    let strict = place.run_on(&["parse", "--keys", "a,b"], cut).exits(1).says("truncated");
    assert_eq!(strict.json()["error"]["reason"], "truncated");
    let standard = ["parse", "--keys", "a,b", "--preset", "standard"];
    assert_eq!(place.run_on(&standard, cut).exits(1).json()["error"]["reason"], "truncated");
    let allowed = place.run_on(&[&standard[..], &["--allow-truncated"]].concat(), cut).exits(0).json();
    assert_eq!(allowed["repair"]["truncated"], true);
    let said = ["parse", "--keys", "a", "--finish-reason", "length"];
    assert_eq!(place.run_on(&said, "{\"a\": 1}").exits(1).json()["error"]["reason"], "truncated");
}

#[test]
fn b4_with_best_the_contract_chooses_among_candidates() {
    let place = place();
    let text = "```json\n{\"draft\": 1}\n```\n```json\n{\"answer\": 2}\n```\n```json\n{\"other\": 3}\n```";
    let best = |key: &str| place.run_on(&["parse", "--candidates", "best", "--keys", key], text).exits(0).json();
    assert_eq!(best("draft")["outputs"], json!({"draft": 1}));
    assert_eq!(best("answer")["outputs"], json!({"answer": 2}));
}

#[test]
fn e1_invalid_utf8_and_missing_objects_are_decode_errors() {
    let place = place();
    let error = place.run_on(&["parse", "--keys", "a"], b"{\"a\": \"\xFF\"}").exits(1).says("not UTF-8").json();
    assert_eq!((&error["error"]["reason"], &error["error"]["offset"]), (&json!("invalid_utf8"), &json!(7)));
    let error = place.run_on(&["parse", "--keys", "a"], "").exits(1).json();
    assert_eq!(error["error"]["reason"], "no_json_object_found");
    let fault =
        place.run_on(&["parse", "--keys", "a"], "{\"a\": None}").exits(1).says("--enable python-literal").json();
    assert_eq!(fault["error"]["mended_by"], json!(["python-literal"]));
}

#[test]
fn batch_adds_outputs_or_the_error_and_keeps_the_status() {
    let place = place();
    let lines = "{\"completion\":\"{\\\"a\\\": [1,\\n2],}\"}\n{\"completion\":\"{\\\"b\\\": 1}\"}\n{\"completion\":\"nothing\"}\n";
    let ran = place.run_on(&["batch", "--keys", "a", "-v"], lines).exits(0);
    let records: Vec<Value> =
        ran.text().lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let member = |index: usize, name: &str| records[index]["jsonseam"][name].clone();
    assert_eq!(
        (member(0, "status"), member(0, "outputs"), member(0, "error")),
        (json!("repaired"), json!({"a": [1, 2]}), json!(null))
    );
    assert_eq!((member(1, "status"), member(1, "outputs")), (json!("valid"), json!(null)));
    assert_eq!(
        member(1, "error"),
        json!({"code": "invalid_outputs", "reason": "missing_output_keys", "missing": ["a"], "extra": ["b"]})
    );
    assert_eq!((member(2, "status"), member(2, "outputs")), (json!("refused"), json!(null)));
    assert_eq!(member(2, "error")["reason"], "no_json_object_found");
    ran.says("1 did not meet the contract").says("contract not met, missing_output_keys: 1");
    place.run_on(&["batch", "--keys", "a", "--fail-on-refused"], "{\"completion\":\"{\\\"b\\\": 1}\"}\n").exits(1);
    let plain = place.run_on(&["batch"], lines).exits(0);
    assert!(!plain.text().contains("\"outputs\""), "only with a contract");
}

#[test]
fn batch_gives_the_same_bytes_whatever_the_number_of_jobs() {
    let place = place();
    let line = |index: usize| format!("{{\"completion\":\"{{\\\"a\\\": {index}, \\\"k{}\\\": 1}}\"}}\n", index % 3);
    let lines = (0..3000).map(line).collect::<Vec<_>>().concat();
    let run = |jobs: &str| {
        place.run_on(&["batch", "--keys", "a", "--optional", "k0", "--jobs", jobs], &lines).exits(0).stdout
    };
    assert_eq!(run("1"), run("8"));
}

#[test]
fn nested_repeats_are_told_and_not_refused() {
    let ran = place().run_on(&["parse", "--keys", "a", "-v"], "{\"a\": {\"x\": 1, \"x\": 2}}").exits(0);
    assert!(ran.text().starts_with("{\"outputs\":{\"a\":{\"x\":1,\"x\":2}}"), "{}", ran.text());
    ran.says("hold more than once: 1");
}

#[test]
fn casts_are_off_and_recorded_when_they_are_made() {
    let place = place().with("count.json", "{\"type\": \"integer\"}");
    let arguments = ["parse", "--schema-for", "count=count.json"];
    place.run_on(&arguments, "{\"count\": \"42\"}").exits(1);
    let answer = place.run_on(&[&arguments[..], &["--coerce"]].concat(), "{\"count\": \"42\"}").exits(0).json();
    assert_eq!((&answer["outputs"], &answer["casts"][0]["path"]), (&json!({"count": 42}), &json!("/count")));
}

#[test]
fn the_contract_file_of_the_guide_holds() {
    let page =
        std::fs::read_to_string(concat!(env!("CARGO_MANIFEST_DIR"), "/../../docs/contracts.md")).expect("it is there");
    let between = |start: &str, end: &str| {
        let rest = page.split_once(start).expect("the guide shows it").1;
        rest.split_once(end).expect("it ends").0.to_owned()
    };
    let place = place().with("contract.toml", format!("#{}", between("```toml\n# jsonseam parse", "```")));
    let arguments = ["parse", "--contract", "contract.toml"];
    place.run_on(&arguments, "{\"answer\": \"yes\", \"score\": 0}").exits(0);
    let error = place.run_on(&arguments, "{\"answer\": \"yes\", \"score\": -1}").exits(1).json();
    assert_eq!(error["error"]["field"], "score");
}

#[test]
fn items_at_the_cut_and_items_that_do_not_fit_are_reported_beside_the_outputs() {
    let place = place();
    let contract =
        "incomplete = 'drop'\nitems = 'fitting'\ncoerce = 'envelope'\n[outputs.rows]\nschema-file = 'rows.json'\n";
    let place =
        place.with("rows.json", r#"{"type": "array", "items": {"type": "integer"}}"#).with("contract.toml", contract);
    let text = r#"{"data": {"rows": [1, "two", 3, 4"#;
    let by_file = place.run_on(&["parse", "--contract", "contract.toml"], text).exits(0).says("left out").json();
    assert_eq!((&by_file["outputs"], &by_file["repair"]["truncated"]), (&json!({"rows": [1, 3]}), &json!(true)));
    let paths: Vec<_> =
        by_file["dropped"].as_array().expect("a list").iter().map(|item| item["path"].clone()).collect();
    assert_eq!(paths, ["/rows/3", "/rows/1"]);
    assert_eq!(by_file["dropped"][0]["start"], 32);
    assert_eq!(by_file["dropped"][1]["errors"][0]["keyword"], "type");
    let flags = ["parse", "--schema-for", "rows=rows.json", "--coerce=envelope", "--items", "fitting", "--incomplete"];
    let by_flags = place.run_on(&[&flags[..], &["drop"]].concat(), text).exits(0).json();
    assert_eq!(by_flags, by_file);
    let refused = place.run_on(&[&flags[..], &["refuse"]].concat(), text).exits(1).json();
    assert_eq!(refused["error"]["reason"], "truncated");
    let line = format!("{}\n", json!({"completion": text}));
    let batch = place.run_on(&["batch", "--contract", "contract.toml"], &line).exits(0).json();
    assert_eq!(batch["jsonseam"]["dropped"], by_file["dropped"]);
    let page = include_str!("../../../docs/contracts.md");
    let shown = page.split("```json\n").nth(1).and_then(|rest| rest.split("```").next()).expect("the page has a block");
    assert_eq!(serde_json::from_str::<Value>(shown).expect("it is JSON"), by_file["dropped"]);
}
