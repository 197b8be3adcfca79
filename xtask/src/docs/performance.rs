//! The page about speed: its words from `bench/performance.md`, its figures from what `cargo xtask bench` has kept.

pub(super) mod plot;

use std::fmt::Write as _;

use anyhow::Result;

use self::plot::{bars, curves};
use super::Page;
use crate::bench::{Damage, Figures, Hostile, Table, ratio};
use crate::workspace::Workspace;

const SOURCE: &str = "bench/performance.md";

/// The row with the times of contracts.
const CONTRACT: &str = "contract-five-outputs";

/// The page and its pictures.
pub(super) fn pages(workspace: &Workspace) -> Result<Vec<Page>> {
    let figures = Figures::read(workspace)?;
    let table = Table::read(workspace)?;
    let mut text = workspace.read(SOURCE)?;
    for (mark, part) in [
        ("{valid}", valid(&figures)),
        ("{peers}", peers(&figures)),
        ("{edits}", edits(&figures)),
        ("{instructions}", instructions(&table)),
        ("{steep}", steep(&table)),
        ("{goals}", goals(&figures)),
        ("{hostile}", hostile(&figures)),
        ("{contract}", contract(&figures)),
    ] {
        text = text.replace(mark, part.trim_end());
    }
    let speed: Vec<_> = figures
        .broken
        .iter()
        .take(1)
        .flat_map(|beside| {
            beside
                .peers
                .iter()
                .map(|peer| (format!("{} ({:.0} % right)", peer.who, beside.right(peer)), beside.speed(peer)))
        })
        .collect();
    let costs: Vec<_> = figures
        .edits
        .iter()
        .map(|edits| (edits.name.trim_start_matches("broken-").replace('-', " "), edits.nanoseconds / edits.edits))
        .collect();
    let series: Vec<_> =
        figures.hostile.iter().map(|series| (series.name.replace('-', " "), series.points.clone())).collect();
    Ok(vec![
        ("docs/performance.md".to_owned(), text),
        ("docs/performance-peers.svg".to_owned(), bars("Broken lines, MB/s", &speed)),
        ("docs/performance-edits.svg".to_owned(), bars("Nanoseconds an edit, by kind of damage", &costs)),
        ("docs/performance-hostile.svg".to_owned(), curves("Hostile texts: milliseconds over kilobytes", &series)),
    ])
}

fn valid(figures: &Figures) -> String {
    let mut text = String::from("| workload | speed, relative to `IgnoredAny` |\n|---|---|\n");
    for row in &figures.valid {
        if let Some(ratio) = row.ratio("jsonseam", "ignored-any").filter(|_| row.name.starts_with("valid-")) {
            let _ = writeln!(text, "| {} | {ratio:.2} |", row.name);
        }
    }
    text
}

fn contract(figures: &Figures) -> String {
    let mut text = String::from("| what | speed, relative to `serde_json` into a struct |\n|---|---|\n");
    let row = figures.valid.iter().find(|row| row.name == CONTRACT);
    for (who, what) in [
        ("jsonseam", "`parse`: five outputs, checked for missing, further and repeated keys"),
        ("with-schema", "the same, and a JSON Schema for one of them"),
        ("decoded", "`parse`, and its outputs decoded into that struct"),
    ] {
        if let Some(ratio) = row.and_then(|row| row.ratio(who, "struct")) {
            let _ = writeln!(text, "| {what} | {ratio:.2} |");
        }
    }
    text
}

fn peers(figures: &Figures) -> String {
    let mut text = String::from("| workload | library | MB/s | relative to jsonfix | right |\n|---|---|---|---|---|\n");
    for beside in &figures.broken {
        let of_jsonfix = beside.peers.iter().find(|peer| peer.who == "jsonfix").map_or(1.0, |peer| beside.speed(peer));
        for peer in &beside.peers {
            let (speed, right) = (beside.speed(peer), beside.right(peer));
            let _ = writeln!(
                text,
                "| {} | {} | {speed:.0} | {:.2} | {right:.1} % |",
                beside.name,
                peer.who,
                speed / of_jsonfix
            );
        }
    }
    text
}

fn edits(figures: &Figures) -> String {
    let mut text = String::from("| workload | edits in a text | nanoseconds an edit |\n|---|---|---|\n");
    for Damage { name, texts, edits, nanoseconds } in &figures.edits {
        let _ = writeln!(text, "| {name} | {:.1} | {:.0} |", edits / texts, nanoseconds / edits);
    }
    text
}

fn instructions(table: &Table) -> String {
    let mut text =
        format!("Counted with {}.\n\n| workload | preset | instructions a byte |\n|---|---|---|\n", table.key);
    for (name, &(bytes, count)) in &table.workloads {
        if let [_, name, preset] = name.split(' ').collect::<Vec<_>>()[..] {
            let preset = if preset == "IgnoredAny" { "`IgnoredAny`" } else { preset };
            let _ = writeln!(text, "| {name} | {preset} | {:.1} |", ratio(count, bytes));
        }
    }
    text
}

fn steep(table: &Table) -> String {
    let steep: Vec<_> = table.steep().map(|(name, ratio)| (name.trim_start_matches("family "), ratio)).collect();
    if table.families.is_empty() {
        return "They are not counted yet.".to_owned();
    }
    if steep.is_empty() {
        return "No family costs more than 2.10 times as much at twice the size.".to_owned();
    }
    let mut text = String::from("These cost more than 2.10 times as much at twice the size, and are known:\n\n");
    for (name, ratio) in steep {
        let _ = writeln!(text, "- {name}: {ratio:.2}");
    }
    text
}

/// The hostile families, the slowest first.
fn slowest<'f>(figures: &'f Figures, preset: &str) -> Vec<&'f Hostile> {
    let mut families: Vec<_> = figures.all_hostile.iter().filter(|family| family.preset == preset).collect();
    families.sort_by(|one, other| one.speed().total_cmp(&other.speed()));
    families
}

/// How many of the slowest families are named.
const SLOWEST: usize = 8;

fn hostile(figures: &Figures) -> String {
    let mut text =
        String::from("| preset | families | below 20 MB/s | the slowest, with their MB/s |\n|---|---|---|---|\n");
    for preset in ["standard", "lenient"] {
        let families = slowest(figures, preset);
        let below = families.iter().filter(|family| family.speed() < 20.0).count();
        let named: Vec<_> =
            families.iter().take(SLOWEST).map(|family| format!("{} {:.1}", family.name, family.speed())).collect();
        let _ = writeln!(text, "| `{preset}` | {} | {below} | {} |", families.len(), named.join(", "));
    }
    text
}

/// The goals, and what was reached.
fn goals(figures: &Figures) -> String {
    let row = |name: &str| figures.valid.iter().find(|row| row.name == name);
    let valid = |name: &str| row(name).and_then(|row| row.ratio("jsonseam", "ignored-any"));
    let slower = |name: &str, who: &str, than: &str| row(name).and_then(|row| row.ratio(who, than));
    let beside = |name: &str| {
        let beside = figures.broken.iter().find(|beside| beside.name == name)?;
        let speed = |who: &str| beside.peers.iter().find(|peer| peer.who == who).map(|peer| beside.speed(peer));
        Some(speed("jsonseam")? / speed("jsonfix")?)
    };
    let least_edit = figures.edits.iter().map(|edits| edits.nanoseconds / edits.edits).fold(f64::MAX, f64::min);
    let slowest = |preset: &str| slowest(figures, preset).first().map(|family| family.speed());
    let goals: [(&str, Option<f64>, f64, bool); 15] = [
        ("valid lines, times `IgnoredAny`", valid("valid-lines"), 1.3, true),
        ("valid tool calls", valid("valid-tool-calls"), 1.3, true),
        ("valid and pretty", valid("valid-pretty"), 1.5, true),
        ("valid numbers", valid("valid-numbers"), 1.1, true),
        ("valid long string", valid("valid-long-string"), 2.4, true),
        ("in a fence, times the bare payload's time", slower("fenced-lines", "valid", "jsonseam"), 1.7, false),
        ("in prose", slower("lines-in-prose", "valid", "jsonseam"), 1.7, false),
        ("broken lines, times jsonfix", beside("broken-lines"), 1.0, true),
        ("broken document, times jsonfix", beside("broken-pretty"), 2.5, true),
        ("1 MiB with one defect, times the valid time", slower("one-defect", "valid", "jsonseam"), 2.3, false),
        ("cheapest edit, in nanoseconds", Some(least_edit), 60.0, false),
        ("a refusal, times a repair", slower("refused-lines", "repair", "refusal"), 1.0, false),
        (
            "contract of five outputs, times `serde_json` into a struct",
            row(CONTRACT).and_then(|row| row.ratio("jsonseam", "struct")),
            0.9,
            true,
        ),
        ("slowest hostile family under `standard`, MB/s", slowest("standard"), 20.0, true),
        ("the same under `lenient`", slowest("lenient"), 20.0, true),
    ];
    let mut text = String::from("| goal | wanted | measured | reached |\n|---|---|---|---|\n");
    for (name, measured, wanted, is_least) in goals {
        let Some(measured) = measured else { continue };
        let is_reached = if is_least { measured >= wanted } else { measured <= wanted };
        let (sign, word) = (if is_least { "≥" } else { "≤" }, if is_reached { "yes" } else { "no" });
        let _ = writeln!(text, "| {name} | {sign} {wanted} | {measured:.2} | {word} |");
    }
    text
}
