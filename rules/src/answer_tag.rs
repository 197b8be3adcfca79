//! `answer-tag`: an answer between tags.

use std::ops::Range;

use jsonseam_core::{Candidates, LocateRule, Region, rule};

use crate::shared::brackets;

rule! {
    /// Narrows the completion to the answer between tags.
    ///
    /// # What
    /// The text does not start with `{` or `[`, and holds an opening tag `<answer>`, `<final_answer>`, `<final>`, `<json>`, `<output>`, `<response>` or `<result>`,
    /// in any case, followed by a bracket. The text up to the closing tag is searched, or up to the end if there is no closing tag.
    ///
    /// # Why
    /// Prompts ask for the answer in such tags, because prose outside them can then be passed over.
    ///
    /// # Example
    /// `In {x} terms: <answer>{"a": 1}</answer>` gives `{"a": 1}`.
    ///
    /// # Limits
    /// A tag inside brackets is text of a payload. With the policy `first` the first block that holds a bracket counts, with any other all of them.
    /// Tags of tool calls belong to wrapper packs, and tags of reasoning to `reasoning-block`.
    pub struct AnswerTag {
        name: "answer-tag",
        locates: Regions,
        cases: "answer_tag.toml",
    }
}

const NAMES: [&str; 7] = ["answer", "final_answer", "final", "json", "output", "response", "result"];

impl LocateRule for AnswerTag {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        if region.starts_with("{") || region.starts_with("[") || !region.holds(b"<>") {
            return;
        }
        let start = region.span().start;
        let blocks = blocks(region.text());
        if blocks.first().is_some_and(|block| is_inside(region, start, block)) {
            return;
        }
        let wanted = if region.wants_first_only() { 1 } else { usize::MAX };
        blocks.into_iter().take(wanted).for_each(|block| found.push(start + block.start..start + block.end));
    }
}

/// Whether the tag of this block is text of a payload that began before it.
fn is_inside(region: &Region<'_>, start: usize, block: &Range<usize>) -> bool {
    brackets::is_inside_payload(region, start + block.start, &(start + block.start..start + block.end))
}

/// The text between tags, if it holds a bracket.
fn blocks(text: &str) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let mut open: Option<(&str, usize)> = None;
    let mut has_bracket = false;
    for (start, mark) in text.match_indices(['<', '{', '[']) {
        if mark != "<" {
            has_bracket = true;
            continue;
        }
        let rest = &text[start + 1..];
        if open.is_none() {
            has_bracket = false;
        }
        match open {
            None => open = tag(rest).map(|name| (name, start + name.len() + 2)),
            Some((name, from))
                if rest.strip_prefix('/').and_then(tag).is_some_and(|found| found.eq_ignore_ascii_case(name)) =>
            {
                blocks.push(from..start);
                open = None;
            }
            // The tag was a mention: the block starts at the next one that is not nested in a bracket.
            Some((name, _)) if tag(rest) == Some(name) && !has_bracket => {
                open = Some((name, start + name.len() + 2));
            }
            Some(_) => {}
        }
    }
    blocks.extend(open.map(|(_, from)| from..text.len()));
    blocks.retain(|block| text[block.clone()].contains(['{', '[']));
    blocks
}

/// The name of the tag whose inside `text` starts with.
fn tag(text: &str) -> Option<&str> {
    let len = text.bytes().take(16).position(|byte| byte == b'>')?;
    let name = text.get(..len)?;
    NAMES.iter().any(|known| name.eq_ignore_ascii_case(known)).then_some(name)
}

#[cfg(test)]
jsonseam_testkit::laws!(AnswerTag);
