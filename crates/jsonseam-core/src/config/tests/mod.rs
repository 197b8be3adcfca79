//! What configuration refuses, and what it selects: the rules and the helpers of both.

mod mistakes;
mod selection;

use std::fmt::Write as _;

use super::Config;
use super::error::ConfigError;
use super::select::resolve;
use crate::config::catalogue::{Catalogue, NamedPreset};
use crate::edits::risk::Risk;
use crate::engine::Thresholds;
use crate::locate::{Candidates, Landmarks, Region};
use crate::reading::expected::Expected;
use crate::rule::dispatch::Dispatch;
use crate::rule::fault::Fault;
use crate::rule::option::{OptionInfo, OptionProblem, OptionValue, RuleOption};
use crate::rule::proposals::Proposals;
use crate::rule::{Discovered, LocateRule, Locates, Registration, RepairRule, Role};

/// A rule that does nothing, with the options that the table of its registration lists.
struct Idle;

impl RepairRule for Idle {
    fn answer(&self, _: &Fault<'_>, _: &mut Proposals) {}
}

impl LocateRule for Idle {
    fn locate(&self, _: &Region<'_>, _: &mut Candidates) {}
}

#[expect(clippy::unnecessary_wraps, reason = "the signature is that of a builder of rules")]
fn idle_locator(_: &[(&str, &OptionValue)]) -> Result<Box<dyn LocateRule>, OptionProblem> {
    Ok(Box::new(Idle))
}

fn without_options(options: &[(&str, &OptionValue)]) -> Result<Box<dyn RepairRule>, OptionProblem> {
    match options.first() {
        Some((name, _)) => Err(OptionProblem::unknown(name)),
        None => Ok(Box::new(Idle)),
    }
}

fn with_options(options: &[(&str, &OptionValue)]) -> Result<Box<dyn RepairRule>, OptionProblem> {
    for (name, value) in options {
        if OptionInfo::is_named("longest_arrow", name) {
            usize::read(value).map_err(|expected| OptionProblem::wrong(name, expected))?;
        } else if OptionInfo::is_named("words", name) {
            Vec::<String>::read(value).map_err(|expected| OptionProblem::wrong(name, expected))?;
        } else {
            return Err(OptionProblem::unknown(name));
        }
    }
    Ok(Box::new(Idle))
}

const fn locator(name: &'static str) -> Registration {
    let role: Role = Role::Locate { locates: Locates::Regions, landmarks: Landmarks::ANY, rule: idle_locator };
    Registration::new(name, role, "Idle", "tests.rs", "jsonseam-core")
}

const fn rule(name: &'static str, risk: Risk) -> Registration {
    Registration {
        role: Role::Repair {
            risk,
            answers: &[Expected::Value],
            dispatch: Dispatch::ANY,
            reach: crate::Reach::UNDECLARED,
            rule: without_options,
        },
        ..locator(name)
    }
}

const fn rule_with_options(name: &'static str, risk: Risk) -> Registration {
    Registration {
        options: &[
            OptionInfo { field: "longest_arrow", doc: "", kind: usize::KIND, default: String::new },
            OptionInfo { field: "words", doc: "", kind: Vec::<String>::KIND, default: String::new },
        ],
        role: Role::Repair {
            risk,
            answers: &[Expected::Value],
            dispatch: Dispatch::ANY,
            reach: crate::Reach::UNDECLARED,
            rule: with_options,
        },
        ..locator(name)
    }
}

static FENCE: Registration = locator("markdown-fence");
static COMMENT: Registration = rule("comment", Risk::Certain);
static SINGLE: Registration = rule("single-quoted-string", Risk::Certain);
static TRAILING: Registration = rule("trailing-comma", Risk::Certain);
static COMMA: Registration = rule_with_options("missing-comma", Risk::Likely);
static COLON: Registration = rule("missing-colon", Risk::Likely);
static INNER: Registration = rule("inner-quote", Risk::Guess);
static CUT: Registration = rule("cut-member", Risk::Lossy);
static HOMELESS: Registration = rule("homeless", Risk::Certain);
static ARROW: Registration = rule("acme/fat-arrow", Risk::Likely);
static BEAR: Registration = rule_with_options("acme/bear", Risk::Guess);
static BOLT: Registration = rule("bolt/nut", Risk::Certain);
static OTHER_TRAILING: Registration = rule("trailing-comma", Risk::Certain);

inventory::submit!(Discovered(&BOLT));

const PRESETS: &[NamedPreset<'_>] = &[
    (
        "strict",
        Thresholds::new(50, 200),
        &["markdown-fence", "single-quoted-string", "trailing-comma", "missing-comma"],
    ),
    (
        "standard",
        Thresholds::new(50, 200),
        &["markdown-fence", "comment", "single-quoted-string", "trailing-comma", "missing-colon", "missing-comma"],
    ),
    (
        "lenient",
        Thresholds::new(40, 350),
        &[
            "markdown-fence",
            "comment",
            "single-quoted-string",
            "inner-quote",
            "trailing-comma",
            "missing-colon",
            "missing-comma",
            "cut-member",
        ],
    ),
];

fn catalogue() -> Catalogue {
    let rules =
        vec![&BOLT, &CUT, &INNER, &COLON, &COMMA, &TRAILING, &SINGLE, &COMMENT, &FENCE, &HOMELESS, &ARROW, &BEAR];
    Catalogue::new(rules, PRESETS).expect("the catalogue of these tests is right")
}

fn build(text: &str) -> Result<Vec<String>, ConfigError> {
    select(&Config::from_toml(text, "c.toml")?)
}

fn select(config: &Config) -> Result<Vec<String>, ConfigError> {
    Ok(resolve(config, &catalogue())?.into_iter().map(|selected| selected.name).collect())
}

fn names(text: &str) -> String {
    build(text).unwrap_or_else(|error| panic!("{text}\n{error}")).join(" ")
}

fn refusal(text: &str) -> ConfigError {
    build(text).err().unwrap_or_else(|| panic!("accepted:\n{text}"))
}

/// A good pattern in which `line` replaces the line that sets the same key.
fn pattern_with(line: &str) -> String {
    let key = line.split(' ').next().unwrap_or_default();
    let mut text = "[[pattern]]\n".to_owned();
    for good in
        ["name = \"fat-arrow\"", "at = \"colon\"", "find = '=>'", "replace = ':'", "risk = \"likely\"", "case = []"]
    {
        let is_replaced = good.starts_with(&format!("{key} =")) || (key == "cases" && good.starts_with("case"));
        let _ = writeln!(text, "{}", if is_replaced { line } else { good });
    }
    text
}
