//! What was found out about a payload, kept for the whole repair.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hash, Hasher};

/// How many answers are kept. Beyond that all are dropped: they are found out again when they are asked for.
const MOST: usize = 4096;

/// An answer with its key, and whether finding it out touched the region's end.
struct Answer<K, T> {
    key: K,
    touched: bool,
    value: T,
}

/// One map for all types of keys and answers, by the hash of both: each type of map would be code of its own.
type Map = HashMap<u64, Box<dyn Any>, BuildHasherDefault<Mixer>>;

/// Answers by their whole key.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// Of two keys with one hash the later one is kept.
    known: RefCell<Map>,
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
        let answer = known.get(&place_of::<K, T>(key))?.downcast_ref::<Answer<K, T>>()?;
        (answer.key == *key).then(|| (answer.touched, answer.value.clone()))
    }

    pub(crate) fn keep<K: Hash + Eq + 'static, T: 'static>(&self, key: K, touched: bool, value: T) {
        self.keep_at(place_of::<K, T>(&key), Box::new(Answer { key, touched, value }));
    }

    fn keep_at(&self, place: u64, answer: Box<dyn Any>) {
        let mut known = self.known.borrow_mut();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert(place, answer);
    }
}

fn place_of<K: Hash + 'static, T: 'static>(key: &K) -> u64 {
    let mut mixer = Mixer::default();
    TypeId::of::<Answer<K, T>>().hash(&mut mixer);
    key.hash(&mut mixer);
    mixer.0
}
