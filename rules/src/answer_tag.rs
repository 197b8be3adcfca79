//! `answer-tag`: an answer between tags.

use std::ops::Range;

use jsonseam_core::{Candidates, LocateRule, OpenStrings, Region, rule};

use crate::shared::brackets;
use crate::shared::layout::begins_line;

rule! {
    /// Narrows the completion to the answer between tags.
    ///
    /// # What
    /// The text does not start with `{` or `[`, and holds an opening tag `<answer>`, `<final_answer>`, `<final>`,
    /// `<json>`, `<output>`, `<response>` or `<result>`, or at the start of a line or right after another call `<function_call>` or `<tool_call>`,
    /// in any case, followed by a bracket. The text up to the closing tag is searched, or up to the end if there is no closing tag.
    ///
    /// # Why
    /// Prompts ask for the answer in such tags, because prose outside them can then be passed over.
    ///
    /// # Example
    /// `In {x} terms: <answer>{"a": 1}</answer>` gives `{"a": 1}`.
    ///
    /// # Limits
    /// A tag inside brackets is text of a payload. With the policy `first` the first block that holds a bracket counts, with any other all of them;
    /// for `best`, the text outside the tags counts where it fits the contract better.
    /// Which tool is called, and tags with attributes, belong to wrapper packs, and tags of reasoning to `reasoning-block`.
    pub struct AnswerTag {
        name: "answer-tag",
        locates: Regions,
        never_starts: "{[",
        holds: ["<"],
        usual: Nothing,
    }
}

const NAMES: [&str; 7] = ["answer", "final_answer", "final", "json", "output", "response", "result"];
const CALLS: [&str; 2] = ["function_call", "tool_call"];

impl LocateRule for AnswerTag {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        if region.starts_with("{") || region.starts_with("[") {
            return;
        }
        let mut blocks = blocks(region);
        if blocks.first().is_some_and(|block| brackets::is_inside_payload(region, block.start, block)) {
            return;
        }
        if region.wants_first_only() {
            blocks.truncate(1);
        }
        for block in &blocks {
            found.push(block.clone());
        }
        if !blocks.is_empty() {
            brackets::pass_over_outside(region, blocks.into_iter(), found);
        }
    }
}

/// The text between tags, if it holds a bracket.
fn blocks(region: &Region<'_>) -> Vec<Range<usize>> {
    let (offset, text) = (region.span().start, region.text());
    let mut blocks = Vec::new();
    let mut open: Option<Open<'_>> = None;
    // Where the last block of a call ended, with its closing tag: calls follow each other without a line end too.
    let mut call_end = None;
    for start in region.places_of([b'<'; 3]) {
        let (before, rest) = text.split_at(start - offset);
        let rest = &rest[1..];
        let name = tag(rest);
        let Some(block) = &mut open else {
            let follows_call = || call_end.is_some_and(|end: usize| before[end - offset..].trim().is_empty());
            let counts = |name: &&str| !is_of_call(name) || begins_line(text, start - offset) || follows_call();
            open = name.filter(counts).map(|name| Open::new(region, name, start));
            continue;
        };
        let is_end = rest.strip_prefix('/').and_then(tag).is_some_and(|found| found.eq_ignore_ascii_case(block.name));
        if is_end && block.strings.are_open_at(start) {
            block.end_in_string.get_or_insert(start);
        } else if is_end {
            blocks.push(block.from..start);
            call_end = is_of_call(block.name).then_some(start + block.name.len() + 3);
            open = None;
        } else if let (Some(end), Some(name)) = (block.end_in_string, name) {
            // The string was one that nothing ends.
            blocks.push(block.from..end);
            open = Some(Open::new(region, name, start));
        } else if name == Some(block.name) && !block.strings.has_bracket_before(start) {
            // The tag was a mention: the block starts at the next one that is not nested in a bracket.
            *block = Open::new(region, block.name, start);
        }
    }
    blocks.extend(open.map(|block| block.from..block.end_in_string.unwrap_or(region.span().end)));
    blocks.retain(|block| region.strings_from(block.start).has_bracket_before(block.end));
    blocks
}

/// Whether this is the tag of a call. Texts speak of these tags, so one counts only where it begins its line.
fn is_of_call(name: &str) -> bool {
    CALLS.iter().any(|known| name.eq_ignore_ascii_case(known))
}

/// A block whose closing tag is to come.
struct Open<'r> {
    name: &'r str,
    from: usize,
    /// The strings of the payload: a closing tag in one is text.
    strings: OpenStrings<'r>,
    /// Where the first one was that came in a string.
    end_in_string: Option<usize>,
}

impl<'r> Open<'r> {
    /// The block of the tag at `start`.
    fn new(region: &Region<'r>, name: &'r str, start: usize) -> Self {
        let from = start + name.len() + 2;
        Self { name, from, strings: region.strings_from(from), end_in_string: None }
    }
}

/// The name of the tag whose inside `text` starts with.
fn tag(text: &str) -> Option<&str> {
    let len = text.bytes().take(16).position(|byte| byte == b'>')?;
    let name = text.get(..len)?;
    let is_known = NAMES.iter().any(|known| name.eq_ignore_ascii_case(known)) || is_of_call(name);
    is_known.then_some(name)
}

#[cfg(test)]
jsonseam_testkit::laws!(AnswerTag);
