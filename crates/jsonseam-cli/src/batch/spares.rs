//! Buffers that are used again: memory that goes back to the system comes from it again page by page.

use std::sync::{Mutex, PoisonError};

/// Buffers that no one uses for now.
#[derive(Debug)]
pub(super) struct Spares {
    /// How many are kept.
    most: usize,
    /// Bytes of the largest that is kept: what one long line took is given back.
    largest: usize,
    buffers: Mutex<Vec<Vec<u8>>>,
}

impl Spares {
    /// Keeps at most so many buffers, none of them larger than this.
    pub(super) fn new(most: usize, largest: usize) -> Self {
        Self { most, largest, buffers: Mutex::default() }
    }

    /// An empty buffer with room for so many bytes: no more, or the next one that is a little longer would have room for twice as many.
    pub(super) fn take(&self, len: usize) -> Vec<u8> {
        let mut buffer = self.buffers.lock().unwrap_or_else(PoisonError::into_inner).pop().unwrap_or_default();
        buffer.reserve_exact(len);
        buffer
    }

    /// Takes a buffer back.
    pub(super) fn give_back(&self, mut buffer: Vec<u8>) {
        buffer.clear();
        let mut buffers = self.buffers.lock().unwrap_or_else(PoisonError::into_inner);
        if buffer.capacity() <= self.largest && buffers.len() < self.most {
            buffers.push(buffer);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_buffer_comes_back_empty_unless_it_is_large_or_one_too_many() {
        let spares = Spares::new(1, 100);
        spares.give_back(Vec::with_capacity(1_000));
        assert!(spares.take(0).capacity() == 0);
        spares.give_back(vec![1; 60]);
        spares.give_back(vec![2; 70]);
        let buffer = spares.take(10);
        assert_eq!((buffer.len(), buffer.capacity()), (0, 60));
        assert_eq!(spares.take(0).capacity(), 0);
    }
}
