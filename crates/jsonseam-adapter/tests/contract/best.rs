//! B4: with `best`, the contract itself is the first judge among candidates.

use jsonseam_adapter::{Adapter, AdapterBuilder};
use jsonseam_core::Policy;

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
    assert_eq!((error.reason(), error.extra()[0].name.as_str()), ("missing_output_keys", "amount"));
}

#[test]
fn b4_first_last_and_only_do_not_ask_the_contract() {
    let with = |policy: Policy| {
        builder().candidates(policy).schema("amount", "{\"type\": \"string\"}").build().expect("the contract holds")
    };
    assert_eq!(taken(&with(Policy::First), TWO), "{\"amount\":\"12\"}");
    assert_eq!(with(Policy::Last).parse(TWO).expect_err("12 is no string").reason(), "schema");
    assert_eq!(with(Policy::Only).parse(TWO).expect_err("there are two").reason(), "ambiguous_payload");
}
