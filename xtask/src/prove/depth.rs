//! Texts that nest a million levels deep, in a thread with a small stack: a result or a typed error, and no overflow, also in reports and drops.
//!
//! An overflow ends the process silently, so the campaign runs in a process of its own.

use std::process::Command;
use std::thread;

use anyhow::{Context, Result, anyhow};
use jsonseam::{Pipeline, Reason, Record, Root};

use super::Figures;
use crate::subjects;

const LEVELS: usize = 1_000_000;
const STACK_BYTES: usize = 256 << 10;

/// Runs the campaign in a process of its own.
pub(super) fn run(_: bool) -> Result<Figures> {
    let program = std::env::current_exe().context("this program has a path")?;
    let output = Command::new(program)
        .args(["prove", "--depth-alone"])
        .output()
        .context("cannot start the process for the campaign of depth")?;
    let text = String::from_utf8_lossy(&output.stdout);
    let mut figures = Figures { texts: texts().len() as u64, ..Figures::default() };
    if output.status.success() {
        let last = text.lines().last().unwrap_or_default();
        last.trim_start_matches("PASS ").clone_into(&mut figures.counted);
    } else {
        let errors = String::from_utf8_lossy(&output.stderr);
        let all: Vec<_> = text.lines().chain(errors.lines()).take(10).collect();
        figures.complain(|| format!("{}: {}", output.status, all.join("; ")));
    }
    Ok(figures)
}

/// Runs the campaign in this process.
pub(super) fn alone() -> Result<Figures> {
    let mut pipelines = Vec::new();
    for root in [Root::Object, Root::Any] {
        for (name, pipeline) in subjects::presets(root)? {
            pipelines.push((format!("{name}, root {root}"), pipeline));
        }
    }
    let kinds = pipelines.len();
    thread::Builder::new()
        .stack_size(STACK_BYTES)
        .spawn(move || {
            let mut figures = Figures::default();
            let (mut accepted, mut limited, mut refused) = (0, 0, 0);
            for (family, text) in texts() {
                for (name, pipeline) in &pipelines {
                    figures.texts += 1;
                    match report(pipeline, &text) {
                        Ok(None) => accepted += 1,
                        Ok(Some(Reason::LimitExceeded)) => limited += 1,
                        Ok(Some(_)) => refused += 1,
                        Err(error) => figures.complain(|| format!("{family}, {name}: {error}")),
                    }
                }
            }
            figures.counted = format!(
                "{kinds} presets and roots: {limited} limit_exceeded, {refused} refused otherwise, {accepted} accepted"
            );
            figures
        })
        .context("cannot start a thread")?
        .join()
        .map_err(|_| anyhow!("a panic"))
}

/// Repairs the text and makes every report there is; says why it was refused, if it was.
fn report(pipeline: &Pipeline, text: &str) -> Result<Option<Reason>> {
    let result = pipeline.repair(text);
    serde_json::to_string(&Record::new(&result))?;
    let reason = match &result {
        Ok(repaired) => {
            drop((repaired.paths(), repaired.incomplete(), repaired.revert()));
            drop(format!("{repaired:?}"));
            None
        }
        Err(error) => {
            drop(format!("{error} {error:?}"));
            Some(error.reason())
        }
    };
    Ok(reason)
}

/// The texts: open, closed and mixed, bare and in what surrounds payloads.
fn texts() -> Vec<(String, String)> {
    let closed =
        |open: &str, middle: &str, close: &str| format!("{}{middle}{}", open.repeat(LEVELS), close.repeat(LEVELS));
    let bare = [
        ("open arrays", "[".repeat(LEVELS)),
        ("open objects", "{\"a\":".repeat(LEVELS)),
        ("open and mixed", "{\"a\":[".repeat(LEVELS / 2)),
        ("open braces", "{".repeat(LEVELS)),
        ("closed arrays", closed("[", "", "]")),
        ("closed objects", closed("{\"a\":", "1", "}")),
        ("closed and mixed", closed("[{\"a\":", "1", "}]")),
        ("closed with commas", closed("{\"a\":[", "1,", ",],}")),
        ("closers alone", "}]".repeat(LEVELS / 2)),
        ("a string of brackets", format!("{{\"a\": \"{}\",}}", "[{".repeat(LEVELS / 2))),
    ];
    let around: [(&str, &str, &str); 5] = [
        ("", "", ""),
        (" in a fence", "Here:\n```json\n", "\n```\n"),
        (" in an open fence", "```\n", ""),
        (" in prose", "Sure! {\"a\": 1} and ", " done."),
        (" in a token", "<tool_call>", "</tool_call>"),
    ];
    let mut texts = Vec::new();
    for (what, text) in &bare {
        for (place, before, after) in around {
            texts.push((format!("{what}{place}"), format!("{before}{text}{after}")));
        }
    }
    texts
}
