//! Live pipes: what comes in is answered before the next line comes.

mod common;

use std::io::{BufRead, BufReader, Write};
use std::process::{Child, Stdio};
use std::time::{Duration, Instant};

use common::{Place, place};

/// Longer than any answer takes on a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

fn start(here: &Place, arguments: &[&str]) -> Child {
    let mut command = here.command(arguments);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null()).spawn().expect("the command starts")
}

/// Writes each line and reads its answer before the next; input stays open all the while.
fn dialogue(arguments: &[&str], lines: &[(&str, &str)]) {
    let here = place();
    let mut child = start(&here, arguments);
    let mut stdin = child.stdin.take().expect("it is piped");
    let stdout = BufReader::new(child.stdout.take().expect("it is piped"));
    let (answers, inbox) = std::sync::mpsc::channel();
    let reading = std::thread::spawn(move || {
        for line in stdout.lines() {
            let _ = answers.send(line.expect("standard output is text"));
        }
    });
    let start = Instant::now();
    for (line, answer) in lines {
        stdin.write_all(format!("{line}\n").as_bytes()).and_then(|()| stdin.flush()).expect("the line is taken");
        let said =
            inbox.recv_timeout(PATIENCE.saturating_sub(start.elapsed())).expect("it answers while input is open");
        assert_eq!(said, *answer, "to {line}");
    }
    drop(stdin);
    child.wait().expect("it ends");
    reading.join().expect("the reader ends");
}

#[test]
fn repair_by_line_answers_each_line_as_it_comes() {
    dialogue(
        &["repair", "--lines"],
        &[
            ("{\"a\": 1,}", "{\"a\": 1}"),
            ("Sure: {\"n\": 12345678901234567890}", "{\"n\": 12345678901234567890}"),
            ("{\"a\" 1}", "{\"a\" 1}"),
            ("", ""),
            ("{\"b\": [1,]}", "{\"b\": [1]}"),
        ],
    );
}

#[test]
fn batch_gives_the_value_alone_as_each_line_comes() {
    dialogue(
        &["batch", "--raw", "--only", "value"],
        &[("{\"a\": 1,}", "{\"a\":1}"), ("no JSON", "null"), ("{\"n\": 1.10}", "{\"n\":1.10}")],
    );
    dialogue(
        &["batch", "--only", "text"],
        &[("{\"completion\": \"{\\\"a\\\": 1,}\"}", "\"{\\\"a\\\": 1}\""), ("broken", "null")],
    );
}

#[test]
fn repair_by_line_gives_what_it_gives_of_a_file() {
    let text = "{\"a\": 1,}\r\n\n{\"a\" 2}\n[1,]\n{\"x\": \"cut\n{} {}\n{\"last\": 1,}";
    let here = place().with("in.jsonl", text);
    for flags in [&[][..], &["--all"], &["--compact", "--preset", "standard"], &["--root", "any", "-q"]] {
        let with = |more: &[&'static str]| [&["repair"], flags, more].concat();
        let of_file = here.run(&with(&["--lines", "in.jsonl"]));
        let streamed = here.run_on(&with(&["--lines"]), text);
        assert_eq!((&of_file.stdout, of_file.code), (&streamed.stdout, streamed.code), "{flags:?}");
        let refusals = |messages: &str| messages.lines().filter(|line| line.contains(": not ")).count();
        assert_eq!(refusals(&of_file.stderr), refusals(&streamed.stderr), "{flags:?}");
    }
}

#[test]
fn a_line_that_is_too_long_is_passed_on_as_it_is() {
    let long = format!("{{\"a\": \"{}\",}}", "x".repeat(200_000));
    let text = format!("{{\"a\": 1,}}\n{long}\n{{\"b\": 1,}}\n");
    let ran = place().run_on(&["repair", "--lines", "--max-input-bytes", "1K"], &text).exits(1);
    ran.says("<stdin>:2").says("max-input-bytes").prints(&format!("{{\"a\": 1}}\n{long}\n{{\"b\": 1}}\n"));
}
