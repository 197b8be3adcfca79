//! Two rounds of edits as one: what a locator edited beforehand, and what the rules then repaired in the edited text.
//!
//! Law: applying the first journal and then the second gives what the composed journal gives.

use std::ops::Range;

use super::{Entry, Journal, narrow};
use crate::edits::risk::Risk;

/// Where the first journal's edits are in its source and in the text it made.
#[derive(Clone, Copy)]
struct Drift {
    /// After this place in the edited text …
    edited: usize,
    /// … and this place in the source, both go on in step.
    source: usize,
}

impl Drift {
    fn source_of(self, edited: usize) -> usize {
        self.source + (edited - self.edited)
    }
}

impl Journal {
    /// One journal over the source of `self` that does what `self` does and then `second`, whose source is `edited`:
    /// the text that `self` makes of `source` from `start` on.
    ///
    /// Edits of both that touch become one, unless the second takes back what the first did; the one of the riskier rule names the result.
    /// Time is linear in both journals and in what the merged edits replace.
    pub(crate) fn then(
        &self,
        second: &Self,
        source: &str,
        edited: &str,
        start: usize,
        risk: impl Fn(u16) -> Option<Risk>,
    ) -> Self {
        let mut composed = Self::default();
        let mut drift = Drift { edited: 0, source: start };
        let mut firsts = self.places(start).peekable();
        let mut seconds = second.entries.iter().peekable();
        loop {
            let next = seconds.peek().copied();
            if let Some((entry, place)) =
                firsts.next_if(|(_, place)| next.is_none_or(|next| place.end <= next.span().start))
            {
                composed.push(&entry, entry.span(), self.replacement(&entry));
                drift = Drift { edited: place.end, source: entry.span().end };
                continue;
            }
            let Some(next) = next else { return composed };
            let Range { start, end } = next.span();
            let Some((entry, place)) = firsts.peek().filter(|(_, place)| place.start < end) else {
                composed.push(next, drift.source_of(start)..drift.source_of(end), second.replacement(next));
                seconds.next();
                continue;
            };
            let from = if place.start <= start { entry.span().start } else { drift.source_of(start) };
            let mut cluster = Cluster::new(entry, place, next);
            let mut text = String::new();
            let mut pos = cluster.start;
            loop {
                if let Some((entry, place)) = firsts.next_if(|(_, place)| cluster.holds(place)) {
                    drift = Drift { edited: place.end, source: entry.span().end };
                    cluster.take(&entry, &place, &risk);
                } else if let Some(entry) = seconds.next_if(|entry| cluster.holds(&entry.span())) {
                    text.push_str(edited.get(pos..entry.span().start).unwrap_or_default());
                    text.push_str(second.replacement(entry));
                    pos = entry.span().end;
                    cluster.take(entry, &entry.span(), &risk);
                } else {
                    break;
                }
            }
            text.push_str(edited.get(pos..cluster.end).unwrap_or_default());
            let span = from..drift.source_of(cluster.end);
            if source.get(span.clone()) != Some(&*text) {
                composed.push(&cluster.named, span, &text);
            }
        }
    }

    /// The entries, each with the place of its replacement in the text that the journal makes of its source from `start` on.
    pub(crate) fn places(&self, start: usize) -> impl Iterator<Item = (Entry, Range<usize>)> {
        let mut drift = Drift { edited: 0, source: start };
        self.entries.iter().map(move |entry| {
            let span = entry.span();
            let from = drift.edited + (span.start - drift.source);
            drift = Drift { edited: from + self.replacement_len(entry), source: span.end };
            (*entry, from..drift.edited)
        })
    }

    /// The place in the source of the place `pos` in the text that the journal makes of it from `start` on.
    /// Inside a replacement: where the edit starts.
    pub(crate) fn source_of(&self, pos: usize, start: usize) -> usize {
        let mut drift = Drift { edited: 0, source: start };
        for (entry, place) in self.places(start) {
            if place.start > pos || place.start == pos && place.end > pos {
                break;
            }
            if place.end > pos {
                return entry.span().start;
            }
            drift = Drift { edited: place.end, source: entry.span().end };
        }
        drift.source_of(pos)
    }

    /// The same edits without those whose replacement starts at or after `end` in the text they make; `None` if one reaches across.
    pub(crate) fn up_to(&self, end: usize, start: usize) -> Option<Self> {
        let kept = self.places(start).take_while(|(_, place)| place.start < end).count();
        if self.places(start).take(kept).any(|(_, place)| place.end > end) {
            return None;
        }
        let mut journal = self.clone();
        journal.truncate(kept);
        Some(journal)
    }

    /// Adds an edit after all others.
    fn push(&mut self, named: &Entry, span: Range<usize>, text: &str) {
        let entry = Entry { start: narrow(span.start), end: narrow(span.end), text: self.text(text), ..*named };
        self.entries.push(entry);
    }
}

/// Edits of both rounds that touch, as a range of the edited text.
struct Cluster {
    /// The entry that gives the merged edit its rule.
    named: Entry,
    start: usize,
    end: usize,
}

impl Cluster {
    /// What two edits that touch span; it still has to take them.
    fn new(first: &Entry, place: &Range<usize>, second: &Entry) -> Self {
        let span = second.span();
        let named = second.marked_at_cut(first.at_cut());
        Self { named, start: place.start.min(span.start), end: place.end.max(span.end) }
    }

    /// Whether an edit at this place of the edited text belongs to it.
    fn holds(&self, place: &Range<usize>) -> bool {
        place.start < self.end
    }

    fn take(&mut self, entry: &Entry, place: &Range<usize>, risk: impl Fn(u16) -> Option<Risk>) {
        self.end = self.end.max(place.end);
        let at_cut = self.named.at_cut() || entry.at_cut();
        let named = if risk(entry.rule()) > risk(self.named.rule()) { *entry } else { self.named };
        self.named = named.marked_at_cut(at_cut);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::edits::edit::{Edit, Edits};

    /// Every journal of at most two edits over a text of `len` letters, with replacements of up to two letters.
    fn journals(len: usize, rule: u16, letters: [&'static str; 3]) -> Vec<Journal> {
        let mut edits = Vec::new();
        for start in 0..=len {
            for end in start..=len {
                for text in letters {
                    if start < end || !text.is_empty() {
                        edits.push(Edit::replace(start..end, text));
                    }
                }
            }
        }
        let journal = |group: &Edits| {
            let mut journal = Journal::default();
            journal.insert(0, group, rule, false, 0);
            journal
        };
        let mut journals = vec![Journal::default()];
        for first in &edits {
            journals.push(journal(&Edits::from(first.clone())));
            for second in edits.iter().filter(|second| second.span.start >= first.span.end) {
                journals.push(journal(&Edits::from(first.clone()).and(second.clone())));
            }
        }
        journals
    }

    #[test]
    fn applying_twice_is_applying_the_composed_journal() {
        let source = "-abc";
        for first in journals(3, 1, ["", "x", "yb"]) {
            // The payload starts after the first byte of the source.
            let first = shifted(&first);
            let edited = first.apply(source, 1..4);
            for second in journals(edited.len(), 2, ["", "b", "YZ"]) {
                let composed = first.then(&second, source, &edited, 1, |_| None);
                let twice = second.apply(&edited, 0..edited.len());
                assert_eq!(composed.apply(source, 1..4), twice, "{:?} then {:?}", first.entries, second.entries);
                let mut pos = 1;
                for entry in &composed.entries {
                    assert!(entry.span().start >= pos && entry.span().end <= 4, "sorted and disjoint");
                    pos = entry.span().end;
                }
            }
        }
    }

    fn shifted(journal: &Journal) -> Journal {
        let mut journal = journal.clone();
        for entry in &mut journal.entries {
            entry.start += 1;
            entry.end += 1;
        }
        journal
    }

    #[test]
    fn edits_that_do_not_touch_stay_apart_and_keep_their_rules() {
        let mut first = Journal::default();
        first.insert(0, &Edits::from([Edit::remove(1..2), Edit::replace(4..5, "x")]), 1, false, 0);
        let edited = first.apply("abcdefg", 0..7);
        let mut second = Journal::default();
        second.insert(0, &Edits::from([Edit::insert(2, "-"), Edit::replace(3..5, "y")]), 2, true, 0);
        let composed = first.then(&second, "abcdefg", &edited, 0, |rule| (rule == 2).then_some(Risk::Likely));
        let spans: Vec<_> = composed.entries.iter().map(|entry| (entry.span(), entry.rule(), entry.at_cut())).collect();
        assert_eq!(spans, [(1..2, 1, false), (3..3, 2, true), (4..6, 2, true)]);
        assert_eq!(composed.apply("abcdefg", 0..7), "ac-dyg");
    }

    #[test]
    fn a_place_in_the_edited_text_is_found_in_the_source() {
        let mut first = Journal::default();
        first.insert(0, &Edits::from([Edit::remove(1..2), Edit::replace(4..5, "xyz")]), 1, false, 0);
        // abcdefg becomes acdxyzfg.
        let found: Vec<_> = (0..=8).map(|pos| first.source_of(pos, 0)).collect();
        assert_eq!(found, [0, 2, 3, 4, 4, 4, 5, 6, 7]);
        assert_eq!(first.up_to(3, 0).map(|journal| journal.len()), Some(1));
        assert_eq!(first.up_to(4, 0).map(|journal| journal.len()), None);
    }
}
