//! SPEC L9a: the batch files of providers, with each record's own finish reason, and the reasons for which there is no text.

mod common;

use common::place;
use serde_json::{Value, json};

/// The records of a run over these lines, with what it says.
fn run(shape: &str, more: &[&str], lines: &[Value]) -> (Vec<Value>, String) {
    let input = lines.iter().map(Value::to_string).collect::<Vec<_>>().join("\n");
    let ran = place().run_on(&[&["batch", "--shape", shape, "--preset", "standard"], more].concat(), input).exits(0);
    let records = ran.text().lines().map(|line| {
        let mut line: Value = serde_json::from_str(line).expect("each line is JSON");
        line["jsonseam"].take()
    });
    (records.collect(), ran.stderr.clone())
}

fn chat(message: &Value, finish: Option<&str>) -> Value {
    json!({"choices": [{"index": 0, "message": message, "finish_reason": finish}]})
}

fn openai(body: &Value) -> Value {
    json!({"custom_id": "r", "response": {"status_code": 200, "body": body}, "error": null})
}

fn says(text: &str) -> Value {
    json!({"role": "assistant", "content": text, "refusal": null})
}

fn responses(status: &str, reason: Option<&str>, content: &Value) -> Value {
    let details = reason.map_or(Value::Null, |reason| json!({ "reason": reason }));
    json!({"object": "response", "status": status, "error": null, "incomplete_details": details,
        "output": [{"type": "reasoning", "summary": []}, {"type": "message", "content": content}]})
}

fn anthropic(stop: &str, text: &str) -> Value {
    let content = json!([{"type": "thinking", "thinking": "{}"}, {"type": "text", "text": text}]);
    json!({"custom_id": "r", "result": {"type": "succeeded", "message": {"content": content, "stop_reason": stop}}})
}

fn gemini(finish: &str, parts: &Value) -> Value {
    json!({"key": "r", "response": {"candidates": [{"content": {"parts": parts, "role": "model"}, "finishReason": finish}]}})
}

const WHOLE: &str = "{\"n\": 12}";

#[test]
fn l9a_the_finish_reason_of_each_record_says_whether_its_text_is_truncated() {
    let text = |text: &str| json!([{"type": "output_text", "text": text}]);
    let part = json!([{"text": "thought {", "thought": true}, {"text": "{\"n\""}, {"text": ": 12}"}]);
    let files = [
        ("openai", openai(&chat(&says(WHOLE), Some("stop"))), openai(&chat(&says(WHOLE), Some("length")))),
        ("vllm", openai(&chat(&says(WHOLE), Some("stop"))), openai(&chat(&says(WHOLE), Some("length")))),
        ("chat", chat(&says(WHOLE), Some("stop")), chat(&says(WHOLE), Some("length"))),
        ("anthropic", anthropic("end_turn", WHOLE), anthropic("max_tokens", WHOLE)),
        ("gemini", gemini("STOP", &part), gemini("MAX_TOKENS", &part)),
        (
            "responses",
            openai(&responses("completed", None, &text(WHOLE))),
            openai(&responses("incomplete", Some("max_output_tokens"), &text(WHOLE))),
        ),
        (
            "responses",
            responses("completed", None, &text(WHOLE)),
            responses("incomplete", Some("content_filter"), &text(WHOLE)),
        ),
    ];
    for (shape, whole, cut) in files {
        let (records, said) = run(shape, &[], &[whole.clone(), cut.clone()]);
        let truncated: Vec<_> = records.iter().map(|record| (&record["value"], &record["truncated"])).collect();
        assert_eq!(truncated, [(&json!({"n": 12}), &json!(false)), (&json!({"n": 12}), &json!(true))], "{shape}");
        assert!(said.contains("2 records: 2 valid, 0 repaired, 0 refused; 1 truncated"), "{shape}: {said}");
        // A contract takes no truncated text unless it is told to.
        let (records, _) = run(shape, &["--keys", "n"], &[whole, cut]);
        assert_eq!(records[0]["outputs"], json!({"n": 12}), "{shape}");
        assert_eq!(records[1]["error"]["reason"], "truncated", "{shape}");
    }
    let none = chat(&says(WHOLE), None);
    let (records, _) = run("chat", &["--finish-reason", "length"], &[none.clone(), chat(&says(WHOLE), Some("stop"))]);
    let truncated: Vec<_> = records.iter().map(|record| record["truncated"].clone()).collect();
    assert_eq!(truncated, [json!(true), json!(false)], "the flag is for records that do not say");
    assert_eq!(run("chat", &[], &[none]).0[0]["truncated"], json!(false));
}

#[test]
fn l9a_a_call_of_a_record_that_was_cut_is_refused() {
    let call = says("<tool_call>{\"name\": \"f\", \"arguments\": {}}</tool_call>");
    let lines = [chat(&call, Some("stop")), chat(&call, Some("length"))];
    let (records, _) = run("chat", &["--calls"], &lines);
    assert_eq!(records[0]["calls"][0]["name"], "f");
    assert_eq!((&records[1]["calls"], &records[1]["error"]["reason"]), (&Value::Null, &json!("truncated")));
}

#[test]
fn l9a_failed_requests_and_refusals_of_the_model_are_no_wrong_shape() {
    let null = json!({"role": "assistant", "content": null});
    let refuses = json!({"role": "assistant", "content": null, "refusal": "I cannot"});
    let refusal_part = json!([{"type": "refusal", "refusal": "I cannot"}]);
    let failed = json!({"custom_id": "r", "response": null, "error": {"code": "rate_limit"}});
    let status = json!({"custom_id": "r", "response": {"status_code": 500, "body": {"error": {"message": "x"}}}});
    let cases = [
        ("openai", failed.clone(), "request_failed"),
        ("vllm", status.clone(), "request_failed"),
        ("responses", status, "request_failed"),
        ("responses", responses("failed", None, &json!([])), "request_failed"),
        ("chat", json!({"error": {"message": "x"}}), "request_failed"),
        (
            "anthropic",
            json!({"custom_id": "r", "result": {"type": "errored", "error": {"type": "x"}}}),
            "request_failed",
        ),
        ("anthropic", json!({"custom_id": "r", "result": {"type": "expired"}}), "request_failed"),
        ("gemini", json!({"key": "r", "error": {"code": 429}}), "request_failed"),
        ("gemini", json!({"request": {}, "status": "Bad Request", "response": {}}), "request_failed"),
        ("openai", openai(&chat(&refuses, Some("stop"))), "model_refused"),
        ("chat", chat(&json!({"content": refusal_part}), Some("stop")), "model_refused"),
        ("responses", responses("completed", None, &refusal_part), "model_refused"),
        ("anthropic", anthropic("refusal", "{\"a"), "model_refused"),
        ("chat", chat(&null, Some("content_filter")), "content_filter"),
        ("responses", responses("incomplete", Some("content_filter"), &json!([])), "content_filter"),
        ("gemini", json!({"response": {"promptFeedback": {"blockReason": "SAFETY"}}}), "content_filter"),
        ("gemini", json!({"candidates": [{"finishReason": "SAFETY"}]}), "content_filter"),
    ];
    for (shape, line, reason) in cases {
        // More than half of the lines have no answer, and the run ends with 0: the shape is right.
        let (records, said) = run(shape, &[], std::slice::from_ref(&line));
        let error = &records[0]["error"];
        assert_eq!((&error["code"], &error["reason"]), (&json!("bad_record"), &json!(reason)), "{shape} {line}");
        assert!(said.contains(&format!("1 without an answer ({reason} 1)")), "{shape}: {said}");
    }
    let input = format!("{failed}\n");
    place().run_on(&["batch", "--shape", "openai", "--fail-on-refused"], input).exits(1);
}

#[test]
fn a_wrong_shape_still_fails_and_the_right_one_is_named() {
    let text = json!([{"type": "output_text", "text": WHOLE}]);
    let lines = [
        ("responses", openai(&responses("completed", None, &text))),
        ("responses", responses("completed", None, &text)),
        ("gemini", gemini("STOP", &json!([{"text": WHOLE}]))),
        ("gemini", json!({"candidates": [{"content": {"parts": [{"text": WHOLE}]}}]})),
        ("openai", openai(&chat(&says(WHOLE), Some("stop")))),
        ("chat", chat(&says(WHOLE), Some("stop"))),
        ("anthropic", anthropic("end_turn", WHOLE)),
    ];
    for (shape, line) in lines {
        place().run_on(&["batch"], format!("{line}\n")).exits(1).says(&format!("--shape {shape}"));
        let wrong = if shape == "anthropic" { "chat" } else { "anthropic" };
        place().run_on(&["batch", "--shape", wrong], format!("{line}\n")).exits(1).says("missing_field 1");
    }
    // A null where the text should be says nothing about why.
    let null = chat(&json!({"content": null}), Some("stop"));
    place().run_on(&["batch", "--shape", "chat"], format!("{null}\n")).exits(1).says("not_a_string 1");
}

#[test]
fn content_in_parts_is_read_wherever_a_provider_may_give_it() {
    let parts = json!([{"type": "text", "text": "{\"a\""}, {"type": "image_url"}, {"type": "text", "text": ":1}"}]);
    for (shape, line) in [
        ("chat", chat(&json!({ "content": parts }), Some("stop"))),
        ("openai", openai(&chat(&json!({ "content": parts }), Some("stop")))),
        ("anthropic", json!({"type": "message", "content": parts, "stop_reason": "end_turn"})),
    ] {
        assert_eq!(run(shape, &[], &[line]).0[0]["value"], json!({"a": 1}), "{shape}");
    }
}
