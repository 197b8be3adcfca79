//! `jsonseam ask` and `jsonseam prompt`, against the scripted server, over real HTTP.

mod common;
#[path = "ask/follow.rs"]
mod follow;
#[path = "../../jsonseam-reask/tests/support/hostile_texts.rs"]
mod hostile_texts;
#[path = "ask/injection.rs"]
mod injection;
#[path = "ask/key.rs"]
mod key;
#[path = "../../jsonseam-reask/tests/support/model_server/mod.rs"]
mod model_server;
#[path = "ask/readme.rs"]
mod readme;
#[path = "ask/runs.rs"]
mod runs;
#[cfg(unix)]
#[path = "ask/signals.rs"]
mod signals;

use std::process::{Command, Stdio};

use common::{Place, Ran};
use model_server::{ModelServer, Reply, Script};
use serde_json::Value;

const GOOD: &str = r#"{"city": "Oslo", "population": 717710}"#;
const BAD: &str = r#"{"city": "Oslo", "population": "many"}"#;
const WORSE: &str = r#"{"city": 7, "population": "many"}"#;
const CONTRACT: &str = "[outputs.city]\ntype = \"string\"\n[outputs.population]\ntype = \"integer\"\n";

fn place() -> Place {
    common::place().with("c.toml", CONTRACT)
}

fn says(text: &str) -> Reply {
    Reply { usage: Some([40, 10]), ..Reply::content(text) }
}

fn serve(replies: impl IntoIterator<Item = Reply>) -> ModelServer {
    ModelServer::start(Script::new(replies)).expect("a port is free")
}

/// `ask` with a contract and further arguments, no key in the environment.
fn command(place: &Place, server: &ModelServer, arguments: &[&str]) -> Command {
    let url = server.base_url();
    let mut all = vec!["ask", "Which city?", "--base-url", &url, "--model", "scripted", "--contract", "c.toml"];
    all.extend(arguments);
    let mut command = place.command(&all);
    command.env_remove("OPENAI_API_KEY").stdin(Stdio::null());
    command
}

fn ask(place: &Place, server: &ModelServer, arguments: &[&str]) -> Ran {
    command(place, server, arguments).output().expect("the command ends").into()
}

/// The status of each attempt.
fn statuses(answer: &Value) -> Vec<&str> {
    answer["attempts"].as_array().expect("a list").iter().filter_map(|attempt| attempt["status"].as_str()).collect()
}

/// The lines of a trace, each of which must be JSON and ended.
fn lines(trace: &str) -> Vec<Value> {
    assert!(trace.is_empty() || trace.ends_with('\n'), "{trace:?}");
    trace.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect()
}
