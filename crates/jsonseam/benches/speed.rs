//! The speed of everything that a caller waits for, over the named workloads of the testkit, beside what of `serde_json` reads the same texts.
//!
//! `cargo xtask bench` runs this and prints the ratios. Both sides of a ratio are measured in one run, so that it survives a busy machine.

use std::hint::black_box;
use std::thread;
use std::time::Duration;

use criterion::measurement::WallTime;
use criterion::{BenchmarkGroup, Criterion, Throughput, criterion_group, criterion_main};
use jsonseam::Pipeline;
use jsonseam_testkit::workloads::{CONTRACT, Group, ORDER_SCHEMA, Workload, contract_lines, workload, workloads};
use serde::Deserialize;
use serde::de::IgnoredAny;

/// Bytes of each workload.
const BYTES: usize = 1 << 20;

fn pipeline(preset: &str) -> Pipeline {
    jsonseam::preset(preset).expect("the preset is built in")
}

fn repaired_len(pipeline: &Pipeline, text: &str) -> usize {
    pipeline.repair(text).map_or(0, |repaired| repaired.text().len())
}

/// Measures one way to read all texts.
fn measure(group: &mut BenchmarkGroup<'_, WallTime>, who: &str, texts: &[String], read: impl Fn(&str) -> usize) {
    group.bench_function(who, |bencher| {
        bencher.iter(|| texts.iter().map(|text| read(black_box(text))).sum::<usize>());
    });
}

fn group<'c>(criterion: &'c mut Criterion, group: &str, name: &str, texts: &[String]) -> BenchmarkGroup<'c, WallTime> {
    let mut group = criterion.benchmark_group(format!("{group}-{name}"));
    group.throughput(Throughput::Bytes(texts.iter().map(|text| text.len() as u64).sum()));
    group
}

/// The workloads of one group: jsonseam beside `IgnoredAny` on the same text, or on what it should become.
fn compare(criterion: &mut Criterion, of: Group) {
    for workload in workloads().iter().filter(|workload| workload.group == of) {
        let Workload { name, preset, .. } = *workload;
        let (texts, truths): (Vec<_>, Vec<_>) =
            workload.samples(BYTES).into_iter().map(|sample| (sample.text, sample.truth)).unzip();
        let pipeline = pipeline(preset);
        let mut group = group(criterion, of.as_str(), name, &texts);
        measure(&mut group, "ignored-any", &truths, |text| {
            usize::from(serde_json::from_str::<IgnoredAny>(text).is_ok())
        });
        measure(&mut group, "jsonseam", &texts, |text| repaired_len(&pipeline, text));
        group.finish();
    }
}

fn recognise(criterion: &mut Criterion) {
    compare(criterion, Group::Recognise);
}

fn locate(criterion: &mut Criterion) {
    compare(criterion, Group::Locate);
}

fn repair(criterion: &mut Criterion) {
    compare(criterion, Group::Repair);
}

fn refuse(criterion: &mut Criterion) {
    compare(criterion, Group::Refuse);
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "it is read into, as a caller would")]
struct Answer {
    summary: String,
    order: serde_json::Value,
    tags: Vec<String>,
    confidence: f64,
    reply: String,
}

fn contract(criterion: &mut Criterion) {
    let lines = contract_lines(BYTES / 4);
    let adapter =
        jsonseam::adapter().outputs(CONTRACT).schema("order", ORDER_SCHEMA).build().expect("the contract is valid");
    let mut group = group(criterion, "contract", "five-outputs", &lines);
    measure(&mut group, "struct", &lines, |text| {
        serde_json::from_str::<Answer>(text).map_or(0, |answer| answer.tags.len())
    });
    measure(&mut group, "jsonseam", &lines, |text| adapter.parse(text).map_or(0, |outputs| outputs.len()));
    group.finish();
}

/// A pipeline that two threads share, beside the same in one thread.
fn batch(criterion: &mut Criterion) {
    for (name, preset) in [("valid-lines", "strict"), ("broken-lines", "lenient")] {
        let texts = workload(name).expect("the workload exists").texts(BYTES);
        let pipeline = pipeline(preset);
        let mut group = group(criterion, "batch", name, &texts);
        let read = |texts: &[String]| texts.iter().map(|text| repaired_len(&pipeline, black_box(text))).sum::<usize>();
        group.bench_function("one-thread", |bencher| bencher.iter(|| read(&texts)));
        group.bench_function("jsonseam", |bencher| {
            bencher.iter(|| {
                thread::scope(|scope| {
                    let halves = texts.chunks(texts.len().div_ceil(2)).map(|half| scope.spawn(move || read(half)));
                    halves.collect::<Vec<_>>().into_iter().map(|half| half.join().unwrap_or(0)).sum::<usize>()
                })
            });
        });
        group.finish();
    }
}

criterion_group! {
    name = all;
    config = Criterion::default()
        .warm_up_time(Duration::from_millis(300))
        .measurement_time(Duration::from_secs(1))
        .sample_size(20);
    targets = recognise, locate, repair, contract, batch, refuse
}
criterion_main!(all);
