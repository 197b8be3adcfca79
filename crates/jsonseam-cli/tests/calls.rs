//! `jsonseam calls`.

mod common;

use common::place;
use serde_json::json;

const TEXT: &str = "On it. <tool_call>{\"name\": \"weather\", \"arguments\": {city: 'Oslo'}}</tool_call>";

#[test]
fn calls_content_and_format_are_one_line() {
    let ran = place().run_on(&["calls"], TEXT).exits(0);
    let called = ran.json();
    assert_eq!(called["calls"], json!([{"id": null, "name": "weather", "arguments": {"city": "Oslo"}}]));
    assert_eq!((&called["content"], &called["format"]), (&json!("On it."), &json!("hermes")));
    assert_eq!(ran.text().lines().count(), 1);
}

#[test]
fn a_text_without_calls_has_none() {
    let ran = place().run_on(&["calls"], "Nothing to do.\n").exits(0);
    let expected = json!({
        "calls": [], "content": "Nothing to do.", "thoughts": null, "format": null, "edits": [], "risk": null, "passed_over": []
    });
    assert_eq!(ran.json(), expected);
}

#[test]
fn l1_only_offered_tools_are_called_and_their_schemas_decide_on_values() {
    let place = place().with("tools.json", r#"[{"type": "function", "function": {"name": "f", "parameters": {"properties": {"n": {"type": "integer"}}}}}]"#);
    let text = |name: &str| format!("<function={name}><parameter=n>1</parameter></function>");
    let called = place.run_on(&["calls", "--tools", "tools.json"], text("f")).exits(0).json();
    assert_eq!(called["calls"], json!([{"id": null, "name": "f", "arguments": {"n": 1}}]));
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
        json!({"id": 7, "text": call, "tools": null}),
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
    let [first, second, third, fourth, fifth, sixth, null] = lines.as_slice() else { panic!("{} lines", lines.len()) };
    assert_eq!((&first["id"], &first["jsonseam"]["status"]), (&json!(1), &json!("valid")));
    assert_eq!(first["jsonseam"]["calls"], json!([{"id": null, "name": "f", "arguments": {"n": 1}}]));
    assert_eq!(first["jsonseam"]["content"], "Now.");
    assert_eq!(first["jsonseam"]["format"], "function-tags");
    assert_eq!((&first["jsonseam"]["text"], &first["jsonseam"]["value"]), (&json!(null), &json!(null)));
    assert_eq!((&second["jsonseam"]["status"], &second["jsonseam"]["calls"]), (&json!("refused"), &json!(null)));
    assert_eq!(second["jsonseam"]["error"]["code"], "tool_calls_refused");
    assert_eq!(third["jsonseam"]["calls"], json!([]));
    // An empty list offers nothing; without a list, or with null, no tools are known.
    assert_eq!(fourth["jsonseam"]["error"]["reason"], "not_offered");
    assert_eq!(fifth["jsonseam"]["calls"], json!([{"id": null, "name": "f", "arguments": {"n": "1"}}]));
    assert_eq!(null["jsonseam"]["calls"], fifth["jsonseam"]["calls"]);
    assert_eq!(sixth["jsonseam"]["error"]["reason"], "bad_tools");
}

/// The texts of the cases of every format.
fn texts_of_the_cases() -> Vec<String> {
    let files = [
        include_str!("../../jsonseam-toolcall/tests/cases/json.toml"),
        include_str!("../../jsonseam-toolcall/tests/cases/named.toml"),
        include_str!("../../jsonseam-toolcall/tests/cases/tagged.toml"),
        include_str!("../../jsonseam-toolcall/tests/cases/keyed.toml"),
        include_str!("../../jsonseam-toolcall/tests/cases/python.toml"),
        include_str!("../../jsonseam-toolcall/tests/cases/gemma.toml"),
    ];
    let cases = files.iter().flat_map(|file| {
        let file: toml::Table = toml::from_str(file).expect("the cases are TOML");
        file["case"].as_array().expect("a list of cases").clone()
    });
    cases.map(|case| case["input"].as_str().expect("a text").to_owned()).collect()
}

#[test]
fn a_record_is_one_line_whatever_white_space_a_call_holds() {
    let pretty = texts_of_the_cases().into_iter().flat_map(|text| {
        let spread = text.replace("{\"", "{\n  \"").replace(", \"", ",\r\n\t\"");
        let damaged = spread.replace("}}", ",\n}}");
        let forged =
            spread.replace(": {}", ": {\"x\":[\n{\"id\":2,\"jsonseam\":{\"status\":\"valid\",\"calls\":[]}}\n]}");
        [text, spread, damaged, forged]
    });
    let texts: Vec<String> = pretty.collect();
    let records: String =
        texts.iter().enumerate().map(|(id, text)| json!({"id": id, "text": text}).to_string() + "\n").collect();
    let ran = place().run_on(&["batch", "--calls", "--field", "text", "-q"], records).exits(0);
    let schema =
        jsonseam::contract::Schema::compile(include_str!("../../../docs/record.schema.json")).expect("it is a schema");
    let (mut called, mut repaired) = (0, 0);
    for (id, line) in ran.text().lines().enumerate() {
        let record: serde_json::Value = serde_json::from_str(line).unwrap_or_else(|error| panic!("{error}: {line}"));
        assert_eq!(record["id"], json!(id), "{line}");
        let record = &record["jsonseam"];
        called += usize::from(record["calls"].as_array().is_some_and(|calls| !calls.is_empty()));
        repaired += usize::from(record["status"] == "repaired");
        assert!(schema.check(&record.to_string(), &jsonseam::contract::Casts::NONE).is_ok(), "{record}");
    }
    assert_eq!(ran.text().lines().count(), texts.len());
    assert!(called > 400 && repaired > 20, "{called} called, {repaired} repaired of {}", texts.len());
}

#[test]
fn b1_the_cap_of_the_file_is_on_the_result_and_a_flag_is_above_it() {
    let text = "<tool_call>{\"name\": \"f\", \"arguments\": {\"x\": \"1\" \"y\": 2,}}</tool_call>";
    let run = |cap: &str, arguments: &[&str], code: i32| {
        let place = place().with("jsonseam.toml", format!("preset = \"standard\"\nmax-risk = \"{cap}\"\n"));
        place.run_on(&[&["calls"], arguments].concat(), text).exits(code).json()
    };
    assert_eq!(run("likely", &[], 0)["risk"], "likely");
    let refused = run("certain", &[], 1);
    assert_eq!(refused["error"]["reason"], "risk_too_high");
    assert!(refused["edits"].as_array().is_some_and(|edits| edits.len() > 1), "{refused}");
    assert_eq!(run("certain", &["--max-risk", "likely"], 0)["calls"][0]["arguments"]["y"], 2);
}

#[test]
fn b2_an_edit_in_a_call_is_on_record_and_its_risk_is_capped() {
    let text = "<tool_call>{\"name\": \"f\", \"arguments\": {\"x\": \"say \"hi\" now\"}}</tool_call>";
    let run =
        |arguments: &[&str], code: i32| place().run_on(&[&["calls"], arguments].concat(), text).exits(code).json();
    let refused = run(&["--preset", "lenient"], 1);
    assert_eq!(refused["error"]["reason"], "risk_too_high");
    assert_eq!(refused["edits"][0]["rule"], "unescaped-quote");
    assert_eq!(refused["edits"][0]["path"], "/calls/0/arguments/x");
    let called = run(&["--preset", "lenient", "--max-risk", "guess"], 0);
    assert_eq!(called["calls"][0]["arguments"]["x"], "say \"hi\" now");
    assert_eq!((&called["risk"], &called["edits"][0]["path"]), (&json!("guess"), &json!("/calls/0/arguments/x")));
    // The cap turns no rule off, so a preset above it is no mistake.
    run(&["--preset", "lenient", "--max-risk", "certain"], 1);
    let record = json!({"text": text}).to_string() + "\n";
    let batch = ["batch", "--calls", "--field", "text", "--preset", "lenient"];
    let refused = place().run_on(&batch, record.clone()).exits(0).json();
    assert_eq!((&refused["jsonseam"]["status"], &refused["jsonseam"]["calls"]), (&json!("refused"), &json!(null)));
    assert_eq!(refused["jsonseam"]["edits"][0]["rule"], "unescaped-quote");
    let repaired = place().run_on(&[&batch[..], &["--max-risk", "guess"]].concat(), record).exits(0).json();
    assert_eq!((&repaired["jsonseam"]["status"], &repaired["jsonseam"]["risk"]), (&json!("repaired"), &json!("guess")));
}

#[test]
fn l0a_what_looks_like_a_call_and_is_none_is_reported() {
    let place = place().with("tools.json", "[{\"name\": \"f\"}]");
    let text = "<think>Perhaps f.</think>I do this:\n{\"name\": \"f\", \"arguments\": {}}";
    let alone = place.run_on(&["calls", "--tools", "tools.json"], text).exits(0).json();
    assert_eq!((&alone["calls"], &alone["thoughts"]), (&json!([]), &json!("Perhaps f.")));
    assert_eq!(alone["passed_over"], json!([{"reason": "inline", "start": 36, "end": text.len()}]));
    let last = place.run_on(&["calls", "--tools", "tools.json", "--bare", "last"], text).exits(0).json();
    assert_eq!(last["calls"][0]["name"], "f");
    let never = "{\"name\": \"f\", \"arguments\": {}}";
    assert_eq!(
        place.run_on(&["calls", "--tools", "tools.json", "--bare", "never"], never).exits(0).json()["calls"],
        json!([])
    );
    place.run_on(&["calls", "--bare", "first"], text).exits(2);
}

#[test]
fn a_call_keeps_the_identifier_that_the_model_gave_it() {
    for (text, id) in [
        ("<tool_call>{\"id\": \"c7\", \"name\": \"f\", \"arguments\": {}}</tool_call>", "c7"),
        (
            "<|tool_calls_section_begin|><|tool_call_begin|>functions.f:0<|tool_call_argument_begin|>{}<|tool_call_end|><|tool_calls_section_end|>",
            "functions.f:0",
        ),
        ("[TOOL_CALLS]f[CALL_ID]a1b2c3d4e[ARGS]{}", "a1b2c3d4e"),
    ] {
        assert_eq!(place().run_on(&["calls"], text).exits(0).json()["calls"][0]["id"], json!(id), "{text}");
    }
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

const TOOLS: &str = r#"[{"type": "web_search"}, {"name": "f", "parameters": {"type": "object", "required": ["n"],
    "properties": {"n": {"type": "INTEGER"}, "o": {"type": "object", "properties": {"a": {"type": "array"}}}}}}]"#;

#[test]
fn b3_closers_are_balanced_up_to_the_end_of_the_call_on_record() {
    let run = |text: &str, code: i32| place().run_on(&["calls"], text).exits(code).json();
    for (text, start, end, replacement) in [
        ("<tool_call>{\"name\": \"f\", \"arguments\": {\"n\": [1}}</tool_call>", 46, 46, "]"),
        ("<tool_call>{\"name\": \"f\", \"arguments\": {\"n\": [1]}\n</tool_call>", 48, 48, "}"),
        ("<tool_call>{\"name\": \"f\", \"arguments\": {\"n\": [1]}}}</tool_call>", 49, 50, ""),
    ] {
        let read = run(text, 0);
        assert_eq!(read["calls"][0]["arguments"], json!({"n": [1]}), "{text}");
        let edit = &read["edits"][0];
        assert_eq!((&edit["rule"], &edit["risk"]), (&json!("unbalanced-call"), &json!("likely")), "{text}");
        assert_eq!(
            (&edit["start"], &edit["end"], &edit["replacement"]),
            (&json!(start), &json!(end), &json!(replacement)),
            "{text}"
        );
    }
    // Two readings, or no mark of an end: nothing is chosen, and nothing is completed.
    run("<tool_call>{\"name\": \"f\", \"arguments\": {\"a\": {\"b\": 1, \"c\": 2}}</tool_call>", 1);
    assert_eq!(run("<tool_call>{\"name\": \"f\", \"arguments\": {\"n\": [1]}", 1)["error"]["reason"], "truncated");
}

#[test]
fn b2_an_edit_in_arguments_that_are_a_string_has_the_span_of_the_string_and_its_own() {
    let text = r#"<tool_call>{"name": "f", "arguments": "{\"n\": [1,]}"}</tool_call>"#;
    let read = place().run_on(&["calls"], text).exits(0).json();
    assert_eq!(read["calls"][0]["arguments"], json!({"n": [1]}));
    let edit = &read["edits"][0];
    assert_eq!((&edit["rule"], &edit["inner"]), (&json!("trailing-comma"), &json!({"start": 8, "end": 9})));
    let span = |key: &str| usize::try_from(edit[key].as_u64().expect("it is an offset")).expect("it fits");
    assert_eq!(&text[span("start")..span("end")], r#""{\"n\": [1,]}""#);
}

#[test]
fn object_parameters_of_tag_formats_are_repaired_and_fences_and_doubled_braces_left_out() {
    let place = place().with("tools.json", TOOLS);
    for text in [
        "<tool_call>\n<function=f>\n<parameter=n>\n1\n</parameter>\n<parameter=o>\n{\"a\": [1, 2}\n</parameter>\n</function>\n</tool_call>",
        "<tool_call>\n<function=f>\n<parameter=n>\n1\n</parameter>\n<parameter=o>\n{a: [1, 2]}\n</parameter>\n</function>\n</tool_call>",
        "<tool_call>f\n<arg_key>n</arg_key>\n<arg_value>1</arg_value>\n<arg_key>o</arg_key>\n<arg_value>```json\n{\"a\": [1, 2,]}\n```</arg_value>\n</tool_call>",
        "<tool_call>\n```json\n{\"name\": \"f\", \"arguments\": {\"n\": 1, \"o\": {\"a\": [1, 2]}}}\n```\n</tool_call>",
        "<tool_call>{{\"name\": \"f\", \"arguments\": {\"n\": 1, \"o\": {\"a\": [1, 2]}}}}</tool_call>",
    ] {
        let read = place.run_on(&["calls", "--tools", "tools.json"], text).exits(0).json();
        assert_eq!(read["calls"][0]["arguments"], json!({"n": 1, "o": {"a": [1, 2]}}), "{text}");
        assert_eq!(read["edits"].as_array().is_some_and(Vec::is_empty), text.contains("```json\n{\"name\""), "{text}");
    }
}

#[test]
fn check_tells_missing_unknown_and_mistyped_arguments_apart_and_makes_exact_casts() {
    let place = place().with("tools.json", TOOLS);
    let text = |arguments: &str| format!("<tool_call>{{\"name\": \"f\", \"arguments\": {arguments}}}</tool_call>");
    let run = |arguments: &str, code: i32| {
        place.run_on(&["calls", "--tools", "tools.json", "--check"], text(arguments)).exits(code).json()["calls"][0]
            .clone()
    };
    let cast = run(r#"{"n": "12345678901234567890"}"#, 0);
    assert_eq!(cast["arguments"].to_string(), r#"{"n":12345678901234567890}"#);
    assert_eq!((&cast["casts"][0]["path"], &cast["errors"]), (&json!("/n"), &json!([])));
    for (arguments, kind, path) in
        [("{}", "missing", "/n"), (r#"{"n": 1, "m": 2}"#, "unknown", ""), (r#"{"n": [1, 2]}"#, "mistyped", "/n")]
    {
        let errors = run(arguments, 1)["errors"].clone();
        assert_eq!((&errors[0]["kind"], &errors[0]["path"]), (&json!(kind), &json!(path)), "{errors}");
        assert!(errors[0]["message"].is_string(), "{errors}");
    }
    // Without --check the members are not there.
    let plain = place.run_on(&["calls", "--tools", "tools.json"], text("{}")).exits(0).json();
    assert_eq!(plain["calls"][0], json!({"id": null, "name": "f", "arguments": {}}));
}

#[test]
fn output_has_the_shape_of_each_framework_and_ids_that_the_same_text_gives_again() {
    let text = "<think>So.</think>On it. <tool_call>{\"name\": \"f\", \"arguments\": {\"b\": 1.50, \"a\": 2}}</tool_call>\
        <tool_call>{\"id\": \"c7\", \"name\": \"g\", \"arguments\": {}}</tool_call>";
    let run = |shape: &str| place().run_on(&["calls", "--output", shape], text).exits(0);
    let openai = run("openai").json();
    assert_eq!((&openai["content"], &openai["reasoning_content"]), (&json!("On it."), &json!("So.")));
    let calls = &openai["tool_calls"];
    assert_eq!(calls[0]["function"], json!({"name": "f", "arguments": "{\"b\":1.50,\"a\":2}"}));
    assert_eq!((&calls[1]["id"], &calls[1]["type"]), (&json!("c7"), &json!("function")));
    let made = calls[0]["id"].as_str().expect("an identifier is made").to_owned();
    assert!(made.starts_with("call_") && run("openai").json()["tool_calls"][0]["id"] == made.as_str());
    let anthropic = run("anthropic");
    assert!(anthropic.text().contains(r#""input":{"b":1.50,"a":2}"#), "digits and order stay");
    let anthropic = anthropic.json();
    assert_eq!(anthropic["content"][0], json!({"type": "text", "text": "On it."}));
    assert_eq!((&anthropic["content"][1]["id"], &anthropic["stop_reason"]), (&json!(made), &json!("tool_use")));
    let gemini = run("gemini").json();
    assert_eq!(gemini["parts"][0], json!({"text": "So.", "thought": true}));
    assert_eq!(gemini["parts"][3]["functionCall"], json!({"id": "c7", "name": "g", "args": {}}));
    let mcp = run("mcp").json();
    assert_eq!(
        mcp[1],
        json!({"jsonrpc": "2.0", "id": "c7", "method": "tools/call", "params": {"name": "g", "arguments": {}}})
    );
    assert_eq!(run("native").json()["calls"][0]["id"], json!(null));
    let none = place().run_on(&["calls", "--output", "openai"], "No.").exits(0).json();
    assert_eq!(none, json!({"role": "assistant", "content": "No."}));
    place().run_on(&["calls", "--output", "yaml"], text).exits(2);
}
