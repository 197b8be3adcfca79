//! `markdown-fence`: fenced code blocks.

use std::ops::Range;

use jsonseam_core::{Candidates, Line, Region, RepairRule, rule};

rule! {
    /// Narrows the completion to the fenced code block that holds the payload.
    ///
    /// # What
    /// The text does not start with `{` or `[`, and a fence (three or more back-ticks or tildes, indented by at most three blanks) opens at a line start.
    /// The first block tagged `json` (any case) is taken, else the first untagged one. A block that is not closed runs to the end.
    ///
    /// # Why
    /// It is how models show code, whether asked to or not: most completions that are not plain JSON are fenced.
    ///
    /// # Example
    /// `~~~json⏎{"a": 1}⏎~~~` gives `{"a": 1}` (⏎ is a newline).
    ///
    /// # Limits
    /// Blocks with another tag are passed over; if there are no others, the whole text is searched.
    /// When the policy asks for more than the first payload, all blocks of the preferred kind are regions.
    pub struct MarkdownFence {
        name: "markdown-fence",
        locates: Regions,
        cases: "markdown_fence.toml",
    }
}

impl RepairRule for MarkdownFence {
    fn locate(&self, region: &Region<'_>, found: &mut Candidates) {
        if region.starts_with("{") || region.starts_with("[") {
            return;
        }
        let mut blocks = blocks(region);
        // A block inside a bracket that opened before it is part of a string there, not the payload.
        if blocks.first().is_some_and(|block| region.is_bracket_open_at(block.start)) {
            blocks.clear();
        }
        let has_tagged = blocks.iter().any(|block| block.is_tagged);
        let preferred = blocks.into_iter().filter(|block| block.is_tagged == has_tagged);
        let wanted = if region.wants_first_only() { 1 } else { usize::MAX };
        preferred.take(wanted).for_each(|block| found.push(block.body));
    }
}

/// A block that is tagged `json`, or not tagged at all.
struct Block {
    is_tagged: bool,
    /// Where its opening line starts.
    start: usize,
    body: Range<usize>,
}

/// The run of back-ticks or tildes that a line starts with.
struct Fence {
    mark: char,
    len: usize,
    /// Where the run ends.
    end: usize,
}

impl Fence {
    fn at_start_of(line: &Line<'_>) -> Option<Self> {
        let text = line.text.trim_start_matches(' ');
        let indent = line.text.len() - text.len();
        let mark = text.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let len = text.len() - text.trim_start_matches(mark).len();
        (indent <= 3 && len >= 3).then_some(Self { mark, len, end: line.start + indent + len })
    }

    /// Whether a line of text ends in a run that opens a block, with or without a tag.
    fn ends(line: &Line<'_>) -> bool {
        let text = line.text.trim_end().trim_end_matches(|char: char| char.is_ascii_alphanumeric());
        // An even number of runs is code within the line, as in `` run ```make``` ``.
        ["```", "~~~"].iter().any(|run| text.ends_with(run) && text.matches(run).count() % 2 == 1)
    }

    /// Whether nothing stands behind the run: only such a line can close a block that opened behind text.
    fn is_bare(&self, line: &Line<'_>) -> bool {
        line.text.get(self.end - line.start..).is_some_and(|rest| rest.trim().is_empty())
    }

    fn closes(&self, opening: &Self) -> bool {
        self.mark == opening.mark && self.len >= opening.len
    }
}

/// All blocks that may hold JSON, in one pass over the lines.
///
/// A fence line inside a string does not close a block: models write raw newlines, and fenced code, into their strings.
/// If no fence stands outside strings, because the quotes do not add up, the first one closes the block after all.
fn blocks(region: &Region<'_>) -> Vec<Block> {
    let mut blocks = Vec::new();
    let mut open: Option<Open> = None;
    let mut is_open_behind_text = false;
    for line in region.lines(region.span().start) {
        let fence = Fence::at_start_of(&line);
        match (open.take(), fence) {
            (None, Some(fence)) if is_open_behind_text && fence.is_bare(&line) => is_open_behind_text = false,
            (None, Some(fence)) => open = Some(Open::new(fence, &line, region.span().end)),
            (Some(mut block), Some(fence)) if fence.closes(&block.fence) => {
                if block.is_in_string {
                    block.first_close = block.first_close.or(Some(line.start));
                    block.read(line.text);
                    open = Some(block);
                } else {
                    blocks.extend(block.closed_at(line.start));
                }
            }
            (Some(mut block), _) => {
                block.read(line.text);
                open = Some(block);
            }
            // A fence that opens behind text is none (SPEC P2), but the line that closes it must not open another.
            (None, None) if Fence::ends(&line) => is_open_behind_text = !is_open_behind_text,
            (None, None) => {}
        }
    }
    blocks.extend(open.and_then(|open| open.ended(region)));
    blocks
}

/// A block whose closing fence is still to come.
struct Open {
    fence: Fence,
    block: Option<Block>,
    /// Whether the double quotes so far leave a string open.
    is_in_string: bool,
    /// The first fence line that was passed over because it stood in a string.
    first_close: Option<usize>,
}

impl Open {
    fn new(fence: Fence, line: &Line<'_>, end: usize) -> Self {
        let block = opened(&fence, line, end);
        let mut open = Self { fence, block, is_in_string: false, first_close: None };
        if let Some(body) = open.block.as_ref().map(|block| block.body.start) {
            open.read(line.text.get(body - line.start..).unwrap_or_default());
        }
        open
    }

    fn read(&mut self, text: &str) {
        let mut is_escaped = false;
        for byte in text.bytes() {
            match byte {
                _ if is_escaped => is_escaped = false,
                b'\\' => is_escaped = self.is_in_string,
                b'"' => self.is_in_string = !self.is_in_string,
                _ => {}
            }
        }
    }

    fn closed_at(self, end: usize) -> Option<Block> {
        self.block.map(|block| Block { body: block.body.start..end, ..block })
    }

    /// The block at the region's end.
    fn ended(self, region: &Region<'_>) -> Option<Block> {
        match self.first_close {
            Some(end) if self.is_in_string => self.closed_at(end),
            _ => self.block.map(|block| Block { body: unclosed(region, &self.fence, block.body), ..block }),
        }
    }
}

/// The block that `fence` opens, if its tag allows it; its body may start on the same line.
fn opened(fence: &Fence, line: &Line<'_>, end: usize) -> Option<Block> {
    let info = line.text.get(fence.end - line.start..).unwrap_or_default();
    let start = fence.end + (info.len() - info.trim_start().len());
    let info = info.trim_start();
    let tag_len = info.find(|char: char| char.is_whitespace() || matches!(char, '{' | '[' | '"')).unwrap_or(info.len());
    let tag = info.get(..tag_len).unwrap_or_default();
    let is_tagged = tag.eq_ignore_ascii_case("json");
    (is_tagged || tag.is_empty()).then_some(Block { is_tagged, start: line.start, body: start + tag_len..end })
}

/// A block without a closing line may still be closed by a fence on the payload's last line, as in `` {"a": 1}``` ``.
/// Such a fence comes right after a closing bracket, and no more JSON comes after it.
fn unclosed(region: &Region<'_>, opening: &Fence, body: Range<usize>) -> Range<usize> {
    let fence: String = std::iter::repeat_n(opening.mark, opening.len).collect();
    let text = region.slice(body.clone());
    let Some((before, after)) = text.rsplit_once(&fence) else {
        return body;
    };
    let payload = before.trim_end_matches(opening.mark).trim_end();
    let closes = payload.ends_with(['}', ']']) && !after.contains(['"', '{', '}', '[', ']']);
    if closes { body.start..body.start + payload.len() } else { body }
}

#[cfg(test)]
jsonseam_testkit::laws!(MarkdownFence);
