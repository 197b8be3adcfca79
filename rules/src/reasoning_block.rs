//! `reasoning-block`: the reasoning of a model before its answer.

use std::ops::Range;

use jsonseam_core::{Candidates, LocateRule, Region, rule};

use crate::shared::brackets;
use crate::shared::layout::begins_line;

rule! {
    /// Passes over the reasoning of a model before its answer.
    ///
    /// # What
    /// The text does not start with `{` or `[`, and holds a closing tag of reasoning, in any case: `</think>`, `</thinking>`, `</thought>`, `</reasoning>`,
    /// `</reflection>`, `</scratchpad>`, `</inner_monologue>`, these with a prefix (`</seed:think>`), `[/THINK]`, `<|end_of_thought|>`, `<|think:end|>`, `◁/think▷`, `<|END_THINKING|>`, `<|inner_suffix|>`, `<channel|>`,
    /// or the header of a final channel (`<|channel|>final<|message|>`).
    /// What follows the last of them is searched; if it holds no bracket, the last text outside the reasoning that holds one is searched.
    ///
    /// # Why
    /// Reasoning models write drafts of the answer into their reasoning. A draft is not the answer.
    ///
    /// # Example
    /// `<think>Maybe {"a": 1}?</think>{"a": 2}` gives `{"a": 2}`.
    ///
    /// # Limits
    /// The opening tag may be missing, because some prompts hold it: then everything before the closing tag is reasoning.
    /// A tag inside brackets is text of the payload and is left alone, and so is one that fills a string or a code span: the text is about the tag.
    /// Where a block that is not closed begins a line, all that follows is reasoning; one within a line is searched like any other text.
    /// If there is nothing outside the reasoning, nothing is searched: a draft is never the answer.
    pub struct ReasoningBlock {
        name: "reasoning-block",
        locates: Regions,
        never_starts: "{",
        holds: ["<", "◁", "]"],
        usual: Nothing,
    }
}

/// Names of tags, which may carry a prefix, as in `<seed:think>`.
const NAMES: [&str; 14] = [
    "think",
    "thinking",
    "thought",
    "thoughts",
    "think_fast",
    "think_faster",
    "reasoning",
    "reflection",
    "scratchpad",
    "scratch_pad",
    "inner_monologue",
    "antThinking",
    "longcat_think",
    "ifm",
];

/// Marks of model families that write other ones: opening, closing.
const MARKS: [(&str, &str); 8] = [
    ("[THINK]", "[/THINK]"),
    ("◁think▷", "◁/think▷"),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|think:start|>", "<|think:end|>"),
    ("<|START_THINKING|>", "<|END_THINKING|>"),
    ("<|inner_prefix|>", "<|inner_suffix|>"),
    ("<|channel>thought", "<channel|>"),
    ("<|channel|>analysis<|message|>", "<|channel|>final<|message|>"),
];

impl LocateRule for ReasoningBlock {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        if region.starts_with("{") || region.starts_with("[") && !region.starts_with("[THINK]") {
            return;
        }
        let Some((first, outside)) = outside_thoughts(region) else { return };
        // A tag in a string, or between the brackets of a payload, is text of the payload.
        if brackets::is_inside_payload(region, first, &(first..first)) {
            return;
        }
        let has_bracket = |part: &&Range<usize>| region.strings_from(part.start).has_bracket_before(part.end);
        // What is nothing but thoughts holds no answer.
        let Some(answer) = outside.iter().rev().find(has_bracket).or(outside.last()) else { return found.rule_out() };
        found.push(answer.clone());
        if !region.wants_first_only() {
            let others = outside.iter().filter(|part| *part != answer).filter(has_bracket);
            others.for_each(|part| found.push_passed_over(part.clone()));
        }
    }
}

/// Where the first tag is, and the parts of the region outside the thoughts, blank ones left out; `None` if no block is closed.
fn outside_thoughts(region: &Region<'_>) -> Option<(usize, Vec<Range<usize>>)> {
    let (span, text) = (region.span(), region.text());
    let mut outside = Vec::new();
    let mut first = None;
    // Where the text outside started, and where the open block did.
    let mut from = span.start;
    let mut block = None;
    let mut has_closed = false;
    // Where the text from there on begins with a bracket, after blanks.
    let mut payload = None;
    let mut strings = region.strings_from(from);
    for start in region.places_of([b'<', b'[', "◁".as_bytes()[0]]) {
        let (before, rest) = text.split_at(start - span.start);
        let begins_mark = ["<", "[/", "[t", "[T", "◁"].iter().any(|mark| rest.starts_with(mark));
        if start < from || !begins_mark {
            continue;
        }
        if let Some(len) = closing(rest) {
            if is_quoted(before, &rest[len..]) {
                continue;
            }
            // After closed thoughts an answer may speak of the tag.
            let is_answer = block.is_none() && has_closed;
            if is_answer && (payload.is_some_and(|pos| pos < start) || strings.are_open_at(start)) {
                continue;
            }
            match block.take() {
                Some(opened) => outside.push(from..opened),
                // Its opening tag stood in the prompt: all before it was thought.
                None => outside.clear(),
            }
            from = start + len;
            has_closed = true;
            let rest = rest[len..].trim_start();
            payload = rest.starts_with(['{', '[']).then(|| span.end - rest.len());
            strings = region.strings_from(from);
        } else if let Some(len) = opening(rest).filter(|_| block.is_none()) {
            if is_quoted(before, &rest[len..]) || has_closed && strings.are_open_at(start) {
                continue;
            }
            block = Some(start);
        } else {
            continue;
        }
        first = first.or(Some(start));
    }
    let first = first?;
    match block {
        // Thoughts that begin a line and never end: all that follows is one. Elsewhere a tag may be spoken of.
        Some(opened) if begins_line(text, opened - span.start) => {
            has_closed = true;
            outside.push(from..opened);
        }
        _ => outside.push(from..span.end),
    }
    outside.retain(|part| !text[part.start - span.start..part.end - span.start].trim().is_empty());
    has_closed.then_some((first, outside))
}

/// Whether a tag fills a string or a code span: then somebody speaks of it.
fn is_quoted(before: &str, after: &str) -> bool {
    ['"', '`'].into_iter().any(|mark| before.ends_with(mark) && after.starts_with(mark))
}

/// The length of the closing tag that `text` starts with.
fn closing(text: &str) -> Option<usize> {
    let mark = MARKS.iter().find(|(_, close)| starts_with(text, close)).map(|(_, close)| close.len());
    mark.or_else(|| {
        let (name, _) = tag(text.strip_prefix("</")?)?;
        Some(name.len() + 3).filter(|len| text.get(..*len).is_some_and(|tag| tag.ends_with('>')))
    })
}

/// The length of the opening tag that `text` starts with, up to its attributes.
fn opening(text: &str) -> Option<usize> {
    let mark = MARKS.iter().find(|(open, _)| starts_with(text, open)).map(|(open, _)| open.len());
    mark.or_else(|| {
        let (name, next) = tag(text.strip_prefix('<')?)?;
        (next == '>' || next.is_whitespace()).then_some(1 + name.len() + next.len_utf8())
    })
}

/// The name of reasoning that `text` starts with, its prefix included, and the character after it.
fn tag(text: &str) -> Option<(&str, char)> {
    let len = text.find(|char: char| !(char.is_alphanumeric() || matches!(char, '_' | ':' | '|')))?;
    let (name, rest) = text.split_at(len);
    let (prefix, bare) = name.rsplit_once([':', '|']).unwrap_or(("", name));
    let is_known = NAMES.iter().any(|known| bare.eq_ignore_ascii_case(known)) && prefix.chars().count() <= 16;
    is_known.then_some((name, rest.chars().next()?))
}

fn starts_with(text: &str, mark: &str) -> bool {
    // The second byte tells most marks apart.
    let tells = |text: &str| text.as_bytes().get(1).map(u8::to_ascii_lowercase);
    tells(text) == tells(mark) && text.get(..mark.len()).is_some_and(|found| found.eq_ignore_ascii_case(mark))
}

#[cfg(test)]
jsonseam_testkit::laws!(ReasoningBlock);
