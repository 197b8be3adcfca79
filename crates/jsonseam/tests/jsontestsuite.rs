//! `JSONTestSuite` (RFC 8259 conformance): valid files stay as they are, invalid ones get a verdict that was read by people.
//!
//! The files are read from the folder that `JSONSEAM_DATA` names; only our verdicts are kept here.
//! `JSONSEAM_BLESS=1` writes the table anew, for review.

#![allow(clippy::print_stderr, reason = "a suite that is not there says so")]

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::{Path, PathBuf};

use jsonseam::{Config, Pipeline, RepairOptions, Root, Status, pipeline};
use jsonseam_testkit::laws::is_json;

const PRESETS: [&str; 3] = ["strict", "standard", "lenient"];

fn folder() -> Option<PathBuf> {
    let Some(data) = std::env::var_os("JSONSEAM_DATA") else {
        eprintln!("NOT RUN: JSONTestSuite (set JSONSEAM_DATA to the folder that holds it)");
        return None;
    };
    let folder = Path::new(&data).join("JSONTestSuite/test_parsing");
    assert!(folder.is_dir(), "JSONSEAM_DATA is set, but {} is no folder", folder.display());
    Some(folder)
}

fn files(folder: &Path, kind: &str) -> Vec<(String, Vec<u8>)> {
    let mut files: Vec<_> = std::fs::read_dir(folder)
        .expect("the suite is readable")
        .map(|entry| entry.expect("the entry is readable").path())
        .filter_map(|path| {
            Some((path.file_name()?.to_str()?.to_owned(), std::fs::read(&path).expect("the file is readable")))
        })
        .filter(|(name, _)| name.starts_with(kind))
        .collect();
    files.sort();
    files
}

fn preset(name: &str) -> Pipeline {
    let config = Config::default().with_preset(name).with_root(Root::Any);
    pipeline(&config).expect("the preset is built in")
}

#[test]
fn p0_every_valid_file_comes_back_byte_for_byte_under_every_preset() {
    let Some(folder) = folder() else { return };
    let valid = files(&folder, "y_");
    assert_eq!(valid.len(), 95);
    for name in PRESETS {
        let pipeline = preset(name);
        for (file, bytes) in &valid {
            let repaired = pipeline
                .repair_bytes(bytes, &RepairOptions::default())
                .unwrap_or_else(|error| panic!("{file}: {error}"));
            assert_eq!(repaired.text().as_bytes(), bytes, "{file} under {name}");
            assert_eq!((repaired.status(), repaired.edits().len()), (Status::Valid, 0), "{file} under {name}");
        }
    }
}

fn verdict(pipeline: &Pipeline, file: &str, bytes: &[u8]) -> String {
    match pipeline.repair_bytes(bytes, &RepairOptions::default()) {
        Ok(repaired) => {
            assert!(is_json(repaired.text()), "{file}: an output that is not JSON");
            match repaired.status() {
                Status::Valid if repaired.payload() == (0..bytes.len()) => "valid".to_owned(),
                Status::Valid => "located".to_owned(),
                Status::Repaired if repaired.is_truncated() => "repaired, truncated".to_owned(),
                Status::Repaired => "repaired".to_owned(),
            }
        }
        Err(error) => error.reason().to_string(),
    }
}

#[test]
fn every_other_file_gets_its_reviewed_verdict() {
    let Some(folder) = folder() else { return };
    let (invalid, open) = (files(&folder, "n_"), files(&folder, "i_"));
    assert_eq!((invalid.len(), open.len()), (188, 35));
    let pipelines = PRESETS.map(preset);
    let mut table = String::from("# file: verdict under strict | standard | lenient, with root any\n");
    for (file, bytes) in invalid.iter().chain(&open) {
        let verdicts = pipelines.each_ref().map(|pipeline| verdict(pipeline, file, bytes));
        assert!(!file.starts_with("n_") || !verdicts.contains(&"valid".to_owned()), "{file} is not valid JSON");
        writeln!(table, "{file}: {}", verdicts.join(" | ")).expect("a string takes every text");
    }
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/jsontestsuite.verdicts");
    if std::env::var_os("JSONSEAM_BLESS").is_some() {
        std::fs::write(&path, &table).expect("the table is writable");
    }
    let reviewed = std::fs::read_to_string(&path).expect("the reviewed table is part of the project");
    let by_file = |table: &str| -> BTreeMap<String, String> {
        table
            .lines()
            .filter_map(|line| line.split_once(": "))
            .map(|(file, verdicts)| (file.to_owned(), verdicts.to_owned()))
            .collect()
    };
    assert_eq!(by_file(&table), by_file(&reviewed));
}
