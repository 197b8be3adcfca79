//! A bound on the bytes in flight.

use std::sync::{Condvar, Mutex, PoisonError};

/// Bytes that may be in flight between reader and writer.
#[derive(Debug)]
pub(super) struct Budget {
    most: usize,
    taken: Mutex<usize>,
    freed: Condvar,
}

impl Budget {
    /// A budget of `most` bytes.
    pub(super) fn new(most: usize) -> Self {
        Self { most, taken: Mutex::new(0), freed: Condvar::new() }
    }

    /// Waits until `cost` fits. What is larger than the whole budget waits until it is alone.
    pub(super) fn take(&self, cost: usize) {
        let taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        let is_full = |taken: &mut usize| *taken > 0 && taken.saturating_add(cost) > self.most;
        let mut taken = self.freed.wait_while(taken, is_full).unwrap_or_else(PoisonError::into_inner);
        *taken = taken.saturating_add(cost);
    }

    /// Gives `cost` back.
    pub(super) fn give_back(&self, cost: usize) {
        let mut taken = self.taken.lock().unwrap_or_else(PoisonError::into_inner);
        *taken = taken.saturating_sub(cost);
        self.freed.notify_all();
    }
}
