//! The speed of checking a contract beside `serde_json::from_str::<Value>`, which makes a value of the same lines and checks nothing.
//!
//! Both are measured in the same run, so that the ratio survives a busy machine.
//! `cargo xtask bench` runs this and compares the ratio with the target.

use std::hint::black_box;
use std::time::Duration;

use criterion::{BenchmarkId, Criterion, Throughput, criterion_group, criterion_main};
use jsonseam::Adapter;
use jsonseam_testkit::random::Random;
use serde_json::Value;

/// The schema of one of the five outputs.
const ORDER: &str = r#"{
    "type": "object",
    "properties": {
        "id": {"type": "integer", "minimum": 1},
        "express": {"type": "boolean"},
        "items": {"type": "array", "minItems": 1, "items": {
            "type": "object",
            "properties": {
                "sku": {"type": "string", "minLength": 5},
                "quantity": {"type": "integer", "minimum": 1, "maximum": 99},
                "price": {"type": "number", "exclusiveMinimum": 0}
            },
            "required": ["sku", "quantity", "price"],
            "additionalProperties": false
        }}
    },
    "required": ["id", "items"],
    "additionalProperties": false
}"#;

const WORDS: [&str; 12] = [
    "the",
    "parcel",
    "was",
    "left",
    "with",
    "a",
    "neighbour",
    "on",
    "Tuesday;",
    "please",
    "call \\\"Nord\\\"",
    "first",
];

fn words(count: usize, random: &mut Random) -> String {
    (0..count).map(|_| random.pick_text(&WORDS)).collect::<Vec<_>>().join(" ")
}

/// Valid lines of about 1 KiB with five outputs, as a model gives them that was asked for JSON.
fn lines() -> Vec<String> {
    let mut random = Random::new(5);
    (0..256)
        .map(|id| {
            let items: Vec<_> = (0..4)
                .map(|_| {
                    let (sku, quantity, price) = (random.below(9999), random.between(1, 99), random.between(1, 500));
                    format!("{{\"sku\": \"CBL-{sku}\", \"quantity\": {quantity}, \"price\": {price}.50}}")
                })
                .collect();
            let tags: Vec<_> = (0..6).map(|_| format!("\"{}\"", random.pick_text(&WORDS[..7]))).collect();
            format!(
                "{{\"summary\": \"{}\", \"order\": {{\"id\": {}, \"express\": {}, \"items\": [{}]}}, \
                 \"tags\": [{}], \"confidence\": 0.{:03}, \"reply\": \"{}\"}}",
                words(28, &mut random),
                id + 1,
                random.chance(1, 2),
                items.join(", "),
                tags.join(", "),
                random.below(1000),
                words(80, &mut random),
            )
        })
        .collect()
}

fn adapter() -> Adapter {
    jsonseam::adapter()
        .outputs(["summary", "order", "tags", "confidence", "reply"])
        .schema("order", ORDER)
        .build()
        .unwrap_or_else(|error| unreachable!("{error}"))
}

fn benches(criterion: &mut Criterion) {
    let (lines, adapter) = (lines(), adapter());
    let bytes: usize = lines.iter().map(String::len).sum();
    let mut group = criterion.benchmark_group("contract-1-kib-lines");
    group.throughput(Throughput::Bytes(bytes as u64));
    group.bench_with_input(BenchmarkId::from_parameter("value"), &lines, |bencher, lines| {
        bencher.iter(|| {
            let read = |line: &String| {
                serde_json::from_str::<Value>(black_box(line)).map_or(0, |value| usize::from(value.is_object()))
            };
            assert_eq!(lines.iter().map(read).sum::<usize>(), lines.len());
        });
    });
    group.bench_with_input(BenchmarkId::from_parameter("jsonseam"), &lines, |bencher, lines| {
        bencher.iter(|| {
            let read = |line: &String| adapter.parse(black_box(line)).map_or(0, |outputs| outputs.len());
            assert_eq!(lines.iter().map(read).sum::<usize>(), 5 * lines.len());
        });
    });
    group.finish();
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
