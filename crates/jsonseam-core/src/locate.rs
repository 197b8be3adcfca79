//! Where in a completion a payload could lie: what a locator sees, and what it answers (SPEC P2 to P4).
//!
//! Region locators narrow the completion one after the other; payload locators then find the payload in what is left.
//! They make no edit. Only a locator that is declared with a risk may propose some, for a payload that cannot be read without.

use std::cell::Cell;
use std::fmt;
use std::ops::Range;

use crate::config::{Policy, Root};
use crate::edit::Edits;

/// A part of the completion in which a payload may lie.
///
/// Offsets are bytes of the completion. What is read of it is counted.
pub struct Region<'r> {
    completion: &'r str,
    span: Range<usize>,
    root: Root,
    policy: Policy,
    examined: &'r Cell<u64>,
}

impl fmt::Debug for Region<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        formatter.debug_struct("Region").field("span", &self.span).field("root", &self.root).finish_non_exhaustive()
    }
}

/// One line of a region, without its line feed.
#[derive(Debug, Clone)]
pub struct Line<'r> {
    /// Where it starts.
    pub start: usize,
    /// Its text.
    pub text: &'r str,
}

impl<'r> Region<'r> {
    pub(crate) fn new(
        completion: &'r str,
        span: Range<usize>,
        root: Root,
        policy: Policy,
        examined: &'r Cell<u64>,
    ) -> Self {
        let span = trim(completion, span);
        Self { completion, span, root, policy, examined }
    }

    /// Where the region lies. It neither starts nor ends with white space, nor starts with a byte order mark.
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

    /// Whether the region starts with `text`.
    pub fn starts_with(&self, text: &str) -> bool {
        self.slice(self.span.start..(self.span.start + text.len()).min(self.span.end)) == text
    }

    /// Where `needle` next occurs, from `from` on.
    pub fn find(&self, needle: &str, from: usize) -> Option<usize> {
        let text = self.completion.get(from.max(self.span.start)..self.span.end)?;
        let found = memchr::memmem::find(text.as_bytes(), needle.as_bytes());
        self.examined.set(self.examined.get() + found.map_or(text.len(), |found| found + needle.len()) as u64);
        found.map(|offset| from.max(self.span.start) + offset)
    }

    /// The text of `span`, which counts as read. Empty if it is not on character boundaries inside the region.
    pub fn slice(&self, span: Range<usize>) -> &'r str {
        if span.start < self.span.start || span.end > self.span.end {
            return "";
        }
        self.examined.set(self.examined.get() + span.len() as u64);
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
            self.examined.set(self.examined.get() + len as u64 + 1);
            Some(Line { start, text: rest.get(..len).unwrap_or_default() })
        })
    }

    /// The last occurrence of `needle` in the region.
    pub fn rfind(&self, needle: char) -> Option<usize> {
        let text = self.completion.get(self.span()).unwrap_or_default();
        let found = text.rfind(needle);
        self.examined.set(self.examined.get() + (text.len() - found.unwrap_or(0)) as u64);
        found.map(|offset| self.span.start + offset)
    }

    /// Where the payload of the wanted root starts: the first `{` or `[` that is more than a mention in prose (SPEC P2, P3).
    pub fn payload_start(&self) -> Option<usize> {
        let text = self.slice(self.span());
        let opener = first_opener(text, self.root)?;
        Some(self.span.start + opener)
    }

    /// Whether a `{` or `[` before `pos` is still open there.
    pub fn is_bracket_open_at(&self, pos: usize) -> bool {
        unclosed(self.slice(self.span.start..pos).as_bytes(), b"{[").is_some()
    }

    /// The spans of all bracketed texts of the wanted root, disjoint, in one pass that knows double-quoted strings.
    /// The last one reaches to the region's end if it is not closed, closed wrongly, or not ended by its closer (SPEC P2).
    pub fn bracketed(&self) -> Vec<Range<usize>> {
        let Some(first) = self.payload_start() else {
            return Vec::new();
        };
        let text = self.slice(first..self.span.end);
        let mut spans = Vec::new();
        let mut start = None;
        let mut open = Vec::new();
        let mut strings = Strings::default();
        for (offset, byte) in text.bytes().enumerate() {
            match byte {
                _ if start.is_some() && strings.hides(byte) => {}
                b'{' | b'[' if start.is_some() || opens(byte, self.root) => {
                    start = start.or(Some(first + offset));
                    open.push(byte);
                }
                // A closer of the wrong kind: what follows belongs to this payload too, and is no candidate of its own.
                b'}' | b']' if open.last().is_some_and(|opener| opener + 2 != byte) => break,
                b'}' | b']' if open.pop().is_some() && open.is_empty() => {
                    let rest = text.get(offset + 1..).unwrap_or_default();
                    if rest.trim_start().starts_with([',', ':', '}', ']']) {
                        break;
                    }
                    spans.extend(start.take().map(|start| start..first + offset + 1));
                }
                _ => {}
            }
        }
        spans.extend(start.map(|start| start..self.span.end));
        spans
    }
}

/// Whether `byte` opens a payload of this root.
pub(crate) fn opens(byte: u8, root: Root) -> bool {
    match root {
        Root::Object => byte == b'{',
        Root::Array => byte == b'[',
        Root::Any => matches!(byte, b'{' | b'['),
    }
}

fn first_opener(text: &str, root: Root) -> Option<usize> {
    let first_object = memchr::memchr(b'{', text.as_bytes());
    match root {
        Root::Object => first_object,
        Root::Array => memchr::memchr(b'[', text.as_bytes()),
        // A bracket pair in prose before an object is a citation; an unclosed one holds the object,
        // and one that the text starts with, and that no word follows, is a payload of its own.
        Root::Any => match first_object {
            Some(object) => {
                let before = &text.as_bytes()[..object];
                let is_payload = text.starts_with('[')
                    && before
                        .iter()
                        .rposition(|&byte| byte == b']')
                        .is_none_or(|end| !before[end..].iter().any(u8::is_ascii_alphanumeric));
                if is_payload { Some(0) } else { unclosed(before, b"[").or(Some(object)) }
            }
            None => memchr::memchr(b'[', text.as_bytes()),
        },
    }
}

/// The outermost opener of `text`, among `openers`, that no closer closes. Inside brackets, double quotes hide other brackets.
pub(crate) fn unclosed(text: &[u8], openers: &[u8]) -> Option<usize> {
    let mut outermost = 0;
    let mut depth = 0_usize;
    let mut strings = Strings::default();
    for (pos, &byte) in text.iter().enumerate() {
        if depth > 0 && strings.hides(byte) {
            continue;
        }
        if openers.contains(&byte) {
            if depth == 0 {
                outermost = pos;
            }
            depth += 1;
        } else if openers.iter().any(|opener| opener + 2 == byte) {
            // In ASCII a closing bracket stands two behind its opener.
            depth = depth.saturating_sub(1);
            if depth == 0 {
                strings = Strings::default();
            }
        }
    }
    (depth > 0).then_some(outermost)
}

/// Tells bytes inside double-quoted strings from those outside.
#[derive(Debug, Clone, Copy, Default)]
struct Strings {
    is_inside: bool,
    is_escaped: bool,
}

impl Strings {
    /// Whether the next byte is part of a string, its quotes included.
    fn hides(&mut self, byte: u8) -> bool {
        match byte {
            _ if self.is_escaped => self.is_escaped = false,
            b'\\' if self.is_inside => self.is_escaped = true,
            b'"' => {
                self.is_inside = !self.is_inside;
                return true;
            }
            _ => {}
        }
        self.is_inside
    }
}

/// `span` without white space at both ends and without a byte order mark at its start.
pub(crate) fn trim(completion: &str, span: Range<usize>) -> Range<usize> {
    let text = completion.get(span.clone()).unwrap_or_default();
    let start = text.trim_start();
    let start = start.strip_prefix('\u{FEFF}').map_or(start, str::trim_start);
    let trimmed = start.trim_end();
    let from = span.start + (text.len() - start.len());
    from..from + trimmed.len()
}

/// What locators found: the parts of a region that count from here on.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Candidates {
    found: Vec<Candidate>,
    max: usize,
    has_overflowed: bool,
}

/// One place where a payload could lie.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Candidate {
    pub(crate) span: Range<usize>,
    pub(crate) ending: Ending,
    /// What its locator edits before anything is read.
    pub(crate) edits: Option<Edits>,
    /// Whether it counts only where nothing preferred fits as well.
    pub(crate) is_passed_over: bool,
}

impl Candidate {
    /// A candidate without edits.
    pub(crate) fn plain(span: Range<usize>, ending: Ending) -> Self {
        Self { span, ending, edits: None, is_passed_over: false }
    }
}

/// Where a candidate's payload ends.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Ending {
    /// At the span's end.
    Exact,
    /// At the span's end, unless more belongs to it.
    Provisional,
    /// Where its root closes.
    RootClose,
}

impl Candidates {
    pub(crate) fn new(max: usize) -> Self {
        Self { found: Vec::new(), max, has_overflowed: false }
    }

    /// A region or payload that is exactly `span`, white space at its ends aside. The preferred one comes first.
    pub fn push(&mut self, span: Range<usize>) {
        self.add(Candidate::plain(span, Ending::Exact));
    }

    /// A payload that starts `span` and ends where its root closes; at the span's end if it never does.
    pub fn push_open_ended(&mut self, span: Range<usize>) {
        self.add(Candidate::plain(span, Ending::RootClose));
    }

    /// A payload that ends with `span`, unless its text shows that more belongs to it: then it is read up to the region's end.
    pub fn push_provisional(&mut self, span: Range<usize>) {
        self.add(Candidate::plain(span, Ending::Provisional));
    }

    /// A region that the locator passes over for another, like an untagged block beside a tagged one.
    /// With the policy `best` it counts where nothing preferred fits the contract as well; with any other it does not.
    pub fn push_passed_over(&mut self, span: Range<usize>) {
        self.add(Candidate { is_passed_over: true, ..Candidate::plain(span, Ending::Exact) });
    }

    /// A payload that can be read only after `edits`: they are made first, in order, inside `span`.
    /// The payload starts the edited text and ends where its root closes.
    ///
    /// For locators that are declared with a risk. Edits that are out of order, leave `span`, split a character or change nothing are a defect
    /// of the locator, and the candidate does not count.
    pub fn push_edited(&mut self, span: Range<usize>, edits: Edits) {
        self.add(Candidate { edits: Some(edits), ..Candidate::plain(span, Ending::RootClose) });
    }

    fn add(&mut self, candidate: Candidate) {
        if self.found.len() < self.max {
            self.found.push(candidate);
        } else {
            self.has_overflowed = true;
        }
    }

    pub(crate) fn has_overflowed(&self) -> bool {
        self.has_overflowed
    }

    pub(crate) fn into_found(self) -> Vec<Candidate> {
        self.found
    }
}
