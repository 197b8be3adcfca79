//! The functions that the fuzz targets call, by the targets' names.
//!
//! `crates/jsonseam/tests/crashes.rs` includes this file too, and replays through it every crash that was ever found.
//! So nothing here may need nightly or a fuzzer.

use std::sync::LazyLock;

use jsonseam::{Config, Pipeline, Policy, Root, pipeline};
use jsonseam_testkit::fuzzing;
use jsonseam_testkit::subject::Subject;

/// A fuzz target: what it is called, and what it does with the fuzzer's bytes.
pub type Target = (&'static str, fn(&[u8]));

/// Every target.
pub const TARGETS: [Target; 7] = [
    ("config", config),
    ("locate", locate),
    ("recogniser", recogniser),
    ("repair_lenient", repair_lenient),
    ("repair_standard", repair_standard),
    ("repair_strict", repair_strict),
    ("stream", stream),
];

fn preset(name: &str, root: Root, policy: Policy) -> Pipeline {
    let config = Config::default().with_preset(name).with_root(root).with_policy(policy);
    pipeline(&config).unwrap_or_else(|error| panic!("preset {name}: {error}"))
}

/// Every law holds under the preset `strict`.
pub fn repair_strict(bytes: &[u8]) {
    static SUBJECT: LazyLock<Pipeline> = LazyLock::new(|| preset("strict", Root::Object, Policy::First));
    fuzzing::repair(&*SUBJECT, bytes);
}

/// Every law holds under the preset `standard`.
pub fn repair_standard(bytes: &[u8]) {
    static SUBJECT: LazyLock<Pipeline> = LazyLock::new(|| preset("standard", Root::Object, Policy::First));
    fuzzing::repair(&*SUBJECT, bytes);
}

/// Every law holds under the preset `lenient`.
pub fn repair_lenient(bytes: &[u8]) {
    static SUBJECT: LazyLock<Pipeline> = LazyLock::new(|| preset("lenient", Root::Object, Policy::First));
    fuzzing::repair(&*SUBJECT, bytes);
}

/// The recogniser accepts what `RawValue` reads.
pub fn recogniser(bytes: &[u8]) {
    static SUBJECT: LazyLock<Pipeline> = LazyLock::new(|| {
        let config = Config::default().with_root(Root::Any);
        Pipeline::from_rules(&config, Vec::new())
    });
    fuzzing::recogniser(&*SUBJECT, bytes);
}

/// Any configuration gives a pipeline or an error with a place.
pub fn config(bytes: &[u8]) {
    fuzzing::config(&pipeline, bytes);
}

/// Every law holds with any root, whichever of several payloads is taken.
pub fn locate(bytes: &[u8]) {
    static SUBJECTS: LazyLock<Vec<Pipeline>> = LazyLock::new(|| {
        Policy::ALL
            .iter()
            .flat_map(|&policy| ["strict", "lenient"].map(|name| preset(name, Root::Any, policy)))
            .collect()
    });
    fuzzing::locate(SUBJECTS.iter().map(|subject| subject as &dyn Subject), bytes);
}

/// A stream keeps its laws under every preset, whatever the pieces are: it leads to what the whole text leads to, and takes nothing back.
pub fn stream(bytes: &[u8]) {
    static SUBJECTS: LazyLock<Vec<Pipeline>> =
        LazyLock::new(|| ["standard", "lenient", "strict"].map(|name| preset(name, Root::Any, Policy::First)).into());
    fuzzing::stream(&SUBJECTS, bytes);
}
