//! `cargo xtask damage`: documents damaged in known ways, and what each preset, and each other library, makes of them.
//!
//! Every kind of damage leads the same number of documents, beside up to two defects that `standard` repairs; `--defects 3..5` asks for more.
//! An answer is right if it says what the truth says, wrong if it says anything else, and a refusal if there is no answer.
//!
//! Large runs belong in an optimised build: `cargo run --profile prove -p xtask -- damage`.

mod effort;
mod guards;

use std::collections::{BTreeMap, BTreeSet};
use std::ops::RangeInclusive;
use std::panic::resume_unwind;
use std::path::PathBuf;
use std::{fs, thread};

use anyhow::{Context, Result, bail};
use clap::Args;
use jsonseam::{Pipeline, RepairOptions, Root};
use jsonseam_testkit::damage::{Damaged, Defect, damage_each_with};
use jsonseam_testkit::value::Value;
use serde_json::json;

use self::effort::Effort;
use crate::peers::{self, Peer};
use crate::score::{Answer, Contract, Shown, Tally};
use crate::subjects;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// What to measure.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// How many documents to damage.
    #[arg(long, default_value_t = 20_000)]
    documents: usize,
    /// The presets to measure.
    #[arg(long, value_delimiter = ',', default_value = "strict,standard,lenient")]
    presets: Vec<String>,
    /// Only these kinds of damage lead.
    #[arg(long, value_delimiter = ',')]
    kinds: Vec<String>,
    /// How many defects each document holds, the leading one counted.
    #[arg(long, value_name = "LOW..HIGH", default_value = "1..3", value_parser = read_defects)]
    defects: RangeInclusive<usize>,
    /// Draws the companions from every kind, not only from those that `standard` repairs.
    #[arg(long)]
    mixed: bool,
    /// Measures each preset with these margins too, in hundredths.
    #[arg(long, value_delimiter = ',')]
    margins: Vec<u32>,
    /// Measures each preset again, with the keys of the truth declared, or its keys and its types: of the texts whose truth has no key twice.
    #[arg(long, value_delimiter = ',')]
    contract: Vec<Contract>,
    /// Shows the first few wrong or refused texts of each kind and preset.
    #[arg(long)]
    show: Option<Shown>,
    /// The seed.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Writes the table to this file, as JSON.
    #[arg(long, value_name = "FILE")]
    json: Option<PathBuf>,
    #[command(flatten)]
    peers: peers::Choice,
}

/// At most this many texts are shown of one kind and column.
const MOST_SHOWN: u64 = 3;

/// The most defects that one document may hold.
const MOST_DEFECTS: usize = 9;

/// The most that `standard` may have wrong, in ten-thousandths.
const MOST_WRONG: u64 = 20;

/// One column of the table: a preset, with or without a contract, or a peer.
struct Column {
    name: String,
    by_kind: BTreeMap<Defect, Tally>,
    effort: Effort,
}

impl Column {
    fn new(name: String) -> Self {
        Self { name, by_kind: BTreeMap::new(), effort: Effort::default() }
    }

    fn of(&self, kind: Defect) -> Tally {
        self.by_kind.get(&kind).copied().unwrap_or_default()
    }

    fn all(&self) -> Tally {
        let mut all = Tally::default();
        self.by_kind.values().for_each(|tally| all += *tally);
        all
    }
}

/// Runs the task.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<Verdict> {
    let peers = arguments.peers.found(workspace)?;
    let leads = leads(&arguments.kinds)?;
    let companions: &[Defect] = if arguments.mixed { Defect::ALL } else { &Defect::STANDARD };
    let mut samples: Vec<Damaged> =
        damage_each_with(arguments.seed, &leads, companions, arguments.defects.clone(), arguments.documents).collect();
    if samples.len() < arguments.documents {
        bail!("a kind of damage found no document");
    }
    if !arguments.contract.is_empty() {
        // No contract takes an object that has a key twice.
        samples.retain(|sample| Value::read(&sample.truth).is_some_and(|truth| !has_key_twice(&truth)));
    }
    let mut columns = Vec::new();
    let mut unmarked = 0;
    for preset in &arguments.presets {
        let pipeline = subjects::preset(preset, Root::Object)?;
        let mut column = Column::new(preset.clone());
        unmarked += measure(&mut column, &pipeline, &samples, None, arguments.show);
        columns.push(column);
        for &contract in &arguments.contract {
            let mut column = Column::new(format!("{preset}+{}", contract.name()));
            unmarked += measure(&mut column, &pipeline, &samples, Some(contract), arguments.show);
            columns.push(column);
        }
        for &margin in &arguments.margins {
            let pipeline = subjects::preset_with_margin(preset, Root::Object, margin)?;
            let mut column = Column::new(format!("{preset} margin {margin}"));
            measure(&mut column, &pipeline, &samples, None, None);
            columns.push(column);
        }
    }
    let own = columns.len();
    for peer in &peers {
        columns.push(measured_peer(peer, &samples)?);
    }
    println!("{}\n\n{}", table(&leads, &columns), effort::header());
    columns.iter().take(own).for_each(|column| println!("{}", column.effort.line(&column.name)));
    if let Some(path) = &arguments.json {
        let text = serde_json::to_string_pretty(&as_json(arguments, &columns))? + "\n";
        fs::write(path, text).with_context(|| format!("cannot write {}", path.display()))?;
    }
    let mut complaints = complaints(&columns, own);
    if unmarked > 0 {
        complaints.push(format!("{unmarked} repairs of cut texts are not marked as truncated"));
    }
    complaints.extend(guards::run(arguments.seed, &arguments.presets)?);
    let summary = summary(&columns);
    if !complaints.is_empty() {
        println!("{summary}");
    }
    Ok(Verdict::of_complaints(&complaints, summary))
}

fn has_key_twice(value: &Value) -> bool {
    match value {
        Value::Array(elements) => elements.iter().any(has_key_twice),
        Value::Object(members) => {
            let mut seen = BTreeSet::new();
            members.iter().any(|(key, value)| !seen.insert(key) || has_key_twice(value))
        }
        _ => false,
    }
}

fn leads(names: &[String]) -> Result<Vec<Defect>> {
    if names.is_empty() {
        return Ok(Defect::ALL.to_vec());
    }
    let read = |name: &String| name.parse().or_else(|_| bail!("there is no kind of damage `{name}`"));
    names.iter().map(read).collect()
}

/// `3..5`, both ends counted, or one number.
fn read_defects(text: &str) -> Result<RangeInclusive<usize>, String> {
    let (low, high) = text.split_once("..").unwrap_or((text, text));
    let bounds = low.parse().ok().zip(high.trim_start_matches('=').parse().ok());
    let is_range = |(low, high): &(usize, usize)| (1..=*high).contains(low) && *high <= MOST_DEFECTS;
    bounds
        .filter(is_range)
        .map(|(low, high)| low..=high)
        .ok_or_else(|| format!("expected two numbers from 1 to {MOST_DEFECTS}, as in 3..5"))
}

/// Measures a preset on all cores; gives how many repairs of cut texts do not say that they are truncated.
fn measure(
    column: &mut Column,
    pipeline: &Pipeline,
    samples: &[Damaged],
    contract: Option<Contract>,
    show: Option<Shown>,
) -> u64 {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let parts = samples.chunks(samples.len().div_ceil(cores).max(1));
    let answers: Vec<Answered> = thread::scope(|scope| {
        let answer_part = |part| scope.spawn(move || answer_all(pipeline, part, contract));
        let handles: Vec<_> = parts.map(answer_part).collect();
        handles.into_iter().flat_map(|handle| handle.join().unwrap_or_else(|panic| resume_unwind(panic))).collect()
    });
    let mut unmarked = 0;
    for (sample, Answered { answer, said, is_unmarked, effort }) in samples.iter().zip(answers) {
        let Some(&kind) = sample.defects.first() else { continue };
        unmarked += u64::from(is_unmarked);
        column.effort += effort;
        let tally = column.by_kind.entry(kind).or_default();
        tally.count(answer);
        let alike = if answer == Answer::Wrong { tally.wrong } else { tally.refused };
        let is_shown = answer.is_shown(show) && alike <= MOST_SHOWN;
        if is_shown {
            println!(
                "{}: {:?}\n  text  {:?}\n  truth {:?}\n  gave  {said:?}",
                column.name, sample.defects, sample.text, sample.truth
            );
        }
    }
    unmarked
}

/// What one text got.
struct Answered {
    answer: Answer,
    said: String,
    /// Whether the text was cut, and a right answer does not say so.
    is_unmarked: bool,
    effort: Effort,
}

fn answer_all(pipeline: &Pipeline, samples: &[Damaged], contract: Option<Contract>) -> Vec<Answered> {
    let answer = |sample: &Damaged| {
        let truth = Value::read(&sample.truth);
        let evidence = truth.as_ref().zip(contract).map(|(truth, contract)| contract.of(truth));
        let options = RepairOptions::new().with_evidence(evidence.as_ref());
        match pipeline.repair_with(&sample.text, &options) {
            Ok(repaired) => {
                let says_truth = Value::read(repaired.text()).zip(truth).is_some_and(|(said, truth)| said.says(&truth));
                Answered {
                    answer: if says_truth { Answer::Right } else { Answer::Wrong },
                    said: repaired.text().to_owned(),
                    is_unmarked: says_truth && sample.truncated && !repaired.is_truncated(),
                    effort: Effort::of(&repaired, sample.text.len()),
                }
            }
            Err(error) => Answered {
                answer: Answer::Refused,
                said: error.to_string(),
                is_unmarked: false,
                effort: Effort::default(),
            },
        }
    };
    samples.iter().map(answer).collect()
}

/// A peer is right also if it keeps the last of repeated keys, or holds numbers as `f64`: that is no matter of repair.
fn measured_peer(peer: &Peer, samples: &[Damaged]) -> Result<Column> {
    let texts: Vec<String> = samples.iter().map(|sample| sample.text.clone()).collect();
    let mut column = Column::new(peer.name.clone());
    for (sample, answered) in samples.iter().zip(peer.answers(&texts)?) {
        let Some(&kind) = sample.defects.first() else { continue };
        let answer = answered.map_or(Answer::Refused, |text| {
            let read = Value::read(&text).zip(Value::read(&sample.truth));
            if read.is_some_and(|(said, truth)| said.resembles(&truth)) { Answer::Right } else { Answer::Wrong }
        });
        column.by_kind.entry(kind).or_default().count(answer);
    }
    Ok(column)
}

fn table(leads: &[Defect], columns: &[Column]) -> String {
    let of = |column: &Column, kind: Option<Defect>| kind.map_or_else(|| column.all(), |kind| column.of(kind));
    let cells = |cell: &dyn Fn(&Column) -> String| -> String {
        columns.iter().map(|column| format!(" {:>16}", cell(column))).collect::<Vec<_>>().concat()
    };
    let names = cells(&|column| column.name.clone());
    let mut lines = vec![format!("{:<32} {:>5}{names}", "right/wrong/refused", "texts")];
    for kind in leads.iter().map(|kind| Some(*kind)).chain([None]) {
        let name = kind.map_or("all", Defect::as_str);
        let shares = cells(&|column| of(column, kind).to_string());
        lines.push(format!("{name:<32} {:>5}{shares}", columns.first().map_or(0, |column| of(column, kind).total())));
    }
    lines.join("\n")
}

/// The table, for programs.
fn as_json(arguments: &Arguments, columns: &[Column]) -> serde_json::Value {
    let tally = |tally: Tally| json!({"right": tally.right, "wrong": tally.wrong, "refused": tally.refused});
    let of = |column: &Column| {
        let kinds: serde_json::Map<_, _> =
            column.by_kind.iter().map(|(kind, counts)| (kind.to_string(), tally(*counts))).collect();
        json!({"name": column.name, "all": tally(column.all()), "kinds": kinds})
    };
    json!({
        "documents": arguments.documents,
        "seed": arguments.seed,
        "defects": format!("{}..{}", arguments.defects.start(), arguments.defects.end()),
        "mixed": arguments.mixed,
        "columns": columns.iter().map(of).collect::<Vec<_>>(),
    })
}

/// Shares of all texts, for the last line.
fn summary(columns: &[Column]) -> String {
    columns.iter().map(|column| format!("{} {}", column.name, column.all().shares())).collect::<Vec<_>>().join("; ")
}

/// What must hold of `standard`: hardly ever wrong, and ahead of every peer on each kind that it claims.
fn complaints(columns: &[Column], own: usize) -> Vec<String> {
    let mut complaints = Vec::new();
    let (ours, peers) = columns.split_at(own);
    let is_held = |column: &&Column| column.name.starts_with("standard") && !column.name.contains("margin");
    for column in ours.iter().filter(is_held) {
        let all = column.all();
        if all.wrong * 10_000 > all.total() * MOST_WRONG {
            complaints.push(format!("{}: {} of {} wrong", column.name, all.wrong, all.total()));
        }
        for kind in Defect::STANDARD.into_iter().chain(Defect::CLAIMED) {
            let right = column.of(kind).right;
            let total = column.of(kind).total();
            for peer in peers.iter().filter(|peer| total > 0 && right < total && peer.of(kind).right >= right) {
                complaints.push(format!(
                    "{}: {kind}: {right} right, {} {}",
                    column.name,
                    peer.name,
                    peer.of(kind).right
                ));
            }
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use jsonseam_testkit::damage::Defect;

    use super::{Column, Tally, complaints, leads, read_defects};

    fn column(name: &str, right: u64, wrong: u64, refused: u64) -> Column {
        let mut column = Column::new(name.to_owned());
        column.by_kind.insert(Defect::Comment, Tally { right, wrong, refused });
        column
    }

    #[test]
    fn a_preset_that_is_wrong_or_worse_than_a_peer_is_a_complaint() {
        assert_eq!(complaints(&[column("standard", 999, 1, 0)], 1), Vec::<String>::new());
        assert_eq!(complaints(&[column("standard", 990, 10, 0)], 1), ["standard: 10 of 1000 wrong"]);
        assert_eq!(complaints(&[column("lenient", 0, 1000, 0)], 1), Vec::<String>::new());
        let worse = complaints(&[column("standard", 5, 0, 5), column("peer", 5, 5, 0)], 1);
        assert_eq!(worse, ["standard: comment: 5 right, peer 5"]);
        assert_eq!(complaints(&[column("standard", 10, 0, 0), column("peer", 10, 0, 0)], 1), Vec::<String>::new());
    }

    #[test]
    fn counts_of_defects_are_read() {
        assert_eq!(read_defects("3..5"), Ok(3..=5));
        assert_eq!(read_defects("2"), Ok(2..=2));
        for wrong in ["", "0..3", "5..3", "3..", "a..b", "1..10"] {
            assert!(read_defects(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn kinds_are_read_by_name() {
        assert_eq!(leads(&["comment".to_owned()]).expect("it is known"), [Defect::Comment]);
        assert!(leads(&["coment".to_owned()]).is_err());
        assert_eq!(leads(&[]).expect("all").len(), Defect::ALL.len());
    }
}
