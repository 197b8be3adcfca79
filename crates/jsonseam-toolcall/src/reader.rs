//! What every body is read with: the text, the tools, and what the packs say of marks.

use jsonseam_core::Pipeline;

use crate::cursor::Finder;
use crate::pack::HeadKeys;
use crate::tools::Tools;

/// What reads the bodies of calls.
#[derive(Clone, Copy)]
pub(crate) struct Reader<'r, 'a> {
    pub(crate) text: &'a str,
    pub(crate) finder: &'r Finder<'a>,
    pub(crate) tools: &'r Tools,
    pub(crate) pipeline: Option<&'r Pipeline>,
    /// Marks that may directly follow a call which has no end of its own.
    pub(crate) marks: &'r [String],
    pub(crate) noise: &'r [String],
    /// Marks with which another role begins to speak.
    pub(crate) turns: &'r [String],
    /// The keys of calls in formats without marks.
    pub(crate) head_keys: &'r HeadKeys,
    /// Whether the calls of a list may be in quotes.
    pub(crate) takes_quoted: bool,
}
