//! Where in a completion a payload could lie: what a locator sees, and what it answers (SPEC P2 to P4).
//!
//! Region locators narrow the completion one after the other; payload locators then find the payload in what is left.
//! They make no edit. Only a locator that is declared with a risk may propose some, for a payload that cannot be read without.

mod brackets;
mod escapes;
mod fences;
mod seen;

use std::cell::Cell;
use std::fmt;
use std::ops::Range;

pub(crate) use self::brackets::{byte_before, opens, unclosed};
pub use self::fences::Block;
pub(crate) use self::seen::Seen;
use crate::edit::Edits;
use crate::wanted::{Policy, Root};

/// A part of the completion in which a payload may lie.
///
/// Offsets are bytes of the completion. What is read of it is counted.
pub struct Region<'r> {
    completion: &'r str,
    span: Range<usize>,
    root: Root,
    policy: Policy,
    max_depth: u8,
    examined: &'r Cell<u64>,
    seen: &'r Seen,
}

impl fmt::Debug for Region<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Region").field("span", &self.span).field("root", &self.root).finish_non_exhaustive()
    }
}

/// One line of a region, without its line feed.
#[derive(Debug, Clone)]
pub struct Line<'r> {
    /// Where it starts.
    pub start: usize,
    /// Its text.
    pub text: &'r str,
}

impl<'r> Region<'r> {
    pub(crate) fn new(
        completion: &'r str,
        span: Range<usize>,
        root: Root,
        policy: Policy,
        max_depth: u8,
        examined: &'r Cell<u64>,
        seen: &'r Seen,
    ) -> Self {
        let span = trim(completion, span);
        Self { completion, span, root, policy, max_depth, examined, seen }
    }

    /// Where the region lies. It neither starts nor ends with white space, nor starts with a byte order mark.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The kind of payload that is wanted.
    pub fn root(&self) -> Root {
        self.root
    }

    /// Whether the first payload alone is wanted, so that a locator need not look further.
    pub fn wants_first_only(&self) -> bool {
        self.policy == Policy::First
    }

    /// The whole text of the region. It counts as read once, however many locators ask for it.
    pub fn text(&self) -> &'r str {
        let span = (self.span.start, self.span.end);
        if self.seen.read.replace(Some(span)) != Some(span) {
            self.charge(self.span.len());
        }
        self.completion.get(self.span()).unwrap_or_default()
    }

    fn charge(&self, bytes: usize) {
        self.examined.set(self.examined.get() + bytes as u64);
    }

    /// Whether the region starts with `text`.
    pub fn starts_with(&self, text: &str) -> bool {
        self.slice(self.span.start..(self.span.start + text.len()).min(self.span.end)) == text
    }

    /// Whether the completion holds every one of these bytes. The first question reads it once; each further one is free.
    ///
    /// Most completions hold no `<` and no back-tick: a locator that looks for one asks this first.
    pub fn holds(&self, bytes: &[u8]) -> bool {
        let (holds, read) = self.seen.holds(self.completion, bytes);
        self.charge(read);
        holds
    }

    /// Where `needle` next occurs, from `from` on. A search that a former one covers is free.
    pub fn find(&self, needle: &str, from: usize) -> Option<usize> {
        let span = from.max(self.span.start)..self.span.end;
        let text = self.completion.get(span.clone())?;
        let (is_known, found) = self.seen.found(needle, &span);
        if is_known {
            self.charge(1);
            return found;
        }
        if !self.holds(needle.as_bytes()) {
            return None;
        }
        let found = memchr::memmem::find(text.as_bytes(), needle.as_bytes());
        self.charge(found.map_or(text.len(), |found| found + needle.len()));
        let found = found.map(|offset| span.start + offset);
        self.seen.remember(needle, span, found);
        found
    }

    /// The text of `span`, which counts as read. Empty if it is not on character boundaries inside the region.
    pub fn slice(&self, span: Range<usize>) -> &'r str {
        if span.start < self.span.start || span.end > self.span.end {
            return "";
        }
        self.examined.set(self.examined.get() + span.len() as u64);
        self.completion.get(span).unwrap_or_default()
    }

    /// The lines of the region from `from` on. Each counts as read when it is reached.
    pub fn lines(&self, from: usize) -> impl Iterator<Item = Line<'r>> {
        let mut pos = from.max(self.span.start);
        std::iter::from_fn(move || {
            let rest = self.completion.get(pos..self.span.end).filter(|rest| !rest.is_empty())?;
            let len = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
            let start = pos;
            pos += len + 1;
            self.examined.set(self.examined.get() + len as u64 + 1);
            Some(Line { start, text: rest.get(..len).unwrap_or_default() })
        })
    }

    /// The last occurrence of `needle` in the region.
    pub fn rfind(&self, needle: char) -> Option<usize> {
        let text = self.completion.get(self.span()).unwrap_or_default();
        let found = text.rfind(needle);
        self.examined.set(self.examined.get() + (text.len() - found.unwrap_or(0)) as u64);
        found.map(|offset| self.span.start + offset)
    }
}

/// `span` without white space at both ends and without a byte order mark at its start.
pub(crate) fn trim(completion: &str, span: Range<usize>) -> Range<usize> {
    let text = completion.get(span.clone()).unwrap_or_default();
    let start = text.trim_start();
    let start = start.strip_prefix('\u{FEFF}').map_or(start, str::trim_start);
    let trimmed = start.trim_end();
    let from = span.start + (text.len() - start.len());
    from..from + trimmed.len()
}

/// What locators found: the parts of a region that count from here on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidates {
    found: Vec<Candidate>,
    max: usize,
    has_overflowed: bool,
    is_ruled_out: bool,
}

/// One place where a payload could lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) span: Range<usize>,
    pub(crate) ending: Ending,
    /// What its locator edits before anything is read.
    pub(crate) edits: Option<Edits>,
    /// Whether it counts only where nothing preferred fits as well.
    pub(crate) is_passed_over: bool,
}

impl Candidate {
    /// A candidate without edits.
    pub(crate) fn plain(span: Range<usize>, ending: Ending) -> Self {
        Self { span, ending, edits: None, is_passed_over: false }
    }
}

/// Where a candidate's payload ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// At the span's end.
    Exact,
    /// At the span's end, unless more belongs to it.
    Provisional,
    /// Where its root closes.
    RootClose,
}

impl Candidates {
    pub(crate) fn new(max: usize) -> Self {
        Self { found: Vec::new(), max, has_overflowed: false, is_ruled_out: false }
    }

    /// A region or payload that is exactly `span`, white space at its ends aside. The preferred one comes first.
    pub fn push(&mut self, span: Range<usize>) {
        self.add(Candidate::plain(span, Ending::Exact));
    }

    /// A payload that starts `span` and ends where its root closes; at the span's end if it never does.
    pub fn push_open_ended(&mut self, span: Range<usize>) {
        self.add(Candidate::plain(span, Ending::RootClose));
    }

    /// A payload that ends with `span`, unless its text shows that more belongs to it: then it is read up to the region's end.
    pub fn push_provisional(&mut self, span: Range<usize>) {
        self.add(Candidate::plain(span, Ending::Provisional));
    }

    /// A region that the locator passes over for another, like an untagged block beside a tagged one.
    /// With the policy `best` it counts where nothing preferred fits the contract as well; with any other it does not.
    pub fn push_passed_over(&mut self, span: Range<usize>) {
        self.add(Candidate { is_passed_over: true, ..Candidate::plain(span, Ending::Exact) });
    }

    /// A payload that can be read only after `edits`: they are made first, in order, inside `span`.
    /// The payload starts the edited text and ends where its root closes.
    ///
    /// For locators that are declared with a risk. Edits that are out of order, leave `span`, split a character or change nothing are a defect
    /// of the locator, and the candidate does not count.
    pub fn push_edited(&mut self, span: Range<usize>, edits: Edits) {
        self.add(Candidate { edits: Some(edits), ..Candidate::plain(span, Ending::RootClose) });
    }

    /// Says that the region holds no payload: it is searched no further, whatever was pushed.
    ///
    /// For regions that are nothing but thoughts: a draft is never a candidate (SPEC B4).
    pub fn rule_out(&mut self) {
        self.is_ruled_out = true;
    }

    fn add(&mut self, candidate: Candidate) {
        if self.found.len() < self.max {
            self.found.push(candidate);
        } else {
            self.has_overflowed = true;
        }
    }

    pub(crate) fn has_overflowed(&self) -> bool {
        self.has_overflowed
    }

    pub(crate) fn found(&self) -> &[Candidate] {
        &self.found
    }

    pub(crate) fn take_found(&mut self) -> std::vec::Drain<'_, Candidate> {
        self.found.drain(..)
    }

    pub(crate) fn retain(&mut self, is_kept: impl FnMut(&mut Candidate) -> bool) {
        self.found.retain_mut(is_kept);
    }

    /// Makes room for what the next locator finds.
    pub(crate) fn clear(&mut self) {
        self.found.clear();
        (self.has_overflowed, self.is_ruled_out) = (false, false);
    }

    pub(crate) fn is_ruled_out(&self) -> bool {
        self.is_ruled_out
    }
}
