//! What a contract is worth to rules that choose among readings: the same texts with and without declared keys.
#![expect(clippy::print_stdout, reason = "the figures are shown")]

use jsonseam::{Config, pipeline};

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
