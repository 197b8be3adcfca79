//! Takes an order out of a model's answer: exactly the declared outputs, or one error to branch on.

use std::{env, fs, process::ExitCode};

use jsonseam::{Adapter, ContractError};
use schemars::JsonSchema;
use serde::Deserialize;

/// One line of an order.
#[derive(Debug, Deserialize, JsonSchema)]
#[schemars(deny_unknown_fields)]
struct Item {
    sku: String,
    #[schemars(range(min = 1, max = 99))]
    quantity: u32,
}

fn desk() -> Result<Adapter, ContractError> {
    jsonseam::adapter().preset("standard").output("customer").field_type::<Vec<Item>>("items").optional("note").build()
}

fn order(answer: &str) -> Result<u32, ContractError> {
    let outputs = desk()?.parse(answer)?;
    let items: &[Item] = outputs.typed::<Vec<Item>>("items").map_or(&[], Vec::as_slice);
    println!("{} orders:", outputs.get::<String>("customer")?);
    items.iter().for_each(|item| println!("  {} of {}", item.quantity, item.sku));
    println!("({} edits)", outputs.repair().edits().len());
    Ok(items.iter().map(|item| item.quantity).sum())
}

fn main() -> ExitCode {
    let path = env::args().nth(1).unwrap_or_else(|| "answer.txt".to_owned());
    match fs::read_to_string(&path).map(|answer| order(&answer)) {
        Ok(Ok(_)) => return ExitCode::SUCCESS,
        // The code says whether to ask again, to call a person, or to repair the program; no one has to read the text.
        Ok(Err(error)) => eprintln!("{}, {}: {error}", error.code(), error.reason()),
        Err(error) => eprintln!("cannot read {path}: {error}"),
    }
    ExitCode::FAILURE
}

#[cfg(test)]
mod tests {
    use super::order;

    #[test]
    fn an_answer_with_small_defects_is_an_order() {
        assert_eq!(order(include_str!("../answer.txt")).expect("it fits"), 5);
    }

    #[test]
    fn what_is_no_order_is_told_apart() {
        let cases = [
            ("Sorry, I cannot help.", "output_decode_failed", "no_json_object_found"),
            ("{\"customer\": \"Nord\"}", "invalid_outputs", "missing_output_keys"),
            ("{\"customer\": \"Nord\", \"items\": [], \"admin\": true}", "invalid_outputs", "extra_output_keys"),
            (
                "{\"customer\": \"Nord\", \"items\": [{\"sku\": \"A\", \"quantity\": 0}]}",
                "output_validation_failed",
                "schema",
            ),
            (
                "{\"customer\": \"Nord\", \"items\": [{\"sku\": \"A\", \"quantity\": 2}",
                "output_decode_failed",
                "truncated",
            ),
        ];
        for (answer, code, reason) in cases {
            let error = order(answer).expect_err(answer);
            assert_eq!((error.code().as_str(), error.reason().as_str()), (code, reason), "{answer}");
        }
    }
}
