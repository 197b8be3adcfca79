//! What the loop tells of itself holds nothing that was said. Alone in its file: what is logged depends on who listens anywhere in a process.

#![allow(clippy::unnecessary_wraps, reason = "a line of a script is a result")]

mod support;

use std::io::Write;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use jsonseam_reask::TransportError;
use support::{reask, says};

#[derive(Clone, Default)]
struct Log(Arc<Mutex<Vec<u8>>>);

impl Write for Log {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.lock().expect("no one panics with it").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}

#[test]
fn m5_spans_tell_of_every_attempt_and_nothing_that_was_said() {
    let log = Log::default();
    let sink = log.clone();
    let subscriber = tracing_subscriber::fmt()
        .with_max_level(tracing::Level::TRACE)
        .with_writer(move || sink.clone())
        .with_ansi(false)
        .finish();
    let script = [
        says("{\"CANARY\": \"CANARY\", answer: 'CANARY',}"),
        says("CANARY <tool_call> {\"score\": \"CANARY\"}"),
        Err(TransportError::status(400).with_detail("CANARY")),
    ];
    let run = tracing::subscriber::with_default(subscriber, || {
        support::play_with(&reask(), "CANARY?".into(), &script, Duration::ZERO)
    });
    let text = String::from_utf8(log.0.lock().expect("no one panics with it").clone()).expect("a log is text");
    assert!(text.contains("attempt{number=1 mode=\"json-schema\" cause=\"first\""), "{text}");
    assert!(text.contains("status=\"refused\"") && text.contains("cause=\"schema_repair\""), "{text}");
    // The names of OpenTelemetry's conventions for generative models.
    for name in ["otel.name=\"chat\"", "gen_ai.operation.name=\"chat\"", "gen_ai.output.type=\"json\"", "error.type="] {
        assert!(text.contains(name), "{name} is not in {text}");
    }
    assert!(!text.contains("CANARY"), "{text}");
    let failure = run.failure();
    let attempts = serde_json::to_string(&failure.attempts).expect("it serialises");
    for shown in [format!("{failure} {failure:?}"), attempts, format!("{:?}", run.requests)] {
        assert!(!shown.contains("CANARY"), "{shown}");
    }
}
