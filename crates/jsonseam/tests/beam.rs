//! Several readings at a time: with a beam of one, named cases fail (SPEC R3), and what readings agree on is read once (SPEC R2), as is what several rules
//! ask of a fault, so that dense damage stays within the bound of work (SPEC R3, B5).

use std::collections::BTreeSet;
use std::path::Path;

use jsonseam::{Config, Root, pipeline, preset};
use jsonseam_testkit::corpus;

/// Cases in which the reading that is cheapest at first is not the one that is cheapest at the end.
const NEED_SEVERAL: [&str; 2] = [
    "meeting-defects: a bracket for a brace after a value without its end quote, lenient",
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

/// A document of many lines, in which the name of two items far from each other is given.
fn document(seventh: &str, last: &str) -> String {
    let name = |id: usize| match id {
        7 => seventh.to_owned(),
        299 => last.to_owned(),
        _ => format!("item number {id}"),
    };
    let items: Vec<_> =
        (0..300).map(|id| format!("    {{\n      \"id\": {id},\n      \"name\": \"{}\"\n    }}", name(id))).collect();
    format!("{{\n  \"items\": [\n{}\n  ]\n}}", items.join(",\n"))
}

#[test]
fn r2_readings_that_agree_again_read_the_rest_of_the_text_once() {
    let lenient = preset("lenient").expect("the preset is built in");
    let rounds = |name: &str| {
        let text = document(name, "plain");
        let repaired = lenient.repair(&text).expect("it has one defect");
        repaired.work().steps / text.len() as u64
    };
    let (one, several) = (rounds("number\n7"), rounds("item \"number\" 7"));
    assert!(several <= one + 1, "one reading passes over the text {one} times, several {several} times");
}

#[test]
fn r2_what_one_reading_takes_over_from_another_leaves_later_faults_to_it() {
    let lenient = preset("lenient").expect("the preset is built in");
    let text = document("item \"number\" 7", "the \"last\" one");
    let escaped = document("item \\\"number\\\" 7", "the \\\"last\\\" one");
    assert_eq!(lenient.repair(&text).expect("both are quotations").text(), escaped);
}

#[test]
fn r3_what_several_rules_ask_at_a_fault_is_read_once() {
    let config = Config::default().with_preset("lenient").with_root(Root::Any);
    let lenient = pipeline(&config).expect("the preset is built in");
    // Read twice, each of these meets the bound of work and is refused.
    for (element, count) in
        [("[[\"red\" \"green,\"]]", 170), ("[{\"a\": 1 \"b\": [1 2]]", 360), ("[\"a\": 12.345,5]", 2_600)]
    {
        let inner = &element[1..element.len() - 1];
        let text = format!("[{}]", vec![inner; count].join(",\n"));
        assert!(lenient.repair(&text).is_ok(), "{count} times {inner}");
    }
}
