//! `cargo xtask ci`: exactly what continuous integration runs, step by step.

use std::io::{BufRead, BufReader};
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use anyhow::{Context, Result};

use crate::features;
use crate::fuzz;
use crate::verdict::{NOT_RUN, Verdict};
use crate::workspace::{Workspace, shown, succeed};

/// Seconds for each fuzz target, where fuzzing is possible.
const FUZZ_SECONDS: u64 = 5;

/// How a step ended.
enum Ending {
    Passed(String),
    Skipped(String),
    Failed(String),
}

type Step = (&'static str, fn(&Workspace) -> Result<Ending>);

const STEPS: &[Step] = &[
    ("data sets", |_| Ok(data_sets())),
    ("format", |workspace| cargo(workspace, &["fmt", "--all", "--check"])),
    ("clippy", |workspace| {
        let mut command = workspace.cargo(&["clippy", "--workspace", "--all-targets", "--quiet"]);
        command.args(["--", "-D", "warnings"]);
        finished(&mut command)
    }),
    ("features", |workspace| task(workspace, &["features"])),
    ("oldest Rust", oldest),
    ("test", test),
    ("documentation", |workspace| {
        let mut command = workspace.cargo(&["doc", "--workspace", "--no-deps", "--quiet"]);
        command.env("RUSTDOCFLAGS", "-D warnings");
        finished(&mut command)
    }),
    ("docs --check", |workspace| task(workspace, &["docs", "--check"])),
    ("book", book),
    ("spelling", spelling),
    ("package", |workspace| task(workspace, &["package"])),
    ("corpus", |workspace| task(workspace, &["corpus"])),
    ("reads", |workspace| task(workspace, &["bench", "--reads"])),
    ("damage", |workspace| task(workspace, &["damage", "--documents", "1500"])),
    ("stream", |workspace| task(workspace, &["stream", "--documents", "300", "--pieces", "7,0"])),
    ("house rules", |workspace| example(workspace, "house-rules", "completion.txt")),
    ("order desk", |workspace| example(workspace, "order-desk", "answer.txt")),
    ("init --rules", written_house),
    ("cargo-deny", deny),
    ("miri", miri),
    ("fuzz", fuzz),
    ("instructions", |workspace| task(workspace, &["bench", "--instructions"])),
    ("prove --quick", |workspace| task(workspace, &["prove", "--quick"])),
    ("python", |workspace| task(workspace, &["python"])),
    ("js", |workspace| task(workspace, &["js"])),
    ("page", |workspace| task(workspace, &["page"])),
    ("simulate", |workspace| task(workspace, &["simulate", "--requests", "4000", "--presets", "standard"])),
];

/// Runs the task. Every step runs, also after one has failed: one run shows everything that is wrong.
pub(crate) fn run(workspace: &Workspace) -> Verdict {
    let mut lines = Vec::new();
    let mut failed = Vec::new();
    let start = Instant::now();
    for &(name, step) in STEPS {
        println!("== {name}");
        let began = Instant::now();
        let ending = step(workspace).unwrap_or_else(|error| Ending::Failed(format!("{error:#}")));
        let (word, note) = match ending {
            Ending::Passed(note) => ("pass", note),
            Ending::Skipped(note) => ("skip", note),
            Ending::Failed(note) => {
                failed.push(name);
                ("FAIL", note)
            }
        };
        println!("== {name}: {word} {note}\n");
        lines.push(format!("{name:<14} {word} {:>8}  {note}", seconds(began.elapsed())));
    }
    println!("{}", lines.join("\n"));
    println!("{:<14}      {:>8}", "all", seconds(start.elapsed()));
    if failed.is_empty() { Verdict::pass(format!("{} steps", STEPS.len())) } else { Verdict::fail(failed.join(", ")) }
}

fn seconds(duration: Duration) -> String {
    format!("{:.1} s", duration.as_secs_f64())
}

fn cargo(workspace: &Workspace, arguments: &[&str]) -> Result<Ending> {
    finished(&mut workspace.cargo(arguments))
}

fn finished(command: &mut Command) -> Result<Ending> {
    succeed(command).map(|()| Ending::Passed(String::new()))
}

/// Another task of this program, started as anyone would: the tests before it may have replaced the file that this process runs from.
fn task(workspace: &Workspace, arguments: &[&str]) -> Result<Ending> {
    let mut command = workspace.cargo(&["xtask"]);
    let (is_passed, lines) = watched(command.args(arguments))?;
    let last = lines.last().cloned().unwrap_or_default();
    let note = last.trim_start_matches("PASS ").trim_start_matches("FAIL ");
    Ok(match note.strip_prefix(NOT_RUN) {
        _ if is_passed => Ending::Passed(note.to_owned()),
        Some(missing) => Ending::Skipped(missing.to_owned()),
        None => Ending::Failed(note.to_owned()),
    })
}

/// Runs a command, shows what it prints, and gives the lines it printed.
fn watched(command: &mut Command) -> Result<(bool, Vec<String>)> {
    let shown = shown(command);
    let mut child = command.stdout(Stdio::piped()).spawn().with_context(|| format!("cannot start `{shown}`"))?;
    let mut lines = Vec::new();
    if let Some(stdout) = child.stdout.take() {
        for line in BufReader::new(stdout).lines() {
            let line = line?;
            println!("{line}");
            lines.push(line);
        }
    }
    Ok((child.wait()?.success(), lines))
}

/// `cargo test --workspace`, and how many tests passed.
fn test(workspace: &Workspace) -> Result<Ending> {
    let mut command = workspace.cargo(&["test", "--workspace", "--no-fail-fast"]);
    let (is_passed, lines) = watched(&mut command)?;
    let [passed, failed, ignored] = ["passed", "failed", "ignored"].map(|word| {
        let results = lines.iter().filter(|line| line.starts_with("test result:"));
        results.map(|line| count_before(line, word)).sum::<u64>()
    });
    let note = format!("test result: {passed} passed; {failed} failed; {ignored} ignored");
    Ok(if is_passed { Ending::Passed(note) } else { Ending::Failed(note) })
}

/// The number before a word of `test result: ok. 5 passed; 0 failed; …`.
fn count_before(line: &str, word: &str) -> u64 {
    line.split([';', '.'])
        .filter_map(|part| part.trim().strip_suffix(word))
        .find_map(|number| number.trim().parse().ok())
        .unwrap_or(0)
}

/// Where the crates outside the workspace are built: what they share with each other is built once.
const OUTSIDE: &str = "target/outside";

/// An example of a stranger's crate: built, tested and run outside the workspace.
fn example(workspace: &Workspace, name: &str, argument: &str) -> Result<Ending> {
    let folder = workspace.path(&format!("examples/{name}"));
    if !folder.is_dir() {
        return Ok(Ending::Skipped(format!("there is no examples/{name}")));
    }
    let target = workspace.path(OUTSIDE);
    for arguments in [&["build"][..], &["test"], &["run", "--quiet", "--", argument]] {
        let mut command = workspace.cargo(arguments);
        command.current_dir(&folder).env("CARGO_TARGET_DIR", &target).stdin(Stdio::null());
        succeed(&mut command)?;
    }
    Ok(Ending::Passed("built, tested, run".to_owned()))
}

/// The crate that `jsonseam init --rules` writes: tested and run outside the workspace, as its message says.
fn written_house(workspace: &Workspace) -> Result<Ending> {
    const NAME: &str = "north-wind-rules";
    let outside = tempfile::tempdir()?;
    let mut init = Command::new(workspace.command()?);
    init.args(["init", "--rules", NAME, "--path"]).arg(workspace.path("")).current_dir(outside.path());
    succeed(&mut init)?;
    let folder = outside.path().join(NAME);
    // The versions that everything else is tested with.
    std::fs::copy(workspace.path("Cargo.lock"), folder.join("Cargo.lock"))?;
    std::fs::write(folder.join("a.txt"), "{\"a\" ~> 1}")?;
    let cargo = |arguments: &[&str]| {
        let mut command = workspace.cargo(arguments);
        command.current_dir(&folder).env("CARGO_TARGET_DIR", workspace.path(OUTSIDE));
        command
    };
    succeed(&mut cargo(&["test"]))?;
    let repaired = cargo(&["run", "--quiet", "--features", "command", "--", "repair", "a.txt"]).output()?;
    // The last of the crates outside: the steps that follow need the room on the disk.
    std::fs::remove_dir_all(workspace.path(OUTSIDE))?;
    Ok(match String::from_utf8_lossy(&repaired.stdout).as_ref() {
        "{\"a\" : 1}" => Ending::Passed("tested, run".to_owned()),
        other => Ending::Failed(format!("the command of the house gives `{other}`")),
    })
}

/// The two suites that others maintain. Without them their tests pass unheard, which is right for a clone and wrong here.
fn data_sets() -> Ending {
    const SUITES: [&str; 2] = ["JSONTestSuite/test_parsing", "JSON-Schema-Test-Suite/tests"];
    let Some(data) = std::env::var_os("JSONSEAM_DATA").map(std::path::PathBuf::from) else {
        return Ending::Failed(format!("JSONSEAM_DATA is not set: {} are not run", SUITES.join(" and ")));
    };
    let missing: Vec<_> = SUITES.into_iter().filter(|suite| !data.join(suite).is_dir()).collect();
    if missing.is_empty() {
        Ending::Passed(format!("{} suites", SUITES.len()))
    } else {
        Ending::Failed(format!("JSONSEAM_DATA lacks {}", missing.join(" and ")))
    }
}

/// The spelling of the pages and the sources.
fn spelling(workspace: &Workspace) -> Result<Ending> {
    tool(workspace, "typos", &[])
}

/// The book of the pages, in `target/book`.
fn book(workspace: &Workspace) -> Result<Ending> {
    tool(workspace, "mdbook", &["build"])
}

/// Runs a program that is not part of Rust's toolchain, where it is installed.
fn tool(workspace: &Workspace, name: &str, arguments: &[&str]) -> Result<Ending> {
    let mut probe = Command::new(name);
    probe.arg("--version").stdout(Stdio::null()).stderr(Stdio::null());
    if !probe.status().is_ok_and(|status| status.success()) {
        return Ok(Ending::Skipped(format!("{name} is not installed")));
    }
    finished(Command::new(name).args(arguments).current_dir(workspace.path("")))
}

fn oldest(workspace: &Workspace) -> Result<Ending> {
    Ok(features::oldest(workspace)?.map_or_else(Ending::Skipped, Ending::Passed))
}

fn deny(workspace: &Workspace) -> Result<Ending> {
    let mut probe = workspace.cargo(&["deny", "--version"]);
    probe.stdout(Stdio::null()).stderr(Stdio::null());
    if !probe.status().is_ok_and(|status| status.success()) {
        return Ok(Ending::Skipped("cargo-deny is not installed".to_owned()));
    }
    // Advisories are fetched, and a check that fails without a network says nothing about the change: they are checked by hand.
    cargo(workspace, &["deny", "check", "bans", "licenses", "sources"])
}

/// The only crate with `unsafe`, under the interpreter that finds undefined behaviour.
fn miri(workspace: &Workspace) -> Result<Ending> {
    let mut probe = workspace.cargo(&["+nightly", "miri", "--version"]);
    probe.stdout(Stdio::null()).stderr(Stdio::null());
    if !probe.status().is_ok_and(|status| status.success()) {
        return Ok(Ending::Skipped("Miri needs nightly: rustup component add miri --toolchain nightly".to_owned()));
    }
    for target in ["x86_64-unknown-linux-gnu", "aarch64-unknown-linux-gnu"] {
        succeed(&mut workspace.cargo(&[
            "+nightly",
            "miri",
            "test",
            "--quiet",
            "-p",
            "jsonseam-simd",
            "--target",
            target,
        ]))?;
    }
    Ok(Ending::Passed(String::new()))
}

fn fuzz(workspace: &Workspace) -> Result<Ending> {
    if let Some(missing) = fuzz::missing(workspace) {
        return Ok(Ending::Skipped(missing.to_owned()));
    }
    task(workspace, &["fuzz", "--seconds", &FUZZ_SECONDS.to_string()])
}

#[cfg(test)]
mod tests {
    use super::count_before;

    #[test]
    fn results_of_tests_are_read() {
        let line = "test result: ok. 15 passed; 1 failed; 2 ignored; 0 measured; 0 filtered out; finished in 0.21s";
        assert_eq!(["passed", "failed", "ignored"].map(|word| count_before(line, word)), [15, 1, 2]);
        assert_eq!(count_before("test result: ?", "passed"), 0);
    }
}
