//! What comes next in a text: the head of a call, the start or end of thoughts, the turn of another role, or something quoted.

use super::quoted::Ticks;
use super::regions::REGIONS;
use crate::cursor::Finder;
use crate::pack::Packs;
use crate::template::Template;

/// A mark that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// Thoughts may begin here.
    Thought,
    /// Thoughts that began before the text may end here.
    ThoughtEnd,
    /// Another role begins to speak.
    Turn,
    /// Another role begins to speak, if this begins a line.
    TurnLine,
    /// The head of a call.
    Head,
    /// A run of backticks, or of tildes that is a fence.
    Ticks,
    /// A region that quotes may begin.
    Region,
}

/// The marks of all packs, and where each is next. Every mark passes over the text once.
pub(super) struct Marks<'m> {
    text: &'m str,
    finder: &'m Finder<'m>,
    known: Vec<(&'m str, Mark)>,
    /// What quotes, if quotations are passed over.
    ticks: Option<&'m Ticks<'m>>,
    /// Where each mark is next; beyond the text for one that does not occur any more.
    next: Vec<usize>,
}

impl<'m> Marks<'m> {
    /// `tags` are the heads of calls that only the offered tools make.
    pub(super) fn new(
        text: &'m str,
        finder: &'m Finder<'m>,
        packs: &'m Packs,
        tags: &'m [String],
        ticks: Option<&'m Ticks<'m>>,
    ) -> Self {
        let marked = packs.formats.iter().filter(|format| !format.row.named_by_tool);
        let heads = marked.flat_map(|format| format.heads.iter().chain(&format.empties)).map(Template::anchor);
        let tags = tags.iter().map(String::as_str);
        let heads = heads.chain(tags).map(|head| (head, Mark::Head));
        let thoughts = packs.reasoning.iter().flat_map(|marks| {
            let ends = marks.close.iter().filter(|_| !marks.opened);
            let ends = ends.map(|close| (close.anchor(), Mark::ThoughtEnd));
            ends.chain([(marks.open.anchor(), Mark::Thought)])
        });
        let is_line = |mark: &&String| packs.turn_lines.contains(mark);
        let turns = packs.turns.iter().filter(|mark| !is_line(mark)).map(|mark| (mark.as_str(), Mark::Turn));
        let lines = packs.turn_lines.iter().map(|mark| (mark.as_str(), Mark::TurnLine));
        let regions = REGIONS.iter().map(|region| (region.open, Mark::Region));
        let mut marks: Vec<_> =
            thoughts.chain(heads).chain(turns).chain(lines).chain(regions.filter(|_| ticks.is_some())).collect();
        marks.sort_unstable();
        marks.dedup();
        let mut found = Self { text, finder, ticks, next: vec![0; marks.len()], known: marks };
        (0..found.known.len()).for_each(|index| found.search(index, 0));
        found
    }

    fn search(&mut self, index: usize, pos: usize) {
        let rest = self.text.as_bytes().get(pos..).unwrap_or_default();
        if let (Some((mark, _)), Some(next)) = (self.known.get(index), self.next.get_mut(index)) {
            let rest = if self.finder.may_occur(mark) { rest } else { &[] };
            let found = memchr::memmem::find(rest, mark.as_bytes());
            self.finder.charge(found.unwrap_or(rest.len()) + 1);
            *next = found.map_or(usize::MAX, |offset| pos + offset);
        }
    }

    /// The first mark from `pos` on, and where it is.
    pub(super) fn next_from(&mut self, pos: usize) -> Option<(usize, Mark)> {
        for index in 0..self.next.len() {
            if self.next.get(index).is_some_and(|&next| next < pos) {
                self.search(index, pos);
            }
        }
        let found = self.next.iter().zip(&self.known).map(|(&next, &(_, mark))| (next, mark));
        let quoted = self.ticks.and_then(|ticks| ticks.next_from(pos)).map(|next| (next, Mark::Ticks));
        found.filter(|&(next, _)| next < self.text.len()).chain(quoted).min()
    }
}
