//! `cargo xtask corpus`: every case of the corpus and beside the rules gets its verdict; `--external` scores a folder of labelled texts instead.

mod bless;
pub(crate) mod external;
mod orphans;

use std::collections::BTreeSet;

use anyhow::{Result, anyhow};
use clap::Args;
use jsonseam::{Catalogue, Registration};
use jsonseam_testkit::corpus::{self, Report, Suite};

use crate::groups;
use crate::subjects;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// How many cases of different shape the corpus must hold.
const LEAST_SHAPES: usize = 1_200;

/// What to run.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// Only cases whose name, or whose file's name, holds this.
    filter: Option<String>,
    /// Writes the verdicts that are given now into the failing cases.
    #[arg(long)]
    bless: bool,
    #[command(flatten)]
    external: external::Arguments,
}

/// Runs the task.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<Verdict> {
    if let Some(folder) = &arguments.external.external {
        return external::run(workspace, folder, &arguments.external);
    }
    let catalogue = subjects::catalogue()?;
    let suites = Suites::read(workspace, &catalogue)?;
    let filter = arguments.filter.as_deref().unwrap_or_default();
    let of_corpus = reported(&suites.corpus, filter);
    let of_rules = reported(&suites.rules, filter);
    if arguments.bless {
        let failures = of_corpus.failures.iter().chain(&of_rules.failures);
        return bless::run(workspace, &suites, failures);
    }
    println!("corpus/\n\n{}", of_corpus.table());
    println!("rules/src/\n\n{}", of_rules.table());
    let shapes = of_corpus.shapes.len();
    println!("{shapes} cases of different shape in corpus/");
    let mut complaints: Vec<_> = of_corpus
        .failures
        .iter()
        .chain(&of_rules.failures)
        .map(|failure| format!("{}: {}: {}", failure.suite, failure.case, failure.seen))
        .collect();
    complaints.extend(unknown_rules(&catalogue, &suites));
    complaints.extend(orphans::complaints(workspace, &catalogue)?);
    if filter.is_empty() && shapes < LEAST_SHAPES {
        complaints.push(format!("only {shapes} cases of different shape; at least {LEAST_SHAPES} are wanted"));
    }
    let ran = of_corpus.total() + of_rules.total();
    if ran == 0 {
        complaints.push(format!("no case holds `{filter}`"));
    }
    let passed = format!(
        "{ran} cases: {} in corpus/ ({shapes} of different shape), {} beside the rules",
        of_corpus.total(),
        of_rules.total()
    );
    Ok(Verdict::of_complaints(&complaints, passed))
}

/// All cases there are.
struct Suites {
    corpus: Vec<Suite>,
    rules: Vec<Suite>,
}

impl Suites {
    fn read(workspace: &Workspace, catalogue: &Catalogue) -> Result<Self> {
        let mut rules = Vec::new();
        for rule in catalogue.rules() {
            let mut suite = corpus::of_rule(rule).map_err(|error| anyhow!(error))?;
            suite.path = Some(workspace.path(&cases_file(rule)));
            rules.push(suite);
        }
        Ok(Self { corpus: corpus::read(&workspace.path("corpus"))?, rules })
    }

    fn all(&self) -> impl Iterator<Item = &Suite> {
        self.corpus.iter().chain(&self.rules)
    }
}

/// Where the cases of a built-in rule lie.
pub(crate) fn cases_file(rule: &Registration) -> String {
    format!("rules/src/{}/{}.toml", groups::folder(rule), rule.name)
}

/// The inputs of every case there is: what fuzzing starts from.
pub(crate) fn inputs(workspace: &Workspace) -> Result<BTreeSet<String>> {
    let suites = Suites::read(workspace, &subjects::catalogue()?)?;
    let cases = suites.all().flat_map(|suite| &suite.cases);
    Ok(cases.map(|case| case.input.clone()).collect())
}

fn reported(suites: &[Suite], filter: &str) -> Report {
    let mut report = Report::default();
    for suite in suites {
        report.run(suite, filter, &|suite, case| subjects::of_case(suite, case).map_err(|error| format!("{error:#}")));
    }
    report
}

/// Cases that name a rule which does not exist.
fn unknown_rules(catalogue: &Catalogue, suites: &Suites) -> Vec<String> {
    let mut complaints = Vec::new();
    for suite in suites.all() {
        for case in &suite.cases {
            let named: BTreeSet<_> = case.rules.iter().chain(&case.with).collect();
            for rule in named {
                if catalogue.rule(rule).is_none() {
                    complaints.push(format!("{}: {}: there is no rule `{rule}`", suite.name, case.name));
                }
            }
        }
    }
    complaints
}
