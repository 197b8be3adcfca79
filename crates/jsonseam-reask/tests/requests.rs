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
    assert_eq!((quota.reason(), quota.is_retryable()), (TransportKind::Quota, false));
    let run = play(&reask(), &[Err(quota), says(GOOD)]);
    assert_eq!((run.requests.len(), run.failure().stop), (1, Stop::Transport));
}

#[test]
fn l9a_a_refusal_ends_the_run_whatever_is_beside_it() {
    let chain = || reask().models(["small-1", "large-1"]).fallback([Mode::Text]);
    for beside in ["", " ", "I am sorry.", GOOD, BAD] {
        for calls in [vec![], vec![call("answer", GOOD)]] {
            let refused =
                Response::new(beside).with_tool_calls(calls).with_refusal("I cannot CANARY").with_usage(40, 3);
            let run = play(&chain(), &[Ok(refused), says(GOOD)]);
            let failure = run.failure();
            assert_eq!((run.requests.len(), failure.stop), (1, Stop::ModelRefused), "{beside}");
            assert_eq!(
                (failure.error.code().as_str(), failure.error.reason().as_str()),
                ("transport", "model_refused")
            );
            assert!(!failure.error.is_retryable());
            // What it cost is on record, and what it said is shown to whoever asks.
            let attempt = &failure.attempts[0];
            assert_eq!(
                (attempt.usage.map(jsonseam_reask::Usage::total), attempt.status.as_str()),
                (Some(43), "failed")
            );
            assert_eq!(attempt.errors, ["transport/model_refused"]);
            assert_eq!(failure.error.transport().and_then(TransportError::detail), Some("I cannot CANARY"));
            let shown = format!("{failure} {failure:?} {}", serde_json::to_string(failure).expect("it serialises"));
            assert!(!shown.contains("CANARY"), "{shown}");
        }
    }
    // Blank words are no refusal, and an answer that was valid before is not taken back.
    assert!(play(&reask(), &[Ok(Response::new(GOOD).with_refusal(" "))]).result.is_ok());
    let run = play(&reask(), &[says(BAD), Ok(Response::default().with_refusal("no"))]);
    assert_eq!((run.requests.len(), run.failure().partial.is_some()), (2, true));
}

#[test]
fn l9a_refused_filtered_and_truncated_are_three_reasons() {
    let half = r#"{"answer": "yes", "sco"#;
    let eager = || reask().on_truncation(jsonseam_reask::OnTruncation::AskShorter).models(["a", "b"]);
    for (reason, stop, code, error) in [
        ("content_filter", Stop::ContentFilter, "transport", "content_filter"),
        ("SAFETY", Stop::ContentFilter, "transport", "content_filter"),
        ("refusal", Stop::ModelRefused, "transport", "model_refused"),
    ] {
        let run = play(&eager(), &[Ok(Response::new(half).with_finish_reason(reason)), says(GOOD)]);
        let failure = run.failure();
        assert_eq!((run.requests.len(), failure.stop), (1, stop), "{reason}");
        assert_eq!((failure.error.code().as_str(), failure.error.reason().as_str()), (code, error), "{reason}");
        assert_eq!(failure.attempts[0].errors, [format!("{code}/{error}")]);
        assert_eq!(failure.attempts[0].finish_reason.as_deref(), Some(reason));
        assert!(!failure.error.is_retryable());
    }
    let cut = || Ok(Response::new(half).with_finish_reason("length"));
    let run = play(&reask(), &[cut(), says(GOOD)]);
    let failure = run.failure();
    assert_eq!((run.requests.len(), failure.stop), (1, Stop::Truncated));
    assert_eq!((failure.error.code().as_str(), failure.error.reason().as_str()), ("output_decode_failed", "truncated"));
    assert_eq!(play(&eager(), &[cut(), says(GOOD)]).requests.len(), 2, "a shorter answer may be whole");
    // A whole answer that a filter has ended is taken where what was cut off is.
    let filtered = || Ok(Response::new(GOOD).with_finish_reason("content_filter"));
    assert_eq!(play(&reask(), &[filtered()]).failure().stop, Stop::ContentFilter);
    let lax = contract().outputs(["answer", "score"]).allow_truncated(true).build().expect("it holds");
    assert!(play(&jsonseam_reask::Reask::new(lax), &[filtered()]).result.is_ok());
    // A filter that does not let the prompt through is no other mode's or model's matter either.
    let rejected = TransportError::status(400).with_cause(RejectionCause::ContentFilter);
    let run = play(&eager().fallback([Mode::Text]), &[Err(rejected), says(GOOD)]);
    assert_eq!(
        (run.requests.len(), run.failure().stop, run.failure().error.reason().as_str()),
        (1, Stop::ContentFilter, "content_filter")
    );
}

/// What a server says whose model takes no temperature.
fn takes_no_temperature() -> support::Play {
    Err(TransportError::status(400).with_cause(RejectionCause::Temperature))
}

#[test]
fn l9a_a_model_that_takes_no_temperature_gets_the_same_request_without_one() {
    let temperatures = |run: &support::Run| run.requests.iter().map(|request| request.temperature).collect::<Vec<_>>();
    // In a re-ask: the same prompt again, and no temperature in this run any more.
    let run = play(&reask(), &[says("{}"), takes_no_temperature(), says(BAD), says(GOOD)]);
    assert_eq!(temperatures(&run), [None, Some(0.0), None, None]);
    assert!(run.result.is_ok());
    assert_eq!(run.prompt(1), run.prompt(2));
    assert_eq!(run.requests[1].schema, run.requests[2].schema);
    let record: Vec<_> = run
        .answer()
        .attempts
        .iter()
        .map(|attempt| (attempt.number, attempt.cause.as_str(), attempt.status.as_str()))
        .collect();
    let expected = [
        (1, "first", "refused"),
        (2, "schema_repair", "failed"),
        (3, "without_temperature", "refused"),
        (4, "schema_repair", "valid"),
    ];
    assert_eq!(record, expected);
    assert_eq!(run.answer().attempts[1].errors, ["transport/rejected"]);
    assert!(run.prompt(3).contains("This is attempt 2 of 2."), "it is no re-ask: {}", run.prompt(3));
    // In the first request too.
    let warm = Conversation::from("What is it?").with_temperature(1.0);
    let run = play_with(&reask(), warm.clone(), &[takes_no_temperature(), says(BAD), says(GOOD)], Duration::ZERO);
    assert_eq!((run.result.is_ok(), temperatures(&run)), (true, vec![Some(1.0), None, None]));
    // Another model is another matter.
    let chain = reask().models(["a", "b"]).max_attempts(0);
    let run = play_with(&chain, warm.clone(), &[takes_no_temperature(), says(BAD), says(GOOD)], Duration::ZERO);
    assert_eq!((run.result.is_ok(), temperatures(&run)), (true, vec![Some(1.0), None, Some(1.0)]));
    // Once is enough, and without a temperature there is nothing to leave out.
    let run = play_with(&reask(), warm.clone(), &[takes_no_temperature()], Duration::ZERO);
    assert_eq!((run.requests.len(), run.failure().stop), (2, Stop::Transport));
    assert_eq!(play(&reask(), &[takes_no_temperature()]).requests.len(), 1);
    // Nor is anything sent that was vetoed, or whose time is over.
    let vetoed = reask().on_attempt(|_| std::ops::ControlFlow::Break(()));
    assert_eq!(play_with(&vetoed, warm.clone(), &[takes_no_temperature()], Duration::ZERO).requests.len(), 1);
    let brief = reask().deadline(Duration::from_secs(2));
    assert_eq!(play_with(&brief, warm, &[takes_no_temperature()], Duration::from_secs(3)).requests.len(), 1);
}

#[test]
fn l9a_what_is_merged_survives_a_request_without_a_temperature() {
    let narrow = reask().scope(jsonseam_reask::Scope::FailingFields);
    let run = play(&narrow, &[says(BAD), takes_no_temperature(), says("{\"score\": 7}")]);
    assert_eq!(run.answer().outputs.to_json(), r#"{"answer":"yes","score":7}"#);
}
