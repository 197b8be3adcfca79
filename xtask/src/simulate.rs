//! `cargo xtask simulate`: the loop on a virtual clock, against a scripted model whose answers are damaged as often as those of real ones.
//!
//! Prints the figures of SPEC L10 for each preset. Every request that is sent is compared with what an ideal loop sends, which is written here a second
//! time and knows nothing of the real one.

mod figures;
mod ideal;
mod run;
mod traffic;

use std::thread;

use anyhow::{Context, Result, bail};
use clap::Args;

use self::figures::Figures;
use self::traffic::{Exchange, Scenario};
use crate::verdict::{ExitStatus, Verdict};
use crate::workspace::Workspace;

/// What to simulate.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Requests in each row.
    #[arg(long, default_value_t = 10_000)]
    requests: usize,
    /// The presets; `none` is the loop without any rule.
    #[arg(long, value_delimiter = ',', default_value = "none,strict,standard,lenient")]
    presets: Vec<String>,
    /// The seed.
    #[arg(long, default_value_t = 7)]
    seed: u64,
    /// Runs in this build instead of building the profile `prove`.
    #[arg(long, hide = true)]
    here: bool,
}

/// The preset and the scenario that the targets are for.
const TARGET: (&str, Scenario) = ("standard", Scenario::AsMeasured);

/// Runs the task.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<Verdict> {
    if arguments.requests == 0 {
        bail!("nothing is simulated without requests");
    }
    if !arguments.here {
        return again(workspace, arguments);
    }
    println!("{}\n", traffic::statement());
    let mut rows = Vec::new();
    for &scenario in Scenario::ALL {
        let exchanges =
            on_all_cores(arguments.requests, |number| Ok(Exchange::new(arguments.seed, number as u64, scenario)))?;
        for preset in &arguments.presets {
            let results = on_all_cores(exchanges.len(), |number| match exchanges.get(number) {
                Some(exchange) => run::simulate(exchange, preset),
                None => bail!("there is no such request"),
            })?;
            let mut figures = Figures::new(preset, scenario);
            exchanges.iter().zip(&results).for_each(|(exchange, result)| figures.add(exchange, result));
            rows.push(figures);
        }
    }
    println!("{}\n\n{}\n", figures::table(&rows), figures::kinds(&rows));
    let complaints: Vec<String> = rows.iter().flat_map(|row| row.complaints(TARGET)).collect();
    let target = rows.iter().find(|row| row.is(TARGET));
    let summary = target.map_or_else(|| "no target among the rows".to_owned(), Figures::summary);
    if !complaints.is_empty() {
        println!("{summary}");
    }
    Ok(Verdict::of_complaints(&complaints, summary))
}

/// Builds this program in the profile of the campaigns and runs it there: the loop takes eighty thousand runs.
fn again(workspace: &Workspace, arguments: &Arguments) -> Result<Verdict> {
    let mut command = workspace.cargo(&["run", "--quiet", "--profile", "prove", "--package", "xtask", "--"]);
    command.args(["simulate", "--here", "--presets", &arguments.presets.join(",")]);
    command.args(["--requests", &arguments.requests.to_string(), "--seed", &arguments.seed.to_string()]);
    let status = command.status().context("cannot start cargo")?;
    Ok(Verdict::Announced(if status.success() { ExitStatus::Success } else { ExitStatus::Failure }))
}

/// The results for all numbers below `count`, in order; the cores share them.
fn on_all_cores<T: Send>(count: usize, task: impl Fn(usize) -> Result<T> + Sync) -> Result<Vec<T>> {
    let cores = thread::available_parallelism().map_or(1, usize::from);
    let part = count.div_ceil(cores).max(1);
    let parts: Vec<Result<Vec<T>>> = thread::scope(|scope| {
        let task = &task;
        let threads: Vec<_> = (0..count)
            .step_by(part)
            .map(|start| scope.spawn(move || (start..count.min(start + part)).map(task).collect()))
            .collect();
        let joined = |thread: thread::ScopedJoinHandle<'_, _>| thread.join().unwrap_or_else(|_| bail!("a panic"));
        threads.into_iter().map(joined).collect()
    });
    Ok(parts.into_iter().collect::<Result<Vec<_>>>()?.into_iter().flatten().collect())
}

#[cfg(test)]
mod tests {
    use super::on_all_cores;

    #[test]
    fn the_cores_share_the_numbers_in_order() {
        for count in [0, 1, 2, 7, 100] {
            let numbers = on_all_cores(count, Ok).expect("no task fails");
            assert_eq!(numbers, (0..count).collect::<Vec<_>>());
        }
        assert!(on_all_cores(3, |number| if number == 1 { anyhow::bail!("planted") } else { Ok(number) }).is_err());
    }
}
