//! What rules look at, for the whole repair of a payload: its text, and what was found out about it.

use std::cell::Cell;
use std::hash::Hash;

use crate::ahead::CountedText;
use crate::memo::Memo;

/// The text ahead, up to the region's end, and what is remembered of it.
#[derive(Debug)]
pub(crate) struct Peek<'e> {
    pub(crate) text: CountedText<'e>,
    /// Whether a rule asked for what only the ledger of a reading knows.
    pub(crate) wants_ledger: Cell<bool>,
    /// How many bytes may still be granted to far look-aheads.
    allowance: Cell<usize>,
    memo: Memo,
}

impl<'e> Peek<'e> {
    /// The text of `source` up to `end`.
    pub(crate) fn new(source: &'e str, end: usize) -> Self {
        Self {
            text: text_to(source, end),
            wants_ledger: Cell::new(false),
            allowance: Cell::new(4 * source.len() + (16 << 10)),
            memo: Memo::default(),
        }
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

    pub(crate) fn examined(&self) -> u64 {
        self.text.examined()
    }

    pub(crate) fn charge(&self, bytes: usize) {
        self.text.charge(bytes);
    }

    /// Called before a rule is asked, so that what it touches is its own.
    pub(crate) fn forget_touch(&self) {
        self.text.note_touched(false);
    }

    /// The answer that is remembered for `key`, or that of `find_out`, which is then remembered.
    pub(crate) fn memo<K: Hash + Eq + 'static, T: Clone + 'static>(&self, key: K, find_out: impl FnOnce() -> T) -> T {
        if let Some((touched, value)) = self.memo.get(&key) {
            self.charge(1);
            self.text.note_touched(self.text.has_touched_end() || touched);
            return value;
        }
        let touched_before = self.text.note_touched(false);
        let value = find_out();
        let touched = self.text.note_touched(touched_before || self.text.has_touched_end());
        self.memo.keep(key, touched, value.clone());
        value
    }
}

/// What is to be read of `source` where a region ends at `end`.
pub(crate) fn text_to(source: &str, end: usize) -> CountedText<'_> {
    CountedText::new(source.get(..end).unwrap_or_default())
}
