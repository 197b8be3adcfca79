//! Every rule has enough cases of both kinds: texts that it decides, and texts that look like its defect and must be left alone.
//! A rule that was renamed keeps its former name.

use std::collections::HashSet;

use jsonseam::{Catalogue, Config, Pipeline, Registration, Role, Root, catalogue};
use jsonseam_testkit::cases::{self, Case};
use jsonseam_testkit::subject::{Outcome, Subject};

/// How many cases of each kind a rule needs.
const ENOUGH: usize = 10;

/// Rules from before this test that are still short of cases. The list only ever becomes shorter.
const STILL_SHORT: [&str; 10] = [
    "escaped-apostrophe",
    "invalid-escape",
    "markdown-fence",
    "open-ended-payload",
    "raw-control-character",
    "single-quoted-string",
    "smart-quoted-string",
    "surrounding-prose",
    "unclosed-container",
    "unclosed-string",
];

/// What the rules beside the one under test make of the case, if anything.
fn without(catalogue: &Catalogue, case: &Case) -> Option<String> {
    let mut config = Config::default();
    let order: Vec<&str> = case.with.iter().map(String::as_str).collect();
    config = config.with_order(&order);
    config = config.with_root(Root::Any);
    let pipeline = Pipeline::new(&config, catalogue).expect("the rules of `with` are known");
    match Subject::repair(&pipeline, &case.input) {
        Outcome::Accepted(accepted) => Some(accepted.text),
        Outcome::Refused { .. } => None,
    }
}

/// Whether the rule decides the case: it edits, or it finds what nothing else finds.
fn is_decided(rule: &Registration, catalogue: &Catalogue, case: &Case) -> bool {
    let edits = case.rules.iter().any(|name| name == rule.name);
    let is_locator = !matches!(rule.role, Role::Repair { .. });
    edits || (is_locator && case.output.is_some() && case.output != without(catalogue, case))
}

#[test]
fn every_rule_has_ten_cases_that_it_decides_and_ten_that_it_leaves_alone() {
    let catalogue = catalogue().expect("the built-in catalogue is right");
    let mut short = Vec::new();
    for rule in catalogue.rules().iter().filter(|rule| !rule.is_foreign() && !STILL_SHORT.contains(&rule.name)) {
        let own = cases::parse(rule.cases).expect("the cases of a built-in rule parse");
        let (decided, left): (Vec<&Case>, Vec<&Case>) =
            own.iter().filter(|case| !case.known_gap).partition(|case| is_decided(rule, &catalogue, case));
        let shapes =
            |cases: &[&Case]| cases.iter().map(|case| (case.shape(), case.with.clone())).collect::<HashSet<_>>().len();
        if shapes(&decided) < ENOUGH || shapes(&left) < ENOUGH {
            short.push(format!("{}: decides {}, leaves {}", rule.name, shapes(&decided), shapes(&left)));
        }
    }
    assert!(short.is_empty(), "rules with too few cases, each shape counted once:\n{}", short.join("\n"));
}

#[test]
fn every_former_name_selects_the_rule_under_the_name_it_has_now() {
    let catalogue = catalogue().expect("the built-in catalogue is right");
    let pipeline_of = |name: &str| {
        let config = Config::from_toml(&format!("[rules]\nenable = [\"{name}\"]"), "c.toml").expect("it is TOML");
        let warned = config.former_names(&catalogue).into_iter().map(|(_, name)| name.to_owned()).collect::<Vec<_>>();
        let pipeline = Pipeline::new(&config, &catalogue).expect("the name selects a rule");
        (pipeline.rules().map(|rule| rule.name.clone()).collect::<Vec<_>>(), warned)
    };
    for &(former, name) in jsonseam_rules::RENAMED {
        assert!(catalogue.rules().iter().all(|rule| rule.name != former), "{former} is a rule");
        let (selected, warned) = pipeline_of(former);
        assert_eq!(selected, pipeline_of(name).0, "{former}");
        assert_eq!(warned, [name], "{former}");
    }
}
