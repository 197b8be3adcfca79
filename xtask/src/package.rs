//! `cargo xtask package`: what each crate would publish, in the order of publishing. Needs no network.

use anyhow::{Context, Result, bail};

use crate::docs::crates;
use crate::verdict::Verdict;
use crate::workspace::{Workspace, shown};

/// Files that every package has.
const NEEDED: [&str; 3] = ["Cargo.toml", "README.md", "src/lib.rs"];

/// Crates that are not published.
const PRIVATE: [&str; 1] = ["xtask"];

/// Runs the task.
pub(crate) fn run(workspace: &Workspace) -> Result<Verdict> {
    let mut complaints = Vec::new();
    let mut count = 0;
    for name in crates::in_order(workspace)?.into_iter().filter(|name| !PRIVATE.contains(&name.as_str())) {
        let files = files(workspace, &name)?;
        println!("{name}: {} files", files.len());
        complaints.extend(problems(&files).into_iter().map(|problem| format!("{name}: {problem}")));
        count += 1;
    }
    Ok(Verdict::of_complaints(&complaints, format!("{count} crates can be packed")))
}

/// The files of a package, as cargo would pack them.
fn files(workspace: &Workspace, name: &str) -> Result<Vec<String>> {
    let mut command =
        workspace.cargo(&["package", "--list", "--allow-dirty", "--no-verify", "--offline", "--package", name]);
    let output = command.output().with_context(|| format!("cannot start `{}`", shown(&command)))?;
    if !output.status.success() {
        bail!("`{}` failed: {}", shown(&command), String::from_utf8_lossy(&output.stderr));
    }
    // A warning is about the manifest: a description, licence or repository that is missing.
    Ok(String::from_utf8(output.stdout)?.lines().map(str::to_owned).collect())
}

/// What a package lacks, and what does not belong there.
fn problems(files: &[String]) -> Vec<String> {
    let is_there = |needed: &&str| files.iter().any(|file| file == needed);
    let lacking = NEEDED.into_iter().filter(|needed| !is_there(needed)).map(|file| format!("lacks {file}"));
    let is_stray = |file: &&String| file.ends_with(".proptest-regressions");
    let stray = files.iter().filter(is_stray).map(|file| format!("holds {file}"));
    lacking.chain(stray).collect()
}

#[cfg(test)]
mod tests {
    use super::problems;

    #[test]
    fn a_package_has_what_it_needs_and_nothing_else() {
        let files = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect::<Vec<_>>();
        assert_eq!(problems(&files(&["Cargo.toml", "README.md", "src/lib.rs"])), [""; 0]);
        assert_eq!(
            problems(&files(&["Cargo.toml", "src/lib.rs", "tests/a.proptest-regressions"])),
            ["lacks README.md", "holds tests/a.proptest-regressions"]
        );
    }
}
