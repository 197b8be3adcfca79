//! The value of a stream so far.

use serde::de::DeserializeOwned;

use super::walk::{Level, Path, Walk, whole_len};
use crate::derived::debug_facts;
use crate::reading::recognise::State;
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
        let Walk { text, state, heard, .. } = self.walk;
        let upto = |end: usize| text.get(..end).unwrap_or_default().to_owned();
        let mut text = if is_in_value(state) {
            let from = state.content_start;
            upto(from + whole_len(text.get(from..).unwrap_or_default())) + "\""
        } else {
            upto(heard.safe)
        };
        let closer = |level: &Level| if level.kind == Container::Object { '}' } else { ']' };
        text.extend(self.walk.open_levels().iter().rev().map(closer));
        if text.is_empty() { "null".to_owned() } else { text }
    }

    /// JSON Pointers to what is not whole, the outermost first: the open containers, and the string that is being written.
    pub fn open(&self) -> Vec<String> {
        let (Walk { text, state, .. }, levels) = (self.walk, self.walk.open_levels());
        let depths = 0..levels.len() + usize::from(is_in_value(state));
        depths.map(|depth| Path { levels: &levels[..depth], text }.to_string()).collect()
    }

    /// The value, decoded.
    pub fn value<T: DeserializeOwned>(&self) -> Result<T, serde_json::Error> {
        serde_json::from_str(&self.text())
    }
}

/// Whether a string that is a value is open.
const fn is_in_value(state: &State) -> bool {
    state.is_in_string() && !state.expects_key()
}
