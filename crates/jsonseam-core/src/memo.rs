//! What was found out about a place of the payload, kept for the whole repair.

use std::any::{Any, TypeId};
use std::cell::RefCell;

use rustc_hash::FxHashMap;

/// How many answers are kept. Beyond that all are dropped: they are found out again when they are asked for.
const MOST: usize = 4096;

/// Whether finding it out touched the region's end, and the answer.
type Answer = (bool, Box<dyn Any>);

/// Answers by their type and place.
#[derive(Debug, Default)]
pub(crate) struct Memo {
    /// Places are no text, so the hashes need no secret; without one, each run takes the same steps.
    known: RefCell<FxHashMap<(TypeId, usize), Answer>>,
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
