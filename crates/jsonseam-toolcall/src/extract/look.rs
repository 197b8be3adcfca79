//! Looks for what is like a call in the parts of a text that hold none.

use std::ops::Range;

use serde_json::Value;

use super::{Extractor, Pass, gaps};
use crate::cursor::Stop;
use crate::likeness::{ENVELOPE_KEYS, holds_call, looks_like_call};
use crate::pack::HeadKeys;
use crate::passed::{Passed, PassedOver};
use crate::reader::Reader;
use crate::template::Match;

/// Most entries of one reading.
const MAX_ENTRIES: usize = 64;
/// How often the text may be read to find them: what is broken is read again from the next bracket on.
const MAX_READINGS: usize = 4;

/// A part of the text, and why nothing in it is a call; `None` for what the model says.
type Stretch = (Range<usize>, Option<Passed>);

impl Extractor {
    /// Everything in the text that looks like a call and is not one, by position.
    pub(super) fn passed_over(&self, reader: &Reader<'_, '_>, pass: &Pass) -> Vec<PassedOver> {
        let reader = &Reader { pipeline: None, ..*reader };
        let unread = pass.unread.iter().map(|broken| (Passed::Unread, broken.mark.clone()));
        let echoes = pass.echoes.iter().map(|echo| (Passed::Repeated, echo.clone()));
        let passed = unread.chain(echoes).map(|(reason, span)| PassedOver { reason, span }).collect();
        let left = MAX_READINGS * reader.text.len() + 4_096;
        let mut look = Look { extractor: self, reader, words: Word::all(reader), left, passed };
        for (part, reason) in parts(reader.text.len(), pass) {
            match reason {
                Some(reason) => {
                    let first = look.first_in(part);
                    look.passed.extend(first.map(|span| PassedOver { reason, span }));
                }
                None => look.among_words(part),
            }
        }
        let mut passed = look.passed;
        passed.sort_by_key(|passed| (passed.span.start, passed.span.end));
        passed.dedup_by(|later, earlier| later.span.start < earlier.span.end);
        passed.truncate(MAX_ENTRIES);
        passed
    }
}

/// What a word in a JSON text may be.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Part {
    /// The key of the name of a tool.
    Name,
    /// The key of arguments.
    Arguments,
    /// The key of what holds calls.
    Holder,
    /// The escape of a letter that a key may have.
    Letter,
}

/// What a JSON text spells if it has a key of a call.
struct Word {
    spelled: String,
    part: Part,
    /// Where it was looked for last, and where it is next from there on.
    known: (usize, usize),
}

impl Word {
    /// The keys of a call, and what may spell a letter of one.
    fn all(reader: &Reader<'_, '_>) -> Vec<Self> {
        let HeadKeys { names, arguments } = reader.head_keys;
        let keys = names.iter().map(|key| (key.as_str(), Part::Name));
        let keys = keys.chain(arguments.iter().map(|key| (key.as_str(), Part::Arguments)));
        let keys = keys.chain(ENVELOPE_KEYS.map(|key| (key, Part::Holder)));
        let keys = keys.map(|(key, part)| (format!("\"{key}\""), part));
        // Keys are letters and underscores: U+0041 to U+007A.
        let letters = ["\\u004", "\\u005", "\\u006", "\\u007"].map(|escape| (escape.to_owned(), Part::Letter));
        let words = keys.chain(letters).filter(|(spelled, _)| reader.finder.may_occur(spelled));
        words.map(|(spelled, part)| Self { spelled, part, known: (1, 0) }).collect()
    }

    /// Whether the text spells it in `span`.
    fn is_in(&mut self, reader: &Reader<'_, '_>, span: &Range<usize>) -> bool {
        let mut pos = span.start;
        loop {
            if !(self.known.0..=self.known.1).contains(&pos) {
                self.known = (pos, reader.finder.find(&self.spelled, pos).unwrap_or(usize::MAX));
            }
            if self.known.1 >= span.end {
                return false;
            }
            pos = self.known.1 + self.spelled.len();
            let after = reader.text.get(pos..span.end).unwrap_or_default();
            if self.part == Part::Letter || after.trim_start().starts_with(':') {
                return true;
            }
        }
    }
}

/// Looks for what is like a call, within a budget.
struct Look<'l, 'r, 'a> {
    extractor: &'l Extractor,
    reader: &'l Reader<'r, 'a>,
    words: Vec<Word>,
    /// How many bytes may still be read.
    left: usize,
    passed: Vec<PassedOver>,
}

impl Look<'_, '_, '_> {
    fn is_done(&self) -> bool {
        self.passed.len() > MAX_ENTRIES || self.left == 0
    }

    /// The first thing in a part that looks like a call.
    fn first_in(&mut self, part: Range<usize>) -> Option<Range<usize>> {
        if self.is_done() {
            return None;
        }
        let formats = &self.extractor.packs.formats;
        let heads = formats.iter().flat_map(|format| format.heads.iter().map(move |head| (format, head)));
        let tags = self.extractor.tools.tags();
        let found = heads.filter_map(|(format, head)| {
            let find = |mark: &str| self.reader.finder.find(mark, part.start).filter(|&at| at < part.end);
            let at = if format.row.named_by_tool {
                tags.iter().filter_map(|tag| find(tag)).min()?
            } else {
                find(head.anchor())?
            };
            Some((at, format, head.match_at(self.reader.text, at).ok()?))
        });
        let mut found: Vec<_> = found.collect();
        found.sort_by_key(|(at, ..)| *at);
        let marked = found.into_iter().find_map(|(at, format, head)| {
            let end = self.reader.calls(format, &head).ok().map(|(_, end)| end).filter(|&end| end <= part.end);
            self.left = self.left.saturating_sub(end.unwrap_or(self.reader.text.len()) - at);
            let is_soft = format.row.soft && head.hole("name").is_none();
            (end.is_some() || !is_soft).then(|| at..end.unwrap_or(head.end))
        });
        let limit = marked.as_ref().map_or(part.end, |marked| marked.start);
        let known = self.passed.len();
        self.among_words(part.start..limit);
        let bare = self.passed.drain(known..).next();
        bare.map(|passed| passed.span).or(marked)
    }

    /// What among words looks like a bare call. A value that was read is passed over as a whole.
    fn among_words(&mut self, part: Range<usize>) {
        let mut pos = part.start;
        while !self.is_done() {
            let bytes = self.reader.text.as_bytes().get(pos..part.end).unwrap_or_default();
            let Some(at) = memchr::memchr2(b'{', b'[', bytes).map(|offset| pos + offset) else { return };
            let (reason, end) = self.looked_at(at);
            self.passed.extend(reason.map(|reason| PassedOver { reason, span: at..end.min(part.end) }));
            pos = end;
        }
    }

    /// What is at an opening bracket, and where it ends: a reason if it looks like a call.
    fn looked_at(&mut self, at: usize) -> (Option<Passed>, usize) {
        let (reader, rest) = (self.reader, self.reader.text.len() - at);
        let (end, is_whole) = reader.value_end(at);
        self.left = self.left.saturating_sub(end - at);
        if is_whole {
            let text = reader.text.get(at..end).unwrap_or_default();
            if !self.may_hold_call(&(at..end)) {
                return (None, end);
            }
            let value: Value = serde_json::from_str(text).unwrap_or_default();
            let keys = reader.head_keys;
            let is_call = |value: &Value| looks_like_call(value, keys);
            let is_call = is_call(&value) || value.as_array().is_some_and(|list| list.iter().any(is_call));
            let reason =
                if is_call { Some(self.reason_at(at)) } else { holds_call(&value, keys).then_some(Passed::Data) };
            return (reason, end);
        }
        if !reader.is_like_call(at, true) {
            return (None, at + 1);
        }
        // What cannot be read may have been read to its end.
        self.left = self.left.saturating_sub(rest);
        match self.extractor.bare_at(reader, at, reader.text.len()) {
            Ok(found) => {
                let is_offered = found.calls.iter().all(|call| !self.extractor.tools.forbids(&call.name));
                (Some(if is_offered { Passed::Inline } else { Passed::NotOffered }), found.span.end)
            }
            Err(_) => (Some(Passed::Unread), at + 1),
        }
    }

    /// Whether a JSON text may look like a call, or hold what does: it names a tool and has arguments, or has what holds calls.
    fn may_hold_call(&mut self, span: &Range<usize>) -> bool {
        let reader = self.reader;
        let mut has = |part: Part| self.words.iter_mut().any(|word| word.part == part && word.is_in(reader, span));
        has(Part::Letter) || has(Part::Holder) || has(Part::Arguments) && has(Part::Name)
    }

    /// Why the JSON value at `at`, which looks like a call, is not one.
    fn reason_at(&self, at: usize) -> Passed {
        let bare = self.extractor.packs.formats.iter().filter(|format| format.heads.is_empty());
        let mut reads = bare.map(|format| self.reader.calls(format, &Match::at(at)));
        match reads.find(|read| !matches!(read, Err(Stop::Malformed(_) | Stop::Cut))) {
            Some(Ok((calls, _))) if calls.iter().any(|call| self.extractor.tools.forbids(&call.name)) => {
                Passed::NotOffered
            }
            Some(Err(Stop::Repeated(_))) => Passed::Repeated,
            Some(Err(_)) => Passed::Data,
            _ => Passed::Inline,
        }
    }
}

/// The parts of the text that hold no call, by position, each once.
fn parts(len: usize, pass: &Pass) -> Vec<Stretch> {
    let hidden = pass.hidden.iter().map(|span| (span.clone(), Some(Passed::Thought)));
    let quoted = pass.quoted.iter().map(|span| (span.clone(), Some(Passed::Quoted)));
    let words = gaps(0..pass.end, &pass.taken_or_quoted()).into_iter().map(|span| (span, None));
    let mut parts: Vec<Stretch> = hidden.chain(quoted).chain(words).filter(|(span, _)| span.start < pass.end).collect();
    parts.sort_by_key(|(span, _)| (span.start, span.end));
    parts.extend((pass.end < len).then_some((pass.end..len, Some(Passed::OtherTurn))));
    parts
}
