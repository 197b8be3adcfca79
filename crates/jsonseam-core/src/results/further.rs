//! A payload that was not taken.

use std::ops::Range;

use serde::Serialize;

use crate::reading::wanted::Root;

/// A payload of a completion beside the one that was taken (SPEC B4).
///
/// ```
/// use jsonseam_core::{Config, Further, Pipeline, Root};
///
/// fn arrays(further: &[Further]) -> usize {
///     further.iter().filter(|other| other.root == Root::Array).count()
/// }
///
/// let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
/// assert_eq!(arrays(pipeline.repair("{\"a\": 1}")?.further()), 0);
/// # Ok::<(), jsonseam_core::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[non_exhaustive]
pub struct Further {
    /// Where it is in the completion, in bytes.
    #[serde(flatten)]
    pub span: Range<usize>,
    /// What it is: [`Root::Object`] or [`Root::Array`].
    ///
    /// One of another kind than the pipeline wants is listed, and never chosen by a policy.
    pub root: Root,
}
