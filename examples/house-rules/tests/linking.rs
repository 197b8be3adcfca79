//! A rule is found by its name because this crate of tests uses the crate of rules, with this one line and nothing else.

use house_rules as _;
use jsonseam::{Config, Pipeline, catalogue};

const CONFIG: &str = include_str!("../house-rules.toml");

fn pipeline(config: &str) -> Result<Pipeline, jsonseam::ConfigError> {
    jsonseam::pipeline(&Config::from_toml(config, "house-rules.toml")?)
}

fn mistake(config: &str) -> String {
    pipeline(config)
        .expect_err("the configuration holds a mistake")
        .to_string()
}

#[test]
fn a_used_crate_announces_its_rules() {
    let catalogue = catalogue().expect("no two rules have one name");
    let rule = catalogue
        .rule("house/fat-arrow")
        .expect("the rule is linked");
    assert_eq!(rule.summary(), "Reads an arrow after a key as the colon.");
    assert!(rule.is_foreign());
}

#[test]
fn a_linked_rule_is_off_until_the_configuration_names_it() {
    let completion = r#"{"a" => 1}"#;
    let strict = pipeline(r#"preset = "strict""#).expect("the configuration is sound");
    let refusal = strict
        .repair(completion)
        .expect_err("no rule of the preset reads an arrow");
    let is_named = |name: &String| name == "house/fat-arrow";
    let explained = strict.explain(&refusal, completion);
    assert!(explained.mended_by().iter().any(is_named));

    let repaired = pipeline(CONFIG)
        .expect("the configuration is sound")
        .repair(completion)
        .map(|repaired| repaired.text().to_owned());
    assert_eq!(repaired.as_deref(), Ok(r#"{"a" : 1}"#));
}

#[test]
fn the_option_names_further_arrows_and_the_longest_wins() {
    let with = |also: &str| {
        let config = format!(
            "[rules]\nenable = [\"house/fat-arrow\"]\n[rules.\"house/fat-arrow\"]\nalso = {also}"
        );
        pipeline(&config).expect("the configuration is sound")
    };
    let completion = r#"{"a" -> 1, "b" --> -2, "c" = 3, "d" => 4}"#;
    let all = with(r#"["=", "->", "-->"]"#);
    assert_eq!(
        all.repair(completion)
            .map(|repaired| repaired.into_text().into_owned()),
        Ok(r#"{"a" : 1, "b" : -2, "c" : 3, "d" : 4}"#.to_owned())
    );
    let thin = with(r#"["->"]"#)
        .repair(completion)
        .expect_err("`-->` is not named");
    assert_eq!(thin.position().map(|position| position.offset), Some(15));
    assert!(with("[]").repair(completion).is_err());
}

#[test]
fn an_unknown_option_is_refused_with_its_place_and_a_suggestion() {
    let config = "preset = \"standard\"\n\n[rules.\"house/fat-arrow\"]\n  alsoo = [\"->\"]\n";
    assert_eq!(
        mistake(config),
        "house-rules.toml:4:3: unknown option `alsoo` of `house/fat-arrow`; did you mean `also`?"
    );
}

#[test]
fn a_value_that_the_option_does_not_take_is_refused_with_its_place() {
    for value in [
        "\"->\"",
        "[1]",
        "[\"-\"]",
        "[\"\"]",
        "[\"\\\"\"]",
        "[\"->\", \"1=\"]",
    ] {
        let config = format!("[rules.\"house/fat-arrow\"]\nalso = {value}\n");
        assert_eq!(
            mistake(&config),
            "house-rules.toml:2:8: option `also` of `house/fat-arrow` must be \
             a list of arrows: `-`, `=` and `~`, with `=` or `>` at the end"
        );
    }
}

#[test]
fn a_slip_in_the_name_is_refused_with_its_place_and_a_suggestion() {
    let seen = mistake("[rules]\nenable = [\"house/fat-arow\"]\n");
    let expected =
        "house-rules.toml:2:11: unknown rule `house/fat-arow`; did you mean `house/fat-arrow`?";
    assert!(seen.starts_with(expected), "{seen}");
}
