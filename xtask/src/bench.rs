//! `cargo xtask bench`: the speed of a repair and of a contract, as a ratio to what `serde_json` takes for the same text in the same run.

use anyhow::{Context, Result};
use serde_json::Value;

use crate::verdict::Verdict;
use crate::workspace::{Workspace, succeed};

/// What is measured: the workload, beside what of `serde_json`, and how many times as long it may take.
struct Target {
    /// The bench in `crates/jsonseam/benches/`.
    bench: &'static str,
    workload: &'static str,
    baseline: &'static str,
    at_most: f64,
}

const fn repair(workload: &'static str, at_most: f64) -> Target {
    Target { bench: "repair", workload, baseline: "raw-value", at_most }
}

const TARGETS: [Target; 4] = [
    repair("valid-small-lines", 1.0),
    repair("valid-1-mib-pretty", 1.0),
    repair("damaged-1-mib", 3.0),
    // At least 60 % of the throughput of a plain `Value`.
    Target { bench: "contract", workload: "contract-1-kib-lines", baseline: "value", at_most: 1.0 / 0.6 },
];

/// Runs the task.
pub(crate) fn run(workspace: &Workspace) -> Result<Verdict> {
    for bench in ["repair", "contract"] {
        succeed(&mut workspace.cargo(&["bench", "--package", "jsonseam", "--bench", bench]))?;
    }
    let mut complaints = Vec::new();
    let mut table = Vec::new();
    for Target { bench, workload, baseline, at_most } in TARGETS {
        let base = Measured::read(workspace, workload, baseline)?;
        let own = Measured::read(workspace, workload, "jsonseam")?;
        let ratio = own.nanoseconds / base.nanoseconds;
        table.push(format!(
            "{workload:<22} {baseline:<10} {:>10} {:>10} {ratio:>10.2} {:>9.2} {at_most:>7.2}",
            base.speed(),
            own.speed(),
            1.0 / ratio
        ));
        if ratio > at_most {
            complaints.push(format!(
                "{bench}: {workload} takes {ratio:.2} times as long as {baseline}; at most {at_most:.2} is wanted"
            ));
        }
    }
    println!(
        "\n{:<22} {:<10} {:>10} {:>10} {:>10} {:>9} {:>7}",
        "workload", "beside", "its speed", "jsonseam", "time ratio", "speed", "at most"
    );
    println!("{}\n", table.join("\n"));
    Ok(Verdict::of_complaints(&complaints, "time ratios to serde_json are within their targets"))
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
        let target = workspace.target();
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
