//! What is said of a value that an assertion rejects.

use serde_json::Value;

use crate::graph::Keyword;
use crate::number::Divisor;
use crate::violation::{Problem, quoted};

/// The name of an assertion, what it expects, and what is to say of a value that it rejects.
pub(super) fn told(keyword: &Keyword, value: &Value) -> (&'static str, String, Problem) {
    let small = |name, least: &dyn std::fmt::Display| {
        (name, format!("at least {least}"), Problem::Says(format!("Value is too small (min: {least})")))
    };
    let large = |name, most: &dyn std::fmt::Display| {
        (name, format!("at most {most}"), Problem::Says(format!("Value is too large (max: {most})")))
    };
    // For what has a length, the message says so: `min: 3` alone could be meant of a number.
    let short = |name, least: &u64| {
        let sentence = format!("Value is too small (min: {least}): it has {}", counted(value));
        (name, format!("at least {least} {}", unit(value, *least)), Problem::Says(sentence))
    };
    let long = |name, most: &u64| {
        let sentence = format!("Value is too large (max: {most}): it has {}", counted(value));
        (name, format!("at most {most} {}", unit(value, *most)), Problem::Says(sentence))
    };
    let says = |name, expected: String, sentence: String| (name, expected, Problem::Says(sentence));
    match keyword {
        Keyword::Type(kinds) => ("type", kinds.told(), Problem::Expected),
        Keyword::Enum(options) => {
            let expected = format!("one of {}", options.told);
            says("enum", expected, format!("Value must be one of {}", options.told))
        }
        Keyword::Const(value) => {
            let value = quoted(&value.to_string());
            says("const", value.clone(), format!("Value must be {value}"))
        }
        Keyword::MultipleOf(Divisor { number: of, .. }) => {
            says("multipleOf", format!("a multiple of {of}"), format!("Value must be a multiple of {of}"))
        }
        Keyword::Maximum(most) => large("maximum", most),
        Keyword::MaxLength(most) => long("maxLength", most),
        Keyword::MaxItems(most) => long("maxItems", most),
        Keyword::MaxProperties(most) => long("maxProperties", most),
        Keyword::Minimum(least) => small("minimum", least),
        Keyword::MinLength(least) => short("minLength", least),
        Keyword::MinItems(least) => short("minItems", least),
        Keyword::MinProperties(least) => short("minProperties", least),
        Keyword::ExclusiveMaximum(most) => says(
            "exclusiveMaximum",
            format!("less than {most}"),
            format!("Value is too large (must be less than {most})"),
        ),
        Keyword::ExclusiveMinimum(least) => says(
            "exclusiveMinimum",
            format!("more than {least}"),
            format!("Value is too small (must be more than {least})"),
        ),
        Keyword::Pattern(pattern) => {
            let source = quoted(pattern.source());
            says("pattern", format!("text that matches {source}"), format!("Value does not match the pattern {source}"))
        }
        Keyword::Format(format) => says(
            "format",
            format!("{} (format {format})", format.described()),
            format!("Value is not {} (format {format})", format.described()),
        ),
        Keyword::UniqueItems => says("uniqueItems", "no item twice".to_owned(), "Array has an item twice".to_owned()),
        Keyword::Contains(_) => says(
            "contains",
            "enough items of the wanted form, and not too many".to_owned(),
            "Array has too few or too many items of the wanted form".to_owned(),
        ),
        Keyword::PropertyNames(_) => says(
            "propertyNames",
            "keys of the wanted form".to_owned(),
            "Object has a key that is not of the wanted form".to_owned(),
        ),
        Keyword::Not(_) => says("not", "another form".to_owned(), "Value has a form that is not allowed".to_owned()),
        _ => says("false", "nothing".to_owned(), "No value is allowed here".to_owned()),
    }
}

/// What the length of a value is counted in.
fn unit(value: &Value, count: u64) -> &'static str {
    match (value, count) {
        (Value::String(_), 1) => "character",
        (Value::String(_), _) => "characters",
        (Value::Array(_), 1) => "item",
        (Value::Array(_), _) => "items",
        (_, 1) => "key",
        _ => "keys",
    }
}

/// The length of a value with its unit.
fn counted(value: &Value) -> String {
    let count = match value {
        Value::String(text) => text.chars().count(),
        Value::Array(items) => items.len(),
        Value::Object(members) => members.len(),
        _ => 0,
    } as u64;
    format!("{count} {}", unit(value, count))
}
