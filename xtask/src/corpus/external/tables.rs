//! The tables: by class, by rule, by risk.

use std::collections::{BTreeMap, BTreeSet};

use jsonseam::Risk;

use super::{Case, Column, Label};
use crate::score::{Answer, Tally};

/// All tables; the first `own` columns are presets.
pub(super) fn all(cases: &[Case], columns: &[Column], own: usize) -> String {
    let mut lines = by_class(cases, columns);
    let presets = columns.get(..own).unwrap_or_default();
    for column in presets {
        lines.push(String::new());
        lines.extend(by_rule(cases, column));
    }
    lines.push(String::new());
    lines.extend(by_risk(cases, presets));
    lines.push(String::new());
    lines.join("\n")
}

fn row(name: &str, total: u64, cells: impl Iterator<Item = String>) -> String {
    let cells: Vec<String> = cells.map(|cell| format!(" {cell:>14}")).collect();
    format!("{name:<24} {total:>5}{}", cells.concat())
}

fn by_class(cases: &[Case], columns: &[Column]) -> Vec<String> {
    let names = columns.iter().map(|column| format!(" {:>14}", column.name)).collect::<Vec<_>>().concat();
    let mut lines = vec![format!("{:<24} {:>5}{names}", "right/wrong/refused", "cases")];
    let classes: BTreeSet<&str> =
        cases.iter().filter(|case| case.is_decided()).map(|case| case.class.as_str()).collect();
    let mut add = |name: &str, is_meant: &dyn Fn(&Case) -> bool| {
        let total = cases.iter().filter(|case| is_meant(case)).count() as u64;
        if total > 0 {
            lines.push(row(name, total, columns.iter().map(|column| column.tally(cases, is_meant).to_string())));
        }
    };
    for class in classes {
        add(class, &|case| case.is_decided() && case.class == class);
    }
    add("all", &Case::is_decided);
    add("cut off (partial)", &|case| matches!(case.label, Label::Partial(_)));
    add("several payloads", &|case| matches!(case.label, Label::Several(_)));
    // Without a label nothing is right: what counts is how many were answered at all.
    let undecided = |case: &Case| matches!(case.label, Label::Undecided);
    let answered = columns.iter().map(|column| {
        let Tally { right, wrong, refused } = column.tally(cases, undecided);
        format!("{}/{refused}", right + wrong)
    });
    let total = cases.iter().filter(|case| undecided(case)).count() as u64;
    if total > 0 {
        lines.push(row("undecided: answered/not", total, answered));
    }
    lines
}

/// In how many cases each rule edited, how those were answered, and how many edits it made.
fn by_rule(cases: &[Case], column: &Column) -> Vec<String> {
    let mut rules: BTreeMap<&str, (u64, Tally)> = BTreeMap::new();
    for (_, scored) in cases.iter().zip(&column.scored).filter(|(case, _)| case.is_decided()) {
        for seam in &scored.seams {
            rules.entry(&seam.rule).or_default().0 += 1;
        }
        let names: BTreeSet<&str> = scored.seams.iter().map(|seam| seam.rule.as_str()).collect();
        for name in names {
            rules.entry(name).or_default().1.count(scored.answer);
        }
    }
    let head = format!("rules of {}", column.name);
    let mut lines = vec![format!("{head:<36} {:>6} {:>6} {:>6} {:>6}", "cases", "right", "wrong", "edits")];
    for (name, (edits, tally)) in rules {
        lines.push(format!("{name:<36} {:>6} {:>6} {:>6} {edits:>6}", tally.total(), tally.right, tally.wrong));
    }
    lines
}

/// By the highest risk of a case's edits: how the cases were answered, and how many edits they took.
fn by_risk(cases: &[Case], columns: &[Column]) -> Vec<String> {
    let mut lines = vec![format!(
        "{:<18} {:<10} {:>6} {:>6} {:>6} {:>15}",
        "preset", "risk", "cases", "right", "wrong", "edits per case"
    )];
    for column in columns {
        let risks = [None].into_iter().chain(Risk::ALL.iter().copied().map(Some));
        for risk in risks {
            let mut tally = Tally::default();
            let mut edits = 0;
            for (_, scored) in cases.iter().zip(&column.scored).filter(|(case, _)| case.is_decided()) {
                let highest = scored.seams.iter().map(|seam| seam.risk).max();
                if scored.answer != Answer::Refused && highest == risk {
                    tally.count(scored.answer);
                    edits += scored.seams.len() as u64;
                }
            }
            let tenths = edits * 10 / tally.total().max(1);
            lines.push(format!(
                "{:<18} {:<10} {:>6} {:>6} {:>6} {:>13}.{}",
                column.name,
                risk.map_or("no edit", Risk::as_str),
                tally.total(),
                tally.right,
                tally.wrong,
                tenths / 10,
                tenths % 10
            ));
        }
    }
    lines
}
