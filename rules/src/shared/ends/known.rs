//! What is known of the ends of one string: those that were found, and those that were weighed because somebody may want them.

use jsonseam_core::{Container, Fault};

use crate::shared::clues;

use super::end::{Doubtful, Doubts, End, Ending, Place};
use super::search::{NEAR, Progress, Search, window};
use super::view::{View, is_document};
use super::weigh::are_doubled;

/// How far the end of a string is looked for, in bytes: at first, and at most. Most strings end soon.
const WINDOW: usize = 512;
const MAX_WINDOW: usize = 8192;

/// How many swallowed members count at most.
const MOST_SWALLOWED: usize = 4;

/// What is known of the ends of one string.
#[derive(Clone)]
pub(super) struct Known {
    pub(super) string: Doubtful,
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
    /// Those that were weighed, each with which of those found it is.
    weighed: Vec<(usize, End)>,
}

impl Known {
    pub(super) fn new(fault: &Fault<'_>, string: Doubtful) -> Self {
        // Three quotes in a row are another way to open a string.
        let is_tripled = string.mark == '"' && fault.at(string.start).starts_with("\"\"");
        let text = if is_tripled { ("", false) } else { window(fault, string.start, WINDOW) };
        Self {
            string,
            text: text.0.into(),
            window: WINDOW,
            is_whole: text.1,
            is_ascii: text.0.is_ascii(),
            progress: Progress::default(),
            has_all: is_tripled,
            weighed: Vec::new(),
        }
    }

    /// Finds the ends that are wanted. `closed` is where the string was read to end, if it was.
    pub(super) fn look_for(&mut self, fault: &Fault<'_>, closed: Option<usize>, wants: &dyn Fn(Ending) -> bool) {
        // A key has no end without a mark after its first mark.
        let has_few = self.string.is_key && !wants(Ending::Mark);
        let first_mark = closed.map(|closed| closed - self.string.start).filter(|_| has_few);
        if !first_mark.is_some_and(|len| self.finds_marks_before(len)) {
            self.find_all(fault);
        }
    }

    /// Finds the ends at or before `pos`, and perhaps others.
    pub(super) fn look_up_to(&mut self, pos: usize, fault: &Fault<'_>) {
        let len = pos.saturating_sub(self.string.start);
        // A quote after nothing but structure tells of an end before it.
        let until = self.progress.runs.gap_end(len, self.text.as_bytes()) + 1;
        if self.is_near(until) && !self.has_all {
            self.search().run(until);
        } else {
            self.find_all(fault);
        }
    }

    /// The ends that were found, in the order of the text.
    pub(super) fn places(&self) -> &[Place] {
        &self.progress.found
    }

    /// Whether the `nth` end was found twice, and the other one is the cheaper, or is as cheap and was found first.
    pub(super) fn comes_again(&self, nth: usize) -> bool {
        let key = |nth: usize| (self.progress.found[nth].closers, nth);
        let is_there = |place: &Place| {
            (place.pos, place.ending) == (self.progress.found[nth].pos, self.progress.found[nth].ending)
        };
        (0..self.progress.found.len()).any(|other| is_there(&self.progress.found[other]) && key(other) < key(nth))
    }

    /// The least that the `nth` end costs, from the members that it would swallow.
    pub(super) fn least(&mut self, nth: usize) -> u32 {
        let (_, charged) = self.swallowed(nth);
        clues::SWALLOWED_MEMBER.cost().saturating_mul(u32::try_from(charged).unwrap_or(u32::MAX))
    }

    /// The `nth` end, weighed, and where the colons of the members are that the string may swallow, from the start of its content on.
    pub(super) fn end(&mut self, nth: usize) -> (&End, &[usize]) {
        let at = self.weighed_at(nth);
        (&self.weighed[at].1, self.progress.swallowed.known())
    }

    /// What the `nth` end leaves open.
    pub(super) fn doubts(&mut self, nth: usize) -> Doubts {
        let at = self.weighed_at(nth);
        let end = &self.weighed[at].1;
        let doubts = end.doubts.unwrap_or_else(|| {
            let (swallowed, _) = end.place.swallowed.unwrap_or_default();
            let inner = self.progress.inner.get(..end.inner).unwrap_or_default();
            let colons = self.progress.swallowed.known().get(..swallowed).unwrap_or_default();
            self.view().doubts(end, inner, colons)
        });
        self.weighed[at].1.doubts = Some(doubts);
        doubts
    }

    /// Where the `nth` end is among those that were weighed.
    fn weighed_at(&mut self, nth: usize) -> usize {
        let known = self.weighed.iter().position(|(known, _)| *known == nth);
        known.unwrap_or_else(|| {
            let end = self.weigh(nth);
            self.weighed.push((nth, end));
            self.weighed.len() - 1
        })
    }

    /// Whether all marks before the `nth` end are doubled.
    pub(super) fn has_doubled_marks(&self, nth: usize) -> bool {
        are_doubled(self.progress.marks_before(self.progress.found[nth].pos - self.string.start))
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
                self.weighed.clear();
            }
        }
    }

    /// Whether one of the first `len` bytes is a mark that nothing hides. Reads no further.
    fn finds_marks_before(&mut self, len: usize) -> bool {
        if self.is_near(len) && !self.has_all {
            self.search().run(len);
        }
        self.progress.inner.first().is_some_and(|&first| first < len)
    }

    /// Whether what follows the first `len` bytes is known too.
    fn is_near(&self, len: usize) -> bool {
        self.is_whole || len + NEAR <= self.text.len()
    }

    fn view(&self) -> View<'_> {
        View { string: self.string, text: &self.text, is_whole: self.is_whole, is_ascii: self.is_ascii }
    }

    fn search(&mut self) -> Search<'_> {
        let view = View { string: self.string, text: &self.text, is_whole: self.is_whole, is_ascii: self.is_ascii };
        Search { view, known: &mut self.progress }
    }

    /// Weighs the `nth` end, with the members that it would swallow.
    fn weigh(&mut self, nth: usize) -> End {
        let (_, charged) = self.swallowed(nth);
        let place = self.progress.found[nth];
        let len = place.pos - self.string.start;
        // Brackets and line breaks count where there is no mark, and where there are line breaks.
        if place.ending != Ending::Mark || place.has_raw_controls {
            self.progress.structure.move_to(len, self.text.as_bytes());
        }
        let mut end = self.view().weigh(&place, self.progress.marks_at(len));
        end.charge(clues::SWALLOWED_MEMBER, charged);
        end
    }

    /// How many members the `nth` end would swallow, and how many of them count.
    fn swallowed(&mut self, nth: usize) -> (usize, usize) {
        let place = self.progress.found[nth];
        let swallowed = place.swallowed.unwrap_or_else(|| self.find_swallowed(&place));
        self.progress.found[nth].swallowed = Some(swallowed);
        swallowed
    }

    fn find_swallowed(&mut self, place: &Place) -> (usize, usize) {
        let start = self.string.start;
        // A text that is a document itself swallows nothing.
        if is_document(&self.text[..place.pos - start]) {
            return (0, 0);
        }
        let after = place.after - start;
        self.progress.swallowed.read_to(after + 1, &self.text);
        let colons = self.progress.swallowed.known();
        let len = colons.iter().take_while(|&&colon| colon <= after).count();
        let charged = if self.holds_its_members(&colons[..len], place) { 0 } else { len };
        (len, charged.min(MOST_SWALLOWED))
    }

    /// Whether what looks like members, whose colons are at `colons`, belongs to a text that is whole with it: code and configuration in a value.
    /// Each is in braces that the text opens and closes, or is a line `key: value` of a text whose own key is in quotes.
    fn holds_its_members(&self, colons: &[usize], end: &Place) -> bool {
        // An odd mark is rather the one that opens the value of a member. Where some are escaped, those that are not have another reason.
        if colons.is_empty() || end.ending != Ending::Mark || self.string.container != Container::Object {
            return false;
        }
        let inner = self.progress.marks_before(end.pos - self.string.start).len();
        if inner == 0 || !inner.is_multiple_of(2) || end.hidden > 0 {
            return false;
        }
        let is_quoted = self.string.member.is_some_and(|member| member.is_quoted);
        let content = &self.text.as_bytes()[..end.pos - self.string.start];
        let mut colons = colons.iter().copied().peekable();
        let mut depth = 0_usize;
        for (at, byte) in content.iter().enumerate() {
            match byte {
                b'{' => depth += 1,
                b'}' if depth == 0 => return false,
                b'}' => depth -= 1,
                b':' if colons.next_if_eq(&at).is_some() => {
                    let is_bare = || self.text[..at].trim_ascii_end().ends_with(char::is_alphanumeric);
                    if depth == 0 && !(is_quoted && is_bare()) {
                        return false;
                    }
                }
                _ => {}
            }
        }
        depth == 0 && colons.peek().is_none()
    }
}
