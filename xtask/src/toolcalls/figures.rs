//! The scoreboard of calls: by format, what each project's own parser gives in its tests, and what the reader makes of the same texts.

use std::collections::BTreeMap;

use anyhow::{Context, Result};
use serde::{Deserialize, Serialize};

use super::case::{Case, Outcome};
use crate::workspace::Workspace;

const FIGURES: &str = "bench/toolcalls.json";

/// What the scoreboard says, by format.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Figures {
    pub(crate) families: BTreeMap<String, Family>,
}

/// The counts of one format.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Family {
    /// By project, what its own parser gives.
    pub(crate) theirs: BTreeMap<String, Theirs>,
    /// What the reader makes of the texts whose expectation is not odd.
    pub(crate) ours: Ours,
}

/// What the parser of a project gives for the texts of its own tests.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Theirs {
    /// What was meant.
    pub(crate) right: usize,
    /// Something that can be argued about, such as calls of texts that were cut off.
    pub(crate) odd: usize,
    /// Calls that no one meant.
    pub(crate) wrong: usize,
}

/// What the reader makes of the texts that their parsers get right.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Ours {
    /// The same calls, or rightly none.
    pub(crate) right: usize,
    /// Other calls, other values, or calls where none is due.
    pub(crate) wrong: usize,
    /// Refused, or no call.
    pub(crate) refused: usize,
}

impl Figures {
    /// Those that were kept.
    pub(crate) fn read(workspace: &Workspace) -> Result<Self> {
        let text = workspace.read(FIGURES)?;
        serde_json::from_str(&text).context("bench/toolcalls.json is not what `cargo xtask toolcalls --save` writes")
    }

    /// Keeps them.
    pub(super) fn save(&self, workspace: &Workspace) -> Result<()> {
        let mut text = serde_json::to_string_pretty(self)?;
        text.push('\n');
        workspace.write(FIGURES, &text)
    }

    pub(super) fn add(&mut self, case: &Case, outcome: &Outcome) {
        let family = self.families.entry(case.family.clone()).or_default();
        let theirs = family.theirs.entry(project(&case.project).to_owned()).or_default();
        if case.is_nonsense() {
            theirs.wrong += 1;
        } else if !case.is_counted() {
            theirs.odd += 1;
        } else {
            theirs.right += 1;
            match outcome {
                Outcome::Equal => family.ours.right += 1,
                Outcome::Missed | Outcome::Refused(_) => family.ours.refused += 1,
                Outcome::OtherValues | Outcome::WrongCalls | Outcome::Over => family.ours.wrong += 1,
            }
        }
    }
}

/// A project without its version: `vllm-0.33.0` is vLLM.
fn project(versioned: &str) -> &'static str {
    let known =
        [("vllm", "vLLM"), ("sglang", "SGLang"), ("dynamo", "dynamo"), ("smg", "SMG"), ("llama.cpp", "llama.cpp")];
    known.iter().find(|(start, _)| versioned.starts_with(start)).map_or("others", |(_, name)| *name)
}
