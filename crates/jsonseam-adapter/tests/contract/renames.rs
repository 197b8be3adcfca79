//! Aliases and the cast `key-case`: declared names in place of what stands for them, on record, and never by guess (SPEC K1).

use jsonseam_adapter::{Adapter, CastKind, Casts, JsonSchema};
use serde::Deserialize;

fn kinds(outputs: &jsonseam_adapter::Outputs) -> Vec<(&str, &str)> {
    outputs.casts().iter().map(|cast| (cast.path(), cast.kind().name())).collect()
}

#[test]
fn k1_keys_by_case_are_taken_only_with_the_cast_and_are_recorded() {
    let builder = || Adapter::builder().output("orderId").optional("note");
    let plain = builder().build().expect("it holds");
    assert_eq!(plain.parse(r#"{"order_id": 1}"#).expect_err("refused").reason().as_str(), "missing_output_keys");
    let adapter = builder().casts(Casts::NONE.with(CastKind::KeyCase)).build().expect("it holds");
    let outputs = adapter.parse(r#"{"Order-ID": 1.10, "NOTE": "x"}"#).expect("it fits");
    assert_eq!(outputs.to_json(), r#"{"orderId":1.10,"note":"x"}"#);
    assert_eq!(kinds(&outputs), [("/orderId", "key-case"), ("/note", "key-case")]);
    // Two keys of the same letters, or a declared one beside: which was meant is not guessed.
    for text in [r#"{"order_id": 1, "OrderId": 2}"#, r#"{"orderId": 1, "order_id": 2}"#] {
        assert_eq!(adapter.parse(text).expect_err("refused").code(), "invalid_outputs", "{text}");
    }
    let twins = Adapter::builder().optional("a_b").optional("ab").casts(Casts::ALL).build().expect("it holds");
    assert!(twins.parse(r#"{"AB": 1}"#).is_err());
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Address {
    #[serde(alias = "postcode")]
    zip: String,
}

#[derive(Debug, PartialEq, Deserialize, JsonSchema)]
struct Person {
    #[serde(alias = "fullName")]
    name: String,
    address: Address,
}

#[test]
fn v1_aliases_hold_for_outputs_and_for_what_is_inside_them() {
    let builder = || Adapter::builder().whole_type::<Person>();
    let text = r#"{"fullName": "Ada", "address": {"postcode": "0150"}}"#;
    assert!(builder().build().expect("it holds").parse(text).is_err());
    let adapter = builder().alias("name", "fullName").alias("zip", "postcode").build().expect("it holds");
    let outputs = adapter.parse(text).expect("it fits");
    let person: Person = outputs.decode().expect("it decodes");
    assert_eq!(person, serde_json::from_str::<Person>(text).expect("serde takes it too"));
    assert_eq!(kinds(&outputs), [("/name", "alias"), ("/address/zip", "alias")]);
    // As with serde, a name and its alias together are too many.
    let both = r#"{"name": "Ada", "fullName": "Bo", "address": {"zip": "1"}}"#;
    assert!(adapter.parse(both).is_err() && serde_json::from_str::<Person>(both).is_err());
    // The name itself is taken as before, and nothing is recorded.
    assert_eq!(adapter.parse(r#"{"name": "Ada", "address": {"zip": "1"}}"#).expect("it fits").casts(), []);
}

#[test]
fn v2_what_a_type_refuses_is_named_by_its_declared_field() {
    #[derive(Debug, Deserialize, JsonSchema)]
    struct Small {
        #[expect(dead_code, reason = "only what is refused is of interest")]
        a: i32,
    }
    let adapter = Adapter::builder().whole_type::<Small>().build().expect("it holds");
    let error = adapter.parse(r#"{"a": 3000000000}"#).expect_err("out of range");
    assert_eq!(
        error.violations()[0].message(),
        r#"Field "a": Value is not an integer from -2147483648 to 2147483647 (format int32)"#
    );
}
