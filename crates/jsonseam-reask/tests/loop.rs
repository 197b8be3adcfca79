//! The loop, clause by clause, with scripted models on a clock that nobody waits for.

#![allow(clippy::unnecessary_wraps, reason = "a line of a script is a result")]

mod support;

use std::time::Duration;

use AttemptStatus::{Failed, Refused, Repaired, Valid};
use jsonseam_reask::{
    AttemptStatus, Cause, Conversation, Echo, Message, Mode, OnExhausted, OnTruncation, Reask, Response, Retries, Role,
    Scope, Stop, TransportError, TransportKind,
};
use support::{GOOD, Play, contract, play, play_with, reask, says, text_of};

fn attempts(run: &support::Run) -> Vec<(Cause, Mode, AttemptStatus)> {
    let attempts = match &run.result {
        Ok(answer) => &answer.attempts,
        Err(failure) => &failure.attempts,
    };
    attempts.iter().map(|attempt| (attempt.cause, attempt.mode, attempt.status)).collect()
}

const BAD: &str = r#"{"answer": "yes", "score": -1}"#;

/// Answers that are all bad and all different.
fn bad(number: i32) -> Play {
    says(&format!("{{\"answer\": \"yes\", \"score\": -{}}}", number + 1))
}

#[test]
fn a_good_answer_ends_the_run_with_one_request() {
    let run = play(&reask(), &[says(GOOD)]);
    assert_eq!(run.answer().outputs.get::<u32>("score").ok(), Some(7));
    assert_eq!(attempts(&run), [(Cause::First, Mode::JsonSchema, Valid)]);
    assert_eq!(run.requests.len(), 1);
    assert_eq!(text_of(&run.requests[0]), "What is it?\n", "nothing is added where the server has the schema");
    assert_eq!(run.requests[0].temperature, None);
}

#[test]
fn an_answer_that_rules_mend_is_marked_as_repaired() {
    let run = play(&reask(), &[says("{answer: \"yes\", score: 7,}")]);
    assert_eq!(attempts(&run), [(Cause::First, Mode::JsonSchema, Repaired)]);
}

#[test]
fn l3_a_bad_answer_is_asked_for_again_at_temperature_zero_with_what_is_wrong() {
    let conversation = Conversation::from("What is it?").with_temperature(0.7);
    let run = play_with(&reask(), conversation, &[says(BAD), says(GOOD)], Duration::from_secs(1));
    assert!(run.result.is_ok());
    assert_eq!(run.requests[0].temperature, Some(0.7));
    assert_eq!(run.requests[1].temperature, Some(0.0));
    let prompt = run.prompt(1);
    assert!(prompt.starts_with("What is it?\n\n"), "the original conversation is there: {prompt}");
    for part in
        ["Field \"score\": ", "## The required format", "\"score\": integer (at least 0)", BAD, "attempt 1 of 2"]
    {
        assert!(prompt.contains(part), "{part} is not in {prompt}");
    }
    assert_eq!(run.requests[1].mode, Mode::JsonSchema);
    assert_eq!(run.requests[1].schema, run.requests[0].schema);
}

#[test]
fn l3_there_are_as_many_re_asks_as_agreed_and_no_more() {
    for most in 0..4_u32 {
        let script: Vec<_> = (0..10).map(bad).collect();
        let run = play(&reask().max_attempts(most), &script);
        assert_eq!(run.failure().stop, Stop::Exhausted);
        assert_eq!(run.requests.len(), 1 + most as usize);
        assert_eq!(run.failure().attempts.len(), run.requests.len(), "all attempts are on record");
    }
    let run = play(&reask().enabled(false), &[says(BAD), says(GOOD)]);
    assert_eq!((run.requests.len(), run.failure().stop), (1, Stop::Exhausted));
}

#[test]
fn l3_the_same_answer_twice_ends_its_mode_and_the_next_one_still_runs() {
    let run = play(&reask().max_attempts(5), &[says(BAD)]);
    assert_eq!((run.requests.len(), run.failure().stop), (2, Stop::Repeated));
    let chain = reask().max_attempts(5).fallback([Mode::JsonObject, Mode::Text]);
    let run = play(&chain, &[says(BAD)]);
    assert_eq!((run.requests.len(), run.failure().stop), (6, Stop::Repeated));
    let alternating = [bad(1), bad(2), bad(1), says(GOOD)];
    let run = play(&reask().max_attempts(5), &alternating);
    assert_eq!((run.requests.len(), run.failure().stop), (3, Stop::Repeated), "twice need not be in a row");
}

#[test]
fn l6_each_step_of_the_chain_is_visible() {
    let chain = reask().max_attempts(1).fallback([Mode::JsonObject, Mode::Text]);
    let script = [bad(1), bad(2), bad(3), bad(4), bad(5), says(GOOD)];
    let run = play(&chain, &script);
    assert_eq!(
        attempts(&run),
        [
            (Cause::First, Mode::JsonSchema, Refused),
            (Cause::SchemaRepair, Mode::JsonSchema, Refused),
            (Cause::Fallback, Mode::JsonObject, Refused),
            (Cause::SchemaRepair, Mode::JsonObject, Refused),
            (Cause::Fallback, Mode::Text, Refused),
            (Cause::SchemaRepair, Mode::Text, Valid),
        ]
    );
    let has_schema: Vec<_> = run.requests.iter().map(|request| request.schema.is_some()).collect();
    assert_eq!(has_schema, [true, true, false, false, false, false]);
    assert!(run.prompt(2).contains("Answer with JSON alone"), "the model is told what the server does not tell it");
    assert!(!run.prompt(2).contains("score\": -"), "a new mode starts afresh");
}

#[test]
fn l6_a_server_that_rejects_a_mode_is_asked_in_the_next() {
    let chain = reask().fallback([Mode::JsonObject]);
    let run = play(&chain, &[Err(TransportError::status(400)), says(GOOD)]);
    let expected = [(Cause::First, Mode::JsonSchema, Failed), (Cause::Fallback, Mode::JsonObject, Valid)];
    assert_eq!(attempts(&run), expected);
    let run = play(&chain, &[Err(TransportError::status(401)), says(GOOD)]);
    assert_eq!((run.requests.len(), run.failure().stop), (1, Stop::Transport));
}

#[test]
fn l5_the_best_partial_answer_comes_with_the_error_and_never_without() {
    let script = [says(BAD), says("{\"answer\": 1, \"score\": -1}"), says("no JSON at all")];
    let run = play(&reask(), &script);
    let partial = run.failure().partial.as_ref().expect("one output was valid by itself");
    assert_eq!(partial.attempt, 1);
    assert!(partial.outputs.is_partial());
    assert_eq!(partial.outputs.names().collect::<Vec<_>>(), ["answer"]);
    assert_eq!(run.failure().error.code(), "output_decode_failed");
    let equals =
        [says("{\"answer\": \"one\", \"score\": -1}"), says("{\"answer\": \"two\", \"score\": -1}"), says("none")];
    let run = play(&reask(), &equals);
    let partial = run.failure().partial.as_ref().expect("two had a valid output");
    assert_eq!(partial.attempt, 2, "of equals the later one");
    for quiet in [reask().on_exhausted(OnExhausted::Fail), reask().strict(true)] {
        let run = play(&quiet, &script);
        assert!(run.failure().partial.is_none());
        assert_eq!(run.failure().attempts.len(), 3, "all attempts are on record either way");
    }
}

#[test]
fn l7_transport_errors_are_repeated_by_themselves_and_never_enter_a_prompt() {
    let down = TransportError::status(503).with_detail("CANARY");
    let run = play(&reask(), &[Err(down.clone()), Err(down.clone()), says(BAD), Err(down), says(GOOD)]);
    assert!(run.result.is_ok());
    let retries: Vec<_> = run.answer().attempts.iter().map(|attempt| attempt.transport_retries).collect();
    assert_eq!(retries, [2, 1]);
    for request in &run.requests {
        let text = text_of(request);
        assert!(!text.contains("CANARY") && !text.contains("503") && !text.contains("transport"), "{text}");
    }
    let numbers: Vec<_> = run.requests.iter().map(|request| request.attempt).collect();
    assert_eq!(numbers, [1, 1, 1, 2, 2]);
    assert_eq!(text_of(&run.requests[0]), text_of(&run.requests[2]), "a repetition is the same request");
}

#[test]
fn l7_after_three_repetitions_the_run_ends() {
    let run = play(&reask(), &[Err(TransportError::new(TransportKind::Connection))]);
    assert_eq!((run.requests.len(), run.failure().stop), (4, Stop::Transport));
    assert_eq!((run.failure().error.code().as_str(), run.failure().error.reason()), ("transport", "connection"));
    assert_eq!(run.failure().attempts[0].errors, ["transport/connection"]);
    assert!(run.elapsed <= Duration::from_secs(4 + 2 * (1 + 2 + 4)));
}

#[test]
fn l7_what_cannot_succeed_later_is_asked_once() {
    for status in [400, 401, 403, 404, 413, 422, 302] {
        let run = play(&reask(), &[Err(TransportError::status(status)), says(GOOD)]);
        assert_eq!((run.requests.len(), run.failure().stop), (1, Stop::Transport), "{status}");
    }
}

#[test]
fn l7_patience_is_kept_as_long_as_asked_and_ten_times_at_most() {
    let busy = || Err(TransportError::status(429).with_retry_after(Duration::from_secs(5)));
    let mut script: Vec<Play> = std::iter::repeat_with(busy).take(10).collect();
    script.push(says(GOOD));
    let run = play_with(&reask(), "What?".into(), &script, Duration::ZERO);
    assert!(run.result.is_ok());
    assert_eq!((run.requests.len(), run.elapsed), (11, Duration::from_secs(50)));
    let run = play(&reask(), &[busy()]);
    assert_eq!((run.requests.len(), run.failure().stop), (11, Stop::Transport));
}

#[test]
fn l7_nobody_waits_beyond_the_deadline() {
    let forever = TransportError::status(429).with_retry_after(Duration::from_secs(1_000_000_000));
    let run = play(&reask(), &[Err(forever)]);
    assert_eq!((run.requests.len(), run.failure().stop), (1, Stop::Deadline));
    assert_eq!(run.elapsed, Duration::from_secs(1), "it ends at once, not at the deadline");
    assert_eq!(run.failure().error.reason(), "rate_limited");
}

#[test]
fn l7_a_pause_that_ends_with_the_deadline_is_not_begun() {
    for (pause, requests) in [(8, 2), (9, 1), (10, 1)] {
        let busy = TransportError::status(429).with_retry_after(Duration::from_secs(pause));
        let run = play(&reask().deadline(Duration::from_secs(10)), &[Err(busy), says(GOOD)]);
        assert_eq!(run.requests.len(), requests, "{pause} seconds after the first");
        assert_eq!(run.result.is_ok(), requests == 2);
        let elapsed = if requests == 2 { 1 + pause + 1 } else { 1 };
        assert_eq!(run.elapsed.as_secs(), elapsed, "it ends at once where waiting leads to nothing");
    }
}

#[test]
fn l7_the_deadline_ends_a_run_between_requests() {
    let script: Vec<_> = (0..100).map(bad).collect();
    let slow = reask().max_attempts(100).deadline(Duration::from_secs(10));
    let run = play_with(&slow, "What?".into(), &script, Duration::from_secs(4));
    assert_eq!((run.requests.len(), run.failure().stop), (3, Stop::Deadline));
    assert_eq!(run.failure().error.code(), "output_validation_failed", "what the contract said last");
    let left: Vec<_> = run.requests.iter().map(|request| request.timeout.as_secs()).collect();
    assert_eq!(left, [10, 6, 2], "each request is told what is left");
    let never = play(&reask().deadline(Duration::ZERO), &[says(GOOD)]);
    assert_eq!((never.requests.len(), never.failure().stop), (0, Stop::Deadline));
    assert_eq!(never.failure().error.code(), "transport");
}

#[test]
fn l9_the_token_budget_ends_a_run_before_the_next_request() {
    let cost = |number| bad(number).map(|answer| answer.with_usage(80, 20));
    let script: Vec<_> = (0..20).map(cost).collect();
    let run = play(&reask().max_attempts(20).token_budget(250), &script);
    assert_eq!((run.requests.len(), run.failure().stop), (3, Stop::TokenBudget));
    assert_eq!(run.failure().usage().map(jsonseam_reask::Usage::total), Some(300));
    let uncounted: Vec<_> = (0..20).map(bad).collect();
    let run = play(&reask().max_attempts(20).token_budget(600), &uncounted);
    assert_eq!(run.failure().stop, Stop::TokenBudget);
    assert!(run.requests.len() < 10, "without the server's count, bytes are counted: {}", run.requests.len());
    assert_eq!(run.failure().usage(), None);
}

#[test]
fn l9_usage_is_summed_over_attempts_where_it_is_known() {
    let script =
        [bad(1).map(|answer| answer.with_usage(10, 5)), bad(2), says(GOOD).map(|answer| answer.with_usage(7, 3))];
    let usage = play(&reask(), &script).answer().usage().expect("two are known");
    assert_eq!((usage.prompt_tokens, usage.completion_tokens), (17, 8));
}

fn cut(text: &str) -> Play {
    Ok(Response::new(text).with_finish_reason("length"))
}

#[test]
fn l10_a_cut_answer_ends_the_run() {
    for script in
        [[cut("{\"answer\": \"ye"), says(GOOD)], [cut(GOOD), says(GOOD)], [says("{\"answer\": \"ye"), says(GOOD)]]
    {
        let run = play(&reask().fallback([Mode::Text]), &script);
        assert_eq!((run.requests.len(), run.failure().stop), (1, Stop::Truncated));
        assert_eq!(run.failure().error.reason(), "truncated");
    }
}

#[test]
fn l10_ask_shorter_asks_once() {
    let patient = reask().on_truncation(OnTruncation::AskShorter).max_attempts(5);
    let run = play(&patient, &[cut("{\"answer\": \"ye"), says(GOOD)]);
    assert!(run.result.is_ok());
    assert_eq!(attempts(&run)[1].0, Cause::Shorter);
    assert!(run.prompt(1).contains("much shorter"));
    let run = play(&patient, &[cut("{\"answer\": \"ye"), cut("{\"answer\": \"y"), says(GOOD)]);
    assert_eq!((run.requests.len(), run.failure().stop), (2, Stop::Truncated));
    let none = play(&patient.max_attempts(0), &[cut("{\"answer\": \"ye"), says(GOOD)]);
    assert_eq!(none.requests.len(), 1);
}

#[test]
fn only_the_failing_fields_are_asked_for_and_everything_is_validated_again() {
    let narrow = reask().scope(Scope::FailingFields);
    let run = play(&narrow, &[says(BAD), says("{\"score\": 7}")]);
    assert_eq!(run.answer().outputs.to_json(), r#"{"answer":"yes","score":7}"#);
    let prompt = run.prompt(1);
    assert!(prompt.contains("Write these fields again, and only these, as one JSON object: \"score\"."), "{prompt}");
    assert!(!prompt.contains("\"answer\": string"), "the format is that of the failing field");
    let schema = run.requests[1].schema.as_ref().expect("the mode has a schema");
    assert_eq!(schema["required"], serde_json::json!(["score"]));
    assert!(schema["properties"].get("answer").is_none());
}

#[test]
fn what_was_valid_stays_as_it_was_and_what_is_new_is_refused_like_anywhere() {
    let narrow = reask().scope(Scope::FailingFields);
    let run = play(&narrow, &[says(BAD), says("{\"answer\": \"CHANGED\", \"score\": 7}")]);
    assert_eq!(run.answer().outputs.get::<String>("answer").ok().as_deref(), Some("yes"));
    let run = play(&narrow, &[says(BAD), says("{\"score\": 7, \"extra\": 1}"), says(GOOD)]);
    assert_eq!(run.requests.len(), 3);
    assert!(run.prompt(2).contains("1 unrecognized key"));
    let run = play(&narrow, &[says(BAD), says("{\"score\": -7}"), says("{\"score\": 7}")]);
    assert!(run.result.is_ok());
    let run = play(&narrow, &[says(BAD), cut("{\"score\": 7}"), says(GOOD)]);
    assert_eq!(run.failure().stop, Stop::Truncated, "a cut is not hidden by what it is merged with");
    let run = play(&narrow, &[says("{\"answer\": \"yes\", \"score\": 1, \"note\": 5}"), says("{\"note\": \"n\"}")]);
    assert_eq!(run.answer().outputs.to_json(), r#"{"answer":"yes","score":1,"note":"n"}"#);
}

#[test]
fn an_optional_field_that_was_wrong_is_never_dropped_in_silence() {
    let narrow = reask().scope(Scope::FailingFields);
    // `score` is missing, and `note`, which may be absent, is there and wrong.
    let run = play(&narrow, &[says("{\"answer\": \"yes\", \"note\": 5}"), says("{\"score\": 7, \"note\": \"n\"}")]);
    assert!(run.prompt(1).contains("as one JSON object: \"note\", \"score\"."), "{}", run.prompt(1));
    assert_eq!(run.answer().outputs.to_json(), r#"{"answer":"yes","score":7,"note":"n"}"#);
}

/// D59: each mistake that a prompt keeps back costs one more request.
#[test]
fn v2_a_prompt_for_a_missing_key_tells_the_fields_that_are_wrong_too() {
    for reask in [reask(), reask().scope(Scope::FailingFields)] {
        let run = play(&reask, &[says("{\"answer\": 3, \"note\": \"n\"}"), says(GOOD)]);
        assert!(run.prompt(1).contains("- Field \"score\": Expected integer, got undefined\n"), "{}", run.prompt(1));
        assert!(run.prompt(1).contains("- Field \"answer\": Expected string, got number\n"), "{}", run.prompt(1));
    }
    let run = play(&reask(), &[says("{\"answer\": 3, \"score\": 7, \"extra\": 1}"), says(GOOD)]);
    assert!(run.prompt(1).contains("- Object has 1 unrecognized key\n"), "{}", run.prompt(1));
    assert!(run.prompt(1).contains("- Field \"answer\": Expected string, got number\n"), "{}", run.prompt(1));
    let whole =
        r#"{"properties": {"a": {"type": "object", "required": ["b"]}, "c": {"type": "string"}}, "required": ["d"]}"#;
    let adapter = contract().output("a").output("c").output("d").whole_schema(whole).build().expect("it holds");
    let run = play(
        &Reask::new(adapter),
        &[says("{\"a\": {}, \"c\": 1}"), says("{\"a\": {\"b\": 1}, \"c\": \"\", \"d\": 1}")],
    );
    for line in ["\"d\": Expected a value, got", "\"a.b\": Expected a value, got", "\"c\": Expected string, got number"]
    {
        assert_eq!(run.prompt(1).matches(line).count(), 1, "{line}: {}", run.prompt(1));
    }
}

#[test]
fn a_text_that_does_not_decode_is_asked_for_as_a_whole() {
    let narrow = reask().scope(Scope::FailingFields);
    let run = play(&narrow, &[says("no JSON"), says(GOOD)]);
    assert!(run.result.is_ok());
    assert!(run.prompt(1).contains("Your last answer could not be used."));
}

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

#[test]
fn history_is_replaced_and_roles_alternate() {
    let messages = vec![Message::system("You answer in JSON."), Message::user("What is it?")];
    let script: Vec<_> = (0..5).map(bad).collect();
    let run = play_with(&reask().max_attempts(4), messages.into(), &script, Duration::ZERO);
    for request in &run.requests {
        let roles: Vec<_> = request.messages.iter().map(|message| message.role).collect();
        assert_eq!(roles, [Role::System, Role::User]);
        assert_eq!(request.messages[0].content, "You answer in JSON.");
    }
    assert!(!run.prompt(3).contains("\"score\": -1}"), "only the last answer is quoted");
    let ends_with_assistant = vec![Message::user("What is it?"), Message::assistant("Let me see.")];
    let run = play_with(&reask(), ends_with_assistant.into(), &script, Duration::ZERO);
    assert_eq!(run.requests[1].messages.len(), 3);
    assert_eq!(run.requests[1].messages[2].role, Role::User);
}

#[test]
fn l8_nothing_is_announced_that_will_not_happen() {
    let told = std::sync::Arc::new(std::sync::Mutex::new(0));
    let count = std::sync::Arc::clone(&told);
    let watched = reask().on_progress(move |_| *count.lock().expect("nobody panics with it") += 1);
    let late = watched.clone().deadline(Duration::from_secs(1)).fallback([Mode::Text]);
    assert_eq!(play(&late, &[bad(1), bad(2)]).failure().stop, Stop::Deadline);
    let poor = watched.clone().token_budget(1).max_attempts(0).fallback([Mode::Text]);
    assert_eq!(play(&poor, &[bad(1), bad(2)]).failure().stop, Stop::TokenBudget);
    assert_eq!(play(&watched.token_budget(1), &[bad(1), bad(2)]).failure().stop, Stop::TokenBudget);
    assert_eq!(*told.lock().expect("nobody panics with it"), 0);
}

#[test]
fn l8_every_repetition_is_announced() {
    let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let sink = std::sync::Arc::clone(&seen);
    let watched = reask().max_attempts(1).fallback([Mode::Text]).on_progress(move |progress| {
        sink.lock().expect("nobody panics with it").push(progress.clone());
    });
    let busy = TransportError::status(429).with_retry_after(Duration::from_secs(3));
    let run = play(&watched, &[Err(busy), bad(1), bad(2), says(GOOD)]);
    assert!(run.result.is_ok());
    let seen = seen.lock().expect("nobody panics with it");
    let told: Vec<_> = seen
        .iter()
        .map(|told| (told.phase.as_str(), told.attempt, told.maximum, told.delay.as_secs(), told.reason.as_str()))
        .collect();
    assert_eq!(
        told,
        [
            ("transport_retry", 1, 10, 3, "transport/rate_limited"),
            ("schema_repair", 1, 1, 0, "output_validation_failed/schema"),
            ("fallback", 1, 1, 0, "output_validation_failed/schema"),
        ]
    );
    assert!(seen.iter().all(|told| told.started_at == support::START));
}

#[test]
fn an_attempt_on_record_has_the_shape_of_the_command() {
    let script = [says(BAD).map(|answer| answer.with_usage(42, 31).with_finish_reason("stop")), says(GOOD)];
    let run = play(&reask(), &script);
    let record = serde_json::to_value(run.answer()).expect("it serialises");
    assert_eq!(record["outputs"], serde_json::json!({"answer": "yes", "score": 7}));
    let mut first = record["attempts"][0].clone();
    let digest = first["prompt_digest"].take();
    assert!(digest.as_str().is_some_and(|digest| digest.len() == 16));
    assert_eq!(
        first,
        serde_json::json!({
            "number": 1, "cause": "first", "mode": "json-schema", "prompt_digest": null, "prompt_length": 11,
            "completion_length": 30, "finish_reason": "stop", "status": "refused",
            "errors": ["output_validation_failed/schema"],
            "usage": {"prompt_tokens": 42, "completion_tokens": 31}, "transport_retries": 0, "elapsed_ms": 1000,
        })
    );
    let failed = serde_json::to_value(play(&reask(), &[says("no")]).failure()).expect("it serialises");
    assert_eq!(failed["error"]["code"], "output_decode_failed");
    assert!(failed["partial"].is_null() && failed["attempts"].is_array());
    let mut keys: Vec<_> = failed.as_object().expect("an object").keys().map(String::as_str).collect();
    keys.sort_unstable();
    assert_eq!(keys, ["attempts", "error", "partial"]);
}

#[test]
fn equal_prompts_have_equal_digests_under_one_key() {
    let digests = |run: &support::Run| -> Vec<String> {
        run.answer().attempts.iter().map(|attempt| attempt.prompt_digest.clone()).collect()
    };
    let (one, two) =
        (digests(&play(&reask(), &[says(BAD), says(GOOD)])), digests(&play(&reask(), &[says(BAD), says(GOOD)])));
    assert_eq!(one, two);
    assert_ne!(one[0], one[1]);
}

#[test]
fn runs_are_deterministic() {
    let seeded = || {
        let mut settings = jsonseam_reask::Settings::default();
        settings.retries = Retries::default().with_jitter_seed(Some(3));
        settings.fallback = vec![Mode::Text];
        reask().settings(settings)
    };
    let script = [Err(TransportError::status(500)), bad(1), bad(2), Err(TransportError::status(500)), bad(3), bad(4)];
    let (one, two) = (play(&seeded(), &script), play(&seeded(), &script));
    assert_eq!(one.elapsed, two.elapsed);
    let texts = |run: &support::Run| run.requests.iter().map(text_of).collect::<Vec<_>>();
    assert_eq!(texts(&one), texts(&two));
    assert_eq!(one.failure().attempts, two.failure().attempts);
}

#[test]
fn with_echo_none_nothing_of_the_answer_is_sent_back() {
    let run =
        play(&reask().echo(Echo::None), &[says("{\"answer\": \"CANARY\", \"score\": -1, \"KEY\": 1}"), says(GOOD)]);
    let prompt = run.prompt(1);
    assert!(!prompt.contains("CANARY") && !prompt.contains("KEY"), "{prompt}");
    assert!(prompt.contains("1 unrecognized key"));
}
