//! What SPEC says of schemas, clause by clause.

use jsonseam_schema::{CastKind, Casts, Draft, Failure, Schema, SchemaReason, Violation, decode};
use serde_json::{Value, json};

fn schema(source: &Value) -> Schema {
    Schema::from_value(source.clone()).unwrap_or_else(|error| panic!("{source}: {error} at {:?}", error.place()))
}

fn violations(source: &Value, text: &str) -> Vec<Violation> {
    match schema(source).check(text, &Casts::NONE) {
        Err(Failure::Invalid(violations)) => violations,
        other => panic!("{source} {text}: {other:?}"),
    }
}

/// The message to a model about a text that does not fit.
fn told(source: &Value, text: &str) -> Vec<String> {
    violations(source, text).iter().map(Violation::llm_message).collect()
}

/// The text with every cast, and the casts.
fn cast(source: &Value, text: &str) -> Option<(String, Vec<(String, CastKind)>)> {
    let checked = schema(source).check(text, &Casts::EXACT).ok()?;
    let casts = checked.casts.iter().map(|cast| (cast.path().to_owned(), cast.kind())).collect();
    Some((checked.text.into_owned(), casts))
}

fn envelope() -> Value {
    json!({
        "type": "object",
        "properties": {
            "toolCalls": {"type": "array", "items": {
                "type": "object",
                "properties": {"name": {"type": "string", "minLength": 1}, "arguments": {"type": "object"}},
                "required": ["name", "arguments"],
            }},
            "content": {"type": "string"},
            "needsMoreWork": {"type": "boolean"},
        },
    })
}

#[test]
fn l2_messages_tell_field_expectation_and_kind() {
    let envelope = envelope();
    assert_eq!(
        told(&envelope, r#"{"toolCalls": [{"name": 7, "arguments": {}}]}"#),
        [r#"Field "toolCalls.0.name": Expected string, got number"#],
    );
    assert_eq!(
        told(&envelope, r#"{"toolCalls": [{"arguments": {}}]}"#),
        [r#"Field "toolCalls.0.name": Expected string, got undefined"#],
    );
    assert_eq!(
        told(&envelope, r#"{"toolCalls": [{"name": "", "arguments": {}}]}"#),
        [r#"Field "toolCalls.0.name": Value is too small (min: 1): it has 0 characters"#],
    );
    assert_eq!(told(&envelope, r#"{"content": null}"#), [r#"Field "content": Expected string, got null"#]);
    assert_eq!(told(&envelope, "[]"), ["Expected object, got array"]);
    let strict = json!({"properties": {"p": {"minimum": 3}}, "additionalProperties": false});
    assert_eq!(told(&strict, r#"{"a": 1, "b": 2}"#), ["Object has unrecognized keys: a, b"]);
    assert_eq!(told(&strict, r#"{"p": 2}"#), [r#"Field "p": Value is too small (min: 3)"#]);
}

#[test]
fn v2_all_violations_are_told_each_with_its_place_in_value_and_schema() {
    let source = json!({
        "properties": {
            "a/b": {"items": {"$ref": "#/$defs/n~"}},
            "c": {"enum": ["x", 1]},
        },
        "required": ["d", "e"],
        "$defs": {"n~": {"type": ["integer", "null"], "maximum": 9}},
    });
    let found: Vec<[String; 5]> = violations(&source, r#"{"a/b": [1, "x", 10], "c": "y"}"#)
        .iter()
        .map(|violation| {
            let keyword = violation.keyword().to_owned();
            let schema_path = violation.schema_path().to_owned();
            [violation.path(), schema_path, keyword, violation.expected().to_owned(), violation.found().to_owned()]
        })
        .collect();
    let expected = [
        ["/d", "/required", "required", "a value", "undefined"],
        ["/e", "/required", "required", "a value", "undefined"],
        ["/a~1b/1", "/properties/a~1b/items/$ref/type", "type", "integer or null", "string"],
        ["/a~1b/2", "/properties/a~1b/items/$ref/maximum", "maximum", "at most 9", "number"],
        ["/c", "/properties/c/enum", "enum", "one of \"x\", 1", "string"],
    ];
    assert_eq!(found, expected.map(|row| row.map(str::to_owned)));
}

#[test]
fn v2_every_keyword_has_a_message_without_text_of_the_value() {
    for (source, text, message) in [
        (json!({"const": 1}), "2", "Value must be 1"),
        (json!({"multipleOf": 2}), "3", "Value must be a multiple of 2"),
        (json!({"maximum": 1.5}), "2", "Value is too large (max: 1.5)"),
        (json!({"exclusiveMaximum": 2}), "2", "Value is too large (must be less than 2)"),
        (json!({"exclusiveMinimum": 2}), "2", "Value is too small (must be more than 2)"),
        (json!({"maxLength": 1}), "\"ab\"", "Value is too large (max: 1): it has 2 characters"),
        (json!({"pattern": "^a"}), "\"b\"", "Value does not match the pattern ^a"),
        (json!({"maxItems": 0}), "[1]", "Value is too large (max: 0): it has 1 item"),
        (json!({"minItems": 2}), "[1]", "Value is too small (min: 2): it has 1 item"),
        (json!({"uniqueItems": true}), "[1, 1.0]", "Array has an item twice"),
        (json!({"contains": {"type": "null"}}), "[1]", "Array has too few or too many items of the wanted form"),
        (json!({"maxProperties": 0}), "{\"x\": 1}", "Value is too large (max: 0): it has 1 key"),
        (json!({"minProperties": 2}), "{\"x\": 1}", "Value is too small (min: 2): it has 1 key"),
        (json!({"propertyNames": {"maxLength": 1}}), "{\"xx\": 1}", "Object has a key that is not of the wanted form"),
        (
            json!({"dependentRequired": {"x": ["y"]}}),
            "{\"x\": 1}",
            "Field \"y\": Expected a value, as \"x\" is present, got undefined",
        ),
        (json!({"not": {}}), "1", "Value has a form that is not allowed"),
        (json!(false), "1", "No value is allowed here"),
        (json!({"oneOf": [{}, {}]}), "1", "Value fits more than one form of which it must fit exactly one"),
        (json!({"anyOf": [{"minimum": 5}, {"maximum": 1}]}), "3", "Value fits none of the allowed forms"),
        (json!({"anyOf": [{"type": "string"}, {"type": "null"}]}), "3", "Expected string or null, got number"),
        (json!({"if": {"type": "number"}, "then": {"minimum": 5}}), "3", "Value is too small (min: 5)"),
        (json!({"if": {"type": "null"}, "else": {"minimum": 5}}), "3", "Value is too small (min: 5)"),
        (
            json!({"prefixItems": [{"type": "null"}], "items": false}),
            "[null, 1]",
            "Field \"1\": No value is allowed here",
        ),
        (json!({"unevaluatedProperties": false}), "{\"x\": 1}", "Object has unrecognized keys: x"),
        (json!({"unevaluatedItems": {"type": "null"}}), "[1]", "Field \"0\": Expected null, got number"),
        (
            json!({"patternProperties": {"^x": {"type": "null"}}}),
            "{\"x\": 1}",
            "Field \"x\": Expected null, got number",
        ),
        (
            json!({"dependentSchemas": {"x": {"maxProperties": 0}}}),
            "{\"x\": 1}",
            "Value is too large (max: 0): it has 1 key",
        ),
    ] {
        assert_eq!(told(&source, text), [message], "{source}");
    }
}

#[test]
fn v2_a_value_that_can_only_have_been_meant_as_one_form_is_told_what_that_form_lacks() {
    let optional = json!({"properties": {"o": {"anyOf": [{"$ref": "#/$defs/o"}, {"type": "null"}]}},
        "$defs": {"o": {"type": "object", "required": ["id"], "properties": {"id": {"type": "integer"}}}}});
    assert_eq!(told(&optional, r#"{"o": {}}"#), [r#"Field "o.id": Expected integer, got undefined"#]);
    assert_eq!(told(&optional, r#"{"o": 1}"#), [r#"Field "o": Expected object or null, got number"#]);
    let tagged = json!({"oneOf": [
        {"type": "object", "properties": {"kind": {"const": "a"}, "x": {"type": "string"}}, "required": ["kind", "x"]},
        {"type": "object", "properties": {"kind": {"const": "b"}, "y": {"type": "string"}}, "required": ["kind", "y"]},
    ]});
    assert_eq!(told(&tagged, r#"{"kind": "b", "y": 1}"#), [r#"Field "y": Expected string, got number"#]);
    assert_eq!(told(&tagged, r#"{"kind": "c"}"#), [r#"Field "kind": Value must be one of "a", "b""#]);
    assert_eq!(told(&tagged, r#"{"x": ""}"#), [r#"Field "kind": Expected one of "a", "b", got undefined"#]);
    let named = json!({"oneOf": [
        {"type": "string", "const": "unit"},
        {"type": "object", "properties": {"A": {"type": "integer"}}, "required": ["A"], "additionalProperties": false},
        {"type": "object", "properties": {"B": {"type": "string"}}, "required": ["B"], "additionalProperties": false},
    ]});
    assert_eq!(told(&named, r#"{"B": 1}"#), [r#"Field "B": Expected string, got number"#]);
    assert_eq!(told(&named, r#"{"C": 1}"#), [r#"Object must have one of the keys "A", "B""#]);
    assert_eq!(told(&named, r#""other""#), [r#"Value must be "unit""#]);
    let constants = json!({"oneOf": [{"const": "a"}, {"enum": ["c", "b"]}]});
    assert_eq!(told(&constants, r#""d""#), [r#"Value must be one of "a", "b", "c""#]);
}

#[test]
fn v2_undeclared_keys_are_told_by_their_place_and_long_enumerations_by_their_length() {
    let map = json!({"properties": {"m": {"additionalProperties": {"additionalProperties": {"type": "integer"}}}}});
    let found = violations(&map, r#"{"m": {"a": {"x": 1}, "CANARY": {"y": 2, "z": 3, "CANARY": ""}, "b": {}}}"#);
    assert_eq!(
        found[0].message(),
        r#"Field "m.*.*": Expected integer, got string (* are keys 2 and 3 of their objects)"#
    );
    assert_eq!(found[0].llm_message(), r#"Field "m.CANARY.CANARY": Expected integer, got string"#);
    assert_eq!(found[0].undeclared().collect::<Vec<_>>(), ["CANARY", "CANARY"]);
    assert_eq!(
        violations(&json!({"additionalProperties": false, "patternProperties": {"^n": {"minimum": 1}}}), r#"{"n": 0}"#)
            [0]
        .message(),
        r#"Field "*": Value is too small (min: 1) (* is key 1 of its object)"#
    );
    let names: Vec<String> = (0..500).map(|number| format!("value {number}")).collect();
    let message = &told(&json!({"enum": names}), "1")[0];
    assert!(message.ends_with("\"value 33\", … (500 in all)"), "{message}");
}

#[test]
fn v2_violations_serialise_as_items_of_the_record() {
    let found = violations(&json!({"properties": {"n": {"type": "integer"}}}), r#"{"n": "CANARY"}"#);
    assert_eq!(
        serde_json::to_value(&found).expect("serialises"),
        json!([{
            "path": "/n", "schema_path": "/properties/n/type", "keyword": "type", "expected": "integer",
            "found": "string", "message": "Field \"n\": Expected integer, got string",
        }]),
    );
}

#[test]
fn m5_nothing_shows_text_of_the_value_unless_asked() {
    let sources = [
        json!({"type": "null"}),
        json!({"additionalProperties": {"type": "null"}}),
        json!({"additionalProperties": false}),
        json!({"unevaluatedProperties": false}),
        json!({"propertyNames": {"maxLength": 1}}),
        json!({"additionalProperties": {"enum": [1]}}),
        json!({"additionalProperties": {"const": 1}}),
        json!({"additionalProperties": {"pattern": "^x"}}),
        json!({"additionalProperties": {"items": {"type": "null"}}}),
        json!({"patternProperties": {"": {"anyOf": [{"type": "null"}, {"type": "object", "required": ["x"]}]}}}),
        json!({"not": {}}),
    ];
    for source in sources {
        for text in [r#"{"CANARY": "CANARY"}"#, r#"{"CANARY": {"CANARY": "CANARY"}}"#, r#"{"CANARY": ["CANARY"]}"#] {
            let Err(failure) = schema(&source).check(text, &Casts::EXACT) else { continue };
            let found = failure.violations();
            let shown =
                format!("{failure} {failure:?} {} {found:?}", serde_json::to_string(found).expect("serialises"));
            assert!(!shown.contains("CANARY"), "{source} {text}: {shown}");
        }
    }
    let found = violations(&json!({"additionalProperties": {"type": "null"}}), r#"{"CANARY": 1}"#);
    assert_eq!((found[0].path().as_str(), found[0].shown_path().as_str()), ("/CANARY", "/*"));
    assert_eq!(serde_json::to_value(found[0].revealed()).expect("serialises")["path"], "/CANARY");
    let Err(failure) = decode::<std::collections::BTreeMap<String, u8>>(r#"{"CANARY": "CANARY"}"#) else { panic!() };
    assert!(!format!("{failure} {failure:?}").contains("CANARY"));
    let checked = schema(&json!({"additionalProperties": {"type": "integer"}}));
    let checked = checked.check(r#"{"CANARY": "1"}"#, &Casts::EXACT).expect("fits");
    let shown = format!("{checked:?} {}", serde_json::to_string(&checked.casts).expect("serialises"));
    assert!(!shown.contains("CANARY"), "{shown}");
    let error = Schema::compile(r#"{"CANARY": {}, "$ref": "CANARY"}"#).expect_err("refused");
    assert!(!format!("{error} {error:?}").contains("CANARY"));
}

#[test]
fn v1_nothing_is_cast_by_default() {
    for (source, text) in [
        (json!({"type": "integer"}), "\"1\""),
        (json!({"type": "boolean"}), "\"true\""),
        (json!({"type": "object"}), "\"{}\""),
        (json!({"required": ["a"], "properties": {"a": {"default": 1}}}), "{}"),
    ] {
        assert!(schema(&source).check(text, &Casts::default()).is_err(), "{source}");
        assert!(schema(&source).check(text, &Casts::EXACT).is_ok(), "{source}");
    }
    let float = schema(&json!({"type": "integer"})).check("3.0", &Casts::NONE).expect("3.0 is an integer").text;
    assert_eq!(float, "3.0");
}

#[test]
fn v1_what_is_cast_is_cast_from_its_own_digits_and_all_else_keeps_its_bytes() {
    for (source, text, expected, kinds) in [
        (json!({"type": "number"}), r#" "1.10" "#, " 1.10 ", vec![("", CastKind::StringToNumber)]),
        (
            json!({"type": "integer"}),
            r#""12345678901234567890123""#,
            "12345678901234567890123",
            vec![("", CastKind::StringToNumber)],
        ),
        (
            json!({"type": "integer"}),
            "12345678901234567890123.0",
            "12345678901234567890123",
            vec![("", CastKind::IntegralFloat)],
        ),
        (
            json!({"type": "integer"}),
            "\"3.0\"",
            "3",
            vec![("", CastKind::StringToNumber), ("", CastKind::IntegralFloat)],
        ),
        (json!({"type": ["boolean", "null"]}), "\"false\"", "false", vec![("", CastKind::StringToBoolean)]),
        (json!({"enum": [1, 2]}), "\"2\"", "2", vec![("", CastKind::StringToNumber)]),
        (
            json!({"type": "array", "items": {"type": "integer"}}),
            r#""[1, \"2\"]""#,
            "[1, 2]",
            vec![("", CastKind::StringToJson), ("/1", CastKind::StringToNumber)],
        ),
        (
            json!({"properties": {"o": {"anyOf": [{"type": "object", "required": ["n"], "properties": {"n": {"type": "number"}}}, {"type": "null"}]}}}),
            r#"{ "x" : 1.0e5, "o": "{\"n\": 1.50}" ,"x":2 }"#,
            r#"{ "x" : 1.0e5, "o": {"n": 1.50} ,"x":2 }"#,
            vec![("/o", CastKind::StringToJson)],
        ),
        (
            json!({"properties": {"b": {"default": 2}, "a": {"default": {}, "properties": {"c": {"default": []}}}}}),
            "{}",
            r#"{"a": {"c": []}, "b": 2}"#,
            vec![("/a", CastKind::Default), ("/b", CastKind::Default), ("/a/c", CastKind::Default)],
        ),
        (
            json!({"items": {"required": ["k"], "properties": {"k": {"default": "v"}}}}),
            "[ { } , {\"j\":1 }]",
            r#"[ {"k": "v" } , {"j":1, "k": "v" }]"#,
            vec![("/0/k", CastKind::Default), ("/1/k", CastKind::Default)],
        ),
    ] {
        let (text_now, casts) = cast(&source, text).unwrap_or_else(|| panic!("{source} {text}"));
        assert_eq!(text_now, expected, "{source}");
        let casts: Vec<(&str, CastKind)> = casts.iter().map(|(path, kind)| (path.as_str(), *kind)).collect();
        assert_eq!(casts, kinds, "{source}");
    }
}

#[test]
fn v1_no_cast_is_made_that_the_schema_did_not_ask_for() {
    for (source, text) in [
        (json!({}), "\"1\""),
        (json!({"type": ["string", "integer"]}), "\"1\""),
        (json!({"anyOf": [{"type": "integer"}, {"type": "string"}]}), "\"1\""),
        (json!({"type": "number"}), "3.0"),
        (json!({"type": "integer"}), "-0.0"),
        (json!({"properties": {"a": {"type": "string", "default": 1}}}), "{}"),
        (json!({"properties": {"a": {"default": 1}}, "maxProperties": 0}), "{}"),
    ] {
        assert_eq!(cast(&source, text), Some((text.to_owned(), vec![])), "{source}");
    }
    for (source, text) in [
        (json!({"type": "integer"}), "\"1.5\""),
        (json!({"type": "integer", "minimum": 5}), "\"1\""),
        (json!({"type": "integer"}), "\" 1\""),
        (json!({"type": "integer"}), "\"0x1F\""),
        (json!({"type": "boolean"}), "\"yes\""),
        (json!({"type": "boolean"}), "1"),
        (json!({"type": "string"}), "1"),
        (json!({"type": "null"}), "\"null\""),
        (json!({"type": "object"}), "\"[1]\""),
        (json!({"type": "array", "items": {"type": "null"}}), "\"[1]\""),
    ] {
        assert_eq!(cast(&source, text), None, "{source}");
    }
}

#[test]
fn v1_digits_of_untouched_values_survive_whatever_a_float_would_make_of_them() {
    let text = r#"{"a": 12345678901234567890123, "b": 1.10, "c": -0.0, "d": 1e-400, "e": "\u00e9\/"}"#;
    let checked =
        schema(&json!({"type": "object"})).check(text, &Casts::EXACT).map(|checked| checked.text.into_owned());
    assert_eq!(checked.as_deref(), Ok(text));
}

#[test]
fn p0_what_a_value_cannot_hold_is_no_violation() {
    for text in ["1e400", r#""\ud800""#, &("[".repeat(200) + &"]".repeat(200)), "{", ""] {
        assert_eq!(schema(&json!({})).check(text, &Casts::EXACT), Err(Failure::NotRepresentable), "{text}");
    }
}

#[test]
fn k4_the_value_that_was_checked_is_the_value_that_is_handed_out() {
    let integers = schema(&json!({"properties": {"a": {"properties": {"b": {"type": "integer"}}}}}));
    let checked = integers.check(r#"{"a": {"b": "smuggled", "\u0062": 1}}"#, &Casts::NONE).expect("the last one fits");
    assert_eq!(checked.repeated, ["/a/b"]);
    assert_eq!(checked.without_repeats(), r#"{"a": {"\u0062": 1}}"#);
    assert!(integers.check(r#"{"a": {"b": 1, "\u0062": "smuggled"}}"#, &Casts::NONE).is_err());
}

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
struct Line {
    price: f64,
    count: Option<u8>,
}

#[derive(Debug, PartialEq, serde::Deserialize, schemars::JsonSchema)]
struct Order {
    id: u64,
    lines: Vec<Line>,
    #[serde(default)]
    note: String,
}

#[test]
fn v1_typed_fields_are_checked_cast_and_decoded_from_their_text() {
    let schema = Schema::of::<Order>().expect("a schema");
    let order: Order = schema
        .decode(r#"{"id": "18446744073709551615", "lines": "[{\"price\": 1.10, \"count\": 2.0}]"}"#, &Casts::EXACT)
        .expect("fits once cast");
    assert_eq!(order, Order { id: u64::MAX, lines: vec![Line { price: 1.10, count: Some(2) }], note: String::new() });
    let failure = schema.decode::<Order>(r#"{"id": 1, "lines": [{"price": "x"}]}"#, &Casts::EXACT).expect_err("unfit");
    assert_eq!(failure.violations()[0].message(), r#"Field "lines.0.price": Expected number, got string"#);
}

#[test]
fn v2_what_only_the_type_refuses_is_a_violation_too() {
    #[derive(Debug, serde::Deserialize)]
    #[serde(deny_unknown_fields)]
    struct Strict {
        #[expect(dead_code, reason = "only what is refused is of interest")]
        items: Vec<u8>,
    }
    for (text, path, found) in [
        (r#"{"items": [1, 300]}"#, "/items/1", "number"),
        (r#"{"items": "CANARY"}"#, "/items", "string"),
        (r#"{"items": [], "CANARY": 1}"#, "/CANARY", "number"),
        ("{}", "", "object"),
    ] {
        let failure = decode::<Strict>(text).expect_err("refused");
        let violation = &failure.violations()[0];
        assert_eq!(
            (violation.path().as_str(), violation.found(), violation.keyword()),
            (path, found, "decode"),
            "{text}"
        );
        assert!(!format!("{failure} {failure:?}").contains("CANARY"));
    }
}

#[test]
fn v3_schemas_are_refused_with_reason_and_place() {
    for (source, reason, place) in [
        (r#"{"items": {"$ref": "https://example.com/a"}}"#, SchemaReason::ExternalReference, Some("/items/$ref")),
        (r##"{"$ref": "#/a"}"##, SchemaReason::UnresolvedReference, Some("/$ref")),
        (r##"{"$ref": "#a"}"##, SchemaReason::UnresolvedReference, Some("/$ref")),
        (
            r#"{"properties": {"a": {"pattern": "a(?=x)"}}}"#,
            SchemaReason::UnsupportedPattern,
            Some("/properties/a/pattern"),
        ),
        (r#"{"properties": {"a": {"type": "strin"}}}"#, SchemaReason::NotASchema, Some("/properties/a/type")),
        ("[]", SchemaReason::NotASchema, Some("")),
        (r#"{"properties": {}, "items": [{"minLength": -1}]}"#, SchemaReason::NotASchema, Some("/items")),
        (r#"{"name": "n", "schema": {"type": "strin"}}"#, SchemaReason::NotASchema, Some("/schema/type")),
        (r#"{"name": "n", "fields": {}}"#, SchemaReason::NoKeyword, None),
        ("{", SchemaReason::NotJson, None),
        ("{'a': 1}", SchemaReason::NotJson, None),
        (r#"{"$schema": "http://json-schema.org/draft-03/schema#"}"#, SchemaReason::UnsupportedDraft, Some("/$schema")),
        (r##"{"allOf": [{"$ref": "#"}]}"##, SchemaReason::ReferenceLoop, None),
    ] {
        let error = Schema::compile(source).expect_err(source);
        assert_eq!(
            (error.reason(), error.place(), error.code().as_str()),
            (reason, place, "schema_refused"),
            "{source}"
        );
    }
}

#[test]
fn v3_a_refused_schema_tells_line_place_keyword_and_what_is_wrong() {
    let error =
        Schema::compile("{\n \"properties\": {\n  \"type\": {\n   \"type\": \"strin\"}}}").expect_err("refused");
    assert_eq!((error.line(), error.place(), error.keyword()), (Some(4), Some("/properties/type/type"), Some("type")));
    assert_eq!(
        error.in_file("order.json").to_string(),
        "not_a_schema: order.json: line 4: /properties/type/type: Value must be one of \"array\", \"boolean\", \"integer\", \
         \"null\", \"number\", \"object\", \"string\" (by the meta-schema of 2020-12)",
    );
    let error = Schema::compile("{\"properties\":\n {\"a\": {\"pattern\": \"(?<=a)b\"}}}").expect_err("refused");
    assert_eq!(
        error.to_string(),
        "unsupported_pattern: line 2: /properties/a/pattern: the pattern has a look-behind, which no linear-time engine can run",
    );
    let error = Schema::compile("{\n\n 'a': 1}").expect_err("refused");
    assert_eq!((error.reason().as_str(), error.line()), ("not_json", Some(3)));
}

/// A schema, texts that fit it and texts that do not.
type Reading = (Value, Vec<&'static str>, Vec<&'static str>);

#[test]
fn v1_older_drafts_and_openapi_are_read_as_they_mean_it() {
    let cases: Vec<(Option<Draft>, Reading)> = vec![
        // Draft 4 flags its bounds; it is recognised by its name, or by what no newer draft allows.
        (
            None,
            (
                json!({"$schema": "http://json-schema.org/draft-04/schema#", "minimum": 1, "exclusiveMinimum": true}),
                vec!["2"],
                vec!["1"],
            ),
        ),
        (None, (json!({"minimum": 1, "exclusiveMinimum": true}), vec!["2"], vec!["1"])),
        (None, (json!({"maximum": 1, "exclusiveMaximum": false}), vec!["1"], vec!["2"])),
        (
            Some(Draft::Draft4),
            (
                json!({"id": "http://x/y", "definitions": {"a": {"id": "#z", "type": "null"}}, "items": {"$ref": "#z"}}),
                vec!["[null]"],
                vec!["[1]"],
            ),
        ),
        (Some(Draft::Draft4), (json!({"const": 1, "type": "integer"}), vec!["2"], vec!["\"\""])),
        (Some(Draft::Draft6), (json!({"if": {}, "then": false, "const": 1}), vec!["1"], vec!["2"])),
        (Some(Draft::Draft6), (json!({"contains": {"exclusiveMinimum": 1}}), vec!["[2]"], vec!["[1]"])),
        (
            Some(Draft::Draft6),
            (
                json!({"$ref": "#/definitions/a", "definitions": {"a": {"type": "null"}}, "const": 1}),
                vec!["null"],
                vec!["1"],
            ),
        ),
        (
            None,
            (json!({"items": [{"type": "null"}], "additionalItems": false}), vec!["[null]"], vec!["[1]", "[null, 1]"]),
        ),
        // OpenAPI 3.0, and `nullable` without a `$schema` as its generators mean it: null fits whatever else is said.
        (
            Some(Draft::OpenApi30),
            (json!({"type": "string", "enum": ["a"], "nullable": true}), vec!["\"a\"", "null"], vec!["\"b\"", "1"]),
        ),
        (
            None,
            (
                json!({"allOf": [{"$ref": "#/$defs/a"}], "nullable": true, "$defs": {"a": {"type": "object"}}}),
                vec!["{}", "null"],
                vec!["1"],
            ),
        ),
        (
            None,
            (
                json!({"properties": {"a": {"type": "integer", "nullable": false}}}),
                vec!["{\"a\": 1}"],
                vec!["{\"a\": null}"],
            ),
        ),
        (
            None,
            (
                json!({"$schema": "https://json-schema.org/draft/2020-12/schema", "type": "string", "nullable": true}),
                vec!["\"\""],
                vec!["null"],
            ),
        ),
        // Gemini's spelling.
        (
            None,
            (
                json!({"type": "OBJECT", "properties": {"a": {"type": "ARRAY", "minItems": "1", "items": {"type": "STRING", "nullable": true}}}}),
                vec!["{\"a\": [null, \"x\"]}"],
                vec!["{\"a\": []}", "{\"a\": [1]}", "[]"],
            ),
        ),
        // A wrapper is not a contract that accepts everything.
        (None, (json!({"name": "n", "strict": true, "schema": {"type": "integer"}}), vec!["1"], vec!["{}"])),
        (
            None,
            (
                json!({"name": "n", "input_schema": {"type": "object", "required": ["a"]}}),
                vec!["{\"a\": 1}"],
                vec!["{}"],
            ),
        ),
        // A choice of draft also counts for a `$schema` that is not known.
        (
            Some(Draft::Draft7),
            (json!({"$schema": "https://example.com/own", "type": "integer"}), vec!["1"], vec!["{}"]),
        ),
        (None, (json!({}), vec!["1"], vec![])),
        (None, (json!(true), vec!["1"], vec![])),
    ];
    for (draft, (source, right, wrong)) in cases {
        let options = draft.map_or_else(Schema::options, |draft| Schema::options().draft(draft));
        let schema = options.compile_value(source.clone()).unwrap_or_else(|error| panic!("{source}: {error}"));
        assert!(right.iter().all(|text| schema.check(text, &Casts::NONE).is_ok()), "{source}: {right:?}");
        for text in wrong {
            assert!(schema.check(text, &Casts::NONE).is_err(), "{source}: {text}");
        }
    }
}

#[test]
fn v3_registered_resources_and_drafts_are_used_without_any_retrieval() {
    let schema = Schema::options()
        .draft(Draft::Draft7)
        .address("https://example.com/root.json")
        .resource("https://example.com/part.json", r#"{"type": "string", "minLength": 2}"#)
        .compile(r#"{"items": [{"$ref": "part.json"}], "additionalItems": false}"#)
        .expect("a schema");
    assert!(schema.is_valid(&json!(["ab"])));
    assert!(!schema.is_valid(&json!(["a"])));
    assert!(!schema.is_valid(&json!(["ab", 1])));
}

#[test]
fn v3_one_compiled_schema_serves_many_threads() {
    let schema = schema(&json!({"type": "array", "items": {"pattern": "^a+$"}}));
    std::thread::scope(|scope| {
        for _ in 0..4 {
            let schema = schema.clone();
            scope.spawn(move || {
                for _ in 0..100 {
                    assert!(schema.check(r#"["aa", "a"]"#, &Casts::NONE).is_ok());
                    assert!(schema.check(r#"["aa", "b"]"#, &Casts::NONE).is_err());
                }
            });
        }
    });
}
