//! What was read of a completion and is kept: locators ask for the same things one after the other, and so does the search for further payloads.

use std::cell::{Cell, RefCell};
use std::collections::BTreeMap;
use std::ops::Range;

/// How many searches are remembered.
const SEARCHES: usize = 16;

/// How many bytes a search for one byte reads in a step, at least.
const STEP: usize = 8;

/// What is known of one completion.
#[derive(Default)]
pub(crate) struct Seen {
    /// Which bytes were asked for, a bit for each, and which of them the completion holds.
    asked: Cell<[u64; 4]>,
    held: Cell<[u64; 4]>,
    /// The fenced blocks of the region that was asked for them last.
    pub(super) blocks: RefCell<Option<(Range<usize>, Vec<Fenced>)>>,
    /// The region whose whole text was read last, which counts once.
    pub(super) read: Cell<Option<(usize, usize)>>,
    searches: RefCell<Vec<Search>>,
    /// Where comments begin that were passed in a region with this end, and what follows them and all other comments and blanks.
    pub(super) comments: RefCell<BTreeMap<(usize, usize), usize>>,
}

/// A fenced block without its text.
#[derive(Debug, Clone)]
pub(crate) struct Fenced {
    pub(super) tag: Range<usize>,
    pub(super) start: usize,
    pub(super) body: Range<usize>,
    pub(super) is_after_text: bool,
}

/// One search, and what it found.
struct Search {
    needle: Needle,
    span: Range<usize>,
    found: Option<usize>,
}

/// What was searched for: longer texts are not remembered.
type Needle = ([u8; NEEDLE], usize);

/// How long it may be, in bytes.
pub(super) const NEEDLE: usize = 16;

/// `text`, if it can be remembered.
fn needle(text: &str) -> Option<Needle> {
    let mut bytes = [0; NEEDLE];
    bytes.get_mut(..text.len())?.copy_from_slice(text.as_bytes());
    Some((bytes, text.len()))
}

impl Seen {
    /// Whether `completion` holds all of `bytes`, and in how many steps this was found out.
    pub(super) fn holds(&self, completion: &str, bytes: &[u8]) -> (bool, usize) {
        let mut steps = 1;
        let (mut asked, mut held) = (self.asked.get(), self.held.get());
        let holds = bytes.iter().all(|&byte| {
            let (word, bit) = (usize::from(byte >> 6), 1 << (byte & 63));
            if asked[word] & bit == 0 {
                asked[word] |= bit;
                let found = memchr::memchr(byte, completion.as_bytes());
                held[word] |= if found.is_some() { bit } else { 0 };
                steps += found.unwrap_or(completion.len()) / STEP;
            }
            held[word] & bit != 0
        });
        self.asked.set(asked);
        self.held.set(held);
        (holds, steps)
    }

    /// What a search for `text` in `span` found, and whether a former one tells at all.
    pub(super) fn found(&self, text: &str, span: &Range<usize>) -> (bool, Option<usize>) {
        let searches = self.searches.borrow();
        let Some(needle) = needle(text).filter(|_| !searches.is_empty()) else { return (false, None) };
        let tells = |search: &&Search| {
            let is_same = search.needle == needle && search.span.end == span.end && search.span.start <= span.start;
            is_same && search.found.is_none_or(|found| found >= span.start)
        };
        let search = searches.iter().find(tells);
        (search.is_some(), search.and_then(|search| search.found))
    }

    /// Remembers a search.
    pub(super) fn remember(&self, text: &str, span: Range<usize>, found: Option<usize>) {
        let Some(needle) = needle(text) else { return };
        let mut searches = self.searches.borrow_mut();
        if searches.len() == SEARCHES {
            searches.remove(0);
        }
        searches.push(Search { needle, span, found });
    }
}
