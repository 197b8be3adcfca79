//! This build beside an older one: the same driver built twice, in two processes that take turns, so that "times that commit" is of one run.

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result, bail};
use jsonseam_testkit::workloads::{Single, singles, workload};
use serde::{Deserialize, Serialize};

use super::driver::{DRIVER, Driver, Set, built, lines};
use super::instructions::{callgrind, is_there, summary};
use super::keeping::{keep, kept};
use crate::verdict::Verdict;
use crate::workspace::{Workspace, succeed};

const FIGURES: &str = "bench/goals.json";

/// How the sets of the mix are named, up to their seed.
const MIX: &str = "real-mix ";

/// The seeds of `real-mix`: a goal holds on each.
const SEEDS: [u64; 5] = [13, 1, 2, 3, 4];

/// How many documents a set of single defects holds at the small size.
const DOCUMENTS: u64 = 24;

/// Bytes of `real-mix` and of valid lines.
const BYTES: usize = 256 << 10;

/// The sizes at which one defect is measured.
pub(crate) const SIZES: [(&str, usize); 2] = [("2.4 KB", 2_400), ("1 MiB", 1 << 20)];

/// How long both builds take turns with one set, and how often at least.
const TURNS: Duration = Duration::from_millis(1_500);
const ROUNDS: usize = 7;

/// What was measured of the two builds.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Goals {
    /// The older commit.
    pub(crate) base: String,
    pub(crate) sets: BTreeMap<String, Figure>,
}

/// One set: bytes, nanoseconds and instructions.
#[derive(Debug, Default, Clone, Deserialize, Serialize)]
pub(crate) struct Figure {
    pub(crate) bytes: usize,
    pub(crate) base: Cost,
    pub(crate) now: Cost,
}

#[derive(Debug, Default, Clone, Copy, Deserialize, Serialize)]
pub(crate) struct Cost {
    pub(crate) nanoseconds: f64,
    /// Zero where they were not counted.
    pub(crate) instructions: u64,
}

impl Goals {
    /// The figures that are kept.
    pub(crate) fn read(workspace: &Workspace) -> Result<Self> {
        kept(workspace, FIGURES)
    }

    fn figure(&self, name: &str) -> Result<&Figure> {
        self.sets.get(name).with_context(|| format!("{FIGURES} has no set `{name}`"))
    }

    /// How many times the time of a byte of `than` one of `name` takes. Texts with a defect are as long as those without, but for a few bytes.
    pub(crate) fn times(&self, name: &str, than: &str) -> Result<f64> {
        Ok(self.figure(than)?.speed() / self.figure(name)?.speed())
    }

    /// How many times as fast as the base the slowest seed of the mix is.
    pub(crate) fn mix(&self) -> Option<f64> {
        let mixes = self.sets.iter().filter(|(name, _)| name.starts_with(MIX)).map(|(_, figure)| figure);
        mixes.map(|figure| figure.base.nanoseconds / figure.now.nanoseconds).reduce(f64::min)
    }

    /// The single defects of this size within the text, and whether more than one reading is weighed for each.
    pub(crate) fn defects(&self, size: &str) -> impl Iterator<Item = (&str, bool)> {
        let names = self.sets.keys().filter_map(move |name| name.strip_prefix(size)?.trim().strip_suffix(" start"));
        names.map(|defect| (defect, defect == "inner-quotes")).chain(std::iter::once(("last-brace", true)))
    }

    /// What a defect costs at its dearest place, in times of `IgnoredAny` on the valid text.
    pub(crate) fn worst(&self, size: &str, defect: &str) -> Result<f64> {
        let prefix = format!("{size} {defect}");
        let of_defect = self.sets.keys().filter(|name| name.starts_with(&prefix));
        of_defect
            .map(|name| self.times(name, &format!("{size} IgnoredAny")))
            .try_fold(0.0, |most, times| Ok(times?.max(most)))
    }
}

impl Figure {
    /// Megabytes per second.
    #[expect(clippy::cast_precision_loss, reason = "it is shown with two digits")]
    pub(crate) fn speed(&self) -> f64 {
        self.bytes as f64 / self.now.nanoseconds * 1_000.0
    }
}

/// Builds both, measures, and prints or keeps the figures.
pub(super) fn run(workspace: &Workspace, commit: &str, is_saved: bool) -> Result<Verdict> {
    let commit = &hash_of(workspace, commit)?;
    let base = tree(workspace, commit)?;
    let programs = [built(&base)?, built(&workspace.path(""))?];
    let sets = sets();
    let folder = tempfile::tempdir()?;
    let file = folder.path().join("sets.jsonl");
    fs::write(&file, lines(&sets))?;
    let instructions = if is_there() {
        let counted = |program: &PathBuf| counts(program, &file, folder.path(), sets.len());
        [counted(&programs[0])?, counted(&programs[1])?]
    } else {
        println!("valgrind is not installed: instructions are not counted");
        [vec![0; sets.len()], vec![0; sets.len()]]
    };
    let mut drivers = [Driver::start(&programs[0], &file)?, Driver::start(&programs[1], &file)?];
    let mut goals = Goals { base: commit.to_owned(), ..Goals::default() };
    for (number, set) in sets.iter().enumerate() {
        let times = take_turns(&mut drivers, number)?;
        let cost = |who: usize| Cost { nanoseconds: times[who], instructions: instructions[who][number] };
        let bytes = set.texts.iter().map(String::len).sum();
        let figure = Figure { bytes, base: cost(0), now: cost(1) };
        println!("{}", row(&set.name, &figure));
        goals.sets.insert(set.name.clone(), figure);
    }
    if is_saved {
        keep(workspace, FIGURES, &goals)?;
    }
    Ok(Verdict::pass(format!("{} sets, this build beside {commit}", sets.len())))
}

#[expect(clippy::cast_precision_loss, reason = "it is shown with two digits")]
fn row(name: &str, figure: &Figure) -> String {
    let Figure { bytes, base, now } = figure;
    let size = *bytes as f64;
    let instructions = |cost: &Cost| cost.instructions as f64 / size;
    format!(
        "{name:<44} {:>8.1} MB/s, {:>5.2} times the base; {:>7.1} instructions a byte, base {:>7.1}",
        figure.speed(),
        base.nanoseconds / now.nanoseconds,
        instructions(now),
        instructions(base),
    )
}

/// What is measured. The names are those that docs/performance.md asks for.
fn sets() -> Vec<Set> {
    let set = |name: String, reader, texts| Set { name, reader, texts };
    let mut sets = Vec::new();
    if let Some(mix) = workload("real-mix") {
        for seed in SEEDS {
            let texts = mix.samples_of(BYTES, seed).into_iter().map(|sample| sample.text).collect();
            sets.push(set(format!("{MIX}{seed}"), "lenient", texts));
        }
    }
    if let Some(lines) = workload("valid-lines") {
        sets.push(set("valid-lines".to_owned(), "lenient", lines.texts(BYTES)));
        sets.push(set("valid-lines IgnoredAny".to_owned(), "IgnoredAny", lines.texts(BYTES)));
    }
    for (size, bytes) in SIZES {
        let documents = if bytes < BYTES { DOCUMENTS } else { 1 };
        let mut kinds: Vec<(String, Vec<String>)> = Vec::new();
        let mut valid = Vec::new();
        for seed in 0..documents {
            for Single { defect, place, text, valid: whole, .. } in singles(bytes, seed) {
                let name = format!("{defect} {place}");
                if defect == "fence" {
                    valid.push(whole);
                }
                match kinds.iter_mut().find(|(known, _)| *known == name) {
                    Some((_, texts)) => texts.push(text),
                    None => kinds.push((name, vec![text])),
                }
            }
        }
        sets.push(set(format!("{size} valid"), "lenient", valid.clone()));
        sets.push(set(format!("{size} IgnoredAny"), "IgnoredAny", valid));
        sets.extend(
            kinds.into_iter().map(|(name, texts)| set(format!("{size} {}", name.trim_end()), "lenient", texts)),
        );
    }
    sets
}

/// The first digits of the commit that a name stands for today.
fn hash_of(workspace: &Workspace, commit: &str) -> Result<String> {
    let mut git = Command::new("git");
    git.args(["rev-parse", "--verify", "--short=12", "--end-of-options"]).arg(format!("{commit}^{{commit}}"));
    let output = git.current_dir(workspace.path("")).stderr(Stdio::inherit()).output().context("cannot start git")?;
    if !output.status.success() {
        bail!("there is no commit `{commit}` here");
    }
    Ok(String::from_utf8_lossy(&output.stdout).trim().to_owned())
}

/// The tree of a commit, with this driver in it.
fn tree(workspace: &Workspace, commit: &str) -> Result<PathBuf> {
    let folder = workspace.path(&format!("target/base/{commit}"));
    if !folder.exists() {
        let parts = workspace.path(&format!("target/base/{commit}.part"));
        fs::create_dir_all(&parts)?;
        let archive = parts.join("tree.tar");
        let mut git = Command::new("git");
        git.args(["archive", "--format=tar", "--output"]).arg(&archive).arg(commit).current_dir(workspace.path(""));
        succeed(&mut git)?;
        succeed(Command::new("tar").arg("-xf").arg(&archive).arg("-C").arg(&parts))?;
        fs::remove_file(&archive)?;
        // A tree that is there is whole.
        fs::rename(&parts, &folder)?;
    }
    let driver = folder.join(DRIVER);
    fs::create_dir_all(driver.join("src"))?;
    for file in ["Cargo.toml", "Cargo.lock", "src/main.rs"] {
        fs::copy(workspace.path(DRIVER).join(file), driver.join(file)).with_context(|| format!("{DRIVER}/{file}"))?;
    }
    Ok(folder)
}

/// The instructions of each set.
fn counts(program: &Path, sets: &Path, folder: &Path, count: usize) -> Result<Vec<u64>> {
    let dump = folder.join("counts");
    let output = callgrind(&dump, program).arg(sets).arg("count").output().context("cannot start valgrind")?;
    if !output.status.success() {
        bail!("callgrind failed: {}", String::from_utf8_lossy(&output.stderr));
    }
    (1..=count).map(|number| summary(&dump.with_extension(number.to_string()))).collect()
}

/// The least time of each build for a set.
fn take_turns(drivers: &mut [Driver; 2], set: usize) -> Result<[f64; 2]> {
    let mut least = [f64::MAX; 2];
    let start = Instant::now();
    let mut rounds = 0;
    while rounds < ROUNDS || start.elapsed() < TURNS {
        for (driver, least) in drivers.iter_mut().zip(&mut least) {
            *least = least.min(driver.round(set)?);
        }
        rounds += 1;
    }
    Ok(least)
}
