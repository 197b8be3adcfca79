//! Failing fields only: what a run sends and gives is what a second, simpler reading of the scope says, for any answers.

#![allow(clippy::unnecessary_wraps, reason = "a line of a script is a result")]

mod support;

use std::time::Duration;

use jsonseam_reask::{Reask, Scope, Stop};
use proptest::prelude::*;
use support::{Play, contract, play, play_with, says};

/// One member of an answer: its name, its text, and whether the text fits.
type Member = (&'static str, &'static str, bool);

const MEMBERS: [Member; 9] = [
    ("a", "1", true),
    ("a", "2.0e0", false),
    ("a", "-1", false),
    ("b", "\"x\"", true),
    ("b", "\"\\u0078y\"", true),
    ("b", "null", false),
    ("c", "[1, 2]", true),
    ("c", "{}", false),
    ("d", "1", true),
];

fn loops() -> Reask {
    let adapter = contract()
        .schema("a", r#"{"type": "integer", "minimum": 0, "not": {"const": 2}}"#)
        .schema("b", r#"{"type": "string"}"#)
        .schema("c", r#"{"type": "array"}"#)
        .optional("c")
        .build();
    Reask::new(adapter.expect("the contract is right")).scope(Scope::FailingFields).max_attempts(3)
}

fn text(members: &[Member]) -> String {
    let members: Vec<_> = members.iter().map(|(name, text, _)| format!("\"{name}\": {text}")).collect();
    format!("{{{}}}", members.join(", "))
}

/// What comes of the answers: which fields each re-ask asks for (none for the whole), and the outputs or the stop.
fn ideal(answers: &[Vec<Member>]) -> (Vec<Vec<&'static str>>, Result<String, Stop>) {
    let (mut asked, mut kept, mut fields, mut seen) = (Vec::new(), Vec::<Member>::new(), Vec::new(), Vec::new());
    for number in 0..=3 {
        let answer = &answers[number.min(answers.len() - 1)];
        let is_new = |member: &&Member| !kept.iter().any(|(name, ..)| *name == member.0);
        let merged: Vec<Member> = kept.iter().chain(answer.iter().filter(is_new)).copied().collect();
        let of = |name: &str| merged.iter().filter(|member| member.0 == name).collect::<Vec<_>>();
        let is_foreign = !of("d").is_empty() || ["a", "b", "c"].iter().any(|name| of(name).len() > 1);
        let fails = |name: &&&str| match of(name).first() {
            Some((.., fits)) => !fits,
            None => **name != "c",
        };
        let failing: Vec<_> = ["a", "b", "c"].iter().filter(fails).copied().collect();
        if !is_foreign && failing.is_empty() {
            let outputs = ["a", "b", "c"].iter().flat_map(|name| of(name));
            let outputs: Vec<_> = outputs.map(|(name, text, _)| format!("\"{name}\":{text}")).collect();
            return (asked, Ok(format!("{{{}}}", outputs.join(","))));
        }
        let key = (fields.clone(), text(answer));
        if seen.contains(&key) {
            return (asked, Err(Stop::Repeated));
        }
        seen.push(key);
        if number == 3 {
            return (asked, Err(Stop::Exhausted));
        }
        let valid = || ["a", "b", "c"].iter().filter(|name| !failing.contains(name)).flat_map(|name| of(name));
        kept = if is_foreign { Vec::new() } else { valid().copied().collect() };
        fields = if kept.is_empty() { Vec::new() } else { failing };
        asked.push(fields.clone());
    }
    unreachable!("the last number returns")
}

/// The fields that a prompt asks for.
fn asked_for(prompt: &str) -> Vec<String> {
    let list = prompt.split("and only these, as one JSON object: ").nth(1).and_then(|rest| rest.split(".\n").next());
    list.map(|list| list.split(", ").map(|name| name.trim_matches('"').to_owned()).collect()).unwrap_or_default()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn what_is_asked_for_and_what_comes_of_it_is_as_the_scope_says(
        answers in prop::collection::vec(prop::collection::vec(prop::sample::select(&MEMBERS[..]), 0..5), 1..5)
    ) {
        thread_local!(static LOOP: Reask = loops());
        let script: Vec<Play> = answers.iter().map(|members| says(&text(members))).collect();
        let run = LOOP.with(|reask| play_with(reask, "What?".into(), &script, Duration::ZERO));
        let asked: Vec<_> = (1..run.requests.len()).map(|at| asked_for(run.prompt(at))).collect();
        let result = run.result.map(|answer| answer.outputs.to_json().into_owned()).map_err(|failure| failure.stop);
        let (ideal_asked, ideal_result) = ideal(&answers);
        prop_assert_eq!(result, ideal_result);
        prop_assert_eq!(asked, ideal_asked);
    }
}

#[test]
fn a_schema_of_the_whole_is_narrowed_to_the_failing_properties() {
    let schema = r##"{"type": "object", "properties": {"a": {"$ref": "#/$defs/count"}, "b": {"type": "string"}},
        "required": ["a", "b"], "additionalProperties": false, "$defs": {"count": {"type": "integer"}}}"##;
    let adapter = contract().whole_schema(schema).build().expect("the schema is right");
    let reask = Reask::new(adapter).scope(Scope::FailingFields);
    let run = play(&reask, &[says("{\"a\": \"x\", \"b\": \"y\"}"), says("{\"a\": 1}")]);
    assert_eq!(run.answer().outputs.to_json(), r#"{"b":"y","a":1}"#);
    let narrowed = run.requests[1].schema.as_ref().expect("the mode has a schema").to_value();
    assert_eq!(narrowed["required"], serde_json::json!(["a"]));
    assert!(narrowed["properties"].get("b").is_none() && narrowed["$defs"]["count"].is_object());
    assert!(run.prompt(1).contains("{\n  \"a\": integer\n}"), "{}", run.prompt(1));
}

#[test]
fn a_rule_about_several_fields_is_asked_for_as_a_whole() {
    let schema = r#"{"properties": {"a": {"type": "integer"}, "b": {"type": "integer"}}, "required": ["a", "b"], "maxProperties": 2}"#;
    let adapter = contract().whole_schema(schema).build().expect("the schema is right");
    let reask = Reask::new(adapter).scope(Scope::FailingFields);
    let run = play(&reask, &[says("{\"a\": 1, \"b\": 2, \"c\": 3}"), says("{\"a\": 1, \"b\": 2}")]);
    assert!(run.result.is_ok());
    assert_eq!(asked_for(run.prompt(1)), Vec::<String>::new());
}
