//! What comes next in a text: the head of a call, or the start or end of thoughts.

use crate::cursor::Finder;
use crate::pack::Packs;

/// A mark that was found.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    /// Thoughts begin here, between the marks of this index.
    Thought(usize),
    /// Thoughts that began before the text end behind this mark of this index.
    ThoughtEnd(usize),
    /// The head of a call.
    Head,
}

/// The marks of all packs, and where each stands next. Every mark passes over the text once.
pub(super) struct Marks<'m> {
    text: &'m str,
    finder: &'m Finder<'m>,
    known: Vec<(&'m str, Mark)>,
    /// Where each mark stands next; beyond the text for one that does not stand there any more.
    next: Vec<usize>,
}

impl<'m> Marks<'m> {
    pub(super) fn new(text: &'m str, finder: &'m Finder<'m>, packs: &'m Packs, with_thoughts: bool) -> Self {
        let heads = packs.formats.iter().flat_map(|format| &format.heads).map(|head| (head.anchor(), Mark::Head));
        let thoughts = packs.reasoning.iter().enumerate().filter(|_| with_thoughts).flat_map(|(index, marks)| {
            [(marks.open.as_str(), Mark::Thought(index)), (marks.close.as_str(), Mark::ThoughtEnd(index))]
        });
        let mut marks: Vec<_> = thoughts.chain(heads).collect();
        marks.sort_unstable();
        marks.dedup();
        let mut found = Self { text, finder, next: vec![0; marks.len()], known: marks };
        (0..found.known.len()).for_each(|index| found.search(index, 0));
        found
    }

    fn search(&mut self, index: usize, pos: usize) {
        let rest = self.text.as_bytes().get(pos..).unwrap_or_default();
        if let (Some((mark, _)), Some(next)) = (self.known.get(index), self.next.get_mut(index)) {
            let found = memchr::memmem::find(rest, mark.as_bytes());
            self.finder.charge(found.unwrap_or(rest.len()) + 1);
            *next = found.map_or(usize::MAX, |offset| pos + offset);
        }
    }

    /// The first mark from `pos` on, and where it stands.
    pub(super) fn next_from(&mut self, pos: usize) -> Option<(usize, Mark)> {
        for index in 0..self.next.len() {
            if self.next.get(index).is_some_and(|&next| next < pos) {
                self.search(index, pos);
            }
        }
        let found = self.next.iter().zip(&self.known).map(|(&next, &(_, mark))| (next, mark));
        found.filter(|&(next, _)| next < self.text.len()).min()
    }
}
