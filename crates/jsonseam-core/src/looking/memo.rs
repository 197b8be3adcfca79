//! What was found out about a payload, kept for the whole repair.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

use crate::derived::debug_facts;

/// How many answers are kept. Beyond that all are dropped: they are found out again when they are asked for.
const MOST: usize = 4096;

/// An answer with its key, and whether finding it out touched the region's end.
#[derive(Clone)]
pub(crate) struct Answer<K, T> {
    pub(crate) key: K,
    pub(crate) touched: bool,
    pub(crate) value: T,
}

/// An answer of any type. A stream keeps them from piece to piece, on whichever thread these come.
type Kept = Box<dyn Any + Send>;

/// One map for all types of keys and answers, by the hash of both: each type of map would be code of its own.
type Map = HashMap<u64, Kept, BuildHasherDefault<Mixer>>;

/// Answers by their whole key.
#[derive(Default)]
pub(crate) struct Memo {
    /// Of two keys with one hash the later one is kept.
    known: RefCell<Map>,
    /// How to take back what was kept since the rules were last asked, if that may have to be done.
    changes: RefCell<Option<Vec<Change>>>,
}

/// What was there before an answer was kept.
enum Change {
    One(u64, Option<Kept>),
    All(Map),
}

debug_facts!(Memo, |memo| len: memo.known.borrow().len());

/// Mixes words by an addition and a multiplication for each, as `rustc-hash` does; it is too little for a dependency.
/// Keys are places and kinds, not text, so the hashes need no secret; without one, each run takes the same steps.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
    }

    fn write_u32(&mut self, word: u32) {
        self.write_u64(word.into());
    }

    fn write_u64(&mut self, word: u64) {
        self.0 = self.0.wrapping_add(word).wrapping_mul(0xF135_7AEA_2E62_A9C5);
    }

    fn write_usize(&mut self, word: usize) {
        self.write_u64(word as u64);
    }

    fn finish(&self) -> u64 {
        // The best mixed bits are the upper ones, and a table looks at the lower ones too.
        self.0.rotate_left(26)
    }
}

impl Memo {
    /// The answer for this key, which has this place, and whether it touched the end.
    pub(crate) fn get<K: Eq + 'static, T: Clone + 'static>(&self, place: u64, key: &K) -> Option<(bool, T)> {
        let known = self.known.borrow();
        let answer = known.get(&place)?.downcast_ref::<Answer<K, T>>()?;
        (answer.key == *key).then(|| (answer.touched, answer.value.clone()))
    }

    /// The same, lent out where it is: it is to be [kept](Self::keep) again.
    pub(crate) fn lend<K, T>(&self, place: u64, key: &K) -> Option<Box<Answer<K, T>>>
    where
        K: Eq + Clone + Send + 'static,
        T: Clone + Send + 'static,
    {
        let mut known = self.known.borrow_mut();
        let slot = known.get_mut(&place)?;
        slot.downcast_ref::<Answer<K, T>>().filter(|answer| answer.key == *key)?;
        let gone: Kept = Box::new(());
        let answer = std::mem::replace(slot, gone).downcast::<Answer<K, T>>().ok()?;
        self.note(|| Change::One(place, Some(answer.clone())));
        Some(answer)
    }

    /// Keeps an [`Answer`] that was lent, or is new, at the place of its key.
    pub(crate) fn keep(&self, place: u64, answer: Kept) {
        let mut known = self.known.borrow_mut();
        // What was lent left its place empty, and is noted already.
        if let Some(empty) = known.get_mut(&place).filter(|kept| kept.is::<()>()) {
            *empty = answer;
            return;
        }
        if known.len() >= MOST {
            let all = std::mem::take(&mut *known);
            self.note(|| Change::All(all));
        }
        let before = known.insert(place, answer);
        self.note(|| Change::One(place, before));
    }

    /// Notes a change that may have to be taken back: none has to be without the feature `stream`.
    fn note(&self, change: impl FnOnce() -> Change) {
        if let Some(changes) = self.changes.borrow_mut().as_mut().filter(|_| cfg!(feature = "stream")) {
            changes.push(change());
        }
    }

    /// From here on it can be [taken back](Self::take_back) what was kept.
    pub(crate) fn note_changes(&self) {
        self.changes.borrow_mut().get_or_insert_default().clear();
    }

    /// Forgets what was kept since changes were last noted.
    pub(crate) fn take_back(&self) {
        let Some(changes) = &mut *self.changes.borrow_mut() else { return };
        let mut known = self.known.borrow_mut();
        for change in changes.drain(..).rev() {
            match change {
                Change::One(place, Some(before)) => drop(known.insert(place, before)),
                Change::One(place, None) => drop(known.remove(&place)),
                Change::All(all) => *known = all,
            }
        }
    }
}

/// Where the answer for a key is kept.
pub(crate) fn place_of<K: Hash + 'static, T: 'static>(key: &K) -> u64 {
    let mut mixer = Mixer::default();
    TypeId::of::<Answer<K, T>>().hash(&mut mixer);
    key.hash(&mut mixer);
    mixer.0
}
