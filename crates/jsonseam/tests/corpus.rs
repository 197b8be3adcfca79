//! The corpus: every case has its verdict, under its preset, and keeps every law.

use std::path::Path;

use jsonseam::pipeline;
use jsonseam_testkit::cases::Case;
use jsonseam_testkit::corpus::{self, Report, Suite};
use jsonseam_testkit::subject::Subject;

fn subject_for(_: &Suite, case: &Case) -> Result<Box<dyn Subject>, String> {
    pipeline(&case.config()?).map(|pipeline| case.subject(pipeline)).map_err(|error| error.to_string())
}

#[test]
fn every_case_of_the_corpus_has_its_verdict() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../corpus");
    let mut report = Report::default();
    for suite in corpus::read(&folder).expect("the corpus is readable") {
        report.run(&suite, "", &subject_for);
    }
    let failures: Vec<_> = report
        .failures
        .iter()
        .map(|failure| format!("{}: {}: {}", failure.suite, failure.case, failure.seen))
        .collect();
    assert!(failures.is_empty(), "{}\n{} of {} cases failed", failures.join("\n"), failures.len(), report.total());
    assert!(report.shapes.len() >= 1_200, "only {} cases of different shape", report.shapes.len());
}
