//! What a contract is worth to rules that choose among readings: the same texts with and without declared keys.
#![expect(clippy::print_stdout, reason = "the figures are shown")]

use jsonseam::{Config, Evidence, RepairOptions, Step, pipeline};

/// Words that make up the texts; the truth is written down before the quotes lose their escapes.
const WORDS: [&str; 10] =
    ["harbour", "nine", "the \u{e9}toile", "a-b", "x y z", "Oslo", "7", "stop", "two, three", "so it goes"];
const KEYS: [&str; 6] = ["note", "role", "ok", "city", "reply", "next step"];

/// An answer whose first value quotes something that reads as further members, and the same with those members meant.
fn texts() -> impl Iterator<Item = (String, [&'static str; 3], [String; 3])> {
    (0..200_usize).map(|seed| {
        let word = |at: usize| WORDS[(seed * 7 + at * 3 + seed / 10) % WORDS.len()];
        let key = |at: usize| KEYS[(seed + at * 2 + usize::from(at > 2)) % KEYS.len()];
        let keys = [key(0), key(1), key(2)];
        let [first, second, third, last] = [word(0), word(1), word(2), word(3)];
        let text = format!(
            "{{\"{}\": \"{first} \"{second}\", \"{}\":\"{third}\", \"{}\": \"{last}\"}}",
            keys[0], keys[1], keys[2]
        );
        let quoted = format!("{first} \"{second}\", \"{}\":\"{third}", keys[1]);
        (text, keys, [quoted, third.to_owned(), last.to_owned()])
    })
}

#[test]
fn v1_declared_keys_decide_where_a_string_ends_and_nothing_else_does() {
    let config = Config::default().with_preset("lenient");
    let without = pipeline(&config).expect("the preset is built in");
    let (mut refused, mut right_with_two, mut right_with_three, mut wrong) = (0, 0, 0, 0);
    for (text, keys, [quoted, third, last]) in texts() {
        refused += usize::from(without.repair(&text).is_err());
        let adapter = |declared: &[&str]| {
            let builder =
                declared.iter().fold(jsonseam::adapter().preset("lenient"), |builder, key| builder.output(key));
            builder.build().expect("the contract is right")
        };
        // Two keys: what looks like a member between them is text.
        match adapter(&[keys[0], keys[2]]).parse(&text) {
            Ok(outputs) if outputs.get::<String>(keys[0]).is_ok_and(|value| value == quoted) => right_with_two += 1,
            Ok(_) => wrong += 1,
            Err(_) => {}
        }
        // Three keys: it is a member.
        if let Ok(outputs) = adapter(&keys).parse(&text) {
            let of = |key: &str| outputs.get::<String>(key).unwrap_or_default();
            let is_right = of(keys[1]) == third && of(keys[2]) == last;
            right_with_three += usize::from(is_right);
            wrong += usize::from(!is_right);
        }
    }
    println!(
        "quoted members, 200 texts, lenient: without keys {} right, {refused} refused; with two declared {right_with_two} right, \
         with three {right_with_three} right; {wrong} wrong",
        200 - refused
    );
    assert_eq!(wrong, 0);
    assert!(refused >= 190, "both readings are plausible, so nothing may choose: {refused} refused");
    assert!(right_with_two >= 150 && right_with_three >= 150, "{right_with_two} and {right_with_three} right");
}

/// A member whose text looks like two: `e "f", "city":"g"` or a member `city`.
const MEMO: &str = r#""memo": "e "f", "city":"g", "end": "h""#;
/// What it is where `city` is not declared, …
const MEMO_AS_TEXT: &str = r#""memo": "e \"f\", \"city\":\"g", "end": "h""#;
/// … and where it is.
const MEMO_AND_CITY: &str = r#""memo": "e \"f", "city":"g", "end": "h""#;
/// The same again, with other keys.
const NOTE: &str = r#""note": "k "l", "town":"n", "last": "o""#;
const NOTE_AS_TEXT: &str = r#""note": "k \"l\", \"town\":\"n", "last": "o""#;

const BOTH: [&str; 4] = ["memo", "end", "note", "last"];

/// The repaired text under a contract, or `None` if it is refused.
fn repaired(text: &str, evidence: &Evidence) -> Option<String> {
    let config = Config::default().with_preset("lenient").with_root(jsonseam::Root::Any);
    let pipeline = pipeline(&config).expect("the preset is built in");
    let options = RepairOptions::new().with_evidence(Some(evidence));
    pipeline.repair_with(text, &options).ok().map(|repaired| repaired.text().to_owned())
}

#[test]
fn v1_declared_keys_still_decide_after_the_text_has_branched() {
    let flat = Evidence::new().closed(&[], BOTH);
    let with_x = Evidence::new().closed(&[], ["memo", "end", "x"]);
    let below = Evidence::new().closed(&[], ["in", "x"]).closed(&[Step::Key("in")], BOTH);
    let items = Evidence::new().closed(&[Step::Item], BOTH);
    let deep = Evidence::new().closed(&[], ["in"]).closed(&[Step::Key("in"), Step::Item], BOTH);
    let any = Evidence::new().closed(&[Step::AnyKey], BOTH);
    let named = Evidence::new().closed(&[], ["in_x"]).closed(&[Step::Key("in_x")], BOTH);
    let cases: [(&Evidence, String, String); 13] = [
        (&flat, format!("{{{MEMO}, {NOTE}}}"), format!("{{{MEMO_AS_TEXT}, {NOTE_AS_TEXT}}}")),
        (&flat, format!("{{{NOTE}, {MEMO}}}"), format!("{{{NOTE_AS_TEXT}, {MEMO_AS_TEXT}}}")),
        (&with_x, format!("{{{MEMO}, \"x\": [1, 2}}}}"), format!("{{{MEMO_AS_TEXT}, \"x\": [1, 2]}}")),
        (&with_x, format!("{{\"x\": [1, 2}}, {MEMO}}}"), format!("{{\"x\": [1, 2], {MEMO_AS_TEXT}}}")),
        (&with_x, format!("{{\"x\": (1, 2], {MEMO}}}"), format!("{{\"x\": [1, 2], {MEMO_AS_TEXT}}}")),
        (&with_x, format!("{{'x': \"a\" + \"b\", {MEMO}}}"), format!("{{\"x\": \"ab\", {MEMO_AS_TEXT}}}")),
        (&below, format!("{{\"in\": {{{MEMO}, {NOTE}}}}}"), format!("{{\"in\": {{{MEMO_AS_TEXT}, {NOTE_AS_TEXT}}}}}")),
        (
            &below,
            format!("{{\"x\": [1, 2}}, 'in': {{{NOTE}, {MEMO},}}}}"),
            format!("{{\"x\": [1, 2], \"in\": {{{NOTE_AS_TEXT}, {MEMO_AS_TEXT}}}}}"),
        ),
        // An escape spells the declared key too.
        (&named, format!("{{\"in_\\u0078\": {{{MEMO}}}}}"), format!("{{\"in_\\u0078\": {{{MEMO_AS_TEXT}}}}}")),
        (&items, format!("[{{{MEMO}}}, {{{NOTE}}}]"), format!("[{{{MEMO_AS_TEXT}}}, {{{NOTE_AS_TEXT}}}]")),
        (&items, format!("[{{{NOTE}}}\n {{{MEMO}}},]"), format!("[{{{NOTE_AS_TEXT}}},\n {{{MEMO_AS_TEXT}}}]")),
        (
            &deep,
            format!("{{in: [{{{MEMO}}}, {{{NOTE}}}]}}"),
            format!("{{\"in\": [{{{MEMO_AS_TEXT}}}, {{{NOTE_AS_TEXT}}}]}}"),
        ),
        (
            &any,
            format!("{{\"p\": {{{MEMO}}}, \"q\": {{{NOTE}}}}}"),
            format!("{{\"p\": {{{MEMO_AS_TEXT}}}, \"q\": {{{NOTE_AS_TEXT}}}}}"),
        ),
    ];
    for (evidence, text, expected) in cases {
        assert_eq!(repaired(&text, evidence), Some(expected), "{text}");
    }
}

#[test]
fn v1_keys_that_the_contract_does_not_decide_stay_ambiguous_after_the_text_has_branched() {
    let all = ["x", "memo", "city", "end", "note", "town", "last"];
    let declared = Evidence::new().closed(&[], all);
    let open = Evidence::new().open(&[], ["x"]);
    let elsewhere = Evidence::new().closed(&[], ["in", "x"]).closed(&[Step::Key("other")], BOTH);
    let in_array = Evidence::new().closed(&[Step::Item], BOTH);
    let silent = Evidence::new();
    let branched = format!("{{\"x\": [1, 2}}, {MEMO}}}");
    // A declared key is a member, wherever it comes.
    assert_eq!(repaired(&branched, &declared), Some(format!("{{\"x\": [1, 2], {MEMO_AND_CITY}}}")));
    let cases: [(&Evidence, String); 5] = [
        (&open, branched.clone()),
        (&silent, branched.clone()),
        (&in_array, branched.clone()),
        (&elsewhere, format!("{{\"x\": [1, 2}}, \"in\": {{{MEMO}}}}}")),
        (&open, format!("{{{MEMO}, {NOTE}}}")),
    ];
    for (evidence, text) in cases {
        assert_eq!(repaired(&text, evidence), None, "{text}");
    }
}
