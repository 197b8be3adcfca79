//! `repair --follow`: a text that is still being written (SPEC T1 to T6).

mod common;

use std::io::{BufRead, BufReader, Lines, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use common::{is_event_of, place};
use serde_json::{Value, json};

const TEXTS: [&str; 6] = [
    "{\"a\": [1, 2,], \"b\": \"x\ny\", 'c': True}",
    "Here it is:\n```json\n{\"a\": {\"b\": [1,]}}\n```\nDone.",
    "<think>a {draft}</think>{\"a\": \"\\u00e9\\n\"}",
    "  {\"a\": 1}\n",
    "{\"a\": \"cut he",
    "{\"a\": {}, \"b\": [], \"c\": \"\", \"d\": -0.50e3}",
];

#[test]
fn t1_what_is_written_piece_by_piece_is_what_repair_writes() {
    for text in TEXTS {
        let here = place();
        let whole = here.run_on(&["repair", "--preset", "standard", "-"], text).exits(0);
        let followed = here.run_on(&["repair", "--follow", "-"], text).exits(0);
        assert_eq!(followed.text(), whole.text().trim_start(), "{text}");
    }
}

/// Makes the value that the operations of `--patch` describe.
fn patched(lines: &str) -> Value {
    let mut value = Value::Null;
    for line in lines.lines() {
        is_event_of("patch", line);
        let operation: Value = serde_json::from_str(line).expect("a line is JSON");
        let path = operation["path"].as_str().expect("there is a path");
        let new = operation["value"].clone();
        let (parent, last) = path.rsplit_once('/').unwrap_or(("", ""));
        match operation["op"].as_str() {
            Some("append") => {
                let Some(Value::String(text)) = value.pointer_mut(path) else { panic!("{line}: no string is there") };
                text.push_str(new.as_str().expect("a piece is a string"));
            }
            Some("add") if path.is_empty() => value = new,
            Some("add") => match value.pointer_mut(parent).expect("its parent is there") {
                Value::Object(members) => drop(members.insert(last.to_owned(), new)),
                Value::Array(elements) => {
                    assert_eq!(last, elements.len().to_string(), "{line}");
                    elements.push(new);
                }
                _ => panic!("{line}: the parent holds nothing"),
            },
            _ => panic!("{line}: no such operation"),
        }
    }
    value
}

#[test]
fn t2_the_operations_of_a_patch_make_the_value() {
    for text in TEXTS {
        let here = place();
        let whole = here.run_on(&["repair", "--preset", "standard", "-"], text).exits(0).json();
        let patch = here.run_on(&["repair", "--follow", "--patch", "-"], text).exits(0);
        assert_eq!(patched(patch.text()), whole, "{text}");
    }
}

/// A command that reads what is still being written.
struct Live {
    child: Child,
    stdin: Option<ChildStdin>,
    events: Lines<BufReader<ChildStdout>>,
}

impl Live {
    fn start(mut command: Command) -> Self {
        let command = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::null());
        let mut child = command.spawn().expect("the command starts");
        let (stdin, stdout) = (child.stdin.take(), child.stdout.take().expect("it is piped"));
        Self { child, stdin, events: BufReader::new(stdout).lines() }
    }

    fn write(&mut self, text: &str) {
        let stdin = self.stdin.as_mut().expect("the input is open");
        stdin.write_all(text.as_bytes()).and_then(|()| stdin.flush()).expect("it is taken");
    }

    /// The next line, which comes while the input is open.
    fn next(&mut self) -> Value {
        let line = self.events.next().expect("a line comes").expect("it is text");
        serde_json::from_str(&line).expect("a line is JSON")
    }

    /// Ends the input.
    fn end(&mut self) {
        self.stdin = None;
    }
}

#[test]
fn t2_events_come_while_the_text_is_still_being_written() {
    let here = place();
    let mut live = Live::start(here.command(&["repair", "--follow", "--events", "-"]));
    live.write("{'a': 1, \"b\": \"x");
    assert_eq!(live.next(), json!({"event": "payload", "start": 0, "sign": "bracket"}));
    assert_eq!(live.next(), json!({"event": "begin", "path": "", "kind": "object"}));
    let seam = live.next();
    assert_eq!((&seam["event"], &seam["rule"]), (&json!("seam"), &json!("single-quoted-string")));
    assert_eq!(live.next()["event"], "seam");
    let done = json!({"event": "done", "path": "/a", "json": 1, "start": 6, "end": 7, "risk": null});
    assert_eq!(live.next(), done);
    assert_eq!(live.next(), json!({"event": "text", "path": "/b", "text": "x"}));
    live.write("yz");
    assert_eq!(live.next(), json!({"event": "text", "path": "/b", "text": "yz"}));
    live.write("\"}");
    live.end();
    assert_eq!(live.next()["json"], "xyz");
    assert_eq!(live.next()["path"], "");
    assert!(live.events.next().is_none());
    assert!(live.child.wait().expect("it ends").success());
}

#[test]
fn a_refusal_ends_with_1_and_what_was_written_stays() {
    let refused = place().run_on(&["repair", "--follow", "-"], "{\"a\": [1, 2], \"b\": ?? }");
    let refused = refused.exits(1).says("(syntax)");
    assert!("{\"a\": [1, 2], \"b\":".starts_with(refused.text()), "{:?}", refused.text());
    place()
        .run_on(&["repair", "--follow", "--max-input-bytes", "4", "-"], "{\"a\": 1}")
        .exits(1)
        .says("max-input-bytes");
    place().run_on(&["repair", "--follow", "-"], b"{\"a\": \"\xff\"}").exits(1).says("invalid_utf8");
}

#[test]
fn utf16_is_followed_where_its_mark_says_so_and_a_limit_comes_before_what_is_after_it() {
    let text: Vec<u8> = "\u{FEFF}{\"é\": \"🙂\",}".encode_utf16().flat_map(u16::to_le_bytes).collect();
    place().run_on(&["repair", "--follow", "-"], &text).exits(0).prints("{\"é\": \"🙂\"}");
    let parsed = place().run_on(&["parse", "--keys", "é", "--follow", "-"], &text).exits(0);
    assert_eq!(events_and_last("parse", parsed.text()).1["outputs"]["é"], "🙂");
    let half = [&text[..], &[0x3D, 0xD8]].concat();
    place().run_on(&["repair", "--follow", "-"], &half).exits(1).says("invalid_utf8");

    for flags in [&["repair"][..], &["parse", "--keys", "a"]] {
        for (limit, reason) in [("5", "max-input-bytes"), ("99", "not UTF-8 from byte 9 on")] {
            for follow in [&[][..], &["--follow"]] {
                let flags = [flags, follow, &["--max-input-bytes", limit, "-"]].concat();
                place().run_on(&flags, b"{\"a\":1,\"b\xff\":2}").exits(1).says(reason);
            }
        }
    }
}

#[test]
fn a_stream_that_takes_the_first_payload_says_how_another_is_taken() {
    let (broken, braces) = ("A: {\"a\": @@ }\n\nB: {\"b\": 2}\n", "I use {curly braces} here: {\"b\": 2}\n");
    for follow in [&[][..], &["--follow"]] {
        let ran = place().run_on(&[&["repair", "--preset", "standard"], follow].concat(), broken).exits(1);
        ran.says("another can be read: `jsonseam repair --preset standard --candidates last`");
    }
    place().run_on(&["repair", "--preset", "standard", "--candidates", "last"], broken).exits(0).prints("{\"b\": 2}");
    for text in [broken, braces] {
        let ran = place().run_on(&["parse", "--keys", "b", "--follow"], text).exits(1);
        ran.says(
            "--follow takes the first payload; without it the whole text is read, and the payload taken that fits",
        );
        place().run_on(&["parse", "--keys", "b"], text).exits(0);
    }
    place().run_on(&["parse", "--keys", "b", "--follow", "--preset", "standard"], braces).exits(0);
}

#[test]
fn json_lines_are_not_followed_as_one_text() {
    let lines = "{\"a\":1,}\n{\"a\":2}\n";
    let here = place().with("l.jsonl", lines);
    here.run(&["repair", "--follow", "l.jsonl"]).exits(2).says("`jsonseam repair --lines` answers each line");
    here.run_on(&["repair", "--follow", "--lines"], lines).exits(2).says("`jsonseam repair --lines`");
    here.run_on(&["repair", "--follow"], lines).exits(0).says("--lines answers each line as it comes");
    here.run_on(&["repair", "--lines"], lines).exits(0).prints("{\"a\":1}\n{\"a\":2}\n");
}

#[test]
fn what_a_stream_cannot_give_is_a_mistake_of_usage() {
    let here = place().with("a.json", "{}").with("b.json", "{}");
    for flags in [&["--events", "--patch"][..], &["--write"], &["--check"], &["--compact"], &["--all"], &["--diff"]] {
        here.run(&[&["repair", "--follow"], flags, &["a.json"]].concat()).exits(2);
    }
    here.run(&["repair", "--events", "a.json"]).exits(2);
    here.run(&["repair", "--follow", "a.json", "b.json"]).exits(2).says("several files");
    here.run(&["repair", "--follow", "c.json"]).exits(2);
}

const TOOLS: &str = r#"[{"name": "f", "input_schema": {"properties": {"x": {"type": "string"}, "y": {}}}}]"#;

/// The lines of events, and the line after them.
fn events_and_last(command: &str, lines: &str) -> (Vec<Value>, Value) {
    let count = lines.lines().count();
    lines.lines().take(count.saturating_sub(1)).for_each(|line| is_event_of(command, line));
    let mut lines: Vec<Value> = lines.lines().map(|line| serde_json::from_str(line).expect("a line is JSON")).collect();
    let last = lines.pop().expect("there is a last line");
    assert!(last.get("event").is_none() && lines.iter().all(|line| line["event"].is_string()), "{lines:?}");
    (lines, last)
}

#[test]
fn t1_what_calls_follow_tells_is_what_calls_prints() {
    let texts = [
        "On it. <tool_call>{\"name\": \"f\", \"arguments\": {\"x\": \"a\u{e9}\", 'y': [1,]}}</tool_call>",
        "<invoke name=\"f\"><parameter name=\"x\">a</parameter></invoke>",
        "f(x=1)\nNothing to do, \"<tool_call>\" is a mark.",
        "{\"name\": \"f\", \"arguments\": {\"x\": \"1\"}}",
        "<tool_call>{\"name\": \"g\", \"arguments\": {}}</tool_call>",
        "<tool_call>{\"name\": \"f\", \"arguments\": {\"x\": \"1\"}}</tool_call> hm</think>No.",
    ];
    let here = place().with("tools.json", TOOLS);
    for text in texts {
        let whole = here.run_on(&["calls", "--tools", "tools.json", "-"], text);
        let followed = here.run_on(&["calls", "--tools", "tools.json", "--follow", "-"], text);
        let (events, last) = events_and_last("calls", followed.text());
        if last["error"]["reason"] == "withdrawn" {
            assert!(text.contains("</think>"), "{text}");
            continue;
        }
        assert_eq!(last, whole.json(), "{text}");
        let mut arguments: Vec<String> = Vec::new();
        for event in &events {
            match event["event"].as_str() {
                Some("begin") => arguments.push(String::new()),
                Some("arguments") => {
                    let index = usize::try_from(event["index"].as_u64().expect("it is a number")).expect("it is small");
                    arguments[index] += event["json"].as_str().expect("it is a string");
                }
                _ => {}
            }
        }
        let calls = last["calls"].as_array().cloned().unwrap_or_default();
        let read: Vec<Value> = arguments.iter().filter_map(|text| serde_json::from_str(text).ok()).collect();
        assert!(calls.iter().map(|call| &call["arguments"]).eq(&read), "{text}: {events:?}");
    }
}

#[test]
fn t1_what_parse_follow_tells_is_what_parse_prints() {
    let texts = [
        "{\"city\": \"Oslo\", \"days\": [1, {\"a\":\n2}]}",
        "{\"days\": [], \"city\": 7}",
        "{\"town\": 1, \"city\": \"Oslo\", \"days\": []}",
        "{\"city\": \"Os",
        "no answer",
    ];
    let here = place().with("city.json", r#"{"type": "string"}"#).with("b.json", "{}");
    let flags = ["parse", "--keys", "city,days", "--schema-for", "city=city.json", "--candidates", "first", "-"];
    for text in texts {
        let whole = here.run_on(&flags, text);
        let followed = here.run_on(&[&flags[..], &["--follow"]].concat(), text);
        let (events, last) = events_and_last("parse", followed.text());
        assert_eq!(last, whole.json(), "{text}");
        for event in events.iter().filter(|event| event["event"] == "field" && !last["outputs"].is_null()) {
            assert_eq!(event["json"], last["outputs"][event["name"].as_str().expect("it has a name")], "{text}");
        }
        let is_hopeless = events.iter().any(|event| event["event"] == "hopeless");
        assert!(!is_hopeless || last["error"]["code"].is_string(), "{text}");
    }
    here.run_on(&flags, b"{\"city\": \"\xff\"}").exits(1);
    let same = |bytes: &[u8]| {
        let (whole, followed) = (here.run_on(&flags, bytes), here.run_on(&[&flags[..], &["--follow"]].concat(), bytes));
        assert_eq!(events_and_last("parse", followed.text()).1, whole.json());
    };
    same(b"{\"city\": \"\xff\"}");
    same(b"{\"city\": \"\xc3");
    here.run(&["parse", "--follow", "--keys", "a", "city.json", "b.json"]).exits(2).says("one text");
}

#[test]
fn t1_an_event_is_one_line_and_arguments_that_may_be_cast_come_with_the_last_one() {
    let here = place().with("tools.json", TOOLS);
    let events = here.run_on(&["repair", "--follow", "--events", "-"], "{\"a\": [1,\n 2],\r\n \"b\": {}}").exits(0);
    events.text().lines().for_each(|line| is_event_of("repair", line));
    let text = "<tool_call>{\"name\": \"f\", \"arguments\": {\"x\": \"1\"}}</tool_call>";
    for (check, is_told) in [(&[][..], true), (&["--check"][..], false)] {
        let flags = [&["calls", "--tools", "tools.json", "--follow", "-"][..], check].concat();
        let events = here.run_on(&flags, text);
        assert!(events.text().contains("\"event\":\"begin\""), "{}", events.text());
        assert_eq!(events.text().contains("\"event\":\"arguments\""), is_told, "{}", events.text());
    }
}

#[test]
fn t2_a_field_is_told_while_the_text_is_still_being_written() {
    let here = place();
    let mut live = Live::start(here.command(&["parse", "--keys", "city,days", "--follow", "-"]));
    live.write("{\"city\": \"Oslo\", \"days\": [\"x\", \"y\", \"z\"");
    assert_eq!(live.next(), json!({"event": "started", "name": "city"}));
    assert_eq!(live.next(), json!({"event": "text", "name": "city", "text": "Oslo"}));
    assert_eq!(live.next(), json!({"event": "field", "name": "city", "json": "Oslo"}));
    assert_eq!(live.next(), json!({"event": "started", "name": "days"}));
    assert_eq!(live.next(), json!({"event": "element", "name": "days", "index": 0, "json": "x"}));
    live.write("]}");
    live.end();
    while live.next()["event"] != "field" {}
    assert_eq!(live.next()["outputs"], json!({"city": "Oslo", "days": ["x", "y", "z"]}));
    assert!(live.child.wait().expect("it ends").success());
}

#[test]
fn a_lone_half_of_a_surrogate_pair_is_not_lost_in_a_piece() {
    let here = place();
    let text = r#"{"a": "x\ud83d y\ud83d\ude00 \udc00", "b": "\ufffd\u00e9"}"#;
    for (flags, command) in [
        (&["repair", "--follow", "--events", "-"][..], "repair"),
        (&["repair", "--follow", "--patch", "-"], "patch"),
        (&["parse", "--keys", "a,b", "--follow", "-"], "parse"),
    ] {
        let lines = here.run_on(flags, text);
        let events = lines.text().lines().filter(|line| line.contains("\"event\"") || line.contains("\"op\""));
        let pieces: Vec<_> = events.filter(|line| line.contains("text") || line.contains("\"op\"")).collect();
        assert!(
            pieces.iter().any(|line| line.contains(r"\ud83d y")) && pieces.iter().any(|line| line.contains(r"\udc00")),
            "{pieces:?}"
        );
        // What can be decoded is checked; a half can be in no string of this language.
        pieces.iter().filter(|line| !line.contains(r"\ud")).for_each(|line| is_event_of(command, line));
    }
}

#[test]
fn a_line_that_is_no_event_is_seen() {
    for (command, line) in [
        ("parse", r#"{"event": "field", "name": "a"}"#),
        ("calls", r#"{"event": "begin", "index": 0, "name": "", "format": "f"}"#),
        ("ask", r#"{"event": "givenup", "attempt": 1, "errors": [], "stopped_early": false}"#),
        ("repair", r#"{"event": "text", "path": "a", "text": ""}"#),
        ("patch", r#"{"op": "append", "path": "/a", "value": 1}"#),
    ] {
        let wrong = std::panic::catch_unwind(|| is_event_of(command, line));
        assert!(wrong.is_err(), "{line}");
    }
}
