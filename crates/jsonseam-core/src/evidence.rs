//! What a contract allows, place by place: the evidence that rules may weigh where two readings are plausible.
//!
//! Boundary: no schema is known here. Whoever knows one (the adapter) writes down which keys it allows.
//! Without evidence nothing is followed, and nothing allocated.

use std::borrow::Cow;
use std::cell::RefCell;
use std::collections::BTreeMap;

use jsonseam_text::Name;

use crate::journal::Journal;
use crate::recognise::validate;
use crate::trace::Frame;

/// One step of a path from the root of a contract to the objects it declares.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step<'s> {
    /// Into the value of this key.
    Key(&'s str),
    /// Into the value of any key that is not declared by name.
    AnyKey,
    /// Into any element of an array.
    Item,
}

/// Which keys a contract allows in which objects.
///
/// ```
/// use jsonseam_core::{Evidence, Step};
///
/// // {"name": …, "tags": [{"id": …, …}]}
/// let evidence = Evidence::new()
///     .closed(&[], ["name", "tags"])
///     .open(&[Step::Key("tags"), Step::Item], ["id"]);
/// assert!(!evidence.is_empty());
/// ```
///
/// It changes no verdict: a repair that fits no contract is still a repair, and the contract is checked behind it.
/// Rules that choose among readings ask [`Fault::declares_key`](crate::Fault::declares_key).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The place 0 is the root.
    places: Vec<Place>,
    /// Bytes of the longest declared name: a longer key need not be read to know that it is none.
    longest: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Place {
    /// The declared keys, and the place of each one's value.
    keys: BTreeMap<String, Option<usize>>,
    any_key: Option<usize>,
    item: Option<usize>,
    list: List,
}

/// What is known about the keys of a place.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
enum List {
    #[default]
    Unknown,
    Open,
    Closed,
}

impl Evidence {
    /// Evidence that says nothing yet.
    pub fn new() -> Self {
        Self::default()
    }

    /// Whether it says nothing.
    pub fn is_empty(&self) -> bool {
        self.places.iter().all(|place| place.list == List::Unknown)
    }

    /// Objects at `path` may have these keys and no others.
    ///
    /// Said again of the same place, the keys add up: alternatives allow what one of them allows.
    #[must_use]
    pub fn closed<'n>(self, path: &[Step<'_>], keys: impl IntoIterator<Item = &'n str>) -> Self {
        self.declare(path, keys, List::Closed)
    }

    /// Objects at `path` have these keys, and may have others. One such alternative leaves the list open.
    #[must_use]
    pub fn open<'n>(self, path: &[Step<'_>], keys: impl IntoIterator<Item = &'n str>) -> Self {
        self.declare(path, keys, List::Open)
    }

    fn declare<'n>(mut self, path: &[Step<'_>], keys: impl IntoIterator<Item = &'n str>, list: List) -> Self {
        if self.places.is_empty() {
            self.places.push(Place::default());
        }
        let place = path.iter().fold(0, |place, &step| self.step(place, step));
        for key in keys {
            self.longest = self.longest.max(key.len());
            self.places[place].keys.entry(key.to_owned()).or_insert(None);
        }
        let known = &mut self.places[place].list;
        *known = if *known == List::Open { List::Open } else { list };
        self
    }

    /// The place one step below, made if need be.
    fn step(&mut self, place: usize, step: Step<'_>) -> usize {
        let new = self.places.len();
        let from = &mut self.places[place];
        let slot = match step {
            Step::Key(name) => {
                self.longest = self.longest.max(name.len());
                from.keys.entry(name.to_owned()).or_insert(None)
            }
            Step::AnyKey => &mut from.any_key,
            Step::Item => &mut from.item,
        };
        let next = *slot.get_or_insert(new);
        if next == new {
            self.places.push(Place::default());
        }
        next
    }

    /// The place one step below `place`: of the value of this key, spelled as JSON spells it, or of any element.
    pub(crate) fn below(&self, place: usize, key: Option<&str>) -> Option<usize> {
        let from = self.places.get(place)?;
        let Some(raw) = key else { return from.item };
        if !self.could_declare(raw.len()) {
            return from.any_key;
        }
        from.keys.get(&*unescaped(raw)?).copied().unwrap_or(from.any_key)
    }

    /// Whether objects at `place` may have this key, spelled as JSON spells it; `None` when nothing is known.
    pub(crate) fn allows_spelled(&self, place: usize, raw: &str) -> Option<bool> {
        if !self.could_declare(raw.len()) {
            return (self.places.get(place)?.list == List::Closed).then_some(false);
        }
        self.allows(place, &unescaped(raw)?)
    }

    /// Whether objects at `place` may have the key `name`; `None` when nothing is known.
    fn allows(&self, place: usize, name: &str) -> Option<bool> {
        let place = self.places.get(place)?;
        match place.list {
            List::Unknown => None,
            _ if place.keys.contains_key(name) => Some(true),
            List::Open => None,
            List::Closed => Some(false),
        }
    }

    /// Whether a key spelled with this many bytes, its quotes included, could be a declared one: an escape takes at most six for one.
    fn could_declare(&self, raw_len: usize) -> bool {
        raw_len <= 6 * self.longest + 2
    }
}

/// Where in the evidence the open containers of a payload stand.
#[derive(Debug)]
pub(crate) struct Guide<'e> {
    evidence: &'e Evidence,
    /// One for each open container, outermost first.
    levels: RefCell<Vec<Level>>,
}

#[derive(Debug, Clone, Copy)]
struct Level {
    is_object: bool,
    /// Where the key stands that leads to the next level.
    key: Option<(usize, usize)>,
    place: Option<usize>,
}

impl<'e> Guide<'e> {
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
            return self.evidence.places.get(place)?.any_key;
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

/// The string that `raw` spells; `None` if it is not the content of a JSON string.
fn unescaped(raw: &str) -> Option<Cow<'_, str>> {
    if !raw.contains('\\') {
        return Some(Cow::Borrowed(raw));
    }
    validate(format!("\"{raw}\"").as_bytes(), 0).ok()?;
    Name::of(raw).as_str().map(|name| Cow::Owned(name.to_owned()))
}

#[cfg(test)]
mod tests;
