//! Runs workloads and hostile families, each within one call of [`counted_section`], for a tool that counts instructions.
//!
//! `cargo xtask bench --instructions` runs it under callgrind, which counts within that function and dumps its count at each call of
//! [`after_counting`], and compares the counts with a table.
//! It prints what each call was, in order: kind, name, preset, bytes.

use std::collections::BTreeMap;
use std::hint::black_box;
use std::io::{self, Write};

use jsonseam::Pipeline;
use jsonseam_testkit::hostile::families;
use jsonseam_testkit::workloads::{CONTRACT, Group, ORDER_SCHEMA, contract_lines, workloads};
use serde::de::IgnoredAny;

/// Bytes of each workload.
const WORKLOAD: usize = 64 << 10;

/// Bytes of each hostile text; a second one has twice as many.
const HOSTILE: usize = 4 << 10;

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

/// Does the work once on a sample, so that what is set up once is not counted, and then counted on everything.
fn count(label: &str, texts: &[String], mut work: impl FnMut(&str)) -> io::Result<()> {
    texts.iter().take(1).for_each(|text| work(text));
    counted_section(&mut || texts.iter().for_each(|text| work(black_box(text))));
    after_counting();
    let bytes: usize = texts.iter().map(String::len).sum();
    writeln!(io::stdout(), "{label} {bytes}")
}

fn main() -> io::Result<()> {
    let preset = |name: &'static str| (name, jsonseam::preset(name).expect("the preset is built in"));
    let presets: BTreeMap<&str, Pipeline> = ["strict", "standard", "lenient"].map(preset).into();
    let repair = |preset: &str, text: &str| {
        black_box(presets[preset].repair(text).map_or(0, |repaired| repaired.text().len()));
    };
    for workload in workloads() {
        let texts = workload.texts(WORKLOAD);
        count(&format!("workload {} {}", workload.name, workload.preset), &texts, |text| {
            repair(workload.preset, text);
        })?;
        if workload.group == Group::Recognise {
            count(&format!("beside {} IgnoredAny", workload.name), &texts, |text| {
                black_box(serde_json::from_str::<IgnoredAny>(text).is_ok());
            })?;
        }
    }
    let adapter =
        jsonseam::adapter().outputs(CONTRACT).schema("order", ORDER_SCHEMA).build().expect("the contract is valid");
    count("workload contract-lines strict", &contract_lines(WORKLOAD), |text| {
        black_box(adapter.parse(text).map_or(0, |outputs| outputs.len()));
    })?;
    for family in families() {
        // The sample that is not counted is small, or it would take as long again.
        repair("lenient", &(family.make)(256));
        for bytes in [HOSTILE, 2 * HOSTILE] {
            let text = (family.make)(bytes);
            counted_section(&mut || repair("lenient", black_box(&text)));
            after_counting();
            writeln!(io::stdout(), "family {} lenient {}", family.name, text.len())?;
        }
    }
    Ok(())
}
