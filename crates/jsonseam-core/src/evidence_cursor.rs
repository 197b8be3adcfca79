//! The way from the root of a contract to a fault: which place of the evidence each open container has.

use std::cell::RefCell;

use crate::evidence::Evidence;
use crate::journal::Journal;
use crate::trace::Frame;

/// Where in the evidence the open containers of a payload stand.
#[derive(Debug)]
pub(crate) struct EvidenceCursor<'e> {
    evidence: &'e Evidence,
    /// One for each open container, outermost first.
    levels: RefCell<Vec<Level>>,
}

#[derive(Debug, Clone, Copy)]
struct Level {
    is_object: bool,
    /// Where the key is that leads to the next level.
    key: Option<(usize, usize)>,
    place: Option<usize>,
}

impl<'e> EvidenceCursor<'e> {
    pub(crate) fn new(evidence: &'e Evidence) -> Self {
        Self { evidence, levels: RefCell::new(Vec::new()) }
    }

    /// Follows the recorder's frames. `containers` has one bit for each, the innermost lowest, set for an object.
    /// What has not changed since the last time is not read again. Returns how many bytes of keys were read.
    pub(crate) fn follow(&self, frames: &[Frame], containers: u128, source: &str, journal: &Journal) -> usize {
        let mut levels = self.levels.borrow_mut();
        let mut place = Some(0);
        let mut read = 0;
        for (index, frame) in frames.iter().enumerate() {
            let is_object = containers >> (frames.len() - 1 - index) & 1 == 1;
            let key = frame.key().filter(|_| is_object);
            let level = Level { is_object, key, place };
            let next = levels.get(index + 1).and_then(|next| next.place);
            let is_known = levels
                .get(index)
                .is_some_and(|known| known.is_object == is_object && known.key == key && known.place == place);
            if is_known && levels.len() > index + 1 {
                place = next;
                continue;
            }
            levels.truncate(index);
            levels.push(level);
            if index + 1 < frames.len() {
                place = place.and_then(|place| self.below(place, &level, source, journal, &mut read));
            }
        }
        levels.truncate(frames.len());
        read
    }

    /// The place that the key or index of a level leads to.
    fn below(&self, place: usize, level: &Level, source: &str, journal: &Journal, read: &mut usize) -> Option<usize> {
        if !level.is_object {
            return self.evidence.below(place, None);
        }
        let (start, end) = level.key?;
        if !self.evidence.could_declare(end - start) {
            return self.evidence.below_any_key(place);
        }
        let raw = journal.string_at(source, start..end)?;
        *read += raw.len();
        self.evidence.below(place, Some(&raw))
    }

    /// Forgets what it knows of keys that reach to `pos` or beyond: an edit may change them.
    pub(crate) fn forget_from(&self, pos: usize) {
        let mut levels = self.levels.borrow_mut();
        let kept = levels.iter().position(|level| level.key.is_some_and(|(_, end)| end >= pos));
        levels.truncate(kept.unwrap_or(usize::MAX));
    }

    /// Whether the innermost open object may have this key, spelled as JSON spells it.
    pub(crate) fn allows(&self, raw: &str) -> Option<bool> {
        let levels = self.levels.borrow();
        let place = levels.iter().rev().find(|level| level.is_object)?.place?;
        self.evidence.allows_spelled(place, raw)
    }
}
