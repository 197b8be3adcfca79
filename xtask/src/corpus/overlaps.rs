//! `--overlaps`: faults that more than one rule would answer.
//!
//! For each fault that a case meets under `lenient`, each rule that proposes anything is left alone with that fault, in a run of its own.
//! So what is found is exact: the engine itself says whether it would have made the edit.
//! A pair is fine if someone has thought about its order, and said so in `[overlaps]` of `rules/presets.toml`.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::sync::{Arc, Mutex, PoisonError};

use anyhow::{Context, Result};
use jsonseam::{Catalogue, Config, Edits, Expected, Fault, Pipeline, RepairRule, Risk, Role, Root, RuleEntry};
use jsonseam_testkit::cases::Case;
use jsonseam_testkit::corpus::Suite;
use jsonseam_testkit::subject::Subject;
use toml_edit::DocumentMut;

use crate::corpus::Suites;
use crate::verdict::Verdict;
use crate::workspace::Workspace;

const PRESET: &str = "lenient";

/// A rule that answers, and one further down that would have.
type Pair = (String, String);

/// Looks for overlaps in every case and compares them with those that are allowed.
pub(super) fn run(workspace: &Workspace, catalogue: &Catalogue, suites: &Suites) -> Result<Verdict> {
    let allowed = allowed(&workspace.read("rules/presets.toml")?)?;
    let mut seen: BTreeMap<Pair, Vec<String>> = BTreeMap::new();
    for suite in suites.all() {
        for case in &suite.cases {
            for pair in overlaps(catalogue, root(suite, case)?, &case.input)? {
                let place = format!("{}: {}", suite.name, case.name);
                seen.entry(pair).or_default().push(place);
            }
        }
    }
    let mut complaints = Vec::new();
    println!("{:<64} {:>7}", "answers, before", "faults");
    for ((first, second), places) in &seen {
        let pair = format!("{first}, {second}");
        println!("{pair:<64} {:>7}", places.len());
        if !allowed.contains(&(first.clone(), second.clone())) {
            let mut complaint = format!("[\"{first}\", \"{second}\"] is not in [overlaps], and is met by");
            for place in places.iter().take(3) {
                let _ = write!(complaint, "\n  {place}");
            }
            complaints.push(complaint);
        }
    }
    for pair in allowed.iter().filter(|pair| !seen.contains_key(*pair)) {
        complaints.push(format!("[\"{}\", \"{}\"] is in [overlaps], and no case meets it", pair.0, pair.1));
    }
    let passed = format!("{} pairs of rules overlap, all of them as listed", seen.len());
    Ok(Verdict::of_complaints(&complaints, passed))
}

/// The pairs of `[overlaps]`: `pairs = [["first-rule", "second-rule"]]`.
fn allowed(presets: &str) -> Result<Vec<Pair>> {
    let document: DocumentMut = presets.parse()?;
    let Some(table) = document.get("overlaps") else {
        return Ok(Vec::new());
    };
    let pairs = table
        .get("pairs")
        .and_then(|pairs| pairs.as_array())
        .context("[overlaps] needs `pairs = [[\"first-rule\", \"second-rule\"]]`")?;
    let read = |pair: &toml_edit::Value| {
        let pair = pair.as_array()?;
        let name = |index: usize| Some(pair.get(index)?.as_str()?.to_owned());
        (pair.len() == 2).then_some((name(0)?, name(1)?))
    };
    pairs.iter().map(|pair| read(pair).context("each of [overlaps] is a pair of rules")).collect()
}

fn root(suite: &Suite, case: &Case) -> Result<Root> {
    let root = if suite.is_of_rule { Some(Root::Any) } else { case.root() };
    root.context("the case names an unknown root")
}

/// The overlaps at every fault of one completion.
fn overlaps(catalogue: &Catalogue, root: Root, input: &str) -> Result<Vec<Pair>> {
    let stage = Stage::default();
    let pipeline = pipeline(catalogue, root, &stage)?;
    let proposals = stage.play(&pipeline, input, None).proposals;
    let mut pairs = Vec::new();
    for (fault, names) in &proposals {
        if names.len() < 2 {
            continue;
        }
        let mut answering = names.iter().filter(|name| {
            let solo = Solo { fault: *fault, rule: (*name).clone() };
            !stage.play(&pipeline, input, Some(solo)).is_unanswered
        });
        if let Some(first) = answering.next() {
            pairs.extend(answering.map(|second| (first.clone(), second.clone())));
        }
    }
    Ok(pairs)
}

/// The rules of the preset, each on stage, between one that counts the faults and one that sees which of them nobody answers.
fn pipeline(catalogue: &Catalogue, root: Root, stage: &Stage) -> Result<Pipeline> {
    let preset = catalogue.preset(PRESET).context("the preset `lenient` is missing")?;
    let mut cast = Vec::new();
    for name in &preset.rules {
        cast.push(RuleEntry::of(catalogue.rule(name).context("presets name known rules")?)?);
    }
    let everywhere = Role::Repair { risk: Risk::Certain, answers: &Expected::ALL };
    let usher = |name: &str, rule: Arc<dyn RepairRule>| RuleEntry { name: name.to_owned(), role: everywhere, rule };
    let mut rules = vec![usher("opens", Arc::new(Opens { cast: cast.clone(), stage: stage.clone() }))];
    for entry in cast {
        let actor = Actor { name: entry.name.clone(), rule: Arc::clone(&entry.rule), stage: stage.clone() };
        rules.push(RuleEntry { rule: Arc::new(actor), ..entry });
    }
    rules.push(usher("closes", Arc::new(Closes(stage.clone()))));
    let mut config = Config::default();
    config.set_root(root);
    Ok(Pipeline::from_rules(&config, rules))
}

/// At this fault, counted from 1, only this rule may answer.
#[derive(Debug, Clone)]
struct Solo {
    fault: usize,
    rule: String,
}

/// One run.
#[derive(Debug, Default)]
struct Play {
    solo: Option<Solo>,
    fault: usize,
    /// For each fault, who proposes an edit, in the order of the preset.
    proposals: Vec<(usize, Vec<String>)>,
    /// Whether nobody answered the fault of the solo.
    is_unanswered: bool,
}

/// What the rules of a pipeline know of each other.
#[derive(Debug, Clone, Default)]
struct Stage(Arc<Mutex<Play>>);

impl Stage {
    fn with<T>(&self, act: impl FnOnce(&mut Play) -> T) -> T {
        act(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner))
    }

    fn play(&self, pipeline: &Pipeline, input: &str, solo: Option<Solo>) -> Play {
        let play = Play { solo, ..Play::default() };
        self.with(|stage| *stage = play);
        drop(Subject::repair(pipeline, input));
        self.with(std::mem::take)
    }
}

/// Asked first at every fault: counts it and notes who would propose anything.
struct Opens {
    cast: Vec<RuleEntry>,
    stage: Stage,
}

impl RepairRule for Opens {
    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let is_first_run = self.stage.with(|play| {
            play.fault += 1;
            play.solo.is_none()
        });
        if is_first_run {
            let answers = |entry: &&RuleEntry| matches!(entry.role, Role::Repair { answers, .. } if answers.contains(&fault.expected()));
            let names = self
                .cast
                .iter()
                .filter(answers)
                .filter(|entry| entry.rule.repair(fault).is_some())
                .map(|entry| entry.name.clone())
                .collect();
            self.stage.with(|play| play.proposals.push((play.fault, names)));
        }
        None
    }
}

/// A rule that keeps silent while another has its solo.
struct Actor {
    name: String,
    rule: Arc<dyn RepairRule>,
    stage: Stage,
}

impl RepairRule for Actor {
    fn locate(&self, region: &jsonseam::Region<'_>, found: &mut jsonseam::Candidates) {
        self.rule.locate(region, found);
    }

    fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
        let is_silent = self
            .stage
            .with(|play| play.solo.as_ref().is_some_and(|solo| solo.fault == play.fault && solo.rule != self.name));
        if is_silent {
            return None;
        }
        self.rule.repair(fault)
    }
}

/// Asked last at every fault, so only when nobody's edit was made.
struct Closes(Stage);

impl RepairRule for Closes {
    fn repair(&self, _: &Fault<'_>) -> Option<Edits> {
        self.0.with(|play| {
            if play.solo.as_ref().is_some_and(|solo| solo.fault == play.fault) {
                play.is_unanswered = true;
            }
        });
        None
    }
}

#[cfg(test)]
mod tests {
    use jsonseam::{Catalogue, Edits, Expected, Fault, Registration, RepairRule, Risk, Role, Root, TokenKind};

    use super::{allowed, overlaps};
    use crate::subjects;

    /// Does what `trailing-comma` does, at every fault after a comma.
    struct Twin;

    impl RepairRule for Twin {
        fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
            fault.previous_is(TokenKind::Comma).then(|| fault.remove_previous())?
        }
    }

    /// Proposes what no engine would make: an edit behind the fault.
    struct Hasty;

    impl RepairRule for Hasty {
        fn repair(&self, fault: &Fault<'_>) -> Option<Edits> {
            Some(jsonseam::Edit::insert(fault.pos() + 1, ",").into())
        }
    }

    const fn planted(name: &'static str, build: BuildFn) -> Registration {
        Registration {
            name,
            role: Role::Repair { risk: Risk::Guess, answers: &[Expected::Value, Expected::Key] },
            doc: "",
            cases: "",
            options: &[],
            type_name: "",
            file: "",
            package: "",
            build,
        }
    }

    type BuildFn = fn(&[(&str, &jsonseam::OptionValue)]) -> Result<Box<dyn RepairRule>, jsonseam::OptionProblem>;

    static TWIN: Registration = planted("test/twin", |_| Ok(Box::new(Twin)));
    static HASTY: Registration = planted("test/hasty", |_| Ok(Box::new(Hasty)));

    #[test]
    fn a_twin_is_found_and_a_proposal_that_is_declined_is_not() {
        let built_in = subjects::catalogue().expect("the built-in rules are in order");
        let comma = built_in.rule("trailing-comma").expect("it is built in");
        let presets = "[presets]\nlenient = [\"test/hasty\", \"trailing-comma\", \"test/twin\"]\n";
        let catalogue = Catalogue::new(vec![comma, &TWIN, &HASTY], presets).expect("the presets name known rules");
        let pair = ("trailing-comma".to_owned(), "test/twin".to_owned());
        assert_eq!(
            overlaps(&catalogue, Root::Any, "{\"a\": [1,], \"b\": 2}").expect("it runs"),
            std::slice::from_ref(&pair)
        );
        assert_eq!(overlaps(&catalogue, Root::Any, "[[1,],]").expect("it runs"), [pair.clone(), pair]);
        assert_eq!(overlaps(&catalogue, Root::Any, "[1]").expect("it runs"), []);
    }

    #[test]
    fn pairs_are_read_with_their_comments() {
        let text = "[presets]\nstrict = []\n[overlaps]\npairs = [\n  # Because.\n  [\"a\", \"b\"],\n]\n";
        assert_eq!(allowed(text).expect("the table is well-formed"), [("a".to_owned(), "b".to_owned())]);
        assert!(allowed("[overlaps]\npairs = [[\"a\"]]\n").is_err());
        assert!(allowed("[presets]\n").expect("no table, no pairs").is_empty());
    }
}
