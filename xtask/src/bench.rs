//! `cargo xtask bench`: the speed of a repair, as a ratio to `RawValue` in the same run.

use anyhow::{Context, Result};
use serde_json::Value;

use crate::verdict::Verdict;
use crate::workspace::{Workspace, succeed};

/// A workload of `crates/jsonseam/benches/repair.rs`, and how many times as long as `RawValue` it may take.
const TARGETS: [(&str, f64); 3] = [("valid-small-lines", 1.0), ("valid-1-mib-pretty", 1.0), ("damaged-1-mib", 3.0)];

/// Runs the task.
pub(crate) fn run(workspace: &Workspace) -> Result<Verdict> {
    succeed(&mut workspace.cargo(&["bench", "--package", "jsonseam", "--bench", "repair"]))?;
    let mut complaints = Vec::new();
    let mut table = Vec::new();
    for (workload, most) in TARGETS {
        let raw = Measured::read(workspace, workload, "raw-value")?;
        let own = Measured::read(workspace, workload, "jsonseam")?;
        let ratio = own.nanoseconds / raw.nanoseconds;
        table.push(format!(
            "{workload:<20} {:>10} {:>10} {ratio:>10.2} {:>9.2} {most:>7.2}",
            raw.speed(),
            own.speed(),
            1.0 / ratio
        ));
        if ratio > most {
            complaints
                .push(format!("{workload} takes {ratio:.2} times as long as RawValue; at most {most:.2} is wanted"));
        }
    }
    println!(
        "\n{:<20} {:>10} {:>10} {:>10} {:>9} {:>7}",
        "workload", "RawValue", "jsonseam", "time ratio", "speed", "at most"
    );
    println!("{}\n", table.join("\n"));
    Ok(Verdict::of_complaints(&complaints, "time ratios to RawValue are within their targets"))
}

/// What criterion has measured.
struct Measured {
    /// Median of one pass over the workload.
    nanoseconds: f64,
    bytes: f64,
}

impl Measured {
    fn read(workspace: &Workspace, workload: &str, who: &str) -> Result<Self> {
        // Criterion writes below the target folder, wherever that is.
        let target = std::env::var_os("CARGO_TARGET_DIR").map_or_else(|| workspace.path("target"), Into::into);
        let folder = target.join("criterion").join(workload).join(who).join("new");
        let read = |name: &str| -> Result<Value> {
            let path = folder.join(name);
            let text = std::fs::read_to_string(&path)
                .with_context(|| format!("criterion has not written {}", path.display()))?;
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

    /// Bytes per nanosecond are gigabytes per second.
    fn speed(&self) -> String {
        format!("{:.2} GB/s", self.bytes / self.nanoseconds)
    }
}
