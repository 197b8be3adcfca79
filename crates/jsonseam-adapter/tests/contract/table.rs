//! E1: the table in the documentation of the error, executed line by line.

use jsonseam_adapter::{Adapter, Error, ParseOptions};
use jsonseam_core::{Policy, Root};

use crate::common::builder;

const TABLE: &str = include_str!("../../src/error/table.md");

fn contract() -> Adapter {
    builder()
        .schema("answer", r#"{"type": "string"}"#)
        .schema("score", r#"{"type": "integer"}"#)
        .optional("note")
        .build()
        .expect("the contract holds")
}

/// A schema with thousands of ways to fit, all but the last tried in vain for each of many items.
fn slow_schema() -> String {
    let branches: Vec<_> = (1..=2500).map(|least| format!("{{\"minimum\": {least}}}")).collect();
    format!("{{\"items\": {{\"anyOf\": [{}, {{\"maximum\": 0}}]}}}}", branches.join(","))
}

/// The error that a line of the table speaks of.
fn error_of(completion: &str) -> Error {
    let failing = |result: Result<_, Error>| result.map(|_: jsonseam_adapter::Outputs| ()).expect_err(completion);
    let refused = |builder: jsonseam_adapter::AdapterBuilder| builder.build().expect_err(completion);
    let fits = r#"{"answer": "x", "score": 1}"#;
    if let Some(text) = completion.strip_prefix('`').and_then(|rest| rest.strip_suffix('`')) {
        return failing(contract().parse(text));
    }
    match completion {
        "an object, with the root `array`" => {
            failing(builder().root(Root::Array).build().expect("it holds").parse(fits))
        }
        "two answers, with the candidates `only`" => {
            let only = builder().candidates(Policy::Only).output("answer").build().expect("it holds");
            failing(only.parse(r#"{"answer": "x"} {"answer": "y"}"#))
        }
        "an answer that fits, with the finish reason `length`" => {
            let cut = ParseOptions::new().with_finish_reason(Some("length"));
            failing(contract().parse_with(fits, &cut))
        }
        "bytes that are not UTF-8" => {
            failing(contract().parse_bytes(b"{\"answer\": \"\xFF\"}", &ParseOptions::default()))
        }
        "`{\"answer\":` and 200 opening brackets" => {
            failing(contract().parse(&format!("{{\"answer\": {}", "[".repeat(200))))
        }
        "an answer that its schema cannot judge in bounded time" => {
            let adapter = builder().schema("many", &slow_schema()).build().expect("the schema is sound");
            failing(adapter.parse(&format!("{{\"many\": [{}0]}}", "0,".repeat(20_000))))
        }
        "none: a schema with `{\"$ref\": \"https://example.com/schema\"}`" => {
            refused(builder().schema("answer", r#"{"$ref": "https://example.com/schema"}"#))
        }
        "none: an unknown preset" => refused(builder().output("answer").preset("generous")),
        "none: two schemas for one output" => refused(builder().schema("answer", "true").schema("answer", "{}")),
        "none: outputs, with the root `array`" => refused(builder().output("answer").root(Root::Array)),
        other => panic!("this line of the table is not tested: {other}"),
    }
}

/// Which of the particulars an error has.
fn particulars(error: &Error) -> String {
    let all = [
        ("position()", error.position().is_some()),
        ("missing()", !error.missing().is_empty()),
        ("extra()", !error.extra().is_empty()),
        ("duplicates()", !error.duplicates().is_empty()),
        ("field()", error.field().is_some()),
        ("violations()", !error.violations().is_empty()),
        ("schema_error()", error.schema_error().is_some()),
        ("config_error()", error.config_error().is_some()),
        ("partial()", error.partial().is_some()),
    ];
    let told: Vec<_> = all.iter().filter(|(_, has)| *has).map(|(name, _)| format!("`{name}`")).collect();
    told.join(", ")
}

/// The lines of the table: its cells.
fn lines() -> Vec<Vec<&'static str>> {
    let lines = TABLE.lines().filter(|line| line.starts_with('|')).skip(2);
    lines.map(|line| line.trim_matches('|').split('|').map(str::trim).collect()).collect()
}

/// The line as it should stand.
fn true_line(completion: &str) -> String {
    let error = error_of(completion);
    let record = serde_json::to_value(&error).expect("errors serialise");
    assert_eq!(
        (&record["code"], &record["reason"]),
        (&error.code().as_str().into(), &error.reason().as_str().into()),
        "{completion}"
    );
    assert!(!error.llm_message().is_empty() && !error.to_string().is_empty(), "{completion}");
    let retryable = if error.is_retryable() { "yes" } else { "no" };
    format!("| {completion} | `{}` | `{}` | {} | {retryable} |", error.code(), error.reason(), particulars(&error))
}

#[test]
fn e1_every_line_of_the_table_is_true() {
    let expected: Vec<_> = lines().iter().map(|cells| true_line(cells[0]).replace("|  |", "| |")).collect();
    let written: Vec<_> = TABLE.lines().filter(|line| line.starts_with('|')).skip(2).collect();
    assert_eq!(written.join("\n"), expected.join("\n"), "write the table so:\n{}", expected.join("\n"));
}

#[test]
fn e1_the_table_has_every_reason() {
    let reasons = [
        "no_json_object_found",
        "top_level_array_not_allowed",
        "top_level_scalar_not_allowed",
        "top_level_object_not_allowed",
        "syntax",
        "truncated",
        "ambiguous_payload",
        "not_representable",
        "invalid_utf8",
        "limit_exceeded",
        "missing_output_keys",
        "extra_output_keys",
        "duplicate_output_keys",
        "schema",
        "validation_budget",
    ];
    for reason in reasons {
        assert!(lines().iter().any(|cells| cells[2] == format!("`{reason}`")), "{reason}");
    }
}
