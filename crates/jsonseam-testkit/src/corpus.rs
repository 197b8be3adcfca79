//! A folder of cases, run as one: the verdicts, a table by defect and by rule, and what is missing.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::{fs, io};

use jsonseam_core::Registration;

use crate::cases::{self, Case};
use crate::laws::check_all;
use crate::subject::Subject;

/// The cases of one file, all of one defect or of one rule.
#[derive(Debug, Clone)]
pub struct Suite {
    /// The file's stem.
    pub name: String,
    /// The cases.
    pub cases: Vec<Case>,
    /// The file, to write verdicts back.
    pub path: Option<PathBuf>,
    /// Whether the cases lie beside a rule and run with that rule alone.
    pub is_of_rule: bool,
}

/// Reads every `.toml` file of a folder, by name.
pub fn read(folder: &Path) -> io::Result<Vec<Suite>> {
    let mut paths: Vec<_> =
        fs::read_dir(folder)?.map(|entry| entry.map(|entry| entry.path())).collect::<Result<_, _>>()?;
    paths.retain(|path| path.extension().is_some_and(|extension| extension == "toml"));
    paths.sort();
    paths.into_iter().map(read_file).collect()
}

fn read_file(path: PathBuf) -> io::Result<Suite> {
    let name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    let broken = |error: String| io::Error::other(format!("{}: {error}", path.display()));
    let cases = cases::parse(&fs::read_to_string(&path)?).map_err(broken)?;
    Ok(Suite { name, cases, path: Some(path), is_of_rule: false })
}

/// The cases that lie beside a rule.
pub fn of_rule(rule: &Registration) -> Result<Suite, String> {
    let cases = cases::parse(rule.cases).map_err(|error| format!("{}: {error}", rule.name))?;
    Ok(Suite { name: rule.name.to_owned(), cases, path: None, is_of_rule: true })
}

/// One case that did not get its verdict.
#[derive(Debug, Clone)]
pub struct Failure {
    /// The suite.
    pub suite: String,
    /// The case.
    pub case: String,
    /// How the verdicts differ, or which law does not hold.
    pub seen: String,
}

/// Counts of one suite or one rule.
#[derive(Debug, Clone, Copy, Default)]
pub struct Tally {
    /// Cases that must be returned as they are.
    pub valid: usize,
    /// Cases that must be repaired.
    pub repaired: usize,
    /// Cases that must be refused.
    pub refused: usize,
    /// Cases that are known gaps.
    pub gaps: usize,
    /// Cases that did not get their verdict.
    pub failed: usize,
}

impl Tally {
    fn total(&self) -> usize {
        self.valid + self.repaired + self.refused
    }
}

/// Gives the subject that a case runs under.
pub type SubjectFor<'f> = &'f dyn Fn(&Suite, &Case) -> Result<Box<dyn Subject>, String>;

/// What a run of the corpus found.
#[derive(Debug, Clone, Default)]
pub struct Report {
    /// By suite, in order.
    pub defects: Vec<(String, Tally)>,
    /// By rule: in how many cases it must edit, and in how many of those the verdict failed.
    pub rules: BTreeMap<String, (usize, usize)>,
    /// Distinct shapes of cases: those that differ only in names or values count once.
    pub shapes: BTreeSet<String>,
    /// What failed.
    pub failures: Vec<Failure>,
}

impl Report {
    /// Runs the cases of `suite` whose name or suite holds `filter`, each under the subject that `subject_for` gives, and puts each to the laws.
    pub fn run(&mut self, suite: &Suite, filter: &str, subject_for: SubjectFor<'_>) {
        let mut tally = Tally::default();
        for case in suite.cases.iter().filter(|case| suite.name.contains(filter) || case.name.contains(filter)) {
            let verdict = subject_for(suite, case).and_then(|subject| {
                case.check(&*subject)?;
                check_all(&*subject, &case.input).map_err(|violation| violation.to_string())
            });
            self.shapes.insert(case.shape());
            self.count(case, &mut tally, verdict.is_err());
            if let Err(seen) = verdict {
                self.failures.push(Failure { suite: suite.name.clone(), case: case.name.clone(), seen });
            }
        }
        if tally.total() > 0 {
            self.defects.push((suite.name.clone(), tally));
        }
    }

    fn count(&mut self, case: &Case, tally: &mut Tally, has_failed: bool) {
        match (&case.value, &case.refused) {
            (None, Some(_)) => tally.refused += 1,
            (None, None) if case.rules.is_empty() => tally.valid += 1,
            (Some(_), _) | (None, None) => tally.repaired += 1,
        }
        tally.gaps += usize::from(case.known_gap);
        tally.failed += usize::from(has_failed);
        for rule in case.rules.iter().collect::<BTreeSet<_>>() {
            let (cases, failed) = self.rules.entry(rule.clone()).or_default();
            *cases += 1;
            *failed += usize::from(has_failed);
        }
    }

    /// The tables, for people.
    pub fn table(&self) -> String {
        let mut table = format!(
            "{:<34} {:>6} {:>9} {:>8} {:>5} {:>7}\n",
            "defect", "valid", "repaired", "refused", "gaps", "failed"
        );
        for (name, Tally { valid, repaired, refused, gaps, failed }) in &self.defects {
            let _ = writeln!(table, "{name:<34} {valid:>6} {repaired:>9} {refused:>8} {gaps:>5} {failed:>7}");
        }
        let _ = writeln!(table, "\n{:<34} {:>6} {:>9}", "rule", "cases", "failed");
        for (rule, (cases, failed)) in &self.rules {
            let _ = writeln!(table, "{rule:<34} {cases:>6} {failed:>9}");
        }
        table
    }

    /// How many cases ran.
    pub fn total(&self) -> usize {
        self.defects.iter().map(|(_, tally)| tally.total()).sum()
    }
}
