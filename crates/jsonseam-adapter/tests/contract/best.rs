//! B4: with `best`, the contract itself is the first judge among candidates.

use jsonseam_adapter::{Adapter, AdapterBuilder, CastKind, Casts};
use jsonseam_core::{Config, Policy, Root};

use crate::common::builder;

const TWO: &str = "First idea:\n```json\n{\"amount\": \"12\"}\n```\nBetter:\n```json\n{\"amount\": 12}\n```\n";

fn best(declare: impl FnOnce(AdapterBuilder) -> AdapterBuilder) -> Adapter {
    declare(builder().candidates(Policy::Best)).build().expect("the contract holds")
}

fn taken(adapter: &Adapter, text: &str) -> String {
    adapter.parse(text).expect("a candidate fits").to_json().into_owned()
}

#[test]
fn b4_the_same_text_gives_another_candidate_with_another_contract() {
    assert_eq!(taken(&best(|builder| builder), TWO), "{\"amount\":12}", "without a contract the latest wins");
    let of_type = |kind: &str| best(|builder| builder.schema("amount", &format!("{{\"type\": \"{kind}\"}}")));
    assert_eq!(taken(&of_type("string"), TWO), "{\"amount\":\"12\"}");
    assert_eq!(taken(&of_type("integer"), TWO), "{\"amount\":12}");
}

#[test]
fn b4_fitting_the_contract_goes_before_risk_edits_and_place() {
    let text = "```json\n{\"answer\": 1, 'note': 'x',}\n```\n```json\n{\"draft\": 1}\n```\n";
    assert_eq!(taken(&best(|builder| builder), text), "{\"draft\":1}", "no edit is better than three");
    assert_eq!(
        taken(&best(|builder| builder.output("answer").optional("note")), text),
        "{\"answer\":1,\"note\":\"x\"}"
    );
}

#[test]
fn b4_l1_a_candidate_without_a_declared_output_fits_less() {
    let text = "```json\n{\"note\": \"x\"}\n```\n```json\n{}\n```\n";
    assert_eq!(taken(&best(|builder| builder.optional("note")), text), "{\"note\":\"x\"}");
}

#[test]
fn b4_candidates_of_which_none_fits_are_told_by_the_one_that_would_have_been_taken() {
    let error = best(|builder| builder.output("answer")).parse(TWO).expect_err("none fits");
    assert_eq!((error.reason().as_str(), error.extra()[0].name.as_str()), ("missing_output_keys", "amount"));
}

#[test]
fn b4_first_last_and_only_do_not_ask_the_contract() {
    let with = |policy: Policy| {
        builder().candidates(policy).schema("amount", "{\"type\": \"string\"}").build().expect("the contract holds")
    };
    assert_eq!(taken(&with(Policy::First), TWO), "{\"amount\":\"12\"}");
    assert_eq!(with(Policy::Last).parse(TWO).expect_err("12 is no string").reason().as_str(), "schema");
    assert_eq!(with(Policy::Only).parse(TWO).expect_err("there are two").reason().as_str(), "ambiguous_payload");
}

#[test]
fn b4_a_payload_that_a_cast_makes_a_list_loses_to_one_that_is_a_list() {
    let items = "The list:\n```json\n[{\"id\": 1}, {\"id\": 2}]\n```\nThe first of them:\n```json\n{\"id\": 1}\n```\n";
    let adapter = best(|builder| {
        builder
            .root(Root::Any)
            .casts(Casts::NONE.with(CastKind::ToList))
            .whole_schema(r#"{"type": "array", "items": {"type": "object", "required": ["id"]}}"#)
    });
    assert_eq!(taken(&adapter, items), "[{\"id\": 1}, {\"id\": 2}]");
    let adapter = best(|builder| {
        builder
            .casts(Casts::NONE.with(CastKind::ToList))
            .schema("tags", r#"{"type": "array", "items": {"type": "string"}}"#)
    });
    let text = "```json\n{\"tags\": [\"a\", \"b\"]}\n```\n```json\n{\"tags\": \"a\"}\n```\n";
    assert_eq!(taken(&adapter, text), "{\"tags\":[\"a\", \"b\"]}");
}

#[test]
fn b4_best_is_the_default_of_a_contract_unless_the_configuration_names_a_policy() {
    let declared = |builder: AdapterBuilder| builder.schema("amount", "{\"type\": \"integer\"}");
    let default = declared(builder()).build().expect("the contract holds");
    assert_eq!(taken(&default, TWO), "{\"amount\":12}");
    let first = Config::from_toml("[candidates]\npolicy = \"first\"\n", "c.toml").expect("the text is right");
    let named = declared(builder().config(&first)).build().expect("the contract holds");
    assert_eq!(named.parse(TWO).expect_err("the first is a string").reason().as_str(), "schema");
    let again = declared(builder().config(&first).candidates(Policy::Best)).build().expect("the contract holds");
    assert_eq!(taken(&again, TWO), "{\"amount\":12}");
}
