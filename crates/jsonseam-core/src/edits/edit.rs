//! What a rule proposes: one edit, or a small ordered group of edits that belong together.

use std::borrow::Cow;
use std::ops::Range;

use crate::derived::debug_facts;

/// One replacement: the bytes of `span` become `replacement`.
///
/// Offsets are bytes in the payload; both ends must lie on character boundaries.
/// An empty span inserts; an empty replacement removes.
/// Rules rarely build one by hand: [`Fault`](crate::Fault) has a constructor for each usual edit.
#[derive(Clone, PartialEq, Eq)]
pub struct Edit {
    /// The bytes that are replaced.
    pub span: Range<usize>,
    /// What is there afterwards.
    pub replacement: Cow<'static, str>,
}

impl Edit {
    /// Replaces `span` by `replacement`.
    ///
    /// ```
    /// use jsonseam_core::Edit;
    ///
    /// let edit = Edit::replace(5..7, ":");
    /// assert_eq!((edit.span, &*edit.replacement), (5..7, ":"));
    /// ```
    pub fn replace(span: Range<usize>, replacement: impl Into<Cow<'static, str>>) -> Self {
        Self { span, replacement: replacement.into() }
    }

    /// Inserts `text` before the byte at `pos`.
    ///
    /// ```
    /// use jsonseam_core::Edit;
    ///
    /// assert_eq!(Edit::insert(4, ","), Edit::replace(4..4, ","));
    /// ```
    pub fn insert(pos: usize, text: impl Into<Cow<'static, str>>) -> Self {
        Self::replace(pos..pos, text)
    }

    /// Removes `span`.
    ///
    /// ```
    /// use jsonseam_core::Edit;
    ///
    /// assert_eq!(Edit::remove(7..8), Edit::replace(7..8, ""));
    /// ```
    pub fn remove(span: Range<usize>) -> Self {
        Self::replace(span, "")
    }
}

// The span and the length of the replacement, never its text: it may quote the payload (SPEC M5).
debug_facts!(Edit, |edit| span: edit.span, replacement_len: edit.replacement.len());

/// The answer of a rule: one edit, or several that only make sense together.
///
/// The first edit starts at or before the fault; each further one starts at or after the end of the one before it.
/// They are accepted together or not at all.
///
/// ```
/// use jsonseam_core::{Edit, Edits};
///
/// let quotes = Edits::from([Edit::insert(1, "\""), Edit::insert(4, "\"")]);
/// assert_eq!(quotes.iter().count(), 2);
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Edits(Group);

/// Most groups have two edits at most, and are kept without an allocation.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Group {
    One([Edit; 1]),
    Two([Edit; 2]),
    /// Three and more.
    Many(Vec<Edit>),
}

impl Edits {
    /// All these edits as one group, in order; `None` if there are none.
    ///
    /// ```
    /// use jsonseam_core::{Edit, Edits};
    ///
    /// let quotes = [Edit::insert(1, "\""), Edit::insert(4, "\"")];
    /// assert_eq!(Edits::group(quotes).map(|edits| edits.iter().count()), Some(2));
    /// assert_eq!(Edits::group([]), None);
    /// ```
    pub fn group(edits: impl IntoIterator<Item = Edit>) -> Option<Self> {
        let mut edits = edits.into_iter();
        let first = Self::from(edits.next()?);
        Some(edits.fold(first, Self::and))
    }

    /// The same group with one more edit at its end.
    ///
    /// ```
    /// use jsonseam_core::{Edit, Edits};
    ///
    /// let spaced = Edits::from(Edit::remove(3..4)).and(Edit::insert(9, "]"));
    /// assert_eq!(spaced.first(), &Edit::remove(3..4));
    /// ```
    #[must_use]
    pub fn and(self, edit: Edit) -> Self {
        Self(match self.0 {
            Group::One([first]) => Group::Two([first, edit]),
            Group::Two([first, second]) => {
                // Where there are three, there are most often more.
                let mut edits = Vec::with_capacity(8);
                edits.extend([first, second, edit]);
                Group::Many(edits)
            }
            Group::Many(mut edits) => {
                edits.push(edit);
                Group::Many(edits)
            }
        })
    }

    /// The first edit, which every group has.
    pub fn first(&self) -> &Edit {
        &self.all()[0]
    }

    pub(crate) fn last(&self) -> &Edit {
        &self.all()[self.all().len() - 1]
    }

    /// All edits, in order.
    pub fn iter(&self) -> impl Iterator<Item = &Edit> {
        self.all().iter()
    }

    pub(crate) fn all(&self) -> &[Edit] {
        match &self.0 {
            Group::One(edits) => edits,
            Group::Two(edits) => edits,
            Group::Many(edits) => edits,
        }
    }
}

impl From<Edit> for Edits {
    fn from(first: Edit) -> Self {
        Self(Group::One([first]))
    }
}

impl From<[Edit; 2]> for Edits {
    fn from(edits: [Edit; 2]) -> Self {
        Self(Group::Two(edits))
    }
}
