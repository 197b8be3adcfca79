//! The marks that a stream looks for, by their first byte: each place of the text is looked at once.

use crate::extract::Extractor;
use crate::extract::regions::REGIONS;
use crate::template::Template;

/// What a mark may begin. What comes first here counts first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Mark {
    Thought,
    ThoughtEnd,
    Turn,
    TurnLine,
    Head,
    /// A region that quotes may begin: which one.
    Region(usize),
    /// What is no content.
    Noise,
}

/// All marks of the packs.
#[derive(Debug)]
pub(super) struct Anchors {
    known: Vec<(String, Mark)>,
    by_first: Vec<Vec<usize>>,
}

/// What is at a place.
#[derive(Debug, Default)]
pub(super) struct Hits {
    /// Whether a mark may begin here that is not all there.
    pub(super) is_partial: bool,
    pub(super) marks: Vec<Mark>,
    /// How long the longest mark is that is no content.
    pub(super) noise: usize,
}

impl Anchors {
    pub(super) fn new(own: &Extractor) -> Self {
        let packs = &own.packs;
        let marked = packs.formats.iter().filter(|format| !format.row.named_by_tool);
        let heads = marked.flat_map(|format| format.heads.iter().chain(&format.empties));
        let mut known: Vec<_> = heads.map(|head| (head.anchor().to_owned(), Mark::Head)).collect();
        if packs.formats.iter().any(|format| format.row.named_by_tool) {
            known.extend(own.tools.tags().into_iter().map(|tag| (tag, Mark::Head)));
        }
        let owned = |template: &Template| template.anchor().to_owned();
        for marks in &packs.reasoning {
            known.push((owned(&marks.open), Mark::Thought));
            known.extend(marks.close.iter().filter(|_| !marks.opened).map(|close| (owned(close), Mark::ThoughtEnd)));
        }
        for turn in &packs.turns {
            let mark = if packs.turn_lines.contains(turn) { Mark::TurnLine } else { Mark::Turn };
            known.push((turn.clone(), mark));
        }
        let regions = REGIONS.iter().enumerate();
        known.extend(regions.map(|(index, region)| (region.open.to_owned(), Mark::Region(index))));
        known.extend(packs.noise.iter().map(|noise| (noise.clone(), Mark::Noise)));
        known.retain(|(mark, _)| !mark.is_empty());
        known.sort();
        known.dedup();
        let mut by_first = vec![Vec::new(); 256];
        for (index, (mark, _)) in known.iter().enumerate() {
            let first = mark.bytes().next().map_or(0, usize::from);
            if let Some(those) = by_first.get_mut(first) {
                those.push(index);
            }
        }
        Self { known, by_first }
    }

    fn beginning<'s>(&'s self, rest: &str) -> impl Iterator<Item = &'s (String, Mark)> + use<'s> {
        let first = rest.bytes().next().map_or(0, usize::from);
        let those = self.by_first.get(first).map(Vec::as_slice).unwrap_or_default();
        those.iter().filter_map(|&index| self.known.get(index))
    }

    /// What is at `pos`, the weightiest first.
    pub(super) fn at(&self, text: &str, pos: usize) -> Hits {
        let mut hits = Hits::default();
        let rest = text.get(pos..).unwrap_or_default();
        let may_be = |kind: &Mark| match kind {
            Mark::Region(index) => REGIONS.get(*index).is_some_and(|region| region.may_open(text, pos)),
            _ => true,
        };
        for (mark, kind) in self.beginning(rest) {
            if rest.starts_with(mark.as_str()) {
                if *kind == Mark::Noise {
                    hits.noise = hits.noise.max(mark.len());
                }
                hits.marks.push(*kind);
            } else if mark.starts_with(rest) && may_be(kind) {
                hits.is_partial = true;
            }
        }
        hits.marks.sort_unstable();
        hits
    }

    /// Whether the head of a call begins in `part`, or may begin at its end.
    pub(super) fn have_head_in(&self, part: &str) -> bool {
        part.char_indices().any(|(at, _)| {
            let rest = part.get(at..).unwrap_or_default();
            self.beginning(rest).any(|(mark, kind)| *kind == Mark::Head && rest.starts_with(mark.as_str()))
        })
    }
}
