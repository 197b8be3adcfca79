//! Asking for the failing fields only.

use jsonseam_reask::{Reask, Scope, Stop};

use crate::support::{GOOD, contract, play, reask, says};
use crate::{BAD, cut};

#[test]
fn only_the_failing_fields_are_asked_for_and_everything_is_validated_again() {
    let narrow = reask().scope(Scope::FailingFields);
    let run = play(&narrow, &[says(BAD), says("{\"score\": 7}")]);
    assert_eq!(run.answer().outputs.to_json(), r#"{"answer":"yes","score":7}"#);
    let prompt = run.prompt(1);
    assert!(prompt.contains("Write these fields again, and only these, as one JSON object: \"score\"."), "{prompt}");
    assert!(!prompt.contains("\"answer\": string"), "the format is that of the failing field");
    let schema = run.requests[1].schema.as_ref().expect("the mode has a schema").to_value();
    assert_eq!(schema["required"], serde_json::json!(["score"]));
    assert!(schema["properties"].get("answer").is_none());
}

#[test]
fn what_was_valid_stays_as_it_was_and_what_is_new_is_refused_like_anywhere() {
    let narrow = reask().scope(Scope::FailingFields);
    let run = play(&narrow, &[says(BAD), says("{\"answer\": \"CHANGED\", \"score\": 7}")]);
    assert_eq!(run.answer().outputs.get::<String>("answer").ok().as_deref(), Some("yes"));
    let run = play(&narrow, &[says(BAD), says("{\"score\": 7, \"extra\": 1}"), says(GOOD)]);
    assert_eq!(run.requests.len(), 3);
    assert!(run.prompt(2).contains("1 unrecognized key"));
    let run = play(&narrow, &[says(BAD), says("{\"score\": -7}"), says("{\"score\": 7}")]);
    assert!(run.result.is_ok());
    let run = play(&narrow, &[says(BAD), cut("{\"score\": 7}"), says(GOOD)]);
    assert_eq!(run.failure().stop, Stop::Truncated, "a cut is not hidden by what it is merged with");
    let run = play(&narrow, &[says("{\"answer\": \"yes\", \"score\": 1, \"note\": 5}"), says("{\"note\": \"n\"}")]);
    assert_eq!(run.answer().outputs.to_json(), r#"{"answer":"yes","score":1,"note":"n"}"#);
}

#[test]
fn an_optional_field_that_was_wrong_is_never_dropped_in_silence() {
    let narrow = reask().scope(Scope::FailingFields);
    // `score` is missing, and `note`, which may be absent, is there and wrong.
    let run = play(&narrow, &[says("{\"answer\": \"yes\", \"note\": 5}"), says("{\"score\": 7, \"note\": \"n\"}")]);
    assert!(run.prompt(1).contains("as one JSON object: \"note\", \"score\"."), "{}", run.prompt(1));
    assert_eq!(run.answer().outputs.to_json(), r#"{"answer":"yes","score":7,"note":"n"}"#);
}

/// D59: each mistake that a prompt keeps back costs one more request.
#[test]
fn v2_a_prompt_for_a_missing_key_tells_the_fields_that_are_wrong_too() {
    for reask in [reask(), reask().scope(Scope::FailingFields)] {
        let run = play(&reask, &[says("{\"answer\": 3, \"note\": \"n\"}"), says(GOOD)]);
        assert!(run.prompt(1).contains("- Field \"score\": Expected integer, got undefined\n"), "{}", run.prompt(1));
        assert!(run.prompt(1).contains("- Field \"answer\": Expected string, got number\n"), "{}", run.prompt(1));
    }
    let run = play(&reask(), &[says("{\"answer\": 3, \"score\": 7, \"extra\": 1}"), says(GOOD)]);
    assert!(run.prompt(1).contains("- Object has 1 unrecognized key\n"), "{}", run.prompt(1));
    assert!(run.prompt(1).contains("- Field \"answer\": Expected string, got number\n"), "{}", run.prompt(1));
    let whole =
        r#"{"properties": {"a": {"type": "object", "required": ["b"]}, "c": {"type": "string"}}, "required": ["d"]}"#;
    let adapter = contract().output("a").output("c").output("d").whole_schema(whole).build().expect("it holds");
    let run = play(
        &Reask::new(adapter),
        &[says("{\"a\": {}, \"c\": 1}"), says("{\"a\": {\"b\": 1}, \"c\": \"\", \"d\": 1}")],
    );
    for line in ["\"d\": Expected a value, got", "\"a.b\": Expected a value, got", "\"c\": Expected string, got number"]
    {
        assert_eq!(run.prompt(1).matches(line).count(), 1, "{line}: {}", run.prompt(1));
    }
}

#[test]
fn a_text_that_does_not_decode_is_asked_for_as_a_whole() {
    let narrow = reask().scope(Scope::FailingFields);
    let run = play(&narrow, &[says("no JSON"), says(GOOD)]);
    assert!(run.result.is_ok());
    assert!(run.prompt(1).contains("Your last answer could not be used."));
}
