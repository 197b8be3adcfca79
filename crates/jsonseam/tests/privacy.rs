//! M5: no byte of a payload reaches a log, a `Debug` or a `Display`; one event per repair that edits, and none otherwise.

use std::io;
use std::sync::{Arc, Mutex};

use jsonseam::{Config, Pipeline, Root, pipeline};
use tracing::Level;
use tracing_subscriber::fmt::MakeWriter;

/// A marker that can stand in no message by chance.
const CANARY: &str = "zqCanary7781xv";

/// Canaries at every kind of place: keys, values, comments, prose, fences, truncated tails, bad scalars, escapes.
fn texts() -> Vec<String> {
    let shapes = [
        "{\"@\": 1}",
        "{\"a\": \"@\",}",
        "{'@': '@'}",
        "{@: @}",
        "{\"a\": 1 // @\n}",
        "/* @ */ {\"a\": 1, // @\n}",
        "@ {\"a\": 1,} @",
        "```@\n{\"@\": 1,}\n```",
        "```json\n{\"@\": 1,}\n``` @",
        "{\"a\": \"@",
        "{\"a\": [\"@\", @",
        "{\"@",
        "{\"@\": \"\\@\"}",
        "{\"a\": \"@\n@\"}",
        "{\"a\": \"@\"\n\"@\": 2}",
        "{\"a\": 1@}",
        "{\"a\" @: 1}",
        "{\"a\": \"x\"@}",
        "{\"a\": 1} @ {\"@\": 2}",
        "[\"@\"]",
        "\"@ {\"",
        "@",
        "{\"a\": \u{201C}@\u{201D}, \"@\": True}",
    ];
    shapes.iter().map(|shape| shape.replace('@', CANARY)).collect()
}

fn preset(name: &str, root: Root) -> Pipeline {
    let config = Config::default().with_preset(name).with_root(root);
    pipeline(&config).expect("the preset is built in")
}

#[derive(Clone, Default)]
struct Captured(Arc<Mutex<Vec<u8>>>);

impl io::Write for Captured {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.0.lock().expect("no writer panics").extend_from_slice(bytes);
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

impl<'w> MakeWriter<'w> for Captured {
    type Writer = Self;

    fn make_writer(&'w self) -> Self {
        self.clone()
    }
}

fn logged(work: impl FnOnce()) -> String {
    let captured = Captured::default();
    let subscriber =
        tracing_subscriber::fmt().with_max_level(Level::TRACE).with_writer(captured.clone()).with_ansi(false).finish();
    tracing::subscriber::with_default(subscriber, work);
    let bytes = captured.0.lock().expect("no writer panics").clone();
    String::from_utf8(bytes).expect("logs are text")
}

fn assert_silent(shown: &str, what: &str) {
    let windows = CANARY.as_bytes().windows(8).map(|window| std::str::from_utf8(window).expect("the canary is ASCII"));
    for window in windows {
        assert!(!shown.contains(window), "{what} shows {window}: {shown}");
    }
}

#[test]
fn m5_no_log_debug_or_display_holds_a_byte_of_the_payload() {
    for name in ["strict", "standard", "lenient"] {
        for root in [Root::Object, Root::Array, Root::Any] {
            let pipeline = preset(name, root);
            for text in texts() {
                let log = logged(|| match pipeline.repair(&text) {
                    Ok(repaired) => {
                        assert_silent(&format!("{repaired:?} {:?}", repaired.edits().collect::<Vec<_>>()), "a result");
                    }
                    Err(error) => {
                        assert_silent(&format!("{error} {error:?}"), "an error");
                        assert_silent(&serde_json::to_string(&error).expect("errors serialise"), "an error's record");
                        let sources = std::iter::successors(std::error::Error::source(&error), |inner| inner.source());
                        sources.for_each(|inner| assert_silent(&format!("{inner} {inner:?}"), "a source"));
                    }
                });
                assert_silent(&log, "the log");
            }
        }
    }
}

#[test]
fn m5_a_repair_that_edits_is_one_event_with_its_figures() {
    let pipeline = preset("standard", Root::Object);
    let log = logged(|| {
        pipeline.repair("{a: [1, 2").expect("it is repaired");
    });
    let events: Vec<_> = log.lines().collect();
    assert_eq!(events.len(), 1, "{log}");
    for part in [
        "DEBUG",
        "jsonseam",
        "unquoted-key",
        "unclosed-container",
        "edits=3",
        "bytes_in=9",
        "bytes_out=13",
        "truncated=true",
        "likely",
    ] {
        assert!(events[0].contains(part), "{part} in {log}");
    }
}

#[test]
fn m5_valid_text_and_refusals_are_no_events() {
    let pipeline = preset("standard", Root::Object);
    let log = logged(|| {
        assert!(pipeline.repair("{\"a\": 1}").is_ok());
        assert!(pipeline.repair("{\"a\" b c}").is_err());
    });
    assert_eq!(log, "");
}

#[test]
fn m5_a_contract_logs_what_a_repair_logs_and_no_more() {
    let contract = jsonseam::adapter()
        .preset("lenient")
        .schema("a", r#"{"type": "integer", "minimum": 5}"#)
        .optional("note")
        .build()
        .expect("the contract holds");
    for text in texts() {
        let log = logged(|| match contract.parse(&text) {
            Ok(outputs) => assert_silent(&format!("{outputs:?}"), "the outputs"),
            Err(error) => {
                assert_silent(&format!("{error} {error:?} {:?}", error.partial()), "an error");
                let sources = std::iter::successors(std::error::Error::source(&error), |inner| inner.source());
                sources.for_each(|inner| assert_silent(&format!("{inner} {inner:?}"), "a source"));
            }
        });
        assert_silent(&log, "the log");
        assert!(log.lines().count() <= 1, "{log}");
    }
}
