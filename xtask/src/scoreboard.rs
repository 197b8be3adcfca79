//! `cargo xtask scoreboard`: the presets and every other library that can be run here, on the same texts.
//!
//! The counts depend on the texts and the versions alone: a second run gives the same ones, and complains if they are not those that are kept.
//! `--save` keeps them in `bench/scoreboard.json`, from which `cargo xtask docs` writes the page, its picture and the README's table.

pub(crate) mod streams;
mod texts;

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use jsonseam_testkit::value::Value;
use serde::{Deserialize, Serialize};

use self::texts::{Text, Want};
use crate::peers::{self, Peer, Reply};
use crate::score::Answer;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

const FIGURES: &str = "bench/scoreboard.json";

/// What to measure.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// How many documents to damage.
    #[arg(long, default_value_t = 10_000, conflicts_with = "save")]
    documents: usize,
    /// Installs the peers in Python and JavaScript into target/peers first, with pip and npm.
    #[arg(long)]
    install_peers: bool,
    /// Keeps the figures.
    #[arg(long)]
    save: bool,
    #[command(flatten)]
    streams: streams::Choice,
}

/// What the scoreboard says.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figures {
    /// How many texts each group has.
    pub(crate) texts: BTreeMap<String, u64>,
    /// Everyone who was asked, the presets first.
    pub(crate) columns: Vec<Column>,
    /// The peers with a file in `bench/peers/` that did not answer.
    pub(crate) missing: Vec<String>,
}

/// What one library made of the texts.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Column {
    /// The name of the library, or of ours with the preset.
    pub(crate) name: String,
    /// The version that answered.
    pub(crate) version: String,
    /// The counts of each group.
    pub(crate) groups: BTreeMap<String, Counts>,
    /// The counts of each kind of damage.
    pub(crate) kinds: BTreeMap<String, Counts>,
    /// The time of the damaged texts, in microseconds each.
    pub(crate) microseconds: f64,
}

/// How texts were answered.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    /// As they were meant.
    pub(crate) right: u64,
    /// Otherwise, without an error.
    pub(crate) wrong: u64,
    /// With an error, or with a text that is not JSON.
    pub(crate) refused: u64,
    /// Of right and wrong answers those that are marked as cut off.
    pub(crate) marked: u64,
    /// Of refused texts those over which the library panicked, ended its process or did not come back.
    pub(crate) crashed: u64,
}

impl Counts {
    fn count(&mut self, answer: Answer, reply: &Reply) {
        match answer {
            Answer::Right => self.right += 1,
            Answer::Wrong => self.wrong += 1,
            Answer::Refused => self.refused += 1,
        }
        self.marked += u64::from(reply.marked);
        self.crashed += u64::from(reply.crashed);
    }

    /// How many texts there are.
    pub(crate) fn total(&self) -> u64 {
        self.right + self.wrong + self.refused
    }

    /// Adds other counts.
    pub(crate) fn add(&mut self, other: Self) {
        self.right += other.right;
        self.wrong += other.wrong;
        self.refused += other.refused;
        self.marked += other.marked;
        self.crashed += other.crashed;
    }
}

impl Figures {
    /// The figures that are kept.
    pub(crate) fn read(workspace: &Workspace) -> Result<Self> {
        serde_json::from_str(&workspace.read(FIGURES)?).context("the figures are not as they are written")
    }

    /// The figures without what differs from run to run.
    fn without_times(&self) -> Self {
        let column = |column: &Column| Column { microseconds: 0.0, ..column.clone() };
        Self { columns: self.columns.iter().map(column).collect(), ..self.clone() }
    }
}

/// Runs the task.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<Verdict> {
    let start = Instant::now();
    if arguments.install_peers {
        peers::install(&workspace.path("target/peers"))?;
    }
    if arguments.streams.is_made() {
        return streams::run(workspace, &arguments.streams, arguments.save);
    }
    let mut everyone = peers::built(workspace, "answers")?;
    let (scripted, missing) = peers::scripted(workspace, peers::FOLDER, peers::answers)?;
    everyone.extend(scripted);
    let texts = texts::all(workspace, arguments.documents)?;
    let mut figures = Figures { missing, ..Figures::default() };
    for text in &texts {
        *figures.texts.entry(text.group.to_string()).or_default() += 1;
    }
    for peer in &everyone {
        let column = column(peer, &texts)?;
        println!("{}", line(&column));
        figures.columns.push(column);
    }
    let summary = format!(
        "{} libraries on {} texts in {} s; not run: {}",
        everyone.len(),
        texts.len(),
        start.elapsed().as_secs(),
        if figures.missing.is_empty() { "none".to_owned() } else { figures.missing.join(", ") }
    );
    if arguments.save {
        let lost = lost(&figures, &Figures::read(workspace)?);
        if !lost.is_empty() {
            return Ok(Verdict::fail(format!("{summary}; nothing is kept: {} answered before", lost.join(", "))));
        }
        workspace.write(FIGURES, serde_json::to_string_pretty(&figures)? + "\n")?;
        return Ok(Verdict::pass(format!("{summary}; wrote {FIGURES}, `cargo xtask docs` writes the page")));
    }
    let complaints = differences(&figures.without_times(), &Figures::read(workspace)?.without_times());
    Ok(Verdict::of_complaints(&complaints, summary))
}

/// The libraries with kept figures that did not answer now: to keep figures without them would say that they cannot be run.
fn lost<'f>(now: &'f Figures, kept: &Figures) -> Vec<&'f str> {
    let is_kept = |name: &&str| kept.columns.iter().any(|column| column.name == *name);
    now.missing.iter().map(String::as_str).filter(is_kept).collect()
}

/// What a peer makes of the texts.
fn column(peer: &Peer, texts: &[Text]) -> Result<Column> {
    let contents: Vec<String> = texts.iter().map(|text| text.content.clone()).collect();
    let replies: Vec<Reply> = peer.replies(&contents)?;
    let mut column = Column { name: peer.name.clone(), version: peer.version()?, ..Column::default() };
    let (mut nanoseconds, mut timed) = (0.0, 0.0);
    for (text, reply) in texts.iter().zip(&replies) {
        let answer = judge(&text.want, reply);
        column.groups.entry(text.group.to_string()).or_default().count(answer, reply);
        if let Some(kind) = text.kind {
            column.kinds.entry(kind.to_string()).or_default().count(answer, reply);
            #[expect(clippy::cast_precision_loss, reason = "a text takes less than a day")]
            let taken = reply.nanoseconds as f64;
            (nanoseconds, timed) = (nanoseconds + taken, timed + 1.0);
        }
    }
    column.microseconds = (nanoseconds / f64::max(timed, 1.0)).round() / 1_000.0;
    Ok(column)
}

/// A library is right also if it keeps the last of repeated keys, or holds numbers as `f64`: that is no matter of repair.
fn judge(want: &Want, reply: &Reply) -> Answer {
    // What is not JSON is not silent: the parser that comes next says so.
    let said = reply.text.as_deref().and_then(Value::read);
    let says = |said: &Value, wanted: &[Value]| wanted.iter().any(|wanted| said.resembles(wanted));
    match (want, &said) {
        _ if reply.crashed => Answer::Refused,
        (Want::ReturnFrom, _) | (Want::Refusal(_), None) => Answer::Right,
        (Want::Values(wanted) | Want::Refusal(wanted), Some(said)) if says(said, wanted) => Answer::Right,
        (Want::Values(_) | Want::Refusal(_), Some(_)) => Answer::Wrong,
        (Want::Values(_), None) => Answer::Refused,
    }
}

fn line(column: &Column) -> String {
    let counts = column.groups.iter().map(|(group, counts)| {
        let Counts { right, wrong, refused, .. } = counts;
        format!("{group} {right}/{wrong}/{refused}")
    });
    let counts: Vec<String> = counts.collect();
    format!("{:<20} {:>9.1} µs  {}", column.name, column.microseconds, counts.join("  "))
}

/// How the counts of this run differ from those that are kept.
fn differences(now: &Figures, kept: &Figures) -> Vec<String> {
    let mut complaints = Vec::new();
    if now.texts != kept.texts || now.missing != kept.missing {
        complaints
            .push("the texts or the libraries that can be run are others than those of the kept figures".to_owned());
    }
    for column in &now.columns {
        match kept.columns.iter().find(|kept| kept.name == column.name) {
            Some(kept) if kept == column => {}
            Some(kept) if kept.version != column.version => {
                complaints.push(format!("{}: version {}, kept is {}", column.name, column.version, kept.version));
            }
            Some(_) => complaints.push(format!("{}: other counts than those that are kept", column.name)),
            None => complaints.push(format!("{}: no counts are kept", column.name)),
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    fn reply(text: Option<&str>) -> Reply {
        Reply { text: text.map(str::to_owned), ..Reply::default() }
    }

    #[test]
    fn an_answer_is_right_if_it_says_what_was_meant_and_silence_only_where_nothing_was() {
        let value = |text: &str| Value::read(text).expect("it is JSON");
        let wanted = Want::Values(vec![value("{\"a\": 1, \"b\": 2.0}")]);
        assert_eq!(judge(&wanted, &reply(Some("{\"b\":2,\"a\":1}"))), Answer::Right);
        assert_eq!(judge(&wanted, &reply(Some("{\"a\":1}"))), Answer::Wrong);
        assert_eq!(judge(&wanted, &reply(Some("no JSON"))), Answer::Refused, "the next parser says so");
        assert_eq!(judge(&wanted, &reply(None)), Answer::Refused);
        let refusal = Want::Refusal(vec![value("[1]")]);
        assert_eq!(judge(&refusal, &reply(None)), Answer::Right);
        assert_eq!(judge(&refusal, &reply(Some("[1]"))), Answer::Right);
        assert_eq!(judge(&refusal, &reply(Some("[2]"))), Answer::Wrong);
        let crash = Reply { crashed: true, ..Reply::default() };
        assert_eq!(judge(&refusal, &crash), Answer::Refused);
        assert_eq!(judge(&Want::ReturnFrom, &crash), Answer::Refused);
        assert_eq!(judge(&Want::ReturnFrom, &reply(Some("no JSON"))), Answer::Right);
    }

    #[test]
    fn a_library_that_answered_before_is_not_dropped_from_the_figures() {
        let column = |name: &str| Column { name: name.to_owned(), ..Column::default() };
        let kept = Figures { columns: vec![column("one"), column("two")], ..Figures::default() };
        let now = Figures { missing: vec!["two".to_owned(), "three".to_owned()], ..Figures::default() };
        assert_eq!(lost(&now, &kept), ["two"]);
    }

    #[test]
    fn other_counts_are_a_complaint_and_other_times_are_not() {
        let column = |right, microseconds| Column {
            name: "peer".to_owned(),
            kinds: BTreeMap::from([("comment".to_owned(), Counts { right, ..Counts::default() })]),
            microseconds,
            ..Column::default()
        };
        let figures = |column| Figures { columns: vec![column], ..Figures::default() }.without_times();
        assert_eq!(differences(&figures(column(1, 2.0)), &figures(column(1, 3.0))), Vec::<String>::new());
        assert_eq!(differences(&figures(column(1, 2.0)), &figures(column(2, 2.0))).len(), 1);
    }
}
