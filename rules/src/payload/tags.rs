//! Marks of a model around its answer: each row a kind of tag or token, and which text it leaves.

use std::ops::Range;

use jsonseam_core::{Ahead, Candidates, OpenStrings, Region, begins_line, rule};

use crate::shared::brackets;
use crate::shared::words::words;

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
        locate: reasoning_block,
    }

    /// Passes over control tokens that a server has left around the answer.
    ///
    /// # What
    /// The text starts or ends with control tokens: `</s>`, `<|im_end|>`, `<|eot_id|>`, `<|call|>`, `<end_of_turn>`, `[INST]` and others of the same forms,
    /// with the name of a role after a token that starts a turn. The text between them is searched.
    ///
    /// # Why
    /// Servers that decode special tokens write them into the text. The payload then ends before the text does:
    /// a fence after a token does not start its line, and a container that was left open is not closed at the region's end.
    ///
    /// # Example
    /// `<|im_start|>assistant {"a": 1}<|im_end|>` gives `{"a": 1}`.
    ///
    /// # Limits
    /// A token inside a string is text. At the end of the text it may be the last word of a truncated string, so it stays while a string is open.
    pub struct SpecialToken {
        name: "special-token",
        locates: Regions,
        starts: "<[",
        ends: ">]",
        usual: Nothing,
        locate: special_token,
    }

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
        locate: answer_tag,
    }
}

/// Names of tags, which may carry a prefix, as in `<seed:think>`.
const NAMES: [&str; 14] = words(
    "\
    think thinking thought thoughts think_fast think_faster reasoning reflection scratchpad scratch_pad \
    inner_monologue antThinking longcat_think ifm",
);

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

fn reasoning_block(region: &Region<'_>, found: &mut Candidates) {
    if region.starts_with("[") && !region.starts_with("[THINK]") {
        return;
    }
    if !["<", "◁", "K]", "k]"].iter().any(|mark| region.may_hold(mark)) {
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
            // After closed thoughts an answer may speak of the tag.
            let is_answer = block.is_none() && has_closed;
            let mut is_of_answer = || payload.is_some_and(|pos| pos < start) || strings.are_open_at(start);
            if is_quoted(before, &rest[len..]) || is_answer && is_of_answer() {
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
        Some(opened) if begins_line(text.as_bytes(), opened - span.start) => {
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

/// Tokens that are not spelled between `<|` and `|>`.
const TOKENS: [&str; 17] = words(
    "\
    <s> </s> <bos> <eos> <pad> <unk> <EOS> <EOT> <eom> <start_of_turn> <end_of_turn> [INST] [/INST] [EOS] \
    [TOOL_CALLS] <end_of_utterance> <end_of_text>",
);

/// Who speaks, after a token that starts a turn.
const ROLES: [&str; 3] = ["assistant", "model", "ipython"];

/// The longest name of a token between `<|` and `|>`, in bytes.
const LONGEST: usize = 40;

/// How far the longest token reaches with its marks, the role after it and one more character, in bytes.
const WIDEST: usize = LONGEST + "<\u{FF5C}\u{FF5C}>assistant".len() + char::MAX.len_utf8();

fn special_token(region: &Region<'_>, found: &mut Candidates) {
    let span = region.span();
    let (mut start, mut end) = (region.at(span.start), span.end);
    while let Some(len) = leading(head(start)) {
        start = start.after(len);
        start.take_while(char::is_whitespace);
    }
    let start = start.pos();
    while let Some(len) = trailing(region.at(end).before(WIDEST.min(end - start))) {
        end -= len;
        end = start.max(end - region.at(end).before_while(char::is_whitespace).len());
    }
    if end < span.end && region.is_string_open_at(end) {
        end = span.end;
    }
    if (start > span.start || end < span.end) && start < end {
        found.push(start..end);
    }
}

/// What comes next, as far as a token and a role reach.
fn head(mut next: Ahead<'_>) -> &str {
    let mut len = 0;
    next.take_while(|char| {
        len += char.len_utf8();
        len <= WIDEST
    })
}

/// The length of the token that `text` starts with, the role after it included.
fn leading(text: &str) -> Option<usize> {
    let len = TOKENS.iter().find(|token| text.starts_with(**token)).map(|token| token.len()).or_else(|| {
        BARS.iter().find_map(|(open, close)| {
            let (name, _) = text.strip_prefix(open)?.split_once(close)?;
            is_name(name).then_some(open.len() + name.len() + close.len())
        })
    })?;
    let rest = text.get(len..).unwrap_or_default();
    let role = ROLES.iter().find(|role| {
        rest.strip_prefix(**role).is_some_and(|rest| !rest.starts_with(|char: char| char.is_alphanumeric()))
    });
    Some(len + role.map_or(0, |role| role.len()))
}

/// The length of the token that `text` ends with.
fn trailing(text: &str) -> Option<usize> {
    TOKENS.iter().find(|token| text.ends_with(**token)).map(|token| token.len()).or_else(|| {
        BARS.iter().find_map(|(open, close)| {
            let (_, name) = text.strip_suffix(close)?.rsplit_once(open)?;
            is_name(name).then_some(open.len() + name.len() + close.len())
        })
    })
}

/// The marks around the name of a token; some models write full-width bars.
const BARS: [(&str, &str); 2] = [("<|", "|>"), ("<\u{FF5C}", "\u{FF5C}>")];

fn is_name(name: &str) -> bool {
    !name.is_empty()
        && name.len() <= LONGEST
        && name.chars().all(|char| char.is_alphanumeric() || matches!(char, '_' | '-' | '/' | '\u{2581}'))
}

const ANSWERS: [&str; 7] = ["answer", "final_answer", "final", "json", "output", "response", "result"];
const CALLS: [&str; 2] = ["function_call", "tool_call"];

fn answer_tag(region: &Region<'_>, found: &mut Candidates) {
    brackets::push_blocks(region, found, blocks(region).into_iter().map(|block| (block.start, block)).collect());
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
        let name = answer_name(rest);
        let Some(block) = &mut open else {
            let follows_call = || call_end.is_some_and(|end: usize| before[end - offset..].trim().is_empty());
            let counts =
                |name: &&str| !is_of_call(name) || begins_line(text.as_bytes(), start - offset) || follows_call();
            open = name.filter(counts).map(|name| Open::new(region, name, start));
            continue;
        };
        let is_end =
            rest.strip_prefix('/').and_then(answer_name).is_some_and(|found| found.eq_ignore_ascii_case(block.name));
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
fn answer_name(text: &str) -> Option<&str> {
    let len = text.bytes().take(16).position(|byte| byte == b'>')?;
    let name = text.get(..len)?;
    let is_known = ANSWERS.iter().any(|known| name.eq_ignore_ascii_case(known)) || is_of_call(name);
    is_known.then_some(name)
}

#[cfg(test)]
jsonseam_testkit::laws! {
    reasoning_block: ReasoningBlock,
    special_token: SpecialToken,
    answer_tag: AnswerTag,
}
