//! V1: casts are off, each is asked for, each is recorded, and what was cast is judged once more.

use jsonseam_adapter::{CastKind, Error};
use serde_json::Value;

use crate::common::{builder, said, told};

const COUNT: &str = r#"{"type": "integer", "minimum": 1}"#;
const OPTIONS: &str = r#"{"type": "object", "properties": {"unit": {"default": "m"}, "n": {"type": "number"}}}"#;

#[test]
fn v1_nothing_is_cast_unless_it_is_asked_for() {
    let adapter = builder().schema("count", COUNT).schema("options", OPTIONS).build().expect("it holds");
    let error = adapter.parse(r#"{"count": "3", "options": {"n": "1"}}"#).expect_err("strings are no numbers");
    assert_eq!((told(&error), error.violations().len()), (said("output_validation_failed", "schema"), 2));
    let outputs = adapter.parse(r#"{"count": 3, "options": {}}"#).expect("it fits");
    assert_eq!((outputs.text("options"), outputs.casts().len()), (Some("{}"), 0));
}

#[test]
fn v1_each_cast_is_recorded_with_its_place() {
    let adapter = builder()
        .schema("count", COUNT)
        .schema("options", OPTIONS)
        .coerce(true)
        .defaults(true)
        .build()
        .expect("it holds");
    let outputs = adapter.parse(r#"{"count": "3", "options": {"n": "1.10"}}"#).expect("it can be cast");
    assert_eq!(outputs.get::<u32>("count").expect("it is a number"), 3);
    let options: Value = outputs.get("options").expect("it is an object");
    assert_eq!(options["unit"], "m");
    assert!(outputs.text("options").expect("it is there").contains("1.10"), "digits are kept");
    let mut casts: Vec<_> = outputs.casts().iter().map(|cast| (cast.path(), cast.kind())).collect();
    casts.sort_by_key(|(path, _)| *path);
    assert_eq!(
        casts,
        [
            ("/count", CastKind::StringToNumber),
            ("/options/n", CastKind::StringToNumber),
            ("/options/unit", CastKind::Default)
        ]
    );
    assert_eq!(outputs.repair().text(), r#"{"count": "3", "options": {"n": "1.10"}}"#, "the repair is not the cast");
}

#[test]
fn k5_a_default_does_not_stand_in_for_a_required_output() {
    let adapter = builder()
        .output("unit")
        .optional("scale")
        .whole_schema(r#"{"properties": {"unit": {"default": "m"}, "scale": {"default": 2}}}"#)
        .defaults(true)
        .build()
        .expect("it holds");
    assert_eq!(adapter.parse("{}").expect_err("the keys come first").missing(), ["unit"]);
    let outputs = adapter.parse(r#"{"unit": "km"}"#).expect("the other is optional");
    assert_eq!(outputs.to_json(), r#"{"unit":"km","scale":2}"#);
}

#[test]
fn v1_a_field_that_was_cast_must_still_fit_the_whole() {
    let contract = |whole: &str| {
        builder().schema("n", r#"{"type": "integer"}"#).whole_schema(whole).coerce(true).build().expect("it holds")
    };
    let outputs = contract(r#"{"required": ["n"]}"#).parse(r#"{"n": "5"}"#).expect("both fit");
    assert_eq!(outputs.to_json(), r#"{"n":5}"#);
    let error: Error =
        contract(r#"{"properties": {"n": {"type": "string"}}}"#).parse(r#"{"n": "5"}"#).expect_err("they contradict");
    assert_eq!((error.code().as_str(), error.field()), ("output_validation_failed", Some("n")));
}
