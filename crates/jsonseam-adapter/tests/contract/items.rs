//! B3, V1: items of arrays that a contract leaves out, each on record; and the cast `envelope`.

use jsonseam_adapter::{Adapter, CastKind, Casts, DropReason, Incomplete, Items, JsonSchema, ParseOptions};
use serde_json::{Value, json};

use crate::common::{builder, refusal, said, told};

const ITEM: &str = r#"{"type": "object", "properties": {"sku": {"type": "string"}, "n": {"type": "integer"},
    "tags": {"type": "array"}}, "required": ["sku", "n"]}"#;

fn rows() -> String {
    format!(r#"{{"type": "array", "items": {ITEM}}}"#)
}

fn dropping(policy: Incomplete) -> Adapter {
    builder().preset("lenient").output("rows").optional("more").incomplete(policy).build().expect("it holds")
}

/// The value of `rows` and what was dropped: path and the bytes of the completion.
fn left(adapter: &Adapter, text: &str) -> Option<(String, Option<(String, String)>)> {
    let outputs = adapter.parse(text).ok()?;
    assert!(outputs.repair().is_truncated(), "{text}");
    let dropped = outputs.dropped().first().map(|item| {
        assert_eq!((item.reason(), item.risk().to_string().as_str()), (DropReason::Incomplete, "lossy"));
        (item.path().to_owned(), text[item.span().expect("it has one")].to_owned())
    });
    Some((serde_json::to_string(&outputs.get::<Value>("rows").expect("it is JSON")).expect("it is"), dropped))
}

#[test]
fn b3_only_whole_settled_elements_of_the_array_at_the_cut_stay() {
    let adapter = dropping(Incomplete::Drop);
    for (text, rows, dropped) in [
        (r#"{"rows": [1, 12"#, "[1]", Some(("/rows/1", "12"))),
        (r#"{"rows": [1, 12,"#, "[1,12]", None),
        (r#"{"rows": [1, 12, "#, "[1,12]", None),
        (r#"{"rows": [12"#, "[]", Some(("/rows/0", "12"))),
        (r#"{"rows": ["#, "[]", None),
        (r#"{"rows": ["a", "b"#, r#"["a"]"#, Some(("/rows/1", "\"b"))),
        (r#"{"rows": ["a", "b""#, r#"["a","b"]"#, None),
        (r#"{"rows": [true, true"#, "[true]", Some(("/rows/1", "true"))),
        (r#"{"rows": [{"a": 1}, {"a": 2}"#, r#"[{"a":1},{"a":2}]"#, None),
        (r#"{"rows": [{"a": 1}, {"a": 2"#, r#"[{"a":1}]"#, Some(("/rows/1", r#"{"a": 2"#))),
        (r#"{"rows": [{"a": 1}, {"a": 2,"#, r#"[{"a":1}]"#, Some(("/rows/1", r#"{"a": 2,"#))),
        (r#"{"rows": [{"a": 1}, {"a": 2, "b"#, r#"[{"a":1}]"#, Some(("/rows/1", r#"{"a": 2, "b"#))),
        (r#"{"rows": [{"a": 1}, {"a"#, r#"[{"a":1}]"#, Some(("/rows/1", r#"{"a"#))),
        (r#"{"rows": [{"a": 1}, {"#, r#"[{"a":1}]"#, Some(("/rows/1", "{"))),
        (r#"{rows: [{'a': 1,}, {"a": "#, r#"[{"a":1}]"#, Some(("/rows/1", "{\"a\": "))),
        (r#"{"rows": [1, tr"#, "[1]", None),
        (
            r#"{"rows": [{"t": ["x", "y"]}, {"t": ["x", "y"#,
            r#"[{"t":["x","y"]},{"t":["x"]}]"#,
            Some(("/rows/1/t/1", "\"y")),
        ),
        (r#"{"rows": [[1, 2], [3, 4"#, "[[1,2],[3]]", Some(("/rows/1/1", "4"))),
        ("Sure:\n```json\n{\"rows\": [1, 2", "[1]", Some(("/rows/1", "2"))),
        (r#"{"rows": [1], "more": [3, 4"#, "[1]", Some(("/more/1", "4"))),
    ] {
        let dropped = dropped.map(|(path, span): (&str, &str)| (path.to_owned(), span.to_owned()));
        assert_eq!(left(&adapter, text), Some((rows.to_owned(), dropped)), "{text}");
    }
}

#[test]
fn b3_an_item_is_dropped_in_every_preset_and_nothing_else_is_lost() {
    for preset in ["strict", "standard", "lenient"] {
        let adapter = builder().preset(preset).output("rows").incomplete(Incomplete::Drop).build().expect("it holds");
        for cut in ["", ",", ", \"b\"", ", \"b\":", ", \"b\": fa", ", \"b\": \"x\\u12", ", \"b\": [{\"c\""] {
            let text = format!(r#"{{"rows": [{{"a": 1}}, {{"a": 2{cut}"#);
            let rows = adapter.parse(&text).map(|outputs| outputs.text("rows").map(str::to_owned));
            let expected = if cut.contains('[') { r#"[{"a": 1}, {"a": 2, "b": []}]"# } else { r#"[{"a": 1}]"# };
            assert_eq!(rows.expect(&text).as_deref(), Some(expected), "{preset} {text}");
        }
        for text in [r#"{"rows": [1], "more"#, r#"{"rows": [1], "b": tr"#] {
            assert_eq!(refusal(&adapter, text), said("output_decode_failed", "truncated"), "{preset} {text}");
        }
    }
    // What the configuration rules out stays off.
    let config = jsonseam_core::Config::default().with_max_risk(jsonseam_core::Risk::Certain);
    let capped = builder().config(&config).output("rows").incomplete(Incomplete::Drop).build().expect("it holds");
    assert_eq!(refusal(&capped, r#"{"rows": [1, tr"#), said("output_decode_failed", "truncated"));
}

#[test]
fn b3_the_outermost_array_gives_whole_items_whatever_they_hold() {
    let adapter = dropping(Incomplete::DropOuter);
    for (text, rows, dropped) in [
        (r#"{"rows": [{"t": ["x"]}, {"t": ["x", "y"#, r#"[{"t":["x"]}]"#, ("/rows/1", r#"{"t": ["x", "y"#)),
        (r#"{"rows": [{"t": ["x"]}, {"t": ["x", "y"], "u"#, r#"[{"t":["x"]}]"#, ("/rows/1", r#"{"t": ["x", "y"], "u"#)),
        (r#"{"rows": [[1, 2], [3, 4"#, "[[1,2]]", ("/rows/1", "[3, 4")),
        (r#"{"rows": [[1, 2], [3, 4]"#, "[[1,2],[3,4]]", ("", "")),
    ] {
        let dropped = (!dropped.0.is_empty()).then(|| (dropped.0.to_owned(), dropped.1.to_owned()));
        assert_eq!(left(&adapter, text), Some((rows.to_owned(), dropped)), "{text}");
    }
}

#[test]
fn b3_without_an_array_at_the_cut_a_truncated_answer_is_refused_as_before() {
    for policy in [Incomplete::Refuse, Incomplete::Drop, Incomplete::DropOuter] {
        let adapter = dropping(policy);
        for text in [r#"{"rows": [1, 2]"#, r#"{"rows": [1], "more": "ab"#, r#"{"rows": [1], "more": {"a": 1"#] {
            assert_eq!(refusal(&adapter, text), said("output_decode_failed", "truncated"), "{policy:?} {text}");
        }
        let options = ParseOptions::new().with_finish_reason(Some("length"));
        let error = adapter.parse_with(r#"{"rows": [1, 2]}"#, &options).expect_err("it was cut off");
        assert_eq!(told(&error), said("output_decode_failed", "truncated"));
    }
    // What does not fit without the item was refused for the cut, too.
    let typed = builder().preset("standard").schema("rows", &rows()).output("sum").incomplete(Incomplete::Drop);
    let error = typed.build().expect("it holds").parse(r#"{"rows": [{"sku": "a", "n": 1}, {"sku"#).expect_err("no sum");
    assert_eq!((told(&error), error.is_retryable()), (said("output_decode_failed", "truncated"), false));
    let whole = builder().preset("lenient").output("rows").incomplete(Incomplete::Drop).build().expect("it holds");
    assert!(whole.parse(r#"{"rows": [1, 2]}"#).expect("it is whole").dropped().is_empty());
}

#[test]
fn b3_a_root_that_is_an_array_loses_its_element_at_the_cut() {
    let builder = builder().preset("standard").root(jsonseam_core::Root::Array).whole_schema(&rows());
    let adapter = builder.incomplete(Incomplete::Drop).build().expect("it holds");
    let outputs = adapter.parse(r#"[{"sku": "a", "n": 1}, {"sku": "b", "n"#).expect("one item is whole");
    assert_eq!((outputs.to_json().as_ref(), outputs.dropped()[0].path()), (r#"[{"sku": "a", "n": 1}]"#, "/1"));
}

#[test]
fn v1_items_that_fit_are_given_and_the_others_reported() {
    #[derive(serde::Deserialize, JsonSchema)]
    struct Row {
        sku: String,
        n: u32,
    }
    let text = r#"{"rows": [{"sku": "a", "n": 1}, {"sku": 7, "n": "2"}, 5, {"sku": "d", "n": 4}]}"#;
    let contracts = [
        builder().schema("rows", &rows()),
        builder().field_type::<Vec<Row>>("rows"),
        builder().output("rows").whole_schema(&format!(r#"{{"properties": {{"rows": {}}}}}"#, rows())),
        builder().whole_schema(&format!(r#"{{"properties": {{"rows": {}}}}}"#, rows())),
    ];
    for contract in contracts {
        let adapter = contract.items(Items::Fitting).build().expect("it holds");
        let outputs = adapter.parse(text).expect("two items fit");
        assert_eq!(outputs.text("rows"), Some(r#"[{"sku": "a", "n": 1}, {"sku": "d", "n": 4}]"#));
        let report: Vec<_> = outputs.dropped().iter().map(|item| (item.path(), item.index(), item.reason())).collect();
        assert_eq!(report, [("/rows/1", 1, DropReason::Schema), ("/rows/2", 2, DropReason::Schema)]);
        let first = &outputs.dropped()[0];
        assert_eq!(first.message(), first.violations()[0].message());
        assert!(first.message().starts_with("Field \"rows.1."), "{}", first.message());
        assert_eq!((outputs.repair().text(), outputs.is_partial()), (text, false), "the repair is not the outputs");
    }
    let typed = builder().field_type::<Vec<Row>>("rows").items(Items::Fitting).build().expect("it holds");
    let outputs = typed.parse(text).expect("two items fit");
    let rows: &Vec<Row> = outputs.typed("rows").expect("it has the type");
    assert_eq!(rows.iter().map(|row| (row.sku.as_str(), row.n)).collect::<Vec<_>>(), [("a", 1), ("d", 4)]);
}

#[test]
fn v2_what_is_wrong_with_more_than_an_item_is_refused_as_before() {
    let text = r#"{"rows": [{"sku": "a", "n": 1}, 5]}"#;
    let off = builder().schema("rows", &rows()).build().expect("it holds");
    let refused = off.parse(text).expect_err("it is off");
    let fitting = |schema: &str| builder().schema("rows", schema).items(Items::Fitting).build().expect("it holds");
    for (schema, text) in [
        (rows().replace("\"array\",", "\"array\", \"minItems\": 2,"), text),
        (rows(), r#"{"rows": {"sku": "a", "n": 1}}"#),
        (
            format!(r#"{{"properties": {{"of": {{"properties": {{"it": {}}}}}}}}}"#, rows()),
            r#"{"rows": {"of": {"it": [5]}}}"#,
        ),
        (r#"{"prefixItems": [{"type": "string"}, {"type": "integer"}]}"#.to_owned(), r#"{"rows": ["a", "b", 3]}"#),
    ] {
        let error = fitting(&schema).parse(text).expect_err(text);
        assert_eq!(told(&error), said("output_validation_failed", "schema"), "{text}");
    }
    assert_eq!((refused.field(), refused.violations().len()), (Some("rows"), 1));
    let two = builder().schema("rows", &rows()).schema("sum", r#"{"type": "integer"}"#).items(Items::Fitting);
    let error = two.build().expect("it holds").parse(r#"{"rows": [5], "sum": "x"}"#).expect_err("the sum does not fit");
    assert_eq!((error.field(), error.violations().len()), (Some("sum"), 1));
    let partial = error.partial().expect("there is one");
    assert_eq!((partial.text("rows"), partial.dropped().len()), (Some("[]"), 1));
}

#[test]
fn v1_both_schemas_of_an_array_have_a_say() {
    let whole = r#"{"properties": {"rows": {"items": {"type": "object"}, "maxItems": 2}}}"#;
    let adapter =
        builder().whole_schema(whole).schema("rows", &rows()).items(Items::Fitting).build().expect("it holds");
    let outputs = adapter.parse(r#"{"rows": [{"sku": "a", "n": 1}, 5]}"#).expect("one item fits both");
    assert_eq!((outputs.text("rows"), outputs.dropped().len()), (Some(r#"[{"sku": "a", "n": 1}]"#), 1));
    // The places of the second loss would be those after the first.
    assert!(adapter.parse(r#"{"rows": [5, {"sku": "a", "n": 1}, {"sku": 1}]}"#).is_err());
    let outputs = adapter.parse(r#"{"rows": [{"sku": "a", "n": 1}, {"sku": 1}]}"#).expect("one item fits both");
    assert_eq!((outputs.text("rows"), outputs.dropped()[0].index()), (Some(r#"[{"sku": "a", "n": 1}]"#), 1));
}

#[test]
fn v1_both_losses_are_on_record_together() {
    let builder = builder().preset("standard").schema("rows", &rows()).casts(Casts::COERCE.with(CastKind::Envelope));
    let adapter = builder.incomplete(Incomplete::Drop).items(Items::Fitting).build().expect("it holds");
    let outputs =
        adapter.parse(r#"{"data": {"rows": [{"sku": "a", "n": "1"}, 5, {"sku": "c", "n": 3"#).expect("one fits");
    assert_eq!(outputs.text("rows"), Some(r#"[{"sku": "a", "n": 1}]"#));
    let casts: Vec<_> = outputs.casts().iter().map(|cast| (cast.path(), cast.kind())).collect();
    assert_eq!(casts, [("/data", CastKind::Envelope), ("/rows/0/n", CastKind::StringToNumber)]);
    let record = serde_json::to_value(outputs.record()).expect("it serialises");
    let cut = json!({"path": "/rows/2", "index": 2, "reason": "incomplete", "risk": "lossy", "start": 46, "end": 65,
        "message": "the answer was cut off within the item"});
    assert_eq!((&record["dropped"][0], &record["truncated"]), (&cut, &json!(true)));
    assert_eq!((&record["dropped"][1]["path"], &record["dropped"][1]["reason"]), (&json!("/rows/1"), &json!("schema")));
    assert_eq!(record["dropped"][1]["errors"][0]["keyword"], "type");
    let none = adapter.parse(r#"{"rows": []}"#).expect("it fits");
    assert!(serde_json::to_value(none.record()).expect("it serialises").get("dropped").is_none());
}

#[test]
fn m5_what_is_dropped_shows_no_name_of_the_completion() {
    let schema = r#"{"type": "array", "items": {"additionalProperties": {"type": "integer"}}}"#;
    let adapter = builder().schema("rows", schema).items(Items::Fitting).build().expect("it holds");
    let outputs = adapter.parse(r#"{"rows": [{"secret": "x"}]}"#).expect("none fits");
    let shown = format!("{:?} {}", outputs, outputs.dropped()[0].message());
    assert!(!shown.contains("secret") && shown.contains("rows.0.*"), "{shown}");
}

#[test]
fn v1_one_envelope_is_taken_off_on_record() {
    let plain =
        || builder().schema("a", r#"{"type": "integer"}"#).optional("note").casts(Casts::NONE.with(CastKind::Envelope));
    let adapter = plain().build().expect("it holds");
    for text in [r#"{"result": {"a": 1}}"#, r#" { "" : {"a": 1} } "#, r#"{"x/y": {"a": 1, "note": "n"}}"#] {
        let outputs = adapter.parse(text).expect(text);
        assert_eq!((outputs.text("a"), outputs.casts()[0].kind()), (Some("1"), CastKind::Envelope), "{text}");
        assert!(!format!("{:?}", outputs.casts()).contains("result"));
    }
    for text in [
        r#"{"result": {"a": 1}, "more": 1}"#,
        r#"{"result": {"a": "x"}}"#,
        r#"{"result": {"b": 1}}"#,
        r#"{"result": {}}"#,
        r#"{"result": [{"a": 1}]}"#,
        r#"{"result": {"data": {"a": 1}}}"#,
        r#"{"result": {"a": 1, "b": 2}}"#,
        r#"{"result": {"a": 1}, "result": {"a": 2}}"#,
        r#"{"note": {"a": 1}}"#,
    ] {
        assert_eq!(adapter.parse(text).expect_err(text).code().as_str(), "invalid_outputs", "{text}");
    }
    let off = builder().output("a").casts(Casts::COERCE).build().expect("it holds");
    assert_eq!(refusal(&off, r#"{"result": {"a": 1}}"#), said("invalid_outputs", "missing_output_keys"));
}

#[test]
fn v1_an_envelope_that_the_contract_may_mean_itself_stays() {
    let envelope = Casts::NONE.with(CastKind::Envelope);
    let whole = |schema: &str| builder().whole_schema(schema).casts(envelope).build().expect("it holds");
    let strict = whole(r#"{"properties": {"a": {"type": "integer"}}, "required": ["a"]}"#);
    let outputs = strict.parse(r#"{"result": {"a": 1}}"#).expect("it is in one");
    assert_eq!(outputs.to_json(), r#"{"a":1}"#);
    // As it is it fits, too.
    let open = whole(r#"{"properties": {"a": {"type": "integer"}}}"#);
    assert_eq!(open.parse(r#"{"result": {"a": 1}}"#).expect("it fits").to_json(), r#"{"result":{"a": 1}}"#);
    // The key is declared, if further in.
    let inner = whole(r#"{"properties": {"a": {"properties": {"result": {}}}}, "required": ["a"]}"#);
    assert!(inner.parse(r#"{"result": {"a": 1}}"#).is_err());
    let alias = builder().output("a").alias("a", "result").casts(envelope).build().expect("it holds");
    assert_eq!(alias.parse(r#"{"result": {"a": 1}}"#).expect("it is the alias").text("a"), Some(r#"{"a": 1}"#));
}
