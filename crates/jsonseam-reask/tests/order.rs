//! Properties keep their order in every schema that a server is sent and in every format that a prompt shows (SPEC L3).
#![cfg(feature = "http")]

#[path = "support/model_server/mod.rs"]
mod model_server;
mod support;

use jsonseam_adapter::{Adapter, schemars};
use jsonseam_reask::{Conversation, HttpModel, JsonText, Mode, Reask, Scope, StrictSchemas, TokioTimer};
use model_server::{ModelServer, Reply, Script};
use proptest::prelude::*;
use support::contract;

/// The schema of a part of an answer.
#[derive(Debug, Clone)]
struct Part {
    /// Its text, with members in any order and white space anywhere.
    text: String,
    /// The names of properties in the order in which a format shows them.
    names: Vec<String>,
}

impl Part {
    fn leaf(text: &str) -> Self {
        Self { text: text.to_owned(), names: Vec::new() }
    }
}

/// The text of an object of these members.
fn object(members: &[(String, String)]) -> String {
    let members: Vec<_> = members.iter().map(|(name, value)| format!("\"{name}\" :\n {value}")).collect();
    format!("{{ {} }}", members.join(" , "))
}

/// A part whose keywords are in any order.
fn shuffled(keywords: Vec<(&'static str, String)>, names: Vec<String>) -> impl Strategy<Value = Part> {
    let keywords: Vec<_> = keywords.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Just(keywords).prop_shuffle().prop_map(move |keywords| Part { text: object(&keywords), names: names.clone() })
}

/// Names, each once, in no order of their own.
fn named(parts: impl Strategy<Value = Part> + Clone) -> impl Strategy<Value = Vec<(String, Part)>> {
    prop::collection::vec(("[a-z]{1,5}", parts), 1..5).prop_map(|mut named| {
        let mut seen = Vec::new();
        named.retain(|(name, _)| {
            !seen.contains(name) && {
                seen.push(name.clone());
                true
            }
        });
        named
    })
}

fn struct_of(properties: &[(String, Part)]) -> impl Strategy<Value = Part> + use<> {
    let names = properties.iter().flat_map(|(name, part)| [vec![name.clone()], part.names.clone()].concat()).collect();
    let texts: Vec<_> = properties.iter().map(|(name, part)| (name.clone(), part.text.clone())).collect();
    let required: Vec<_> = properties.iter().rev().map(|(name, _)| format!("\"{name}\"")).collect();
    let keywords = vec![
        ("type", "\"object\"".to_owned()),
        ("properties", object(&texts)),
        ("required", format!("[{}]", required.join(","))),
        ("additionalProperties", "false".to_owned()),
    ];
    shuffled(keywords, names)
}

fn list_of(keyword: &'static str, parts: Vec<Part>) -> impl Strategy<Value = Part> {
    let names = parts.iter().flat_map(|part| part.names.clone()).collect();
    let texts: Vec<_> = parts.into_iter().map(|part| part.text).collect();
    let mut keywords = vec![(keyword, format!("[ {} ]", texts.join(" , ")))];
    keywords.extend((keyword == "prefixItems").then(|| ("type", "\"array\"".to_owned())));
    shuffled(keywords, names)
}

/// Parts to a few levels: objects, lists, tuples, choices and scalars.
fn parts() -> impl Strategy<Value = Part> + Clone {
    let leaf = prop::sample::select(vec![
        Part::leaf(r#"{ "type": "string", "title": "\u0041\/b" }"#),
        Part::leaf(r#"{"minimum": 1.10, "type": "number", "maximum": 2e2}"#),
        Part::leaf(r#"{"enum": ["z", "\u0061", 1.0, {"y": 1, "x": 2}]}"#),
    ]);
    leaf.prop_recursive(3, 24, 4, |inner| {
        let items = inner
            .clone()
            .prop_flat_map(|part| shuffled(vec![("items", part.text), ("type", "\"array\"".to_owned())], part.names));
        let several = prop::collection::vec(inner.clone(), 1..3);
        prop_oneof![
            4 => named(inner).prop_flat_map(|properties| struct_of(&properties)),
            1 => items,
            1 => several.clone().prop_flat_map(|parts| list_of("anyOf", parts)),
            1 => several.prop_flat_map(|parts| list_of("prefixItems", parts)),
        ]
        .boxed()
    })
    .boxed()
}

/// A schema of the whole like those of pydantic: an object, and definitions that it refers to.
fn whole() -> impl Strategy<Value = Part> {
    let definitions = named(parts());
    (definitions, named(parts())).prop_flat_map(|(definitions, mut properties)| {
        for (name, part) in &definitions {
            let reference = format!(r##"{{"$ref": "#/$defs/{name}"}}"##);
            properties.push((format!("ref_{name}"), Part { text: reference, names: part.names.clone() }));
        }
        let definitions: Vec<_> = definitions.into_iter().map(|(name, part)| (name, part.text)).collect();
        (Just(properties).prop_shuffle(), Just(object(&definitions))).prop_flat_map(|(properties, definitions)| {
            struct_of(&properties).prop_map(move |part| {
                let text = part.text.trim_end_matches('}');
                Part { text: format!("{text}, \"$defs\": {definitions} }}"), ..part }
            })
        })
    })
}

/// A text without blanks outside strings: the tokens that it is made of, each as it is spelled.
fn compact(text: &str) -> String {
    let mut out = Vec::new();
    jsonseam_text::push_compact(text, &mut out);
    String::from_utf8(out).expect("it was a text")
}

/// The names of properties that a prompt shows, in their order.
fn shown(prompt: &str) -> Vec<String> {
    let name = |line: &str| Some(line.trim_start().strip_prefix('"')?.split_once("\": ")?.0.to_owned());
    prompt.lines().filter_map(name).collect()
}

/// The bodies of the requests in the modes `json-schema`, `tool` and `text`.
fn bodies(adapter: Adapter, tool: &str) -> Vec<String> {
    let server = ModelServer::start(Script::new([Reply::content("no")])).expect("a port is free");
    let extra = [("extra".to_owned(), tool.parse::<JsonText>().expect("it is JSON"))];
    let model = HttpModel::builder(server.base_url(), "m").strict_schemas(StrictSchemas::Never).extra_body(extra);
    let model = model.build().expect("it is right");
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().expect("a runtime starts");
    let reask = Reask::new(adapter).max_attempts(0).fallback([Mode::Tool, Mode::Text]);
    let offered: JsonText = tool.parse().expect("it is JSON");
    let conversation = Conversation::from("What is it?").with_tools([offered]);
    let timer = TokioTimer::default();
    runtime.block_on(reask.run_with(&model, conversation, &timer)).expect_err("no answer is right");
    server.asked().into_iter().map(|asked| asked.body).collect()
}

/// What the first request says in the mode `text`.
fn prompt_of(body: &str) -> String {
    let body: serde_json::Value = serde_json::from_str(body).expect("it is JSON");
    body["messages"][0]["content"].as_str().expect("it is a text").to_owned()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn l3_a_schema_of_the_whole_is_sent_and_shown_in_its_own_order(schema in whole()) {
        let adapter = contract().whole_schema(&schema.text).build().expect("it is a schema");
        let bodies = bodies(adapter, &schema.text);
        let own = compact(&schema.text);
        prop_assert!(bodies[0].contains(&format!("\"schema\":{own}")), "{own}\nis not in\n{}", bodies[0]);
        prop_assert!(bodies[1].contains(&format!("\"parameters\":{own}")), "{own}\nis not in\n{}", bodies[1]);
        // What the caller adds is sent to the last blank.
        for body in &bodies {
            let (extra, offered) = (format!("\"extra\":{}", schema.text), format!("\"tools\":[{}", schema.text));
            prop_assert!(body.contains(&extra) && body.contains(&offered), "{body}");
        }
        prop_assert_eq!(shown(&prompt_of(&bodies[2])), schema.names);
    }

    #[test]
    fn l3_the_schemas_of_declared_fields_are_sent_and_shown_in_their_own_order(fields in named(parts())) {
        let mut builder = contract();
        for (name, part) in &fields {
            builder = builder.schema(name, &part.text);
        }
        let bodies = bodies(builder.build().expect("they are schemas"), "{}");
        let own: Vec<_> = fields.iter().map(|(name, part)| format!("\"{name}\":{}", compact(&part.text))).collect();
        let required: Vec<_> = fields.iter().map(|(name, _)| format!("\"{name}\"")).collect();
        let (own, required) = (own.join(","), required.join(","));
        let own = format!("{{\"type\":\"object\",\"properties\":{{{own}}},\"required\":[{required}],\"additionalProperties\":false}}");
        prop_assert!(bodies[0].contains(&format!("\"schema\":{own}")), "{own}\nis not in\n{}", bodies[0]);
        prop_assert!(bodies[1].contains(&format!("\"parameters\":{own}")), "{own}\nis not in\n{}", bodies[1]);
        let names: Vec<_> = fields.iter().flat_map(|(name, part)| [vec![name.clone()], part.names.clone()].concat()).collect();
        prop_assert_eq!(shown(&prompt_of(&bodies[2])), names);
    }
}

#[derive(schemars::JsonSchema, serde::Serialize, serde::Deserialize)]
struct Step {
    why: String,
    how: Option<String>,
    #[serde(default)]
    certainty: u8,
    also: Option<Box<Step>>,
}

#[derive(schemars::JsonSchema, serde::Serialize, serde::Deserialize)]
struct Math {
    reasoning: Vec<Step>,
    doubt: Option<String>,
    answer: String,
}

#[test]
fn l3_a_rust_type_is_sent_and_shown_with_its_fields_in_their_order() {
    for adapter in [contract().whole_type::<Math>(), contract().output("note").field_type::<Math>("all")] {
        let bodies = bodies(adapter.build().expect("it is a schema"), "{}");
        for body in &bodies[..2] {
            let at =
                |name: &str| body.find(&format!("\"{name}\":{{")).unwrap_or_else(|| panic!("{name} is not in {body}"));
            assert!(at("reasoning") < at("doubt") && at("doubt") < at("answer"), "{body}");
            assert!(at("why") < at("how") && at("how") < at("certainty") && at("certainty") < at("also"), "{body}");
        }
    }
    let bodies = bodies(contract().whole_type::<Math>().build().expect("it is a schema"), "{}");
    let names = shown(&prompt_of(&bodies[2]));
    assert_eq!(names[..4], ["reasoning", "why", "how", "certainty"]);
}

#[test]
fn l3_what_is_left_of_a_schema_for_the_failing_fields_keeps_its_order_too() {
    let schema = r#"{"properties": {"z": {"minimum": 1.10}, "m": {"type": "string"}, "\u0061": {"minimum": 1}},
        "required": ["a", "m", "z"], "title": "\u0041"}"#;
    let adapter = contract().whole_schema(schema).build().expect("it is a schema");
    let reask = Reask::new(adapter).scope(Scope::FailingFields);
    let run = support::play(&reask, &[support::says(r#"{"a": 0, "m": "x", "z": 0}"#)]);
    let narrowed = run.requests[1].schema.as_ref().expect("the mode has a schema");
    assert_eq!(
        narrowed.as_str(),
        r#"{"properties":{"z":{"minimum":1.10},"\u0061":{"minimum":1}},"required":["z","a"],"title":"\u0041"}"#
    );
    assert_eq!(shown(run.prompt(1))[..2], ["z", "a"]);
}
