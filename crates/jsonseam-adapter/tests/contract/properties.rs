//! Generated contracts and objects: the verdict is that of a reference which is too simple to be wrong,
//! and nothing passes that the text does not hold.

use jsonseam_adapter::{Adapter, AdapterBuilder, Outputs};
use jsonseam_testkit::damage::{Damaged, Defect};
use jsonseam_testkit::strategies::damaged_by;
use proptest::prelude::*;
use serde_json::Value;

use crate::common::builder;
use crate::seen_is_handed_out::AllMembers;

/// Names that are near each other, and their spellings in JSON.
const NAMES: [(&str, &[&str]); 6] = [
    ("a", &["a", "\\u0061"]),
    ("A", &["A", "\\u0041"]),
    ("a ", &["a ", "a\\u0020"]),
    ("", &[""]),
    ("a\"b", &["a\\\"b", "a\\u0022b"]),
    ("\u{1F600}", &["\u{1F600}", "\\ud83d\\ude00"]),
];

const KINDS: [&str; 5] = ["string", "integer", "object", "array", "boolean"];

const VALUES: [(&str, &str); 9] = [
    ("\"x\"", "string"),
    ("\"}\\\"{\"", "string"),
    ("12345678901234567890", "integer"),
    ("-7", "integer"),
    ("{}", "object"),
    ("{\"a\": [1, {\"a\": 2}]}", "object"),
    ("[ ]", "array"),
    ("[{\"a\": 1}, \"]\"]", "array"),
    ("true", "boolean"),
];

/// An output: its name, whether it is optional, and the type that its schema wants.
#[derive(Debug, Clone)]
struct Declared {
    name: &'static str,
    is_optional: bool,
    kind: Option<&'static str>,
}

/// A member: its name, the spelling of its key, its value and the value's type.
#[derive(Debug, Clone)]
struct Present {
    name: &'static str,
    key: &'static str,
    value: &'static str,
    kind: &'static str,
}

fn contract() -> impl Strategy<Value = Vec<Declared>> {
    let declared =
        (0..NAMES.len(), any::<bool>(), proptest::option::of(0..KINDS.len())).prop_map(|(name, is_optional, kind)| {
            Declared { name: NAMES[name].0, is_optional, kind: kind.map(|kind| KINDS[kind]) }
        });
    proptest::collection::vec(declared, 1..5).prop_map(|mut outputs| {
        let mut seen = Vec::new();
        outputs.retain(|output| {
            !seen.contains(&output.name) && {
                seen.push(output.name);
                true
            }
        });
        outputs
    })
}

fn members() -> impl Strategy<Value = Vec<Present>> {
    let present =
        (0..NAMES.len(), any::<prop::sample::Index>(), 0..VALUES.len()).prop_map(|(name, spelling, value)| {
            let (name, spellings) = NAMES[name];
            let (value, kind) = VALUES[value];
            Present { name, key: spellings[spelling.index(spellings.len())], value, kind }
        });
    proptest::collection::vec(present, 0..6)
}

fn adapter(contract: &[Declared]) -> Adapter {
    let declare = |builder: AdapterBuilder, output: &Declared| {
        let builder = if output.is_optional { builder.optional(output.name) } else { builder.output(output.name) };
        match output.kind {
            Some(kind) => builder.schema(output.name, &format!("{{\"type\": \"{kind}\"}}")),
            None => builder,
        }
    };
    contract.iter().fold(builder(), declare).build().expect("the contract holds")
}

/// What the reference says: the reason, missing, extra and repeated names, and the first field that does not fit.
#[derive(Debug, Default, PartialEq, Eq)]
struct Verdict {
    reason: Option<String>,
    missing: Vec<String>,
    extra: Vec<String>,
    repeated: Vec<String>,
    field: Option<String>,
}

fn reference(contract: &[Declared], members: &[Present]) -> Verdict {
    let is_there = |name: &str| members.iter().any(|member| member.name == name);
    let is_declared = |name: &str| contract.iter().any(|output| output.name == name);
    let mut verdict = Verdict::default();
    for output in contract {
        if !output.is_optional && !is_there(output.name) {
            verdict.missing.push(output.name.to_owned());
        }
    }
    for (index, member) in members.iter().enumerate() {
        let count = members[..index].iter().filter(|before| before.name == member.name).count();
        if count == 0 && !is_declared(member.name) {
            verdict.extra.push(member.name.to_owned());
        }
        if count == 1 {
            verdict.repeated.push(member.name.to_owned());
        }
    }
    let keys = [
        ("missing_output_keys", &verdict.missing),
        ("extra_output_keys", &verdict.extra),
        ("duplicate_output_keys", &verdict.repeated),
    ];
    verdict.reason = keys.iter().find(|(_, names)| !names.is_empty()).map(|(reason, _)| (*reason).to_owned());
    if verdict.reason.is_none() {
        let unfit = |output: &&Declared| {
            let member = members.iter().find(|member| member.name == output.name);
            member.is_some_and(|member| output.kind.is_some_and(|kind| kind != member.kind))
        };
        verdict.field = contract.iter().find(unfit).map(|output| output.name.to_owned());
        verdict.reason = verdict.field.as_ref().map(|_| "schema".to_owned());
    }
    verdict
}

fn verdict(result: &Result<Outputs, jsonseam_adapter::Error>) -> Verdict {
    let Err(error) = result else { return Verdict::default() };
    let mut repeated: Vec<_> = error.duplicates().iter().map(|repeated| repeated.name.clone()).collect();
    repeated.sort();
    Verdict {
        reason: Some(error.reason().to_string()),
        missing: error.missing().to_vec(),
        extra: error.extra().iter().map(|extra| extra.name.clone()).collect(),
        repeated,
        field: error.field().map(str::to_owned),
    }
}

/// Whatever passes is in the repaired text, member for member, and text for text.
fn stands_in_the_text(outputs: &Outputs) {
    let text = outputs.repair().text();
    let AllMembers(members) = serde_json::from_str(text).expect("it is an object");
    for (name, value) in outputs.iter() {
        let found: Vec<_> = members.iter().filter(|(known, _)| known == name).map(|(_, value)| value.get()).collect();
        assert_eq!(found, [value], "{name} in {text}");
    }
    assert_eq!(outputs.len(), members.len(), "nothing is left out of {text}");
    // What no `Value` holds, such as 1e400, is returned as it is all the same.
    if let Ok(value) = serde_json::from_str::<Value>(text) {
        assert_eq!(serde_json::from_str::<Value>(&outputs.to_json()).expect("outputs are JSON"), value);
        assert_eq!(serde_json::to_value(outputs).expect("outputs serialise"), value);
    }
}

/// The keys of the truth, if the text is an object whose keys differ.
fn keys(text: &str) -> Option<Vec<String>> {
    let AllMembers(members) = serde_json::from_str(text).ok()?;
    let names: Vec<_> = members.into_iter().map(|(name, _)| name).collect();
    let differ = names.iter().enumerate().all(|(index, name)| !names[..index].contains(name));
    differ.then_some(names)
}

fn declaring(names: &[String], preset: &str) -> Adapter {
    let builder = builder().preset(preset).allow_truncated(true);
    builder.outputs(names.iter().map(String::as_str)).build().expect("the contract holds")
}

/// The text with its escapes of ASCII characters resolved.
fn spelled_out(text: &str) -> String {
    let mut parts = text.split("\\u");
    let mut spelled = parts.next().unwrap_or_default().to_owned();
    for part in parts {
        let code = part.get(..4).and_then(|digits| u32::from_str_radix(digits, 16).ok());
        match code.and_then(char::from_u32).filter(char::is_ascii) {
            Some(char) => {
                spelled.push(char);
                spelled.push_str(part.get(4..).unwrap_or_default());
            }
            None => spelled.push_str(part),
        }
    }
    spelled
}

fn check_damaged(damaged: &Damaged) {
    let Some(names) = keys(&damaged.truth).filter(|names| !names.is_empty()) else { return };
    for preset in ["strict", "standard", "lenient"] {
        let Ok(outputs) = declaring(&names, preset).parse(&damaged.text) else { continue };
        stands_in_the_text(&outputs);
        for name in outputs.names().filter(|name| name.bytes().all(|byte| byte.is_ascii_alphanumeric())) {
            assert!(spelled_out(&damaged.text).contains(name), "{preset} made the key {name} up: {}", damaged.text);
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(600))]

    #[test]
    fn k1_to_k5_verdicts_agree_with_a_naive_reference(contract in contract(), members in members(), gap in 0..3usize) {
        let gap = ["", " ", "\n\t"][gap];
        let spelled: Vec<_> =
            members.iter().map(|member| format!("{gap}\"{}\"{gap}:{gap}{}{gap}", member.key, member.value)).collect();
        let text = format!("{{{}}}", spelled.join(","));
        let mut expected = reference(&contract, &members);
        expected.repeated.sort();
        let result = adapter(&contract).parse(&text);
        prop_assert_eq!(verdict(&result), expected, "{}", text);
        if let Ok(outputs) = result {
            stands_in_the_text(&outputs);
            let order: Vec<_> = contract.iter().map(|output| output.name).filter(|name| outputs.text(name).is_some()).collect();
            prop_assert_eq!(outputs.names().collect::<Vec<_>>(), order);
        }
    }

    #[test]
    fn p1_a_repaired_completion_never_passes_with_what_its_text_does_not_hold(damaged in damaged_by(&Defect::STANDARD)) {
        check_damaged(&damaged);
    }
}
