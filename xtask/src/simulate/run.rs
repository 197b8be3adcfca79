//! One question put to the loop, and what came of it.

use std::cell::{Cell, RefCell};
use std::time::Duration;

use anyhow::{Result, anyhow};
use jsonseam::reask::{Attempt, BlockingTimer, Cause, Mode, Request, Response, Retries, Settings, TransportError};
use jsonseam::{Adapter, Config, ParseOptions, Risk};
use jsonseam_testkit::value::Value;

use super::ideal::{Sent, Worth, ideal};
use super::traffic::{Exchange, Line};

/// What is asked every time.
const QUESTION: &str = "What is it?";
/// What a prompt may be longer than the first one (the bar of TRUST R22).
const MOST_GROWTH: usize = 8 << 10;
/// What one server's pause takes.
const PATIENCE: Duration = Duration::from_secs(1);

/// What came of one question.
#[expect(clippy::struct_excessive_bools, reason = "each is one figure")]
#[derive(Debug, Default)]
pub(super) struct Outcome {
    /// The first answer could be read.
    pub(super) is_parsed: bool,
    /// The first answer met the contract.
    pub(super) is_met_at_once: bool,
    /// The last one did.
    pub(super) is_met: bool,
    /// An answer was taken that says something else than the right one, and nothing on record says that it was guessed.
    pub(super) is_wrong: bool,
    /// The same, but an edit on record is marked as a guess or as lossy.
    pub(super) is_guessed_wrong: bool,
    /// Requests that asked again within a mode.
    pub(super) reasks: u64,
    /// A further mode was tried.
    pub(super) fell_back: bool,
    /// Requests, sent again or not.
    pub(super) sent: u64,
    /// What does not hold.
    pub(super) complaint: Option<String>,
}

/// A clock that only runs when somebody waits.
#[derive(Default)]
struct Clock(Cell<Duration>);

impl BlockingTimer for Clock {
    fn now(&self) -> Duration {
        self.0.get()
    }

    fn sleep(&self, pause: Duration) {
        self.0.set(self.0.get().saturating_add(pause));
    }
}

/// Puts the question to the loop under this preset.
pub(super) fn simulate(exchange: &Exchange, preset: &str) -> Result<Outcome> {
    let adapter = adapter(exchange, preset)?;
    let settings = settings();
    let (expected, expected_stop) = ideal(&settings, worths(exchange, &adapter));
    let clock = Clock::default();
    let asked = RefCell::new(Vec::new());
    let mut lines = exchange.lines.iter();
    let mut model = |request: Request| -> Result<Response, TransportError> {
        asked.borrow_mut().push((told(&request, &settings), length(&request)));
        clock.sleep(Duration::from_millis(exchange.answer_ms));
        match lines.next() {
            Some(Line::Says { text, finish_reason }) => {
                let response = Response::new(text.as_str());
                Ok(finish_reason.map_or(response.clone(), |reason| response.with_finish_reason(reason)))
            }
            Some(Line::Busy) => Err(TransportError::status(429).with_retry_after(PATIENCE)),
            Some(Line::Down) => Err(TransportError::status(503)),
            None => Err(TransportError::status(400)),
        }
    };
    let reask = jsonseam::reask(adapter)?.settings(settings.clone());
    let result = reask.run_blocking_with(&mut model, QUESTION, &clock);
    let asked = asked.into_inner();
    let stop = result.as_ref().err().map(|failure| failure.stop);
    let outputs = result.as_ref().ok().map(|answer| serde_json::to_string(&answer.outputs)).transpose()?;
    let is_guessed = result.as_ref().is_ok_and(|answer| answer.outputs.repair().risk() >= Some(Risk::Guess));
    let attempts = result.map_or_else(|failure| failure.attempts, |answer| answer.attempts);
    let mut outcome = of_attempts(&attempts);
    outcome.sent = asked.len() as u64;
    outcome.is_met = outputs.is_some();
    let is_wrong = outputs.is_some_and(|outputs| !says(&outputs, &exchange.truth));
    (outcome.is_wrong, outcome.is_guessed_wrong) = (is_wrong && !is_guessed, is_wrong && is_guessed);
    let sent: Vec<Sent> = asked.iter().map(|(sent, _)| *sent).collect();
    let first = asked.first().map_or(0, |(_, length)| *length);
    let longest = asked.iter().map(|(_, length)| *length).max().unwrap_or_default();
    if (&sent, stop) != (&expected, expected_stop) {
        outcome.complaint = Some(format!("sent {sent:?} {stop:?}, the ideal loop {expected:?} {expected_stop:?}"));
    } else if longest > first + MOST_GROWTH {
        outcome.complaint = Some(format!("a request of {longest} bytes, the first one had {first}"));
    }
    Ok(outcome)
}

fn settings() -> Settings {
    let mut settings = Settings::default();
    settings.fallback = vec![Mode::JsonObject, Mode::Text];
    settings.retries = Retries::default().with_jitter_seed(Some(1));
    settings
}

fn adapter(exchange: &Exchange, preset: &str) -> Result<Adapter> {
    let mut config = Config::default();
    if preset == "none" {
        config = config.with_order(&[]);
    } else {
        config = config.with_preset(preset);
    }
    let builder = exchange.outputs.iter().fold(jsonseam::adapter().config(&config), |builder, (name, kind)| {
        builder.schema(name, &format!("{{\"type\": \"{kind}\"}}"))
    });
    builder.build().map_err(|error| anyhow!("no contract for preset {preset}: {error}"))
}

/// What each line is worth to the contract alone, without any loop.
fn worths<'e>(exchange: &'e Exchange, adapter: &'e Adapter) -> impl Iterator<Item = Worth> + 'e {
    exchange.lines.iter().map(|line| {
        let Line::Says { text, finish_reason } = line else { return Worth::Again };
        let options = ParseOptions::new().with_finish_reason(*finish_reason);
        match adapter.parse_with(text, &options) {
            Ok(_) => Worth::Good,
            Err(error) if error.reason().as_str() == "truncated" || *finish_reason == Some("length") => Worth::Cut,
            Err(error) if !error.is_retryable() => Worth::Hopeless,
            Err(_) => Worth::Bad(exchange.lines.iter().position(|other| other == line).unwrap_or_default()),
        }
    })
}

/// A request as it was sent.
fn told(request: &Request, settings: &Settings) -> Sent {
    let text = request.messages.last().map_or("", |message| message.content.as_str());
    let of = settings.max_attempts;
    let reask = (1..=of).find(|number| text.contains(&format!("This is attempt {number} of {of}."))).unwrap_or(0);
    (request.attempt, request.mode, reask)
}

fn length(request: &Request) -> usize {
    request.messages.iter().map(|message| message.content.len()).sum()
}

fn of_attempts(attempts: &[Attempt]) -> Outcome {
    let Some(first) = attempts.first() else { return Outcome::default() };
    Outcome {
        is_parsed: first.completion_length.is_some()
            && !first.errors.iter().any(|error| error.starts_with("output_decode_failed/")),
        is_met_at_once: first.errors.is_empty(),
        reasks: attempts.iter().filter(|attempt| attempt.cause == Cause::SchemaRepair).count() as u64,
        fell_back: attempts.iter().any(|attempt| attempt.cause == Cause::Fallback),
        ..Outcome::default()
    }
}

fn says(outputs: &str, truth: &str) -> bool {
    Value::read(outputs).zip(Value::read(truth)).is_some_and(|(said, truth)| said.says(&truth))
}
