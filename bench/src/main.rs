//! Measures jsonseam beside other libraries, in one process and in turns, and prints one JSON object.
//!
//! Each figure is the least of many rounds. In a round everyone reads the same texts once, so a busy machine slows all of them;
//! read the ratios, not the times. `cargo xtask bench --peers` starts this.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::time::{Duration, Instant};

use jsonseam::Pipeline;
use jsonseam_testkit::hostile::families;
use jsonseam_testkit::workloads::{CONTRACT, Group, ORDER_SCHEMA, Sample, contract_lines, workload, workloads};
use serde::Deserialize;
use serde::de::IgnoredAny;
use serde_json::{Value, json};

/// Bytes of each workload.
const BYTES: usize = 1 << 20;

/// How long everyone together takes turns with one workload.
const TURNS: Duration = Duration::from_millis(1_500);

/// Somebody who makes something of a text; `None` if nothing.
type Reader<'r> = (&'static str, Box<dyn Fn(&str) -> Option<String> + 'r>);

/// The least time of each reader for all texts, in nanoseconds, by taking turns.
fn race(texts: &[String], readers: &[(&str, &dyn Fn(&str) -> usize)]) -> BTreeMap<String, f64> {
    let mut least = vec![f64::MAX; readers.len()];
    let start = Instant::now();
    let mut rounds = 0;
    while rounds < 5 || start.elapsed() < TURNS {
        for ((_, read), least) in readers.iter().zip(&mut least) {
            let began = Instant::now();
            black_box(texts.iter().map(|text| read(black_box(text))).sum::<usize>());
            *least = least.min(began.elapsed().as_secs_f64() * 1e9);
        }
        rounds += 1;
    }
    readers.iter().zip(least).map(|((name, _), least)| ((*name).to_owned(), least)).collect()
}

fn ignored(text: &str) -> usize {
    usize::from(serde_json::from_str::<IgnoredAny>(text).is_ok())
}

fn len(pipeline: &Pipeline, text: &str) -> usize {
    pipeline.repair(text).map_or(0, |repaired| repaired.text().len())
}

fn pipeline(preset: &str) -> Pipeline {
    jsonseam::preset(preset).expect("the preset is built in")
}

fn bytes(texts: &[String]) -> usize {
    texts.iter().map(String::len).sum()
}

/// What gives the service nearest to ours: it finds a payload in prose, and its output is checked here.
const EXTRACT: &str = "jsonfix extract, checked";

/// The peers that repair, ourselves first.
fn repairers(pipeline: &Pipeline) -> Vec<Reader<'_>> {
    vec![
        ("jsonseam", Box::new(|text| pipeline.repair(text).ok().map(|repaired| repaired.into_text().into_owned()))),
        ("jsonfix", Box::new(|text| jsonfix::repair(text).ok())),
        (EXTRACT, Box::new(|text| jsonfix::repair_extract(text).ok().filter(|text| ignored(text) > 0))),
        ("jsonrepair-rs", Box::new(|text| jsonrepair_rs::jsonrepair(text).ok())),
        ("llm_json", Box::new(|text| llm_json::repair_json(text, &Default::default()).ok())),
    ]
}

/// Whether a text says what it should, white space and the order of members aside.
fn is_right(text: &str, truth: &Value) -> bool {
    serde_json::from_str::<Value>(text).is_ok_and(|value| value == *truth)
}

/// Speed and success of everyone on broken texts.
fn beside_peers(name: &str, samples: &[Sample], pipeline: &Pipeline) -> Value {
    let texts: Vec<_> = samples.iter().map(|sample| sample.text.clone()).collect();
    let truths: Vec<Value> =
        samples.iter().map(|sample| serde_json::from_str(&sample.truth).unwrap_or_default()).collect();
    let repairers = repairers(pipeline);
    let timed: Vec<(&str, Box<dyn Fn(&str) -> usize>)> = repairers
        .iter()
        .map(|(name, repair)| {
            (*name, Box::new(|text: &str| repair(text).map_or(0, |text| text.len())) as Box<dyn Fn(&str) -> usize>)
        })
        .collect();
    let readers: Vec<(&str, &dyn Fn(&str) -> usize)> = timed.iter().map(|(name, read)| (*name, &**read)).collect();
    let times = race(&texts, &readers);
    let rows: Vec<_> = repairers
        .iter()
        .map(|(who, repair)| {
            let right = texts
                .iter()
                .zip(&truths)
                .filter(|(text, truth)| repair(text).is_some_and(|text| is_right(&text, truth)));
            json!({"who": who, "nanoseconds": times[*who], "right": right.count()})
        })
        .collect();
    json!({"name": name, "bytes": bytes(&texts), "texts": texts.len(), "peers": rows})
}

/// What valid texts, found texts and contracts cost beside `serde_json`.
fn beside_serde() -> Vec<Value> {
    let mut rows = Vec::new();
    let mut row = |name: &str, texts: &[String], times: &BTreeMap<String, f64>| {
        rows.push(json!({"name": name, "bytes": bytes(texts), "texts": texts.len(), "times": times}));
    };
    for workload in workloads().iter().filter(|workload| matches!(workload.group, Group::Recognise | Group::Locate)) {
        let samples = workload.samples(BYTES);
        let texts: Vec<_> = samples.iter().map(|sample| sample.text.clone()).collect();
        let truths: BTreeMap<&str, &str> = samples.iter().map(|sample| (&*sample.text, &*sample.truth)).collect();
        let pipeline = pipeline(workload.preset);
        let only_valid = workload.group == Group::Recognise;
        let times = if only_valid {
            race(
                &texts,
                &[
                    ("ignored-any", &ignored),
                    ("jsonseam", &|text| len(&pipeline, text)),
                    ("check", &|text| usize::from(pipeline.check(text.as_bytes()).is_ok())),
                ],
            )
        } else {
            // The same payloads without what is around them.
            let bare: Vec<_> = texts.iter().map(|text| truths[&**text].to_owned()).collect();
            let mut times = race(&texts, &[("jsonseam", &|text| len(&pipeline, text))]);
            times.insert("valid".to_owned(), race(&bare, &[("valid", &|text| len(&pipeline, text))])["valid"]);
            times
        };
        row(workload.name, &texts, &times);
    }
    let lines = contract_lines(BYTES / 4);
    let outputs = || jsonseam::adapter().outputs(CONTRACT);
    let adapter = outputs().build().expect("the contract is valid");
    let with_schema = outputs().schema("order", ORDER_SCHEMA).build().expect("the contract is valid");
    let decoded = |text: &str| adapter.parse(text).ok()?.decode::<Answer>().ok();
    let times = race(
        &lines,
        &[
            ("struct", &|text| serde_json::from_str::<Answer>(text).map_or(0, |answer| answer.tags.len())),
            ("jsonseam", &|text| adapter.parse(text).map_or(0, |outputs| outputs.len())),
            ("decoded", &|text| decoded(text).map_or(0, |answer| answer.tags.len())),
            ("with-schema", &|text| with_schema.parse(text).map_or(0, |outputs| outputs.len())),
        ],
    );
    row("contract-five-outputs", &lines, &times);
    for name in ["broken-pretty", "one-defect"] {
        let [sample] = &workload(name).expect("the workload exists").samples(BYTES)[..] else { continue };
        let lenient = pipeline("lenient");
        let mut times = race(&[sample.text.clone()], &[("jsonseam", &|text| len(&lenient, text))]);
        times.extend(race(
            &[sample.truth.clone()],
            &[("valid", &|text| len(&lenient, text)), ("ignored-any", &ignored)],
        ));
        row(name, &[sample.text.clone()], &times);
    }
    let broken = workload("refused-lines").expect("the workload exists").texts(BYTES / 4);
    let (strict, lenient) = (pipeline("strict"), pipeline("lenient"));
    let refused: Vec<_> = broken.into_iter().filter(|text| strict.repair(text).is_err()).collect();
    let times = race(
        &refused,
        &[
            ("refusal", &|text| usize::from(strict.repair(text).is_err())),
            ("repair", &|text| usize::from(lenient.repair(text).is_ok())),
        ],
    );
    row("refused-lines", &refused, &times);
    rows
}

#[derive(Deserialize)]
#[expect(dead_code, reason = "it is read into, as a caller would")]
struct Answer {
    summary: String,
    order: Value,
    tags: Vec<String>,
    confidence: f64,
    reply: String,
}

/// The time of every hostile family at 1 MiB, by preset.
fn all_hostile() -> Vec<Value> {
    let mut all = Vec::new();
    for preset in ["standard", "lenient"] {
        let pipeline = pipeline(preset);
        for family in families() {
            let text = (family.make)(1 << 20);
            let times = (0..3).map(|_| {
                let began = Instant::now();
                black_box(len(&pipeline, black_box(&text)));
                began.elapsed().as_secs_f64() * 1e9
            });
            let nanoseconds = times.fold(f64::MAX, f64::min);
            all.push(json!({"preset": preset, "name": family.name, "bytes": text.len(), "nanoseconds": nanoseconds}));
        }
    }
    all
}

/// Lines of JSON, each with `text`, `truth` and, if there is more than one, the `set` that it is of: other texts than ours.
fn read_lines(path: &str) -> BTreeMap<String, Vec<Sample>> {
    let mut sets: BTreeMap<String, Vec<Sample>> = BTreeMap::new();
    for line in std::fs::read_to_string(path).expect("the file is readable").lines() {
        let record: Value = serde_json::from_str(line).expect("a line is JSON");
        let text = record["text"].as_str().expect("`text` is a string").to_owned();
        let sample = Sample { text, truth: record["truth"].to_string() };
        sets.entry(record["set"].as_str().unwrap_or("lines").to_owned()).or_default().push(sample);
    }
    sets
}

fn main() {
    let lenient = pipeline("lenient");
    let mut arguments = std::env::args().skip(1);
    let mut broken = Vec::new();
    if let Some(path) = arguments.next() {
        broken.extend(read_lines(&path).iter().map(|(set, samples)| beside_peers(set, samples, &lenient)));
        println!("{}", json!({"broken": broken}));
        return;
    }
    for name in ["broken-lines", "broken-pretty", "real-mix"] {
        let samples = workload(name).expect("the workload exists").samples(BYTES);
        broken.push(beside_peers(name, &samples, &lenient));
    }
    println!("{}", json!({"valid": beside_serde(), "broken": broken, "all_hostile": all_hostile()}));
}
