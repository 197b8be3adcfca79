//! The explicit ways, which need no discovery by the linker: a list of rules, and a catalogue that is given the rule.

use house_rules::fat_arrow::FatArrow;
use jsonseam::{Catalogue, Config, ConfigError, Pipeline, RuleEntry};

const COMPLETION: &str = r#"{"a" => 1}"#;
const OUTPUT: &str = r#"{"a" : 1}"#;

#[test]
fn a_list_of_rules_makes_a_pipeline() -> Result<(), ConfigError> {
    let rules = vec![RuleEntry::of(FatArrow::REGISTRATION)?];
    let pipeline = Pipeline::from_rules(&Config::default(), rules);
    let repaired = pipeline.repair(COMPLETION).expect("the rule is asked");
    assert_eq!(repaired.text(), OUTPUT);
    Ok(())
}

#[test]
fn a_catalogue_that_discovers_nothing_knows_the_rule_it_is_given() -> Result<(), ConfigError> {
    let catalogue = Catalogue::new(Vec::new(), &[])?.with(FatArrow::REGISTRATION)?;
    assert_eq!(catalogue.rules().len(), 1);
    let config = Config::default().with_enabled("house/fat-arrow");
    let pipeline = Pipeline::new(&config, &catalogue)?;
    let repaired = pipeline.repair(COMPLETION).expect("the rule is asked");
    assert_eq!(repaired.text(), OUTPUT);
    Ok(())
}

#[test]
fn a_rule_that_was_discovered_too_counts_once() -> Result<(), ConfigError> {
    let config = Config::from_toml(include_str!("../house-rules.toml"), "house-rules.toml")?;
    let catalogue = jsonseam::catalogue()?.with(FatArrow::REGISTRATION)?;
    let pipeline = Pipeline::new(&config, &catalogue)?;
    let asked = pipeline.rules().filter(|rule| rule.name == "house/fat-arrow");
    assert_eq!(asked.count(), 1);
    Ok(())
}
