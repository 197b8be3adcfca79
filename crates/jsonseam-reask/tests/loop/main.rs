//! The loop, clause by clause, with scripted models on a clock that no one waits for.

#![allow(clippy::unnecessary_wraps, reason = "a line of a script is a result")]

mod attempts;
mod budget;
mod record;
mod scope;
#[path = "../support/mod.rs"]
mod support;
mod transport;
mod wrappers;

use jsonseam_reask::{AttemptStatus, Cause, Mode, Response};
use support::{Play, says};

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

/// An answer that was cut off.
fn cut(text: &str) -> Play {
    Ok(Response::new(text).with_finish_reason("length"))
}
