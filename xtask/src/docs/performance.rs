//! The page about speed: its words from `bench/performance.md`, its figures from what `cargo xtask bench` has kept.

pub(super) mod plot;

use std::fmt::Write as _;

use anyhow::Result;

use self::plot::bars;
use super::Page;
use crate::bench::{Batches, Beside, Figures, Goals, Hostile, Languages, SIZES, Table, ratio};
use crate::workspace::Workspace;

const SOURCE: &str = "bench/performance.md";

/// The peer whose service is nearest to ours, as `bench/` names it.
const EXTRACT: &str = "jsonfix extract, checked";

/// The row with the times of contracts.
const CONTRACT: &str = "contract-five-outputs";

/// The page and its pictures.
pub(super) fn pages(workspace: &Workspace) -> Result<Vec<Page>> {
    let figures = Figures::read(workspace)?;
    let table = Table::read(workspace)?;
    let base = Goals::read(workspace)?;
    let (batches, others) = (Batches::read(workspace)?, Languages::read(workspace)?);
    let mut text = workspace.read(SOURCE)?;
    for (mark, part) in [
        ("{valid}", valid(&figures)),
        ("{peers}", peers(&figures)),
        ("{instructions}", instructions(&table)),
        ("{steep}", steep(&table)),
        ("{goals}", goals(&figures, &base)? + &goals_around(&batches, &others)),
        ("{languages}", languages(&others)),
        ("{kinds}", kinds(&base)?),
        ("{hostile}", hostile(&figures)),
        ("{contract}", contract(&figures)),
    ] {
        text = text.replace(mark, part.trim_end());
    }
    let speed: Vec<_> = figures
        .broken
        .iter()
        .filter(|beside| beside.name == "real-mix")
        .flat_map(|beside| {
            beside
                .peers
                .iter()
                .map(|peer| (format!("{} ({:.0} % right)", peer.who, beside.right(peer)), beside.speed(peer)))
        })
        .collect();
    Ok(vec![
        ("docs/performance.md".to_owned(), text),
        ("docs/performance-peers.svg".to_owned(), bars("The mix that users have, MB/s", &speed)),
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
        let of_jsonfix = beside.peer("jsonfix").map_or(1.0, |peer| beside.speed(peer));
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
fn goals(figures: &Figures, base: &Goals) -> Result<String> {
    let row = |name: &str| figures.valid.iter().find(|row| row.name == name);
    let beside =
        |name: &str, who: &str| figures.broken.iter().find(|beside| beside.name == name)?.times("jsonseam", who);
    let mut rows = vec![
        Goal::least("the mix that users have, times the base: the least of five seeds", 2.0, base.mix()),
        Goal::least("the same, times `jsonfix::repair_extract` and a check", 3.0, beside("real-mix", EXTRACT)),
    ];
    for (size, fenced) in [(SIZES[0].0, 1.5), (SIZES[1].0, 1.2)] {
        for (kind, wanted) in [("fence", fenced), ("fence-with-markup", fenced), ("prose", 1.5)] {
            let what = format!("{}, {size}, times the bare payload", kind.replace('-', " "));
            rows.push(Goal::most(what, wanted, Some(base.times(&format!("{size} {kind}"), &format!("{size} valid"))?)));
        }
    }
    let lines = 1.0 / base.times("valid-lines", "valid-lines IgnoredAny")?;
    rows.push(Goal::least("valid lines from a crate of their own, times `IgnoredAny`", 1.3, Some(lines)));
    for (size, one, several) in [(SIZES[0].0, 2.5, 4.0), (SIZES[1].0, 1.8, 2.5)] {
        for (defect, has_readings) in base.defects(size) {
            let what = format!("{}, {size}, times `IgnoredAny` on the valid text", defect.replace('-', " "));
            let worst = base.worst(size, defect)?;
            rows.push(Goal::most(what, if has_readings { several } else { one }, Some(worst)));
        }
    }
    rows.push(Goal::least(
        "broken lines, times `jsonfix::repair_extract` and a check",
        1.0,
        beside("broken-lines", EXTRACT),
    ));
    rows.push(Goal::least("broken lines, times jsonfix", 0.3, beside("broken-lines", "jsonfix")));
    let contract = row(CONTRACT).and_then(|row| row.ratio("jsonseam", "struct"));
    rows.push(Goal::least("contract of five outputs, times `serde_json` into a struct", 0.9, contract));
    let mut text = String::from("| goal | wanted | measured | reached |\n|---|---|---|---|\n");
    for goal in &rows {
        goal.write(&mut text);
    }
    Ok(text)
}

/// The goals of what is built on the library: the batch and the bindings.
fn goals_around(batches: &Batches, others: &Languages) -> String {
    let mut rows = Vec::new();
    for set in ["valid-lines", "real-mix", "broken-lines"] {
        let what = format!("`batch`, {set}, for each processor, times one thread of the library");
        rows.push(Goal::least(&what, 0.8, batches.of_a_processor(set)));
    }
    let cut = "`batch`, one cut line in ten, times none";
    rows.push(Goal::most(cut.to_owned(), 1.3, batches.cut()));
    let least = |sets: &[Beside], who: &str, than: &str, is_wanted: &dyn Fn(&str) -> bool| {
        let wanted = sets.iter().filter(|beside| is_wanted(&beside.name));
        wanted.filter_map(|beside| beside.times(who, than)).reduce(f64::min)
    };
    let is_single = |name: &str| !matches!(name, "valid" | "real-mix" | "broken-lines" | MANY);
    let python = |who, than, is_wanted: &dyn Fn(&str) -> bool| least(&others.python, who, than, is_wanted);
    let (ours, theirs) = ("jsonseam", "fast_json_repair");
    let what = "Python, `loads`, 1 KiB with one fault of the dearest kind, times fast_json_repair";
    rows.push(Goal::least(what, 1.5, python(ours, theirs, &is_single)));
    let what = "Python, `loads`, 1 KiB with many faults, times fast_json_repair";
    rows.push(Goal::least(what, 1.0, python(ours, theirs, &|name| name == MANY)));
    let compat = python("jsonseam.compat", ours, &is_single).map(f64::recip);
    rows.push(Goal::most("Python, time of the compat face, times `loads`".to_owned(), 1.2, compat));
    let face = least(&others.node, "jsonseam/jsonrepair", "jsonrepair", &|name| name == MANY);
    rows.push(Goal::least("Node, the face of jsonrepair, 1 KiB with many faults, times jsonrepair", 2.0, face));
    let mut text = String::new();
    for goal in rows {
        goal.write(&mut text);
    }
    text
}

/// What a text with one fault or more costs beside what a user would pick instead, by language.
fn languages(others: &Languages) -> String {
    const COLUMNS: [(&str, &str, &str); 5] = [
        ("Rust: jsonfix, extracted and checked", "jsonseam", EXTRACT),
        ("Rust: jsonrepair-rs", "jsonseam", "jsonrepair-rs"),
        ("Python: json_repair", "jsonseam", "json_repair"),
        ("Python: fast_json_repair", "jsonseam", "fast_json_repair"),
        ("Node: jsonrepair", "jsonseam/jsonrepair", "jsonrepair"),
    ];
    let titles: Vec<_> = COLUMNS.iter().map(|(title, ..)| *title).collect();
    let mut text = format!("| text | {} |\n|---|{}\n", titles.join(" | "), "---|".repeat(COLUMNS.len()));
    for set in &others.rust {
        let _ = write!(text, "| {} |", set.name.replace('-', " "));
        for (title, who, than) in COLUMNS {
            let sets = match title.split(':').next() {
                Some("Python") => &others.python,
                Some("Node") => &others.node,
                _ => &others.rust,
            };
            let cell = sets.iter().find(|beside| beside.name == set.name).and_then(|beside| {
                let right = |who: &str| beside.peer(who).map(|peer| beside.right(peer));
                Some(format!("{:.1} ({:.0} / {:.0})", beside.times(who, than)?, right(who)?, right(than)?))
            });
            let _ = write!(text, " {} |", cell.unwrap_or_default());
        }
        text.push('\n');
    }
    text
}

/// The set of texts with a fault in almost every line, each of one reading.
const MANY: &str = "many-faults";

/// A row of the goals.
struct Goal {
    what: String,
    wanted: f64,
    measured: Option<f64>,
    is_least: bool,
}

impl Goal {
    fn least(what: &str, wanted: f64, measured: Option<f64>) -> Self {
        Self { what: what.to_owned(), wanted, measured, is_least: true }
    }

    fn most(what: String, wanted: f64, measured: Option<f64>) -> Self {
        Self { what, wanted, measured, is_least: false }
    }

    fn write(&self, text: &mut String) {
        let Self { what, wanted, is_least, .. } = self;
        let Some(measured) = self.measured else { return };
        let is_reached = if *is_least { measured >= *wanted } else { measured <= *wanted };
        let (sign, word) = (if *is_least { "≥" } else { "≤" }, if is_reached { "yes" } else { "no" });
        let _ = writeln!(text, "| {what} | {sign} {wanted} | {measured:.2} | {word} |");
    }
}

/// What a user pays for each kind of text, and what the older build took.
fn kinds(base: &Goals) -> Result<String> {
    let mut text = format!(
        "| text | MB/s | times `IgnoredAny` on the valid text | times as fast as {} | instructions a byte | then |\n|---|---|---|---|---|---|\n",
        base.base
    );
    for (name, figure) in base.sets.iter().filter(|(name, _)| !name.ends_with("IgnoredAny")) {
        let size = SIZES.iter().find(|(size, _)| name.starts_with(size));
        let times = size.map(|(size, _)| base.times(name, &format!("{size} IgnoredAny"))).transpose()?;
        let times = times.map_or_else(String::new, |times| format!("{times:.2}"));
        let (now, then) = (&figure.now, &figure.base);
        let _ = writeln!(
            text,
            "| {name} | {:.0} | {times} | {:.2} | {:.1} | {:.1} |",
            figure.speed(),
            then.nanoseconds / now.nanoseconds,
            ratio(now.instructions, figure.bytes as u64),
            ratio(then.instructions, figure.bytes as u64)
        );
    }
    Ok(text)
}
