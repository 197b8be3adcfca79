//! `cargo xtask corpus --external DIR`: a folder of labelled texts, scored.
//!
//! `cases.jsonl` holds an object on each line: `id`, `class`, `text`, and what a careful reader wants, `expected` (or one of
//! `also_acceptable`); where the text was cut off, `expected_partial`; where it holds several payloads, `expected_all`. A case without any of them is
//! undecided and only counted. `valid.jsonl` holds texts that must come back byte for byte.
//!
//! Values are compared whole: every digit of a number, every character of a string; the order of keys is free.

mod html;
mod plot;
mod tables;

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, bail};
use clap::Args;
use jsonseam::{Pipeline, RepairOptions, Repaired, Risk, Root};
use jsonseam_testkit::value::Value;

use crate::peers::{self, Peer};
use crate::score::{Answer, Contract, Shown, Tally};
use crate::subjects;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// What to score, and beside what.
#[derive(Debug, Args)]
#[group(id = "external-arguments")]
pub(crate) struct Arguments {
    /// Scores the labelled texts of this folder instead: `cases.jsonl` and `valid.jsonl`.
    #[arg(long, value_name = "DIR")]
    pub(super) external: Option<PathBuf>,
    /// The presets to score.
    #[arg(long, value_delimiter = ',', default_value = "strict,standard,lenient", requires = "external")]
    presets: Vec<String>,
    /// Scores each preset again, with the keys of the expected value declared, or its keys and its types.
    #[arg(long, value_delimiter = ',', requires = "external")]
    contract: Vec<Contract>,
    /// Only cases whose class or id holds this.
    #[arg(long, requires = "external")]
    class: Option<String>,
    /// Shows the texts that were answered wrongly, or not at all.
    #[arg(long, requires = "external")]
    show: Option<Shown>,
    /// Writes a report with a plot and every seam to this file. It holds the texts: it is not for committing.
    #[arg(long, value_name = "FILE", requires = "external")]
    html: Option<PathBuf>,
    #[command(flatten)]
    peers: peers::Choice,
}

/// A labelled text.
pub(crate) struct Case {
    id: String,
    class: String,
    pub(crate) text: String,
    label: Label,
}

/// What a careful reader wants.
enum Label {
    /// One of these values; the first is the best.
    Values(Vec<Value>),
    /// This much of a text that was cut off.
    Partial(Value),
    /// One of these payloads, as the policy has it.
    Several(Vec<Value>),
    /// A careful reader cannot decide.
    Undecided,
}

/// An edit, as the report shows it.
struct Seam {
    rule: String,
    risk: Risk,
    span: std::ops::Range<usize>,
    replacement: String,
}

/// What came of one case.
struct Scored {
    answer: Answer,
    /// Where the payload is; the whole text where it was refused.
    payload: std::ops::Range<usize>,
    seams: Vec<Seam>,
    is_truncated: bool,
    /// The reason of a refusal.
    reason: Option<String>,
}

/// One column of the tables: a preset, with or without a contract, or a peer.
struct Column {
    name: String,
    scored: Vec<Scored>,
    /// Valid texts that did not come back as they were; none is asked of a peer.
    changed: Vec<String>,
}

impl Column {
    /// The tally of the cases with a label of this kind.
    fn tally(&self, cases: &[Case], is_meant: impl Fn(&Case) -> bool) -> Tally {
        let mut tally = Tally::default();
        for (_, scored) in cases.iter().zip(&self.scored).filter(|(case, _)| is_meant(case)) {
            tally.count(scored.answer);
        }
        tally
    }
}

impl Case {
    const fn is_decided(&self) -> bool {
        matches!(self.label, Label::Values(_))
    }

    /// Whether `said` is what a careful reader wants, by this way of comparing.
    fn wants(&self, said: &Value, is_same: fn(&Value, &Value) -> bool) -> bool {
        match &self.label {
            Label::Values(wanted) | Label::Several(wanted) => wanted.iter().any(|wanted| is_same(said, wanted)),
            Label::Partial(wanted) => is_same(said, wanted),
            Label::Undecided => false,
        }
    }

    /// The values that a careful reader wants, if one can decide, and whether the text was cut off.
    pub(crate) fn wanted(&self) -> Option<(Vec<Value>, bool)> {
        match &self.label {
            Label::Values(wanted) | Label::Several(wanted) => Some((wanted.clone(), false)),
            Label::Partial(wanted) => Some((vec![wanted.clone()], true)),
            Label::Undecided => None,
        }
    }

    /// The value of which the contract is made.
    fn best(&self) -> Option<&Value> {
        match &self.label {
            Label::Values(wanted) | Label::Several(wanted) => wanted.first(),
            Label::Partial(wanted) => Some(wanted),
            Label::Undecided => None,
        }
    }
}

/// Runs the task.
pub(super) fn run(workspace: &Workspace, folder: &Path, arguments: &Arguments) -> Result<Verdict> {
    let mut cases = read_cases(&folder.join("cases.jsonl"))?;
    if let Some(filter) = &arguments.class {
        cases.retain(|case| case.class.contains(filter.as_str()) || case.id.contains(filter.as_str()));
    }
    let valid = read_valid(&folder.join("valid.jsonl"))?;
    let peers = arguments.peers.found(workspace)?;
    let mut columns = Vec::new();
    for preset in &arguments.presets {
        let pipeline = subjects::preset(preset, Root::Any)?;
        columns.push(score(preset.clone(), &pipeline, &cases, &valid, None));
        for &contract in &arguments.contract {
            columns.push(score(format!("{preset}+{}", contract.name()), &pipeline, &cases, &[], Some(contract)));
        }
    }
    for column in &columns {
        show(column, &cases, arguments.show);
    }
    let own = columns.len();
    for peer in &peers {
        columns.push(score_peer(peer, &cases)?);
    }
    println!("{}", tables::all(&cases, &columns, own));
    if let Some(path) = &arguments.html {
        let points = plot::points(&cases, &columns[own..])?;
        let page = html::page(&cases, &columns[..own], &points);
        fs::write(path, page).with_context(|| format!("cannot write {}", path.display()))?;
        println!("the report is in {}\n", path.display());
    }
    // The targets are about all classes together.
    let complaints =
        if arguments.class.is_some() { Vec::new() } else { complaints(&cases, &columns[..own], valid.len()) };
    let summary = summary(&cases, &columns);
    if !complaints.is_empty() {
        println!("{summary}");
    }
    Ok(Verdict::of_complaints(&complaints, summary))
}

/// The values of the lines of a file.
pub(crate) fn read_lines(path: &Path) -> Result<Vec<Value>> {
    let text = fs::read_to_string(path).with_context(|| format!("cannot read {}", path.display()))?;
    let mut values = Vec::new();
    for (index, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
        values.push(Value::read(line).with_context(|| format!("{}:{}: no JSON", path.display(), index + 1))?);
    }
    Ok(values)
}

/// The labelled texts of a file.
pub(crate) fn read_cases(path: &Path) -> Result<Vec<Case>> {
    let cases: Vec<Case> = read_lines(path)?.iter().map(case_of).collect::<Result<_>>()?;
    if cases.is_empty() {
        bail!("{} holds no case", path.display());
    }
    Ok(cases)
}

/// The texts that must come back as they are; a folder need not have any.
pub(crate) fn read_valid(path: &Path) -> Result<Vec<String>> {
    if !path.exists() {
        return Ok(Vec::new());
    }
    read_lines(path)?.iter().map(|line| member(line, "text")).collect()
}

fn member(line: &Value, key: &str) -> Result<String> {
    line.get(key).and_then(Value::text).with_context(|| format!("a line has no `{key}`"))
}

fn case_of(line: &Value) -> Result<Case> {
    let label = |key: &str| line.get(key).filter(|value| **value != Value::Null);
    let all = label("expected_all").map(Value::elements).unwrap_or_default();
    let label = match (label("expected"), label("expected_partial")) {
        (Some(expected), _) => {
            let others = label("also_acceptable").map(Value::elements).unwrap_or_default();
            Label::Values([expected].into_iter().chain(others).cloned().collect())
        }
        (None, Some(partial)) => Label::Partial(partial.clone()),
        (None, None) if !all.is_empty() => Label::Several(all.to_vec()),
        (None, None) => Label::Undecided,
    };
    Ok(Case { id: member(line, "id")?, class: member(line, "class")?, text: member(line, "text")?, label })
}

/// Puts every text to a pipeline.
fn score(name: String, pipeline: &Pipeline, cases: &[Case], valid: &[String], contract: Option<Contract>) -> Column {
    let scored = cases.iter().map(|case| score_case(pipeline, case, contract)).collect();
    let came_back = |text: &&String| pipeline.repair(text).is_ok_and(|repaired| repaired.text() == text.as_str());
    let changed = valid.iter().filter(|text| !came_back(text)).cloned().collect();
    Column { name, scored, changed }
}

fn score_case(pipeline: &Pipeline, case: &Case, contract: Option<Contract>) -> Scored {
    let evidence = case.best().zip(contract).map(|(truth, contract)| contract.of(truth));
    let options = RepairOptions::new().with_evidence(evidence.as_ref());
    match pipeline.repair_with(&case.text, &options) {
        Ok(repaired) => {
            let is_right = Value::read(repaired.text()).is_some_and(|said| case.wants(&said, Value::says));
            Scored {
                answer: if is_right { Answer::Right } else { Answer::Wrong },
                payload: repaired.payload(),
                seams: seams_of(&repaired),
                is_truncated: repaired.is_truncated(),
                reason: None,
            }
        }
        Err(error) => Scored {
            answer: Answer::Refused,
            payload: 0..case.text.len(),
            seams: Vec::new(),
            is_truncated: false,
            reason: Some(error.to_string()),
        },
    }
}

fn seams_of(repaired: &Repaired<'_>) -> Vec<Seam> {
    let edits = repaired.edits().map(|edit| Seam {
        rule: edit.rule.to_owned(),
        risk: edit.risk,
        span: edit.span,
        replacement: edit.replacement.to_owned(),
    });
    edits.collect()
}

/// A peer is right also if it keeps the last of repeated keys, or holds numbers as `f64`: that is no matter of repair.
fn score_peer(peer: &Peer, cases: &[Case]) -> Result<Column> {
    let texts: Vec<String> = cases.iter().map(|case| case.text.clone()).collect();
    let scored = cases.iter().zip(peer.answers(&texts)?).map(|(case, text)| {
        let answer = text.map_or(Answer::Refused, |text| {
            let is_right = Value::read(&text).is_some_and(|said| case.wants(&said, Value::resembles));
            if is_right { Answer::Right } else { Answer::Wrong }
        });
        Scored { answer, payload: 0..case.text.len(), seams: Vec::new(), is_truncated: false, reason: None }
    });
    Ok(Column { name: peer.name.clone(), scored: scored.collect(), changed: Vec::new() })
}

fn show(column: &Column, cases: &[Case], shown: Option<Shown>) {
    for (case, scored) in cases.iter().zip(&column.scored) {
        if matches!(case.label, Label::Undecided) || !scored.answer.is_shown(shown) {
            continue;
        }
        println!("{}: {} {}", column.name, case.class, case.id);
        println!("  text  {:?}", case.text);
        match &scored.reason {
            Some(reason) => println!("  gave  {reason}"),
            None => {
                for seam in &scored.seams {
                    println!("  {} at {}..{}: {:?}", seam.rule, seam.span.start, seam.span.end, seam.replacement);
                }
            }
        }
    }
}

/// The least share of right answers and the most wrong ones, in per cent, that a preset must keep.
const TARGETS: [(&str, u64, u64); 3] = [("strict", 0, 0), ("standard", 58, 0), ("lenient", 92, 3)];

/// One wrong answer of `standard` is borne.
const BORNE: [(&str, u64); 1] = [("standard", 1)];

/// Classes of which `standard` must have 95 % right: its rules claim them, and nothing in them asks for a guess.
const CLAIMED: [&str; 12] = [
    "backtick_quote",
    "comment",
    "escaped_delimiter",
    "extra_close",
    "extract_fence",
    "extract_prose",
    "extract_tag",
    "invalid_escape",
    "missing_comma",
    "python_literal",
    "raw_newline",
    "trailing_comma",
];

fn complaints(cases: &[Case], columns: &[Column], valid: usize) -> Vec<String> {
    let mut complaints = Vec::new();
    for column in columns {
        if !column.changed.is_empty() {
            complaints.push(format!("{}: {} of {valid} valid texts were changed", column.name, column.changed.len()));
        }
        let preset = column.name.split_once('+').map_or(&*column.name, |(preset, _)| preset);
        let Some((_, least_right, most_wrong)) = TARGETS.iter().find(|(name, ..)| *name == preset) else { continue };
        let all = column.tally(cases, Case::is_decided);
        let borne = BORNE.iter().find(|(name, _)| *name == preset).map_or(0, |(_, borne)| *borne);
        if all.right * 100 < all.total() * least_right {
            complaints.push(format!("{}: {}; {least_right} % right are wanted", column.name, all.shares()));
        }
        if all.wrong > borne && all.wrong * 100 > all.total() * most_wrong {
            complaints.push(format!("{}: {} of {} wrong", column.name, all.wrong, all.total()));
        }
        if preset == "standard" {
            let claimed = column.tally(cases, |case| case.is_decided() && CLAIMED.contains(&case.class.as_str()));
            if claimed.right * 100 < claimed.total() * 95 {
                complaints.push(format!(
                    "{}: {} of the claimed classes; 95 % right are wanted",
                    column.name,
                    claimed.shares()
                ));
            }
        }
    }
    complaints
}

fn summary(cases: &[Case], columns: &[Column]) -> String {
    let of = |column: &Column| format!("{} {}", column.name, column.tally(cases, Case::is_decided).shares());
    columns.iter().map(of).collect::<Vec<_>>().join("; ")
}

#[cfg(test)]
mod tests {
    use jsonseam_testkit::value::Value;

    use super::{Label, case_of, complaints, score};
    use crate::score::Answer;
    use crate::subjects;

    fn case(line: &str) -> super::Case {
        case_of(&Value::read(line).expect("the line is JSON")).expect("the line is a case")
    }

    #[test]
    fn a_case_is_right_by_any_of_its_readings() {
        let cases = [
            case(
                r#"{"id": "1", "class": "c", "text": "{\"a\": 1.0,}", "expected": {"b": 1}, "also_acceptable": [{"a": 1}]}"#,
            ),
            case(r#"{"id": "2", "class": "c", "text": "{\"a\": 1,}", "expected": {"a": 2}}"#),
            case(r#"{"id": "3", "class": "c", "text": "prose", "expected": {"a": 2}}"#),
            case(r#"{"id": "4", "class": "c", "text": "{\"a\": 1", "expected": null, "expected_partial": {"a": 1}}"#),
            case(r#"{"id": "5", "class": "c", "text": "?", "expected": null}"#),
        ];
        assert!(matches!(cases[3].label, Label::Partial(_)));
        assert!(matches!(cases[4].label, Label::Undecided));
        let pipeline = subjects::preset("strict", jsonseam::Root::Any).expect("it is built in");
        let column = score("strict".to_owned(), &pipeline, &cases, &["[1]".to_owned(), "{,}".to_owned()], None);
        let answers: Vec<_> = column.scored.iter().take(3).map(|scored| scored.answer).collect();
        assert_eq!(answers, [Answer::Right, Answer::Wrong, Answer::Refused]);
        assert_eq!(column.scored[0].seams.len(), 1);
        let found = complaints(&cases, &[column], 2);
        assert_eq!(found, ["strict: 1 of 2 valid texts were changed", "strict: 1 of 3 wrong"]);
    }
}
