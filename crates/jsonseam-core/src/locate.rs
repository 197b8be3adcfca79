//! Where in a completion a payload could lie: what a locator sees, and what it answers (SPEC P2 to P4).
//!
//! Region locators narrow the completion one after the other; payload locators then find the payload in what is left.
//! They make no edit. Only a locator that is declared with a risk may propose some, for a payload that cannot be read without.

mod brackets;
mod escapes;
mod fences;
mod landmarks;
mod quotes;
mod region;
pub(crate) mod root;
mod seen;

use std::ops::Range;

pub(crate) use self::fences::{Fence, ends_with_json_fence, is_fence_at};
pub use self::landmarks::{Landmarks, Usual};
pub use self::quotes::OpenStrings;
pub use self::region::{Line, Region, begins_line};
pub(crate) use self::region::{ends_line, trim};
pub use self::seen::Block;
pub(crate) use self::seen::{Reached, Seen};
use crate::edits::edit::Edits;

/// What locators found: the parts of a region that count from here on.
///
/// ```
/// use jsonseam_core::{Candidates, Region};
///
/// /// Takes each line that is an object by itself.
/// fn locate(region: &Region<'_>, found: &mut Candidates) {
///     for line in region.lines(region.span().start).filter(|line| line.text.starts_with('{')) {
///         found.push(line.start..line.start + line.text.len());
///     }
/// }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidates {
    pub(crate) found: Vec<Candidate>,
    /// How many are wanted. One more is kept, which shows that there are too many.
    max: usize,
    pub(crate) is_ruled_out: bool,
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
        Self { found: Vec::new(), max, is_ruled_out: false }
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

    /// Whether nothing was found so far, and nothing ruled out.
    pub fn is_empty(&self) -> bool {
        self.found.is_empty() && !self.is_ruled_out
    }

    fn add(&mut self, candidate: Candidate) {
        if self.found.len() <= self.max {
            self.found.push(candidate);
        }
    }
}
