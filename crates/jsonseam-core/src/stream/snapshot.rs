//! The value of a stream so far.

use serde::de::DeserializeOwned;

use super::walk::Walk;
use crate::debug::debug_facts;

/// The value so far: what is settled, cut where it makes a value of its own, with its brackets closed.
///
/// A number, a literal and a key are in it once they are whole, a string as far as it came. A later snapshot extends an earlier one: strings grow,
/// arrays and objects get more at their end, nothing else changes. It is for showing; what is [`open`](Self::open) in it must not be taken for whole.
#[derive(Clone, Copy)]
pub struct Snapshot<'s> {
    walk: &'s Walk,
}

debug_facts!(Snapshot<'_>, |snapshot| settled: snapshot.walk.text.len());

impl<'s> Snapshot<'s> {
    pub(super) fn new(walk: &'s Walk) -> Self {
        Self { walk }
    }

    /// Whether a value has begun.
    pub fn has_begun(&self) -> bool {
        self.walk.has_begun()
    }

    /// Valid JSON; `null` before the value has begun. Costs a copy of what is settled.
    pub fn text(&self) -> String {
        self.walk.snapshot()
    }

    /// JSON Pointers to what is not whole, the outermost first: the open containers, and the string that is being written.
    pub fn open(&self) -> Vec<String> {
        self.walk.open()
    }

    /// The value, decoded.
    pub fn value<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.text())
    }
}
