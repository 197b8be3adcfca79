//! Fenced code blocks (`CommonMark` section 4.5), as models write them.

use std::ops::Range;

use super::quotes::OpenStrings;
use super::region::{Line, Region};
use super::seen::{Block, STEP};

impl<'r> Region<'r> {
    /// All fenced blocks, in one pass over the lines.
    ///
    /// A fence is a run of at least three back-ticks or tildes at a line's start, indented by at most three blanks;
    /// one after text on its line opens a block too,
    /// which is marked so. A block is closed by a run at least as long. A fence line inside a string does not close a block:
    /// models write raw newlines, and fenced code, into their strings. If no fence is outside strings, because the quotes do not add up,
    /// the first one closes the block after all. A block that is not closed runs to the end.
    ///
    /// ```
    /// use jsonseam_core::{Candidates, Region};
    ///
    /// fn json_blocks(region: &Region<'_>, found: &mut Candidates) {
    ///     region.fenced_blocks().into_iter().filter(|block| block.tag(region) == "json").for_each(|block| found.push(block.body));
    /// }
    /// ```
    pub fn fenced_blocks(&self) -> Vec<Block> {
        if !self.may_hold("`") && !self.may_hold("~") {
            return Vec::new();
        }
        let mut known = self.seen.blocks.borrow_mut();
        match &*known {
            Some((span, blocks)) if *span == self.span => blocks.clone(),
            _ => known.insert((self.span(), self.read_fences())).1.clone(),
        }
    }

    fn read_fences(&self) -> Vec<Block> {
        let region_end = self.span().end;
        let mut blocks = Vec::new();
        let mut open: Option<Open<'_>> = None;
        let mut after_text: Option<Block> = None;
        for line in self.fence_lines() {
            let fence = Fence::at_start_of(&line);
            match (&mut open, fence) {
                (None, Some(fence)) if after_text.is_some() && fence.is_bare(&line) => {
                    blocks.extend(after_text.take().map(|block| block.closed_at(line.start)));
                }
                (None, Some(fence)) => {
                    after_text = None;
                    open = Some(Open::new(self, fence, &line));
                }
                (Some(block), Some(fence)) if fence.closes(&block.fence) => {
                    let Some(end) = block.end_by(&fence, &line) else { continue };
                    blocks.push(block.block.clone().closed_at(end));
                    // If an earlier line closed the block, this one opens another.
                    open = (end < line.start).then(|| Open::new(self, fence, &line));
                }
                (Some(_), _) => {}
                (None, None) => match (Fence::ending(&line), after_text.take()) {
                    (Some((run, _)), Some(block)) => blocks.push(block.closed_at(run)),
                    (Some((_, tag)), None) => {
                        let body = (line.start + line.text.len() + 1).min(region_end)..region_end;
                        after_text = Some(Block { tag, start: line.start, body, is_after_text: true });
                    }
                    (None, block) => after_text = block,
                },
            }
        }
        blocks.extend(open.map(|open| open.ended(self)).or(after_text));
        blocks
    }

    /// The lines that hold a run of three or more back-ticks or tildes, found without looking at those between.
    fn fence_lines(&self) -> impl Iterator<Item = Line<'r>> {
        let text = self.completion.get(self.span()).unwrap_or_default();
        let bytes = text.as_bytes();
        // One search for the marks, and two in the strings of the blocks between them.
        self.read.charge(3 * bytes.len() / STEP);
        let mut pos = 0;
        std::iter::from_fn(move || {
            loop {
                let mark = pos + memchr::memchr2(b'`', b'~', bytes.get(pos..)?)?;
                pos = mark + 1;
                if is_fence_at(bytes, mark) {
                    let start =
                        bytes[..mark].iter().rposition(|&byte| byte == b'\n').map_or(0, |line_feed| line_feed + 1);
                    let end = memchr::memchr(b'\n', &bytes[pos..]).map_or(bytes.len(), |len| pos + len);
                    pos = end;
                    return Some(Line {
                        start: self.span.start + start,
                        text: text.get(start..end).unwrap_or_default(),
                    });
                }
            }
        })
    }
}

/// How many marks a fence has at least.
const FENCE: usize = 3;

/// Whether the marks of a fence are at `pos`.
pub(crate) fn is_fence_at(text: &[u8], pos: usize) -> bool {
    matches!(text.get(pos..pos + FENCE), Some(b"```" | b"~~~"))
}

/// Whether `text` ends with the fence and the tag of a block of JSON.
pub(crate) fn ends_with_json_fence(text: &[u8]) -> bool {
    let Some(tag) = text.len().checked_sub("json".len()) else { return false };
    text[tag..].eq_ignore_ascii_case(b"json") && tag.checked_sub(FENCE).is_some_and(|fence| is_fence_at(text, fence))
}

impl Block {
    /// The first word after the opening fence; empty if there is none, or if the content starts there.
    pub fn tag<'r>(&self, region: &Region<'r>) -> &'r str {
        region.completion.get(self.tag.clone()).unwrap_or_default()
    }

    fn closed_at(mut self, end: usize) -> Self {
        self.body.end = end.max(self.body.start);
        self
    }
}

/// The run of back-ticks or tildes that a line starts with.
pub(crate) struct Fence {
    mark: char,
    len: usize,
    /// Where the run ends.
    pub(crate) end: usize,
}

impl Fence {
    pub(crate) fn at_start_of(line: &Line<'_>) -> Option<Self> {
        let bytes = line.text.as_bytes();
        let indent = bytes.iter().position(|&byte| byte != b' ')?;
        let mark = bytes[indent];
        let len = bytes[indent..].iter().position(|&byte| byte != mark).unwrap_or(bytes.len() - indent);
        let is_fence = indent <= 3 && len >= FENCE && matches!(mark, b'`' | b'~');
        is_fence.then_some(Self { mark: char::from(mark), len, end: line.start + indent + len })
    }

    /// Where the run that a line of text ends in starts, and the tag after it.
    /// An even number of runs is code within the line, as in `` run ```make``` ``.
    fn ending(line: &Line<'_>) -> Option<(usize, Range<usize>)> {
        let text = line.text.trim_end();
        let before = text.trim_end_matches(char::is_alphanumeric);
        let run =
            ["```", "~~~"].into_iter().find(|run| before.ends_with(run) && before.matches(run).count() % 2 == 1)?;
        let mark = run.chars().next()?;
        let start = line.start + before.trim_end_matches(mark).len();
        Some((start, line.start + before.len()..line.start + text.len()))
    }

    /// Whether nothing follows the run: only such a line can close a block that opened after text.
    fn is_bare(&self, line: &Line<'_>) -> bool {
        line.text.get(self.end - line.start..).is_some_and(|rest| rest.trim().is_empty())
    }

    pub(crate) fn closes(&self, opening: &Self) -> bool {
        self.mark == opening.mark && self.len >= opening.len
    }
}

/// A block whose closing fence is still to come.
struct Open<'r> {
    fence: Fence,
    block: Block,
    strings: OpenStrings<'r>,
    /// The first fence line that was passed over because it is in a string.
    first_close: Option<usize>,
    /// How many blocks with a tag are open in that string.
    nested: usize,
    /// The last fence without a tag in that string, if their number is odd: in Markdown it closes the block.
    unpaired: Option<usize>,
}

impl<'r> Open<'r> {
    /// The block that `fence` opens; its content may start on the same line.
    fn new(region: &Region<'r>, fence: Fence, line: &Line<'_>) -> Self {
        let info = line.text.get(fence.end - line.start..).unwrap_or_default().trim_start();
        let is_content = |char: char| char.is_whitespace() || matches!(char, '{' | '[' | '"');
        let start = line.start + line.text.len() - info.len();
        let body = start + info.find(is_content).unwrap_or(info.len());
        let block = Block { tag: start..body, start: line.start, body: body..region.span.end, is_after_text: false };
        let strings = OpenStrings::new(region, body, true);
        Self { fence, block, strings, first_close: None, nested: 0, unpaired: None }
    }

    /// Where the block ends by what a fence line says: there, or at an earlier fence; `None` if the line belongs to a string of the block.
    /// In a string, code is fenced in pairs; a block tagged `json` after a fence without its pair
    /// shows that the string has lost its end, and that the block closed at that fence.
    fn end_by(&mut self, fence: &Fence, line: &Line<'_>) -> Option<usize> {
        if !self.strings.are_open_at(line.start) {
            return Some(line.start);
        }
        self.first_close = self.first_close.or(Some(line.start));
        let tag = line.text.get(fence.end - line.start..).unwrap_or_default().trim();
        match (tag.is_empty(), self.unpaired) {
            (false, Some(end)) if tag.eq_ignore_ascii_case("json") => return Some(end),
            (false, _) => self.nested += 1,
            (true, _) if self.nested > 0 => self.nested -= 1,
            (true, Some(_)) => self.unpaired = None,
            (true, None) => self.unpaired = Some(line.start),
        }
        None
    }

    /// The block at the region's end.
    fn ended(mut self, region: &Region<'_>) -> Block {
        match self.first_close {
            Some(end) if self.strings.are_open_at(region.span.end) => self.block.closed_at(end),
            _ => Block { body: unclosed(region, &self.fence, self.block.body.clone()), ..self.block },
        }
    }
}

/// A block without a closing line may still be closed by a fence on the payload's last line, as in `` {"a": 1}``` ``.
/// Such a fence comes right after a closing bracket, and no more JSON and no other fence come after it.
fn unclosed(region: &Region<'_>, opening: &Fence, body: Range<usize>) -> Range<usize> {
    let text = region.slice(body.clone());
    let payload = text.trim_end_matches(|char| !matches!(char, '"' | '{' | '}' | '[' | ']'));
    let after = text[payload.len()..].trim_start();
    let rest = after.trim_start_matches(opening.mark);
    let run = after.get(..opening.len).filter(|_| after.len() - rest.len() >= opening.len);
    let closes = payload.ends_with(['}', ']']) && run.is_some_and(|run| !rest.contains(run));
    if closes { body.start..body.start + payload.len() } else { body }
}
