//! Two hundred texts that want to be taken for instructions, through the command and over HTTP.

use serde_json::{Value, json};

use super::hostile_texts::{MARK, SHAPES};
use super::{ask, place, says, serve};

/// Where a text is in an answer that does not meet the contract.
const PLACES: [fn(&str) -> String; 10] = [
    |text| json!({"city": "Oslo", "population": text}).to_string(),
    |text| json!({"city": text, "population": "many"}).to_string(),
    |text| json!({"city": "Oslo", "population": 1, text: 1}).to_string(),
    |text| format!("{{{0}: 1, {0}: 2}}", Value::from(text)),
    |text| json!({"city": {text: 1}, "population": 1}).to_string(),
    |text| json!({"city": [text], "population": 1}).to_string(),
    str::to_owned,
    |text| format!("{text} {{\"city\": }} {text}"),
    |text| format!("{{\"city\": \"{text}\", \"population\": }}"),
    |text| format!("<tool_call>{{\"name\": {}}}</tool_call>", Value::from(text)),
];

/// What is outside of the fenced field, and inside it, as a reader of Markdown would see it.
fn split(prompt: &str) -> (String, String) {
    let lines: Vec<&str> = prompt.split('\n').collect();
    let is_fence = |line: &&str| line.len() >= 3 && line.bytes().all(|byte| byte == b'`');
    let Some(open) = lines.iter().position(is_fence) else { return (prompt.to_owned(), String::new()) };
    let run = |line: &&str| line.trim_start().bytes().take_while(|&byte| byte == b'`').count();
    let inside = &lines[open + 1..];
    let close = inside.iter().position(|line| run(line) >= lines[open].len()).expect("the fence is closed");
    let outside: Vec<&str> = lines[..open].iter().chain(&inside[close + 1..]).copied().collect();
    (outside.join("\n"), inside[..close].join("\n"))
}

#[test]
fn l3_what_a_model_wrote_is_sent_inside_the_one_fenced_field_and_to_no_terminal() {
    let (mut texts, mut quoted) = (0, 0);
    for shape in SHAPES {
        // One run for each shape: a mode has its own history, so the places take turns as its answers.
        let answers: Vec<String> = PLACES.iter().map(|place| place(shape)).collect();
        let server = serve(answers.iter().map(|answer| says(answer)));
        let ran = ask(&place(), &server, &["--max-attempts", "10"]);
        assert_eq!(ran.code, Some(1), "{shape:?}: {}", ran.stderr);
        texts += answers.len();
        assert!(!ran.stderr.contains(MARK) && !ran.stderr.contains('\u{1b}'), "{}", ran.stderr);
        let asked = server.asked();
        assert_eq!(asked.len(), 11, "{shape:?}: each answer is sent back once, and the last one came twice");
        for request in asked {
            let request = request.json();
            let messages = request["messages"].as_array().expect("a list");
            assert!(messages.iter().all(|message| message["role"] == "user"), "{shape:?}");
            let text = messages[0]["content"].as_str().expect("text");
            let (outside, inside) = split(text);
            assert!(!outside.contains(MARK) && !outside.contains("9 of 9"), "{shape:?}:\n{outside}");
            quoted += usize::from(inside.contains(MARK));
            let mut rest = request.clone();
            rest["messages"] = Value::Null;
            assert!(!rest.to_string().contains(MARK), "{shape:?}");
        }
    }
    assert!(texts >= 200 && quoted >= 200, "{texts} texts, {quoted} quoted");
}

#[test]
fn l3_without_an_echo_nothing_of_it_is_sent() {
    for shape in SHAPES {
        let server = serve(PLACES.iter().map(|place| says(&place(shape))));
        let here = place().with("jsonseam.toml", "[reask]\necho = \"none\"\n");
        ask(&here, &server, &["--max-attempts", "10"]).exits(1);
        assert!(server.asked().iter().all(|asked| !asked.body.contains(MARK)), "{shape:?}");
    }
}
