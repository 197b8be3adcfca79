//! `reasoning-block`: what a model thought before it answered.

use std::ops::Range;

use jsonseam_core::{Candidates, Region, RepairRule, rule};

rule! {
    /// Passes over what a model thought before it answered.
    ///
    /// # What
    /// The text does not start with `{` or `[`, and holds a closing tag of reasoning, in any case:
    /// `</think>`, `</thinking>`, `</thought>`, `</reasoning>`, `</reflection>`, `</seed:think>`, `[/THINK]` or `◁/think▷`.
    /// What follows the last of them is searched; if that is nothing, the text is searched as a whole.
    ///
    /// # Why
    /// Reasoning models think aloud, and drafts of the answer stand in their thoughts. A draft is not the answer (SPEC B4).
    ///
    /// # Example
    /// `<think>Maybe {"a": 1}?</think>{"a": 2}` gives `{"a": 2}`.
    ///
    /// # Limits
    /// The opening tag may be missing, as some prompts hold it. A tag inside brackets is text of the payload and is left alone.
    /// A block that is not closed is searched like any other text.
    pub struct ReasoningBlock {
        name: "reasoning-block",
        locates: Regions,
        cases: "reasoning_block.toml",
    }
}

/// Closing tags of the model families that write them.
const TAGS: [&str; 8] =
    ["</think>", "</thinking>", "</thought>", "</reasoning>", "</reflection>", "</seed:think>", "[/THINK]", "◁/think▷"];

impl RepairRule for ReasoningBlock {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        if region.starts_with("{") || region.starts_with("[") && !region.starts_with("[THINK]") {
            return;
        }
        let Some(tag) = last_tag(region.slice(region.span())) else { return };
        let (start, end) = (region.span().start + tag.start, region.span().start + tag.end);
        // A tag inside brackets is text of the payload, unless the thoughts themselves left them open.
        let is_thinking = OPENING.iter().any(|tag| starts_with_tag(region, tag));
        if is_thinking || !region.is_bracket_open_at(start) {
            found.push(end..region.span().end);
        }
    }
}

/// Opening tags, without the bracket that ends them: some carry attributes.
const OPENING: [&str; 6] = ["<think", "<thought", "<reasoning", "<reflection", "<seed:think", "[think]"];

fn starts_with_tag(region: &Region<'_>, tag: &str) -> bool {
    let start = region.span().start;
    region.slice(start..(start + tag.len()).min(region.span().end)).eq_ignore_ascii_case(tag)
        || region.starts_with("◁think▷")
}

/// The last closing tag of `text`, in any case.
fn last_tag(text: &str) -> Option<Range<usize>> {
    text.rmatch_indices(['<', '[', '◁']).find_map(|(start, _)| {
        let rest = text.get(start..)?;
        let is_here = |tag: &&&str| rest.get(..tag.len()).is_some_and(|found| found.eq_ignore_ascii_case(tag));
        TAGS.iter().find(is_here).map(|tag| start..start + tag.len())
    })
}

#[cfg(test)]
jsonseam_testkit::laws!(ReasoningBlock);
