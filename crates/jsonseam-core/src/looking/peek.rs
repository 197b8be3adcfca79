//! What rules look at, for the whole repair of a payload: its text, and what was found out about it.

use std::cell::Cell;
use std::hash::Hash;

use super::ahead::{CountedText, Finds};
use super::memo::{Answer, Memo, place_of};

/// The text ahead, up to the region's end, and what is remembered of it.
#[derive(Debug)]
pub(crate) struct Peek<'e> {
    pub(crate) text: CountedText<'e>,
    /// Whether a rule asked for what only the ledger of a reading knows.
    pub(crate) wants_ledger: Cell<bool>,
    /// Whether more text may come.
    is_open: bool,
    /// How many bytes may be granted to far look-aheads in all, and how many were.
    allowance: usize,
    granted: Cell<usize>,
    memo: Memo,
}

/// What outlives the text that is there: what was counted and found out, all of it whatever follows.
#[derive(Debug, Default)]
pub(crate) struct Memory {
    pub(crate) counted: Counted,
    memo: Memo,
}

/// How much was counted and found, up to when something was asked.
#[derive(Debug, Default)]
pub(crate) struct Counted {
    /// How many bytes were read.
    pub(crate) examined: u64,
    finds: Finds,
    granted: usize,
}

impl<'e> Peek<'e> {
    /// The text of `source` up to `end`, and what was found out when less of it was there. Far look-aheads are granted no more than `room`.
    pub(crate) fn resumed(source: &'e str, end: usize, is_open: bool, room: usize, memory: Memory) -> Self {
        let Memory { counted: Counted { examined, finds, granted }, memo } = memory;
        let text = text_to(source, end);
        text.go_on_from(examined, finds);
        Self {
            text,
            wants_ledger: Cell::new(false),
            is_open,
            allowance: room.min(4 * source.len() + (16 << 10)),
            granted: Cell::new(granted),
            memo,
        }
    }

    /// What is worth keeping until more text is there.
    pub(crate) fn into_memory(self) -> Memory {
        Memory { counted: self.counted(), memo: self.memo }
    }

    fn counted(&self) -> Counted {
        Counted { examined: self.text.examined(), finds: self.text.finds.borrow().clone(), granted: self.granted.get() }
    }

    /// Called before something is asked that may have to be taken back: only where more text may come.
    pub(crate) fn mark(&self) -> Counted {
        self.memo.note_changes();
        self.counted()
    }

    /// Takes back all that was counted and found out since. Returns how much was read.
    pub(crate) fn go_back(&self, Counted { examined, finds, granted }: Counted) -> u64 {
        let read = self.text.examined() - examined;
        self.memo.take_back();
        self.text.go_on_from(examined, finds);
        self.granted.set(granted);
        read
    }

    /// Grants up to `len` bytes of a far look-ahead. All of them together read 4 times the text and 16 KiB, or less if there is no room for that.
    pub(crate) fn allowance(&self, len: usize) -> usize {
        let granted = len.min(self.allowance.saturating_sub(self.granted.get()));
        if granted < len && self.is_open {
            // Of a longer text more is granted.
            self.text.touch();
        }
        self.granted.set(self.granted.get() + granted);
        granted
    }

    /// The answer that is remembered for `key`, or that of `find_out`, which is then remembered.
    pub(crate) fn memo<K, T>(&self, key: K, find_out: impl FnOnce() -> T) -> T
    where
        K: Hash + Eq + Send + 'static,
        T: Clone + Send + 'static,
    {
        let place = place_of::<K, T>(&key);
        if let Some((touched, value)) = self.memo.get(place, &key) {
            self.text.charge(1);
            self.text.note_touched(self.text.has_touched_end() || touched);
            return value;
        }
        let touched_before = self.text.note_touched(false);
        let value = find_out();
        let touched = self.text.note_touched(touched_before || self.text.has_touched_end());
        self.memo.keep(place, Box::new(Answer { key, touched, value: value.clone() }));
        value
    }

    /// What `ask` says of the value that is remembered for `key`, or of that of `begin`. It is remembered as `ask` leaves it.
    pub(crate) fn memo_with<K, T, R>(&self, key: K, begin: impl FnOnce() -> T, ask: impl FnOnce(&mut T) -> R) -> R
    where
        K: Hash + Eq + Clone + Send + 'static,
        T: Clone + Send + 'static,
    {
        let touched_before = self.text.note_touched(false);
        let place = place_of::<K, T>(&key);
        let known = self.memo.lend(place, &key);
        self.text.charge(usize::from(known.is_some()));
        let mut answer = known.unwrap_or_else(|| Box::new(Answer { key, touched: false, value: begin() }));
        let said = ask(&mut answer.value);
        answer.touched |= self.text.has_touched_end();
        self.text.note_touched(touched_before || answer.touched);
        self.memo.keep(place, answer);
        said
    }
}

/// What is to be read of `source` where a region ends at `end`.
pub(crate) fn text_to(source: &str, end: usize) -> CountedText<'_> {
    CountedText::new(source.get(..end).unwrap_or_default())
}
