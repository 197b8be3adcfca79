//! The scenarios of the contract, each under the clause it comes from.

use crate::common::{adapter, builder, refusal, said, told};
use jsonseam_adapter::{JsonSchema, ParseOptions};
use serde::Deserialize;

#[test]
fn p5_fenced_json_is_parsed_and_nobody_has_to_strip_the_fence() {
    let adapter = adapter(&["answer", "score"]);
    for completion in [
        "```json\n{\"answer\": \"yes\", \"score\": 7}\n```",
        "Here is the result:\n```json\n{\"answer\": \"yes\", \"score\": 7}\n```\nAnything else?",
        "Sure! {\"answer\": \"yes\", \"score\": 7} Hope that helps.",
    ] {
        let outputs = adapter.parse(completion).expect("it is located");
        assert_eq!(outputs.get::<String>("answer").expect("it is a string"), "yes", "{completion}");
        assert_eq!(outputs.get::<u8>("score").expect("it is a number"), 7, "{completion}");
    }
}

#[test]
fn p5_minor_defects_are_repaired_and_validation_goes_on() {
    let adapter = adapter(&["answer", "score"]);
    for completion in
        ["{\"answer\": \"yes\", \"score\": 7,}", "{'answer': 'yes', 'score': 7}", "{\"answer\": \"yes\"\n\"score\": 7}"]
    {
        let outputs = adapter.parse(completion).expect("it is repaired");
        assert_eq!(outputs.to_json(), "{\"answer\":\"yes\",\"score\":7}", "{completion}");
        assert!(outputs.repair().edits().len() > 0);
    }
    assert_eq!(refusal(&adapter, "{'answer': 'yes',}"), said("invalid_outputs", "missing_output_keys"));
}

#[test]
fn p1_what_is_valid_is_parsed_without_an_edit() {
    let outputs = adapter(&["a"]).parse(" {\"a\": 1.10}\n").expect("it is valid");
    assert_eq!(outputs.repair().edits().len(), 0);
    assert_eq!(outputs.text("a"), Some("1.10"));
}

#[test]
fn k2_all_declared_keys_are_accepted_and_come_in_declared_order() {
    let outputs = adapter(&["b", "a", "c"]).parse("{\"a\": 1, \"c\": 3, \"b\": 2}").expect("all are there");
    assert_eq!(outputs.names().collect::<Vec<_>>(), ["b", "a", "c"]);
    assert_eq!(outputs.to_json(), "{\"b\":2,\"a\":1,\"c\":3}");
    assert_eq!(serde_json::to_string(&outputs).expect("outputs serialise"), "{\"b\":2,\"a\":1,\"c\":3}");
}

#[test]
fn k2_missing_keys_are_refused_by_name_in_declared_order() {
    let error = adapter(&["b", "a", "c"]).parse("{\"c\": 1}").expect_err("two are missing");
    assert_eq!(told(&error), said("invalid_outputs", "missing_output_keys"));
    assert_eq!(error.missing(), ["b", "a"]);
    assert!(error.extra().is_empty() && error.duplicates().is_empty());
}

#[test]
fn k2_optional_outputs_may_be_absent_and_are_left_out() {
    let adapter = builder().output("answer").optional("note").build().expect("the contract holds");
    let outputs = adapter.parse("{\"answer\": 1}").expect("the note is optional");
    assert_eq!(outputs.names().collect::<Vec<_>>(), ["answer"]);
    assert_eq!(outputs.get::<Option<String>>("note").expect("an option may be absent"), None);
    let error = outputs.get::<String>("note").expect_err("a string may not");
    assert_eq!(
        (told(&error), error.missing()),
        (said("invalid_outputs", "missing_output_keys"), &["note".to_owned()][..])
    );
    assert_eq!(adapter.parse("{\"answer\": 1, \"note\": \"x\"}").expect("it may be there").text("note"), Some("\"x\""));
}

#[test]
fn k3_undeclared_keys_are_refused_as_the_completion_spells_them() {
    let error = adapter(&["a"]).parse("{\"a\": 1, \"b\": 2, \"\\u0063\": 3}").expect_err("two are extra");
    assert_eq!(told(&error), said("invalid_outputs", "extra_output_keys"));
    assert_eq!(error.extra().iter().map(|extra| extra.name.as_str()).collect::<Vec<_>>(), ["b", "c"]);
}

#[test]
fn k1_keys_match_exactly_without_folding_trimming_or_normalising() {
    let adapter = adapter(&["answer"]);
    for key in ["Answer", "answer ", "\\tanswer", "an\u{200B}swer", "answer\u{301}"] {
        let completion = format!("{{\"{key}\": 1}}");
        let error = adapter.parse(&completion).expect_err("it is another key");
        assert_eq!(told(&error), said("invalid_outputs", "missing_output_keys"), "{key:?}");
        assert_eq!((error.missing().len(), error.extra().len()), (1, 1), "{key:?}");
    }
    assert!(adapter.parse("{\"\\u0061nswe\\u0072\": 1}").is_ok(), "an escape is a spelling, not another key");
}

#[test]
fn k4_the_order_is_missing_extra_duplicate_and_the_error_carries_all() {
    let error = adapter(&["a", "b"]).parse("{\"a\": 1, \"a\": 2, \"x\": 3}").expect_err("everything is wrong");
    assert_eq!(error.reason().as_str(), "missing_output_keys");
    assert_eq!((error.missing().len(), error.extra().len(), error.duplicates().len()), (1, 1, 1));
    let error = adapter(&["a"]).parse("{\"a\": 1, \"a\": 2, \"x\": 3}").expect_err("two things are wrong");
    assert_eq!((error.reason().as_str(), error.duplicates().len()), ("extra_output_keys", 1));
    let error = adapter(&["a"]).parse("{\"a\": 1, \"a\": 2}").expect_err("it is repeated");
    assert_eq!(error.reason().as_str(), "duplicate_output_keys");
}

#[test]
fn v1_a_field_with_a_schema_is_validated_and_given_as_its_type() {
    #[derive(Deserialize, JsonSchema, Debug, PartialEq)]
    struct Item {
        sku: String,
        quantity: u32,
    }
    let adapter = builder()
        .schema("total", "{\"type\": \"number\", \"minimum\": 0}")
        .field_type::<Vec<Item>>("items")
        .build()
        .expect("the schemas are sound");
    let outputs = adapter
        .parse("{\"items\": [{\"sku\": \"A\", \"quantity\": 2}], \"total\": 12.340000000000000000001}")
        .expect("it fits");
    assert_eq!(outputs.typed::<Vec<Item>>("items"), Some(&vec![Item { sku: "A".to_owned(), quantity: 2 }]));
    assert_eq!(outputs.typed::<Vec<u8>>("items"), None, "it is of another type");
    assert_eq!(outputs.text("total"), Some("12.340000000000000000001"), "no digit is lost");
}

#[test]
fn v2_a_field_that_does_not_fit_is_named_with_its_errors() {
    let adapter = builder()
        .output("free")
        .schema("score", "{\"type\": \"integer\"}")
        .schema("name", "{\"type\": \"string\"}")
        .build()
        .expect("the schemas are sound");
    let error = adapter.parse("{\"name\": 1, \"free\": [], \"score\": \"x\"}").expect_err("two do not fit");
    assert_eq!(told(&error), said("output_validation_failed", "schema"));
    assert_eq!(error.field(), Some("score"), "the first in declared order");
    let paths: Vec<_> = error.violations().iter().map(jsonseam_adapter::Violation::path).collect();
    assert_eq!(paths, ["/score", "/name"], "all errors of all fields");
}

#[test]
fn p5_text_that_no_rule_mends_is_a_decode_error() {
    let error = adapter(&["a"]).parse("{\"a\": 1 2}").expect_err("nothing mends it");
    assert_eq!(told(&error), said("output_decode_failed", "syntax"));
    assert!(error.position().is_some() && error.decode().is_some());
}

#[test]
fn p4_text_without_an_object_is_told_as_such() {
    let adapter = adapter(&["a"]);
    for completion in ["", "  \n", "I cannot answer that.", "42", "\"x\"", "null"] {
        assert_eq!(
            refusal(&adapter, completion),
            said("output_decode_failed", "no_json_object_found"),
            "{completion:?}"
        );
    }
}

#[test]
fn p3_a_top_level_array_is_refused() {
    let adapter = adapter(&["a"]);
    for completion in ["[{\"a\": 1}]", "Here: [{\"a\": 1}]", "[{\"a\": 1},]", "```json\n[1]\n```"] {
        assert_eq!(
            refusal(&adapter, completion),
            said("output_decode_failed", "top_level_array_not_allowed"),
            "{completion}"
        );
    }
}

#[test]
fn k5_decoding_comes_before_keys_and_keys_before_fields() {
    let adapter = builder().schema("a", "{\"type\": \"integer\"}").output("b").build().expect("the schemas are sound");
    assert_eq!(refusal(&adapter, "{\"a\": \"x\" 1, \"c\": 1}").0, "output_decode_failed");
    assert_eq!(refusal(&adapter, "{\"a\": \"x\"}").0, "invalid_outputs");
    assert_eq!(refusal(&adapter, "{\"a\": \"x\", \"b\": 1}").0, "output_validation_failed");
}

#[test]
fn b3_a_cut_completion_is_refused_unless_the_contract_allows_it() {
    let standard = || builder().preset("standard").output("a").optional("b");
    let refusing = standard().build().expect("the contract holds");
    let error = refusing.parse("{\"a\": 1, \"b\": [1, 2").expect_err("it was cut");
    assert_eq!(told(&error), said("output_decode_failed", "truncated"));
    assert!(!error.is_retryable());
    let partial = error.partial().expect("the rest is known");
    assert!(partial.is_partial());
    assert_eq!(partial.names().collect::<Vec<_>>(), ["a"], "what the cut left incomplete is not in it");
    let allowing = standard().allow_truncated(true).build().expect("the contract holds");
    let outputs = allowing.parse("{\"a\": 1, \"b\": [1, 2").expect("it is allowed");
    assert!(outputs.repair().is_truncated() && !outputs.is_partial());
}

#[test]
fn b3_a_finish_reason_that_means_a_cut_is_believed() {
    let adapter = adapter(&["a"]);
    let parse = |reason: &str| {
        let options = ParseOptions::new().with_finish_reason(Some(reason));
        adapter.parse_with("{\"a\": 1}", &options)
    };
    assert!(parse("stop").is_ok());
    let error = parse("length").expect_err("the model was stopped");
    assert_eq!(told(&error), said("output_decode_failed", "truncated"));
    assert_eq!(error.position().map(|position| position.offset), Some(8));
}

#[test]
fn p0_what_no_type_holds_names_its_field_where_the_whole_is_judged() {
    let whole = r#"{"type": "object", "properties": {"n": {"type": "number"}, "m": {"type": "string"}}}"#;
    let adapter = builder().whole_schema(whole).build().expect("it is a contract");
    for (completion, field) in [
        ("{\"m\": \"x\", \"n\": 1e400}", Some("n")),
        ("{\"m\": \"\\ud800\", \"n\": 1}", Some("m")),
        ("{\"n\": [1, {\"o\": -1e999}]}", Some("n")),
        // A name that is not declared is text of the completion.
        ("{\"n\": 1, \"other\": 1e400}", None),
    ] {
        let error = adapter.parse(completion).expect_err("no value holds it");
        assert_eq!((told(&error), error.field()), (said("output_decode_failed", "not_representable"), field));
        assert_eq!(error.to_string().contains("\"n\""), field == Some("n"), "{error}");
    }
    let of_fields = crate::common::adapter(&["big"]).parse("{\"big\": 1e400}").expect("it is valid JSON");
    let error = of_fields.decode::<std::collections::BTreeMap<String, f64>>().expect_err("no float holds it");
    assert_eq!(error.field(), Some("big"));
}

#[test]
fn p0_what_a_type_cannot_hold_is_an_error_of_that_type_alone() {
    let adapter = adapter(&["big", "half", "deep"]);
    let deep = format!("{}{}", "[".repeat(126), "]".repeat(126));
    let completion = format!("{{\"big\": 1e400, \"half\": \"\\ud800\", \"deep\": {deep}}}");
    let outputs = adapter.parse(&completion).expect("it is valid JSON");
    assert_eq!(outputs.text("big"), Some("1e400"));
    for (name, error) in [("big", outputs.get::<f64>("big").err()), ("half", outputs.get::<String>("half").err())] {
        let error = error.expect("no float and no string can hold it");
        assert_eq!((told(&error), error.field()), (said("output_decode_failed", "not_representable"), Some(name)));
    }
    assert_eq!(outputs.repair().edits().len(), 0);
}

#[test]
fn e1_bytes_that_are_no_text_are_an_error_like_any_other() {
    let error = adapter(&["a"]).parse_bytes(b"{\"a\": \"\xFF\"}", &ParseOptions::default()).expect_err("no UTF-8");
    assert_eq!(told(&error), said("output_decode_failed", "invalid_utf8"));
    assert!(!error.is_retryable());
}

#[test]
fn v1_the_contract_of_a_type_has_its_fields_as_outputs() {
    #[derive(Deserialize, JsonSchema, Debug, PartialEq)]
    struct Answer {
        verdict: String,
        score: u8,
        comment: Option<String>,
    }
    let adapter = builder().whole_type::<Answer>().build().expect("the type has a schema");
    let declared: Vec<_> =
        adapter.contract().outputs().iter().map(|output| (output.name(), output.is_optional())).collect();
    assert_eq!(declared, [("verdict", false), ("score", false), ("comment", true)]);
    let outputs = adapter.parse("{\"score\": 7, \"verdict\": 'yes'}").expect("it fits");
    let answer: Answer = outputs.decode().expect("it decodes");
    assert_eq!(answer, Answer { verdict: "yes".to_owned(), score: 7, comment: None });
    assert_eq!(refusal(&adapter, "{\"verdict\": 1}"), said("invalid_outputs", "missing_output_keys"));
    assert_eq!(
        refusal(&adapter, "{\"verdict\": \"\", \"score\": 1, \"x\": 1}"),
        said("invalid_outputs", "extra_output_keys")
    );
    let error = adapter.parse("{\"score\": 300, \"verdict\": 1}").expect_err("neither fits");
    assert_eq!((error.field(), error.violations().len()), (Some("verdict"), 2));
}

#[test]
fn v1_a_type_that_is_no_struct_declares_its_root_alone() {
    let lists = builder().whole_type::<Vec<u8>>().build().expect("the type has a schema");
    let outputs = lists.parse("Here: [1, 2,]").expect("it is a list");
    assert_eq!((outputs.decode::<Vec<u8>>().expect("it decodes"), outputs.to_json().as_ref()), (vec![1, 2], "[1, 2]"));
    assert_eq!(refusal(&lists, "[1, 300]"), said("output_validation_failed", "schema"));
    assert_eq!(refusal(&lists, "{\"a\": 1}"), said("output_decode_failed", "top_level_object_not_allowed"));
    let maps = builder().whole_type::<std::collections::BTreeMap<String, u8>>().build().expect("it has a schema");
    let outputs = maps.parse("{\"b\": 1, \"a\": 2}").expect("any key will do");
    assert_eq!(outputs.names().collect::<Vec<_>>(), ["b", "a"]);
    assert_eq!(refusal(&maps, "{\"a\": 1, \"a\": 2}"), said("invalid_outputs", "duplicate_output_keys"));
}
