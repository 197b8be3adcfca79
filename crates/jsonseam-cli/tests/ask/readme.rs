//! The files of `examples/` give what the guide to the loop shows.

use std::fs;
use std::path::Path;

use serde_json::Value;

use super::Ran;
use crate::model_server::{ModelServer, Script};

fn read(path: &str) -> String {
    fs::read_to_string(root().join(path)).expect("the file is there")
}

fn root() -> &'static Path {
    Path::new(concat!(env!("CARGO_MANIFEST_DIR"), "/../.."))
}

/// The record without what differs from run to run.
fn settled(text: &str) -> String {
    let mut answer: Value = serde_json::from_str(text).expect("it is JSON");
    for attempt in answer["attempts"].as_array_mut().expect("a list") {
        attempt["elapsed_ms"] = 0.into();
        attempt["prompt_digest"] = "".into();
    }
    answer.to_string()
}

#[test]
fn the_transcript_of_the_guide_is_what_the_command_prints() {
    let guide = read("docs/reask.md");
    let section = guide.split("## From a terminal\n").nth(1).expect("the section is there");
    let transcript =
        section.split("```text\n").nth(1).and_then(|rest| rest.split("\n```").next()).expect("a transcript");
    let stderr: Vec<&str> = transcript.lines().filter(|line| line.starts_with("jsonseam: ")).collect();
    let stdout = transcript.lines().skip_while(|line| !line.starts_with('{')).collect::<Vec<_>>().join("\n");

    let server = ModelServer::start(Script::from_toml(&read("examples/ask.toml")).expect("it is right"));
    let server = server.expect("a port is free");
    let place = super::common::place();
    let contract = root().join("examples/ask-contract.toml");
    let mut command = place.command(&["ask", "What is the capital of Norway?", "--model", "scripted"]);
    command.args(["--base-url", &server.base_url(), "--contract"]).arg(contract).env_remove("OPENAI_API_KEY");
    let ran: Ran = command.output().expect("it ends").into();
    let ran = ran.exits(0);
    assert_eq!(ran.stderr.lines().collect::<Vec<_>>(), stderr);
    assert_eq!(settled(ran.text()), settled(&stdout));
    assert!(transcript.contains("\"What is the capital of Norway?\"") && transcript.contains("--model scripted"));
}

/// The members of the objects in the blocks of JSON of the guide: the record of an attempt, and a line of a trace.
#[test]
fn the_records_of_the_guide_have_the_members_that_are_written() {
    let guide = read("docs/reask.md");
    let shown: Vec<Value> = guide
        .split("```json\n")
        .skip(1)
        .map(|rest| serde_json::from_str(rest.split("```").next().expect("a block ends")).expect("it is JSON"))
        .collect();
    let server = ModelServer::start(Script::from_toml(&read("examples/ask.toml")).expect("it is right"));
    let server = server.expect("a port is free");
    let place = super::common::place();
    let contract = root().join("examples/ask-contract.toml");
    let mut command = place.command(&["ask", "What is the capital of Norway?", "--model", "scripted"]);
    command.args(["--trace", "t.jsonl", "--base-url", &server.base_url(), "--contract"]).arg(contract);
    let ran: Ran = command.env_remove("OPENAI_API_KEY").output().expect("it ends").into();
    let answer = ran.exits(0).json();
    let trace = place.read("t.jsonl");
    let mut lines = trace.lines().map(|line| serde_json::from_str::<Value>(line).expect("it is JSON"));
    let repetition = lines.find(|line| line["event"] == "progress").expect("it was asked again");
    let members = |value: &Value| value.as_object().expect("an object").keys().cloned().collect::<Vec<_>>();
    assert_eq!(shown.iter().map(members).collect::<Vec<_>>(), [members(&answer["attempts"][0]), members(&repetition)]);
}
