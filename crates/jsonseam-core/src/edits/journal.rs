//! The edits made so far: compact records, one text arena, written out once at the end.
//!
//! Invariant: entries are disjoint and sorted by start; several at one place stand in the order in which they apply.

mod compose;

use std::ops::Range;

use super::edit::Edit;
use crate::derived::copied;

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

/// Most replacements are nothing, or one ASCII character: each is at the place of its code. At the place of the first one is nothing.
const SHORT: &str = "\0\u{1}\u{2}\u{3}\u{4}\u{5}\u{6}\u{7}\u{8}\t\n\u{b}\u{c}\r\u{e}\u{f}\u{10}\u{11}\u{12}\u{13}\u{14}\u{15}\u{16}\u{17}\u{18}\u{19}\u{1a}\
                     \u{1b}\u{1c}\u{1d}\u{1e}\u{1f} !\"#$%&'()*+,-./0123456789:;<=>?@ABCDEFGHIJKLMNOPQRSTUVWXYZ[\\]^_`abcdefghijklmnopqrstuvwxyz{|}~\u{7f}";

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
#[derive(Default, PartialEq, Eq)]
pub(crate) struct Journal {
    entries: Vec<Entry>,
    /// The replacements that are longer than one character, one after the other …
    arena: String,
    /// … and where each of them starts and the last one ends; empty if there are none.
    bounds: Vec<u32>,
}

copied! { Journal: entries, arena, bounds }

impl Journal {
    /// Takes back all entries but the first `len`.
    pub(crate) fn truncate(&mut self, len: usize) {
        self.entries.truncate(len);
    }

    /// The bytes of all replacements.
    pub(crate) fn inserted(&self) -> usize {
        self.entries.iter().map(|entry| self.replacement(entry).len()).sum()
    }

    /// Whether its replacements are beyond 4 GiB in all: their places are wrong then, and no result may be made of it.
    pub(crate) fn has_overflowed(&self) -> bool {
        u32::try_from(self.arena.len()).is_err() || u32::try_from(self.bounds.len() + SHORT.len()).is_err()
    }

    /// Marks the insertions at `pos`, where the text ends, as answers to a cut.
    pub(crate) fn mark_cut_at(&mut self, pos: usize) {
        self.entries
            .iter_mut()
            .rev()
            .take_while(|entry| entry.span() == (pos..pos))
            .for_each(|entry| *entry = entry.marked_at_cut(true));
    }

    /// Whether an edit answered a fault at the completion's end.
    pub(crate) fn has_cut(&self) -> bool {
        self.entries.iter().any(Entry::at_cut)
    }

    /// Forgets that one did.
    pub(crate) fn forget_cut(&mut self) {
        self.entries.iter_mut().for_each(|entry| *entry = entry.marked_at_cut(false));
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
        if let Some(number) = text.checked_sub(SHORT.len()) {
            let bound = |number: usize| self.bounds.get(number).map_or(0, |&bound| bound as usize);
            return self.arena.get(bound(number)..bound(number + 1)).unwrap_or_default();
        }
        if text == 0 { "" } else { &SHORT[text..=text] }
    }

    /// Keeps a replacement, and gives what the entry says for it.
    fn text(&mut self, replacement: &str) -> u32 {
        match replacement.as_bytes() {
            [] => 0,
            &[byte] if byte > 0 => u32::from(byte),
            _ => {
                if self.bounds.is_empty() {
                    self.bounds.reserve(32);
                    self.arena.reserve(64);
                    self.bounds.push(0);
                }
                self.arena.push_str(replacement);
                self.bounds.push(narrow(self.arena.len()));
                narrow(SHORT.len() + self.bounds.len() - 2)
            }
        }
    }

    /// The first entry from `sealed` on that does not end before `pos`: where an edit at `pos` belongs.
    #[inline]
    pub(crate) fn place_for(&self, pos: usize, sealed: usize) -> usize {
        let open = &self.entries[sealed..];
        // Most edits go to the end.
        if open.last().is_none_or(|last| last.end as usize <= pos) {
            return self.entries.len();
        }
        sealed + open.partition_point(|entry| entry.end as usize <= pos)
    }

    /// Inserts a group, each edit at its place after the first `sealed` entries.
    pub(crate) fn insert(&mut self, sealed: usize, edits: &[Edit], rule: u16, at_cut: bool, mut cost: u16) -> Inserted {
        if self.entries.capacity() == 0 {
            // A text with one edit has some more most often.
            self.entries.reserve(32);
        }
        let mut inserted = Inserted { next: sealed, moves: 0 };
        for edit in edits {
            let index = self.place_for(edit.span.start, inserted.next);
            let (start, end, text) = (narrow(edit.span.start), narrow(edit.span.end), self.text(&edit.replacement));
            let entry = Entry { start, end, text, rule, cost: std::mem::take(&mut cost) };
            inserted.moves += (self.entries.len() - index) as u64;
            self.entries.insert(index, entry.marked_at_cut(at_cut));
            inserted.next = index + 1;
        }
        inserted
    }

    /// Moves the first `len` entries to a journal of their own.
    pub(crate) fn split_off_front(&mut self, len: usize) -> Self {
        let mut rest = Self::default();
        rest.take(self, &self.entries[len..]);
        self.truncate(len);
        std::mem::replace(self, rest)
    }

    /// Copies these entries of `other` to the end.
    pub(crate) fn take(&mut self, other: &Self, entries: &[Entry]) {
        for entry in entries {
            let text = self.text(other.replacement(entry));
            self.entries.push(Entry { text, ..*entry });
        }
    }

    /// Enters those of one step that puts `replacement` in place of the byte at each of these places, which no entry touches.
    pub(crate) fn insert_between(&mut self, places: &[usize], replacement: &str, rule: u16, mut cost: u16) {
        let text = self.text(replacement);
        for &place in places {
            let (start, end) = (narrow(place), narrow(place + 1));
            self.entries.push(Entry { start, end, text, rule, cost: std::mem::take(&mut cost) });
        }
        jsonseam_text::sort_by_key(&mut self.entries, |entry| (entry.start, entry.end));
    }

    /// The text of `source[span]` with the edits applied.
    pub(crate) fn apply(&self, source: &str, span: Range<usize>) -> String {
        let mut output = String::new();
        self.apply_into(source, span, &mut output);
        output
    }

    /// The same, in place of what `output` holds.
    pub(crate) fn apply_into(&self, source: &str, span: Range<usize>, output: &mut String) {
        // No short replacement is longer than a byte. What was taken back is still in the arena, so this may be too much, but it is never too little.
        let most_inserted = self.arena.len() + self.entries.len();
        let removed: usize = self.entries.iter().map(|entry| entry.span().len()).sum();
        output.clear();
        output.reserve((span.len() + most_inserted).saturating_sub(removed));
        let mut pos = span.start;
        for entry in &self.entries {
            output.push_str(source.get(pos..entry.start as usize).unwrap_or_default());
            match u8::try_from(entry.text) {
                Ok(0) => {}
                Ok(code) if code.is_ascii() => output.push(char::from(code)),
                _ => output.push_str(self.replacement(entry)),
            }
            pos = entry.end as usize;
        }
        output.push_str(source.get(pos..span.end).unwrap_or_default());
    }
}

/// Offsets of the completion fit, as pipelines hold the input limit within 32 bits. Those of replacements may not: then the journal has overflowed.
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
        assert!(SHORT.bytes().eq(0..128));
    }

    #[test]
    fn every_replacement_comes_back() {
        let texts = ["", "\"", "null", "\u{7f}", "\u{80}", "", "\u{e9}", "\0", "ab", ","];
        let mut journal = Journal::default();
        for (text, pos) in texts.iter().zip(0..) {
            journal.insert(pos, &[Edit::replace(pos..pos + 1, *text)], 7, pos % 2 == 1, 5);
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
