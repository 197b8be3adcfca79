//! The speed of a repair beside `serde_json::from_str::<&RawValue>`, which reads the same grammar and makes nothing of it.
//!
//! Every workload measures both in the same run, so that the ratio survives a busy machine.
//! `cargo xtask bench` runs this and compares the ratios with the targets.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use jsonseam::Pipeline;
use jsonseam_testkit::damage::{Defect, Site, compact, damage};
use jsonseam_testkit::generate::{Document, RootKind, Shape, Style, document};
use jsonseam_testkit::random::Random;
use serde_json::value::RawValue;

/// Bytes of the large documents.
const LARGE: usize = 1 << 20;

/// Bytes from one defect to the next.
const BETWEEN_DEFECTS: usize = 4 << 10;

/// The defects of the preset `strict` that lie in the payload.
const DEFECTS: [Defect; 6] = [
    Defect::TrailingComma,
    Defect::MissingCommaAfterScalar,
    Defect::MissingCommaAfterContainer,
    Defect::SingleQuotedString,
    Defect::SmartQuotedString,
    Defect::InvisibleCharacter,
];

fn pretty(bytes: usize, random: &mut Random) -> Document {
    let shape = Shape { root: RootKind::Object, bytes, depth: 6, style: Style::PrettyTwo };
    // A document may close early by chance; the next may not.
    (0..1_000)
        .map(|_| document(&shape, random))
        .find(|document| document.text().len() * 10 >= bytes * 9)
        .expect("one of a thousand documents is long enough")
}

/// Lines of about 0.6 KB, each an answer as a chat model gives it: a few words, a list, a nested object.
fn small_lines() -> Vec<String> {
    let mut random = Random::new(1);
    (0..256)
        .map(|index| {
            let shape = Shape {
                root: RootKind::Object,
                bytes: 200,
                depth: 3,
                style: Style::Spaced,
            };
            let arguments = document(&shape, &mut random).text();
            let words = "the order was found and will be sent within two days, ".repeat(5);
            format!(
                "{{\"id\": {index}, \"role\": \"assistant\", \"content\": \"{words}\", \"arguments\": {arguments}, \"tags\": [\"a\", \"b\"], \"done\": true}}"
            )
        })
        .collect()
}

/// Documents in one array, one per line.
fn joined(parts: impl Iterator<Item = String>) -> String {
    let parts: Vec<_> = parts.collect();
    format!("{{\"items\": [\n{}\n]}}", parts.join(",\n"))
}

/// A document of 1 MiB and the same with a defect every 4 KiB.
fn damaged() -> (String, String) {
    let mut random = Random::new(3);
    let mut parts = Vec::new();
    for index in 0..LARGE / BETWEEN_DEFECTS {
        let defect = DEFECTS[index % DEFECTS.len()];
        let part = (0..1_000)
            .find_map(|_| {
                let document = pretty(BETWEEN_DEFECTS, &mut random);
                let damaged = damage(&document, defect, Site::Any, &mut random)?;
                Some((document.text().trim_end().to_owned(), damaged.text.trim_end().to_owned()))
            })
            .expect("a document of 4 KiB has a place for every defect");
        parts.push(part);
    }
    let truth = joined(parts.iter().map(|(truth, _)| truth.clone()));
    let damaged = joined(parts.iter().map(|(_, damaged)| damaged.clone()));
    let repaired = jsonseam::repair(&damaged).expect("strict mends its own defects");
    assert!(repaired.edits().len() >= LARGE / BETWEEN_DEFECTS);
    assert_eq!(compact(repaired.text()), compact(&truth));
    (truth, damaged)
}

fn raw(text: &str) -> usize {
    serde_json::from_str::<&RawValue>(text).map_or(0, |raw| raw.get().len())
}

fn strict() -> Pipeline {
    jsonseam::pipeline(&jsonseam::Config::default()).expect("the preset is built in")
}

/// Measures the repair of `texts` and `RawValue`'s reading of `baseline`, one after the other.
fn compare(criterion: &mut Criterion, workload: &str, texts: &[String], baseline: &[String]) {
    let pipeline = strict();
    let mut group = criterion.benchmark_group(workload);
    let bytes: usize = baseline.iter().map(String::len).sum();
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_with_input(BenchmarkId::from_parameter("raw-value"), baseline, |bencher, texts| {
        bencher.iter(|| texts.iter().map(|text| raw(black_box(text))).sum::<usize>());
    });
    group.bench_with_input(BenchmarkId::from_parameter("jsonseam"), texts, |bencher, texts| {
        bencher.iter(|| {
            let len = |text: &String| pipeline.repair(black_box(text)).map_or(0, |repaired| repaired.text().len());
            texts.iter().map(len).sum::<usize>()
        });
    });
    group.finish();
}

fn benches(criterion: &mut Criterion) {
    let small = small_lines();
    compare(criterion, "valid-small-lines", &small, &small);
    let large = [pretty(LARGE, &mut Random::new(2)).text()];
    compare(criterion, "valid-1-mib-pretty", &large, &large);
    let (truth, damaged) = damaged();
    compare(criterion, "damaged-1-mib", &[damaged], &[truth]);
}

criterion_group! {
    name = all;
    config = Criterion::default()
        .warm_up_time(Duration::from_secs(1))
        .measurement_time(Duration::from_secs(4))
        .sample_size(40);
    targets = benches
}
criterion_main!(all);
