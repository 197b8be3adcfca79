//! What is announced, recorded and sent (SPEC L8).

use std::time::Duration;

use jsonseam_reask::{Echo, Message, Mode, Retries, Role, Stop, TransportError};

use crate::support::{self, GOOD, play, play_with, reask, says, text_of};
use crate::{BAD, bad};

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
    let watched = reask().on_progress(move |_| *count.lock().expect("no one panics with it") += 1);
    let late = watched.clone().deadline(Duration::from_secs(1)).fallback([Mode::Text]);
    assert_eq!(play(&late, &[bad(1), bad(2)]).failure().stop, Stop::Deadline);
    let poor = watched.clone().token_budget(1).max_attempts(0).fallback([Mode::Text]);
    assert_eq!(play(&poor, &[bad(1), bad(2)]).failure().stop, Stop::TokenBudget);
    assert_eq!(play(&watched.token_budget(1), &[bad(1), bad(2)]).failure().stop, Stop::TokenBudget);
    assert_eq!(*told.lock().expect("no one panics with it"), 0);
}

#[test]
fn l8_every_repetition_is_announced() {
    let seen = std::sync::Arc::new(std::sync::Mutex::new(Vec::new()));
    let sink = std::sync::Arc::clone(&seen);
    let watched = reask().max_attempts(1).fallback([Mode::Text]).on_progress(move |progress| {
        sink.lock().expect("no one panics with it").push(progress.clone());
    });
    let busy = TransportError::status(429).with_retry_after(Duration::from_secs(3));
    let run = play(&watched, &[Err(busy), bad(1), bad(2), says(GOOD)]);
    assert!(run.result.is_ok());
    let seen = seen.lock().expect("no one panics with it");
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
    assert_eq!(keys, ["attempts", "error", "partial", "stop"]);
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
