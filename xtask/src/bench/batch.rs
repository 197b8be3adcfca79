//! `jsonseam batch` on all processors beside one thread of the library on the same texts: what reading, ordering and writing records leave of them.

use std::collections::BTreeMap;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::thread::available_parallelism;
use std::time::Instant;

use anyhow::Result;
use jsonseam_testkit::workloads::workload;
use jsonseam_text::floor_char_boundary;
use serde::{Deserialize, Serialize};
use serde_json::json;

use super::driver::{self, Driver, Set};
use super::keeping::{keep, kept};
use crate::verdict::Verdict;
use crate::workspace::{Workspace, succeed};

const FIGURES: &str = "bench/batch.json";

/// Bytes of the texts of a set: they are repeated up to that.
const BYTES: usize = 64 << 20;

/// How often everyone takes turns with one set.
const ROUNDS: usize = 7;

/// What was measured.
#[derive(Debug, Default, Deserialize, Serialize)]
pub(crate) struct Batches {
    pub(crate) processors: usize,
    pub(crate) sets: BTreeMap<String, Batch>,
}

/// Seconds for one set.
#[derive(Debug, Default, Clone, Copy, Deserialize, Serialize)]
pub(crate) struct Batch {
    pub(crate) bytes: usize,
    /// `Pipeline::repair` on one thread.
    pub(crate) library: f64,
    /// `jsonseam batch --quiet`, from a file to nowhere.
    pub(crate) quiet: f64,
    /// The same without `--quiet`: it tells what would have helped.
    pub(crate) telling: f64,
}

impl Batches {
    /// The figures that are kept.
    pub(crate) fn read(workspace: &Workspace) -> Result<Self> {
        kept(workspace, FIGURES)
    }

    /// How many times as fast as one thread of the library the batch is, for each processor.
    #[expect(clippy::cast_precision_loss, reason = "there are few processors")]
    pub(crate) fn of_a_processor(&self, set: &str) -> Option<f64> {
        let Batch { library, quiet, .. } = self.sets.get(set)?;
        Some(library / quiet / self.processors as f64)
    }

    /// How many times as long one cut line in ten takes as none.
    pub(crate) fn cut(&self) -> Option<f64> {
        let telling = |set: &str| self.sets.get(set).map(|batch| batch.telling);
        Some(telling(CUT)? / telling(VALID)?)
    }
}

const VALID: &str = "valid-lines";
const CUT: &str = "one line in ten is cut";

/// The sets that are measured.
fn sets() -> Vec<Set> {
    let set = |name: &str, texts| Set { name: name.to_owned(), reader: "lenient", texts };
    let of = |name: &str| workload(name).map_or_else(Vec::new, |workload| workload.texts(1 << 20));
    let cut = of(VALID).into_iter().enumerate().map(|(index, mut text)| {
        if index % 10 == 0 {
            text.truncate(floor_char_boundary(&text, text.len() / 2));
        }
        text
    });
    let mut sets: Vec<_> = [VALID, "real-mix", "broken-lines"].iter().map(|name| set(name, of(name))).collect();
    sets.push(set(CUT, cut.collect()));
    sets
}

/// Measures, and prints or keeps the figures.
pub(super) fn run(workspace: &Workspace, is_saved: bool) -> Result<Verdict> {
    succeed(workspace.cargo(&["build", "--release", "--quiet", "-p", "jsonseam-cli"]).current_dir(workspace.path("")))?;
    let program = workspace.target().join("release/jsonseam").with_extension(std::env::consts::EXE_EXTENSION);
    let folder = tempfile::tempdir()?;
    let mut batches = Batches { processors: available_parallelism()?.get(), ..Batches::default() };
    let sets = sets();
    let texts = folder.path().join("sets.jsonl");
    fs::write(&texts, driver::lines(&sets))?;
    let mut driver = Driver::start(&driver::built(&workspace.path(""))?, &texts)?;
    for (number, Set { name, texts, .. }) in sets.iter().enumerate() {
        let file = folder.path().join("in.jsonl");
        let times = u32::try_from(BYTES.div_ceil(texts.iter().map(String::len).sum()))?;
        write(&file, texts, times)?;
        let mut least = Batch { library: f64::MAX, quiet: f64::MAX, telling: f64::MAX, ..Batch::default() };
        least.bytes = usize::try_from(fs::metadata(&file)?.len())?;
        for _ in 0..ROUNDS {
            least.library = least.library.min(driver.round(number)? * f64::from(times) / 1e9);
            least.quiet = least.quiet.min(batch(&program, &file, &["--quiet"])?);
            least.telling = least.telling.min(batch(&program, &file, &[])?);
        }
        batches.sets.insert(name.clone(), least);
        let of = batches.of_a_processor(name).unwrap_or_default();
        println!("{name:<24} {of:.2} of one thread for each processor; {least:?}");
    }
    println!("one cut line in ten: {:.2} times as long as none", batches.cut().unwrap_or_default());
    if is_saved {
        keep(workspace, FIGURES, &batches)?;
    }
    Ok(Verdict::pass(format!("{} sets", batches.sets.len())))
}

fn write(file: &Path, texts: &[String], times: u32) -> Result<()> {
    let mut lines = Vec::new();
    for text in texts {
        serde_json::to_writer(&mut lines, &json!({"completion": text}))?;
        lines.push(b'\n');
    }
    let mut file = fs::File::create(file)?;
    (0..times).try_for_each(|_| file.write_all(&lines))?;
    Ok(())
}

fn batch(program: &Path, file: &Path, flags: &[&str]) -> Result<f64> {
    let mut command = Command::new(program);
    command.args(["batch", "--preset", "lenient"]).args(flags).arg(file);
    command.stdout(Stdio::null()).stderr(Stdio::null());
    let start = Instant::now();
    succeed(&mut command)?;
    Ok(start.elapsed().as_secs_f64())
}
