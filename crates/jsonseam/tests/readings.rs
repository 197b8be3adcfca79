//! The laws of readings (SPEC R4) over every case, seeded damage, every short text and texts with two truths.
//!
//! The large runs are campaigns: `cargo xtask prove`.

use std::collections::BTreeMap;
use std::path::Path;

use jsonseam::{Catalogue, Config, Pipeline, Root, catalogue, pipeline};
use jsonseam_testkit::blind::blind;
use jsonseam_testkit::corpus;
use jsonseam_testkit::damage::{Defect, damage_many};
use jsonseam_testkit::doubtful::doubtful_texts;
use jsonseam_testkit::exhaustive::Exhaustive;
use jsonseam_testkit::laws::Violation;
use jsonseam_testkit::readings::{doubtful, honest, monotone, order_free, seed_of, shuffled};

const PRESETS: [&str; 3] = ["strict", "standard", "lenient"];

/// Other orders of a preset's rules that each text is put to; which ones depends on the text.
const ORDERS: usize = 12;
const ORDERS_FOR_EACH: usize = 2;

fn preset(name: &str, order: Option<&[&str]>) -> Pipeline {
    let mut config = Config::default().with_preset(name).with_root(Root::Any);
    if let Some(order) = order {
        config = config.with_order(order);
    }
    pipeline(&config).expect("the rules of a preset are known")
}

fn orders(catalogue: &Catalogue, name: &str) -> Vec<Pipeline> {
    let names = &catalogue.preset(name).expect("the preset is built in").rules;
    let rules: Vec<_> = names.iter().filter_map(|name| catalogue.rule(name)).collect();
    assert_eq!(rules.len(), names.len());
    (0..ORDERS as u64).map(|seed| preset(name, Some(&shuffled(&rules, seed)))).collect()
}

/// Every text by name: the cases, damaged documents, and every text of up to three symbols.
fn texts() -> BTreeMap<String, String> {
    let mut texts = BTreeMap::new();
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    for suite in corpus::read(&folder).expect("the corpus is readable") {
        for case in suite.cases {
            texts.insert(format!("corpus/{}: {}", suite.name, case.name), case.input);
        }
    }
    let catalogue = catalogue().expect("the built-in rules are in order");
    for rule in catalogue.rules() {
        for case in corpus::of_rule(rule).expect("its cases parse").cases {
            texts.insert(format!("rules/{}: {}", rule.name, case.name), case.input);
        }
    }
    for (index, damaged) in damage_many(29, Defect::ALL, 400).enumerate() {
        texts.insert(format!("damage/{index}"), damaged.text);
    }
    let mut short = Exhaustive::new(3);
    while let Some(text) = short.advance() {
        texts.insert(format!("short/{text}"), text.to_owned());
    }
    // One text has one name: cases of several presets share theirs.
    let mut seen = std::collections::HashSet::new();
    texts.retain(|_, text| seen.insert(text.clone()));
    texts
}

/// Fails with every violation, by the name of its text.
fn hold(law: &str, found: &BTreeMap<String, Violation>) {
    let shown: Vec<_> = found.iter().map(|(name, seen)| format!("{name:?}: {seen}")).collect();
    assert!(shown.is_empty(), "{law}: {} violations:\n{}", shown.len(), shown.join("\n"));
}

#[test]
fn r4_the_order_of_the_rules_changes_no_value_and_no_refusal() {
    let catalogue = catalogue().expect("the built-in rules are in order");
    let mut found = BTreeMap::new();
    for name in PRESETS {
        let (subject, orders) = (preset(name, None), orders(&catalogue, name));
        for (text_name, text) in &texts() {
            // Which orders a text is put to depends on nothing but the text.
            let first = usize::try_from(seed_of(text) % ORDERS as u64).expect("it is small");
            for place in 0..ORDERS_FOR_EACH {
                let other = &orders[(first + place) % ORDERS];
                if let Err(violation) = order_free(&subject, other, text) {
                    found.insert(format!("{text_name} [{name}]"), violation);
                }
            }
        }
    }
    hold("order-free", &found);
}

#[test]
fn r4_what_a_preset_repairs_the_next_richer_one_repairs_alike() {
    let mut found = BTreeMap::new();
    for [poorer, richer] in [["strict", "standard"], ["standard", "lenient"]] {
        let (less, more) = (preset(poorer, None), preset(richer, None));
        for (name, text) in texts() {
            if let Err(violation) = monotone(&less, &more, &text) {
                found.insert(format!("{name} [{poorer}, {richer}]"), violation);
            }
        }
    }
    hold("monotone", &found);
}

#[test]
fn r4_a_text_with_two_truths_is_refused() {
    let mut found = BTreeMap::new();
    for name in PRESETS {
        let subject = preset(name, None);
        for text in doubtful_texts(31, 400) {
            if let Err(violation) = doubtful(&subject, &text.text) {
                found.insert(format!("{} [{name}]", text.kind), violation);
            }
        }
    }
    hold("doubtful", &found);
}

#[test]
fn r4_certain_and_likely_mean_what_they_say() {
    let mut found = BTreeMap::new();
    for name in PRESETS {
        let subject = preset(name, None);
        for (text_name, text) in texts() {
            if let Err(violation) = honest(&subject, &text) {
                found.insert(format!("{text_name} [{name}]"), violation);
            }
        }
    }
    hold("honest", &found);
}

#[test]
fn s8_an_answer_that_did_not_touch_the_end_is_the_same_for_longer_texts() {
    let catalogue = catalogue().expect("the built-in rules are in order");
    let texts = texts();
    let mut found = BTreeMap::new();
    for rule in catalogue.rules() {
        let own = corpus::of_rule(rule).expect("its cases parse").cases;
        let some = texts.values().filter(|text| text.len() < 400).step_by(7).map(String::as_str);
        let all = own.iter().map(|case| case.input.as_str()).chain(some);
        if let Err(violation) = blind(rule, all, |fault| fault.is_at_end() || fault.touched_end()) {
            found.insert(rule.name.to_owned(), violation);
        }
    }
    hold("blind", &found);
}
