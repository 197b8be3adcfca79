//! Counts of reads: how often each byte of a text is read, by the counters of `Work`. They are the same on every machine and in every build.
//!
//! `bench/reads.tsv` holds what each kind of text takes. A goal is what it should take: one that is missed is shown, and what is held keeps it from
//! getting worse.

mod kinds;

use std::collections::BTreeMap;
use std::fmt::Write as _;

use anyhow::{Context, Result, bail};
use jsonseam::{Pipeline, Root, Status};
use jsonseam_testkit::damage::compact;

use self::kinds::{KINDS, Kind, SIZES, Source, Text};
use crate::reads::{Reads, shown};
use crate::subjects;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

const TABLE: &str = "bench/reads.tsv";

/// By how much the reads of a kind may grow without a change of the table, in hundredths.
const GROWTH: u64 = 1;

/// One kind of text at one size.
struct Row {
    kind: &'static Kind,
    size: &'static str,
    texts: u64,
    reads: Reads,
    /// The outcomes that it should not have.
    others: BTreeMap<String, u64>,
}

/// What is held, by kind and size.
type Held = BTreeMap<String, Reads>;

/// Counts, and compares with the table or writes it.
pub(super) fn run(workspace: &Workspace, is_blessed: bool) -> Result<Verdict> {
    let held = read(&workspace.read(TABLE).unwrap_or_default())?;
    let rows = rows()?;
    println!("{}", table(&rows, &held));
    let grown = complaints(&rows, &held);
    let unexpected: Vec<_> = rows.iter().flat_map(Row::unexpected).collect();
    if is_blessed && unexpected.is_empty() {
        for change in &grown {
            println!("{change}");
        }
        workspace.write(TABLE, written(&rows))?;
        println!("wrote {TABLE}");
        return Ok(Verdict::pass(summary(&rows)));
    }
    let mut complaints: Vec<_> = unexpected.into_iter().chain(grown).collect();
    if !complaints.is_empty() {
        complaints.push("if that is meant, run `cargo xtask bench --reads --bless`".to_owned());
    }
    Ok(Verdict::of_complaints(&complaints, summary(&rows)))
}

/// Every kind at every size.
fn rows() -> Result<Vec<Row>> {
    let mut pipelines = BTreeMap::new();
    for kind in KINDS {
        pipelines.insert(kind.preset, subjects::preset(kind.preset, Root::Object)?);
    }
    let mut rows = Vec::new();
    for (size, bytes, seeds) in SIZES {
        let sources: Vec<_> = (1..=seeds).map(|seed| Source::new(bytes, seed)).collect();
        for kind in KINDS {
            let texts: Vec<_> = sources.iter().flat_map(kind.texts).collect();
            if texts.is_empty() {
                bail!("there is no text of the kind `{}`", kind.name);
            }
            rows.push(Row::of(kind, size, &texts, &pipelines[kind.preset]));
        }
    }
    Ok(rows)
}

impl Row {
    fn of(kind: &'static Kind, size: &'static str, texts: &[Text], pipeline: &Pipeline) -> Self {
        let mut row = Self { kind, size, texts: 0, reads: Reads::default(), others: BTreeMap::new() };
        for text in texts {
            let (outcome, reads) = outcome(pipeline, text);
            row.texts += 1;
            row.reads += reads;
            if outcome != kind.outcome {
                *row.others.entry(outcome).or_default() += 1;
            }
        }
        row
    }

    fn name(&self) -> String {
        format!("{} {}", self.kind.name, self.size)
    }

    /// Whether the goal is met, if there is one: as it is shown, and without the judge.
    fn is_met(&self) -> Option<bool> {
        let own = self.reads.per_byte(self.reads.total() - self.reads.judged);
        self.kind.goal.map(|goal| own <= goal)
    }

    fn unexpected(&self) -> impl Iterator<Item = String> {
        self.others.iter().map(|(outcome, count)| {
            format!("{}: {count} of {} texts are {outcome}, not {}", self.name(), self.texts, self.kind.outcome)
        })
    }

    fn line(&self, held: Option<&Reads>) -> String {
        let Self { kind, reads, .. } = self;
        let cells = [reads.recognised(), reads.examined, reads.moves, reads.judged, reads.total()]
            .map(|part| format!("{:>10}", shown(reads.per_byte(part))));
        let held = held.map_or_else(String::new, |held| shown(held.per_byte(held.total())));
        let goal = kind.goal.map_or_else(String::new, shown);
        let verdict = self.is_met().map_or("", |is_met| if is_met { "met" } else { "missed" });
        let line = format!(
            "{:<26} {:>6} {:<8} {:<17} {:>5} {} {held:>8} {goal:>6} {verdict}",
            kind.name,
            self.size,
            kind.preset,
            kind.outcome,
            self.texts,
            cells.concat(),
        );
        line.trim_end().to_owned()
    }
}

/// How a text was answered, and what was read for that.
fn outcome(pipeline: &Pipeline, text: &Text) -> (String, Reads) {
    let len = text.text.len();
    match pipeline.repair(&text.text) {
        Ok(repaired) => {
            let is_right = text.truth.as_ref().is_some_and(|truth| compact(repaired.text()) == compact(truth));
            let outcome = match repaired.status() {
                _ if !is_right => "wrong",
                _ if repaired.is_truncated() => "truncated",
                Status::Valid => "valid",
                Status::Repaired => "repaired",
            };
            (outcome.to_owned(), Reads::of(repaired.work(), len, Some(&repaired)))
        }
        Err(error) => (format!("refused {}", error.reason().as_str()), Reads::of(error.work(), len, None)),
    }
}

fn table(rows: &[Row], held: &Held) -> String {
    let names = ["recognised", "examined", "moved", "judged", "all"].map(|name| format!("{name:>10}")).concat();
    let mut text = format!(
        "reads for each byte\n{:<26} {:>6} {:<8} {:<17} {:>5} {names} {:>8} {:>6}",
        "kind", "size", "preset", "outcome", "texts", "held", "goal"
    );
    for row in rows {
        let _ = write!(text, "\n{}", row.line(held.get(&row.name())));
    }
    text + "\nA goal is without what is judged: each byte of an output that has edits is written once and judged once."
}

/// What is read more often than the table holds, and what has no comparison.
fn complaints(rows: &[Row], held: &Held) -> Vec<String> {
    let mut complaints = Vec::new();
    for row in rows {
        let (name, now) = (row.name(), &row.reads);
        match held.get(&name) {
            None => complaints.push(format!("{name} is not in the table")),
            Some(before) if before.bytes != now.bytes => {
                complaints.push(format!("{name}: other texts than those that the table is of"));
            }
            Some(before) if now.total() * 100 > before.total() * (100 + GROWTH) => {
                complaints.push(format!("{name}: {} reads have become {}", before.total(), now.total()));
            }
            Some(_) => {}
        }
    }
    let is_counted = |name: &&String| rows.iter().any(|row| row.name() == **name);
    complaints.extend(held.keys().filter(|name| !is_counted(name)).map(|name| format!("{name} is no longer counted")));
    complaints
}

fn summary(rows: &[Row]) -> String {
    let count = |is_met: bool| rows.iter().filter(|row| row.is_met() == Some(is_met)).count();
    format!("{} kinds at {} sizes; goals: {} met, {} missed", KINDS.len(), SIZES.len(), count(true), count(false))
}

/// The table: kind and size, then bytes, steps, those of the judge, what rules and locators examined, and moves.
fn written(rows: &[Row]) -> String {
    let mut text = String::from("# kind and size\tbytes\tsteps\tjudged\texamined\tmoves\n");
    for row in rows {
        let Reads { bytes, steps, examined, moves, judged } = row.reads;
        let _ = writeln!(text, "{}\t{bytes}\t{steps}\t{judged}\t{examined}\t{moves}", row.name());
    }
    text
}

fn read(table: &str) -> Result<Held> {
    let mut held = Held::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let cells: Vec<_> = line.split('\t').collect();
        let [name, bytes, steps, judged, examined, moves] = cells[..] else {
            bail!("{TABLE}: a line has not six columns: {line}");
        };
        let number = |cell: &str| cell.parse().with_context(|| format!("{TABLE}: no count: {cell}"));
        let reads = Reads {
            bytes: number(bytes)?,
            steps: number(steps)?,
            examined: number(examined)?,
            moves: number(moves)?,
            judged: number(judged)?,
        };
        held.insert(name.to_owned(), reads);
    }
    Ok(held)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;

    use super::{Held, KINDS, Reads, Row, complaints, read, written};

    /// A text of 1,000 bytes of the first kind that has a goal of so many hundredths.
    fn row(goal: u64, steps: u64, judged: u64) -> Row {
        let kind = KINDS.iter().find(|kind| kind.goal == Some(goal)).expect("there is one");
        let reads = Reads { bytes: 1_000, steps, examined: 10, moves: 0, judged };
        Row { kind, size: "1 KB", texts: 1, reads, others: BTreeMap::new() }
    }

    fn held(row: &Row) -> Held {
        read(&written(std::slice::from_ref(row))).expect("what is written is read")
    }

    #[test]
    fn a_rise_of_more_than_a_hundredth_is_told_and_a_smaller_one_is_not() {
        let held = held(&row(200, 3_990, 2_000));
        assert_eq!(held.len(), 1);
        assert_eq!(complaints(&[row(200, 4_030, 2_000)], &held), Vec::<String>::new());
        assert_eq!(complaints(&[row(200, 1_000, 0)], &held), Vec::<String>::new());
        let told = complaints(&[row(200, 4_031, 2_000)], &held);
        assert_eq!(told.len(), 1);
        assert!(told[0].ends_with(" 1 KB: 4000 reads have become 4041"), "{told:?}");
    }

    #[test]
    fn other_texts_and_rows_without_a_twin_are_told() {
        let mut other = row(200, 3_990, 2_000);
        let held = held(&other);
        other.reads.bytes += 1;
        assert!(complaints(&[other], &held)[0].contains("other texts"));
        let told = complaints(&[row(100, 1_000, 0)], &held);
        assert_eq!(told.len(), 2);
        assert!(told[0].ends_with("is not in the table") && told[1].ends_with("is no longer counted"), "{told:?}");
    }

    #[test]
    fn a_goal_is_without_the_judge_and_as_it_is_shown() {
        assert_eq!(row(200, 3_994, 2_000).is_met(), Some(true));
        assert_eq!(row(200, 3_995, 2_000).is_met(), Some(false));
        let line = row(200, 3_995, 2_000).line(None);
        assert!(line.contains("2.00      4.01") && line.ends_with("2.00 missed"), "{line}");
    }

    #[test]
    fn a_table_that_is_damaged_is_told() {
        assert!(read("valid 2 KB\t1\t2\n").is_err());
        assert!(read("valid 2 KB\t1\t2\t3\t4\tx\n").is_err());
        assert!(read("# a comment\n").expect("no rows").is_empty());
    }
}
