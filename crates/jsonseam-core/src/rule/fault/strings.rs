//! What a rule may ask about strings: the open one, and one in foreign quotes at the fault.

use std::ops::Range;

use super::Fault;
use crate::edits::edit::{Edit, Edits};

/// What is wrong inside a string.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum StringProblem {
    /// The fault is at a control character (below U+0020), which must be escaped.
    ControlCharacter,
    /// The fault is at the backslash of an escape that JSON does not know, or that the end cuts.
    Escape,
    /// The region ends inside the string.
    Unclosed,
}

/// The string that is open at a fault with [`Expected::String`](crate::Expected::String).
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct OpenString {
    /// Where its content starts, edits inside it or not: right after the opening quote.
    pub start: usize,
    /// Its content so far: from after the opening quote, or from the last edit inside it, to the fault.
    pub content: Range<usize>,
    /// Whether it is a key.
    pub is_key: bool,
    /// What is wrong at the fault.
    pub problem: StringProblem,
}

impl Fault<'_> {
    /// The open string, with [`Expected::String`](crate::Expected::String).
    ///
    /// ```
    /// use jsonseam_core::{Edits, Fault, StringProblem};
    ///
    /// /// Escapes a tab inside a string.
    /// fn tab(fault: &Fault<'_>) -> Option<Edits> {
    ///     let is_control = fault.string()?.problem == StringProblem::ControlCharacter;
    ///     (is_control && fault.next_char() == Some('\t')).then(|| fault.replace_ahead(1, "\\t"))
    /// }
    /// ```
    pub fn string(&self) -> Option<OpenString> {
        let problem = self.site.problem?;
        let content_start = self.state.content_start.max(self.context.frontier);
        Some(OpenString {
            start: self.state.content_start.min(self.site.pos),
            content: content_start.min(self.site.pos)..self.site.pos,
            is_key: self.state.expects_key(),
            problem,
        })
    }

    /// Surrounds the next `len` bytes with double quotes: two insertions.
    pub fn quote_ahead(&self, len: usize) -> Edits {
        Edits::from([Edit::insert(self.site.pos, "\""), Edit::insert(self.site.pos + len, "\"")])
    }
}
