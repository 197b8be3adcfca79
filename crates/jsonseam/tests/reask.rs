//! The loop with the built-in rules and wrappers.

use jsonseam::reask::{AttemptStatus, Echo, Reask, Request, Response, Settings, TransportError};
use jsonseam::{ENVELOPE_SCHEMA, adapter};

/// Plays answers to the loop; how many were asked for, the prompts, and what came of it.
fn play(reask: &Reask, answers: &[&str]) -> (Vec<String>, Result<jsonseam::reask::Answer, jsonseam::reask::Failure>) {
    let mut prompts = Vec::new();
    let mut model = |request: Request| -> Result<Response, TransportError> {
        prompts.push(request.messages.last().map(|message| message.content.clone()).unwrap_or_default());
        Ok(answers.get(prompts.len() - 1).copied().unwrap_or_default().into())
    };
    let result = reask.run_blocking(&mut model, "What is it?");
    (prompts, result)
}

fn on_envelope() -> Reask {
    let contract = adapter().preset("standard").whole_schema(ENVELOPE_SCHEMA).build().expect("the schema is ours");
    jsonseam::reask(contract).expect("the wrappers are ours")
}

fn on_fields() -> Reask {
    let contract = adapter().preset("standard").schema("city", r#"{"type": "string"}"#).build();
    jsonseam::reask(contract.expect("the contract is right")).expect("the wrappers are ours")
}

#[test]
fn l1_wrapped_calls_meet_the_contract_of_the_envelope_without_another_request() {
    for wrapped in [
        "<function_calls><invoke name=\"weather\"><parameter name=\"city\">Oslo</parameter></invoke></function_calls>",
        "On it.\n<tool_call>\n{\"name\": \"weather\", \"arguments\": {\"city\": \"Oslo\"}}\n</tool_call>",
        "[TOOL_CALLS] [{\"name\": \"weather\", \"arguments\": {city: 'Oslo'}}]",
    ] {
        let (prompts, result) = play(&on_envelope(), &[wrapped]);
        let answer = result.unwrap_or_else(|failure| panic!("{wrapped}: {failure}"));
        assert_eq!((prompts.len(), answer.attempts[0].status), (1, AttemptStatus::Repaired), "{wrapped}");
        let calls: serde_json::Value = answer.outputs.get("toolCalls").expect("it is declared");
        assert_eq!(calls, serde_json::json!([{"name": "weather", "arguments": {"city": "Oslo"}}]), "{wrapped}");
    }
}

#[test]
fn l1_the_arguments_of_a_single_call_meet_a_contract_on_fields() {
    let wrapped = "<tool_call>{\"name\": \"answer\", \"arguments\": {\"city\": \"Oslo\"}}</tool_call>";
    let (prompts, result) = play(&on_fields(), &[wrapped]);
    assert_eq!(prompts.len(), 1);
    assert_eq!(result.expect("the arguments fit").outputs.get::<String>("city").ok().as_deref(), Some("Oslo"));
}

#[test]
fn l1_valid_json_is_never_unwrapped() {
    let quoting = "{\"city\": \"<tool_call>{\\\"name\\\": \\\"f\\\", \\\"arguments\\\": {}}</tool_call>\"}";
    let (_, result) = play(&on_fields(), &[quoting]);
    let answer = result.expect("it is valid");
    assert_eq!(answer.attempts[0].status, AttemptStatus::Valid);
    assert!(answer.outputs.get::<String>("city").is_ok_and(|city| city.starts_with("<tool_call>")));
}

#[test]
fn l1_a_call_that_is_cut_is_no_answer() {
    let cut = "<tool_call>{\"name\": \"answer\", \"arguments\": {\"city\": \"Os";
    let (prompts, result) = play(&on_fields(), &[cut]);
    assert!(result.is_err());
    assert_eq!(prompts.len(), 1, "and a cut is not asked for again");
}

#[test]
fn b4_nothing_of_a_text_that_ends_within_thoughts_is_a_partial_answer() {
    let partial = |text: &str| play(&on_fields(), &[text]).1.expect_err("it is cut").partial.is_some();
    // The same text outside of thoughts leaves a partial answer.
    assert!(partial("Perhaps {\"city\": \"Rome\""));
    assert!(!partial("<think>Perhaps {\"city\": \"Rome\""));
}

#[test]
fn l2_messages_about_the_envelope_read_as_agreed() {
    let (prompts, _) =
        play(&on_envelope(), &["{\"toolCalls\": [{\"name\": 7, \"arguments\": {}}, {\"arguments\": {}}]}"]);
    for message in [
        "Field \"toolCalls.0.name\": Expected string, got number",
        "Field \"toolCalls.1.name\": Expected string, got undefined",
    ] {
        assert!(prompts[1].contains(message), "{message} is not in {}", prompts[1]);
    }
}

#[test]
fn l9_the_guide_shows_every_setting_with_its_default() {
    let guide = include_str!("../../../docs/reask.md");
    let table = guide.split("```toml\n").nth(1).and_then(|rest| rest.split("```").next()).expect("there is a table");
    assert_eq!(Settings::from_toml(table, "docs/reask.md").ok(), Some(Settings::default()));
    for key in Settings::KEYS {
        assert!(table.lines().any(|line| line.trim_start_matches("# ").starts_with(&format!("{key} = "))), "{key}");
    }
}

#[test]
fn l9_the_settings_of_a_file_hold() {
    let settings = Settings::from_toml("[reask]\nmax-attempts = 1\necho = \"none\"\n", "jsonseam.toml");
    let reask = on_fields().settings(settings.expect("the file is right"));
    assert_eq!(reask.current_settings().echo, Echo::None);
    let (prompts, result) = play(&reask, &["first", "second", "third"]);
    assert_eq!((prompts.len(), result.is_err()), (2, true));
    assert!(!prompts[1].contains("first"));
}
