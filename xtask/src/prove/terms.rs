//! Every term of the cost table decides a case: with it at 0, a named test fails (SPEC R5).
//!
//! The terms are constants, so that reading them costs nothing. A copy of the workspace is changed term by term and tested anew.

use std::fs;
use std::process::Command;

use anyhow::{Context, Result, bail};

use super::Figures;
use crate::workspace::{Workspace, shown};

/// The tables: what the engine charges, and the clues of the rules.
const TABLES: [&str; 2] = ["crates/jsonseam-core/src/edits/costs.rs", "rules/src/shared/clues.rs"];

/// Tests that may fail, the quick ones first. The second list runs only where the first one notices nothing.
const TESTS: [&[&str]; 2] = [&["corpus", "rule_cases"], &["readings", "damage"]];

/// A line of the table, and the same line with a 0 in it.
struct Term {
    name: String,
    line: String,
    zero: String,
}

/// Changes each term in turn, or those whose name holds `only`.
pub(super) fn run(workspace: &Workspace, only: &str) -> Result<Figures> {
    let copy = copied(workspace)?;
    let mut figures = Figures::default();
    if let Some(failed) = first_failure(&copy)? {
        bail!("before any change, {failed} fails");
    }
    let mut shown = Vec::new();
    for file in TABLES {
        let table = workspace.read(file)?;
        for term in terms(&table).into_iter().filter(|term| term.name.contains(only)) {
            figures.texts += 1;
            copy.write(file, table.replacen(&term.line, &term.zero, 1))?;
            match first_failure(&copy)? {
                Some(failed) => {
                    println!("{:<24} {failed}", term.name);
                    shown.push(term.name);
                }
                // Every term is a finding of its own.
                None => figures.complaints.push(format!("`{}` is 0 and no test fails", term.name)),
            }
        }
        copy.write(file, table)?;
    }
    figures.counted = format!("{} terms decide a case", shown.len());
    Ok(figures)
}

/// The lines `const NAME: u32 = 12;`, `const NAME: Clue = Clue::new(12);` and `Risk::Name => 12,`, up to what can be configured.
fn terms(table: &str) -> Vec<Term> {
    let number = |text: &str| text.chars().all(|char| char.is_ascii_digit()) && text.chars().any(|char| char != '0');
    let term = |line: &str| {
        let trimmed = line.trim();
        let (name, value, end) = if let Some((before, value)) = trimmed.split_once(" = ") {
            let name = before.strip_prefix("pub(crate) const ").or_else(|| before.strip_prefix("pub const "))?;
            let (name, _) = name.split_once(": ")?;
            match value.strip_prefix("Clue::new(") {
                Some(value) => (name, value.strip_suffix(");")?, ");"),
                None => (name, value.strip_suffix(';')?, ";"),
            }
        } else {
            let (name, value) = trimmed.split_once(" => ")?;
            (name.rsplit("::").next()?, value.strip_suffix(',')?, ",")
        };
        let zero = line.strip_suffix(&format!("{value}{end}"))?;
        number(value).then(|| Term { name: name.to_owned(), line: line.to_owned(), zero: format!("{zero}0{end}") })
    };
    table.lines().filter_map(term).collect()
}

/// A copy of what the repository holds, beside the other products of the build.
fn copied(workspace: &Workspace) -> Result<Workspace> {
    let listed = Command::new("git").args(["ls-files", "-z"]).current_dir(workspace.path("")).output();
    let listed = listed.context("cannot start git")?.stdout;
    let scratch = workspace.path("target/terms");
    let copy = Workspace::new(Some(scratch));
    for path in String::from_utf8(listed).context("a path is not UTF-8")?.split_terminator('\0') {
        let source = workspace.path(path);
        if source.is_file() {
            let text = fs::read(&source).with_context(|| format!("cannot read {path}"))?;
            // What is the same keeps its time, so that a second run builds little.
            if fs::read(copy.path(path)).ok().as_ref() != Some(&text) {
                copy.write(path, text)?;
            }
        }
    }
    Ok(copy)
}

/// The first case or test that fails.
fn first_failure(copy: &Workspace) -> Result<Option<String>> {
    for tests in TESTS {
        let mut command = copy.cargo(&["test", "--quiet", "--package", "jsonseam"]);
        command.args(tests.iter().flat_map(|test| ["--test", test])).arg("--no-fail-fast");
        command.env("CARGO_TARGET_DIR", copy.path("target")).env("RUST_BACKTRACE", "0");
        let output = command.output().with_context(|| format!("cannot start `{}`", shown(&command)))?;
        if output.status.success() {
            continue;
        }
        let said = String::from_utf8_lossy(&output.stdout);
        let Some(failed) = failure(&said) else {
            bail!("`{}` does not run:\n{}", shown(&command), String::from_utf8_lossy(&output.stderr));
        };
        return Ok(Some(failed));
    }
    Ok(None)
}

/// The line after the first panic: it names the case.
fn failure(said: &str) -> Option<String> {
    let mut lines = said.lines().skip_while(|line| !line.contains(" panicked at "));
    let named = lines.nth(1)?;
    Some(named.chars().take(140).collect())
}

#[cfg(test)]
mod tests {
    use super::{TABLES, failure, terms};
    use crate::workspace::Workspace;

    /// What each term decides: a case for each, which bears its name.
    const CASES: &str = "corpus/costs.toml";

    #[test]
    fn every_line_with_a_number_is_a_term() {
        let found = terms(
            "pub(crate) const LAYOUT: u32 = 90;\npub const OPENER: Clue = Clue::new(20);\n    Risk::Likely => 30,\n    None => 0,\n",
        );
        let shown: Vec<_> = found.iter().map(|term| (term.name.as_str(), term.zero.as_str())).collect();
        let expected = [
            ("LAYOUT", "pub(crate) const LAYOUT: u32 = 0;"),
            ("OPENER", "pub const OPENER: Clue = Clue::new(0);"),
            ("Likely", "    Risk::Likely => 0,"),
        ];
        assert_eq!(shown, expected);
        for (file, least) in TABLES.into_iter().zip([10, 30]) {
            let table = Workspace::new(None).read(file).expect("the table is there");
            assert!(terms(&table).len() >= least, "{file}: {} terms", terms(&table).len());
        }
    }

    #[test]
    fn r5_every_term_has_a_case_that_bears_its_name() {
        let workspace = Workspace::new(None);
        let tables = TABLES.map(|file| workspace.read(file).expect("the table is there"));
        let cases = workspace.read(CASES).expect("the cases are there");
        let has_case = |name: &str| cases.contains(&format!("\nname = \"{name}: "));
        let without: Vec<_> =
            tables.iter().flat_map(|table| terms(table)).map(|term| term.name).filter(|name| !has_case(name)).collect();
        assert!(without.is_empty(), "without a case in {CASES}: {without:?}");
    }

    #[test]
    fn a_failure_is_named_by_its_case() {
        let said = "running 1 test\n\nthread 'x' panicked at tests/corpus.rs:26:5:\nbreadth: a case: gave 1, not 2\n";
        assert_eq!(failure(said).as_deref(), Some("breadth: a case: gave 1, not 2"));
        assert_eq!(failure("running 1 test\n."), None);
    }
}
