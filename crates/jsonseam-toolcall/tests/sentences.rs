//! What an assistant says beside data, and what it means (SPEC L0a): sentences in which nothing may be run, and near them such in which a call is meant.
#![expect(clippy::print_stdout, reason = "the table of shapes is shown")]

mod common;

use std::collections::BTreeMap;

use common::{Sentence, sentences};
use jsonseam_core::{Catalogue, Config, Pipeline, Root};
use jsonseam_toolcall::{Error, Extractor, Packs, Reading, WRAPPERS};
use serde_json::{Value, json};

fn extractor(preset: &str) -> Extractor {
    let config = Config::default().with_preset(preset).with_root(Root::Any);
    let catalogue = Catalogue::new(jsonseam_rules::all(), jsonseam_rules::PRESETS).expect("the catalogue is right");
    let pipeline = Pipeline::new(&config, &catalogue).expect("the preset is right");
    let packs = Packs::parse(&WRAPPERS).unwrap_or_else(|error| panic!("{error}"));
    Extractor::new(packs).with_pipeline(pipeline).with_tools(common::tools())
}

impl Sentence {
    fn read(&self, extractor: &Extractor) -> Result<Reading, Error> {
        extractor.clone().with_bare(self.bare()).read(&self.text)
    }

    /// What is wrong with what was read, if anything.
    fn fault(&self, read: &Result<Reading, Error>) -> Option<String> {
        let calls = read.as_ref().ok().and_then(Reading::envelope).map(|envelope| {
            let value: Value = serde_json::from_str(envelope.text()).expect("an envelope is JSON");
            value["toolCalls"].as_array().cloned().unwrap_or_default()
        });
        if self.meant {
            let arguments =
                self.arguments.iter().map(|text| serde_json::from_str::<Value>(text).expect("arguments are JSON"));
            let expected: Vec<_> = self
                .calls
                .iter()
                .zip(arguments)
                .map(|(name, arguments)| json!({"name": name, "arguments": arguments}))
                .collect();
            return match (calls, read) {
                (Some(calls), _) if calls == expected => None,
                (Some(calls), _) => Some(format!("called {calls:?}")),
                (None, Err(error)) => Some(format!("not read: {error}")),
                (None, Ok(reading)) => Some(format!("not read: {:?}", reading.passed_over())),
            };
        }
        match (calls, read) {
            (Some(calls), _) => Some(format!("RAN {calls:?}")),
            (None, Err(error)) => {
                let reason = error.reason();
                let is_other = self.refused.as_deref().is_some_and(|refused| refused != reason.as_str());
                is_other.then(|| format!("refused for {}", reason.as_str()))
            }
            (None, Ok(_)) if self.refused.is_some() => Some("not refused".to_owned()),
            (None, Ok(reading)) => {
                (self.passed_over && reading.passed_over().is_empty()).then(|| "nothing is reported".to_owned())
            }
        }
    }
}

#[test]
fn l0a_what_is_not_meant_is_never_run_and_what_is_meant_is_read() {
    let mut table: BTreeMap<String, [usize; 4]> = BTreeMap::new();
    let mut wrong = Vec::new();
    let standard = extractor("standard");
    for sentence in sentences() {
        let fault = sentence.fault(&sentence.read(&standard));
        let counts = table.entry(sentence.shape.clone()).or_default();
        let index = if sentence.meant { 2 } else { 0 };
        counts[index + usize::from(fault.is_some())] += 1;
        wrong.extend(fault.map(|fault| format!("{} ({}): {fault}\n{}\n", sentence.shape, sentence.why, sentence.text)));
    }
    println!("| shape | not meant, right | wrong | meant, read | not |");
    for (shape, [right, wrong, read, unread]) in &table {
        println!("| {shape} | {right} | {wrong} | {read} | {unread} |");
    }
    assert!(wrong.is_empty(), "{}", wrong.join("\n"));
    let total = |index: usize| table.values().map(|counts| counts[index]).sum::<usize>();
    assert!(table.len() >= 15 && total(0) >= 200 && total(2) >= 100, "too few sentences");
}

#[test]
fn l0a_no_preset_runs_what_is_not_meant() {
    for preset in ["strict", "lenient"] {
        let extractor = extractor(preset);
        for sentence in sentences().iter().filter(|sentence| !sentence.meant) {
            let read = sentence.read(&extractor);
            let is_run = read.is_ok_and(|reading| reading.envelope().is_some());
            assert!(!is_run, "{preset}: {}", sentence.text);
        }
    }
}
