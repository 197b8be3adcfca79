//! Contracts beside what others make of the same: `from_str` beside serde on types of every kind, casts beside BAML on its own cases.

#![expect(clippy::print_stdout, clippy::print_stderr, reason = "the table is what a reader of the log wants")]

use std::collections::BTreeMap;
use std::fmt::Debug;

use jsonseam::contract::Casts;
use jsonseam::{Policy, Root};
use schemars::JsonSchema;
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Inner {
    x: i32,
    y: Option<bool>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Flat {
    id: u8,
    #[serde(flatten)]
    inner: Inner,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Rest {
    id: u8,
    #[serde(flatten)]
    rest: BTreeMap<String, i64>,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
enum External {
    Unit,
    New(i32),
    Pair(i32, String),
    Named { a: f64, b: Vec<u8> },
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "kind", rename_all = "kebab-case")]
enum Internal {
    Circle { radius: f64 },
    RoundedSquare { side: u32 },
    Nothing,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(tag = "t", content = "c")]
enum Adjacent {
    Unit,
    Text(String),
    Named { a: bool },
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
#[serde(untagged)]
enum Untagged {
    Number(i64),
    Text(String),
    Named { a: u8 },
    List(Vec<bool>),
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Wrapped(Vec<Untagged>);

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Defaults {
    #[serde(default)]
    count: u16,
    #[serde(rename = "the name")]
    name: String,
    #[serde(skip)]
    hidden: bool,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Aliased {
    #[serde(alias = "fullName")]
    name: String,
}

/// What each makes of the texts; the same, but for those that differ on purpose.
fn beside_serde<T: DeserializeOwned + JsonSchema + PartialEq + Debug + 'static>(same: &[&str], differing: &[&str]) {
    for text in same {
        let theirs = serde_json::from_str::<T>(text).ok();
        let ours = jsonseam::from_str::<T>(text).ok();
        assert_eq!(ours, theirs, "{} {text}", std::any::type_name::<T>());
    }
    for text in differing {
        let (theirs, ours) = (serde_json::from_str::<T>(text).ok(), jsonseam::from_str::<T>(text).ok());
        assert!(theirs.is_some() && ours.is_none(), "{} {text}: {ours:?}", std::any::type_name::<T>());
    }
}

#[test]
fn v1_types_of_every_kind_are_decoded_as_serde_does_but_for_what_is_listed() {
    // Differing: a key that the type does not know is refused.
    let flat = [r#"{"id": 1, "x": -2, "y": true}"#, r#"{"id": 1, "x": 2}"#, r#"{"id": 300, "x": 2}"#, r#"{"id": 1}"#];
    beside_serde::<Flat>(&flat, &[r#"{"id": 1, "x": 2, "z": 3}"#]);
    beside_serde::<Rest>(
        &[r#"{"id": 1, "a": 2, "b": -3}"#, r#"{"id": 1}"#, r#"{"id": 1, "a": "x"}"#, r#"{"a": 1}"#],
        &[],
    );
    let inner = [r#"{"x": 1, "y": null}"#, r#"{"x": 2147483648}"#, r#"{"x": "1"}"#, "{}"];
    beside_serde::<Inner>(&inner, &[r#"{"x": 1, "z": 2}"#]);
    let external = [
        r#""Unit""#,
        r#"{"New": 7}"#,
        r#"{"Pair": [1, "b"]}"#,
        r#"{"Named": {"a": 1.5, "b": [1, 255]}}"#,
        r#"{"Named": {"a": 1.5, "b": [1, 256]}}"#,
        r#""unit""#,
        r#"{"Other": 1}"#,
        r#"{"New": 1, "Pair": [1, "b"]}"#,
        r#"{"Pair": [1]}"#,
    ];
    beside_serde::<External>(&external, &[]);
    let internal = [
        r#"{"kind": "circle", "radius": 2}"#,
        r#"{"kind": "rounded-square", "side": 3}"#,
        r#"{"kind": "nothing"}"#,
        r#"{"kind": "Circle", "radius": 2}"#,
        r#"{"radius": 2}"#,
        r#"{"kind": "circle"}"#,
    ];
    let more = [r#"{"kind": "nothing", "radius": 2}"#, r#"{"kind": "circle", "radius": 2, "side": 3}"#];
    beside_serde::<Internal>(&internal, &more);
    let adjacent = [
        r#"{"t": "Unit"}"#,
        r#"{"t": "Text", "c": "x"}"#,
        r#"{"c": {"a": true}, "t": "Named"}"#,
        r#"{"t": "Text", "c": 1}"#,
        r#"{"t": "Text"}"#,
    ];
    beside_serde::<Adjacent>(&adjacent, &[r#"{"t": "Text", "c": "x", "d": 1}"#]);
    let untagged = ["7", r#""x""#, r#"{"a": 255}"#, "[true, false]", r#"{"a": 256}"#, "[1]", "null", "1.5"];
    beside_serde::<Untagged>(&untagged, &[r#"{"a": 255, "b": 1}"#]);
    beside_serde::<Wrapped>(&[r#"[1, "x", {"a": 1}, [true]]"#, "[]", "[null]"], &[]);
    let defaults = [r#"{"the name": "n"}"#, r#"{"count": 3, "the name": "n"}"#, r#"{"count": 3}"#, r#"{"name": "n"}"#];
    beside_serde::<Defaults>(&defaults, &[r#"{"the name": "n", "hidden": true}"#]);
    // Differing: an alias that is not declared to the contract; `AdapterBuilder::alias` does that.
    beside_serde::<Aliased>(&[r#"{"name": "n"}"#, "{}"], &[r#"{"fullName": "n"}"#]);
    let adapter = jsonseam::adapter().whole_type::<Aliased>().alias("name", "fullName").build().expect("it holds");
    let aliased: Aliased = adapter.parse(r#"{"fullName": "n"}"#).expect("it fits").decode().expect("it decodes");
    assert_eq!(aliased, Aliased { name: "n".to_owned() });
}

#[test]
fn b4_of_two_payloads_that_fit_from_str_takes_neither_in_silence() {
    let reason = |text: &str| jsonseam::from_str::<Inner>(text).map_err(|error| error.reason().as_str());
    for text in [
        r#"{"x": 1, "y": null} {"x": 2, "y": null}"#,
        "{\"x\": 1}\n{\"x\": 1, \"y\": true}",
        "First ```json\n{\"x\": 1}\n``` and then ```json\n{\"x\": 2}\n```",
    ] {
        assert_eq!(reason(text), Err("ambiguous_payload"), "{text}");
    }
    // The others do not fit, or say the same.
    for text in [
        r#"{"x": 1} {"z": 2}"#,
        r#"{"z": 2} {"x": 1}"#,
        r#"{"x": 1, "y": true} { "y": true, "x": 1 }"#,
        r#"Not {"x": "1"}, but {"x": 1}"#,
        r#"{"x": 1} and [2, 3]"#,
    ] {
        assert!(reason(text).is_ok(), "{text}: {:?}", reason(text));
    }
    let last = jsonseam::Config::default().with_policy(jsonseam::Policy::Last);
    let decided = jsonseam::from_str_with::<Inner>(r#"{"x": 1} {"x": 2}"#, &last);
    assert_eq!(decided.map(|inner| inner.x).ok(), Some(2));
}

/// What becomes of one case: our value and whether anything is on record, or nothing.
fn outcome(preset: &str, casts: Casts, is_rich: bool, schema: &Value, text: &str) -> Option<(Value, bool)> {
    let mut builder = jsonseam::adapter().preset(preset).root(Root::Any).whole_schema(&schema.to_string()).casts(casts);
    if is_rich {
        builder = builder.candidates(Policy::Best).allow_truncated(true);
    }
    let outputs = builder.build().expect("the schema is one").parse(text).ok()?;
    let is_recorded = !outputs.casts().is_empty() || outputs.repair().edits().next().is_some();
    Some((serde_json::from_str(&outputs.to_json()).ok()?, is_recorded))
}

/// Whether our value is theirs: numbers by value, and an absent member is null, as BAML has it where the type allows null.
fn same(left: &Value, right: &Value) -> bool {
    match (left, right) {
        (Value::Number(left), Value::Number(right)) => left == right || left.as_f64() == right.as_f64(),
        (Value::Array(left), Value::Array(right)) => {
            left.len() == right.len() && left.iter().zip(right).all(|(left, right)| same(left, right))
        }
        (Value::Object(left), Value::Object(right)) => {
            left.keys().all(|name| right.contains_key(name))
                && right.iter().all(|(name, right)| same(left.get(name).unwrap_or(&Value::Null), right))
        }
        _ => left == right,
    }
}

#[test]
fn v1_nothing_that_baml_refuses_is_accepted_without_a_cast_or_an_edit_on_record() {
    // These cases are not public, so that a folder which holds the public suites alone is fine.
    let folder = std::env::var_os("JSONSEAM_DATA").map(|data| std::path::Path::new(&data).join("toolcalls"));
    let Some(folder) = folder.filter(|folder| folder.is_dir()) else {
        eprintln!(
            "NOT RUN: casts beside BAML (set JSONSEAM_DATA to the folder that holds toolcalls/schema_aligned.jsonl)"
        );
        return;
    };
    let path = folder.join("schema_aligned.jsonl");
    let text = std::fs::read_to_string(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let cases: Vec<Value> = text.lines().map(|line| serde_json::from_str(line).expect("a case")).collect();
    assert!(cases.len() > 150, "{} cases", cases.len());
    println!("| setting | equal | we refuse | other value | both refuse | they refuse, we do not |");
    for (name, preset, casts, is_rich) in [
        ("strict", "strict", Casts::NONE, false),
        ("standard", "standard", Casts::NONE, false),
        ("standard, exact casts", "standard", Casts::EXACT, false),
        ("standard, all casts", "standard", Casts::ALL, false),
        ("lenient, exact casts, best, truncated", "lenient", Casts::EXACT, true),
        ("lenient, all casts, best, truncated", "lenient", Casts::ALL, true),
    ] {
        let mut counts = [0; 5];
        for case in &cases {
            let ours = outcome(preset, casts, is_rich, &case["schema"], case["text"].as_str().expect("a text"));
            let place = match (case["kind"] == "fail", ours) {
                (true, None) => 3,
                (true, Some((_, is_recorded))) => {
                    assert!(is_recorded, "{name}: {} is accepted as it is", case["id"]);
                    4
                }
                (false, None) => 1,
                (false, Some((value, _))) if same(&value, &case["expect"]) => 0,
                (false, Some(_)) => 2,
            };
            counts[place] += 1;
            if std::env::var_os("JSONSEAM_VERBOSE").is_some() && is_rich && casts == Casts::ALL {
                println!(
                    "{} {} {}",
                    case["id"],
                    ["equal", "refused", "other", "both refuse", "accepted"][place],
                    case["text"]
                );
            }
        }
        println!("| {name} | {} | {} | {} | {} | {} |", counts[0], counts[1], counts[2], counts[3], counts[4]);
    }
}
