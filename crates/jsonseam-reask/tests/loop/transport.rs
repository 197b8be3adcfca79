//! Errors of the transport: repetitions, pauses and the deadline (SPEC L7).

use std::time::Duration;

use jsonseam_reask::{Stop, TransportError, TransportKind};

use crate::support::{GOOD, Play, play, play_with, reask, says, text_of};
use crate::{BAD, bad};

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
    assert_eq!(
        (run.failure().error.code().as_str(), run.failure().error.reason().as_str()),
        ("transport", "connection")
    );
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
    assert_eq!(run.failure().error.reason().as_str(), "rate_limited");
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
