//! Two hundred and more texts that want to be taken for instructions: in a request, each is inside the one fenced field, or not at all.

#![allow(clippy::unnecessary_wraps, reason = "a line of a script is a result")]

#[path = "support/hostile_texts.rs"]
mod hostile_texts;
mod support;

use std::collections::BTreeSet;
use std::time::Duration;

use hostile_texts::{MARK, SHAPES};
use jsonseam_reask::{Conversation, Echo, Message, Mode, Reask, Role, Scope};
use support::{contract, play_with, says, system_of};

/// Puts a text into an answer.
type Place = fn(&str) -> String;

/// Where it is in an answer that does not meet the contract.
const PLACES: [(&str, Place); 14] = [
    ("a value of the wrong kind", |text| object(&[("answer", string(text)), ("score", string(text))])),
    ("a value beside one that is wrong", |text| object(&[("answer", string(text)), ("score", "-1".into())])),
    ("an undeclared key", |text| object(&[("answer", "\"a\"".into()), ("score", "1".into()), (text, "1".into())])),
    ("an undeclared key, twice", |text| object(&[(text, "1".into()), (text, "2".into())])),
    ("a key of a map", |text| object(&[("answer", "\"a\"".into()), ("counts", object(&[(text, "\"x\"".into())]))])),
    ("a key deep in a map", |text| {
        object(&[("answer", "\"a\"".into()), ("nested", object(&[(text, object(&[(text, string(text))]))]))])
    }),
    ("an item of a list", |text| object(&[("answer", "\"a\"".into()), ("tags", format!("[1, {}]", string(text)))])),
    ("a value outside an enumeration", |text| object(&[("answer", "\"a\"".into()), ("kind", string(text))])),
    ("a value that fits no pattern", |text| object(&[("answer", "\"a\"".into()), ("code", string(text))])),
    ("prose alone", str::to_owned),
    ("prose around", |text| format!("{text} {{\"answer\": }} {text}")),
    ("a raw string", |text| format!("{{\"answer\": \"{text}\", \"score\": }}")),
    ("a name without quotes", |text| format!("{{{text}: 1, answer: {text}}}")),
    ("the name of a tool", |text| format!("<tool_call>{{\"name\": {}}}</tool_call>", string(text))),
];

fn string(text: &str) -> String {
    serde_json::Value::from(text).to_string()
}

fn object(members: &[(&str, String)]) -> String {
    let members: Vec<_> = members.iter().map(|(name, value)| format!("{}: {value}", string(name))).collect();
    format!("{{{}}}", members.join(", "))
}

fn loops() -> Vec<(Echo, Scope, Reask)> {
    let schema = |kind: &str| format!("{{\"type\": \"object\", \"additionalProperties\": {kind}}}");
    let adapter = contract()
        .schema("answer", r#"{"type": "string"}"#)
        .schema("score", r#"{"type": "integer", "minimum": 0}"#)
        .optional("score")
        .schema("counts", &schema(r#"{"type": "integer"}"#))
        .optional("counts")
        .schema("nested", &schema(&schema(r#"{"type": "integer"}"#)))
        .optional("nested")
        .schema("tags", r#"{"type": "array", "items": {"type": "string", "maxLength": 2}}"#)
        .optional("tags")
        .schema("kind", r#"{"enum": ["left", "right"]}"#)
        .optional("kind")
        .schema("code", r#"{"type": "string", "pattern": "^[a-z]{3}$"}"#)
        .optional("code")
        .build()
        .expect("the contract is right");
    let mut loops = Vec::new();
    for echo in [Echo::Answer, Echo::None] {
        for scope in [Scope::Whole, Scope::FailingFields] {
            let reask = Reask::new(adapter.clone()).echo(echo).scope(scope).max_attempts(2).fallback([Mode::Text]);
            loops.push((echo, scope, reask));
        }
    }
    loops
}

/// What is outside of the fenced field, and inside it. Found as a reader of Markdown would, who knows nothing of jsonseam.
fn split(prompt: &str) -> (String, String) {
    let is_fence = |line: &str| line.len() >= 3 && line.bytes().all(|byte| byte == b'`');
    let lines: Vec<&str> = prompt.split('\n').collect();
    let Some(open) = lines.iter().position(|line| is_fence(line)) else { return (prompt.to_owned(), String::new()) };
    let length = lines[open].len();
    let closes = |line: &str| {
        let run = line.trim_start().bytes().take_while(|&byte| byte == b'`').count();
        run >= length
    };
    let inside = &lines[open + 1..];
    let close = inside.iter().position(|line| closes(line)).expect("the fence is closed");
    let outside: Vec<&str> = lines[..open].iter().chain(&inside[close + 1..]).copied().collect();
    (outside.join("\n"), inside[..close].join("\n"))
}

#[test]
fn the_texts_are_many_and_all_different() {
    let texts: BTreeSet<String> = SHAPES.iter().flat_map(|shape| PLACES.map(|(_, place)| place(shape))).collect();
    assert!(texts.len() >= 200, "{}", texts.len());
    assert!(texts.iter().all(|text| text.contains(MARK)));
}

#[test]
fn l3_what_a_model_wrote_stands_inside_the_one_fenced_field_and_nowhere_else() {
    let original = "You answer in JSON.";
    for (echo, scope, reask) in loops() {
        let (mut runs, mut quoted) = (0, 0);
        for shape in SHAPES {
            for (place, answer) in PLACES {
                // The second answer differs, so that the loop goes on.
                let first = answer(shape);
                let script = [says(&first), says(&format!("{first} ")), says(&answer(&format!("{shape}ZQX")))];
                let conversation: Conversation = vec![Message::system(original), Message::user("What is it?")].into();
                let run = play_with(&reask, conversation, &script, Duration::ZERO);
                runs += 1;
                for request in &run.requests {
                    let at = format!("{place}, {shape:?}, {scope}, echo {echo}");
                    assert_eq!(system_of(request), format!("{original}\n"), "{at}");
                    assert!(request.messages.iter().all(|message| message.role != Role::Assistant), "{at}");
                    let prompt = &request.messages[1].content;
                    let (outside, inside) = split(prompt);
                    assert!(!outside.contains(MARK) && !outside.contains("ＺＱＸ"), "{at}:\n{outside}");
                    assert!(!outside.contains("9 of 9") && !outside.contains("\u{202e}"), "{at}:\n{outside}");
                    quoted += usize::from(inside.contains(MARK));
                    let schema = request.schema.as_ref().map(|schema| schema.as_str().to_owned()).unwrap_or_default();
                    assert!(!schema.contains(MARK), "{at}");
                    if echo == Echo::None {
                        assert!(!prompt.contains(MARK) && !prompt.contains("```"), "{at}");
                    }
                }
            }
        }
        assert_eq!(runs, SHAPES.len() * PLACES.len());
        assert_eq!(quoted > 0, echo == Echo::Answer, "the answer is quoted where it may be");
    }
}
