//! A candidate that was read once, before any is repaired.

use crate::edits::journal::Journal;
use crate::locate::Candidate;

/// A candidate, and whether it decodes as it is.
pub(super) struct CheckedCandidate {
    pub(super) candidate: Candidate,
    /// The end of its payload, if it is valid.
    pub(super) valid_end: Option<usize>,
    /// The end of the region it is in.
    pub(super) region_end: usize,
    /// What its locator has edited beforehand.
    pub(super) edited: Option<Edited>,
}

/// What a locator's edits make of a candidate.
pub(super) struct Edited {
    pub(super) text: String,
    pub(super) journal: Journal,
}
