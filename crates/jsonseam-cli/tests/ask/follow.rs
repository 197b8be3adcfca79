//! `ask --stream --follow`: the events of each attempt while the model still writes, and last the line without the flag.

use std::io::{BufRead, BufReader};
use std::process::Stdio;

use serde_json::{Value, json};

use super::{BAD, GOOD, ask, command, lines, place, says, serve};
use crate::common::is_event_of;
use crate::model_server::{Endless, Reply};

/// The events, and the line after them.
fn events_and_last(text: &str) -> (Vec<Value>, Value) {
    text.lines().take(text.lines().count() - 1).for_each(|line| is_event_of("ask", line));
    let mut all = lines(text);
    let last = all.pop().expect("there is a last line");
    assert!(last.get("event").is_none() && all.iter().all(|line| line["event"].is_string()), "{text}");
    (all, last)
}

#[test]
fn t1_attempts_are_told_apart_and_the_last_line_is_that_without_the_flag() {
    for piece in [1, 7, 64, 4_096] {
        let replies = || [Reply { piece: Some(piece), ..says(BAD) }, Reply { piece: Some(piece), ..says(GOOD) }];
        let whole = ask(&place(), &serve(replies()), &["--stream"]).exits(0);
        let followed = ask(&place(), &serve(replies()), &["--stream", "--follow"]).exits(0);
        let (events, last) = events_and_last(followed.text());
        assert_eq!(last["outputs"], whole.json()["outputs"]);
        assert_eq!(followed.stderr, whole.stderr);
        let expected = [
            json!({"event": "attempt", "attempt": 1, "mode": "json-schema"}),
            json!({"event": "field", "name": "city", "json": "Oslo"}),
            json!({"event": "given_up", "attempt": 1, "errors": ["output_validation_failed/schema"], "stopped_early": false}),
            json!({"event": "attempt", "attempt": 2, "mode": "json-schema"}),
            json!({"event": "field", "name": "city", "json": "Oslo"}),
            json!({"event": "field", "name": "population", "json": 717_710}),
        ];
        let told: Vec<_> =
            events.into_iter().filter(|event| event["event"] != "started" && event["event"] != "text").collect();
        assert_eq!(told, expected, "pieces of {piece}");
    }
}

/// What a server streams that never ends: this chunk, then signs that it is still there.
fn endless(delta: &Value) -> Reply {
    let chunk = json!({"choices": [{"delta": delta}]});
    let endless = Some(Endless::KeepAlive);
    Reply { body: Some(format!("data: {chunk}\n\n")), stream: Some(true), pause_ms: 5, endless, ..Reply::default() }
}

#[test]
fn t2_events_come_while_the_model_still_writes() {
    let begun = endless(&json!({"content": "{\"city\": \"Oslo\", \"population\": 7"}));
    let (here, server) = (place(), serve([begun]));
    let mut command = command(&here, &server, &["--stream", "--follow"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the command starts");
    let mut events = BufReader::new(child.stdout.take().expect("it is piped")).lines();
    let has_come = events.by_ref().any(|line| line.is_ok_and(|line| line.contains(r#""event":"field","name":"city""#)));
    drop(events);
    let _ = child.kill();
    assert!(has_come && child.wait().is_ok());
}

#[test]
fn an_answer_without_hope_is_given_up_where_the_file_says_so() {
    let call = json!({"index": 0, "function": {"name": "answer", "arguments": "{\"city\": 7, \"pop"}});
    let server = serve([endless(&json!({"tool_calls": [call]})), says(GOOD)]);
    let here = place().with("jsonseam.toml", "[reask]\ngives-up = true\n");
    let ran = ask(&here, &server, &["--stream", "--follow", "--mode", "tool"]).exits(0);
    let (events, last) = events_and_last(ran.text());
    assert_eq!(last["attempts"][0]["stopped_early"], true);
    let kinds: Vec<_> = events.iter().take(5).filter_map(|event| event["event"].as_str()).collect();
    assert_eq!(kinds, ["attempt", "started", "hopeless", "given_up", "attempt"]);
    assert_eq!(events[3]["stopped_early"], true);
    ask(&here, &server, &["--follow"]).exits(2).says("--stream");
}

#[cfg(unix)]
#[test]
fn a_run_whose_events_no_one_reads_is_dropped() {
    // Byte for byte, and without an end: but for events that cannot be written, the deadline would end the run, with another code.
    let chunks = [json!("{\"city\": \"Os"), json!("lo\", \"popul"), json!("ation\": 7}")];
    let chunk = |content: &Value| format!("data: {}\n\n", json!({"choices": [{"delta": {"content": content}}]}));
    let body = Some(chunks.iter().map(chunk).collect());
    let slow = Reply { body, piece: Some(8), ..endless(&json!({})) };
    let (here, server) = (place(), serve([slow]));
    let mut command = command(&here, &server, &["--stream", "--follow", "--deadline", "60"]);
    let mut child = command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the command starts");
    drop(child.stdout.take());
    assert_eq!(child.wait().expect("it ends").code(), Some(0));
}
