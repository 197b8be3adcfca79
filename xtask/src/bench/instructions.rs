//! Counts of instructions: the same on a busy machine as on a quiet one, so they tell what a change costs.
//!
//! Plain callgrind counts them, in one process for all: it dumps its count after each workload.
//! The table holds for one compiler on one kind of machine; with another the counts are not compared.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, bail};
use serde_json::Value;

use crate::verdict::Verdict;
use crate::workspace::{Workspace, shown};

const TABLE: &str = "bench/instructions.tsv";

/// By how much the count of a workload may grow without a change of the table, in hundredths. The same code differs by less than 1 from run to run.
const GROWTH: u64 = 3;

/// The same for a hostile family, of which one text alone is counted.
const GROWTH_OF_FAMILIES: u64 = 3;

/// How many times everything is counted for the table, which keeps the most: the places that memory comes to lie at differ from run to run,
/// and with them which buffers are moved when they grow. One family was seen to differ by 2 in a hundred.
const RUNS: usize = 3;

/// How many times as much twice the text may cost, in hundredths.
const DOUBLED: u64 = 210;

/// The function of the bench whose instructions are counted.
const COUNTED: &str = "*counted_section*";

/// The function of the bench at which the count is dumped.
const DUMPED: &str = "*after_counting*";

/// Large copies in blocks: glibc else takes `rep movsb` for some, by how both places lie, and callgrind counts that byte by byte.
/// The same program then differed by up to 10 in a hundred with the length of its path.
const COPIES: (&str, &str) = ("GLIBC_TUNABLES", "glibc.cpu.x86_rep_movsb_threshold=100000000");

/// Counts, by what was counted.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Table {
    /// The compiler and the kind of machine.
    pub(crate) key: String,
    /// What a workload costs in all: kind, name and preset, and its bytes.
    pub(crate) workloads: BTreeMap<String, (u64, u64)>,
    /// What a hostile family costs at a size and at twice that size.
    pub(crate) families: BTreeMap<String, (u64, u64)>,
}

/// Counts, and compares with the table or writes it.
pub(super) fn run(workspace: &Workspace, is_blessed: bool) -> Result<Verdict> {
    if !is_there() {
        return Ok(Verdict::not_run("valgrind is not installed"));
    }
    let key = key(workspace)?;
    let known = Table::read(workspace)?;
    if !is_blessed && known.key != key {
        return Ok(Verdict::not_run(format!("the table is of {}, this is {key}", known.key)));
    }
    let mut counted = count(workspace, key.clone())?;
    if is_blessed {
        for _ in 1..RUNS {
            counted = counted.with_most_of(&count(workspace, key.clone())?);
        }
        workspace.write(TABLE, counted.written())?;
        println!("wrote {TABLE}");
        return Ok(Verdict::pass(counted.summary()));
    }
    let complaints = counted.complaints(&known);
    Ok(Verdict::of_complaints(&complaints, counted.summary()))
}

/// Whether callgrind can be run.
pub(super) fn is_there() -> bool {
    let mut probe = Command::new("valgrind");
    probe.arg("--version").stdout(Stdio::null()).stderr(Stdio::null()).status().is_ok_and(|status| status.success())
}

/// The compiler and the kind of machine that counts hold for.
fn key(workspace: &Workspace) -> Result<String> {
    let mut command = Command::new("rustc");
    let output = command.arg("-vV").current_dir(workspace.path("")).output().context("cannot start rustc")?;
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let field =
        |name: &str| text.lines().find_map(|line| line.strip_prefix(name)).unwrap_or_default().trim().to_owned();
    Ok(format!("rustc {} {} {}", field("release:"), field("host:"), vectors()))
}

/// Which vector instructions the machine has: searches choose by them at run time.
fn vectors() -> &'static str {
    #[cfg(target_arch = "x86_64")]
    if std::arch::is_x86_feature_detected!("avx2") {
        return "avx2";
    }
    "no avx2"
}

/// Builds the bench, without running it.
fn built(workspace: &Workspace) -> Result<PathBuf> {
    let arguments = ["bench", "--package", "jsonseam", "--bench", "instructions", "--no-run", "--message-format=json"];
    let mut command = workspace.cargo(&arguments);
    let output = command.stderr(Stdio::inherit()).output().context("cannot start cargo")?;
    if !output.status.success() {
        bail!("`{}` failed", shown(&command));
    }
    let text = String::from_utf8_lossy(&output.stdout).into_owned();
    let messages = text.lines().filter_map(|line| serde_json::from_str::<Value>(line).ok());
    let is_ours = |message: &Value| message.pointer("/target/name").and_then(Value::as_str) == Some("instructions");
    let path = messages.filter(is_ours).find_map(|message| Some(PathBuf::from(message.get("executable")?.as_str()?)));
    path.context("cargo names no executable")
}

fn count(workspace: &Workspace, key: String) -> Result<Table> {
    let program = built(workspace)?;
    let folder = tempfile::tempdir()?;
    let dump = folder.path().join("counts");
    let output = callgrind(&dump, &program).output().context("cannot start valgrind")?;
    if !output.status.success() {
        bail!("callgrind failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    let labels = String::from_utf8_lossy(&output.stdout).into_owned();
    let mut table = Table { key, ..Table::default() };
    let mut single = None;
    for (number, label) in labels.lines().enumerate() {
        let count = summary(&dump.with_extension((number + 1).to_string()))?;
        let (name, bytes) = label.rsplit_once(' ').context("a label has no size")?;
        if !name.starts_with("family ") {
            table.workloads.insert(name.to_owned(), (bytes.parse()?, count));
        } else if let Some(first) = single.take() {
            table.families.insert(name.to_owned(), (first, count));
        } else {
            single = Some(count);
        }
    }
    Ok(table)
}

/// Callgrind on a program, with a dump at each call of [`DUMPED`]: `dump` with the extensions `1`, `2` and so on.
pub(super) fn callgrind(dump: &Path, program: &Path) -> Command {
    let mut command = Command::new("valgrind");
    command
        .arg("--tool=callgrind")
        .arg(format!("--toggle-collect={COUNTED}"))
        .arg(format!("--dump-before={DUMPED}"))
        .arg(format!("--callgrind-out-file={}", dump.display()))
        .arg(program)
        // Other variables would move the stack, and with it how some copies are done.
        .env_clear()
        .env(COPIES.0, COPIES.1);
    if let Some(folder) = dump.parent() {
        command.current_dir(folder);
    }
    command
}

/// The count of one dump.
pub(super) fn summary(path: &Path) -> Result<u64> {
    let text =
        std::fs::read_to_string(path).with_context(|| format!("callgrind has not written {}", path.display()))?;
    let line = text.lines().find_map(|line| line.strip_prefix("summary:").or_else(|| line.strip_prefix("totals:")));
    Ok(line.context("a dump holds no summary")?.trim().parse()?)
}

impl Table {
    /// The table that is kept.
    pub(crate) fn read(workspace: &Workspace) -> Result<Self> {
        let mut table = Self::default();
        for line in workspace.read(TABLE).unwrap_or_default().lines() {
            if let Some(key) = line.strip_prefix("# ") {
                key.clone_into(&mut table.key);
                continue;
            }
            let [name, first, second] = line.split('\t').collect::<Vec<_>>()[..] else {
                bail!("{TABLE}: a line has not three columns: {line}");
            };
            let of = if name.starts_with("family ") { &mut table.families } else { &mut table.workloads };
            of.insert(name.to_owned(), (first.parse()?, second.parse()?));
        }
        Ok(table)
    }

    fn written(&self) -> String {
        let mut text = format!("# {}\n", self.key);
        for (name, (first, second)) in self.workloads.iter().chain(&self.families) {
            let _ = writeln!(text, "{name}\t{first}\t{second}");
        }
        text
    }

    fn summary(&self) -> String {
        let of_workloads: u64 =
            self.workloads.iter().filter(|(name, _)| name.starts_with("workload ")).map(|(_, (_, count))| count).sum();
        let of_families: u64 = self.families.values().map(|(first, second)| first + second).sum();
        format!(
            "{} workloads take {} million instructions, {} hostile texts {} million",
            self.workloads.len(),
            of_workloads / 1_000_000,
            2 * self.families.len(),
            of_families / 1_000_000
        )
    }

    /// What has grown since `known`, and what grows faster than the text.
    fn complaints(&self, known: &Self) -> Vec<String> {
        let mut complaints = Vec::new();
        let names =
            |table: &Self| -> Vec<String> { table.workloads.keys().chain(table.families.keys()).cloned().collect() };
        let (own, others) = (names(self), names(known));
        let changed =
            own.iter().filter(|name| !others.contains(name)).map(|name| format!("{name} is not in the table"));
        complaints.extend(changed);
        let missing =
            others.iter().filter(|name| !own.contains(name)).map(|name| format!("{name} is no longer counted"));
        complaints.extend(missing);
        let has_grown = |count: u64, before: u64, growth: u64| count * 100 > before * (100 + growth);
        for (name, (_, count)) in self.workloads.iter().filter(|(name, _)| !name.starts_with("beside ")) {
            if let Some((_, before)) =
                known.workloads.get(name).filter(|(_, before)| has_grown(*count, *before, GROWTH))
            {
                complaints.push(format!("{name}: {before} instructions have become {count}"));
            }
        }
        for (name, counts) in &self.families {
            let before = known.families.get(name).copied().unwrap_or_default();
            if before.1 > 0 && has_grown(counts.1, before.1, GROWTH_OF_FAMILIES) {
                complaints.push(format!("{name}: {} instructions have become {}", before.1, counts.1));
            }
            // One that is in the table as it is grows as it did.
            if is_steep(*counts) && !is_steep(before) {
                complaints
                    .push(format!("{name}: twice the text costs {} instead of {} instructions", counts.1, counts.0));
            }
        }
        if !complaints.is_empty() {
            complaints.push("if that is meant, run `cargo xtask bench --instructions --bless`".to_owned());
        }
        complaints
    }

    /// Of each count the larger one of this table and of the other.
    fn with_most_of(mut self, other: &Self) -> Self {
        let pairs = self.workloads.iter_mut().chain(self.families.iter_mut());
        for (name, counts) in pairs {
            if let Some(others) = other.workloads.get(name).or_else(|| other.families.get(name)) {
                *counts = (counts.0.max(others.0), counts.1.max(others.1));
            }
        }
        self
    }

    /// The families that cost more than they may at twice the size.
    pub(crate) fn steep(&self) -> impl Iterator<Item = (&str, f64)> {
        let steep = self.families.iter().filter(|(_, counts)| is_steep(**counts));
        steep.map(|(name, counts)| (name.as_str(), ratio(counts.1, counts.0)))
    }
}

const fn is_steep((single, double): (u64, u64)) -> bool {
    double * 100 > single * DOUBLED
}

#[expect(clippy::cast_precision_loss, reason = "it is shown with two digits")]
pub(crate) fn ratio(count: u64, of: u64) -> f64 {
    count as f64 / of.max(1) as f64
}

#[cfg(test)]
mod tests {
    use super::Table;

    fn table(workload: u64, family: (u64, u64)) -> Table {
        Table {
            key: "rustc 1".to_owned(),
            workloads: [("workload a strict".to_owned(), (100, workload))].into(),
            families: [("family b strict".to_owned(), family)].into(),
        }
    }

    #[test]
    fn growth_and_steep_families_are_told_and_small_changes_are_not() {
        let known = table(1_000, (1_000, 2_000));
        assert!(table(1_030, (1_020, 2_060)).complaints(&known).is_empty());
        assert_eq!(table(1_031, (1_000, 2_000)).complaints(&known).len(), 2);
        assert_eq!(table(1_000, (950, 2_050)).complaints(&known).len(), 2);
        assert_eq!(table(500, (500, 1_000)).complaints(&known).len(), 0);
    }

    #[test]
    fn a_family_that_is_steep_in_the_table_may_stay_so() {
        let known = table(1_000, (1_000, 3_000));
        assert!(table(1_000, (1_000, 3_000)).complaints(&known).is_empty());
        assert_eq!(known.steep().count(), 1);
    }

    #[test]
    fn what_is_new_or_gone_is_told() {
        let mut other = table(1_000, (1_000, 2_000));
        other.workloads.insert("workload c strict".to_owned(), (1, 1));
        assert_eq!(other.complaints(&table(1_000, (1_000, 2_000))).len(), 2);
        assert_eq!(table(1_000, (1_000, 2_000)).complaints(&other).len(), 2);
    }
}
