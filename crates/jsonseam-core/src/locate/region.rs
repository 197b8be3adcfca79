//! A part of a completion, as a locator sees it: what is read of it is counted.

use std::cell::Cell;
use std::ops::Range;

use super::seen::{STEP, Seen};
use crate::derived::debug_facts;
use crate::looking::ahead::{Ahead, CountedText};
use crate::reading::wanted::{Policy, Root};
use crate::reading::work::Work;

/// A part of the completion in which a payload may lie.
///
/// Offsets are bytes of the completion. What is read of it is counted, and it is best read with a cursor ([`Region::at`]).
pub struct Region<'r> {
    pub(crate) completion: &'r str,
    /// The completion up to the region's end.
    pub(crate) read: CountedText<'r>,
    /// Without white space and a byte order mark, as [`trim`] leaves it.
    pub(crate) span: Range<usize>,
    pub(crate) root: Root,
    pub(crate) policy: Policy,
    pub(crate) max_depth: u8,
    /// What was spent on all regions.
    pub(crate) work: &'r Cell<Work>,
    pub(crate) seen: &'r Seen,
}

impl Drop for Region<'_> {
    fn drop(&mut self) {
        self.account();
    }
}

debug_facts!(Region<'_>, |region| span: region.span, root: region.root);

/// One line of a region, without its line feed.
#[derive(Debug, Clone)]
#[non_exhaustive]
pub struct Line<'r> {
    /// Where it starts.
    pub start: usize,
    /// Its text.
    pub text: &'r str,
}

impl<'r> Region<'r> {
    /// Where the region is. It neither starts nor ends with white space, nor starts with a byte order mark.
    pub fn span(&self) -> Range<usize> {
        self.span.clone()
    }

    /// The kind of payload that is wanted.
    pub fn root(&self) -> Root {
        self.root
    }

    /// Whether the first payload alone is wanted, so that a locator need not look further.
    pub fn wants_first_only(&self) -> bool {
        self.policy == Policy::First
    }

    /// A cursor at the byte `pos`, which sees the completion up to the region's end.
    ///
    /// ```
    /// use jsonseam_core::Region;
    ///
    /// /// Whether the region starts with a key and its colon, as members do that have lost their brace.
    /// fn starts_with_member(region: &Region<'_>) -> bool {
    ///     region.at(region.span().start).has_key()
    /// }
    /// ```
    pub fn at(&self, pos: usize) -> Ahead<'_> {
        self.read.at(pos)
    }

    /// The whole text of the region. It counts as read once, however many locators ask for it.
    pub fn text(&self) -> &'r str {
        let span = (self.span.start, self.span.end);
        if self.seen.read.replace(Some(span)) != Some(span) {
            self.read.charge(self.span.len());
        }
        self.completion.get(self.span()).unwrap_or_default()
    }

    /// Adds what was read of it to what is read of all regions.
    pub(crate) fn account(&self) {
        self.work.update(|work| work.and_examined(self.read.examined()));
        self.read.count_from(0);
    }

    /// Whether the region starts with `text`.
    pub fn starts_with(&self, text: &str) -> bool {
        self.at(self.span.start).starts_with(text)
    }

    /// The bytes of the region. Whoever reads them counts them.
    pub(super) fn bytes(&self) -> &'r [u8] {
        self.completion.as_bytes().get(self.span()).unwrap_or_default()
    }

    /// Whether the region may hold `text`: of several characters, whether it does; of a single one, whether the completion holds its bytes.
    /// It is looked for many bytes at a time.
    ///
    /// Most completions hold no `<` and no back-tick: a locator that looks for one asks this first.
    pub fn may_hold(&self, text: &str) -> bool {
        if text.chars().nth(1).is_none() {
            return text.bytes().all(|byte| self.holds_byte(byte));
        }
        let found = memchr::memmem::find(self.bytes(), text.as_bytes());
        self.read.charge(found.unwrap_or(self.span.len()).div_ceil(STEP));
        found.is_some()
    }

    /// Whether the completion holds this byte, which is looked for once.
    fn holds_byte(&self, byte: u8) -> bool {
        self.read.charge(1);
        self.seen.holds(byte).unwrap_or_else(|| {
            let (holds, steps) = self.seen.look_for(byte, self.completion);
            self.read.charge(steps);
            holds
        })
    }

    /// Where the region holds any of these three bytes, many bytes at a time. All of it counts as read.
    pub fn places_of(&self, bytes: [u8; 3]) -> impl Iterator<Item = usize> {
        let [one, two, three] = bytes;
        memchr::memchr3_iter(one, two, three, self.text().as_bytes()).map(|offset| self.span.start + offset)
    }

    /// Where `needle` next occurs, from `from` on. It is remembered, like every search of a cursor.
    pub fn find(&self, needle: &'static str, from: usize) -> Option<usize> {
        self.at(from.max(self.span.start)).find(needle)
    }

    /// The text of `span`, which counts as read. Empty if it is not on character boundaries inside the region.
    pub fn slice(&self, span: Range<usize>) -> &'r str {
        if span.start < self.span.start || span.end > self.span.end {
            return "";
        }
        self.read.charge(span.len());
        self.completion.get(span).unwrap_or_default()
    }

    /// The lines of the region from `from` on. Each counts as read when it is reached.
    pub fn lines(&self, from: usize) -> impl Iterator<Item = Line<'r>> {
        let mut pos = from.max(self.span.start);
        std::iter::from_fn(move || {
            let rest = self.completion.get(pos..self.span.end).filter(|rest| !rest.is_empty())?;
            let len = memchr::memchr(b'\n', rest.as_bytes()).unwrap_or(rest.len());
            let start = pos;
            pos += len + 1;
            self.read.charge(len + 1);
            Some(Line { start, text: rest.get(..len).unwrap_or_default() })
        })
    }

    /// Where `byte`, an ASCII character, is last in the region.
    pub fn rfind(&self, byte: u8) -> Option<usize> {
        let found = memchr::memrchr(byte, self.bytes());
        self.read.charge(self.span.len() - found.unwrap_or(0));
        found.map(|offset| self.span.start + offset)
    }
}

/// Whether nothing but blanks precedes `pos` on its line.
///
/// ```
/// use jsonseam_core::begins_line;
///
/// assert!(begins_line(b"So:\n  {}", 6) && !begins_line(b"So: {}", 4));
/// ```
pub fn begins_line(text: &[u8], pos: usize) -> bool {
    let last = text.get(..pos).unwrap_or_default().iter().rfind(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
    matches!(last, None | Some(b'\n'))
}

/// Whether nothing but blanks follows on the line from `pos` on.
pub(crate) fn ends_line(text: &[u8], pos: usize) -> bool {
    let next = text.get(pos..).unwrap_or_default().iter().find(|byte| !matches!(byte, b' ' | b'\t' | b'\r'));
    matches!(next, None | Some(b'\n'))
}

/// `span` without white space at both ends and without a byte order mark at its start.
pub(crate) fn trim(completion: &str, span: Range<usize>) -> Range<usize> {
    let text = completion.get(span.clone()).unwrap_or_default();
    let is_mark = |byte: Option<&u8>| byte.is_some_and(u8::is_ascii_graphic);
    if is_mark(text.as_bytes().first()) && is_mark(text.as_bytes().last()) {
        return span;
    }
    let start = text.trim_start();
    let start = start.strip_prefix('\u{FEFF}').map_or(start, str::trim_start);
    let trimmed = start.trim_end();
    let from = span.start + (text.len() - start.len());
    from..from + trimmed.len()
}
