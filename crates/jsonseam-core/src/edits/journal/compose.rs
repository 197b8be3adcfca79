//! Two rounds of edits as one: what a locator edited beforehand, and what the rules then repaired in the edited text.
//!
//! Law: applying the first journal and then the second gives what the composed journal gives.

use std::borrow::Cow;
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
    /// Edits of both that overlap become one, unless the second takes back what the first did; the one of the riskier rule names the result,
    /// and of equal ones that of the second round.
    /// Time is linear in both journals and in what the merged edits replace: each is in order, and sorting merges what is.
    pub(crate) fn then(
        &self,
        second: &Self,
        source: &str,
        edited: &str,
        start: usize,
        risk: impl Fn(u16) -> Option<Risk>,
    ) -> Self {
        let mut composed = Self::default();
        let firsts = self.places(start).map(|(entry, place)| (place, entry, false));
        let seconds = second.entries.iter().map(|entry| (entry.span(), *entry, true));
        let mut parts: Vec<_> = firsts.chain(seconds).collect();
        jsonseam_text::sort_by_key(&mut parts, |(place, ..)| (place.start, place.end));
        let mut parts = parts.into_iter();
        let mut drift = Drift { edited: 0, source: start };
        let mut next = parts.next();
        while let Some((place, ..)) = &next {
            // The edits from here on that overlap, as a range of the edited text; the last one of the highest risk names them.
            let (mut pos, mut end) = (place.start, place.start);
            let from = drift.source_of(pos);
            let (mut text, mut at_cut) = (Cow::Borrowed(""), false);
            let mut named: Option<(Entry, (Option<Risk>, bool))> = None;
            while let Some((place, entry, is_second)) = next.take_if(|(place, ..)| named.is_none() || place.start < end)
            {
                next = parts.next();
                end = end.max(place.end);
                at_cut |= entry.at_cut();
                if is_second {
                    text += edited.get(pos..place.start).unwrap_or_default();
                    text += second.replacement(&entry);
                    pos = place.end;
                } else {
                    drift = Drift { edited: place.end, source: entry.span().end };
                }
                let rank = (risk(entry.rule()), is_second);
                named = named.filter(|&(_, known)| rank <= known).or(Some((entry, rank)));
            }
            text += edited.get(pos..end).unwrap_or_default();
            let span = from..drift.source_of(end);
            if let Some((entry, _)) = named.filter(|_| source.get(span.clone()) != Some(&*text)) {
                let text = composed.text(&text);
                let (start, end) = (narrow(span.start), narrow(span.end));
                composed.entries.push(Entry { start, end, text, ..entry.marked_at_cut(at_cut) });
            }
        }
        composed
    }

    /// The entries, each with the place of its replacement in the text that the journal makes of its source from `start` on.
    pub(crate) fn places(&self, start: usize) -> impl Iterator<Item = (Entry, Range<usize>)> {
        let mut drift = Drift { edited: 0, source: start };
        self.entries.iter().map(move |entry| {
            let span = entry.span();
            let from = drift.edited + (span.start - drift.source);
            drift = Drift { edited: from + self.replacement(entry).len(), source: span.end };
            (*entry, from..drift.edited)
        })
    }

    /// The place in the source of the place `pos` in the text that the journal makes of it from `start` on.
    /// Inside a replacement: where the edit starts.
    pub(crate) fn source_of(&self, pos: usize, start: usize) -> usize {
        let mut drift = Drift { edited: 0, source: start };
        for (entry, place) in self.places(start) {
            if place.start > pos {
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
            journal.insert(0, group.all(), rule, false, 0);
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
        first.insert(0, &[Edit::remove(1..2), Edit::replace(4..5, "x")], 1, false, 0);
        let edited = first.apply("abcdefg", 0..7);
        let mut second = Journal::default();
        second.insert(0, &[Edit::insert(2, "-"), Edit::replace(3..5, "y")], 2, true, 0);
        let composed = first.then(&second, "abcdefg", &edited, 0, |rule| (rule == 2).then_some(Risk::Likely));
        let spans: Vec<_> = composed.entries.iter().map(|entry| (entry.span(), entry.rule(), entry.at_cut())).collect();
        assert_eq!(spans, [(1..2, 1, false), (3..3, 2, true), (4..6, 2, true)]);
        assert_eq!(composed.apply("abcdefg", 0..7), "ac-dyg");
    }

    #[test]
    fn a_place_in_the_edited_text_is_found_in_the_source() {
        let mut first = Journal::default();
        first.insert(0, &[Edit::remove(1..2), Edit::replace(4..5, "xyz")], 1, false, 0);
        // abcdefg becomes acdxyzfg.
        let found: Vec<_> = (0..=8).map(|pos| first.source_of(pos, 0)).collect();
        assert_eq!(found, [0, 2, 3, 4, 4, 4, 5, 6, 7]);
        assert_eq!(first.up_to(3, 0).map(|journal| journal.len()), Some(1));
        assert_eq!(first.up_to(4, 0).map(|journal| journal.len()), None);
    }
}
