//! The edits made so far: compact records, one text arena, written out once at the end.
//!
//! Invariant: entries are disjoint and sorted by start; several at one place stand in the order in which they apply.

mod compose;

use std::borrow::Cow;
use std::ops::Range;

use crate::edit::{Edit, Edits};

/// One edit that was made, in 16 bytes: a text may have a million of them. Offsets are bytes of the completion; the input limit keeps them
/// within 32 bits.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Entry {
    start: u32,
    end: u32,
    /// What is there now: an ASCII character as it is, or the number of a text after them.
    text: u32,
    /// Index of the rule in the pipeline, and [`AT_CUT`].
    rule: u16,
    /// What the step cost that made it, in hundredths: the first edit of a group carries it.
    pub(crate) cost: u16,
}

/// The bit of `Entry::rule` that says that the edit answered a fault at the end of a region that nothing follows.
const AT_CUT: u16 = 1 << 15;

/// As many rules can be told apart in one pipeline.
pub(crate) const MOST_RULES: u16 = AT_CUT;

/// Most replacements are one of these characters, each at the place of its code; or nothing, which has the place of the first one.
const ASCII: &str = "\0\x01\x02\x03\x04\x05\x06\x07\x08\t\n\x0b\x0c\r\x0e\x0f\x10\x11\x12\x13\x14\x15\x16\x17\x18\x19\x1a\x1b\x1c\x1d\x1e\x1f !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~\x7f";

impl Entry {
    pub(crate) fn span(&self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// Index of the rule in the pipeline.
    pub(crate) fn rule(&self) -> u16 {
        self.rule & !AT_CUT
    }

    /// Whether the edit answered a fault at the end of a region that nothing follows.
    pub(crate) fn at_cut(&self) -> bool {
        self.rule & AT_CUT != 0
    }

    fn marked_at_cut(self, at_cut: bool) -> Self {
        Self { rule: self.rule() | if at_cut { AT_CUT } else { 0 }, ..self }
    }
}

/// Where a group went.
pub(crate) struct Inserted {
    /// The place after its last edit.
    pub(crate) next: usize,
    /// How many entries had to move.
    pub(crate) moves: u64,
}

/// The edits of one repair.
#[derive(Clone, Default, PartialEq, Eq)]
pub(crate) struct Journal {
    entries: Vec<Entry>,
    /// The replacements that are longer than one character, one after the other …
    arena: String,
    /// … and where each of them ends.
    ends: Vec<u32>,
}

impl Journal {
    /// Makes `room` a copy of this journal, in the memory that it has.
    pub(crate) fn copy_into(&self, room: &mut Self) {
        room.entries.clone_from(&self.entries);
        room.arena.clone_from(&self.arena);
        room.ends.clone_from(&self.ends);
    }

    /// Takes back all entries but the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.entries.truncate(len);
    }

    /// The bytes of all replacements.
    pub(crate) fn inserted(&self) -> usize {
        self.entries.iter().map(|entry| self.replacement(entry).len()).sum()
    }

    /// Marks the insertions at `pos`, where the text ends, as answers to a cut.
    pub(crate) fn mark_cut_at(&mut self, pos: usize) {
        self.entries
            .iter_mut()
            .rev()
            .take_while(|entry| entry.span() == (pos..pos))
            .for_each(|entry| *entry = entry.marked_at_cut(true));
    }

    pub(crate) fn len(&self) -> usize {
        self.entries.len()
    }

    pub(crate) fn entries(&self) -> &[Entry] {
        &self.entries
    }

    /// Whether this very edit is among the entries.
    pub(crate) fn has(&self, edit: &Edit) -> bool {
        self.entries.iter().any(|entry| entry.span() == edit.span && self.replacement(entry) == edit.replacement)
    }

    pub(crate) fn replacement(&self, entry: &Entry) -> &str {
        let text = entry.text as usize;
        if text == 0 {
            return "";
        }
        if let Some(character) = ASCII.get(text..=text) {
            return character;
        }
        let number = text - ASCII.len();
        let start = if number == 0 { 0 } else { self.ends.get(number - 1).map_or(usize::MAX, |&end| end as usize) };
        self.ends.get(number).and_then(|&end| self.arena.get(start..end as usize)).unwrap_or_default()
    }

    /// Keeps a replacement, and gives what the entry says for it.
    fn text(&mut self, replacement: &str) -> u32 {
        match replacement.as_bytes() {
            [] => 0,
            &[byte] if byte > 0 => u32::from(byte),
            _ => {
                self.arena.push_str(replacement);
                self.ends.push(narrow(self.arena.len()));
                narrow(ASCII.len() + self.ends.len() - 1)
            }
        }
    }

    /// The first entry from `sealed` on that does not end before `pos`: where an edit at `pos` belongs.
    pub(crate) fn place_for(&self, pos: usize, sealed: usize) -> usize {
        sealed + self.entries[sealed..].partition_point(|entry| entry.end as usize <= pos)
    }

    /// Inserts a group, each edit at its place after the first `sealed` entries.
    pub(crate) fn insert(&mut self, sealed: usize, edits: &Edits, rule: u16, at_cut: bool, cost: u16) -> Inserted {
        if self.entries.capacity() == 0 {
            // A text with one edit has some more most often.
            self.entries.reserve(32);
        }
        let mut inserted = Inserted { next: sealed, moves: 0 };
        let mut cost = cost;
        for edit in edits.iter() {
            let index = self.place_for(edit.span.start, inserted.next);
            let entry = Entry {
                start: narrow(edit.span.start),
                end: narrow(edit.span.end),
                text: self.text(&edit.replacement),
                rule,
                cost: std::mem::take(&mut cost),
            }
            .marked_at_cut(at_cut);
            inserted.moves += (self.entries.len() - index) as u64;
            // Most edits go to the end.
            if index == self.entries.len() {
                self.entries.push(entry);
            } else {
                self.entries.insert(index, entry);
            }
            inserted.next = index + 1;
        }
        inserted
    }

    /// Moves the first `len` entries to a journal of their own.
    pub(crate) fn split_off_front(&mut self, len: usize) -> Self {
        if len == self.entries.len() {
            let front = self.clone();
            self.entries.clear();
            self.arena.clear();
            self.ends.clear();
            return front;
        }
        let rest = Self::default().with(self, len..self.entries.len());
        let front = Self::default().with(self, 0..len);
        *self = rest;
        front
    }

    /// The same entries and those of `other` in `range`, which follow them.
    fn with(mut self, other: &Self, range: Range<usize>) -> Self {
        for entry in other.entries.get(range).unwrap_or_default() {
            let text = self.text(other.replacement(entry));
            self.entries.push(Entry { text, ..*entry });
        }
        self
    }

    /// The content of the string token that is at `span` of the source, edits included: some of its quotes may be insertions.
    pub(crate) fn string_at<'t>(&self, source: &'t str, span: Range<usize>) -> Option<Cow<'t, str>> {
        let first = self.entries.partition_point(|entry| (entry.end as usize) < span.start);
        let touching: Vec<_> =
            self.entries[first..].iter().take_while(|entry| entry.start as usize <= span.end).collect();
        let text = if touching.is_empty() {
            Cow::Borrowed(source.get(span)?)
        } else {
            let mut text = String::new();
            let mut pos = span.start;
            for entry in touching {
                text.push_str(source.get(pos..entry.start as usize).unwrap_or_default());
                text.push_str(self.replacement(entry));
                pos = pos.max(entry.end as usize);
            }
            text.push_str(source.get(pos..span.end).unwrap_or_default());
            Cow::Owned(text)
        };
        // Other edits may stand at the same place, so the last string of the text is the one.
        let mut quotes = text.rmatch_indices('"').map(|(at, _)| at).filter(|&at| {
            let before = text.as_bytes()[..at].iter().rev();
            before.take_while(|&&byte| byte == b'\\').count() % 2 == 0
        });
        let end = quotes.next()?;
        let start = quotes.next()? + 1;
        Some(match text {
            Cow::Borrowed(text) => Cow::Borrowed(text.get(start..end)?),
            Cow::Owned(text) => Cow::Owned(text.get(start..end)?.to_owned()),
        })
    }

    /// The text of `source[span]` with the edits applied.
    pub(crate) fn apply(&self, source: &str, span: Range<usize>) -> String {
        let mut output = String::new();
        self.apply_into(source, span, &mut output);
        output
    }

    /// The same, in place of what `output` holds.
    pub(crate) fn apply_into(&self, source: &str, span: Range<usize>, output: &mut String) {
        let inserted = self.inserted();
        let removed: usize = self.entries.iter().map(|entry| entry.span().len()).sum();
        output.clear();
        output.reserve((span.len() + inserted).saturating_sub(removed));
        let mut pos = span.start;
        for entry in &self.entries {
            output.push_str(source.get(pos..entry.start as usize).unwrap_or_default());
            output.push_str(self.replacement(entry));
            pos = entry.end as usize;
        }
        output.push_str(source.get(pos..span.end).unwrap_or_default());
    }
}

/// Several journals as one, each of which goes on where the one before it ends.
impl<'j> FromIterator<&'j Self> for Journal {
    fn from_iter<T: IntoIterator<Item = &'j Self>>(parts: T) -> Self {
        parts.into_iter().fold(Self::default(), |whole, part| whole.with(part, 0..part.entries.len()))
    }
}

/// Offsets fit: the configuration refuses an input limit beyond 32 bits, and replacements are bounded by it too.
fn narrow(offset: usize) -> u32 {
    u32::try_from(offset).unwrap_or(u32::MAX)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_entry_takes_sixteen_bytes() {
        assert_eq!(size_of::<Entry>(), 16);
    }

    #[test]
    fn the_characters_have_the_places_of_their_codes() {
        assert!(ASCII.bytes().eq(0..128));
    }

    #[test]
    fn every_replacement_comes_back() {
        let texts = ["", "\"", "null", "\u{7f}", "\u{80}", "", "\u{e9}", "\0", "ab", ","];
        let mut journal = Journal::default();
        for (text, pos) in texts.iter().zip(0..) {
            journal.insert(pos, &Edits::from(Edit::replace(pos..pos + 1, *text)), 7, pos % 2 == 1, 5);
        }
        let read: Vec<_> = journal.entries().iter().map(|entry| journal.replacement(entry)).collect();
        assert_eq!(read, texts);
        assert_eq!(journal.inserted(), texts.concat().len());
        assert!(journal.entries().iter().all(|entry| (entry.rule(), entry.cost) == (7, 5)));
        assert!(journal.entries().iter().zip(0..).all(|(entry, pos)| entry.at_cut() == (pos % 2 == 1)));

        let front = journal.split_off_front(4);
        let read = |journal: &Journal| journal.apply("0123456789", 0..10);
        assert_eq!((read(&front), read(&journal)), ("\"null\u{7f}456789".into(), "0123\u{80}\u{e9}\0ab,".into()));
    }
}
