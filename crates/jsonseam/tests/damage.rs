//! Seeded damage with known truth: a preset repairs what it claims, and is never silently wrong.

#![allow(clippy::print_stdout, reason = "the figures are part of the result")]

use jsonseam::{Config, Pipeline, catalogue, pipeline};
use jsonseam_testkit::damage::{Damaged, Defect, compact, damage_many};
use jsonseam_testkit::laws::judge;
use jsonseam_testkit::subject::Outcome;

fn preset(name: &str) -> Pipeline {
    let config = Config::default().with_preset(name);
    pipeline(&config).expect("the preset is built in")
}

/// Whether the text was repaired to its truth; `None` when it was refused.
fn is_right(outcome: &Outcome, damaged: &Damaged) -> Option<bool> {
    match outcome {
        Outcome::Accepted(accepted) => {
            Some(compact(&accepted.text) == compact(&damaged.truth) && accepted.is_truncated == damaged.truncated)
        }
        Outcome::Refused { .. } => None,
    }
}

/// How many of `count` damaged documents are repaired; none may be wrong, and every law holds for each.
fn mended(preset_name: &str, defects: &[Defect], count: usize) -> usize {
    let subject = preset(preset_name);
    let verdicts = damage_many(7, defects, count).filter(|damaged| {
        let outcome = judge(&subject, &damaged.text).unwrap_or_else(|violation| panic!("{preset_name}: {violation}"));
        let verdict = is_right(&outcome, damaged);
        assert_ne!(verdict, Some(false), "{preset_name} is wrong on {:?}: {:?}", damaged.defects, damaged.text);
        verdict == Some(true)
    });
    verdicts.count()
}

#[test]
fn p5_strict_mends_its_own_defects_and_is_never_wrong() {
    let count = 10_000;
    let right = mended("strict", &Defect::STRICT, count);
    println!("strict: {right} of {count} right, none wrong");
    assert!(right * 1_000 >= 995 * count, "only {right} of {count}");
}

#[test]
fn standard_and_lenient_mend_the_damage_they_claim_and_are_never_wrong() {
    for name in ["standard", "lenient"] {
        let count = 3_000;
        let right = mended(name, &Defect::STANDARD, count);
        println!("{name}: {right} of {count} right, none wrong");
        assert!(right * 1_000 >= 995 * count, "only {right} of {count}");
    }
}

#[test]
fn strict_is_never_wrong_on_damage_that_it_does_not_claim() {
    mended("strict", Defect::ALL, 3_000);
}

#[test]
fn kinds_of_damage_are_named_as_the_rules_that_answer_them() {
    // What no rule of its own answers: the reader passes over the mark, locators find one payload among other text, and the last three are to be refused.
    let others = [
        "leading-byte-order-mark",
        "jsonp",
        "assignment",
        "several-payloads",
        "sql-around",
        "backslash-path",
        "quotes-in-other-notation",
        "unclosed-empty-array",
        "one-element-set",
        "label-after-lost-end",
    ];
    let catalogue = catalogue().expect("the built-in catalogue is right");
    for name in Defect::ALL.iter().map(|defect| defect.as_str()).filter(|name| !others.contains(name)) {
        let is_a_rule =
            |rule: &str| name.strip_prefix(rule).is_some_and(|rest| rest.is_empty() || rest.starts_with('-'));
        assert!(catalogue.rules().iter().any(|rule| is_a_rule(rule.name)), "{name} is not named as a rule");
    }
}
