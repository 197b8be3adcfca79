//! Tokens, and answers that are cut off (SPEC L9, L10).

use jsonseam_reask::{Cause, Mode, OnTruncation, Stop};

use crate::support::{GOOD, play, reask, says};
use crate::{attempts, bad, cut};

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

#[test]
fn l10_a_cut_answer_ends_the_run() {
    for script in
        [[cut("{\"answer\": \"ye"), says(GOOD)], [cut(GOOD), says(GOOD)], [says("{\"answer\": \"ye"), says(GOOD)]]
    {
        let run = play(&reask().fallback([Mode::Text]), &script);
        assert_eq!((run.requests.len(), run.failure().stop), (1, Stop::Truncated));
        assert_eq!(run.failure().error.reason().as_str(), "truncated");
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
