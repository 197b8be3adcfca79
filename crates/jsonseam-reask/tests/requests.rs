//! What goes to servers and comes back from them beside the text: calls, strict schemas, further members, empty answers, quotas; and who may say stop.

mod support;

use std::time::Duration;

use jsonseam_adapter::Objection;
use jsonseam_reask::{
    ANSWER_TOOL, Conversation, Mode, RejectionCause, Response, Stop, Temperature, ToolCall, TransportError,
    TransportKind,
};
use support::{GOOD, contract, play, play_with, reask, says};

const BAD: &str = r#"{"answer": "yes", "score": -1}"#;

fn call(name: &str, arguments: &str) -> ToolCall {
    ToolCall::new(name, arguments)
}

#[expect(clippy::unnecessary_wraps, reason = "a play is what a transport gives back")]
fn beside(text: &str, calls: Vec<ToolCall>) -> support::Play {
    Ok(Response::new(text).with_tool_calls(calls))
}

#[test]
fn l1_a_call_beside_text_is_judged_and_the_text_enters_the_envelope() {
    let envelope = r#"{"type": "object", "properties": {"toolCalls": {"type": "array", "items": {"type": "object",
        "properties": {"name": {"type": "string"}, "arguments": {"type": "object"}}, "required": ["name", "arguments"]}},
        "content": {"type": "string"}}, "required": ["toolCalls"]}"#;
    let calls = jsonseam_reask::Reask::new(contract().whole_schema(envelope).build().expect("it holds"));
    let run = play(&calls, &[beside("Let me look that up.", vec![call("find", "{\"q\": \"Oslo\"}")])]);
    let outputs = &run.answer().outputs;
    assert_eq!(outputs.text("toolCalls"), Some(r#"[{"name": "find", "arguments": {"q": "Oslo"}}]"#));
    assert_eq!(outputs.get::<String>("content").expect("it is there"), "Let me look that up.");
    // A contract on fields takes the arguments of a single call, if the text does not meet it.
    let run = play(&reask(), &[beside("Here you are:", vec![call("anything", GOOD)])]);
    assert_eq!(run.answer().outputs.get::<u32>("score").ok(), Some(7));
    let run = play(&reask(), &[beside(GOOD, vec![call("anything", BAD)])]);
    assert_eq!(run.answer().outputs.get::<u32>("score").ok(), Some(7));
    // What is wrong is told about the call and not about the prose beside it.
    let run = play(&reask(), &[beside("Let me see.", vec![call("anything", BAD)]), says(GOOD)]);
    assert!(run.prompt(1).contains("Field \"score\": Value is too small (min: 0)"), "{}", run.prompt(1));
}

#[test]
fn l6_asking_by_tool_sends_the_schema_and_takes_the_arguments_of_its_call() {
    let by_tool = reask().mode(Mode::Tool);
    let calls = vec![call("other", "{}"), call(ANSWER_TOOL, GOOD)];
    let run = play(&by_tool, &[beside("Calling.", calls)]);
    assert!(run.result.is_ok());
    assert!(run.requests[0].schema.is_some());
    assert_eq!(run.prompt(0), "What is it?", "the server has the schema");
    // A model that answers in text all the same is understood.
    assert!(play(&by_tool, &[says(GOOD)]).result.is_ok());
}

#[test]
fn l3_the_temperature_of_re_asks_can_be_set_and_left_out() {
    for (temperature, sent) in [(Temperature::Omit, None), (Temperature::Set(0.5), Some(0.5))] {
        let conversation = Conversation::from("What is it?").with_temperature(1.0).with_system("Be brief.");
        let run = play_with(&reask().temperature(temperature), conversation, &[says(BAD), says(GOOD)], Duration::ZERO);
        assert_eq!((run.requests[0].temperature, run.requests[1].temperature), (Some(1.0), sent));
        assert!(run.requests.iter().all(|request| support::system_of(request) == "Be brief.\n"));
    }
}

#[test]
fn l3_what_a_validator_says_enters_the_prompt_and_nothing_else() {
    let adapter = contract()
        .schema("answer", r#"{"type": "string"}"#)
        .schema("score", r#"{"type": "integer"}"#)
        .validator(|outputs| match outputs.get::<i64>("score")? {
            0.. => Ok(()),
            _ => Err(Objection::of("score", "count upwards from CANARY")),
        })
        .build()
        .expect("it holds");
    let run = play(&jsonseam_reask::Reask::new(adapter), &[says(BAD), says(BAD)]);
    assert!(run.prompt(1).contains("Field \"score\": count upwards from CANARY"), "{}", run.prompt(1));
    let failure = run.failure();
    let partial = failure.partial.as_ref().expect("the other field is kept");
    assert_eq!(partial.outputs.names().collect::<Vec<_>>(), ["answer"]);
    let shown = format!("{failure} {failure:?} {}", serde_json::to_string(failure).expect("it serialises"));
    assert!(!shown.contains("CANARY"), "{shown}");
}

#[test]
fn l7_a_failed_model_hands_over_to_the_next_one() {
    let chain = || reask().models(["small-1", "large-1"]).max_attempts(1);
    let asked = |run: &support::Run| run.requests.iter().map(|request| request.model).collect::<Vec<_>>();
    // Beyond the re-asks of the first one, and at once for what its server cannot do.
    let run = play(&chain(), &[says(BAD), says("{}"), says(GOOD)]);
    assert_eq!((run.result.is_ok(), asked(&run)), (true, vec![0, 0, 1]));
    let run = play(&chain(), &[Err(TransportError::status(401)), says(GOOD)]);
    assert_eq!((run.result.is_ok(), asked(&run)), (true, vec![0, 1]));
    let modes = chain().fallback([Mode::Text]);
    let run = play(&modes, &[Err(TransportError::status(404)), says(GOOD)]);
    assert_eq!(
        (run.result.is_ok(), asked(&run)),
        (true, vec![0, 1]),
        "another mode of a model that is not there is no help"
    );
    let run = play(&chain(), &[Err(TransportError::status(401))]);
    assert_eq!((run.failure().stop, asked(&run)), (Stop::Transport, vec![0, 1]));
}

#[test]
fn l7_a_quota_that_is_used_up_is_not_waited_for() {
    let quota = TransportError::status(429).with_retry_after(Duration::from_secs(60)).with_cause(RejectionCause::Quota);
    assert_eq!((quota.kind(), quota.is_retryable()), (TransportKind::Quota, false));
    let run = play(&reask(), &[Err(quota), says(GOOD)]);
    assert_eq!((run.requests.len(), run.failure().stop), (1, Stop::Transport));
}
