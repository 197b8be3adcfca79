//! A part of a completion, as a locator sees it: what is read of it is counted.

use std::cell::Cell;
use std::ops::Range;

use super::seen::{NEEDLE, Seen};
use crate::debug::debug_facts;
use crate::looking::ahead::CountedText;
use crate::looking::peek::text_to;
use crate::reading::wanted::{Policy, Root};

/// A part of the completion in which a payload may lie.
///
/// Offsets are bytes of the completion. What is read of it is counted.
pub struct Region<'r> {
    pub(super) completion: &'r str,
    pub(super) span: Range<usize>,
    pub(super) root: Root,
    pub(super) policy: Policy,
    pub(super) max_depth: u8,
    pub(super) examined: &'r Cell<u64>,
    pub(super) seen: &'r Seen,
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
    pub(crate) fn new(
        completion: &'r str,
        span: Range<usize>,
        root: Root,
        policy: Policy,
        max_depth: u8,
        examined: &'r Cell<u64>,
        seen: &'r Seen,
    ) -> Self {
        let span = trim(completion, span);
        Self { completion, span, root, policy, max_depth, examined, seen }
    }

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

    /// The whole text of the region. It counts as read once, however many locators ask for it.
    pub fn text(&self) -> &'r str {
        let span = (self.span.start, self.span.end);
        if self.seen.read.replace(Some(span)) != Some(span) {
            self.charge(self.span.len());
        }
        self.completion.get(self.span()).unwrap_or_default()
    }

    pub(super) fn charge(&self, bytes: usize) {
        self.examined.set(self.examined.get() + bytes as u64);
    }

    /// What `ask` says of the text up to the region's end; what it reads of that is counted.
    pub(super) fn counted<T>(&self, ask: impl FnOnce(&CountedText<'_>) -> T) -> T {
        let text = text_to(self.completion, self.span.end);
        let said = ask(&text);
        self.examined.set(self.examined.get() + text.examined());
        said
    }

    /// Whether the region starts with `text`.
    pub fn starts_with(&self, text: &str) -> bool {
        self.slice(self.span.start..(self.span.start + text.len()).min(self.span.end)) == text
    }

    /// The bytes of the region. Whoever reads them counts them.
    pub(super) fn bytes(&self) -> &'r [u8] {
        self.completion.as_bytes().get(self.span()).unwrap_or_default()
    }

    /// Whether the region holds `text`; of a single character, whether the completion holds its bytes.
    pub(super) fn may_hold(&self, text: &str) -> bool {
        if text.len() == 1 || text.chars().nth(1).is_none() {
            self.holds(text.as_bytes())
        } else {
            self.find(text, self.span.start).is_some()
        }
    }

    /// Whether the completion holds every one of these bytes. Each byte is looked for once, many bytes of the completion at a time.
    ///
    /// Most completions hold no `<` and no back-tick: a locator that looks for one asks this first.
    pub fn holds(&self, bytes: &[u8]) -> bool {
        self.charge(1);
        bytes.iter().all(|&byte| {
            self.seen.holds(byte).unwrap_or_else(|| {
                let (holds, steps) = self.seen.look_for(byte, self.completion);
                self.charge(steps);
                holds
            })
        })
    }

    /// Where the region holds any of these three bytes, many bytes at a time. All of it counts as read.
    pub fn places_of(&self, bytes: [u8; 3]) -> impl Iterator<Item = usize> {
        let (start, text) = (self.span.start, self.text().as_bytes());
        // The fewer are looked for, the faster it goes; some are known not to be there.
        let (mut held, mut count) = (bytes, 0);
        for byte in bytes {
            if !held[..count].contains(&byte) && self.seen.holds(byte) != Some(false) {
                held[count] = byte;
                count += 1;
            }
        }
        let [one, two, three] = held;
        let mut pos = 0;
        std::iter::from_fn(move || {
            let rest = &text[pos..];
            let found = match count {
                0 => None,
                1 => memchr::memchr(one, rest),
                2 => memchr::memchr2(one, two, rest),
                _ => memchr::memchr3(one, two, three, rest),
            };
            pos += found? + 1;
            Some(start + pos - 1)
        })
    }

    /// Where `needle` next occurs, from `from` on. A search that a former one covers is free, if `needle` has at most 16 bytes.
    pub fn find(&self, needle: &str, from: usize) -> Option<usize> {
        let span = from.max(self.span.start)..self.span.end;
        let text = self.completion.get(span.clone())?;
        let (is_known, found) = self.seen.found(needle, &span);
        if is_known {
            self.charge(1);
            return found;
        }
        let found = find(text.as_bytes(), needle.as_bytes(), |byte| self.holds(&[byte]));
        self.charge(found.map_or(text.len(), |found| found + needle.len()));
        let found = found.map(|offset| span.start + offset);
        self.seen.remember(needle, span, found);
        found
    }

    /// The text of `span`, which counts as read. Empty if it is not on character boundaries inside the region.
    pub fn slice(&self, span: Range<usize>) -> &'r str {
        if span.start < self.span.start || span.end > self.span.end {
            return "";
        }
        self.charge(span.len());
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
            self.charge(len + 1);
            Some(Line { start, text: rest.get(..len).unwrap_or_default() })
        })
    }

    /// The last occurrence of `needle` in the region.
    pub fn rfind(&self, needle: char) -> Option<usize> {
        let text = self.completion.get(self.span()).unwrap_or_default();
        let found = match u8::try_from(needle) {
            Ok(byte) if needle.is_ascii() => memchr::memrchr(byte, text.as_bytes()),
            _ => text.rfind(needle),
        };
        self.charge(text.len() - found.unwrap_or(0));
        found.map(|offset| self.span.start + offset)
    }
}

/// Where `needle` begins in `text`. `holds` tells of a byte whether it is anywhere at all.
///
/// A short one with a byte that is rare in JSON is looked for by that byte: what a search of the library finds out beforehand costs more.
fn find(text: &[u8], needle: &[u8], holds: impl Fn(u8) -> bool) -> Option<usize> {
    let Some((at, &rarest)) = needle.iter().enumerate().min_by_key(|(_, byte)| commonness(**byte)) else {
        return Some(0);
    };
    if !holds(rarest) {
        return None;
    }
    if needle.len() > NEEDLE || commonness(rarest) > 1 {
        return memchr::memmem::find(text, needle);
    }
    let begins = |found: usize| found.checked_sub(at).filter(|&start| text[start..].starts_with(needle));
    let mut places = memchr::memchr_iter(rarest, text);
    for _ in 0..RARE {
        if let Some(start) = begins(places.next()?) {
            return Some(start);
        }
    }
    // It is not rare here.
    let from = places.next()?.saturating_sub(at);
    memchr::memmem::find(&text[from..], needle).map(|start| from + start)
}

/// How often the rarest byte may turn up before it is not rare.
const RARE: usize = 16;

/// How common a byte is in JSON and in prose, by and large.
const fn commonness(byte: u8) -> u8 {
    match byte {
        b' ' | b'"' | b'e' | b't' | b'a' | b'o' | b'i' | b'n' | b's' | b'r' => 3,
        b'a'..=b'z' | b',' | b':' | b'0'..=b'9' => 2,
        b'{' | b'}' | b'[' | b']' | b'.' | b'\n' | b'A'..=b'Z' => 1,
        _ => 0,
    }
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
