//! T1, T2: the outputs of a completion that comes in pieces.

use std::collections::BTreeMap;

use jsonseam_adapter::{
    Adapter, AdapterBuilder, CastKind, Casts, Duplicates, Error, FieldEvent, Incomplete, Items, JsonSchema, Outputs,
    ParseOptions, StreamOptions, When,
};
use jsonseam_core::{ErrorCode, FinishReason, Policy};

use crate::common::builder;

const ITEMS: &str = r#"{"type": "array", "items": {"type": "string"}}"#;

/// What the files of this suite hold between `r#"` and `"#`: completions, and now and then a schema, which is a completion like any other.
fn texts() -> Vec<&'static str> {
    let files = [
        include_str!("best.rs"),
        include_str!("casts.rs"),
        include_str!("items.rs"),
        include_str!("privacy.rs"),
        include_str!("renames.rs"),
        include_str!("scenarios.rs"),
        include_str!("seen_is_handed_out.rs"),
        include_str!("smuggling.rs"),
        include_str!("table.rs"),
        include_str!("stream.rs"),
    ];
    let within = |file: &'static str| file.split("r#\"").skip(1).filter_map(|rest| rest.split("\"#").next());
    let mut texts: Vec<_> = files.into_iter().flat_map(within).chain(MORE).collect();
    texts.sort_unstable();
    texts.dedup();
    texts
}

/// More of them, for the contracts below.
const MORE: [&str; 25] = [
    r#"{"answer": "a", "score": 1, "tags": ["b", "c"#,
    r#"{"answer": "a", "score": 1, "tags": ["b", 12"#,
    r#"{"answer": "a", "score": 1, "tags": ["b", {"c": ["d", "e"#,
    r#"{"answer": "a", "score": 1, "tags": ["b", {"c": ["d", "e"], "f"#,
    r#"{"answer": "a", "score": 1, "tags": ["b", 7, "c", null]}"#,
    r#"{"answer": "a", "score": 1, "tags": ["b", 7, "c", 8"#,
    r#"{"result": {"answer": "a", "score": 1, "tags": ["b", 7]}}"#,
    r#"{"answer": "On it", "score": 7, "tags": ["a", "b\u00e9"], "note": null}"#,
    r#"{"answer": "On it", "score": "7", "tags": []}"#,
    r#"{"answer": "On it", "score": -7, "tags": []}"#,
    r#"{"answer": "a", "answer": "b", "score": 1, "tags": []}"#,
    r#"{"answer": "a", "score": 1, "tags": [], "more": [1, 2]}"#,
    r#"{"more": {"answer": 1}, "answer": "a", "score": 1, "tags": []}"#,
    r#"{"answer": "a", "score": 1, "tags": [{"x": 1, "x": 2}]}"#,
    r#"{"answer": "a", "score": 1e400, "tags": [1, 2.50]}"#,
    r#"{"ANSWER": "a", "Score": 1, "labels": ["x"]}"#,
    r#"{"labels": ["x"], "tags": ["y"], "answer": "a", "score": 1}"#,
    "{'answer': 'it''s', 'score': 1, 'tags': ['a',],}",
    r#"{"answer": "a", "score": 1, "tags": ["b""#,
    r#"{"answer": "a", "score": 1, "tags": ["b"]} {"answer": "c", "score": 2, "tags": []}"#,
    "Here:\n```json\n{\"answer\": \"a\",\n \"score\": 1\n \"tags\": [\"b\",]}\n```\nDone.",
    "No answer at all.",
    "[{\"answer\": \"a\"}]",
    "{\"answer\": \"a\nb\", \"score\": 01, \"tags\": x}",
    r#"{"a/b": 1, "~": 2, "": 3, "answer": "a", "score": 1, "tags": []}"#,
];

#[derive(serde::Deserialize, JsonSchema)]
#[expect(dead_code, reason = "its schema is what counts")]
struct Whole {
    answer: String,
    score: u8,
    tags: Vec<String>,
}

/// A contract, and the same with the policy that a stream has.
fn contracts() -> Vec<(&'static str, AdapterBuilder, AdapterBuilder)> {
    let plain = || builder().preset("standard").output("answer").output("score").output("tags").optional("note");
    let typed = || {
        let typed =
            plain().schema("answer", r#"{"type": "string"}"#).schema("score", r#"{"type": "integer", "minimum": 0}"#);
        typed.streamed("answer", When::State).streamed("tags", When::State).streamed("score", When::Started)
    };
    let whole =
        r#"{"properties": {"score": {"type": "integer", "default": 1}, "tags": {"items": {"type": "string"}}}}"#;
    macro_rules! contracts {
        ($($name:literal: $builder:expr;)*) => { vec![$(($name, $builder, $builder.candidates(Policy::First))),*] };
    }
    contracts! {
        "plain": plain();
        "typed": typed();
        "strict": plain().preset("strict");
        "lenient": typed().preset("lenient");
        "open": builder().preset("standard");
        "whole": typed().whole_schema(whole);
        "whole with casts": typed().whole_schema(whole).casts(Casts::COERCE).defaults(true);
        "a type": builder().preset("standard").whole_type::<Whole>().streamed("answer", When::State);
        "casts": typed().casts(Casts::COERCE.with(CastKind::KeyCase)).alias("tags", "labels");
        "last": typed().duplicates(Duplicates::Last);
        "truncated": typed().allow_truncated(true);
        "drop": typed().incomplete(Incomplete::Drop);
        "drop outer": plain().streamed("tags", When::State).incomplete(Incomplete::DropOuter);
        "fitting": typed().schema("tags", ITEMS).items(Items::Fitting).casts(Casts::NONE.with(CastKind::Envelope));
        "fitting of the whole": typed().whole_schema(whole).items(Items::Fitting).incomplete(Incomplete::Drop);
    }
}

fn pieces(text: &str, len: usize) -> Vec<&str> {
    let (mut pieces, mut rest, mut state) = (Vec::new(), text, text.len() as u64 | 1);
    while !rest.is_empty() {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        let len = if len == 0 { usize::try_from(state >> 33).unwrap_or(0) % 40 } else { len };
        let at = (len.max(1)..=rest.len()).find(|&at| rest.is_char_boundary(at)).unwrap_or(rest.len());
        let (piece, after) = rest.split_at(at);
        pieces.push(piece);
        rest = after;
    }
    pieces
}

fn streamed(
    adapter: &Adapter,
    text: &str,
    len: usize,
    reason: Option<&str>,
) -> (Vec<FieldEvent>, Result<Outputs, Error>) {
    let mut stream = adapter.stream(StreamOptions::new());
    let mut told = Vec::new();
    for piece in pieces(text, len) {
        told.extend(stream.push(piece));
    }
    let end = stream.finish_with(reason.map(FinishReason::from), |event| told.push(event));
    (told, end)
}

fn shown(end: &Result<Outputs, Error>) -> String {
    match end {
        Ok(outputs) => format!("{:?} {:?}", outputs.iter().collect::<Vec<_>>(), outputs.casts()),
        Err(error) => serde_json::to_string(error).expect("errors serialise"),
    }
}

/// How early a refusal comes of those that one text may have (SPEC K5).
fn rank(code: ErrorCode) -> u8 {
    match code.as_str() {
        "output_decode_failed" => 0,
        "invalid_outputs" => 1,
        _ => 2,
    }
}

/// What is wrong with events, given what the whole text gives.
fn fault(events: &[FieldEvent], whole: &Result<Outputs, Error>) -> Option<String> {
    let mut texts: BTreeMap<&str, String> = BTreeMap::new();
    let mut elements: BTreeMap<&str, Vec<&str>> = BTreeMap::new();
    let mut fields: BTreeMap<&str, &str> = BTreeMap::new();
    let mut hopeless = None;
    for event in events {
        if hopeless.is_some() {
            return Some("something is told without hope".to_owned());
        }
        match event {
            FieldEvent::Text { name, text, .. } => *texts.entry(name).or_default() += text,
            FieldEvent::Element { name, json, .. } => elements.entry(name).or_default().push(json),
            FieldEvent::Field { name, json } if fields.insert(name, json).is_some() => {
                return Some(format!("{name} is told twice"));
            }
            FieldEvent::Hopeless(error) => hopeless = Some(error),
            _ => {}
        }
    }
    let outputs = match (whole, hopeless) {
        (Err(error), Some(told)) if rank(error.code()) <= rank(told.code()) => return None,
        (end, Some(told)) => return Some(format!("{told} is not hopeless: {}", shown(end))),
        (Err(_), None) => return None,
        (Ok(outputs), None) => outputs,
    };
    for (name, json) in &fields {
        if outputs.text(name) != Some(json) {
            return Some(format!("{name} is {:?} and not {json}", outputs.text(name)));
        }
    }
    for (name, text) in &texts {
        if outputs.get::<String>(name).ok().is_none_or(|whole| whole != *text) {
            return Some(format!("the text of {name} is not {text}"));
        }
    }
    for (name, elements) in &elements {
        let whole: Vec<Box<serde_json::value::RawValue>> = outputs.get(name).ok()?;
        if !elements.iter().all(|element| whole.iter().any(|known| known.get() == *element)) {
            return Some(format!("an element of {name} is not there"));
        }
    }
    None
}

#[test]
fn t1_the_outputs_of_a_stream_are_those_of_the_whole_text() {
    let (mut runs, mut fields, mut hopeless, mut elsewhere) = (0, 0, 0, 0);
    for (name, own, first) in contracts() {
        let (own, first) = (own.build().expect(name), first.build().expect(name));
        for text in texts() {
            for reason in [None, Some("length")] {
                let options = ParseOptions::new().with_finish_reason(reason);
                let whole = first.parse_with(text, &options);
                for len in [1, 7, 64, 0] {
                    let (told, end) = streamed(&own, text, len, reason);
                    runs += 1;
                    fields += told.iter().filter(|event| matches!(event, FieldEvent::Field { .. })).count();
                    hopeless += told.iter().filter(|event| matches!(event, FieldEvent::Hopeless(_))).count();
                    if shown(&end) != shown(&whole) {
                        let is_elsewhere =
                            end.as_ref().is_err_and(|error| error.reason().as_str() == "ambiguous_payload");
                        assert!(is_elsewhere, "{name}, pieces of {len}: {text}\n{}\n{}", shown(&end), shown(&whole));
                        elsewhere += 1;
                        continue;
                    }
                    let fault = fault(&told, &end);
                    assert_eq!(fault, None, "{name}, pieces of {len}: {text}\n{told:?}\n{}", shown(&end));
                }
            }
        }
    }
    let counts = format!("{runs} runs, {fields} fields, {hopeless} without hope, {elsewhere} with another payload");
    assert!(fields > runs / 4 && hopeless > runs / 20 && elsewhere * 10 < runs, "{counts}");
}

/// What was told in all, the pieces of a text joined.
fn joined(events: &[FieldEvent]) -> Vec<(String, String)> {
    let mut joined: Vec<(String, String)> = Vec::new();
    for event in events {
        let (of, json) = match event {
            FieldEvent::Started { name } => (format!("{name} begins"), ""),
            FieldEvent::Text { name, json, .. } => (format!("text of {name}"), json.as_str()),
            FieldEvent::Element { name, index, json } => (format!("{name}/{index}"), json.as_str()),
            FieldEvent::Field { name, json } => (name.clone(), json.as_str()),
            FieldEvent::Hopeless(error) => (error.to_string(), ""),
            other => panic!("{other:?} is not known"),
        };
        match joined.last_mut().filter(|(last, _)| of.starts_with("text of") && *last == of) {
            Some((_, known)) => known.push_str(json),
            None => joined.push((of, json.to_owned())),
        }
    }
    joined
}

#[test]
fn t1_what_is_told_before_a_refusal_is_the_same_in_any_pieces() {
    let (mut refused, mut told) = (0, 0);
    for (name, own, _) in contracts() {
        let adapter = own.build().unwrap_or_else(|error| panic!("{name}: {error}"));
        for text in texts() {
            let (whole, end) = streamed(&adapter, text, text.len(), None);
            if end.is_ok() {
                continue;
            }
            (refused, told) = (refused + 1, told + whole.len());
            for len in [1, 7, 64] {
                let (pieces, _) = streamed(&adapter, text, len, None);
                assert_eq!(joined(&pieces), joined(&whole), "{name}, pieces of {len}: {text}");
            }
        }
    }
    assert!(refused > 1_000 && told > refused, "{told} events of {refused} refused texts");
}

#[test]
fn t2_the_law_sees_a_field_that_is_told_at_a_cut() {
    let adapter = builder().output("answer").optional("tags").build().expect("it holds");
    let whole = adapter.parse(r#"{"answer": "On it", "tags": [1, 2]}"#);
    let field = |name: &str, json: &str| FieldEvent::Field { name: name.to_owned(), json: json.to_owned() };
    let text =
        |text: &str| FieldEvent::Text { name: "answer".to_owned(), text: text.to_owned(), json: text.to_owned() };
    assert_eq!(fault(&[text("On "), text("it"), field("answer", "\"On it\""), field("tags", "[1, 2]")], &whole), None);
    for lie in [
        vec![field("answer", "\"On\"")],
        vec![field("tags", "[1]")],
        vec![field("other", "1")],
        vec![text("On")],
        vec![field("answer", "\"On it\""), field("answer", "\"On it\"")],
        vec![FieldEvent::Element { name: "tags".to_owned(), index: 0, json: "12".to_owned() }],
        vec![FieldEvent::Hopeless(adapter.parse("{}").expect_err("a key is missing"))],
    ] {
        assert!(fault(&lie, &whole).is_some(), "{lie:?}");
    }
}

#[test]
fn a_policy_that_is_named_waits_for_the_end() {
    let text = r#"{"a": 1} {"a": 2}"#;
    for (policy, expected) in
        [(Policy::First, Some(1)), (Policy::Best, Some(2)), (Policy::Last, Some(2)), (Policy::Only, None)]
    {
        let adapter = builder().preset("standard").output("a").candidates(policy).build().expect("it holds");
        let mut stream = adapter.stream(StreamOptions::new());
        let early = stream.push(text).count();
        assert_eq!(early > 0, policy == Policy::First, "{policy:?}");
        assert_eq!(stream.finish(None).ok().and_then(|outputs| outputs.get::<u8>("a").ok()), expected, "{policy:?}");
    }
}

#[test]
fn a_field_is_taken_once_and_without_hope_nothing_is_told() {
    let adapter = builder().schema("a", r#"{"type": "integer"}"#).output("b").build().expect("it holds");
    let mut stream = adapter.stream(StreamOptions::new());
    assert!(stream.next_field::<u8>("a").is_none());
    assert_eq!(stream.push(r#"{"a": 7, "b": 1"#).count(), 1);
    assert_eq!(stream.next_field::<u8>("a").map(|field| field.expect("it is one")), Some(7));
    assert!(stream.next_field::<u8>("a").is_none() && !stream.is_hopeless());
    let told: Vec<_> = stream.push(r#", "c": [], "d": 1}"#).collect();
    let is_right = matches!(told.as_slice(), [FieldEvent::Field { name, .. }, FieldEvent::Hopeless(error)]
        if name == "b" && error.extra()[0].name == "c");
    assert!(is_right, "{told:?}");
    assert!(stream.is_hopeless());
    assert_eq!(stream.finish(None).expect_err("a key is not declared").extra().len(), 2);
}
