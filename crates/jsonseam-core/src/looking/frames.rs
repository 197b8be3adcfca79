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
#[derive(Debug, Clone, PartialEq, Eq)]
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
    /// What keys it has so far.
    pub(crate) keys: Keys,
}

/// How many keys an object may have before a list of its own holds them.
const FEW: usize = 4;

/// The hashes of the first keys of an object.
#[derive(Debug, Clone, Default)]
pub(crate) struct Keys {
    few: [u64; FEW],
    count: u8,
    /// All keys once there are more than that. Copies of a reading share the list until one of them reads another key.
    many: Option<Arc<Vec<u64>>>,
}

impl Keys {
    pub(crate) fn as_slice(&self) -> &[u64] {
        self.many.as_deref().map_or(&self.few[..usize::from(self.count)], Vec::as_slice)
    }

    pub(crate) fn push(&mut self, hash: u64) {
        if let Some(many) = &mut self.many {
            Arc::make_mut(many).push(hash);
        } else if let Some(room) = self.few.get_mut(usize::from(self.count)) {
            *room = hash;
            self.count += 1;
        } else {
            let mut many = Vec::with_capacity(2 * FEW);
            many.extend_from_slice(&self.few);
            many.push(hash);
            self.many = Some(Arc::new(many));
        }
    }

    pub(crate) fn pop(&mut self) {
        if let Some(many) = &mut self.many {
            Arc::make_mut(many).pop();
        } else {
            self.count -= 1;
        }
    }
}

impl PartialEq for Keys {
    fn eq(&self, other: &Self) -> bool {
        self.as_slice() == other.as_slice()
    }
}

impl Eq for Keys {}

impl Frame {
    const fn plain(kind: Container, opened: usize) -> Self {
        let keys = Keys { few: [0; FEW], count: 0, many: None };
        Self { kind, opened, key: None, place: None, line: None, member: None, repeats: false, keys }
    }

    /// How many keys that the contract requires have not come; of a long object this is not known.
    fn missing_keys(&self, guide: Guide<'_>) -> usize {
        let Some((evidence, place)) = guide.types().zip(self.place).filter(|_| self.kind == Container::Object) else {
            return 0;
        };
        let keys = self.keys.as_slice();
        let shape = evidence.shape(place).filter(|_| keys.len() < KEYS);
        shape.map_or(0, |shape| shape.missing(keys))
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
    /// The bytes of keys that were looked up in the contract since the work was last counted.
    pub(crate) examined: u64,
}

copied! { Frames: stack, examined }

impl Default for Frames {
    fn default() -> Self {
        Self { stack: Vec::with_capacity(8), examined: 0 }
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

    /// The same, and how many bytes of a key were looked up.
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

    /// How many keys the innermost object lacks that the contract requires.
    pub(crate) fn missing_keys(&self, guide: Guide<'_>) -> usize {
        self.stack.last().map_or(0, |frame| frame.missing_keys(guide))
    }

    /// How many keys the open objects lack so far.
    pub(crate) fn missing_keys_of_all(&self, guide: Guide<'_>) -> usize {
        if guide.types().is_none() { 0 } else { self.stack.iter().map(|frame| frame.missing_keys(guide)).sum() }
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
    use super::Keys;

    #[test]
    fn keys_that_are_taken_back_leave_those_before_them() {
        let hashes: Vec<u64> = (1..=10).collect();
        let mut keys = Keys::default();
        for (len, &hash) in hashes.iter().enumerate() {
            assert_eq!(keys.as_slice(), &hashes[..len]);
            keys.push(hash);
        }
        let copy = keys.clone();
        for len in (0..hashes.len()).rev() {
            keys.pop();
            assert_eq!(keys.as_slice(), &hashes[..len]);
        }
        assert_eq!(copy.as_slice(), hashes);
        // Keys that were many are equal to few of the same.
        assert!(keys == Keys::default() && keys != copy);
    }
}
