//! What a contract allows, place by place: the evidence that rules may weigh where two readings are plausible.
//!
//! Boundary: no schema is known here. Whoever knows one (the adapter) writes down which keys it allows.
//! Without evidence nothing is followed, and nothing allocated.

use std::borrow::Cow;
use std::collections::BTreeMap;

use jsonseam_text::Name;

pub use self::shape::{Kind, Shape};
use crate::reading::recognise::is_valid;

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

/// Which keys a contract allows in which objects, and what it says of values.
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
/// It changes no verdict: a repair that fits no contract is still a repair, and the contract is checked after it.
/// Rules that choose among readings ask [`Fault::declares_key`](crate::Fault::declares_key).
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Evidence {
    /// The place 0 is the root.
    places: Vec<Place>,
    /// Bytes of the longest declared name: a longer key is undeclared without being read.
    longest: usize,
}

#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Place {
    /// The declared keys, and the place of each one's value.
    keys: BTreeMap<String, Option<usize>>,
    any_key: Option<usize>,
    item: Option<usize>,
    list: List,
    shape: Option<Shape>,
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
        self.places.iter().all(|place| place.list == List::Unknown && place.shape.is_none())
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

    /// Values at `path` have this shape. Said again of the same place, the last one counts.
    #[must_use]
    pub fn shaped(mut self, path: &[Step<'_>], shape: Shape) -> Self {
        let place = self.place_at(path);
        self.places[place].shape = Some(shape);
        self
    }

    fn place_at(&mut self, path: &[Step<'_>]) -> usize {
        if self.places.is_empty() {
            self.places.push(Place::default());
        }
        path.iter().fold(0, |place, &step| self.step(place, step))
    }

    fn declare<'n>(mut self, path: &[Step<'_>], keys: impl IntoIterator<Item = &'n str>, list: List) -> Self {
        let place = self.place_at(path);
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
        from.keys.get(&*unescaped(raw)?).copied().unwrap_or(from.any_key)
    }

    /// The place of the value of any key of `place` that is not declared by name.
    pub(crate) fn below_any_key(&self, place: usize) -> Option<usize> {
        self.places.get(place)?.any_key
    }

    /// What is known of values at `place`.
    pub(crate) fn shape(&self, place: usize) -> Option<&Shape> {
        self.places.get(place)?.shape.as_ref()
    }

    /// Whether objects at `place` may have this key, spelled as JSON spells it; `None` when nothing is known.
    pub(crate) fn allows_spelled(&self, place: usize, raw: &str) -> Option<bool> {
        let place = self.places.get(place).filter(|place| place.list != List::Unknown)?;
        let is_declared = self.could_declare(raw.len()) && place.keys.contains_key(&*unescaped(raw)?);
        (is_declared || place.list == List::Closed).then_some(is_declared)
    }

    /// Whether a key spelled with this many bytes, its quotes included, could be a declared one: an escape takes at most six for one.
    pub(crate) fn could_declare(&self, raw_len: usize) -> bool {
        raw_len <= 6 * self.longest + 2
    }
}

/// The string that `raw` spells; `None` if it is not the content of a JSON string.
fn unescaped(raw: &str) -> Option<Cow<'_, str>> {
    if !raw.contains('\\') {
        return Some(Cow::Borrowed(raw));
    }
    let is_content = is_valid(format!("\"{raw}\"").as_bytes(), 0);
    Name::of(raw).as_str().filter(|_| is_content).map(|name| Cow::Owned(name.to_owned()))
}

mod shape;
#[cfg(test)]
mod tests;
