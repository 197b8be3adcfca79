//! `cargo xtask answers`: what each preset makes of every text there is, to compare two builds.
//!
//! A change of the engine that should change no answer is checked with it: `--save` writes the answers of the build before, `--compare` reads
//! them with the build after. The file holds the texts' answers, so it is not for committing.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io::{BufRead, BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};
use std::thread;

use anyhow::{Context, Result};
use clap::Args;
use jsonseam::{Pipeline, Root};
use jsonseam_testkit::corpus::{self, Suite};
use jsonseam_testkit::damage::{Defect, damage_each_with};
use jsonseam_testkit::hostile::families;
use serde::{Deserialize, Serialize};

use crate::subjects;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// What to do with the answers.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Writes the answers to this file.
    #[arg(long, value_name = "FILE", required_unless_present = "compare")]
    save: Option<PathBuf>,
    /// Compares the answers with those in this file.
    #[arg(long, value_name = "FILE")]
    compare: Option<PathBuf>,
    /// How many documents to damage: half with one to three defects, half with three to five of any kind.
    #[arg(long, default_value_t = 20_000)]
    documents: usize,
    /// How many differences to show of each kind.
    #[arg(long, default_value_t = 5)]
    show: usize,
}

/// The seed of the damaged documents.
const SEED: u64 = 11;

/// The size of each hostile text, in bytes.
const HOSTILE_BYTES: usize = 4 << 10;

/// A text of one of the groups.
pub(crate) struct Text {
    pub(crate) group: &'static str,
    pub(crate) name: String,
    pub(crate) content: String,
}

/// What a preset made of a text.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Answer {
    /// The output; without one the text was refused.
    output: Option<String>,
    /// Rule, first byte, byte after the last, replacement.
    edits: Vec<(String, usize, usize, String)>,
    /// Whether the text was marked as truncated.
    is_truncated: bool,
    /// Where the other payloads are that were noted.
    #[serde(default)]
    further: Vec<(usize, usize)>,
    /// Why it was refused, and the byte of the fault.
    refusal: Option<(String, Option<usize>)>,
}

/// A line of the file.
#[derive(Debug, Serialize, Deserialize)]
struct Line {
    group: String,
    name: String,
    preset: String,
    answer: Answer,
}

/// Runs the task.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<Verdict> {
    let texts = texts(workspace, arguments.documents)?;
    let presets = subjects::presets(Root::Any)?;
    let lines = answers(&texts, &presets);
    if let Some(path) = &arguments.save {
        save(path, &lines)?;
    }
    let counted = format!("{} answers to {} texts", lines.len(), texts.len());
    match &arguments.compare {
        None => Ok(Verdict::pass(counted)),
        Some(path) => {
            let differing = compare(path, &lines, &texts, presets.len(), arguments.show)?;
            Ok(Verdict::of_complaints(&differing, format!("{counted}, all the same")))
        }
    }
}

/// The cases of the corpus and of the rules, real output where it is there, damaged documents and hostile texts.
pub(crate) fn texts(workspace: &Workspace, documents: usize) -> Result<Vec<Text>> {
    let mut texts = Vec::new();
    let mut add = |group, suites: Vec<Suite>| {
        for suite in suites {
            for case in suite.cases {
                texts.push(Text { group, name: format!("{}: {}", suite.name, case.name), content: case.input });
            }
        }
    };
    add("corpus", corpus::read(&workspace.path("corpus"))?);
    let of_rules =
        subjects::catalogue()?.rules().iter().map(|rule| corpus::of_rule(rule)).collect::<Result<Vec<_>, _>>();
    add("rules", of_rules.map_err(anyhow::Error::msg)?);
    if let Some(data) = std::env::var_os("JSONSEAM_DATA") {
        let data = Path::new(&data);
        for (group, file, member) in [
            ("real", "realworld/cases.jsonl", "text"),
            ("bugs", "bugs/bugs.jsonl", "input"),
            ("peers", "peers/json_repair.jsonl", "input"),
            ("peers", "peers/jsonrepair.jsonl", "input"),
        ] {
            read_lines(&data.join(file), group, member, &mut texts)?;
        }
    }
    let half = documents / 2;
    for (group, defects) in [("damage", 1..=3), ("dense damage", 3..=5)] {
        for (number, damaged) in damage_each_with(SEED, Defect::ALL, Defect::ALL, defects, half).enumerate() {
            texts.push(Text { group, name: number.to_string(), content: damaged.text });
        }
    }
    for family in families() {
        texts.push(Text { group: "hostile", name: family.name.to_owned(), content: (family.make)(HOSTILE_BYTES) });
    }
    Ok(texts)
}

/// Reads the texts of a file of JSON Lines, each in a member of that name.
fn read_lines(path: &Path, group: &'static str, member: &str, texts: &mut Vec<Text>) -> Result<()> {
    let lines = fs::read_to_string(path).with_context(|| path.display().to_string())?;
    for (number, line) in lines.lines().enumerate() {
        let record: serde_json::Value = serde_json::from_str(line).with_context(|| path.display().to_string())?;
        if let Some(text) = record.get(member).and_then(|text| text.as_str()) {
            texts.push(Text { group, name: number.to_string(), content: text.to_owned() });
        }
    }
    Ok(())
}

/// The answers of every preset to every text: text by text, the presets of each in their order.
fn answers(texts: &[Text], presets: &[(String, Pipeline)]) -> Vec<Line> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let share = texts.len().div_ceil(cores).max(1);
    thread::scope(|scope| {
        let workers: Vec<_> = texts
            .chunks(share)
            .map(|texts| {
                scope.spawn(move || texts.iter().flat_map(|text| answers_to(text, presets)).collect::<Vec<_>>())
            })
            .collect();
        workers
            .into_iter()
            .flat_map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    })
}

fn answers_to<'t>(text: &'t Text, presets: &'t [(String, Pipeline)]) -> impl Iterator<Item = Line> + 't {
    presets.iter().map(|(preset, pipeline)| Line {
        group: text.group.to_owned(),
        name: text.name.clone(),
        preset: preset.clone(),
        answer: Answer::of(pipeline, &text.content),
    })
}

impl Answer {
    fn of(pipeline: &Pipeline, text: &str) -> Self {
        match pipeline.repair(text) {
            Ok(repaired) => Self {
                edits: repaired
                    .edits()
                    .map(|edit| (edit.rule.to_owned(), edit.span.start, edit.span.end, edit.replacement.to_owned()))
                    .collect(),
                is_truncated: repaired.is_truncated(),
                output: Some(repaired.text().to_owned()),
                further: repaired.further().iter().map(|other| (other.span.start, other.span.end)).collect(),
                refusal: None,
            },
            Err(error) => Self {
                output: None,
                edits: Vec::new(),
                is_truncated: false,
                further: Vec::new(),
                refusal: Some((error.reason().as_str().to_owned(), error.position().map(|fault| fault.offset))),
            },
        }
    }

    /// How `self`, the answer before, differs from the answer after, in words; nothing if it does not.
    fn difference(&self, after: &Self) -> Option<&'static str> {
        match (&self.output, &after.output) {
            _ if self == after => None,
            (None, Some(_)) => Some("a refusal became an answer"),
            (Some(_), None) => Some("an answer became a refusal"),
            (None, None) if self.refusal.as_ref().map(|it| &it.0) != after.refusal.as_ref().map(|it| &it.0) => {
                Some("another reason")
            }
            (None, None) => Some("another place of the refusal"),
            (Some(before), Some(now)) if before != now => Some("another text"),
            _ if self.edits != after.edits => Some("other edits"),
            _ if self.further != after.further => Some("other further payloads"),
            _ => Some("another mark of truncation"),
        }
    }
}

fn save(path: &Path, lines: &[Line]) -> Result<()> {
    let mut file = BufWriter::new(File::create(path).with_context(|| path.display().to_string())?);
    for line in lines {
        serde_json::to_writer(&mut file, line)?;
        file.write_all(b"\n")?;
    }
    Ok(file.flush()?)
}

/// Compares with the file; each kind of difference is counted and shown, and is a complaint.
fn compare(path: &Path, lines: &[Line], texts: &[Text], presets: usize, show: usize) -> Result<Vec<String>> {
    let file = BufReader::new(File::open(path).with_context(|| path.display().to_string())?);
    let mut before = BTreeMap::new();
    for line in file.lines() {
        let line: Line = serde_json::from_str(&line?).with_context(|| path.display().to_string())?;
        before.entry((line.group, line.name, line.preset)).or_insert_with(Vec::new).push(line.answer);
    }
    let mut kinds: BTreeMap<(&str, &str, &str), usize> = BTreeMap::new();
    let mut new = 0;
    // Names may repeat within a group; those of one name come in order.
    for (number, line) in lines.iter().enumerate().rev() {
        let key = (line.group.clone(), line.name.clone(), line.preset.clone());
        let Some(answer) = before.get_mut(&key).and_then(Vec::pop) else {
            new += 1;
            continue;
        };
        let Some(kind) = answer.difference(&line.answer) else { continue };
        let count = kinds.entry((kind, &line.group, &line.preset)).or_default();
        *count += 1;
        if *count <= show {
            let text = &texts[number / presets].content;
            println!("{kind}: {}: {}, {}\n  text   {}", line.group, line.name, line.preset, shown(text));
            println!("  before {}\n  after  {}\n", answer.shown(), line.answer.shown());
        }
    }
    if new > 0 {
        println!("{new} answers are to texts that the file does not hold");
    }
    Ok(kinds.iter().map(|((kind, group, preset), count)| format!("{kind}: {group}, {preset}: {count}")).collect())
}

impl Answer {
    fn shown(&self) -> String {
        match (&self.output, &self.refusal) {
            (Some(output), _) => {
                format!("{} {:?}{}", shown(output), self.edits, if self.is_truncated { " truncated" } else { "" })
            }
            (None, refusal) => format!("{refusal:?}"),
        }
    }
}

/// At most this many characters of a text, as Rust writes it.
fn shown(text: &str) -> String {
    const MOST: usize = 400;
    let start: String = text.chars().take(MOST).collect();
    format!("{start:?}{}", if start.len() < text.len() { "…" } else { "" })
}

#[cfg(test)]
mod tests {
    use jsonseam::Root;

    use super::Answer;
    use crate::subjects;

    #[test]
    fn answers_differ_by_output_edits_or_refusal() {
        let strict = subjects::preset("strict", Root::Any).expect("the preset is known");
        let lenient = subjects::preset("lenient", Root::Any).expect("the preset is known");
        let answer = Answer::of(&strict, "{\"a\": 1,}");
        assert_eq!(answer.difference(&answer), None);
        assert_eq!(answer.difference(&Answer::of(&strict, "{\"b\": 1,}")), Some("another text"));
        assert_eq!(answer.difference(&Answer::of(&strict, "{\"a\": 1,\n}")), Some("another text"));
        assert_eq!(answer.difference(&Answer { edits: Vec::new(), ..answer.clone() }), Some("other edits"));
        let refusal = Answer::of(&strict, "{\"a\": nope}");
        assert_eq!(answer.difference(&refusal), Some("an answer became a refusal"));
        assert_eq!(refusal.difference(&Answer::of(&lenient, "{\"a\": nope}")), Some("a refusal became an answer"));
        assert_eq!(refusal.difference(&Answer::of(&strict, "{\"ab\": nope}")), Some("another place of the refusal"));
        assert_eq!(refusal.difference(&Answer::of(&strict, "{\"a\": 1")), Some("another reason"));
    }
}
