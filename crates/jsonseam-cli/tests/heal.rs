//! `jsonseam heal`.

mod common;

use common::place;
use serde_json::{Value, json};

/// A history of one call with these arguments, and its result.
fn history(arguments: &str) -> String {
    let arguments = json!(arguments);
    format!(
        "[ {{\"role\": \"assistant\", \"tool_calls\": [{{\"id\": \"c1\", \"type\": \"function\", \"function\": {{\"name\": \"f\", \"arguments\": {arguments}}}}}]}},\n\
          {{\"role\": \"tool\", \"tool_call_id\": \"c1\", \"content\": \"é\"}} ]\n"
    )
}

#[test]
fn a_broken_call_is_repaired_and_all_else_is_kept_byte_for_byte() {
    let ran = place().run_on(&["heal"], history("{'a': 1,}")).exits(0);
    assert_eq!(ran.text(), history("{\"a\": 1}"));
    assert_eq!(place().run_on(&["heal"], ran.text()).exits(0).text(), ran.text());
}

#[test]
fn a_call_that_stays_broken_is_left_as_it_is_and_the_exit_code_says_so() {
    let text = history("{\"a\": \"half a wo");
    let ran = place().run_on(&["heal"], &text).exits(1).says("message 0, call 0: refused, truncated");
    assert_eq!(ran.text(), text);
}

#[test]
fn the_report_has_one_record_for_each_line() {
    let lines = format!("{}\n\n{}\n", history("").replace('\n', " "), history("[1]").replace('\n', " "));
    let place = place().with("log.jsonl", &lines);
    let ran = place.run(&["heal", "--report", "-", "-o", "healed.jsonl", "log.jsonl"]).exits(1);
    let records: Vec<Value> = ran.text().lines().map(|line| serde_json::from_str(line).expect("a record")).collect();
    let [repaired, refused] = records.as_slice() else { panic!("{}", ran.text()) };
    assert_eq!((&repaired["line"], &repaired["status"]), (&json!(1), &json!("repaired")));
    let edit = &repaired["edits"][0];
    assert_eq!(
        (&edit["message"], &edit["call"], &edit["rule"], &edit["risk"]),
        (&json!(0), &json!(0), &json!("empty-arguments"), &json!("likely"))
    );
    assert_eq!(refused["refused"][0]["reason"], "not_an_object");
    assert_eq!(refused["line"], 3);
    assert_eq!(place.read("healed.jsonl"), lines.replacen("\"arguments\": \"\"", "\"arguments\": \"{}\"", 1));
}

#[test]
fn a_line_that_is_no_history_stays_and_is_on_record() {
    let place = place().with("log.jsonl", "[]\n{\"a\":\n");
    let ran = place.run(&["heal", "--report", "-", "log.jsonl"]).exits(1);
    assert!(
        ran.text().lines().nth(1).expect("two records").contains("\"code\":\"bad_record\",\"reason\":\"not_json\"")
    );
    assert_eq!(place.run(&["heal", "log.jsonl"]).exits(1).text(), "[]\n{\"a\":\n");
    place.run_on(&["heal"], "{}").exits(1).says("not a list of messages");
    place.run_on(&["heal"], b"[\"\xff\"]").exits(1).says("invalid_utf8");
}

#[test]
fn calls_without_results_are_reported_and_refuse_nothing() {
    let text = r#"{"messages":[{"role":"assistant","tool_calls":[{"id":"c1","type":"function","function":{"name":"f","arguments":"{}"}}]},{"role":"user","content":"?"}]}"#;
    let ran = place().run_on(&["heal"], text).exits(0).says("message 0, call 0: no_result");
    assert_eq!(ran.text(), text);
    let record = place().run_on(&["heal", "--report", "-"], text).exits(0).json();
    assert_eq!(record["unpaired"], json!([{"message": 0, "call": 0, "reason": "no_result", "id": "c1"}]));
}

#[test]
fn tools_decide_on_closers_and_flags_on_rules_and_risk() {
    let tools = r#"[{"name": "f", "input_schema": {"type": "object", "properties": {"a": {"type": "object", "properties": {"b": {}}}, "c": {}}}}]"#;
    let place = place().with("tools.json", tools);
    let text = history("{\"a\": {\"b\": 1, \"c\": 2}");
    place.run_on(&["heal"], &text).exits(1).says("ambiguous_repair");
    let healed = place.run_on(&["heal", "--tools", "tools.json"], &text).exits(0);
    assert_eq!(healed.text(), history("{\"a\": {\"b\": 1}, \"c\": 2}"));
    place.run_on(&["heal", "--preset", "strict"], history("{a: 1}")).exits(1).says("malformed");
    place.run_on(&["heal", "--max-risk", "certain"], history("")).exits(1).says("risk_too_high");
    place.run_on(&["heal", "--tools", "none.json"], history("")).exits(2);
    let place = place.with("history.json", "[]");
    place.run(&["heal", "-o", "history.json", "history.json"]).exits(2).says("would replace the file that is read");
}
