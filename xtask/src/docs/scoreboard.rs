//! The page of the scoreboard: its words from `bench/scoreboard.md`, its figures from what `cargo xtask scoreboard` has kept.

use std::fmt::Write as _;

use anyhow::{Context, Result};

use super::Page;
use super::performance::plot::shares;
use crate::score::share;
use crate::scoreboard::{Column, Counts, Figures};
use crate::workspace::Workspace;

const SOURCE: &str = "bench/scoreboard.md";
const README: &str = "README.md";

/// Around the short table of the README.
const MARKS: (&str, &str) = ("<!-- scoreboard -->\n", "<!-- /scoreboard -->");

/// The groups of texts that are broken and whose meaning is known.
const BROKEN: [&str; 4] = ["damaged", "cut off", "bug reports", "real output"];

/// The rows of the README's table.
const SHORT: [&str; 8] = [
    "jsonseam standard",
    "jsonseam lenient",
    "json_repair",
    "jsonrepair",
    "fast_json_repair",
    "jsonfix extract",
    "jsonrepair-rs",
    "llm_json",
];

/// A peer is ahead on a kind of damage from so many texts on: fewer say nothing.
const AHEAD: u64 = 3;

/// The page, its picture, and the README with its table.
pub(super) fn pages(workspace: &Workspace) -> Result<Vec<Page>> {
    let figures = Figures::read(workspace)?;
    let mut text = workspace.read(SOURCE)?;
    for (mark, part) in [
        ("{table}", table(&figures, |_| true)),
        ("{groups}", groups(&figures)),
        ("{texts}", texts(&figures)),
        ("{ahead}", ahead(&figures)),
        ("{missing}", missing(&figures)),
    ] {
        text = text.replace(mark, part.trim_end());
    }
    let bars: Vec<_> = figures
        .columns
        .iter()
        .map(|column| {
            let Counts { right, wrong, refused, .. } = broken(column);
            (column.name.clone(), [right, wrong, refused])
        })
        .collect();
    let title = "Broken texts: right, silently wrong, refused";
    let short = table(&figures, |column| SHORT.contains(&column.name.as_str()));
    Ok(vec![
        ("docs/scoreboard.md".to_owned(), text),
        ("docs/scoreboard.svg".to_owned(), shares(title, &bars)),
        (README.to_owned(), with_table(&workspace.read(README)?, &format!("{}\n\n{short}", in_short(&figures)))?),
    ])
}

fn with_table(readme: &str, table: &str) -> Result<String> {
    let (before, rest) = readme.split_once(MARKS.0).context("README.md has no place for the scoreboard")?;
    let (_, after) = rest.split_once(MARKS.1).context("README.md has no end of the scoreboard")?;
    Ok(format!("{before}{}{table}{}{after}", MARKS.0, MARKS.1))
}

/// How often each of the best known is silently wrong, in a sentence.
fn in_short(figures: &Figures) -> String {
    let column = |name: &str| figures.columns.iter().find(|column| column.name == name);
    let wrong = |name: &str| {
        let counts = column(name).map(broken).unwrap_or_default();
        format!("{} %", share(counts.wrong, counts.total()))
    };
    let texts = column(SHORT[0]).map(broken).unwrap_or_default().total();
    format!(
        "Of {texts} broken texts its preset `standard` reads {} silently wrong and `lenient` {}; json_repair {}, jsonrepair {} and fast_json_repair {}.",
        wrong("jsonseam standard"),
        wrong("jsonseam lenient"),
        wrong("json_repair"),
        wrong("jsonrepair"),
        wrong("fast_json_repair"),
    )
}

/// The counts over all broken texts.
fn broken(column: &Column) -> Counts {
    let mut all = Counts::default();
    for group in BROKEN {
        all.add(of(column, group));
    }
    all
}

fn of(column: &Column, group: &str) -> Counts {
    column.groups.get(group).copied().unwrap_or_default()
}

/// One line for each library.
fn table(figures: &Figures, is_wanted: impl Fn(&Column) -> bool) -> String {
    let mut out = String::from(
        "| library | right | silently wrong | refused | cut, not marked | JSON made of prose | valid answers changed | awkward documents changed | crashes | µs a text |\n\
         |---|---|---|---|---|---|---|---|---|---|\n",
    );
    for column in figures.columns.iter().filter(|column| is_wanted(column)) {
        let (all, cut) = (broken(column), of(column, "cut off"));
        let changed = |group: &str| {
            let Counts { wrong, refused, .. } = of(column, group);
            format!("{} of {}", wrong + refused, of(column, group).total())
        };
        let percent = |part| format!("{} %", share(part, all.total()));
        let crashed: u64 = column.groups.values().map(|counts| counts.crashed).sum();
        let answered = cut.right + cut.wrong;
        let _ = writeln!(
            out,
            "| {} {} | {} | {} | {} | {} of {answered} | {} of {} | {} | {} | {crashed} | {:.1} |",
            column.name,
            column.version,
            percent(all.right),
            percent(all.wrong),
            percent(all.refused),
            answered - cut.marked,
            of(column, "no JSON").wrong,
            of(column, "no JSON").total(),
            changed("valid"),
            changed("valid, awkward"),
            column.microseconds,
        );
    }
    out
}

/// Right, wrong and refused of each group.
fn groups(figures: &Figures) -> String {
    let shown = |group: &str, column: &Column| {
        let Counts { right, wrong, refused, .. } = of(column, group);
        format!("{right} / {wrong} / {refused}")
    };
    let mut out = format!("| library | {} |\n|---{}|\n", BROKEN.join(" | "), "|---".repeat(BROKEN.len()));
    for column in &figures.columns {
        let cells: Vec<String> = BROKEN.iter().map(|group| shown(group, column)).collect();
        let _ = writeln!(out, "| {} | {} |", column.name, cells.join(" | "));
    }
    out
}

fn texts(figures: &Figures) -> String {
    let counted = figures.texts.iter().map(|(group, count)| format!("{count} {group}"));
    counted.collect::<Vec<_>>().join(", ")
}

/// The kinds of damage on which a peer gets more texts right than a preset of ours.
fn ahead(figures: &Figures) -> String {
    let is_ours = |column: &&Column| column.name.starts_with("jsonseam ");
    let mut out = String::from(
        "| kind of damage | texts | standard: right / wrong | lenient: right / wrong | ahead of `standard` |\n|---|---|---|---|---|\n",
    );
    let find = |name: &str| figures.columns.iter().find(|column| column.name == name);
    let (Some(standard), Some(lenient)) = (find("jsonseam standard"), find("jsonseam lenient")) else { return out };
    let mut rows: Vec<(u64, String)> = Vec::new();
    for (kind, ours) in &standard.kinds {
        let of = |column: &Column| column.kinds.get(kind).copied().unwrap_or_default();
        let peers = figures.columns.iter().filter(|column| !is_ours(column));
        let mut better: Vec<(Counts, &str)> = peers
            .map(|column| (of(column), column.name.as_str()))
            .filter(|(counts, _)| counts.right >= ours.right + AHEAD)
            .collect();
        better.sort_by_key(|(counts, name)| (std::cmp::Reverse(counts.right), *name));
        if let Some((best, _)) = better.first() {
            let rich = of(lenient);
            let names = better.iter().map(|(counts, name)| format!("{name} {} / {}", counts.right, counts.wrong));
            let row = format!(
                "| `{kind}` | {} | {} / {} | {} / {} | {} |",
                ours.total(),
                ours.right,
                ours.wrong,
                rich.right,
                rich.wrong,
                names.collect::<Vec<_>>().join(", ")
            );
            rows.push((best.right - ours.right, row));
        }
    }
    rows.sort_by(|one, other| other.cmp(one));
    for (_, row) in rows {
        out.push_str(&row);
        out.push('\n');
    }
    out
}

fn missing(figures: &Figures) -> String {
    if figures.missing.is_empty() {
        return "Every library with a file in `bench/peers/` answered.".to_owned();
    }
    format!("These did not answer where the figures were taken: {}.", figures.missing.join(", "))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_takes_its_place_and_nothing_else() {
        let readme = "a\n<!-- scoreboard -->\nold\n<!-- /scoreboard -->\nb\n";
        let with = with_table(readme, "new\n").expect("it has the marks");
        assert_eq!(with, "a\n<!-- scoreboard -->\nnew\n<!-- /scoreboard -->\nb\n");
        assert!(with_table("a", "new").is_err());
    }
}
