//! The proof that the cases need several readings at a time: with a beam of one, named ones fail (SPEC R3).

use std::collections::BTreeSet;
use std::path::Path;

use jsonseam::pipeline;
use jsonseam_testkit::corpus;

/// Cases in which the reading that is cheapest at first is not the one that is cheapest at the end.
const NEED_SEVERAL: [&str; 4] = [
    "meeting-defects: a brace for a bracket, the next key in apostrophes, lenient",
    "meeting-defects: a bracket for a brace after a value without its end quote, lenient",
    "meeting-defects: a fence with a wrong closer and an unquoted key, lenient",
    "meeting-defects: a wrong closer, an arrow, a Python literal and a comment, lenient",
];

#[test]
fn r3_with_a_beam_of_one_named_cases_fail() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut failed = BTreeSet::new();
    for suite in corpus::read(&folder).expect("the corpus is readable") {
        for case in suite.cases.iter().filter(|case| !case.known_gap) {
            let mut config = case.config().expect("the configuration of a case is valid");
            let thresholds = config.thresholds(&jsonseam::catalogue().expect("the built-in catalogue is right"));
            config = config.with_thresholds(thresholds.with_beam(1));
            let subject = case.subject(pipeline(&config).expect("the rules of a preset are known"));
            if case.verdict(&*subject).is_err() {
                failed.insert(format!("{}: {}", suite.name, case.name));
            }
        }
    }
    let unneeded: Vec<_> = NEED_SEVERAL.iter().filter(|name| !failed.contains(**name)).collect();
    assert!(unneeded.is_empty(), "a beam of one answers {unneeded:?}; it fails {failed:#?}");
}
