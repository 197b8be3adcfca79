//! How a stream is read, and what it says of itself.

use std::sync::Arc;

use crate::looking::evidence::Evidence;
use crate::reading::work::Work;

/// How a stream is read.
///
/// ```
/// use jsonseam_core::{Commit, StreamOptions};
///
/// let options = StreamOptions::new().with_commit(Commit::At(0));
/// assert_eq!(options.commit, Commit::At(0));
/// ```
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct StreamOptions {
    /// When the start of the payload is taken for known.
    pub commit: Commit,
    /// What the contract allows.
    pub evidence: Option<Arc<Evidence>>,
}

impl StreamOptions {
    /// The first sign of a payload counts, and nothing is known of its keys.
    pub fn new() -> Self {
        Self::default()
    }

    /// The same with this way to find the start.
    #[must_use]
    pub fn with_commit(self, commit: Commit) -> Self {
        Self { commit, ..self }
    }

    /// The same with what the contract allows.
    #[must_use]
    pub fn with_evidence(self, evidence: Option<Arc<Evidence>>) -> Self {
        Self { evidence, ..self }
    }
}

/// When the start of the payload is taken for known.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Commit {
    /// At the first sign of it: a bracket at the start, a fenced block, an object in prose. Where the whole text says otherwise, `finish` refuses.
    /// With another policy than [`Policy::First`](crate::Policy::First) the payload may be a later one, so that nothing is told before `finish`.
    #[default]
    FirstSign,
    /// When the text has ended: nothing is told before.
    Late,
    /// The caller knows that it starts at this byte, as that of the arguments of a tool call does, and is the rest of the text.
    At(usize),
}

/// How far a stream has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum StreamState {
    /// No payload is seen yet.
    Looking,
    /// The payload is read as it comes.
    Reading,
    /// What comes next depends on text that is not there yet.
    Waiting {
        /// The byte of the completion where it waits.
        at: usize,
        /// How many bytes came since it was last looked at.
        since: usize,
    },
    /// The payload has ended; what follows is not part of it.
    Ended,
    /// No repair is possible, whatever follows.
    Refused,
}

impl StreamState {
    /// Its name: `looking`, `reading`, `waiting`, `ended` or `refused`.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Looking => "looking",
            Self::Reading => "reading",
            Self::Waiting { .. } => "waiting",
            Self::Ended => "ended",
            Self::Refused => "refused",
        }
    }
}

/// What a stream has cost.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct StreamWork {
    /// What the decisions cost: as much as in a text that is there as a whole.
    pub decided: Work,
    /// What was looked at in vain, as more of the text was needed.
    pub retried: u64,
}
