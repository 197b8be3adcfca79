//! `cargo xtask size`: the code lines of core and rules by room, and of the two crates below them.
//!
//! A line of code is not blank and no comment, and it is outside of tests. A room is a folder of a crate's sources, with the file of its name;
//! files that have no folder are one row.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::Path;
use std::process::Command;

use anyhow::{Context, Result, bail};
use clap::Args;

use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// What is counted as one sum.
const COUNTED: [&str; 2] = ["crates/jsonseam-core/src", "rules/src"];
/// What is shown beside it: lines must not move there.
const BESIDE: [&str; 2] = ["crates/jsonseam-text/src", "crates/jsonseam-simd/src"];
/// The row of the files that have no folder.
const SINGLE: &str = "files of their own";

#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Compares with this commit.
    #[arg(long, value_name = "COMMIT")]
    base: Option<String>,
}

/// The sources of a folder by their path in it.
type Sources = BTreeMap<String, String>;
/// Code lines by room.
type Rooms = BTreeMap<String, usize>;

/// Runs the task.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<Verdict> {
    let base = arguments.base.as_deref();
    println!("{:<44}{}{:>8}", "room", base.map_or_else(String::new, |base| format!("{base:>12.10}")), "now");
    let (mut now, mut before) = (0, 0);
    for folder in COUNTED.into_iter().chain(BESIDE) {
        let is_counted = COUNTED.contains(&folder);
        let rooms = rooms(&sources(&workspace.path(folder))?);
        let of_base = base.map(|base| sources_at(workspace, base, folder).map(|sources| self::rooms(&sources)));
        let of_base = of_base.transpose()?;
        let names: BTreeSet<&String> = rooms.keys().chain(of_base.iter().flat_map(Rooms::keys)).collect();
        for name in names.into_iter().filter(|_| is_counted) {
            let old = of_base.as_ref().map(|of_base| of_base.get(name).copied().unwrap_or(0));
            row(&format!("  {name}"), old, rooms.get(name).copied().unwrap_or(0));
        }
        let sum = |rooms: &Rooms| rooms.values().sum::<usize>();
        row(folder, of_base.as_ref().map(sum), sum(&rooms));
        if is_counted {
            now += sum(&rooms);
            before += of_base.as_ref().map_or(0, sum);
        }
    }
    row("core and rules", base.map(|_| before), now);
    Ok(Verdict::pass(format!("{now} lines of code in core and rules")))
}

fn row(name: &str, old: Option<usize>, now: usize) {
    match old {
        Some(old) => println!("{name:<44}{old:>12}{now:>8}{:>+8}", now.cast_signed() - old.cast_signed()),
        None => println!("{name:<44}{now:>8}"),
    }
}

/// The code lines of each room.
fn rooms(sources: &Sources) -> Rooms {
    let folders: BTreeSet<&str> =
        sources.keys().filter_map(|path| path.split_once('/')).map(|(room, _)| room).collect();
    let mut rooms = Rooms::new();
    for (path, source) in sources.iter().filter(|(path, _)| !is_test(path)) {
        let room = path.split_once('/').map_or_else(|| path.trim_end_matches(".rs"), |(room, _)| room);
        let room = if folders.contains(room) { room } else { SINGLE };
        *rooms.entry(room.to_owned()).or_default() += code_lines(source);
    }
    rooms
}

fn is_test(path: &str) -> bool {
    path.split('/').any(|part| part == "tests" || part == "tests.rs")
}

/// The lines that are neither blank nor a comment nor part of what is built for tests alone.
fn code_lines(source: &str) -> usize {
    let mut count = 0;
    let mut lines = source.lines();
    while let Some(line) = lines.next() {
        let code = line.trim();
        if code == "#[cfg(test)]" {
            pass_over_item(&mut lines);
        } else if !code.is_empty() && !code.starts_with("//") {
            count += 1;
        }
    }
    count
}

/// Reads one item to its end: one line, or a block as rustfmt closes it.
fn pass_over_item<'s>(lines: &mut impl Iterator<Item = &'s str>) {
    let Some(first) = lines.find(|line| !line.trim_start().starts_with("#[")) else { return };
    if first.ends_with('{') {
        let indent = first.len() - first.trim_start().len();
        let is_end =
            |line: &str| line.len() > indent && line[..indent].trim().is_empty() && line[indent..].starts_with('}');
        lines.find(|line| is_end(line));
    }
}

/// The sources in a folder of the work tree.
fn sources(folder: &Path) -> Result<Sources> {
    let mut found = Sources::new();
    for entry in fs::read_dir(folder).with_context(|| format!("cannot read {}", folder.display()))? {
        let path = entry?.path();
        let name = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if path.is_dir() {
            found.extend(sources(&path)?.into_iter().map(|(inner, source)| (format!("{name}/{inner}"), source)));
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            let source = fs::read_to_string(&path).with_context(|| format!("cannot read {}", path.display()))?;
            found.insert(name, source);
        }
    }
    Ok(found)
}

/// The sources in a folder as a commit has them.
fn sources_at(workspace: &Workspace, commit: &str, folder: &str) -> Result<Sources> {
    let mut git = Command::new("git");
    git.args(["grep", "--null", "--full-name", "-e", "", commit, "--", &format!("{folder}/*.rs")])
        .current_dir(workspace.path(""));
    let output = git.output().context("cannot start `git`")?;
    if !output.status.success() {
        bail!("git knows no {folder} at `{commit}`");
    }
    let prefix = format!("{commit}:{folder}/");
    let mut found = Sources::new();
    for line in String::from_utf8_lossy(&output.stdout).lines() {
        if let Some((path, code)) = line.strip_prefix(&prefix).and_then(|rest| rest.split_once('\0')) {
            let source = found.entry(path.to_owned()).or_default();
            source.push_str(code);
            source.push('\n');
        }
    }
    Ok(found)
}

#[cfg(test)]
mod tests {
    use super::{Rooms, SINGLE, code_lines, rooms};

    #[test]
    fn blank_lines_comments_and_tests_are_no_code() {
        let source = "//! A page.\n\nuse a::A;\n\n/// Words.\nfn one() {\n    // Why.\n    two();\n}\n\n#[cfg(test)]\njsonseam_testkit::laws!(A);\n\n\
                      #[cfg(test)]\n#[allow(dead_code)]\nmod tests {\n    fn three() {\n    }\n}\n\n#[cfg(test)]\nmod other;\n\nconst END: u8 = 0;\n";
        assert_eq!(code_lines(source), 5);
        assert_eq!(code_lines(""), 0);
    }

    #[test]
    fn a_room_is_a_folder_with_the_file_of_its_name() {
        let sources = ["lib.rs", "ends.rs", "ends/view.rs", "ends/tests.rs", "ends/tests/large.rs", "peek.rs"];
        let sources = sources.map(|path| (path.to_owned(), "const A: u8 = 0;\n".to_owned())).into();
        assert_eq!(rooms(&sources), Rooms::from([("ends".to_owned(), 2), (SINGLE.to_owned(), 2)]));
    }
}
