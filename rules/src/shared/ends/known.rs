//! What is known of the ends of one string: those that were found, and those that were weighed because somebody may want them.

use jsonseam_core::{Clue, Edits, Fault, Proposals};

use crate::shared::clues;

use super::end::{Doubtful, Doubts, End, EndMark, Ending, Layout, MEMBER_IN_TEXT, SHARED_MARK, Weight};
use super::search::{NEAR, Progress, Search, window};
use super::view::View;

/// How far the end of a string is looked for, in bytes: at first, and at most. Most strings end soon.
const WINDOW: usize = 512;
const MAX_WINDOW: usize = 8192;

/// What is known of the ends of one string.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) string: Doubtful,
    layout: Option<Layout>,
    /// The text from the start of the content on, as far as it is looked at.
    text: Box<str>,
    /// How far that was to be, in bytes.
    window: usize,
    /// Whether the text ends where the region does.
    is_whole: bool,
    is_ascii: bool,
    progress: Progress,
    /// Whether all ends were found.
    has_all: bool,
}

impl Known {
    pub(super) fn new(fault: &Fault<'_>, string: Doubtful) -> Self {
        // Three quotes in a row are another way to open a string.
        let is_tripled = string.mark == '"' && fault.at(string.start).starts_with("\"\"");
        let text = if is_tripled { ("", false) } else { window(fault, string.start, WINDOW) };
        Self {
            string,
            layout: Layout::of(fault, string),
            text: text.0.into(),
            window: WINDOW,
            is_whole: text.1,
            is_ascii: text.0.is_ascii(),
            progress: Progress::default(),
            has_all: is_tripled,
        }
    }

    /// Finds the ends that are wanted, and perhaps others. `closed` is where the string was read to end; an open one ends at the fault or before it.
    pub(super) fn look_for(&mut self, fault: &Fault<'_>, closed: Option<usize>, wants: &dyn Fn(Ending) -> bool) {
        let until = match closed {
            // A quote after nothing but structure tells of an end before it.
            None => {
                let len = fault.pos().saturating_sub(self.string.start);
                // Every fault in a gap has the same end of it.
                if !self.progress.gap.contains(&len) {
                    let is_gap =
                        |byte: &&u8| matches!(byte, b'{' | b'}' | b'[' | b']' | b',' | b' ' | b'\t' | b'\r' | b'\n');
                    self.progress.gap = len..len + self.text.as_bytes().iter().skip(len).take_while(is_gap).count();
                }
                self.progress.gap.end + 1
            }
            // A key has no end without a mark after its first mark.
            Some(closed) if self.string.is_key && !wants(Ending::Mark) => closed - self.string.start,
            Some(_) => return self.find_all(fault),
        };
        // What follows what is read must be known too.
        let is_near = self.is_whole || until + NEAR <= self.text.len();
        if is_near && !self.has_all {
            self.search().run(until);
        }
        let has_all =
            if closed.is_none() { is_near } else { self.progress.inner.first().is_some_and(|&first| first < until) };
        if !has_all {
            self.find_all(fault);
        }
    }

    /// The ends that were found, in the order of the text.
    pub(super) fn ends(&self) -> &[End] {
        &self.progress.found
    }

    /// Whether the `nth` end was found twice, and the other one is the cheaper, or is as cheap and was found first.
    pub(super) fn comes_again(&self, nth: usize) -> bool {
        let end = self.ends()[nth];
        let is_again = |(other, known): (usize, &End)| {
            (known.pos, known.ending) == (end.pos, end.ending) && (known.closers, other) < (end.closers, nth)
        };
        self.ends().iter().enumerate().any(is_again)
    }

    /// The least that the `nth` end costs, from the members that it would swallow.
    pub(super) fn least(&self, nth: usize) -> u32 {
        clues::SWALLOWED_MEMBER.cost() * u32::try_from(self.ends()[nth].charged).unwrap_or(u32::MAX)
    }

    /// What the `nth` end costs in the text.
    pub(super) fn weight(&mut self, nth: usize) -> Weight {
        let end = &self.progress.found[nth];
        let weight = end.weight.unwrap_or_else(|| self.view().weigh(end, &self.progress.inner[..end.inner]));
        self.progress.found[nth].weight = Some(weight);
        weight
    }

    /// What speaks against the `nth` end at this fault, in hundredths.
    pub(super) fn cost_at(&mut self, nth: usize, fault: &Fault<'_>) -> u32 {
        let weight = self.weight(nth);
        weight.cost_at(fault, self.string.start, &self.progress.colons[..self.ends()[nth].members])
    }

    /// What the `nth` end leaves open.
    fn doubts(&mut self, nth: usize) -> Doubts {
        let end = &self.progress.found[nth];
        let doubts = end.doubts.unwrap_or_else(|| {
            self.view().doubts(end, &self.progress.inner[..end.inner], &self.progress.colons[..end.members])
        });
        self.progress.found[nth].doubts = Some(doubts);
        doubts
    }

    /// Offers what `edits` makes of the `nth` end and its mark, and charges it with all that speaks against that.
    /// Where a contract lists the keys, it decides what is a member, and that is no doubt any more.
    pub(super) fn offer(
        &mut self,
        nth: usize,
        fault: &Fault<'_>,
        to: &mut Proposals,
        edits: impl FnOnce(&End, EndMark) -> Option<Edits>,
    ) {
        let doubts = self.doubts(nth);
        let Some(edits) = edits(&self.ends()[nth], doubts.mark) else { return };
        let offer = to.offer(edits).clue(Clue::new(self.cost_at(nth, fault)));
        let is_decided = |doubt| matches!(doubt, MEMBER_IN_TEXT | SHARED_MARK) && fault.declares_key("").is_some();
        if let Some(doubt) = doubts.reading.filter(|doubt| !is_decided(*doubt)) {
            offer.doubt(doubt);
        }
    }

    /// Whether all marks before the `nth` end are doubled: they come in pairs without anything between, an even number of them.
    pub(super) fn has_doubled_marks(&self, nth: usize) -> bool {
        let marks = &self.progress.inner[..self.ends()[nth].inner];
        let is_double = |&[first, second]: &[usize; 2]| second == first + 1;
        marks.len().is_multiple_of(4) && !marks.is_empty() && marks.as_chunks().0.iter().all(is_double)
    }

    /// Looks in ever larger windows, until one holds an end and all that may be others.
    pub(super) fn find_all(&mut self, fault: &Fault<'_>) {
        while !self.has_all {
            let is_enough = self.search().run(usize::MAX);
            if is_enough || self.is_whole || self.window >= MAX_WINDOW || self.text.len() < self.window / 2 {
                self.has_all = true;
            } else {
                let (text, is_whole) = window(fault, self.string.start, MAX_WINDOW);
                (self.text, self.is_whole, self.window) = (text.into(), is_whole, MAX_WINDOW);
                self.is_ascii = text.is_ascii();
                self.progress = Progress::default();
            }
        }
    }

    fn view(&self) -> View<'_> {
        let Self { string, layout, is_whole, is_ascii, .. } = *self;
        View { string, layout, text: &self.text, is_whole, is_ascii }
    }

    fn search(&mut self) -> Search<'_> {
        let Self { string, layout, is_whole, is_ascii, .. } = *self;
        Search { view: View { string, layout, text: &self.text, is_whole, is_ascii }, known: &mut self.progress }
    }
}
