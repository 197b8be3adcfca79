//! The plain Rust loop that `jsonseam.arrow` is measured beside: `rows FILE` repairs every line of a file and prints the seconds it took.
//!
//! A line of the file is one completion. Each is repaired as `jsonseam batch` repairs it, and the results are kept as columns.

#![allow(clippy::print_stdout, reason = "a program that measures prints the figure")]

use std::error::Error;
use std::time::Instant;

use jsonseam::{Config, Root, Status, pipeline};

fn main() -> Result<(), Box<dyn Error>> {
    let path = std::env::args().nth(1).ok_or("usage: rows FILE")?;
    let text = std::fs::read_to_string(path)?;
    let rows: Vec<&str> = text.lines().collect();
    let config = Config::default().with_preset("standard").with_root(Root::Any);
    let pipeline = pipeline(&config)?;
    let start = Instant::now();
    let mut values = String::with_capacity(text.len());
    let mut edits = Vec::with_capacity(rows.len());
    let mut counts = [0_usize; 3];
    for row in &rows {
        match pipeline.repair(row) {
            Ok(repaired) => {
                counts[usize::from(repaired.status() == Status::Repaired)] += 1;
                edits.push(repaired.edits().len());
                values.push_str(repaired.text());
            }
            Err(_) => {
                counts[2] += 1;
                edits.push(0);
            }
        }
    }
    let seconds = start.elapsed().as_secs_f64();
    let [valid, repaired, refused] = counts;
    println!("{seconds:.6} {valid} {repaired} {refused} {}", values.len() + edits.len());
    Ok(())
}
