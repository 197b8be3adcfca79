//! A payload that was not taken.

use std::ops::Range;

use crate::wanted::Root;

/// A payload of a completion beside the one that was taken (SPEC B4).
///
/// ```
/// use jsonseam_core::{Config, Pipeline, Root};
///
/// let pipeline = Pipeline::from_rules(&Config::default(), Vec::new());
/// # let catalogue = jsonseam_core::Catalogue::new(Vec::new(), &[("strict", &[])])?;
/// let repaired = pipeline.repair("{\"a\": 1}")?;
/// let arrays = repaired.further().iter().filter(|further| further.root == Root::Array);
/// assert_eq!(arrays.count(), 0);
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Further {
    /// Where it is in the completion, in bytes.
    pub span: Range<usize>,
    /// What it is: [`Root::Object`] or [`Root::Array`].
    ///
    /// One of another kind than the pipeline wants is listed, and never chosen by a policy.
    pub root: Root,
}
