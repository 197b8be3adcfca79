//! What was read of a completion and is kept: locators ask for the same things one after the other, and so does the search for further payloads.

use std::cell::{Cell, OnceCell, RefCell};
use std::ops::Range;

/// How many searches are remembered.
const SEARCHES: usize = 16;

/// What is known of one completion.
#[derive(Default)]
pub(crate) struct Seen {
    /// Which bytes the completion holds.
    bytes: OnceCell<Box<[bool; 256]>>,
    /// The fenced blocks of the region that was asked for them last.
    pub(super) blocks: RefCell<Option<(Range<usize>, Vec<Fenced>)>>,
    /// The region whose whole text was read last, which counts once.
    pub(super) read: Cell<Option<(usize, usize)>>,
    searches: RefCell<Vec<Search>>,
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
    needle: Box<str>,
    span: Range<usize>,
    found: Option<usize>,
}

impl Seen {
    /// Whether `completion` holds all of `bytes`, and how many bytes were read to tell.
    pub(super) fn holds(&self, completion: &str, bytes: &[u8]) -> (bool, usize) {
        let is_new = self.bytes.get().is_none();
        let held = self.bytes.get_or_init(|| {
            let mut held = Box::new([false; 256]);
            completion.bytes().for_each(|byte| held[usize::from(byte)] = true);
            held
        });
        (bytes.iter().all(|&byte| held[usize::from(byte)]), if is_new { completion.len() } else { 1 })
    }

    /// What a search for `needle` in `span` found, and whether a former one tells at all.
    pub(super) fn found(&self, needle: &str, span: &Range<usize>) -> (bool, Option<usize>) {
        let searches = self.searches.borrow();
        let tells = |search: &&Search| {
            let is_same = *search.needle == *needle && search.span.end == span.end && search.span.start <= span.start;
            is_same && search.found.is_none_or(|found| found >= span.start)
        };
        let search = searches.iter().find(tells);
        (search.is_some(), search.and_then(|search| search.found))
    }

    /// Remembers a search.
    pub(super) fn remember(&self, needle: &str, span: Range<usize>, found: Option<usize>) {
        let mut searches = self.searches.borrow_mut();
        if searches.len() == SEARCHES {
            searches.remove(0);
        }
        searches.push(Search { needle: needle.into(), span, found });
    }
}
