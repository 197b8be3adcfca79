//! Seeded damage with known truth: a preset mends what it claims, and is never silently wrong.

use std::collections::BTreeMap;

use jsonseam::{Config, Pipeline, pipeline};
use jsonseam_testkit::damage::{Damaged, Defect, compact, damage_many};
use jsonseam_testkit::laws::check_all;
use jsonseam_testkit::subject::{Outcome, Subject};

fn preset(name: &str) -> Pipeline {
    let mut config = Config::default();
    config.set_preset(name);
    pipeline(&config).expect("the preset is built in")
}

#[derive(Debug, Default)]
struct Score {
    right: usize,
    wrong: usize,
    refused: usize,
}

fn score(subject: &Pipeline, damaged: &Damaged, score: &mut Score, name: &str) {
    check_all(subject, &damaged.text).unwrap_or_else(|violation| panic!("{violation}"));
    match Subject::repair(subject, &damaged.text) {
        Outcome::Accepted(accepted)
            if compact(&accepted.text) == compact(&damaged.truth) && accepted.is_truncated == damaged.truncated =>
        {
            score.right += 1
        }
        Outcome::Accepted(accepted) => {
            score.wrong += 1;
            eprintln!(
                "{name} WRONG {:?}\n  text  {:?}\n  gave  {:?}\n  truth {:?} {} {}",
                damaged.defects, damaged.text, accepted.text, damaged.truth, accepted.is_truncated, damaged.truncated
            );
        }
        Outcome::Refused { message, .. } => {
            score.refused += 1;
            if score.refused < 12 {
                eprintln!(
                    "{name} refused {:?}\n  text  {:?}\n  {message}\n  truth {:?}",
                    damaged.defects, damaged.text, damaged.truth
                );
            }
        }
    }
}

fn run(name: &str, defects: &[Defect], count: usize) -> (Score, BTreeMap<String, Score>) {
    let subject = preset(name);
    let mut total = Score::default();
    let mut by_defect: BTreeMap<String, Score> = BTreeMap::new();
    for damaged in damage_many(7, defects, count) {
        let mut one = Score::default();
        one.refused = total.refused;
        let before = one.refused;
        score(&subject, &damaged, &mut one, name);
        one.refused -= before;
        for defect in &damaged.defects {
            let entry = by_defect.entry(defect.to_string()).or_default();
            entry.right += one.right;
            entry.wrong += one.wrong;
            entry.refused += one.refused;
        }
        total.right += one.right;
        total.wrong += one.wrong;
        total.refused += one.refused;
    }
    (total, by_defect)
}

#[test]
fn strict_mends_its_own_defects() {
    let (total, by_defect) = run("strict", &Defect::STRICT, 4_000);
    eprintln!("{total:?}\n{by_defect:#?}");
    assert_eq!(total.wrong, 0);
    assert!(total.right * 1000 >= 995 * (total.right + total.refused));
}

#[test]
fn standard_mends_every_defect() {
    let (total, by_defect) = run("standard", &Defect::ALL, 4_000);
    eprintln!("{total:?}\n{by_defect:#?}");
    assert_eq!(total.wrong, 0);
}
