//! The value of a stream so far.

use serde::de::DeserializeOwned;

use super::walk::{Level, Path, Walk};
use crate::derived::debug_facts;
use crate::reading::token::Container;

/// The value so far: what is settled, cut where it makes a value of its own, with its brackets closed.
///
/// A number, a literal and a key are in it once they are whole, a string as far as it came. A later snapshot extends an earlier one: strings grow,
/// arrays and objects get more at their end, nothing else changes. It is for showing; what is [`open`](Self::open) in it must not be taken for whole.
#[derive(Clone, Copy)]
pub struct Snapshot<'s> {
    pub(super) walk: &'s Walk,
}

debug_facts!(Snapshot<'_>, |snapshot| settled: snapshot.walk.text.len());

impl Snapshot<'_> {
    /// Whether a value has begun.
    pub fn has_begun(&self) -> bool {
        self.walk.heard.safe > 0 || self.walk.state.is_in_string()
    }

    /// Valid JSON; `null` before the value has begun. Costs a copy of what is settled.
    pub fn text(&self) -> String {
        let upto = |end: usize| self.walk.text.get(..end).unwrap_or_default().to_owned();
        let mut text = match self.walk.open_value(0) {
            Some(value) => upto(value.end) + "\"",
            None => upto(self.walk.heard.safe),
        };
        let closer = |level: &Level| if level.kind == Container::Object { '}' } else { ']' };
        text.extend(self.walk.open_levels().iter().rev().map(closer));
        if text.is_empty() { "null".to_owned() } else { text }
    }

    /// JSON Pointers to what is not whole, the outermost first: the open containers, and the string that is being written.
    pub fn open(&self) -> Vec<String> {
        let levels = self.walk.open_levels();
        let depths = 0..levels.len() + usize::from(self.walk.open_value(0).is_some());
        depths.map(|depth| Path { levels: &levels[..depth], text: &self.walk.text }.to_string()).collect()
    }

    /// The value, decoded.
    pub fn value<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.text())
    }
}
