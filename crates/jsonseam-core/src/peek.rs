//! The one tolerant look-ahead: it skips blanks and comments and knows every quote style.
//!
//! Rules read text ahead that other rules have not repaired yet.
//! They all ask here, so that one answer to "is a member next?" serves them all.
//! Every byte that an answer reads is counted.

mod evidence;
mod literals;
mod strings;
mod structure;

use std::cell::{Cell, RefCell};
use std::ops::Range;

use crate::evidence::Evidence;
use crate::evidence_cursor::EvidenceCursor;
use crate::memo::Memo;
use crate::scan::continues_word;

/// The text ahead, up to the region's end, and the count of what was read of it.
#[derive(Debug)]
pub(crate) struct Peek<'e> {
    source: &'e str,
    end: usize,
    examined: Cell<u64>,
    /// Latest answers of `find`: needle, where the search started, what it found.
    finds: RefCell<Vec<(&'static str, usize, Option<usize>)>>,
    /// What the contract says, if there is one.
    cursor: Option<EvidenceCursor<'e>>,
    /// Whether a rule asked for what only the ledger of a reading knows.
    pub(crate) wants_ledger: Cell<bool>,
    /// How many bytes may still be granted to far look-aheads.
    allowance: Cell<usize>,
    /// Whether an answer depended on where the region ends, since this was last forgotten.
    touched: Cell<bool>,
    memo: Memo,
}

impl<'e> Peek<'e> {
    pub(crate) fn new(source: &'e str, end: usize) -> Self {
        Self {
            source,
            end,
            examined: Cell::new(0),
            finds: RefCell::new(Vec::new()),
            cursor: None,
            wants_ledger: Cell::new(false),
            allowance: Cell::new(4 * source.len() + (16 << 10)),
            touched: Cell::new(false),
            memo: Memo::default(),
        }
    }

    /// The same, with what a contract allows.
    pub(crate) fn guided(source: &'e str, end: usize, evidence: Option<&'e Evidence>) -> Self {
        Self { cursor: evidence.map(EvidenceCursor::new), ..Self::new(source, end) }
    }

    pub(crate) fn cursor(&self) -> Option<&EvidenceCursor<'e>> {
        self.cursor.as_ref()
    }

    /// Grants up to `len` bytes of a far look-ahead. All of them together read 4 times the text and 16 KiB, or less if there is no room for that.
    pub(crate) fn allowance(&self, len: usize) -> usize {
        let granted = len.min(self.allowance.get());
        self.allowance.set(self.allowance.get() - granted);
        granted
    }

    /// Caps what may still be granted.
    pub(crate) fn cap_allowance(&self, most: usize) {
        self.allowance.set(self.allowance.get().min(most));
    }

    /// Forgets what holds of one reading only.
    pub(crate) fn switch_reading(&self) {
        if let Some(cursor) = &self.cursor {
            cursor.forget_from(0);
        }
    }

    pub(crate) fn examined(&self) -> u64 {
        self.examined.get()
    }

    pub(crate) fn charge(&self, bytes: usize) {
        self.examined.set(self.examined.get() + bytes as u64);
    }

    /// The text of `span`, all of which counts as read.
    pub(crate) fn slice(&self, span: Range<usize>) -> &'e str {
        self.charge(span.len());
        self.source.get(span).unwrap_or_default()
    }

    /// What is ahead of `pos`; reading it must be charged by the caller, and the end noted.
    pub(crate) fn ahead(&self, pos: usize) -> &'e str {
        self.source.get(pos..self.end).unwrap_or_default()
    }

    /// All that precedes `pos` in the completion; reading it must be charged by the caller.
    pub(crate) fn passed(&self, pos: usize) -> &'e str {
        self.source.get(..pos.min(self.end)).unwrap_or_default()
    }

    /// Where the region ends.
    pub(crate) fn end(&self) -> usize {
        self.end
    }

    /// Notes that an answer depends on where the region ends.
    pub(crate) fn touch(&self) {
        self.touched.set(true);
    }

    /// Whether an answer did since [`Peek::forget_touch`].
    pub(crate) fn has_touched_end(&self) -> bool {
        self.touched.get()
    }

    /// Called before a rule is asked, so that what it touches is its own.
    pub(crate) fn forget_touch(&self) {
        self.touched.set(false);
    }

    /// The remembered answer of type `T` for `pos`, or that of `find_out`, which is then remembered.
    pub(crate) fn memo<T: Clone + 'static>(&self, pos: usize, find_out: impl FnOnce() -> T) -> T {
        if let Some((touched, value)) = self.memo.get(pos) {
            self.charge(1);
            self.touched.set(self.touched.get() || touched);
            return value;
        }
        let touched_before = self.touched.replace(false);
        let value = find_out();
        self.memo.keep(pos, self.touched.get(), value.clone());
        self.touched.set(self.touched.get() || touched_before);
        value
    }

    pub(crate) fn char_at(&self, pos: usize) -> Option<char> {
        self.charge(1);
        self.ahead(pos).chars().next()
    }

    pub(crate) fn starts_with(&self, pos: usize, text: &str) -> bool {
        self.charge(text.len());
        self.ahead(pos).starts_with(text)
    }

    pub(crate) fn run_len(&self, pos: usize, belongs: impl Fn(char) -> bool) -> usize {
        let ahead = self.ahead(pos);
        let len = ahead.find(|char| !belongs(char)).unwrap_or(ahead.len());
        self.charge(len + 1);
        len
    }

    /// Where `needle` next starts, from `pos` on. A search that a former one covers is free.
    pub(crate) fn find(&self, needle: &'static str, pos: usize) -> Option<usize> {
        let mut finds = self.finds.borrow_mut();
        let known = finds.iter().position(|&(known, ..)| known == needle);
        if let Some(&(_, from, found)) = known.and_then(|index| finds.get(index))
            && from <= pos
            && found.is_none_or(|found| found >= pos)
        {
            self.charge(1);
            return found;
        }
        let found = memchr::memmem::find(self.ahead(pos).as_bytes(), needle.as_bytes()).map(|offset| pos + offset);
        self.charge(found.unwrap_or(self.end).saturating_sub(pos) + needle.len());
        let entry = (needle, pos, found);
        match known.and_then(|index| finds.get_mut(index)) {
            Some(slot) => *slot = entry,
            None => finds.push(entry),
        }
        found
    }

    pub(crate) fn word_at(&self, pos: usize) -> &'e str {
        let len = self.run_len(pos, continues_word);
        self.ahead(pos).get(..len).unwrap_or_default()
    }

    pub(crate) fn identifier_at(&self, pos: usize) -> Option<&'e str> {
        let starts = self.char_at(pos).is_some_and(|char| char.is_alphabetic() || matches!(char, '_' | '$'));
        if !starts {
            return None;
        }
        let len = self.run_len(pos, |char| char.is_alphanumeric() || matches!(char, '_' | '$'));
        self.ahead(pos).get(..len)
    }

    /// Where the comment at `pos` ends; `None` if there is none, or if it is not closed. `find` looks for the mark that ends it.
    pub(crate) fn comment_end(&self, pos: usize, find: impl Fn(&'static str, usize) -> Option<usize>) -> Option<usize> {
        let ahead = self.ahead(pos);
        if ahead.starts_with("/*") {
            find("*/", pos + 2).map(|end| end + 2)
        } else if ahead.starts_with("//") || ahead.starts_with('#') {
            Some(find("\n", pos).unwrap_or(self.end))
        } else {
            None
        }
    }

    /// The first position from `pos` on that holds neither blank nor comment.
    pub(crate) fn skip_blanks(&self, mut pos: usize) -> usize {
        loop {
            pos += self.run_len(pos, is_tolerated_blank);
            match self.comment_end(pos, |mark, from| self.find(mark, from)) {
                Some(after) => pos = after,
                None => return pos,
            }
        }
    }
}

/// White space of Unicode and the characters that show nothing.
pub(crate) fn is_tolerated_blank(char: char) -> bool {
    char.is_whitespace() || matches!(char, '\u{200B}'..='\u{200D}' | '\u{2060}' | '\u{FEFF}')
}
