//! Fenced code blocks: each row says which of them are searched.

use std::ops::Range;

use jsonseam_core::{Block, Candidates, Region, rule};

use crate::shared::brackets;

rule! {
    /// Narrows the completion to the fenced code block that holds the payload.
    ///
    /// # What
    /// The text does not start with `{` or `[`, and a fence (three or more back-ticks or tildes, indented by at most three blanks) opens at a line start.
    /// The first block tagged `json` (any case) is taken, else the first untagged one. A block that is not closed runs to the end.
    ///
    /// # Why
    /// Models show code this way, whether asked to or not: most completions that are not plain JSON are fenced.
    ///
    /// # Example
    /// `~~~json⏎{"a": 1}⏎~~~` gives `{"a": 1}` (⏎ is a newline).
    ///
    /// # Limits
    /// An untagged block without a bracket is passed over where a bracket is elsewhere.
    /// Blocks with another tag are passed over; if there are only such blocks, the whole text is searched.
    /// A block that is part of a payload before it (in a string, or between its brackets) is not taken;
    /// a whole one wins over brackets of the prose before it, balanced or not.
    /// Where brackets are open at the end of a block and the text continues after it as a payload would, the region runs to the end.
    /// When the policy asks for more than the first payload, all blocks of the preferred kind are regions;
    /// for `best`, the other blocks and the text between count where they fit the contract better.
    pub struct MarkdownFence {
        name: "markdown-fence",
        locates: Regions,
        never_starts: "{[",
        holds: ["`", "~"],
        usual: Fenced,
        locate: markdown_fence,
    }

    /// Narrows the completion to a fenced block that is tagged with a language other than JSON.
    ///
    /// # What
    /// The text does not start with `{` or `[`, and a fence opens at a line start with the tag `json5`, `jsonc`,
    /// `jsonl`, `hjson`, `javascript`, `js`, `typescript`, `ts`,
    /// `python`, `py`, `text` or `txt`, in any case. The first such block whose content starts with `{` or `[` is searched.
    ///
    /// # Why
    /// Models choose the tag by how the text looks: with comments `jsonc`, with single quotes `python`.
    ///
    /// # Example
    /// `From {x}:⏎~~~json5⏎{"a": 1}⏎~~~` gives `{"a": 1}` (⏎ is a newline).
    ///
    /// # Limits
    /// This rule is asked after `markdown-fence`, so a block tagged `json` or not tagged comes first.
    /// A block whose content starts with anything else is passed over.
    pub struct OtherLanguageFence {
        name: "other-language-fence",
        locates: Regions,
        never_starts: "{[",
        holds: ["`", "~"],
        usual: Nothing,
        locate: other_language_fence,
    }

    /// Narrows the completion to a fenced block that opens after text on its line.
    ///
    /// # What
    /// The text does not start with `{` or `[`, and a line of it ends in a fence, with a tag or without, and the text after that line starts with `{` or `[`.
    /// The block ends at the next line that is a bare fence, or where a line ends in one.
    ///
    /// # Why
    /// Models forget the newline before a fence, or write it into an item of a list.
    ///
    /// # Example
    /// `From {x}: ~~~json⏎{"a": 1}⏎~~~` gives `{"a": 1}` (⏎ is a newline).
    ///
    /// # Limits
    /// This rule is asked after the rules for fences at a line start. A line with an even number of runs holds inline code and opens no block.
    pub struct FenceAfterText {
        name: "fence-after-text",
        locates: Regions,
        never_starts: "{[",
        holds: ["`", "~"],
        usual: Nothing,
        locate: |region, found| brackets::push_bracketed_blocks(region, found, |block| block.is_after_text),
    }
}

fn markdown_fence(region: &Region<'_>, found: &mut Candidates) {
    let all = region.fenced_blocks();
    // Of a block that may hold JSON, whether it is tagged so: it is not tagged otherwise, and begins a line.
    let is_tagged = |block: &Block| {
        let tag = block.tag(region);
        let is_json = tag.eq_ignore_ascii_case("json");
        (!block.is_after_text && (is_json || tag.is_empty())).then_some(is_json)
    };
    let has_tagged = all.iter().any(|block| is_tagged(block) == Some(true));
    let has_bracket = |span: &Range<usize>| {
        ["{", "["].iter().any(|opener| region.find(opener, span.start).is_some_and(|pos| pos < span.end))
    };
    // An untagged block without a bracket holds no payload where a bracket is elsewhere (SPEC P2); members without their braces are one.
    let has_brackets = has_bracket(&region.span());
    let begins_with_member = |span: &Range<usize>| {
        let mut start = region.at(span.start);
        start.take_while(char::is_whitespace);
        start.key_end().is_some_and(|key| key.pos() < span.end && key.has_colon())
    };
    let may_hold = |block: &Block| !has_brackets || has_bracket(&block.body) || begins_with_member(&block.body);
    let is_preferred = |block: &&Block| is_tagged(block) == Some(has_tagged) && (has_tagged || may_hold(block));
    let Some(first) = all.iter().find(is_preferred) else { return };
    // A block inside a payload that began before it is part of a string there.
    if brackets::is_inside_payload(region, first.start, &first.body) {
        return;
    }
    let end = if goes_on_after(region, first) { region.span().end } else { first.body.end };
    found.push(first.body.start..end);
    if region.wants_first_only() {
        return;
    }
    let (preferred, others): (Vec<_>, Vec<_>) = all.iter().partition(is_preferred);
    preferred.into_iter().skip(1).for_each(|block| found.push(block.body.clone()));
    let (json, others): (Vec<_>, Vec<_>) = others.into_iter().partition(|block| is_tagged(block).is_some());
    json.into_iter().chain(others).for_each(|block| found.push_passed_over(block.body.clone()));
    brackets::pass_over_outside(region, all.iter().map(|block| block.start..block.body.end), found);
}

/// Whether the fence line that ends a block is one too many: brackets are open there, and a comma or a member follows it, perhaps after closers.
fn goes_on_after(region: &Region<'_>, block: &Block) -> bool {
    let mut next = region.at(block.body.end);
    next.take_while(char::is_whitespace);
    next.take_while(|char| matches!(char, '`' | '~'));
    next.take_while(char::is_whitespace);
    // The fence may open the next block at once.
    if next.eat("```") {
        next.take_while(|char| char != '\n');
    }
    // Closers alone add nothing to what the block holds.
    next.take_while(|char| char.is_whitespace() || matches!(char, '}' | ']'));
    let goes_on = next.starts_with(",") || next.starts_with("\"") && next.has_key();
    goes_on
        && brackets::is_bracketed(region, &block.body)
        && region.open_bracket_at(block.body.end).is_some_and(|opener| opener >= block.body.start)
}

const TAGS: [&str; 12] =
    ["json5", "jsonc", "jsonl", "hjson", "javascript", "js", "typescript", "ts", "python", "py", "text", "txt"];

fn other_language_fence(region: &Region<'_>, found: &mut Candidates) {
    let is_tagged = |tag: &str| TAGS.iter().any(|known| tag.eq_ignore_ascii_case(known));
    brackets::push_bracketed_blocks(region, found, |block| !block.is_after_text && is_tagged(block.tag(region)));
}

#[cfg(test)]
jsonseam_testkit::laws! {
    markdown_fence: MarkdownFence,
    other_language_fence: OtherLanguageFence,
    fence_after_text: FenceAfterText,
}
