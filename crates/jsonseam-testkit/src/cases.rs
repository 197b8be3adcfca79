//! Cases: inputs with the verdict they must get, in TOML.
//!
//! ```toml
//! [[case]]
//! name = "the comma before a brace"
//! input = '{"a": 1,}'
//! output = '{"a": 1}'            # or: refused = "syntax"
//! rules = ["trailing-comma"]     # the rule of each edit, by position
//! ```
//!
//! Where only what the output says matters, `value` takes the place of `output`: any spelling of that JSON value passes, and `rules` are compared
//! only if the case names some. `refused` may name several reasons, as in `"syntax | ambiguous_repair"`. With `value` and `refused` either is
//! right, and any other value is wrong.
//!
//! Further members: `preset`, `root`, `policy` and `keys` (in the corpus; `keys` are the declared keys of the root), `with` and `options` (other
//! rules, and options of the rule, beside a rule), `truncated`, `truncated-or-not` (where two readings with the same value differ in it), `why`,
//! `source`, and `known-gap = true` for a verdict that is wanted and not yet given: such a case must fail, and fails the suite once it passes.
//! `cargo xtask corpus --bless` removes the mark of a known gap that is closed; it never writes a `value`.

use std::collections::{BTreeMap, HashSet};

use jsonseam_core::{Config, Evidence, Kind, Pipeline, Policy, Reason, Root, Shape, Step};
use serde::Deserialize;

use crate::subject::{Accepted, Guided, Outcome, Subject};
use crate::value::Value;

/// One case.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Case {
    /// What the case shows, unique in its file.
    pub name: String,
    /// The completion.
    pub input: String,
    /// The output it must give; if absent, `value` or `refused` is present.
    pub output: Option<String>,
    /// The JSON value that the output must say, in any spelling.
    pub value: Option<String>,
    /// The reason for which it must be refused, or several that will do, separated by ` | `.
    pub refused: Option<String>,
    /// The rules of the edits, in the order of their positions.
    #[serde(default)]
    pub rules: Vec<String>,
    /// Whether the result must say that it is truncated.
    #[serde(default)]
    pub truncated: bool,
    /// Whether the result may say it or not: two readings with the same value differ in it.
    #[serde(default)]
    pub truncated_or_not: bool,
    /// The preset to run under, for the corpus; `strict` if absent.
    pub preset: Option<String>,
    /// The root to run under, if absent: `object` in the corpus, `any` beside a rule.
    pub root: Option<String>,
    /// The policy for several candidates, for the corpus; `first` if absent.
    pub policy: Option<String>,
    /// The keys that the contract declares for the root, for the corpus: no others are allowed.
    #[serde(default)]
    pub keys: Vec<String>,
    /// What the contract says of members that are absent, by their keys with points between them: JSON.
    #[serde(default)]
    pub defaults: BTreeMap<String, String>,
    /// The kinds that the contract allows for values, by their keys with points between them, `*` for any element.
    #[serde(default)]
    pub kinds: BTreeMap<String, KindName>,
    /// The keys that the contract requires of objects, by where these are, as for `kinds`.
    #[serde(default)]
    pub required: BTreeMap<String, Vec<String>>,
    /// Other rules to enable beside the rule under test.
    #[serde(default)]
    pub with: Vec<String>,
    /// Options of the rule under test, as in `[rules.<name>]`.
    #[serde(default)]
    pub options: toml::Table,
    /// The reason for a surprising verdict.
    pub why: Option<String>,
    /// Where the defect was seen.
    pub source: Option<String>,
    /// Whether the verdict is wanted, but not given yet.
    #[serde(default)]
    pub known_gap: bool,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    case: Vec<Case>,
}

/// Reads a file of cases. The error says what is wrong and where.
pub fn parse(text: &str) -> Result<Vec<Case>, String> {
    let file: File = toml::from_str(text).map_err(|error| error.to_string())?;
    let mut names = HashSet::new();
    for case in &file.case {
        if !names.insert(&case.name) {
            return Err(format!("two cases are named `{}`", case.name));
        }
        if case.output.is_some() == (case.value.is_some() || case.refused.is_some()) {
            return Err(format!("case `{}` needs either `output`, or `value` or `refused`", case.name));
        }
        for reason in case.refused.iter().flat_map(|refused| refused.split('|')) {
            let reason = reason.trim();
            reason.parse::<Reason>().map_err(|unknown| format!("case `{}`: `{reason}` is {unknown}", case.name))?;
        }
        if case.value.as_ref().is_some_and(|value| Value::read(value).is_none()) {
            return Err(format!("case `{}`: its `value` is not JSON", case.name));
        }
    }
    Ok(file.case)
}

/// The name of a kind of value, as JSON Schema has it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "lowercase")]
#[allow(missing_docs, reason = "they are what RFC 8259 calls them")]
pub enum KindName {
    Null,
    Boolean,
    Number,
    String,
    Array,
    Object,
}

impl KindName {
    fn kind(self) -> Kind {
        match self {
            Self::Null => Kind::Null,
            Self::Boolean => Kind::Boolean,
            Self::Number => Kind::Number,
            Self::String => Kind::String,
            Self::Array => Kind::Array,
            Self::Object => Kind::Object,
        }
    }
}

/// The way to a place: keys with points between them, `*` for any element.
fn path_of(keys: &str) -> Vec<Step<'_>> {
    keys.split('.').map(|key| if key == "*" { Step::Item } else { Step::Key(key) }).collect()
}

impl Case {
    /// The preset the case asks for.
    pub fn preset(&self) -> &str {
        self.preset.as_deref().unwrap_or("strict")
    }

    /// The root the case asks for.
    pub fn root(&self) -> Option<Root> {
        self.root.as_deref().unwrap_or("object").parse().ok()
    }

    /// The configuration that a case of the corpus runs under.
    ///
    /// # Errors
    ///
    /// Which member names something unknown.
    pub fn config(&self) -> Result<Config, String> {
        let mut config = Config::default()
            .with_preset(self.preset())
            .with_root(self.root().ok_or("the case names an unknown root")?);
        if let Some(policy) = &self.policy {
            config = config.with_policy(policy.parse::<Policy>().map_err(|_| "the case names an unknown policy")?);
        }
        Ok(config)
    }

    /// The subject of a case: `pipeline`, with what the case declares, if it declares something.
    pub fn subject(&self, pipeline: Pipeline) -> Box<dyn Subject> {
        match self.evidence() {
            Some(evidence) => Box::new(Guided { pipeline, evidence }),
            None => Box::new(pipeline),
        }
    }

    /// What the case declares, if it declares something.
    pub fn evidence(&self) -> Option<Evidence> {
        if self.keys.is_empty() && self.defaults.is_empty() && self.kinds.is_empty() && self.required.is_empty() {
            return None;
        }
        let mut evidence = Evidence::new();
        if !self.keys.is_empty() {
            evidence = evidence.closed(&[], self.keys.iter().map(String::as_str));
        }
        for (keys, default) in &self.defaults {
            evidence = evidence.shaped(&path_of(keys), Shape::new().with_default(default.as_str()));
        }
        for (keys, kind) in &self.kinds {
            evidence = evidence.shaped(&path_of(keys), Shape::new().with_kinds([kind.kind()]));
        }
        for (keys, names) in &self.required {
            let shape = Shape::new().with_required(names.iter().map(String::as_str));
            evidence = evidence.shaped(&path_of(keys), shape);
        }
        Some(evidence)
    }

    /// Whether `subject` gives the verdict the case claims; the error says how the two differ.
    pub fn check(&self, subject: &dyn Subject) -> Result<(), String> {
        match (self.verdict(subject), self.known_gap) {
            (Ok(()), true) => Err("this known gap is closed: remove `known-gap`".to_owned()),
            (Err(_), true) => Ok(()),
            (verdict, false) => verdict,
        }
    }

    /// Whether `subject` gives the verdict, be it a known gap or not.
    pub fn verdict(&self, subject: &dyn Subject) -> Result<(), String> {
        match (subject.repair(&self.input), &self.refused) {
            (Outcome::Accepted(accepted), _) => self.judge(&accepted),
            (Outcome::Refused { reason, .. }, Some(refused)) if is_one_of(reason, refused) => Ok(()),
            (Outcome::Refused { reason, message, .. }, _) => {
                Err(format!("was refused as {reason}, not {} ({message})", self.expected()))
            }
        }
    }

    fn judge(&self, accepted: &Accepted) -> Result<(), String> {
        let rules: Vec<_> = accepted.edits.iter().map(|(rule, ..)| rule.as_str()).collect();
        let is_same = match (&self.output, &self.value) {
            (Some(output), _) => accepted.text == *output,
            (None, Some(value)) => {
                Value::read(&accepted.text).zip(Value::read(value)).is_some_and(|(said, wanted)| said.says(&wanted))
            }
            (None, None) => false,
        };
        if !is_same {
            Err(format!("gave {:?}, not {} (edited by {rules:?})", accepted.text, self.expected()))
        } else if rules != self.rules && !(self.rules.is_empty() && self.value.is_some()) {
            let missing = if self.rules.is_empty() {
                "; name them in the case, an entry for each edit: rules = […]"
            } else {
                ""
            };
            Err(format!("was edited by {rules:?}, not {:?}{missing}", self.rules))
        } else if accepted.is_truncated != self.truncated && !self.truncated_or_not {
            Err(format!("truncated is {}, not {}", accepted.is_truncated, self.truncated))
        } else {
            Ok(())
        }
    }

    fn expected(&self) -> String {
        match (&self.output, &self.value, &self.refused) {
            (Some(output), ..) => format!("{output:?}"),
            (_, Some(value), None) => format!("the value {value}"),
            (_, Some(value), Some(refused)) => format!("the value {value} or refused as {refused}"),
            (None, None, Some(refused)) => format!("refused as {refused}"),
            (None, None, None) => "any verdict".to_owned(),
        }
    }

    /// What is left of a case when names and values are taken away: two cases of one shape count once.
    pub fn shape(&self) -> String {
        let mut shape = format!("{} {} ", self.preset(), self.root.as_deref().unwrap_or("object"));
        let mut latest = None;
        for char in self.input.chars() {
            let class = match char {
                '0'..='9' => '0',
                char if char.is_alphabetic() => 'a',
                char => char,
            };
            if class.is_alphanumeric() && latest == Some(class) {
                continue;
            }
            shape.push(class);
            latest = Some(class);
        }
        shape
    }
}

/// Whether the reason is among those of a case.
fn is_one_of(reason: Reason, refused: &str) -> bool {
    refused.split('|').any(|wanted| wanted.trim() == reason.as_str())
}

#[cfg(test)]
mod tests {
    use jsonseam_core::{Config, Pipeline};

    use super::parse;

    /// What a case says of a pipeline without any rule.
    fn check(members: &str) -> Result<(), String> {
        let cases = parse(&format!("[[case]]\nname = \"x\"\n{members}"))?;
        cases.iter().try_for_each(|case| case.check(&Pipeline::from_rules(&Config::default(), Vec::new())))
    }

    #[test]
    fn a_value_passes_in_any_spelling() {
        assert_eq!(check("input = '{\"a\": 1.0, \"b\": 2}'\nvalue = '{\"b\":2,\"a\":1}'"), Ok(()));
        assert!(check("input = '{\"a\": 1}'\nvalue = '{\"a\": 2}'").is_err());
        assert!(check("input = '{\"a\": 1}'\nvalue = '{a: 1}'").is_err_and(|seen| seen.contains("not JSON")));
    }

    #[test]
    fn a_refusal_may_have_one_of_several_reasons() {
        assert_eq!(check("input = '{\"a\": x}'\nrefused = 'syntax | truncated'"), Ok(()));
        assert!(check("input = '{\"a\": x}'\nrefused = 'truncated | ambiguous_payload'").is_err());
        assert!(check("input = '{}'\nrefused = 'syntax'").is_err());
    }

    #[test]
    fn a_misspelt_reason_is_refused_as_such() {
        for wrong in ["sintax", "syntax | truncatd", "", "syntax |"] {
            let seen = check(&format!("input = '{{\"a\": x}}'\nrefused = '{wrong}'")).expect_err(wrong);
            assert!(seen.contains("` is not ") && seen.contains("`truncated`"), "{seen}");
        }
    }

    #[test]
    fn a_value_or_a_refusal_leaves_other_values_wrong() {
        assert_eq!(check("input = '{\"a\": x}'\nvalue = '{\"a\": 1}'\nrefused = 'syntax'"), Ok(()));
        assert_eq!(check("input = '{\"a\": 1}'\nvalue = '{\"a\": 1}'\nrefused = 'syntax'"), Ok(()));
        assert!(check("input = '{\"a\": 2}'\nvalue = '{\"a\": 1}'\nrefused = 'syntax'").is_err());
    }

    #[test]
    fn a_case_has_one_verdict() {
        assert!(check("input = '{}'").is_err());
        assert!(check("input = '{}'\noutput = '{}'\nvalue = '{}'").is_err());
    }

    #[test]
    fn a_known_gap_that_passes_fails() {
        assert!(check("input = '{}'\nvalue = '{}'\nknown-gap = true").is_err());
        assert_eq!(check("input = '{}'\nvalue = '[]'\nknown-gap = true"), Ok(()));
    }
}
