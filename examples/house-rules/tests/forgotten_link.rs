//! An application that lists a crate of rules in its `Cargo.toml` and uses it nowhere.
//!
//! **Invariant**: nothing in this file names the crate of rules.
//! Cargo hands every test binary the library of its package (`--extern`), but rustc loads and links only what the source names.
//! So this binary is what such an application is, and the rule is missing.

use jsonseam::{Config, catalogue, pipeline};

#[test]
fn a_crate_that_is_only_listed_announces_nothing() {
    let catalogue = catalogue().expect("no two rules have one name");
    assert!(catalogue.rules().iter().all(|rule| !rule.is_foreign()));
}

#[test]
fn the_error_says_which_line_is_missing() {
    let text = include_str!("../house-rules.toml");
    let config = Config::from_toml(text, "house-rules.toml").expect("the file itself is sound");
    let error = pipeline(&config).expect_err("the rule is not linked");
    assert_eq!((error.line(), error.column()), (Some(8), Some(8)));
    let message = error.to_string();
    assert!(
        message.contains("unknown rule `house/fat-arrow`"),
        "{message}"
    );
    assert!(
        message.contains("write `use that_crate as _;`"),
        "{message}"
    );
}
