//! Repairs sets of texts by the public `repair`, from a crate outside the workspace.
//!
//! The first argument is a file of JSON lines with `set`, `reader` and `text`, the lines of a set one after the other. For each line of the
//! input, the number of a set, one round over that set is timed and its nanoseconds are printed: who starts two builds of this takes turns.
//! With a second argument, every set is read once within [`counted_section`], for callgrind, and nothing is timed.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::{BufRead, Write, stdin, stdout};
use std::time::Instant;

use jsonseam::Pipeline;
use serde::de::IgnoredAny;
use serde_json::Value;

/// A round reads a set again until it has read so many bytes: a clock says little about a few microseconds.
const BYTES_OF_A_ROUND: usize = 512 << 10;

/// Texts, and who reads them.
struct Set {
    name: String,
    reader: String,
    texts: Vec<String>,
}

impl Set {
    fn bytes(&self) -> usize {
        self.texts.iter().map(String::len).sum()
    }
}

fn read_sets(path: &str) -> Vec<Set> {
    let file = std::fs::read_to_string(path).expect("the file is readable");
    let mut sets: Vec<Set> = Vec::new();
    for line in file.lines() {
        let record: Value = serde_json::from_str(line).expect("a line is JSON");
        let member = |name: &str| record[name].as_str().expect("a member is a string").to_owned();
        let (name, reader, text) = (member("set"), member("reader"), member("text"));
        match sets.last_mut() {
            Some(set) if set.name == name && set.reader == reader => set.texts.push(text),
            _ => sets.push(Set { name, reader, texts: vec![text] }),
        }
    }
    sets
}

/// What is counted: nothing outside of it is.
#[inline(never)]
fn counted_section(work: &mut dyn FnMut()) {
    work();
    // A last call would be a jump, and the function left too early.
    black_box(());
}

/// Where callgrind dumps what it has counted. It cannot do so at the function that it counts in.
#[inline(never)]
fn after_counting() {
    black_box(());
}

fn main() {
    let mut arguments = std::env::args().skip(1);
    let sets = read_sets(&arguments.next().expect("the first argument is a file"));
    let preset = |name: &'static str| (name, jsonseam::preset(name).expect("the preset is built in"));
    let presets: BTreeMap<&str, Pipeline> = ["strict", "standard", "lenient"].map(preset).into();
    let read = |set: &Set| match presets.get(&*set.reader) {
        Some(pipeline) => {
            set.texts.iter().map(|text| pipeline.repair(black_box(text)).map_or(0, |it| it.text().len())).sum()
        }
        None => set.texts.iter().filter(|text| serde_json::from_str::<IgnoredAny>(black_box(text)).is_ok()).count(),
    };
    let mut out = stdout().lock();
    if arguments.next().is_some() {
        for set in &sets {
            black_box(read(set));
            counted_section(&mut || {
                black_box(read(set));
            });
            after_counting();
        }
        return;
    }
    for line in stdin().lock().lines() {
        let number: usize = line.expect("the input is text").parse().expect("a line is a number");
        let set = &sets[number];
        let times = BYTES_OF_A_ROUND.div_ceil(set.bytes());
        let start = Instant::now();
        for _ in 0..times {
            black_box(read(set));
        }
        let nanoseconds = start.elapsed().as_secs_f64() * 1e9 / f64::from(u32::try_from(times).unwrap_or(u32::MAX));
        writeln!(out, "{nanoseconds}").and_then(|()| out.flush()).expect("the output is open");
    }
}
