//! `reasoning-block`: what a model thought before it answered.

use jsonseam_core::{Candidates, Region, RepairRule, rule};

rule! {
    /// Passes over the block of reasoning that a completion starts with.
    ///
    /// # What
    /// The text starts with an opening tag of reasoning: `<think>`, `<thinking>`, `<thought>`, `<reasoning>`, `<reflection>`, `<seed:think>`, `[THINK]` or `◁think▷`.
    /// What follows its closing tag is searched; if that is nothing, the text is searched as a whole.
    ///
    /// # Why
    /// Reasoning models think aloud, and drafts of the answer stand in their thoughts. A draft is not the answer (SPEC B4).
    ///
    /// # Example
    /// `<think>Maybe {"a": 1}?</think>{"a": 2}` gives `{"a": 2}`.
    ///
    /// # Limits
    /// Only at the start of the text, so a tag inside a string is left alone. A block that is not closed is searched like any other text.
    pub struct ReasoningBlock {
        name: "reasoning-block",
        locates: Regions,
        cases: "reasoning_block.toml",
    }
}

/// Opening and closing tags of the model families that write them.
const TAGS: [(&str, &str); 8] = [
    ("<think>", "</think>"),
    ("<thinking>", "</thinking>"),
    ("<thought>", "</thought>"),
    ("<reasoning>", "</reasoning>"),
    ("<reflection>", "</reflection>"),
    ("<seed:think>", "</seed:think>"),
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
];

impl RepairRule for ReasoningBlock {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        let block = TAGS.iter().find(|(open, _)| region.starts_with(open));
        let answer = block.and_then(|(_, close)| Some(region.find(close, region.span().start)? + close.len()));
        if let Some(answer) = answer {
            found.push(answer..region.span().end);
        }
    }
}

#[cfg(test)]
jsonseam_testkit::laws!(ReasoningBlock);
