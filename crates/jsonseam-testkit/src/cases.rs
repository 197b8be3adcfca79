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
//! Further members: `preset` and `root` (in the corpus), `with` and `options` (other rules, and options of the rule, beside a rule), `truncated`,
//! `why`, `source`, and `known-gap = true` for a verdict that is wanted and not yet given: such a case must fail, and fails the suite once it passes.

use std::collections::HashSet;

use jsonseam_core::Root;
use serde::Deserialize;

use crate::subject::{Outcome, Subject};

/// One case.
#[derive(Debug, Clone, Deserialize)]
#[serde(rename_all = "kebab-case", deny_unknown_fields)]
pub struct Case {
    /// What the case shows, unique in its file.
    pub name: String,
    /// The completion.
    pub input: String,
    /// The output it must give; exactly one of this and `refused` is present.
    pub output: Option<String>,
    /// The reason for which it must be refused.
    pub refused: Option<String>,
    /// The rules of the edits, in the order of their positions.
    #[serde(default)]
    pub rules: Vec<String>,
    /// Whether the result must say that it is truncated.
    #[serde(default)]
    pub truncated: bool,
    /// The preset to run under, for the corpus; `strict` if absent.
    pub preset: Option<String>,
    /// The root to run under, if absent: `object` in the corpus, `any` beside a rule.
    pub root: Option<String>,
    /// Other rules to enable beside the rule under test.
    #[serde(default)]
    pub with: Vec<String>,
    /// Options of the rule under test, as in `[rules.<name>]`.
    #[serde(default)]
    pub options: toml::Table,
    /// The reason behind a surprising verdict.
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
        if case.output.is_some() == case.refused.is_some() {
            return Err(format!("case `{}` needs either `output` or `refused`", case.name));
        }
    }
    Ok(file.case)
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

    /// Whether `subject` gives the verdict the case claims; the error says how the two differ.
    pub fn check(&self, subject: &dyn Subject) -> Result<(), String> {
        match (self.verdict(subject), self.known_gap) {
            (Ok(()), true) => Err("this known gap is closed: remove `known-gap`".to_owned()),
            (Err(_), true) => Ok(()),
            (verdict, false) => verdict,
        }
    }

    fn verdict(&self, subject: &dyn Subject) -> Result<(), String> {
        match (subject.repair(&self.input), &self.output, &self.refused) {
            (Outcome::Accepted(accepted), Some(output), _) => {
                let rules: Vec<_> = accepted.edits.iter().map(|(rule, ..)| rule.as_str()).collect();
                if accepted.text != *output {
                    Err(format!("gave {:?}, not {output:?}", accepted.text))
                } else if rules != self.rules {
                    Err(format!("was edited by {rules:?}, not {:?}", self.rules))
                } else if accepted.is_truncated != self.truncated {
                    Err(format!("truncated is {}, not {}", accepted.is_truncated, self.truncated))
                } else {
                    Ok(())
                }
            }
            (Outcome::Refused { reason, .. }, _, Some(refused)) if reason.as_str() == refused => Ok(()),
            (Outcome::Refused { reason, message, .. }, ..) => {
                Err(format!("was refused as {reason}, not {} ({message})", self.expected()))
            }
            (Outcome::Accepted(accepted), ..) => Err(format!("gave {:?}, not {}", accepted.text, self.expected())),
        }
    }

    fn expected(&self) -> String {
        match (&self.output, &self.refused) {
            (Some(output), _) => format!("{output:?}"),
            (_, Some(refused)) => format!("refused as {refused}"),
            _ => "any verdict".to_owned(),
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
