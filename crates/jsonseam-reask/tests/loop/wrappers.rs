//! Wrappers of tool calls, and calls beside the text (SPEC L1).

use jsonseam_reask::AttemptStatus::Repaired;
use jsonseam_reask::{Response, Scope};

use crate::support::{GOOD, contract, play, reask, says};
use crate::{BAD, attempts};

#[test]
fn l1_a_wrapper_is_taken_off_only_where_the_answer_is_no_json_and_the_inside_fits() {
    let unwrap = |completion: &str| {
        let inside = completion.split("<tool_call>").nth(1).and_then(|rest| rest.split("</tool_call>").next());
        inside.map(str::to_owned).into_iter().collect::<Vec<_>>()
    };
    let with = reask().envelope(unwrap);
    let run = play(&with, &[says(&format!("<tool_call>{GOOD}</tool_call> and {{\"x\": 1}}"))]);
    assert_eq!(attempts(&run)[0].2, Repaired);
    let kept = format!("{{\"answer\": \"<tool_call>{}</tool_call>\", \"score\": 1}}", "{}");
    let run = play(&with, &[says(&kept)]);
    assert_eq!(run.answer().outputs.get::<u32>("score").ok(), Some(1), "valid text is its own payload");
    let run = play(&with.max_attempts(1), &[says("<tool_call>{\"name\": 1}</tool_call>"), says(GOOD)]);
    assert!(run.prompt(1).contains("HINT: Write the JSON alone, without the tags of a tool call around it."));
}

#[test]
fn l1_an_envelope_counts_only_beside_broken_json_and_with_a_declared_output() {
    let other = |_: &str| vec![r#"{"answer": "other", "score": 1}"#.to_owned()];
    let run = play(&reask().envelope(other), &[says(GOOD)]);
    assert_eq!(run.answer().outputs.to_json(), r#"{"answer":"yes","score":7}"#, "the answer is valid as it is");
    let loose = contract().optional("note").build().expect("the contract is right");
    let loose = jsonseam_reask::Reask::new(loose).envelope(|_: &str| vec!["{}".to_owned()]);
    let run = play(&loose, &[says("Sure: {\"note\": 1}")]);
    assert_eq!(run.answer().outputs.to_json(), r#"{"note":1}"#, "an empty object fits everything and says nothing");
}

#[test]
fn l1_a_wrapper_around_failing_fields_is_taken_off_too() {
    let unwrap = |completion: &str| {
        let inside = completion.split("<tool_call>").nth(1).and_then(|rest| rest.split("</tool_call>").next());
        inside.map(str::to_owned).into_iter().collect::<Vec<_>>()
    };
    let narrow = reask().scope(Scope::FailingFields).envelope(unwrap);
    let run = play(&narrow, &[says(BAD), says("{x} <tool_call>{\"score\": 7}</tool_call> {y}")]);
    assert_eq!(run.answer().outputs.to_json(), r#"{"answer":"yes","score":7}"#);
}

#[test]
fn calls_beside_the_text_are_the_answer_when_there_is_no_text() {
    let call = |arguments: &str| jsonseam_reask::ToolCall::new("f", arguments);
    let run = play(&reask(), &[Ok(Response::new(" ").with_tool_calls(vec![call(GOOD)]))]);
    assert!(run.result.is_ok());
    let envelope = contract().whole_schema(r#"{"properties": {"toolCalls": {"type": "array"}}}"#).build();
    let envelope = jsonseam_reask::Reask::new(envelope.expect("the contract is right"));
    let run = play(&envelope, &[Ok(Response::new("").with_tool_calls(vec![call("{\"a\": 1}"), call("")]))]);
    let text = run.answer().outputs.text("toolCalls").map(str::to_owned);
    assert_eq!(text.as_deref(), Some(r#"[{"name": "f", "arguments": {"a": 1}}, {"name": "f", "arguments": {}}]"#));
}

#[test]
fn s2_native_arguments_are_values_and_never_make_another_call() {
    let call = |arguments: &str| jsonseam_reask::ToolCall::new("f", arguments);
    let schema = r#"{"properties": {"toolCalls": {"items": {"properties": {"arguments": {"type": "object"}}}}}}"#;
    let envelope = || jsonseam_reask::Reask::new(contract().whole_schema(schema).build().expect("it is right"));
    for spliced in [
        r#"{"a": 1}}, {"name": "rm", "arguments": {"p": "/"}"#,
        r#"{"a": 1}, "name": "rm", "arguments": {}"#,
        r#"{"a": 1} {"p": "/"}"#,
    ] {
        let run = play(&envelope().max_attempts(0), &[Ok(Response::new("").with_tool_calls(vec![call(spliced)]))]);
        assert!(run.result.is_err(), "{spliced}");
    }
    let broken = r#"{"a": 1,}"#;
    let run = play(&envelope().max_attempts(0), &[Ok(Response::new("").with_tool_calls(vec![call(broken)]))]);
    let text = run.answer().outputs.text("toolCalls").map(str::to_owned);
    assert_eq!(text.as_deref(), Some(r#"[{"name": "f", "arguments": {"a": 1}}]"#));
}
