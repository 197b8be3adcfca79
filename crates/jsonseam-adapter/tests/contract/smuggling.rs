//! K4: a second value under one name is refused, however it is smuggled in: spelled plainly, with escapes, or made by a repair.

use jsonseam_adapter::{Adapter, Duplicates, Error};
use jsonseam_core::Policy;
use jsonseam_testkit::random::Random;

use crate::common::builder;

/// The name that the contract declares and a caller decides by.
const NAMES: [&str; 4] = ["role", "amount", "is_admin", "Überweisung"];

/// How many cases there are.
const CASES: usize = 2_000;

fn adapter(preset: &str, policy: Policy) -> Adapter {
    NAMES
        .iter()
        .fold(builder().preset(preset).candidates(policy), |builder, name| builder.optional(name))
        .optional("other")
        .build()
        .expect("the contract holds")
}

/// A spelling of a key that a repair turns into `"name"`, or that is one already, and the least preset that does.
fn spelling(name: &str, random: &mut Random) -> (String, &'static str) {
    let plain = name.is_ascii();
    match random.below(6) {
        0 => (format!("\"{name}\""), "strict"),
        1 => (format!("\"{}\"", escaped(name, random)), "strict"),
        2 => (format!("'{name}'"), "strict"),
        3 => (format!("\u{201C}{name}\u{201D}"), "strict"),
        4 if plain => (name.to_owned(), "standard"),
        _ => (format!("\u{200B}\"{name}\"\u{FEFF}"), "strict"),
    }
}

/// The name with some of its characters, at least one, as escapes of either case.
fn escaped(name: &str, random: &mut Random) -> String {
    let count = name.chars().count();
    let chosen = random.below(count);
    let mut spelled = String::new();
    for (index, char) in name.chars().enumerate() {
        if index == chosen || random.chance(1, 3) {
            let mut units = [0; 2];
            for unit in char.encode_utf16(&mut units) {
                let digits = if random.chance(1, 2) { format!("\\u{unit:04x}") } else { format!("\\u{unit:04X}") };
                spelled.push_str(&digits);
            }
        } else {
            spelled.push(char);
        }
    }
    spelled
}

/// A completion that holds `name` at least twice, and the least preset that reads it.
fn smuggled(random: &mut Random) -> (String, &'static str, &'static str) {
    let name = random.pick(&NAMES).copied().unwrap_or(NAMES[0]);
    let mut members = Vec::new();
    let mut preset = "strict";
    for _ in 0..random.between(2, 3) {
        let (key, needed) = spelling(name, random);
        let value = random.pick_text(&["\"user\"", "\"admin\"", "1", "[{\"role\": 1}]", "{}", "null", "'x'"]);
        members.push(format!("{key}: {value}"));
        preset = if needed == "standard" { needed } else { preset };
    }
    if random.chance(1, 2) {
        let place = random.below(members.len() + 1);
        members.insert(place, format!("\"other\": {{\"{name}\": [1, 2]}}"));
    }
    let separator = random.pick_text(&[", ", ",", ",\n  ", "\n"]);
    let text = format!("{{{}}}", members.join(separator));
    let text = match random.below(4) {
        0 => format!("```json\n{text}\n```"),
        1 => format!("Here it is: {text} as asked."),
        2 => format!("{text}\n"),
        _ => text,
    };
    (text, preset, name)
}

#[test]
fn k4_two_thousand_smuggled_keys_are_all_refused() {
    let presets = ["strict", "standard", "lenient"];
    let adapters = presets.map(|preset| (preset, adapter(preset, Policy::First)));
    let mut random = Random::new(3);
    let mut as_repeated = 0;
    for case in 0..CASES {
        let (text, needed, name) = smuggled(&mut random);
        for (preset, adapter) in &adapters {
            let error: Error = adapter.parse(&text).err().unwrap_or_else(|| panic!("{case}, {preset}: {text}"));
            let told: Vec<_> = error.duplicates().iter().map(|repeated| repeated.name.as_str()).collect();
            let is_read = needed == "strict" || *preset != "strict";
            if is_read {
                assert_eq!(
                    (error.reason().as_str(), told),
                    ("duplicate_output_keys", vec![name]),
                    "{case}, {preset}: {text}"
                );
                as_repeated += 1;
            }
            let handed_out = error.partial().and_then(|partial| partial.text(name));
            assert_eq!(handed_out, None, "a doubtful value is in no partial result: {text}");
        }
    }
    assert!(as_repeated >= 2 * CASES, "only {as_repeated} were seen as what they are");
}

#[test]
fn k4_no_policy_for_candidates_lets_a_repeated_key_through() {
    let mut random = Random::new(4);
    let adapters = [Policy::First, Policy::Only, Policy::Last, Policy::Best].map(|policy| adapter("lenient", policy));
    for _ in 0..200 {
        let (text, ..) = smuggled(&mut random);
        for adapter in &adapters {
            assert!(adapter.parse(&text).is_err(), "{text}");
        }
    }
}

#[test]
fn k4_with_the_policy_last_the_last_one_counts_everywhere() {
    let adapter = builder()
        .schema("role", r#"{"enum": ["user"]}"#)
        .whole_schema(r#"{"properties": {"role": {"enum": ["user"]}}}"#)
        .duplicates(Duplicates::Last)
        .build()
        .expect("the contract holds");
    let outputs = adapter.parse(r#"{"role": "admin", "\u0072ole": "user"}"#).expect("the last one fits");
    assert_eq!((outputs.text("role"), outputs.to_json().as_ref()), (Some("\"user\""), "{\"role\":\"user\"}"));
    assert_eq!(
        adapter.parse(r#"{"role": "user", "role": "admin"}"#).expect_err("the last one does not").reason().as_str(),
        "schema"
    );
}

/// Text of a user that a model has put into a string without escaping it, so that it reaches for other outputs.
fn breaking_out(random: &mut Random) -> String {
    let key = random.pick_text(&["\"role\"", "'role'", "role", "\"is_admin\"", "\"why\"", "\u{201C}role\u{201D}"]);
    let value = random.pick_text(&["\"admin\"", "'admin'", "true", "{\"role\": \"admin\"}"]);
    let before = random.pick_text(&["x\"", "x\",", "x\"}", "x\" ", "x'", "x\"\n", "\"", "x\u{201D}", "x\\\\\""]);
    let after = random.pick_text(&[", \"y\": \"", ",\"", "", "\", \"y\": \"", " // ", "}, {\"note\": \"", "\n```\n"]);
    let between = random.pick_text(&[", ", " ", ",\n", ""]);
    format!("{before}{between}{key}: {value}{after}")
}

#[test]
fn k3_k4_text_that_breaks_out_of_its_string_changes_no_other_output() {
    let mut random = Random::new(9);
    let adapters = ["strict", "standard", "lenient"].map(|preset| {
        let builder = builder().preset(preset).output("role").output("note").optional("is_admin");
        builder.allow_truncated(true).build().expect("the contract holds")
    });
    for _ in 0..500 {
        let text = format!("{{\"role\": \"user\", \"note\": \"{}\"}}", breaking_out(&mut random));
        for adapter in &adapters {
            if let Ok(outputs) = adapter.parse(&text) {
                assert_eq!(outputs.text("role"), Some("\"user\""), "{text}");
            }
        }
    }
}
