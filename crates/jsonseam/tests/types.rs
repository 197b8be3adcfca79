//! Types of a contract speak for a reading (SPEC R5): texts that have two readings, of which one fits, and near misses where both fit or neither.

use jsonseam::contract::{CastKind, Casts};
use jsonseam::{Root, adapter};

/// What a contract with this schema makes of a text: the repaired text, or the reason of a refusal.
fn said(schema: &str, casts: Casts, text: &str) -> Result<String, String> {
    let builder = adapter().preset("lenient").root(Root::Any).whole_schema(schema).casts(casts).allow_truncated(true);
    let outputs = builder.build().expect("the schema is one").parse(text);
    outputs.map(|outputs| outputs.repair().text().to_owned()).map_err(|error| error.reason().as_str().to_owned())
}

fn without_types(text: &str) -> Option<String> {
    let config = jsonseam::Config::default().with_preset("lenient").with_root(Root::Any);
    let repaired = jsonseam::pipeline(&config).expect("the preset is built in").repair(text).ok()?;
    Some(repaired.text().to_owned())
}

fn object(members: &str, rest: &str) -> String {
    format!(r#"{{"type": "object", "properties": {{{members}}}{rest}}}"#)
}

const TWO: &str = r#""a": {"type": "string"}, "b": {"type": "string"}"#;

#[test]
fn r5_a_word_that_the_contract_lists_is_a_string_and_no_other_is() {
    let schema = object(r#""a": {"enum": ["string", "fals", "low"]}, "b": {}"#, "");
    // Quoted because it is listed: else it is a name of a type, or a literal that breaks off.
    for word in ["string", "fals"] {
        let text = format!(r#"{{"a": {word}, "b": 1}}"#);
        assert_eq!(without_types(&text), None, "{word}");
        assert_eq!(said(&schema, Casts::NONE, &text), Ok(format!(r#"{{"a": "{word}", "b": 1}}"#)), "{word}");
    }
    // A word that needs no list stays what it is, and what is not listed at this place is not quoted for it.
    assert_eq!(said(&schema, Casts::NONE, r#"{"a": low, "b": 1}"#), Ok(r#"{"a": "low", "b": 1}"#.to_owned()));
    for text in [r#"{"a": nul, "b": 1}"#, r#"{"a": "low", "b": string}"#, r#"{"c": fals, "b": 1}"#] {
        assert_eq!(said(&schema, Casts::NONE, text), Err("syntax".to_owned()), "{text}");
    }
}

#[test]
fn r5_a_literal_that_needs_no_guess_is_not_quoted_for_a_list() {
    let schema = object(r#""a": {"enum": ["None", "Low", null]}"#, "");
    assert_eq!(said(&schema, Casts::NONE, r#"{"a": None}"#), Ok(r#"{"a": null}"#.to_owned()));
}

#[test]
fn r5_a_reading_whose_values_do_not_fit_or_whose_objects_lack_a_key_loses() {
    let text = r#"{"steps":[{"id":1,"size":{"width":50.5,"label":"50 %","parts":["new","red","to check"]],"done":true,"owner":"paid"}"#;
    let right = r#"{"steps":[{"id":1,"size":{"width":50.5,"label":"50 %","parts":["new","red","to check"]},"done":true,"owner":"paid"}]}"#;
    assert_eq!(without_types(text), None, "nothing decides");
    // The keys are open: what is required is the only evidence.
    let of = |required: &str| {
        let step = object(r#""id": {"type": "integer"}, "size": {"type": "object"}"#, required);
        object(&format!(r#""steps": {{"type": "array", "items": {step}}}"#), "")
    };
    let required = of(r#", "required": ["id", "done", "owner"]"#);
    assert_eq!(said(&required, Casts::NONE, text), Ok(right.to_owned()));
    // Near misses: nothing is required, or what both readings have, so that both fit.
    for required in ["", r#", "required": ["id", "size"]"#] {
        assert_eq!(said(&of(required), Casts::NONE, text), Err("ambiguous_repair".to_owned()), "{required}");
    }
}

#[test]
fn r5_a_text_that_needs_no_repair_is_untouched_whatever_its_types_are() {
    let schema = object(TWO, r#", "required": ["a", "b"], "additionalProperties": false"#);
    for text in [r#"{"a": 1, "b": [2]}"#, r#"{"a": null}"#, r#"{"c": {"d": true}}"#] {
        assert_eq!(said(&schema, Casts::NONE, text), Err("schema".to_owned()), "{text}");
    }
}

#[test]
fn r5_a_reading_that_needs_no_guess_never_loses_by_its_types() {
    // The only sober readings do not fit; the contract refuses them, and nothing else is made of the text.
    let schema = object(TWO, r#", "required": ["a", "b"]"#);
    for text in [r#"{"a": 1, "b": 2,}"#, r"{'a': true, 'b': None}", "{\"a\": 1\n \"b\": 2}"] {
        assert!(without_types(text).is_some(), "{text}");
        assert_eq!(said(&schema, Casts::NONE, text), Err("schema".to_owned()), "{text}");
    }
}

#[test]
fn r5_what_a_cast_makes_fit_fits() {
    let schema = object(r#""a": {"type": "integer"}"#, "");
    let casts = Casts::NONE.with(CastKind::StringToNumber);
    assert_eq!(said(&schema, casts, r"{'a': '5'}"), Ok(r#"{"a": "5"}"#.to_owned()));
    assert_eq!(said(&schema, Casts::NONE, r"{'a': '5'}"), Err("schema".to_owned()));
}

#[test]
fn r5_a_default_takes_the_place_of_a_missing_value_where_the_contract_has_one() {
    let zero = r#"{"type": "integer", "default": 0}"#;
    let schemas = [
        object(&format!(r#""a": {zero}"#), ""),
        format!(r##"{{"properties": {{"a": {{"$ref": "#/$defs/z"}}}}, "$defs": {{"z": {zero}}}}}"##),
        object(r#""a": {"type": ["integer", "null"], "default": 0}"#, ""),
    ];
    for schema in &schemas {
        assert_eq!(said(schema, Casts::NONE, r#"{"a": , "b": 1}"#), Ok(r#"{"a": 0, "b": 1}"#.to_owned()), "{schema}");
    }
    let below = object(&format!(r#""rows": {{"items": {}}}"#, schemas[0]), "");
    let rows = r#"{"rows": [{"a": 2}, {"a": }]}"#;
    assert_eq!(said(&below, Casts::NONE, rows), Ok(r#"{"rows": [{"a": 2}, {"a": 0}]}"#.to_owned()));
    // Near misses: no default at this place, one in an alternative only, none at all.
    let null = Ok(r#"{"a": null, "b": 1}"#.to_owned());
    for schema in
        [object(r#""b": {"default": 0}"#, ""), r#"{"anyOf": [{"properties": {"a": {"default": 1}}}, {}]}"#.into()]
    {
        assert_eq!(said(&schema, Casts::NONE, r#"{"a": , "b": 1}"#), null, "{schema}");
    }
}
