//! B3: a text that ends with the closers of its root is not called truncated because a quote is missing, and no text cut at a bracket passes for whole.

use jsonseam::{Pipeline, Reason, RepairOptions, preset};

fn lenient() -> Pipeline {
    preset("lenient").expect("the preset is known")
}

/// Documents whose strings hold brackets: code, differences, faces, sets, templates, JSON in JSON.
const WITH_BRACKETS: [&str; 14] = [
    r#"{"a": "if (x) { y(); }", "n": 1}"#,
    r#"{"code": "function f() { return [1, 2]; }", "k": [1]}"#,
    r#"{"d": "- old {a}\n+ new [b]", "f": "x"}"#,
    r#"{"s": "so happy :] and :} yes", "t": ":-] done"}"#,
    r#"{"set": "{1, 2, 3} and {a}", "z": ["{x}"]}"#,
    r#"{"c": "a[0] = b[i]", "q": "say \"{x}\" now"}"#,
    r#"{"c": "s.replace(\"{\", \"}\")", "d": [{"e": "f\"{x}\""}]}"#,
    r#"{"t": "see [1] and [2].", "u": {"v": "x]"}}"#,
    r#"{"t": "curly “{x}” and ‘]’ end"}"#,
    r#"{"j": "{\"a\": {\"b\": [1, 2]}, \"c\": \"}\"}"}"#,
    r#"{"l": ["map{x}", "list[y]", "- [ ] todo\n- [x] done"]}"#,
    r#"{"path": "C:\\dir\\{id}\\x", "re": "^[a-z]{2}\\d"}"#,
    r#"{"py": "d = {'k': [v for v in x]}\nprint(d['k'])"}"#,
    r#"{"a": "echo \"}\" > x", "b": "\"]\" ok", "k{y}": "v"}"#,
];

/// The document up to each bracket within a string of it.
fn cuts(document: &str) -> Vec<&str> {
    let (mut is_inside, mut is_escaped) = (false, false);
    let places = document.char_indices().filter(|&(_, char)| match char {
        _ if is_escaped => {
            is_escaped = false;
            false
        }
        '\\' => {
            is_escaped = true;
            false
        }
        '"' => {
            is_inside = !is_inside;
            false
        }
        char => is_inside && matches!(char, '{' | '}' | '[' | ']'),
    });
    places.map(|(at, _)| &document[..=at]).collect()
}

#[test]
fn b3_a_text_cut_at_a_bracket_within_a_string_is_never_unmarked() {
    let texts: Vec<_> = WITH_BRACKETS.iter().flat_map(|document| cuts(document)).collect();
    assert!(texts.len() > 60, "{}", texts.len());
    for name in ["strict", "standard", "lenient"] {
        let pipeline = preset(name).expect("the preset is known");
        for text in &texts {
            if let Ok(repaired) = pipeline.repair(text) {
                assert!(repaired.is_truncated(), "{name}: {text} gave {}", repaired.text());
            }
        }
    }
}

/// Texts that lost the end quote of one string, and what they say.
const WITHOUT_A_QUOTE: [(&str, &str); 8] = [
    (r#"{"name": "Ann", "city": "Oslo}"#, r#"{"name": "Ann", "city": "Oslo"}"#),
    ("{\"name\": \"Ann\", \"city\": \"Oslo\n}", "{\"name\": \"Ann\", \"city\": \"Oslo\"\n}"),
    (r#"{"x": {"tags": ["a", "b]}}"#, r#"{"x": {"tags": ["a", "b"]}}"#),
    (r#"{"n": 1, "when": "12:20}"#, r#"{"n": 1, "when": "12:20"}"#),
    (r#"{"a": 1, "b: 2}"#, r#"{"a": 1, "b": 2}"#),
    (r#"{"city": "Oslo”}"#, r#"{"city": "Oslo"}"#),
    (r#"{"c": "{\"e\": 1}\"}"#, r#"{"c": "{\"e\": 1}"}"#),
    (r#"{"a": "two words\"}"#, r#"{"a": "two words"}"#),
];

#[test]
fn b3_a_text_that_lost_one_quote_is_whole_unless_the_length_ended_it() {
    let length = RepairOptions::new().with_finish_reason(Some("length"));
    for (text, expected) in WITHOUT_A_QUOTE {
        let repaired = lenient().repair(text).expect(text);
        assert_eq!((repaired.text(), repaired.is_truncated()), (expected, false), "{text}");
        assert!(repaired.incomplete().is_empty(), "{text}");
        assert!(lenient().repair_with(text, &length).expect(text).is_truncated(), "{text}");
    }
}

#[test]
fn b3_a_refusal_of_a_text_that_lost_one_quote_is_not_for_its_length() {
    let strict = preset("strict").expect("the preset is known");
    let length = RepairOptions::new().with_finish_reason(Some("length"));
    for (text, _) in WITHOUT_A_QUOTE.iter().filter(|(text, _)| !text.contains("\"b: 2") && !text.contains('\n')) {
        assert_eq!(strict.repair(text).expect_err(text).reason(), Reason::Syntax, "{text}");
        assert_eq!(strict.repair_with(text, &length).expect_err(text).reason(), Reason::Truncated, "{text}");
    }
    for text in [r#"{"a": "one, two"#, r#"{"a": {"b": "x}"#, r#"{"a": "f {x}"#, r#"{"a": ["x", "y:]"#, r#"{"a": "b "}"#]
    {
        let reason = strict.repair(text).map(drop).map_err(|error| error.reason());
        assert!(reason.is_ok() || reason == Err(Reason::Truncated), "{text}: {reason:?}");
    }
}
