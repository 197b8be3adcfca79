//! The tables of docs/streaming.md about other libraries, from what `cargo xtask scoreboard --streams` has kept.

use std::fmt::Write;

use anyhow::{Context, Result};

use crate::scoreboard::streams::{Column, Counts, Figures};
use crate::workspace::Workspace;

/// What is around the tables.
const MARKS: [&str; 2] = ["<!-- streams: written by `cargo xtask docs` -->\n", "<!-- end of the streams -->\n"];

/// The groups of texts, in the order of the columns.
const GROUPS: [&str; 4] = ["valid", "broken", "fenced", "in prose"];

/// The page with the figures that are kept.
pub(super) fn with_tables(workspace: &Workspace, page: &str) -> Result<String> {
    let figures = Figures::read(workspace)?;
    let [start, end] = MARKS;
    let (before, rest) = page.split_once(start).with_context(|| format!("the page lacks the line {start}"))?;
    let (_, after) = rest.split_once(end).with_context(|| format!("the page lacks the line {end}"))?;
    let made = table(&figures, "", true);
    let real = table(&figures, ", real", false);
    let missing = if figures.missing.is_empty() {
        String::new()
    } else {
        format!("NOT RUN where the figures were taken: {}.\n\n", figures.missing.join(", "))
    };
    Ok(format!(
        "{before}{start}\n{made}\n{missing}On recorded answers of models, of which {} broken ones begin with a bracket:\n\n{real}\n{end}{after}",
        figures.texts.get("broken, real").copied().unwrap_or_default()
    ))
}

/// One line for each library; with how its time grows and how much it shows before the end, if that is asked for.
fn table(figures: &Figures, suffix: &str, is_whole: bool) -> String {
    let heads = GROUPS.map(|group| {
        let count = figures.texts.get(&format!("{group}{suffix}")).copied().unwrap_or_default();
        format!("{group} ({count})")
    });
    let mut out = "| library |".to_owned();
    if is_whole {
        out.push_str(" one string | rows |");
    }
    let _ = write!(out, " {} |", heads.join(" | "));
    if is_whole {
        let _ = write!(out, " shown in time (of {}) |", figures.meant);
    }
    let columns = 1 + GROUPS.len() + if is_whole { 3 } else { 0 };
    let _ = writeln!(out, "\n{}|", "|---".repeat(columns));
    for column in &figures.columns {
        let _ = writeln!(out, "{}", line(column, suffix, is_whole));
    }
    out
}

fn line(column: &Column, suffix: &str, is_whole: bool) -> String {
    let of = |group: &str| column.groups.get(&format!("{group}{suffix}")).copied().unwrap_or_default();
    let mut cells = vec![format!("{} {}", column.name, column.version)];
    if is_whole {
        cells.extend([growth(&column.string), growth(&column.rows)]);
    }
    cells.extend(GROUPS.map(|group| cell(of(group))));
    if is_whole {
        let Counts { right, wrong, .. } = of("broken");
        cells.push(format!("{right} / {wrong}"));
    }
    format!("| {} |", cells.join(" | "))
}

/// Taken back, refused, and what is rare.
fn cell(counts: Counts) -> String {
    let Counts { taken_back, refused, refused_late, crashed, .. } = counts;
    let late = if refused_late > 0 { format!(" ({refused_late})") } else { String::new() };
    let crashed = if crashed > 0 { format!(", {crashed} crashed") } else { String::new() };
    format!("{taken_back} / {refused}{late}{crashed}")
}

/// How many times longer each time is than the one before.
fn growth(times: &[Option<f64>]) -> String {
    let ratios = times.iter().zip(times.iter().skip(1)).map(|pair| match pair {
        (Some(one), Some(other)) => format!("×{:.1}", other / one.max(f64::MIN_POSITIVE)),
        _ => "over 20 s".to_owned(),
    });
    let mut ratios: Vec<String> = ratios.collect();
    ratios.dedup_by(|one, other| one == other && one.starts_with('o'));
    ratios.join(", ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn growth_is_shown_for_each_doubling_as_far_as_it_was_measured() {
        assert_eq!(growth(&[Some(1.0), Some(2.0), Some(8.0)]), "×2.0, ×4.0");
        assert_eq!(growth(&[Some(1.0), Some(4.0), None]), "×4.0, over 20 s");
        assert_eq!(growth(&[None, None, None]), "over 20 s");
    }

    #[test]
    fn a_cell_names_late_refusals_and_crashes_where_there_are_any() {
        let counts = Counts { taken_back: 1, refused: 5, ..Counts::default() };
        assert_eq!(cell(counts), "1 / 5");
        assert_eq!(cell(Counts { refused_late: 2, crashed: 3, ..counts }), "1 / 5 (2), 3 crashed");
    }
}
