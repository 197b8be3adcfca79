//! Items of arrays that a contract leaves out: those at the cut of a truncated answer, and those that do not fit. Each is on record.

use std::borrow::Cow;
use std::fmt;
use std::ops::Range;

use jsonseam_core::{Catalogue, Config, ConfigError, OpenArray, Pipeline, Repaired, Risk};
use jsonseam_schema::{UnfitItem, Violation};
use jsonseam_text::{named, pointer};
use serde::ser::{Serialize, SerializeMap, Serializer};

named! {
    /// What is done with an answer that was cut off (SPEC B3).
    ///
    /// ```
    /// use jsonseam_adapter::Incomplete;
    ///
    /// assert_eq!("drop".parse(), Ok(Incomplete::Drop));
    /// ```
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Incomplete as "a policy for truncated answers" {
        /// It is refused as `truncated`.
        #[default]
        Refuse = "refuse",
        /// It is taken with what the edits closed.
        Keep = "keep",
        /// It is taken without the element of the innermost array that is open at the cut: whole elements of that array stay.
        /// Where no array is open it is refused.
        Drop = "drop",
        /// It is taken without the element of the outermost array that is open at the cut, however much of it there is.
        /// Where no array is open it is refused.
        DropOuter = "drop-outer",
    }
}

named! {
    /// What is done with the items of an array that do not fit.
    ///
    /// ```
    /// use jsonseam_adapter::{Adapter, Items};
    ///
    /// let adapter = Adapter::builder()
    ///     .schema("rows", r#"{"type": "array", "items": {"type": "integer"}}"#)
    ///     .items(Items::Fitting)
    ///     .build()?;
    /// let outputs = adapter.parse(r#"{"rows": [1, "two", 3]}"#)?;
    /// assert_eq!(outputs.text("rows"), Some("[1, 3]"));
    /// let dropped = &outputs.dropped()[0];
    /// assert_eq!((dropped.path(), dropped.index()), ("/rows/1", 1));
    /// assert_eq!(dropped.violations()[0].message(), r#"Field "rows.1": Expected integer, got string"#);
    /// # Ok::<(), jsonseam_adapter::Error>(())
    /// ```
    #[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum Items as "a policy for items" {
        /// The answer is refused.
        #[default]
        All = "all",
        /// Those that fit are given, and the others reported.
        Fitting = "fitting",
    }
}

named! {
    /// Why an item is not in the outputs.
    #[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
    #[non_exhaustive]
    pub enum DropReason as "a reason to drop an item" {
        /// The answer was cut off within it, or right after a number or word that may go on.
        Incomplete = "incomplete",
        /// Its schema rejects it.
        Schema = "schema",
    }
}

/// An item of an array that is not in the outputs: [`Outputs::dropped`](crate::Outputs::dropped).
///
/// Serialised, it has `path`, `index`, `reason` and `risk`, for an incomplete item also `start` and `end`, and for one that does not fit `message` and `errors`.
/// `Debug` shows no name of the completion (SPEC M5).
#[derive(Clone, PartialEq, Eq)]
pub struct DroppedItem {
    path: String,
    index: usize,
    span: Option<Range<usize>>,
    violations: Vec<Violation>,
}

impl DroppedItem {
    /// The JSON Pointer of the item, from the root of the outputs: where the answer had it. It may hold names of the completion.
    pub fn path(&self) -> &str {
        &self.path
    }

    /// Which item of its array it was, from 0.
    pub fn index(&self) -> usize {
        self.index
    }

    /// Why it is not there.
    pub fn reason(&self) -> DropReason {
        if self.violations.is_empty() { DropReason::Incomplete } else { DropReason::Schema }
    }

    /// The risk: a value is lost.
    pub fn risk(&self) -> Risk {
        Risk::Lossy
    }

    /// The bytes of the completion that an incomplete item takes; `None` for an item that does not fit.
    pub fn span(&self) -> Option<Range<usize>> {
        self.span.clone()
    }

    /// What is wrong with an item that does not fit; nothing for an incomplete one.
    pub fn violations(&self) -> &[Violation] {
        &self.violations
    }

    /// The first of the violations, as it may be shown to anyone; for an incomplete item, that it is.
    pub fn message(&self) -> String {
        self.violations.first().map_or_else(|| "the answer was cut off within the item".to_owned(), Violation::message)
    }

    /// An item of the value of a member, or of the root.
    pub(crate) fn unfit(item: UnfitItem, name: Option<&str>) -> Self {
        let UnfitItem { array, index, violations, .. } = item;
        let (output, violations) = match name {
            Some(name) => (format!("/{}", pointer::escaped(name)), Violation::all_within(violations, name)),
            None => (String::new(), violations),
        };
        Self { path: format!("{output}{array}/{index}"), index, span: None, violations }
    }

    /// Whether it is in the output of this name.
    pub(crate) fn is_in(&self, name: &str) -> bool {
        pointer::names(&self.path).next().is_some_and(|first| first == name)
    }

    /// The same item, seen from the member that this JSON Pointer leads to.
    pub(crate) fn seen_from(mut self, member: &str) -> Self {
        if let Some(rest) = self.path.strip_prefix(member).filter(|rest| rest.starts_with('/')) {
            self.path = rest.to_owned();
        }
        self
    }
}

impl fmt::Debug for DroppedItem {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter
            .debug_struct("DroppedItem")
            .field("index", &self.index)
            .field("reason", &self.reason())
            .field("span", &self.span)
            .field("violations", &self.violations)
            .finish_non_exhaustive()
    }
}

impl Serialize for DroppedItem {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        let mut map = serializer.serialize_map(None)?;
        map.serialize_entry("path", &self.path)?;
        map.serialize_entry("index", &self.index)?;
        map.serialize_entry("reason", self.reason().as_str())?;
        map.serialize_entry("risk", &self.risk())?;
        if let Some(span) = &self.span {
            map.serialize_entry("start", &span.start)?;
            map.serialize_entry("end", &span.end)?;
        }
        map.serialize_entry("message", &self.message())?;
        if !self.violations.is_empty() {
            map.serialize_entry("errors", &self.violations)?;
        }
        map.end()
    }
}

impl Incomplete {
    /// The pipeline. Where the element at a cut is dropped it has the rules that close a truncated text too, if the configuration lets them be enabled:
    /// what they lose is in that element.
    pub(crate) fn pipeline(self, config: &Config, catalogue: &Catalogue) -> Result<Pipeline, ConfigError> {
        const CLOSING: [&str; 4] = ["cut-member", "cut-escape", "unclosed-string", "unclosed-container"];
        if matches!(self, Self::Refuse | Self::Keep) {
            return Pipeline::new(config, catalogue);
        }
        let known = CLOSING.iter().filter(|rule| catalogue.rule(rule).is_some());
        let closing = known.fold(config.clone(), |config, rule| config.with_enabled(rule));
        Pipeline::new(&closing, catalogue).or_else(|_| Pipeline::new(config, catalogue))
    }
}

/// The text of a truncated answer without the element at the cut, and that element; `None` if this is not for the policy to take.
pub(crate) fn without_incomplete<'r>(
    repaired: &'r Repaired<'_>,
    policy: Incomplete,
) -> Option<(Cow<'r, str>, Option<DroppedItem>)> {
    let open = repaired.open_arrays();
    let array = match policy {
        Incomplete::Drop => open.last(),
        Incomplete::DropOuter => open.first(),
        Incomplete::Refuse | Incomplete::Keep => None,
    };
    let OpenArray { path, incomplete, .. } = array?;
    let text = repaired.text();
    let Some(element) = incomplete else { return Some((Cow::Borrowed(text), None)) };
    let left = [text.get(..element.removal.start)?, text.get(element.removal.end..)?].concat();
    let dropped = DroppedItem {
        path: format!("{path}/{}", element.index),
        index: element.index,
        span: Some(element.span.clone()),
        violations: Vec::new(),
    };
    Some((Cow::Owned(left), Some(dropped)))
}
