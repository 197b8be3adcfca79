//! What was found out about a place of the payload, kept for the whole repair.

use std::any::{Any, TypeId};
use std::cell::RefCell;
use std::collections::HashMap;
use std::hash::{BuildHasherDefault, Hasher};

/// How many answers are kept. Beyond that all are dropped: they are found out again when they are asked for.
const MOST: usize = 4096;

/// Whether finding it out touched the region's end, and the answer.
type Answer = (bool, Box<dyn Any>);

/// Answers by their type and place.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// Places are not text, so the hashes need no secret; without one, each run takes the same steps.
    known: RefCell<HashMap<(TypeId, usize), Answer, BuildHasherDefault<Mixer>>>,
}

/// Mixes a type and a place by an addition and a multiplication for each word, as `rustc-hash` does; it is too little for a dependency.
#[derive(Default)]
struct Mixer(u64);

impl Hasher for Mixer {
    fn write(&mut self, bytes: &[u8]) {
        for &byte in bytes {
            self.write_u64(byte.into());
        }
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
    /// The answer of this type for `pos`, and whether it touched the end.
    pub(crate) fn get<T: Clone + 'static>(&self, pos: usize) -> Option<(bool, T)> {
        let known = self.known.borrow();
        let (touched, value) = known.get(&(TypeId::of::<T>(), pos))?;
        Some((*touched, value.downcast_ref::<T>()?.clone()))
    }

    pub(crate) fn keep<T: Clone + 'static>(&self, pos: usize, touched: bool, value: T) {
        let mut known = self.known.borrow_mut();
        if known.len() >= MOST {
            known.clear();
        }
        known.insert((TypeId::of::<T>(), pos), (touched, Box::new(value)));
    }
}
