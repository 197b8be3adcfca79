//! `cargo xtask stream`: every text there is, in pieces, against what the whole text gives, and when values settle.

use std::collections::BTreeMap;
use std::thread;

use anyhow::Result;
use clap::Args;
use jsonseam::rule::{Reach, Role};
use jsonseam::{Config, Pipeline, Root, StreamOptions};
use jsonseam_testkit::random::Random;
use jsonseam_testkit::streams::{Streamed, cuts, judge};

use crate::answers::{Text, texts};
use crate::subjects;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// What is streamed.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// How many documents to damage: half with one to three defects, half with three to five of any kind.
    #[arg(long, default_value_t = 2_000)]
    documents: usize,
    /// The sizes of the pieces in bytes, separated by commas; 0: one to forty by chance.
    #[arg(long, value_name = "SIZE,…", value_delimiter = ',', default_value = "1,7,64,0")]
    pieces: Vec<usize>,
    /// The presets, separated by commas.
    #[arg(long, value_name = "PRESET,…", value_delimiter = ',', default_value = "strict,standard,lenient")]
    presets: Vec<String>,
    /// How many texts more are cut anywhere and go on otherwise: with the rest of another text, or with up to three symbols.
    #[arg(long, default_value_t = 2_000)]
    continued: usize,
    /// Each preset also without its rules that make a stream wait most: what values wait for.
    #[arg(long)]
    causes: bool,
    /// Only texts of this group.
    #[arg(long)]
    group: Option<String>,
    /// How many complaints to show of each kind.
    #[arg(long, default_value_t = 3)]
    show: usize,
}

/// Texts longer than this are not looked at after every piece.
const SHORT: usize = 1024;

/// What came of a group of texts in pieces of one size.
#[derive(Default)]
struct Tally {
    runs: usize,
    other_starts: usize,
    complaints: BTreeMap<String, (usize, Vec<String>)>,
    batch: u64,
    retried: u64,
    value_lags: Vec<usize>,
    edit_lags: Vec<usize>,
    late: (usize, usize),
}

/// Runs the task.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<Verdict> {
    let mut texts = texts(workspace, arguments.documents)?;
    texts.extend(continued(&texts, arguments.continued));
    texts.retain(|text| arguments.group.as_deref().is_none_or(|group| text.group == group));
    let mut complaints = Vec::new();
    let mut runs = 0;
    for (preset, pipeline) in subjects_of(arguments)? {
        for &size in &arguments.pieces {
            let tallies = tallies(&texts, &pipeline, size, arguments.show);
            for (group, mut tally) in tallies {
                runs += tally.runs;
                println!("{preset:8} {size:2} bytes  {group:12} {}", tally.shown());
                for (kind, (count, shown)) in &tally.complaints {
                    complaints.push(format!("{preset}, {size} bytes, {group}: {kind}: {count}"));
                    for text in shown {
                        println!("    {kind}\n      {text}");
                    }
                }
            }
        }
    }
    Ok(Verdict::of_complaints(&complaints, format!("{runs} streams of {} texts, all as the whole text", texts.len())))
}

/// The pipelines, by what they are called.
fn subjects_of(arguments: &Arguments) -> Result<Vec<(String, Pipeline)>> {
    const CAUSES: [&[&str]; 4] = [&["escapes"], &["suspects"], &["a string"], &["escapes", "suspects", "a string"]];
    let mut found = Vec::new();
    for preset in &arguments.presets {
        found.push((preset.clone(), subjects::preset(preset, Root::Any)?));
        for causes in if arguments.causes { CAUSES.as_slice() } else { &[] } {
            let reaches = |reach: Reach| reach.to_string().split(", ").any(|part| causes.contains(&part));
            let config = Config::default().with_preset(preset).with_root(Root::Any);
            let config = subjects::catalogue()?.rules().iter().fold(config, |config, rule| match rule.role {
                Role::Repair { reach, .. } if reaches(reach) => config.with_disabled(rule.name),
                _ => config,
            });
            found.push((format!("{preset} without {}", causes.join(", ")), jsonseam::pipeline(&config)?));
        }
    }
    Ok(found)
}

/// Texts that are cut at any place and go on otherwise (SPEC T2).
fn continued(texts: &[Text], count: usize) -> Vec<Text> {
    const SYMBOLS: [&str; 16] =
        ["\"", "'", "x", ",", ":", "}", "]", "{", "[", "1", " ", "\n", "\\", "`", "//", "```\n"];
    let short: Vec<_> = texts.iter().filter(|text| (2..8 * SHORT).contains(&text.content.len())).collect();
    let mut random = Random::new(2);
    let part = |text: &str, random: &mut Random, is_start: bool| {
        let mut cut = random.between(1, text.len() - 1);
        while !text.is_char_boundary(cut) {
            cut += 1;
        }
        let (start, rest) = text.split_at(cut);
        (if is_start { start } else { rest }).to_owned()
    };
    let mut cut = Vec::new();
    for number in 0..count {
        let (Some(text), Some(other)) = (random.pick(&short), random.pick(&short)) else { break };
        let start = part(&text.content, &mut random, true);
        let rest = if number % 2 == 0 {
            part(&other.content, &mut random, false)
        } else {
            (0..random.between(1, 3)).filter_map(|_| random.pick(&SYMBOLS).copied()).collect()
        };
        cut.push(Text {
            group: "continued",
            name: format!("{}, then {}", text.name, other.name),
            content: start + &rest,
        });
    }
    cut
}

fn tallies(texts: &[Text], pipeline: &Pipeline, size: usize, show: usize) -> BTreeMap<&'static str, Tally> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let parts: Vec<BTreeMap<&'static str, Tally>> = thread::scope(|scope| {
        let workers: Vec<_> = (0..cores)
            .map(|core| {
                scope.spawn(move || {
                    let mut tallies: BTreeMap<&'static str, Tally> = BTreeMap::new();
                    for text in texts.iter().skip(core).step_by(cores) {
                        tallies.entry(text.group).or_default().add(pipeline, text, size, show);
                    }
                    tallies
                })
            })
            .collect();
        workers
            .into_iter()
            .map(|worker| worker.join().unwrap_or_else(|panic| std::panic::resume_unwind(panic)))
            .collect()
    });
    let mut all: BTreeMap<&'static str, Tally> = BTreeMap::new();
    for (group, tally) in parts.into_iter().flatten() {
        all.entry(group).or_default().take(tally, show);
    }
    all
}

impl Tally {
    fn add(&mut self, pipeline: &Pipeline, text: &Text, size: usize, show: usize) {
        let ends = cuts(&text.content, size, &mut Random::new(text.content.len() as u64));
        let looks = text.content.len() <= SHORT && size == 7;
        self.runs += 1;
        match judge(pipeline, &text.content, StreamOptions::new(), &ends, looks) {
            Ok(Streamed { has_other_start, batch, retried, value_lags, edit_lags, late }) => {
                self.other_starts += usize::from(has_other_start);
                self.batch += batch;
                self.retried += retried;
                self.value_lags.extend(value_lags);
                self.edit_lags.extend(edit_lags);
                self.late = (self.late.0 + late.0, self.late.1 + late.1);
            }
            Err(complaint) => {
                // Figures tell nothing of the kind.
                let is_figure = |char: char| char.is_ascii_digit() || matches!(char, '{' | '(');
                let (law, words) = complaint.split_at(complaint.len().min(2));
                let kind = format!("{law}{}", words.split(is_figure).next().unwrap_or_default());
                let (count, shown) = self.complaints.entry(kind).or_default();
                *count += 1;
                if shown.len() < show {
                    let start: String = text.content.chars().take(500).collect();
                    shown.push(format!("{}: {complaint}\n      {start:?}", text.name));
                }
            }
        }
    }

    fn take(&mut self, other: Self, show: usize) {
        self.runs += other.runs;
        self.other_starts += other.other_starts;
        self.batch += other.batch;
        self.retried += other.retried;
        self.value_lags.extend(other.value_lags);
        self.edit_lags.extend(other.edit_lags);
        self.late = (self.late.0 + other.late.0, self.late.1 + other.late.1);
        for (kind, (count, shown)) in other.complaints {
            let known = self.complaints.entry(kind).or_default();
            known.0 += count;
            known.1.extend(shown);
            known.1.truncate(show);
        }
    }

    #[allow(clippy::cast_precision_loss, reason = "shares are shown with two digits")]
    fn shown(&mut self) -> String {
        let complaints: usize = self.complaints.values().map(|(count, _)| count).sum();
        let lags = |lags: &mut Vec<usize>, late: usize| {
            lags.sort_unstable();
            let at = |share: usize| lags.get(lags.len().saturating_sub(1) * share / 100).copied().unwrap_or(0);
            let share = 100.0 * late as f64 / lags.len().max(1) as f64;
            format!("{} median, {} at 95 %, {share:.1} % at the end of {}", at(50), at(95), lags.len())
        };
        format!(
            "{} runs, {complaints} complaints, {} other starts; in vain {:.2} of the work; values {}; edits {}",
            self.runs,
            self.other_starts,
            self.retried as f64 / self.batch.max(1) as f64,
            lags(&mut self.value_lags, self.late.0),
            lags(&mut self.edit_lags, self.late.1),
        )
    }
}
