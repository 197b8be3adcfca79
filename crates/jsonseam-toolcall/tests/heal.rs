//! Histories that are healed: what is repaired, what stays as it is, what has no partner.

use jsonseam_core::{Config, Pipeline, Risk, Root};
use jsonseam_toolcall::{HealReason, Healed, Healer, HistoryReason, Tools, Unpaired};
use proptest::prelude::*;
use serde_json::{Value, json};

fn healer() -> Healer {
    let catalogue =
        jsonseam_core::Catalogue::new(jsonseam_rules::all(), jsonseam_rules::PRESETS).expect("the rules fit");
    let config = Config::default().with_preset("standard").with_root(Root::Any);
    Healer::new().with_pipeline(Pipeline::new(&config, &catalogue).expect("the preset is known"))
}

fn heal(history: &Value) -> Healed {
    healer().heal(&history.to_string()).expect("it is a history")
}

/// A history of one call with these arguments, and its result.
fn answered(arguments: &Value) -> Value {
    json!([
        {"role": "user", "content": "Go"},
        {"role": "assistant", "content": null, "tool_calls": [{"id": "c1", "type": "function", "function": {"name": "f", "arguments": arguments}}]},
        {"role": "tool", "tool_call_id": "c1", "content": "done"}
    ])
}

fn arguments_of(healed: &Healed) -> Value {
    let history: Value = serde_json::from_str(healed.text()).expect("it is JSON");
    history[1]["tool_calls"][0]["function"]["arguments"].clone()
}

#[test]
fn broken_empty_and_misspelled_arguments_are_repaired_on_record() {
    for (given, wanted, rules) in [
        (json!(""), "{}", vec!["empty-arguments"]),
        (json!("  "), "{}", vec!["empty-arguments"]),
        (json!(null), "{}", vec!["empty-arguments"]),
        (json!("null"), "{}", vec!["empty-arguments"]),
        (json!({"a": 1}), "{\"a\":1}", vec!["arguments-spelling"]),
        (json!("{\"a\": [1}"), "{\"a\": [1]}", vec!["unbalanced-call"]),
        (json!("{\"a\": 1}}"), "{\"a\": 1}", vec!["unbalanced-call"]),
        (json!("{\"a\": 1"), "{\"a\": 1}", vec!["unbalanced-call"]),
        (json!("{'a': 'x',}"), "{\"a\": \"x\"}", vec!["single-quoted-string", "trailing-comma"]),
        (json!("{a: None}"), "{\"a\": null}", vec!["unquoted-key", "python-literal"]),
        (json!("\"{\\\"a\\\": 1}\""), "{\"a\": 1}", vec!["arguments-encoded-twice"]),
        (json!("```json\n{\"a\": 1}\n```"), "{\"a\": 1}", vec!["markdown-fence"]),
        (json!(" {\"a\": 1,} "), " {\"a\": 1} ", vec!["trailing-comma"]),
    ] {
        let healed = heal(&answered(&given));
        assert_eq!(arguments_of(&healed), json!(wanted), "{given}");
        let mut made: Vec<_> = healed.record().edits.iter().map(|edit| edit.edit.rule.as_str()).collect();
        made.dedup();
        for rule in rules {
            assert!(made.contains(&rule), "{given}: {made:?}");
        }
        assert_eq!(healed.record().status, "repaired");
        for edit in &healed.record().edits {
            assert_eq!((edit.message, edit.call), (1, 0));
            assert_eq!(edit.edit.path, "/1/tool_calls/0/function/arguments");
            assert!(edit.edit.risk <= Risk::Likely);
        }
    }
}

#[test]
fn p0_arguments_that_are_an_object_stay_byte_for_byte() {
    for arguments in [r#""{ \"a\":1.0, \"a\":\"\\u00e9\"}""#, r#""{}""#, r#"" {} ""#] {
        let history = format!(
            "[ {{\"role\":\"assistant\",\"tool_calls\":[{{\"id\":\"c\",\"type\":\"function\",\"function\":{{\"arguments\":{arguments}}}}}]}}]\n"
        );
        let healed = healer().heal(&history).expect("it is a history");
        assert_eq!((healed.text(), healed.record().status), (history.as_str(), "valid"));
    }
}

#[test]
fn what_cannot_be_repaired_is_reported_and_stays_as_it_is() {
    for (given, reason) in [
        (json!("[1]"), HealReason::NotAnObject),
        (json!("42"), HealReason::NotAnObject),
        (json!("\"text\""), HealReason::NotAnObject),
        (json!([1]), HealReason::NotAnObject),
        (json!(true), HealReason::NotAnObject),
        (json!("Oslo"), HealReason::Malformed),
        (json!("{\"a\": 1} and more"), HealReason::Malformed),
        (json!("{\"a\": \"half a wo"), HealReason::Truncated),
        (json!("{\"a\": {\"b\": 1, \"c\": 2}"), HealReason::Ambiguous),
    ] {
        let history = answered(&given);
        let healed = heal(&history);
        assert_eq!(healed.text(), history.to_string(), "{given}");
        let [refused] = healed.record().refused.as_slice() else { panic!("{given}") };
        assert_eq!((refused.reason, refused.message, refused.call), (reason, 1, 0), "{given}");
        assert_eq!(healed.text()[refused.start..refused.end], given.to_string());
        assert_eq!(healed.record().status, "refused");
        assert!(!healed.is_sound());
    }
}

#[test]
fn the_schema_of_the_tool_says_where_a_closer_belongs() {
    let schema = json!({"properties": {"a": {"type": "object", "properties": {"b": {}}}, "c": {}}});
    let tools = Tools::new().tool("f", &schema);
    let history = answered(&json!("{\"a\": {\"b\": 1, \"c\": 2}")).to_string();
    let healed = healer().with_tools(tools).heal(&history).expect("it is a history");
    assert_eq!(arguments_of(&healed), json!("{\"a\": {\"b\": 1}, \"c\": 2}"));
}

#[test]
fn b3_a_call_without_a_result_is_not_closed_at_its_end_as_it_may_still_be_run() {
    let mut history = answered(&json!("{\"path\": \"/tmp\""));
    assert_eq!(heal(&history).record().status, "repaired");
    history.as_array_mut().expect("a list").pop();
    let healed = heal(&history);
    assert_eq!(healed.record().refused[0].reason, HealReason::Truncated);
    assert_eq!(healed.record().unpaired[0].reason, Unpaired::NoResult);
    // A closer that is too many, or missing within, says nothing of a cut.
    for arguments in ["{\"path\": \"/tmp\"}}", "{\"a\": [1}"] {
        let mut history = answered(&json!(arguments));
        history.as_array_mut().expect("a list").pop();
        assert_eq!(heal(&history).record().status, "repaired");
    }
}

#[test]
fn b1_an_edit_above_the_cap_refuses_the_call_with_its_edits() {
    let history = answered(&json!("{\"a\": 1}}")).to_string();
    let healed = healer().with_max_risk(Risk::Certain).heal(&history).expect("it is a history");
    let refused = &healed.record().refused[0];
    assert_eq!((refused.reason, refused.edits.len()), (HealReason::RiskTooHigh, 1));
    assert_eq!(healed.text(), history);
}

#[test]
fn arguments_that_are_given_twice_are_refused() {
    let history = r#"[{"role":"assistant","tool_calls":[{"id":"c","type":"function","function":{"name":"f","arguments":"","arguments":"{}"}}]}]"#;
    let healed = healer().heal(history).expect("it is a history");
    assert_eq!(healed.record().refused[0].reason, HealReason::RepeatedMember);
}

#[test]
fn a_call_without_the_member_gets_it() {
    for function in ["{}", "{ }", "{\"name\":\"f\"}", "{\"name\":\"f\" }"] {
        let history = format!(
            "[{{\"role\":\"assistant\",\"tool_calls\":[{{\"id\":\"c\",\"type\":\"function\",\"function\":{function}}}]}}]"
        );
        let healed = healer().heal(&history).expect("it is a history");
        let value: Value = serde_json::from_str(healed.text()).expect("it is JSON");
        assert_eq!(value[0]["tool_calls"][0]["function"]["arguments"], "{}", "{function}");
        assert_eq!(healed.record().edits[0].edit.rule, "empty-arguments");
    }
}

#[test]
fn objects_of_ollama_and_of_templates_stay_objects() {
    for call in [
        json!({"function": {"name": "f", "arguments": {"a": 1}}}),
        json!({"type": "function", "function": {"name": "f", "arguments": {}}}),
    ] {
        let history = json!([{"role": "assistant", "tool_calls": [call]}]);
        assert_eq!(heal(&history).text(), history.to_string());
    }
}

#[test]
fn requests_items_parts_and_the_older_function_call_are_read() {
    let request = json!({"model": "m", "messages": [{"role": "assistant", "function_call": {"name": "f", "arguments": "{a: 1}"}}]});
    assert_eq!(heal(&request).record().edits[0].edit.path, "/messages/0/function_call/arguments");
    let items = json!({"input": [
        {"type": "function_call", "call_id": "c", "name": "f", "arguments": "{a: 1}"},
        {"type": "reasoning"},
        {"type": "function_call_output", "call_id": "c", "output": ""}
    ]});
    let healed = heal(&items);
    assert_eq!(
        (healed.record().edits[0].edit.path.as_str(), healed.record().unpaired.len()),
        ("/input/0/arguments", 0)
    );
    for input in [json!("{\"a\": 1}"), json!("{a: 1}"), json!({"a": 1})] {
        let parts = json!([
            {"role": "assistant", "content": [{"type": "text", "text": ""}, {"type": "tool_use", "id": "t", "name": "f", "input": input}]},
            {"role": "user", "content": [{"type": "tool_result", "tool_use_id": "t", "content": "x"}]}
        ]);
        let healed = heal(&parts);
        let value: Value = serde_json::from_str(healed.text()).expect("it is JSON");
        assert_eq!(value[0]["content"][1]["input"], json!({"a": 1}));
        assert!(healed.record().unpaired.is_empty());
    }
}

fn reasons(history: &Value) -> Vec<(usize, Unpaired)> {
    heal(history).record().unpaired.iter().map(|one| (one.message, one.reason)).collect()
}

#[test]
fn calls_without_results_and_results_without_calls_are_reported() {
    let call = |ids: &[&str]| {
        let calls: Vec<_> = ids
            .iter()
            .map(|id| json!({"id": id, "type": "function", "function": {"name": "f", "arguments": "{}"}}))
            .collect();
        json!({"role": "assistant", "tool_calls": calls})
    };
    let result = |id: &str| json!({"role": "tool", "tool_call_id": id, "content": ""});
    let user = json!({"role": "user", "content": "x"});
    for (history, wanted) in [
        (json!([call(&["a", "b"]), result("b"), result("a")]), vec![]),
        (json!([call(&["a", "b"]), result("b")]), vec![(0, Unpaired::NoResult)]),
        (json!([call(&["a"]), user, result("a")]), vec![(0, Unpaired::NoResult), (2, Unpaired::OutOfPlace)]),
        (json!([result("a"), call(&["a"]), result("a")]), vec![(0, Unpaired::NoCall)]),
        (json!([call(&["a"]), result("a"), result("a")]), vec![(2, Unpaired::RepeatedResult)]),
        (json!([call(&["a", "a"]), result("a")]), vec![(0, Unpaired::RepeatedId)]),
        (json!([call(&["a"]), result("a"), call(&["a"]), result("a")]), vec![]),
    ] {
        assert_eq!(reasons(&history), wanted, "{history}");
    }
}

#[test]
fn parts_of_anthropic_are_paired_by_turn() {
    let call =
        |id: &str| json!({"role": "assistant", "content": [{"type": "tool_use", "id": id, "name": "f", "input": {}}]});
    let result = |ids: &[&str]| {
        let parts: Vec<_> = ids.iter().map(|id| json!({"type": "tool_result", "tool_use_id": id})).collect();
        json!({"role": "user", "content": parts})
    };
    for (history, wanted) in [
        (json!([call("a"), call("b"), result(&["a", "b"])]), vec![]),
        (json!([call("a"), result(&["b"])]), vec![(0, Unpaired::NoResult), (1, Unpaired::NoCall)]),
        (json!([call("a"), {"role": "user", "content": "stop"}]), vec![(0, Unpaired::NoResult)]),
    ] {
        assert_eq!(reasons(&history), wanted, "{history}");
    }
}

#[test]
fn what_is_no_history_is_refused_with_its_place() {
    let error = healer().heal("[{\"role\": \"user\",\n}]").expect_err("it is not JSON");
    assert_eq!(
        (error.code().as_str(), error.reason(), error.position().map(|at| at.line)),
        ("bad_record", HistoryReason::NotJson, Some(2))
    );
    for text in ["{}", "42", "{\"messages\": 1}"] {
        assert_eq!(
            healer().heal(text).expect_err("it has no messages").reason(),
            HistoryReason::MissingField,
            "{text}"
        );
    }
    for text in ["[]", "[1, null, [], {}]", "{\"messages\": []}"] {
        assert_eq!(healer().heal(text).expect("it is a history").text(), text);
    }
}

#[test]
fn m5_no_text_of_a_history_is_shown() {
    let history = answered(&json!("canary")).to_string().replace("c1", "canary").replace("\"f\"", "\"canary\"");
    let healed = healer().heal(&history).expect("it is a history");
    assert!(!format!("{healed:?}").contains("canary"));
    let error = healer().heal("{\"canary\": canary}").expect_err("it is not JSON");
    assert!(!format!("{error} {error:?}").contains("canary"));
}

#[test]
fn b5_many_calls_and_results_cost_linear_time() {
    let calls: Vec<_> = (0..20_000)
        .map(|at| json!({"id": format!("c{at}"), "type": "function", "function": {"name": "f", "arguments": ""}}))
        .collect();
    let results = (0..20_000).map(|at| json!({"role": "tool", "tool_call_id": format!("d{at}")}));
    let history: Vec<_> = std::iter::once(json!({"role": "assistant", "tool_calls": calls})).chain(results).collect();
    let healed = heal(&json!(history));
    assert_eq!((healed.record().edits.len(), healed.record().unpaired.len()), (20_000, 40_000));
}

/// A JSON object, compact, with one thing done to it that models do.
fn damaged() -> impl Strategy<Value = String> {
    let value = prop_oneof![
        any::<i32>().prop_map(|number| json!(number)),
        "[a-z{}\\[\\]\":, é\\\\]{0,6}".prop_map(|text| json!(text)),
        proptest::collection::vec("[a-z]{0,3}", 0..3).prop_map(|list| json!(list)),
    ];
    let object =
        proptest::collection::btree_map("[a-z]{1,3}", value, 0..4).prop_map(|members| json!(members).to_string());
    (object, 0..8usize, any::<prop::sample::Index>()).prop_map(|(object, kind, at)| match kind {
        0 => object,
        1 => format!("{object}}}"),
        2 => object[..object.len() - 1].to_owned(),
        3 => object.replacen(':', "", 1),
        4 => object.replace('"', "'"),
        5 => json!(object).to_string(),
        6 => format!("```json\n{object}\n```"),
        _ => object.chars().take(at.index(object.chars().count())).collect(),
    })
}

proptest! {
    #[test]
    fn m4_healing_twice_is_healing_once(arguments in damaged(), is_answered: bool) {
        let mut history = answered(&json!(arguments));
        if !is_answered {
            history.as_array_mut().expect("a list").pop();
        }
        let once = heal(&history);
        let twice = healer().heal(once.text()).expect("it is a history");
        prop_assert_eq!(once.text(), twice.text());
        prop_assert!(twice.record().edits.is_empty());
        prop_assert_eq!(&once.record().refused, &twice.record().refused);
    }

    #[test]
    fn b2_all_but_the_arguments_is_kept_and_they_are_an_object_or_as_they_were(arguments in damaged()) {
        let history = answered(&json!(arguments));
        let healed = heal(&history);
        let mut after: Value = serde_json::from_str(healed.text()).expect("it is JSON");
        let made = after[1]["tool_calls"][0]["function"]["arguments"].take();
        let made = made.as_str().expect("a string").to_owned();
        if healed.is_sound() {
            prop_assert!(serde_json::from_str::<serde_json::Map<String, Value>>(&made).is_ok());
        } else {
            prop_assert_eq!(&made, &arguments);
        }
        prop_assert_eq!(made == arguments, healed.record().edits.is_empty());
        let given = json!(arguments).to_string();
        prop_assert_eq!(healed.text().replace(&json!(made).to_string(), ""), history.to_string().replace(&given, ""));
    }
}
