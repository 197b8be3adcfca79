//! The laws, driven by proptest: generated documents, damaged ones, and texts that are neither.

use std::sync::LazyLock;

use jsonseam::{Config, Pipeline, Root, pipeline};
use jsonseam_testkit::generate::RootKind;
use jsonseam_testkit::laws::check_all;
use jsonseam_testkit::strategies::{any_text, damaged_json, valid_document};
use proptest::prelude::*;

/// Every preset, for an object and for any root.
static SUBJECTS: LazyLock<Vec<Pipeline>> = LazyLock::new(|| {
    let with = |preset: &str, root| {
        let config = Config::default().with_preset(preset).with_root(root);
        pipeline(&config).expect("the preset is built in")
    };
    ["strict", "standard", "lenient"]
        .iter()
        .flat_map(|preset| [with(preset, Root::Object), with(preset, Root::Any)])
        .collect()
});

fn keeps_every_law(text: &str) -> Result<(), TestCaseError> {
    SUBJECTS.iter().try_for_each(|subject| {
        check_all(subject, text).map_err(|violation| TestCaseError::fail(violation.to_string()))
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(400))]

    #[test]
    fn p0_valid_documents_keep_every_law(document in valid_document(RootKind::Any)) {
        keeps_every_law(&document.text())?;
    }

    #[test]
    fn damaged_documents_keep_every_law(damaged in damaged_json()) {
        keeps_every_law(&damaged.text)?;
    }

    #[test]
    fn any_text_keeps_every_law(text in any_text()) {
        keeps_every_law(&text)?;
    }

    #[test]
    fn a_damaged_document_cut_anywhere_keeps_every_law(damaged in damaged_json(), at in 0.0..1.0_f64) {
        let chars: Vec<_> = damaged.text.char_indices().map(|(pos, _)| pos).collect();
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss, clippy::cast_precision_loss, reason = "a place in the text")]
        let end = chars.get((chars.len() as f64 * at) as usize).copied().unwrap_or(0);
        keeps_every_law(&damaged.text[..end])?;
    }
}

/// B5: what a run of this harness found once.
#[test]
fn b5_texts_that_broke_a_law_keep_every_law() {
    let quotes = "\\\"".repeat(400);
    let texts = [
        // Every escaped quote was read to the end of the line, and there are many.
        format!(r#"{{"user":{{"id":"x"}},"list":[1e+05,['y1 <b id="x">',"y1"],false,"key":{{"value":"{quotes}"}},"user":["{quotes}\"#),
        // No reading went on from the only answers, and the refusal blamed the work.
        "{\n  \"u\": true,\n  \"r\": {\n    \"d\": \"d\",\n    \"n\": \"v, \",\n  \"arguments\": -75,\n  \"k\": {},\n  \"arguments\": {\n    \"result\": \"high risk\",\n    \"city\": 123456".to_owned(),
    ];
    for text in texts {
        keeps_every_law(&text).expect("every law is kept");
    }
}
