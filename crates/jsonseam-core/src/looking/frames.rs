//! The open containers of a reading, each with all that is known of it: one stack for the grammar, the keys, the layout and the contract.

use std::ops::Range;
use std::sync::Arc;

use super::evidence::{Evidence, Shape};
use super::layout::Layout;
use crate::derived::copied;
use crate::reading::token::Container;

/// How many keys of one object are remembered.
pub(crate) const KEYS: usize = 64;

/// One open container.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    pub(crate) kind: Container,
    /// Where it opens.
    pub(crate) opened: usize,
    /// Where its latest key is, quotes included.
    pub(crate) key: Option<(u32, u32)>,
    /// Its place in the contract.
    place: Option<usize>,
    /// How far the line is indented on which it opens.
    pub(crate) line: Option<u32>,
    /// How far its members or elements are indented that begin a line.
    pub(crate) member: Option<u32>,
    /// Whether one of its keys has come twice.
    pub(crate) repeats: bool,
    /// How many keys it has so far, and the hashes of the first ones; 0 where there is none.
    count: u8,
    few: [u64; FEW],
}

/// How many keys an object may have before a list of its own holds them.
const FEW: usize = 4;

/// The hashes of all keys of an object that has many. Copies of a reading share the list until one of them reads another key.
type Many = Arc<Vec<u64>>;

/// A container that was closed, as it was then.
#[derive(Debug, Clone)]
pub(crate) struct Closed {
    pub(crate) frame: Frame,
    many: Option<Many>,
}

impl Frame {
    const fn plain(kind: Container, opened: usize) -> Self {
        Self { kind, opened, key: None, place: None, line: None, member: None, repeats: false, count: 0, few: [0; FEW] }
    }
}

/// The text and the contract that frames are read by. They are lent for each reading: between two pieces of a stream nothing holds them.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Guide<'e> {
    pub(crate) source: &'e str,
    pub(crate) evidence: Option<&'e Evidence>,
}

impl<'e> Guide<'e> {
    /// What is known of types; never asked for in a build that has no contracts.
    pub(crate) fn types(&self) -> Option<&'e Evidence> {
        if cfg!(feature = "contract") { self.evidence } else { None }
    }
}

/// The stack of them.
#[derive(Debug)]
pub(crate) struct Frames {
    /// The innermost container is the last one.
    pub(crate) stack: Vec<Frame>,
    /// The keys of those that have many, each with the place of its frame.
    many: Vec<(usize, Many)>,
    /// The bytes of keys that were looked up in the contract since the work was last counted.
    pub(crate) examined: u64,
}

copied! { Frames: stack, many, examined }

impl Default for Frames {
    fn default() -> Self {
        Self { stack: Vec::with_capacity(8), many: Vec::new(), examined: 0 }
    }
}

impl Frames {
    /// Opens these containers, the outermost first, without what a contract says of them.
    pub(crate) fn open_all(&mut self, containers: impl Iterator<Item = (Container, usize)>) {
        self.stack.extend(containers.map(|(kind, opened)| Frame::plain(kind, opened)));
    }

    /// The open containers and where each opens, the outermost first.
    #[cfg(test)]
    pub(crate) fn opened(&self) -> impl Iterator<Item = (Container, usize)> {
        self.stack.iter().map(|frame| (frame.kind, frame.opened))
    }

    /// Opens a container at `opened`, on a line that is indented so far.
    pub(crate) fn open(&mut self, kind: Container, opened: usize, line: Option<u32>, guide: Guide<'_>) {
        let (place, examined) = if guide.evidence.is_some() { self.place_of_value(guide) } else { (None, 0) };
        self.examined += examined;
        self.stack.push(Frame { place, line, ..Frame::plain(kind, opened) });
    }

    /// Closes the innermost container.
    pub(crate) fn close(&mut self) -> Option<Closed> {
        let frame = self.stack.pop()?;
        let many = if usize::from(frame.count) > FEW { self.many.pop().map(|(_, many)| many) } else { None };
        Some(Closed { frame, many })
    }

    /// Opens a container again as it was.
    pub(crate) fn reopen(&mut self, Closed { frame, many }: Closed) {
        self.many.extend(many.map(|many| (self.stack.len(), many)));
        self.stack.push(frame);
    }

    /// The hashes of the keys that the `nth` container has so far.
    fn keys_of(&self, nth: usize) -> &[u64] {
        let Frame { count, few, .. } = &self.stack[nth];
        few.get(..usize::from(*count)).unwrap_or_else(|| {
            let own = self.many.iter().find(|(at, _)| *at == nth);
            own.map_or(&[][..], |(_, many)| many)
        })
    }

    /// Those of the innermost one.
    pub(crate) fn keys(&self) -> &[u64] {
        self.stack.len().checked_sub(1).map_or(&[], |top| self.keys_of(top))
    }

    /// The innermost object has one more key.
    pub(crate) fn push_key(&mut self, hash: u64) {
        let nth = self.stack.len();
        let Some(Frame { count, few, .. }) = self.stack.last_mut() else { return };
        if let Some(room) = few.get_mut(usize::from(*count)) {
            *room = hash;
        } else if usize::from(*count) > FEW {
            if let Some((_, many)) = self.many.last_mut() {
                Arc::make_mut(many).push(hash);
            }
        } else {
            let mut many = Vec::with_capacity(2 * FEW);
            many.extend_from_slice(few);
            many.push(hash);
            self.many.push((nth - 1, Arc::new(many)));
        }
        *count += 1;
    }

    /// Takes its latest key back.
    pub(crate) fn pop_key(&mut self) {
        let Some(Frame { count, few, .. }) = self.stack.last_mut() else { return };
        *count -= 1;
        if let Some(room) = few.get_mut(usize::from(*count)) {
            *room = 0;
        } else if usize::from(*count) == FEW {
            self.many.pop();
        } else if let Some((_, many)) = self.many.last_mut() {
            Arc::make_mut(many).pop();
        }
    }

    /// Whether the same containers are open, with the same keys.
    pub(crate) fn are_those_of(&self, other: &Self) -> bool {
        self.stack == other.stack && self.many == other.many
    }

    /// The place in the contract of a value that starts here, and how many bytes of a key were looked up.
    fn place_of_value(&self, guide: Guide<'_>) -> (Option<usize>, u64) {
        let Some(top) = self.stack.last() else { return (Some(0), 0) };
        let Some((evidence, place)) = guide.evidence.zip(top.place) else { return (None, 0) };
        let Some((start, end)) = top.key else { return (evidence.below(place, None), 0) };
        if !evidence.could_declare((end - start) as usize) {
            return (evidence.below_any_key(place), 0);
        }
        let key = Self::unquoted_at(start as usize..end as usize, guide);
        (evidence.below(place, Some(key)), key.len() as u64)
    }

    /// What the contract says of a value that starts here, and how many bytes of a key were looked up.
    pub(crate) fn shape_of_value<'e>(&self, guide: Guide<'e>) -> (Option<&'e Shape>, u64) {
        let (place, examined) = self.place_of_value(guide);
        (guide.types().zip(place).and_then(|(evidence, place)| evidence.shape(place)), examined)
    }

    /// How many keys that the contract requires have not come in the `nth` container; of a long object this is not known.
    fn missing_keys_of(&self, nth: usize, guide: Guide<'_>) -> usize {
        let Frame { kind, place, .. } = self.stack[nth];
        let Some((evidence, place)) = guide.types().zip(place).filter(|_| kind == Container::Object) else { return 0 };
        let keys = self.keys_of(nth);
        let shape = evidence.shape(place).filter(|_| keys.len() < KEYS);
        shape.map_or(0, |shape| shape.missing(keys))
    }

    /// How many keys the innermost object lacks that the contract requires.
    pub(crate) fn missing_keys(&self, guide: Guide<'_>) -> usize {
        self.stack.len().checked_sub(1).map_or(0, |top| self.missing_keys_of(top, guide))
    }

    /// How many keys the open objects lack so far.
    pub(crate) fn missing_keys_of_all(&self, guide: Guide<'_>) -> usize {
        let open = if guide.types().is_none() { 0 } else { self.stack.len() };
        (0..open).map(|nth| self.missing_keys_of(nth, guide)).sum()
    }

    /// A key or a value without its quote marks, of whatever kind these are.
    pub(crate) fn unquoted_at(span: Range<usize>, guide: Guide<'_>) -> &str {
        without_marks(guide.source.get(span).unwrap_or_default())
    }

    /// Whether the innermost open object may have this key, spelled as JSON spells it; `None` when nothing is known.
    pub(crate) fn allows(&self, raw: &str, evidence: Option<&Evidence>) -> Option<bool> {
        let evidence = evidence?;
        let object = self.stack.iter().rev().find(|frame| frame.kind == Container::Object)?;
        evidence.allows_spelled(object.place?, raw)
    }

    /// How each is laid out, the innermost first.
    pub(crate) fn layouts(&self) -> Vec<Layout> {
        let wide = |indent: Option<u32>| indent.map(|indent| indent as usize);
        let layout = |frame: &Frame| Layout { kind: frame.kind, line: wide(frame.line), member: wide(frame.member) };
        self.stack.iter().rev().map(layout).collect()
    }
}

fn without_marks(text: &str) -> &str {
    // Marks of other kinds within double quotes are content.
    if let Some(inside) = text.strip_prefix('"').and_then(|text| text.strip_suffix('"')) {
        return if inside.starts_with('"') || inside.ends_with('"') { inside.trim_matches('"') } else { inside };
    }
    let may_be_mark = |byte: &u8| matches!(byte, b'"' | b'\'' | b'`' | 0x80..);
    if !text.as_bytes().first().is_some_and(may_be_mark) && !text.as_bytes().last().is_some_and(may_be_mark) {
        return text;
    }
    text.trim_matches(|char: char| matches!(char, '"' | '\'' | '`' | '\u{2018}'..='\u{201F}'))
}

#[cfg(test)]
mod tests {
    use super::{Container, Frames};

    #[test]
    fn keys_that_are_taken_back_leave_those_before_them() {
        let hashes: Vec<u64> = (1..=10).collect();
        let mut frames = Frames::default();
        frames.open_all([(Container::Object, 0), (Container::Array, 1), (Container::Object, 2)].into_iter());
        let empty = frames.clone();
        for (len, &hash) in hashes.iter().enumerate() {
            assert_eq!(frames.keys(), &hashes[..len]);
            frames.push_key(hash);
        }
        let copy = frames.clone();
        for len in (0..hashes.len()).rev() {
            frames.pop_key();
            assert_eq!(frames.keys(), &hashes[..len]);
        }
        assert_eq!(copy.keys(), hashes);
        // Keys that were many are equal to few of the same.
        assert!(frames.are_those_of(&empty) && !copy.are_those_of(&empty));
    }

    #[test]
    fn a_container_that_is_opened_again_has_its_keys() {
        for count in [0, 3, 4, 5, 9] {
            let mut frames = Frames::default();
            frames.open_all([(Container::Object, 0), (Container::Object, 1)].into_iter());
            (0..count).for_each(|hash| frames.push_key(hash));
            let before = frames.clone();
            let closed = frames.close();
            assert!(frames.keys().is_empty() && closed.as_ref().is_some_and(|closed| closed.frame.opened == 1));
            frames.reopen(closed.expect("it was open"));
            assert!(frames.are_those_of(&before) && frames.keys().len() as u64 == count);
        }
    }
}
