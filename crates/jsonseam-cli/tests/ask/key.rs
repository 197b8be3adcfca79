//! The key comes from the environment and goes into one header.

use std::fs;
use std::process::Stdio;

use serde_json::json;

use super::{BAD, GOOD, ask, command, place, says, serve};
use crate::model_server::Reply;

const KEY: &str = "sk-CANARY/0123+456=789";
/// The key, in parts of it as it is and in base64 at each of its three places.
const TRACES: [&str; 5] = ["CANARY", "Q0FOQVJZ", "NBTkFSW", "DQU5BUl", "0123"];

/// Every way to spell it.
fn spellings() -> [String; 5] {
    [
        KEY.to_owned(),
        "sk-CANARY%2F0123%2B456%3D789".to_owned(),
        "c2stQ0FOQVJZLzAxMjMrNDU2PTc4OQ==".to_owned(),
        "QmVhcmVyIHNrLUNBTkFSWS8wMTIzKzQ1Nj03ODk=".to_owned(),
        format!("Bearer {KEY}"),
    ]
}

#[test]
fn the_key_reaches_no_sink_however_a_server_spells_it() {
    for spelling in spellings() {
        let error = json!({"error": {"message": format!("Incorrect API key provided: {spelling}"), "code": spelling}});
        let error = error.to_string();
        let replies = [
            Reply { body: Some(error.clone()), ..Reply::status(401) },
            Reply { body: Some(error.clone()), ..Reply::status(400) },
            Reply { body: Some(error.clone()), ..Reply::status(429) }.with_header("Retry-After", &spelling),
            Reply::body_text(error.clone()),
            Reply { stream: Some(true), ..Reply::body_text(format!("data: {error}\n\n")) },
            Reply { status: 302, ..Reply::body_text(error) }.with_header("Location", "http://127.0.0.1:9/"),
            says(&json!({"city": spelling, "population": 1}).to_string()),
            says(&json!({spelling.as_str(): 1}).to_string()),
            Reply { finish_reason: Some(spelling.clone()), ..says(BAD) },
        ];
        for reply in replies {
            let server = serve([reply]);
            let here = place().with("jsonseam.toml", "[reask]\nretries = 0\nretry-base = 0\n");
            let flags = ["--trace", "t.jsonl", "--trace-texts", "--deadline", "0.5"];
            let output = command(&here, &server, &flags).env("OPENAI_API_KEY", KEY).output().expect("it ends");
            assert_eq!(output.status.code(), Some(1));
            let mut sinks = [output.stdout, output.stderr].concat();
            sinks.extend(fs::read(here.path("t.jsonl")).expect("there is a trace"));
            let sinks = String::from_utf8(sinks).expect("text");
            // A digest may hold any digits by chance, and so may a time.
            let sinks = without(&without(&sinks, "digest\":\"", 16), "at_ms\":", 13);
            for trace in TRACES {
                assert!(!sinks.contains(trace), "{trace} in {sinks}");
            }
            let asked = server.asked();
            assert_eq!(asked[0].header("authorization"), Some(format!("Bearer {KEY}").as_str()));
            assert!(asked.iter().all(|asked| !asked.body.contains("CANARY") && !asked.path.contains("CANARY")));
        }
    }
}

/// The text without so many bytes after each of these marks.
fn without(text: &str, mark: &str, len: usize) -> String {
    let parts = text.split(mark).enumerate();
    parts.map(|(part, text)| text.get(len * part.min(1)..).unwrap_or(text)).collect()
}

#[test]
#[cfg(target_os = "linux")]
fn the_key_is_on_no_command_line() {
    let server = serve([Reply { delay_ms: 60_000, ..says(GOOD) }]);
    let here = place();
    let mut child = command(&here, &server, &[])
        .env("OPENAI_API_KEY", KEY)
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()
        .expect("it starts");
    while server.asked().is_empty() {
        std::thread::sleep(std::time::Duration::from_millis(5));
    }
    let line = fs::read(format!("/proc/{}/cmdline", child.id())).expect("it runs");
    child.kill().expect("it runs");
    child.wait().expect("it ends");
    let line = String::from_utf8_lossy(&line);
    assert!(line.contains("Which city?") && !line.contains("CANARY"), "{line}");
}

#[test]
fn without_a_key_only_this_machine_is_asked() {
    let here = place();
    let outside = |flags: &[&str], key: &str| {
        let mut all = vec!["ask", "x", "--model", "m"];
        all.extend(flags);
        let mut command = here.command(&all);
        if key.is_empty() {
            command.env_remove("OPENAI_API_KEY")
        } else {
            command.env("OPENAI_API_KEY", key)
        };
        common_ran(command.output().expect("it ends"))
    };
    // Every one of these is refused before a connection is tried.
    outside(&["--base-url", "https://models.example/v1"], "").exits(2).prints("").says("OPENAI_API_KEY is not set");
    outside(&["--base-url", "https://models.example/v1"], "  ").exits(2).says("OPENAI_API_KEY is not set");
    outside(&["--base-url", "http://models.example/v1"], KEY).exits(2).says("--allow-plain-http");
    outside(&["--base-url", "https://me:s3cret@models.example/v1"], KEY).exits(2).says("no password");
    outside(&["--base-url", "models.example"], KEY).exits(2).says("https://");
    outside(&["--base-url", "http://127.0.0.1:9/v1"], "a\nb").exits(2).says("characters that no header can hold");
    let server = serve([says(GOOD)]);
    ask(&here, &server, &[]).exits(0);
    assert_eq!(server.asked()[0].header("authorization"), None);
}

#[test]
fn m5_a_key_may_be_in_another_variable_or_another_header_and_reaches_no_sink() {
    for (flags, header, value) in [
        (["--key-env", "MY_KEY"], "authorization", format!("Bearer {KEY}")),
        (["--header-env", "api-key: MY_KEY"], "api-key", KEY.to_owned()),
        (["--header-env", "Authorization:MY_KEY"], "authorization", KEY.to_owned()),
    ] {
        let leaks = json!({"error": {"message": format!("wrong key {KEY}")}}).to_string();
        let server =
            serve([Reply { body: Some(leaks), ..Reply::status(400) }, says(&json!({"city": KEY}).to_string())]);
        for _ in 0..2 {
            let mut all = vec!["-v", "--max-attempts", "0"];
            all.extend(flags);
            let ran = command(&place(), &server, &all)
                .env("MY_KEY", KEY)
                .env("OPENAI_API_KEY", "sk-of-another-server")
                .output()
                .expect("it ends");
            let shown = [ran.stdout, ran.stderr].concat();
            assert!(!String::from_utf8_lossy(&shown).contains("CANARY"), "{}", String::from_utf8_lossy(&shown));
        }
        for asked in server.asked() {
            assert_eq!(asked.header(header), Some(value.as_str()));
            let usual = asked.header("authorization").is_some_and(|sent| sent.contains("sk-of-another-server"));
            assert!(!usual, "the usual key went to another server");
        }
    }
    let server = serve([says(GOOD)]);
    for flags in [["--key-env", "sk-NOT-SET"], ["--header-env", "api-key: sk-NOT-SET"]] {
        let ran = ask(&place(), &server, &flags).exits(2).says("no variable of that name");
        assert!(!ran.stderr.contains("sk-NOT"), "{}", ran.stderr);
    }
    assert_eq!(server.asked().len(), 0);
}

fn common_ran(output: std::process::Output) -> super::Ran {
    output.into()
}
