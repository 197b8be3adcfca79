//! `cargo xtask toolcalls`: tool calls as other projects' tests have them, read by the extractor and compared.
//!
//! The cases are read from a file outside the tree (`data/toolcalls/cases.jsonl`): none of them is part of the project.

mod case;
mod figures;
mod policy;
mod table;

use std::path::PathBuf;

use anyhow::{Context, Result, bail};
use clap::Args;
use jsonseam::toolcall::Bare;

use self::case::{BESIDE_PROSE, Case, Outcome};
pub(crate) use self::figures::{Family, Figures, Ours, Theirs};
use self::policy::POLICY;
use self::table::Table;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

/// What to compare.
#[derive(Debug, Args)]
pub(crate) struct Arguments {
    /// The cases, one JSON object a line. Without it: `toolcalls/cases.jsonl` in the folder that `JSONSEAM_DATA` names.
    cases: Option<PathBuf>,
    /// Only cases of this family.
    #[arg(long)]
    family: Option<String>,
    /// Lists each counted case that differs: its id, family, outcome and test, no text.
    #[arg(long)]
    differing: bool,
    /// Reads every prefix of every agreeing text too (of texts over 8,000 bytes not all), and wants no wrong call.
    #[arg(long)]
    prefixes: bool,
    /// Keeps the counts in `bench/toolcalls.json`, from which `cargo xtask docs` writes the scoreboard of calls.
    #[arg(long, conflicts_with_all = ["cases", "family"])]
    save: bool,
}

/// Of the counted cases that are not listed as policy, this share in percent must be equal.
const LEAST_EQUAL: usize = 98;

/// Runs the task.
pub(crate) fn run(workspace: &Workspace, arguments: &Arguments) -> Result<Verdict> {
    let path = match (&arguments.cases, std::env::var_os("JSONSEAM_DATA")) {
        (Some(path), _) => path.clone(),
        (None, Some(folder)) => PathBuf::from(folder).join("toolcalls/cases.jsonl"),
        (None, None) => bail!("name a file of cases, or set JSONSEAM_DATA"),
    };
    let text = std::fs::read_to_string(&path).context("the file of cases cannot be read")?;
    let cases = text.lines().map(serde_json::from_str).collect::<Result<Vec<Case>, _>>();
    let cases = cases.context("a line is not a case")?;
    let extractor = jsonseam::tool_calls()?;
    let (mut by_family, mut by_project) = (Table::default(), Table::default());
    let (mut cut, mut cut_none) = (Cuts::default(), Cuts::default());
    let mut figures = Figures::default();
    let (mut told, mut beside_prose, mut policy, mut changed) = (0, 0, 0, 0);
    for case in cases.iter().filter(|case| arguments.family.as_ref().is_none_or(|family| *family == case.family)) {
        let extractor = case.offer(&extractor);
        let outcome = case.outcome(&extractor);
        figures.add(case, &outcome);
        if BESIDE_PROSE.contains(&case.id.as_str()) {
            let last = case.outcome(&extractor.clone().with_bare(Bare::Last));
            println!("{}: a bare call beside prose: {}; with `bare = last`: {}", case.id, outcome.name(), last.name());
            let is_called =
                matches!(outcome, Outcome::Equal | Outcome::OtherValues | Outcome::WrongCalls | Outcome::Over);
            beside_prose += usize::from(is_called || matches!(last, Outcome::WrongCalls | Outcome::OtherValues));
            continue;
        }
        if let Some((id, expected, why)) = POLICY.iter().find(|(id, ..)| *id == case.id) {
            println!("{id}: {}, since {why}", outcome.name());
            policy += 1;
            changed += usize::from(outcome.name() != *expected);
            continue;
        }
        by_family.add(&case.family, case, &outcome);
        by_project.add(&case.project, case, &outcome);
        if arguments.differing && case.is_counted() && !outcome.is_equal() {
            println!("{} {} {} {}", case.id, case.family, outcome.name(), case.test);
        }
        if case.is_counted()
            && outcome == Outcome::Over
            && let Some((request, twin)) = case.request()
        {
            let is_none = case.told(request).is_some_and(|extractor| case.outcome(&extractor).is_equal());
            told += usize::from(is_none);
            let then = if is_none { "nothing is called" } else { "it is called all the same" };
            println!(
                "{}: {request}, which the case does not hold; told so, {then}. Without it the same marks are a call: {twin}",
                case.id
            );
        }
        if arguments.prefixes && outcome == Outcome::Equal {
            // Who sends a prompt that begins thoughts knows it, and says so of every part of the answer.
            let thinking = extractor.clone().within_thoughts();
            let is_thinking = case.expects_calls() && case.begins_in_thoughts() && case.outcome(&thinking).is_equal();
            let wrong = case.wrong_cuts(if is_thinking { &thinking } else { &extractor });
            if case.expects_calls() { cut.add(case, wrong) } else { cut_none.add(case, wrong) }
        }
    }
    println!("By family\n\n{by_family}\nBy project\n\n{by_project}");
    if arguments.prefixes {
        println!("{} prefixes of texts with calls, {} wrong calls in {:?}", cut.tried, cut.wrong, cut.ids);
        let Cuts { tried, wrong, ids } = &cut_none;
        println!(
            "{tried} prefixes of texts that are no calls for what follows, {wrong} of them calls by themselves, in {ids:?}"
        );
    }
    if arguments.save {
        figures.save(workspace)?;
    }
    // Of other cases nothing is kept.
    let is_drifting = arguments.cases.is_none() && arguments.family.is_none() && Figures::read(workspace)? != figures;
    if is_drifting {
        println!("The counts are not those of bench/toolcalls.json: `--save` keeps them.");
    }
    let all = by_family.total();
    let permille = 1_000 * all.equal / all.counted.max(1);
    let (whole, tenth) = (permille / 10, permille % 10);
    let words = format!(
        "{} of {} counted cases equal ({whole}.{tenth} %), {} wrong calls, {} called where no call is expected, {told} of them only because the request is not told; {policy} more differ by policy, {changed} of them otherwise than listed",
        all.equal, all.counted, all.wrong, all.over
    );
    let holds = changed == 0
        && !is_drifting
        && permille >= 10 * LEAST_EQUAL
        && all.wrong == 0
        && all.over == told
        && cut.wrong == 0
        && beside_prose == 0;
    Ok(if holds { Verdict::pass(words) } else { Verdict::fail(words) })
}

/// What the prefixes of the texts gave.
#[derive(Default)]
struct Cuts {
    tried: usize,
    wrong: usize,
    ids: Vec<String>,
}

impl Cuts {
    fn add(&mut self, case: &Case, wrong: usize) {
        self.tried += case.cuts().count();
        self.wrong += wrong;
        if wrong > 0 {
            self.ids.push(case.id.clone());
        }
    }
}
