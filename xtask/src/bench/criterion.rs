//! The clock: criterion's groups, and the ratio of jsonseam to what it is measured beside.

use std::fs;
use std::path::Path;

use anyhow::{Context, Result};
use serde_json::Value;

use crate::verdict::Verdict;
use crate::workspace::{Workspace, succeed};

/// Runs the groups whose name holds `name`, and prints the ratios.
pub(super) fn run(workspace: &Workspace, name: Option<&str>) -> Result<Verdict> {
    let results = workspace.target().join("criterion");
    // What an earlier run has left would be taken for a result of this one.
    if results.exists() {
        fs::remove_dir_all(&results).with_context(|| format!("cannot remove {}", results.display()))?;
    }
    let mut bench = workspace.cargo(&["bench", "--package", "jsonseam", "--bench", "speed"]);
    succeed(bench.args(name.map(|name| ["--", name]).into_iter().flatten()))?;
    let mut groups: Vec<_> = fs::read_dir(&results)
        .with_context(|| {
            format!("criterion has measured nothing{}", name.map_or(String::new(), |name| format!(" named {name}")))
        })?
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.join("jsonseam").is_dir())
        .collect();
    groups.sort();
    println!("\n{:<34} {:<12} {:>10} {:>10} {:>8}", "workload", "beside", "its MB/s", "jsonseam", "ratio");
    for group in &groups {
        let own = Measured::read(&group.join("jsonseam"))?;
        for beside in besides(group) {
            let other = Measured::read(&group.join(&beside))?;
            println!(
                "{:<34} {beside:<12} {:>10.1} {:>10.1} {:>8.2}",
                group.file_name().map_or_else(String::new, |name| name.to_string_lossy().into_owned()),
                other.speed(),
                own.speed(),
                other.nanoseconds / own.nanoseconds
            );
        }
    }
    Ok(Verdict::pass(format!(
        "{} workloads measured; a ratio above 1 is faster than the library beside it",
        groups.len()
    )))
}

/// Everyone else in a group.
fn besides(group: &Path) -> Vec<String> {
    let entries = fs::read_dir(group).into_iter().flatten().flatten();
    let names = entries.map(|entry| entry.file_name().to_string_lossy().into_owned());
    names.filter(|name| !["jsonseam", "report"].contains(&name.as_str())).collect()
}

/// What criterion has measured.
struct Measured {
    /// Median of one pass over the workload.
    nanoseconds: f64,
    bytes: f64,
}

impl Measured {
    fn read(folder: &Path) -> Result<Self> {
        let read = |name: &str| -> Result<Value> {
            let path = folder.join("new").join(name);
            let text =
                fs::read_to_string(&path).with_context(|| format!("criterion has not written {}", path.display()))?;
            Ok(serde_json::from_str(&text)?)
        };
        let (estimates, benchmark) = (read("estimates.json")?, read("benchmark.json")?);
        Ok(Self {
            nanoseconds: estimates
                .pointer("/median/point_estimate")
                .and_then(Value::as_f64)
                .context("criterion's estimates hold no median")?,
            bytes: benchmark
                .pointer("/throughput/Bytes")
                .and_then(Value::as_f64)
                .context("criterion's benchmark holds no throughput")?,
        })
    }

    /// Megabytes per second.
    fn speed(&self) -> f64 {
        self.bytes / self.nanoseconds * 1_000.0
    }
}
