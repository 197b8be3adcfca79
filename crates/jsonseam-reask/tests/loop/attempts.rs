//! Answers, re-asks, modes and what a run ends with (SPEC L3, L5, L6).

use std::time::Duration;

use jsonseam_reask::AttemptStatus::{Failed, Refused, Repaired, Valid};
use jsonseam_reask::{Cause, Conversation, Mode, OnExhausted, Stop, TransportError};

use crate::support::{GOOD, play, play_with, reask, says, text_of};
use crate::{BAD, attempts, bad};

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
