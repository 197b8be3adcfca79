//! What was found out about a payload, kept for the whole repair.

use std::any::{Any, TypeId};
use std::cell::{Cell, RefCell};
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// How many answers are kept. Beyond that all are dropped: they are found out again when they are asked for.
const MOST: usize = 4096;

type Map<K, V> = HashMap<K, V, BuildHasherDefault<Mixer>>;

/// Answers by their whole key. Each comes with whether finding it out touched the region's end.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// For each type of key and answer, a map of the one to the other.
    known: RefCell<Map<TypeId, Box<dyn Any>>>,
    len: Cell<usize>,
}

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
    /// The answer for this key, and whether it touched the end.
    pub(crate) fn get<K: Hash + Eq + 'static, T: Clone + 'static>(&self, key: &K) -> Option<(bool, T)> {
        let known = self.known.borrow();
        known.get(&TypeId::of::<(K, T)>())?.downcast_ref::<Map<K, (bool, T)>>()?.get(key).cloned()
    }

    pub(crate) fn keep<K: Hash + Eq + 'static, T: 'static>(&self, key: K, touched: bool, value: T) {
        let mut known = self.known.borrow_mut();
        if self.len.get() >= MOST {
            known.clear();
            self.len.set(0);
        }
        self.len.set(self.len.get() + 1);
        let answers = known.entry(TypeId::of::<(K, T)>()).or_insert_with(|| Box::new(Map::<K, (bool, T)>::default()));
        if let Some(answers) = answers.downcast_mut::<Map<K, (bool, T)>>() {
            answers.insert(key, (touched, value));
        }
    }
}
