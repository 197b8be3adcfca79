//! `cargo xtask scoreboard --streams`: streams of the presets and every other library that reads a text in pieces, on the same texts.
//!
//! Whether a library takes back what it showed is judged from what is to be seen after each piece, by one judge for all ([`shown`]). These counts are
//! kept in `bench/streams.json` and compared; how time grows with the text is kept beside them and never compared.

mod shown;
mod texts;

use std::collections::BTreeMap;
use std::time::Instant;

use anyhow::{Context, Result};
use clap::Args;
use jsonseam_testkit::random::Random;
use jsonseam_testkit::streams::cuts;
use jsonseam_testkit::value::Value;
use serde::{Deserialize, Serialize};

use self::shown::Shown;
use self::texts::Text;
use crate::peers::{self, Answered, Peer};
use crate::verdict::Verdict;
use crate::workspace::Workspace;

const FIGURES: &str = "bench/streams.json";

/// The files of those that read a text in pieces.
const SCRIPTS: &str = "bench/peers/streams";

/// Bytes of a piece.
const PIECE: usize = 8;

/// The sizes of the texts whose time is measured, each twice the one before.
const SIZES: [usize; 3] = [16 << 10, 32 << 10, 64 << 10];

/// A text that is read faster than this is read again, and the least time counts.
const SHORT: u64 = 1_000_000_000;

/// So often at the most: times of milliseconds need it on a busy machine.
const ROUNDS: u64 = 40;

/// So many texts are put to one process of a peer: what it showed of all of them is in memory at once.
const AT_ONCE: usize = 100;

/// Whether streams are measured, and whose.
#[derive(Debug, Args)]
pub(super) struct Choice {
    /// Measures streams instead, beside those that read a text in pieces: what is taken back, what is refused and how time grows.
    /// Their figures are in bench/streams.json, their table in docs/streaming.md.
    #[arg(long, conflicts_with = "documents")]
    streams: bool,
    /// Of streams only those whose name begins like this, as ours with `jsonseam`; the figures of the others stay as they are kept.
    #[arg(long, value_name = "NAME,…", value_delimiter = ',', requires = "streams")]
    only: Vec<String>,
}

impl Choice {
    /// Whether streams are measured.
    pub(super) const fn is_made(&self) -> bool {
        self.streams
    }

    /// Whether a library of this name is asked.
    fn has(&self, name: &str) -> bool {
        self.only.is_empty() || self.only.iter().any(|start| name.starts_with(start.as_str()))
    }
}

/// What the table says.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Figures {
    /// How many texts each group has.
    pub(crate) texts: BTreeMap<String, u64>,
    /// How many strings, numbers and literals the broken texts mean whose truth is known.
    pub(crate) meant: u64,
    /// Everyone who was asked, the presets first.
    pub(crate) columns: Vec<Column>,
    /// The peers with a file of their own that did not answer.
    pub(crate) missing: Vec<String>,
}

/// What one library showed.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize)]
pub(crate) struct Column {
    /// The name of the library, or of ours with the preset.
    pub(crate) name: String,
    /// The version that answered.
    pub(crate) version: String,
    /// The counts of each group.
    pub(crate) groups: BTreeMap<String, Counts>,
    /// Milliseconds for one long string of each size; `None` where it took too long.
    pub(crate) string: Vec<Option<f64>>,
    /// The same for an array of rows.
    pub(crate) rows: Vec<Option<f64>>,
}

/// What a library showed of the texts of a group.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Counts {
    /// Texts of which it took back a value that it had shown complete.
    pub(crate) taken_back: u64,
    /// Texts for which it gave an error in the end.
    pub(crate) refused: u64,
    /// Of those the ones of which it had shown a complete value.
    pub(crate) refused_late: u64,
    /// Texts over which it panicked, ended its process or did not come back.
    pub(crate) crashed: u64,
    /// Of strings, numbers and literals that it had shown complete before the end those that were meant there.
    pub(crate) right: u64,
    /// And those that were not. Neither is counted where nothing is known of what was meant.
    pub(crate) wrong: u64,
}

/// What a peer is asked.
#[derive(Serialize)]
struct Question<'t> {
    pieces: Vec<&'t str>,
    shows: bool,
}

/// What it showed.
#[derive(Debug, Default, Deserialize)]
#[serde(default)]
struct Reply {
    /// What was to be seen after a piece, as JSON, without those that are as the one before.
    views: Vec<String>,
    /// What the whole text is; without it the text was refused.
    end: Option<String>,
    nanoseconds: u64,
    crashed: bool,
}

impl Answered for Reply {
    fn crashed() -> Self {
        Self { crashed: true, ..Self::default() }
    }
}

impl Counts {
    fn count(&mut self, text: &Text, reply: &Reply) {
        let mut shown = Shown::default();
        let mut is_taken_back = false;
        let views: Vec<Value> = reply.views.iter().filter_map(|view| Value::read(view)).collect();
        for view in &views {
            is_taken_back |= shown.take(view);
        }
        let is_late = shown.is_any();
        if let Some(end) = reply.end.as_deref().and_then(Value::read) {
            is_taken_back |= shown.take(&end);
        }
        let is_refused = reply.end.is_none() && !reply.crashed;
        self.taken_back += u64::from(is_taken_back);
        self.refused += u64::from(is_refused);
        self.refused_late += u64::from(is_refused && is_late);
        self.crashed += u64::from(reply.crashed);
        if let (Some(truth), Some(last)) = (&text.truth, views.last()) {
            let (right, wrong) = shown::compared(last, truth);
            self.right += right;
            self.wrong += wrong;
        }
    }
}

impl Figures {
    /// The figures that are kept.
    pub(crate) fn read(workspace: &Workspace) -> Result<Self> {
        serde_json::from_str(&workspace.read(FIGURES)?).context("the figures of streams are not as they are written")
    }

    /// The kept figures with the columns of these in place of theirs.
    fn within(mut self, kept: &Self) -> Self {
        let now = std::mem::take(&mut self.columns);
        let newer = |kept: &Column| now.iter().find(|column| column.name == kept.name).unwrap_or(kept).clone();
        self.columns = kept.columns.iter().map(newer).collect();
        let is_new = |column: &&Column| kept.columns.iter().all(|kept| kept.name != column.name);
        self.columns.extend(now.iter().filter(is_new).cloned());
        self
    }
}

/// Runs the task.
pub(super) fn run(workspace: &Workspace, choice: &Choice, saves: bool) -> Result<Verdict> {
    let start = Instant::now();
    let is_whole = choice.only.is_empty();
    let kept = if saves && is_whole { Figures::default() } else { Figures::read(workspace)? };
    let mut everyone = peers::built(workspace, "streams")?;
    let (scripted, missing) = peers::scripted(workspace, SCRIPTS, is_there)?;
    everyone.extend(scripted);
    everyone.retain(|peer| choice.has(&peer.name));
    let texts = texts::all(saves)?;
    let mut figures = Figures { missing, ..Figures::default() };
    for text in &texts {
        *figures.texts.entry(text.group()).or_default() += 1;
    }
    let broken = texts.iter().filter(|text| text.group() == "broken").filter_map(|text| text.truth.as_ref());
    figures.meant = broken.map(shown::scalars).sum();
    for peer in &everyone {
        let column = column(peer, &texts)?;
        println!("{}", line(&column));
        figures.columns.push(column);
    }
    for name in &figures.missing {
        println!("{name:<24} NOT RUN: it is not installed");
    }
    if !is_whole {
        figures = figures.within(&kept);
    }
    let summary = format!("{} streams of {} texts in {} s", everyone.len(), texts.len(), start.elapsed().as_secs());
    let mut complaints = promises(&figures);
    if !is_whole || !saves {
        complaints.extend(other_texts(&figures, &kept));
    }
    if !saves {
        complaints.extend(differences(&figures, &kept));
    } else if complaints.is_empty() {
        workspace.write(FIGURES, serde_json::to_string_pretty(&figures)? + "\n")?;
        return Ok(Verdict::pass(format!("{summary}; wrote {FIGURES}, `cargo xtask docs` writes the table")));
    }
    Ok(Verdict::of_complaints(&complaints, summary))
}

fn is_ours(name: &str) -> bool {
    name.starts_with("jsonseam ")
}

/// Whether a peer answers at all.
fn is_there(peer: &Peer) -> bool {
    let question = Question { pieces: vec!["[1]"], shows: true };
    matches!(peer.replies(&[question]).as_deref(), Ok([Reply { end: Some(_), .. }]))
}

fn question(text: &str, shows: bool) -> Question<'_> {
    let mut from = 0;
    let mut piece = |end| text.get(std::mem::replace(&mut from, end)..end).unwrap_or_default();
    // The size is given, so chance has no part in it.
    let pieces = cuts(text, PIECE, &mut Random::new(0)).into_iter().map(&mut piece).collect();
    Question { pieces, shows }
}

/// What a peer shows of the texts.
fn column(peer: &Peer, texts: &[Text]) -> Result<Column> {
    let mut column = Column { name: peer.name.clone(), version: peer.version()?, ..Column::default() };
    for texts in texts.chunks(AT_ONCE) {
        let questions: Vec<Question<'_>> = texts.iter().map(|text| question(&text.content, true)).collect();
        for (text, reply) in texts.iter().zip(peer.replies::<Reply>(&questions)?) {
            column.groups.entry(text.group()).or_default().count(text, &reply);
        }
    }
    column.string = times(peer, texts::string)?;
    column.rows = times(peer, texts::rows)?;
    Ok(column)
}

/// Milliseconds for a text of each size.
fn times(peer: &Peer, make: fn(usize) -> String) -> Result<Vec<Option<f64>>> {
    let mut times: Vec<Option<f64>> = Vec::new();
    for size in SIZES {
        // What took too long takes longer yet with twice the text.
        let is_hopeless = times.last().is_some_and(Option::is_none);
        times.push(if is_hopeless { None } else { time(peer, &make(size))? });
    }
    Ok(times)
}

fn time(peer: &Peer, text: &str) -> Result<Option<f64>> {
    let small = texts::rows(1 << 10);
    let ask = |rounds: usize| -> Result<Option<u64>> {
        // The first one pays for what is loaded late.
        let texts = std::iter::once(small.as_str()).chain(std::iter::repeat_n(text, rounds));
        let questions: Vec<Question<'_>> = texts.map(|text| question(text, false)).collect();
        let replies = peer.replies::<Reply>(&questions)?;
        let times = replies.iter().skip(1).filter(|reply| !reply.crashed).map(|reply| reply.nanoseconds);
        Ok(times.min())
    };
    let rounds = |once: u64| usize::try_from((6 * SHORT / once.max(1)).clamp(5, ROUNDS)).unwrap_or(1);
    let nanoseconds = match ask(1)? {
        Some(once) if once < SHORT => ask(rounds(once))?.map(|least| least.min(once)),
        once => once,
    };
    #[expect(clippy::cast_precision_loss, reason = "a text takes less than a day")]
    let milliseconds = |nanoseconds: u64| (nanoseconds as f64 / 1_000.0).round() / 1_000.0;
    Ok(nanoseconds.map(milliseconds))
}

fn line(column: &Column) -> String {
    let counts = column.groups.iter().map(|(group, counts)| {
        let Counts { taken_back, refused, refused_late, crashed, right, wrong } = counts;
        format!("{group} {taken_back}/{refused}/{refused_late}/{crashed} {right}:{wrong}")
    });
    let counts: Vec<String> = counts.collect();
    format!("{:<24} string {:?} rows {:?} ms\n    {}", column.name, column.string, column.rows, counts.join("; "))
}

/// What the table may not say of ours.
fn promises(figures: &Figures) -> Vec<String> {
    let ours = figures.columns.iter().filter(|column| is_ours(&column.name));
    let broken = ours.flat_map(|column| {
        let counts = column.groups.iter().filter(|(_, counts)| counts.taken_back + counts.crashed > 0);
        counts.map(|(group, counts)| {
            let Counts { taken_back, crashed, .. } = counts;
            format!("{}, {group}: {taken_back} texts of which values were taken back, {crashed} crashes", column.name)
        })
    });
    broken.collect()
}

/// Whether the texts of this run are others than those of the kept figures. Groups whose texts are not here are not compared.
fn other_texts(now: &Figures, kept: &Figures) -> Option<String> {
    let is_other =
        now.texts.iter().any(|(group, count)| kept.texts.get(group) != Some(count)) || now.meant != kept.meant;
    is_other.then(|| "the texts are others than those of the kept figures".to_owned())
}

/// How the counts of this run differ from those that are kept, in the groups whose texts are here.
fn differences(now: &Figures, kept: &Figures) -> Vec<String> {
    let mut complaints = Vec::new();
    let is_here = |group: &str| now.texts.contains_key(group);
    for column in &now.columns {
        match kept.columns.iter().find(|kept| kept.name == column.name) {
            Some(kept) if kept.version != column.version => {
                complaints.push(format!("{}: version {}, kept is {}", column.name, column.version, kept.version));
            }
            Some(kept) => {
                let groups = kept.groups.iter().filter(|(group, _)| is_here(group));
                if !groups.eq(column.groups.iter()) {
                    complaints.push(format!("{}: other counts than those that are kept", column.name));
                }
            }
            None => complaints.push(format!("{}: no counts are kept", column.name)),
        }
    }
    for kept in &kept.columns {
        if now.columns.iter().all(|column| column.name != kept.name) {
            complaints.push(format!("{}: NOT RUN, though counts of it are kept", kept.name));
        }
    }
    complaints
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_is_asked_in_pieces_of_eight_bytes_that_split_no_character() {
        assert_eq!(question("[\"1234567é\"]", true).pieces, ["[\"123456", "7é\"]"]);
        assert_eq!(question("[\"12345é\"]", true).pieces, ["[\"12345é", "\"]"]);
    }

    fn text() -> Text {
        Text::made(texts::Group::Broken, "[1, 2, 3, 4".to_owned(), Value::read("[1, 2, 3, 4]"))
    }

    fn counts(views: &[&str], end: Option<&str>) -> Counts {
        let views = views.iter().map(|&view| view.to_owned()).collect();
        let mut counts = Counts::default();
        counts.count(&text(), &Reply { views, end: end.map(str::to_owned), ..Reply::default() });
        counts
    }

    #[test]
    fn a_refusal_takes_nothing_back_and_is_late_once_a_complete_value_was_shown() {
        let early = counts(&["[1]"], None);
        assert_eq!((early.taken_back, early.refused, early.refused_late), (0, 1, 0));
        let late = counts(&["[1]", "[1, 2]"], None);
        assert_eq!((late.taken_back, late.refused, late.refused_late), (0, 1, 1));
    }

    #[test]
    fn a_value_that_the_end_changes_is_taken_back() {
        let counts = counts(&["[1, 7, 3]"], Some("[1, 2, 3, 4]"));
        assert_eq!((counts.taken_back, counts.refused), (1, 0));
        assert_eq!((counts.right, counts.wrong), (1, 1), "the last one is open");
    }

    #[test]
    fn who_is_not_asked_stays_as_kept() {
        let column = |name: &str, version: &str| Column {
            name: name.to_owned(),
            version: version.to_owned(),
            ..Column::default()
        };
        let figures = |columns: Vec<Column>| Figures { columns, ..Figures::default() };
        let kept = figures(vec![column("one", "1"), column("other", "1")]);
        let both = figures(vec![column("other", "2"), column("new", "1")]).within(&kept);
        assert_eq!(both.columns, [column("one", "1"), column("other", "2"), column("new", "1")]);
        let choice = Choice { streams: true, only: vec!["jsonseam".to_owned(), "one".to_owned()] };
        assert!(choice.has("jsonseam lenient") && choice.has("one") && !choice.has("other"));
    }

    #[test]
    fn other_counts_are_a_complaint_and_other_times_or_texts_that_are_not_here_are_not() {
        let figures = |groups: &[(&str, u64)], times| {
            let of = |taken_back| Counts { taken_back, ..Counts::default() };
            Figures {
                texts: groups.iter().map(|(group, _)| ((*group).to_owned(), 1)).collect(),
                columns: vec![Column {
                    name: "peer".to_owned(),
                    groups: groups.iter().map(|(group, count)| ((*group).to_owned(), of(*count))).collect(),
                    string: vec![times],
                    ..Column::default()
                }],
                ..Figures::default()
            }
        };
        let kept = figures(&[("broken", 1), ("broken, real", 2)], Some(1.0));
        assert_eq!(differences(&figures(&[("broken", 1)], None), &kept), Vec::<String>::new());
        assert_eq!(differences(&figures(&[("broken", 2)], None), &kept).len(), 1);
        assert_eq!(differences(&Figures { columns: Vec::new(), ..kept.clone() }, &kept).len(), 1, "it is missing");
    }
}
