//! What is wrong with the keys of an object: every finding at once.

use std::fmt;
use std::ops::Range;

use jsonseam_text::named;

use crate::hint::Hint;

/// Most findings that a list of a [`Mismatch`] holds; further ones are counted.
///
/// Far above what a person or a model can use. It bounds the memory that an object of a million undeclared keys takes.
pub const MOST_FINDINGS: usize = 1024;

named! {
    /// What is wrong with the keys of an object first (SPEC E1, the reasons of `invalid_outputs`).
    ///
    /// ```
    /// assert_eq!(jsonseam_keyset::KeyReason::ExtraOutputKeys.as_str(), "extra_output_keys");
    /// ```
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum KeyReason as "a reason" {
        /// A required key is not there.
        MissingOutputKeys = "missing_output_keys",
        /// A key is not declared.
        ExtraOutputKeys = "extra_output_keys",
        /// A key is there more than once.
        DuplicateOutputKeys = "duplicate_output_keys",
    }
}

/// Why the keys of an object are not those that were declared.
///
/// `Display` and `Debug` name declared keys only: an undeclared key is text of the completion (SPEC M5).
///
/// ```
/// let keys = jsonseam_keyset::KeySet::new().required("a");
/// let mismatch = keys.check(r#"{"a": 1, "a": 2, "b": 3}"#).unwrap_err();
/// assert_eq!((mismatch.extra()[0].name.as_str(), mismatch.duplicates()[0].spans.len()), ("b", 2));
/// assert_eq!(mismatch.to_string(), "1 key not declared; 1 key repeated: \"a\"");
/// ```
#[derive(Clone, PartialEq, Eq, Default)]
pub struct Mismatch {
    pub(crate) missing: Vec<String>,
    pub(crate) extra: Vec<Extra>,
    pub(crate) duplicates: Vec<Repeated>,
    pub(crate) uncounted: usize,
}

/// A key that was not declared.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Extra {
    /// The name it spells: text of the completion. What text cannot hold (lone surrogates) is U+FFFD.
    pub name: String,
    /// Where the key is, with its quotes, in bytes of the text.
    pub span: Range<usize>,
    /// The declared key that it may have been meant to be.
    pub hint: Option<Hint>,
}

/// A key that is in the object more than once.
#[derive(Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Repeated {
    /// The name: text of the completion unless [`is_declared`](Self::is_declared).
    pub name: String,
    /// Whether the name is a declared one.
    pub is_declared: bool,
    /// Where each of its keys is, with its quotes, in bytes of the text. At most [`MOST_FINDINGS`].
    pub spans: Vec<Range<usize>>,
}

impl Mismatch {
    /// That one declared key is not there.
    pub fn of_missing(name: &str) -> Self {
        Self { missing: vec![name.to_owned()], ..Self::default() }
    }

    /// The declared keys that are required and not there, in declared order (SPEC K2).
    pub fn missing(&self) -> &[String] {
        &self.missing
    }

    /// The keys that are not declared, in their order; a repeated one once (SPEC K3).
    pub fn extra(&self) -> &[Extra] {
        &self.extra
    }

    /// The keys that are there more than once, declared or not (SPEC K4).
    pub fn duplicates(&self) -> &[Repeated] {
        &self.duplicates
    }

    /// How many further keys the lists leave out.
    pub fn uncounted(&self) -> usize {
        self.uncounted
    }

    /// The same findings without the repeated keys, for a caller that takes the last of each; `None` if nothing else is wrong.
    pub fn without_duplicates(mut self) -> Option<Self> {
        self.duplicates.clear();
        Some(self).filter(|mismatch| !mismatch.is_empty())
    }

    /// The first kind of finding: missing before extra before duplicate (SPEC K4).
    pub fn reason(&self) -> KeyReason {
        if !self.missing.is_empty() {
            KeyReason::MissingOutputKeys
        } else if !self.extra.is_empty() {
            KeyReason::ExtraOutputKeys
        } else {
            KeyReason::DuplicateOutputKeys
        }
    }

    pub(crate) fn is_empty(&self) -> bool {
        self.missing.is_empty() && self.extra.is_empty() && self.duplicates.is_empty()
    }
}

impl fmt::Display for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let declared = |names: Vec<&str>| names.iter().map(|name| format!("{name:?}")).collect::<Vec<_>>().join(", ");
        let mut parts = Vec::new();
        if !self.missing.is_empty() {
            let names = declared(self.missing.iter().map(String::as_str).collect());
            parts.push(format!("{} missing: {names}", keys(self.missing.len())));
        }
        if !self.extra.is_empty() {
            parts.push(format!("{} not declared", keys(self.extra.len())));
        }
        if !self.duplicates.is_empty() {
            let known = self.duplicates.iter().filter(|key| key.is_declared).map(|key| key.name.as_str()).collect();
            let known = declared(known);
            let names = if known.is_empty() { String::new() } else { format!(": {known}") };
            parts.push(format!("{} repeated{names}", keys(self.duplicates.len())));
        }
        if self.uncounted > 0 {
            parts.push(format!("{} more", keys(self.uncounted)));
        }
        formatter.write_str(&parts.join("; "))
    }
}

fn keys(count: usize) -> String {
    if count == 1 { "1 key".to_owned() } else { format!("{count} keys") }
}

impl fmt::Debug for Mismatch {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "Mismatch({self})")
    }
}

/// Shows where the key is, not what it says.
impl fmt::Debug for Extra {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Extra").field("span", &self.span).field("hint", &self.hint).finish_non_exhaustive()
    }
}

/// Shows where the keys are, and what they say only if that was declared.
impl fmt::Debug for Repeated {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut shown = formatter.debug_struct("Repeated");
        if self.is_declared {
            shown.field("name", &self.name);
        }
        shown.field("spans", &self.spans).finish_non_exhaustive()
    }
}

impl std::error::Error for Mismatch {}
