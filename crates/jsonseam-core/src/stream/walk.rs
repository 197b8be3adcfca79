//! A second, small reading of what is settled: each byte once, and from it the events.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fmt;
use std::ops::Range;

use jsonseam_text::{Name, floor_char_boundary, pointer};

use super::sign::Sign;

use crate::derived::debug_facts;
use crate::edits::journal::Entry;
use crate::edits::risk::Risk;
use crate::engine::rules::RuleInfo;
use crate::reading::limits::MAX_DEPTH;
use crate::reading::recognise::{State, Stop, TokenKind, Trace, finish, run};
use crate::reading::token::Container;
use crate::results::repaired::AppliedEdit;

/// The settled text, and what was told of it.
#[derive(Debug, Default)]
pub(super) struct Walk {
    pub(super) text: String,
    pub(super) state: State,
    pub(super) heard: Heard,
    /// The open containers, of what was told.
    levels: Vec<Level>,
    /// Where the text starts in the completion.
    start: usize,
    /// The edits in the text, and how many of them were told.
    seams: Vec<Seam>,
    told_seams: usize,
    /// Up to where the string was told that is told in pieces.
    told: usize,
    /// The risk of the seams inside the next scalar.
    risk: Option<Risk>,
    /// Whether nothing more will be settled.
    is_ended: bool,
}

#[derive(Debug, Clone)]
struct Told {
    kind: TokenKind,
    span: Range<usize>,
}

/// An open container.
#[derive(Debug, Clone)]
pub(super) struct Level {
    pub(super) kind: Container,
    /// Where it starts.
    start: usize,
    /// Its latest key, quotes included, or how many elements came before the latest one.
    key: Range<usize>,
    index: usize,
    risk: Option<Risk>,
}

/// An edit: where its replacement is in the settled text, and what it replaces. All text between two edits is as it was written.
#[derive(Debug, Clone)]
struct Seam {
    at: Range<usize>,
    source: Range<usize>,
    rule: u16,
}

/// What a stream reports, each once and for good.
///
/// `Debug` shows no text of the payload; the fields do.
#[derive(Clone)]
#[non_exhaustive]
pub enum Event<'s> {
    /// The payload starts at this byte of the completion.
    Payload {
        /// The byte.
        start: usize,
        /// What says so.
        sign: Sign,
    },
    /// An object or an array begins. Its kind never changes.
    Begin {
        /// Where it is.
        path: Path<'s>,
        /// Which of both it is.
        kind: Container,
    },
    /// The next piece of a string value, decoded. The pieces of a string join to its value.
    Text {
        /// Where the string is.
        path: Path<'s>,
        /// The piece; never half a surrogate pair.
        text: Cow<'s, str>,
        /// The same as JSON text, without quotation marks: where `text` has U+FFFD for a lone half of a surrogate pair, this has the half.
        json: &'s str,
    },
    /// A value is whole. It is final whatever follows.
    Done {
        /// Where it is.
        path: Path<'s>,
        /// Its JSON text.
        json: &'s str,
        /// The bytes of the completion that it was read from.
        span: Range<usize>,
        /// The highest risk of the edits in it; `None` without edits.
        risk: Option<Risk>,
    },
    /// An edit was made, for good. In the order of their places.
    Seam(AppliedEdit<'s>),
}

impl fmt::Debug for Event<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Payload { start, sign } => {
                formatter.debug_struct("Payload").field("start", start).field("sign", sign).finish()
            }
            Self::Begin { kind, .. } => formatter.debug_struct("Begin").field("kind", kind).finish_non_exhaustive(),
            Self::Text { text, .. } => formatter.debug_struct("Text").field("len", &text.len()).finish_non_exhaustive(),
            Self::Done { span, risk, .. } => {
                formatter.debug_struct("Done").field("span", span).field("risk", risk).finish_non_exhaustive()
            }
            Self::Seam(edit) => formatter.debug_tuple("Seam").field(edit).finish(),
        }
    }
}

/// Where a value is in the payload. It is spelled when it is shown: a JSON Pointer (RFC 6901).
#[derive(Clone, Copy)]
pub struct Path<'s> {
    pub(super) levels: &'s [Level],
    pub(super) text: &'s str,
}

impl fmt::Display for Path<'_> {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.levels.iter().try_for_each(|level| match level.kind {
            Container::Array => write!(formatter, "/{}", level.index),
            Container::Object => {
                let key = decoded(self.text.get(level.key.start + 1..level.key.end - 1).unwrap_or_default());
                write!(formatter, "/{}", pointer::escaped(&key))
            }
        })
    }
}

// How deep the value is, never a key.
debug_facts!(Path<'_>, |path| depth: path.levels.len());

/// What was heard of the settled text as it was read.
#[derive(Debug, Default)]
pub(super) struct Heard {
    /// Tokens that were not told yet, in bytes of the settled text.
    tokens: VecDeque<Told>,
    /// Up to where the text makes a valid value of its own once its brackets are closed.
    pub(super) safe: usize,
}

impl Trace for Heard {
    fn token(&mut self, _: &State, kind: TokenKind, span: Range<usize>, _: usize) {
        if kind != TokenKind::Key && !kind.separates() {
            self.safe = span.end;
        }
        self.tokens.push_back(Told { kind, span });
    }
}

impl Told {
    /// Follows the containers that are open after the token. The one that it closes.
    fn enter(&self, levels: &mut Vec<Level>) -> Option<Level> {
        let Self { kind, span } = self;
        let open = |kind| Level { kind, start: span.start, key: 0..0, index: 0, risk: None };
        match (kind, levels.last_mut()) {
            (TokenKind::ObjectStart, _) => levels.push(open(Container::Object)),
            (TokenKind::ArrayStart, _) => levels.push(open(Container::Array)),
            (TokenKind::ObjectEnd | TokenKind::ArrayEnd, _) => return levels.pop(),
            (TokenKind::Key, Some(level)) => level.key = span.clone(),
            (TokenKind::Comma, Some(level)) => level.index += 1,
            _ => {}
        }
        None
    }
}

impl Walk {
    /// Appends what stays as it was written: this part of the completion.
    pub(super) fn keep(&mut self, completion: &str, span: Range<usize>) {
        if self.text.is_empty() {
            self.start = span.start;
        }
        self.text.push_str(completion.get(span).unwrap_or_default());
    }

    /// Appends what an edit puts in place of `source`.
    pub(super) fn replace(&mut self, source: Range<usize>, replacement: &str, rule: u16) {
        let at = self.text.len();
        self.text.push_str(replacement);
        self.seams.push(Seam { at: at..self.text.len(), source, rule });
    }

    /// Reads what was appended since `from`.
    pub(super) fn read(&mut self, from: usize) {
        let stop = run(&mut self.state, self.text.as_bytes(), from, MAX_DEPTH, &mut self.heard);
        debug_assert!(stop == Stop::Exhausted, "what is settled is JSON");
    }

    /// Ends the text: a number or literal at its end is whole.
    pub(super) fn end(&mut self) {
        self.is_ended = true;
        finish(&mut self.state, self.text.len(), &mut self.heard);
    }

    /// The next event; `None` before more is settled.
    pub(super) fn next<'w>(&'w mut self, rules: &'w [RuleInfo]) -> Option<Event<'w>> {
        loop {
            let told = self.heard.tokens.front().cloned();
            let due = match &told {
                Some(told) => told.span.clone(),
                // After the last value edits may still have taken something out of the way.
                None if self.is_ended => usize::MAX..usize::MAX,
                None => self.open_piece()?,
            };
            if let Some(seam) = self.next_seam().filter(|seam| seam.at.start < due.end).cloned() {
                return Some(self.tell(seam, due.start, rules));
            }
            let Some(told) = told else { return (!self.is_ended).then(|| self.piece(due)) };
            if told.kind == TokenKind::String {
                let from = self.told.max(due.start + 1);
                if from < due.end - 1 {
                    return Some(self.piece(from..due.end - 1));
                }
            }
            self.heard.tokens.pop_front();
            let closed = told.enter(&mut self.levels);
            match told.kind {
                TokenKind::ObjectStart | TokenKind::ArrayStart => {
                    let outer = self.levels.len() - 1;
                    return Some(Event::Begin { path: self.path(outer), kind: self.levels[outer].kind });
                }
                TokenKind::ObjectEnd | TokenKind::ArrayEnd => {
                    if let Some(Level { start, risk, .. }) = closed {
                        return Some(self.whole(start..due.end, risk));
                    }
                }
                TokenKind::Key | TokenKind::Comma | TokenKind::Colon => self.risk = None,
                TokenKind::String | TokenKind::Number | TokenKind::Literal => {
                    let risk = self.risk.take();
                    return Some(self.whole(due, risk));
                }
            }
        }
    }

    /// The next edit that was not told.
    fn next_seam(&self) -> Option<&Seam> {
        self.seams.get(self.told_seams)
    }

    /// Tells this edit. Its risk is that of all containers it is in, and of the next scalar if it ends or begins after `start`.
    fn tell<'w>(&'w mut self, Seam { at, source, rule }: Seam, start: usize, rules: &'w [RuleInfo]) -> Event<'w> {
        self.told_seams += 1;
        let edit = AppliedEdit::by(rules, rule, source, self.text.get(at.clone()).unwrap_or_default());
        for level in &mut self.levels {
            level.risk = level.risk.max(Some(edit.risk));
        }
        if at.start >= start || at.end > start {
            self.risk = self.risk.max(Some(edit.risk));
        }
        Event::Seam(edit)
    }

    /// The next piece of a string.
    fn piece(&mut self, piece: Range<usize>) -> Event<'_> {
        self.told = piece.end;
        let json = self.text.get(piece).unwrap_or_default();
        Event::Text { path: self.path(self.levels.len()), text: decoded(json), json }
    }

    /// A whole value.
    fn whole(&self, value: Range<usize>, risk: Option<Risk>) -> Event<'_> {
        let span = self.source_of(value.start, false)..self.source_of(value.end, true);
        let json = self.text.get(value).unwrap_or_default();
        Event::Done { path: self.path(self.levels.len()), json, span, risk }
    }

    /// Whether the edits that were told are the first ones of these.
    pub(super) fn is_told_of(&self, entries: &[Entry]) -> bool {
        let told = self.seams[..self.told_seams].iter().map(|seam| (seam.source.start, seam.rule));
        told.eq(entries.iter().take(self.told_seams).map(|entry| (entry.span().start, entry.rule())))
    }

    /// Whether there is a next event.
    pub(super) fn has_events(&self) -> bool {
        let is_value = |told: &Told| told.kind != TokenKind::Key && !told.kind.separates();
        let piece = self.open_piece();
        let end = piece.iter().map(|piece| piece.end).chain(self.heard.tokens.back().map(|told| told.span.end)).max();
        let is_due = |seam: &Seam| self.is_ended || end.is_some_and(|end| seam.at.start < end);
        self.next_seam().is_some_and(is_due) || piece.is_some() || self.heard.tokens.iter().any(is_value)
    }

    /// The containers that are open where the settled text ends.
    pub(super) fn open_levels(&self) -> Vec<Level> {
        let mut levels = self.levels.clone();
        for told in &self.heard.tokens {
            told.enter(&mut levels);
        }
        levels
    }

    fn path(&self, depth: usize) -> Path<'_> {
        Path { levels: self.levels.get(..depth).unwrap_or_default(), text: &self.text }
    }

    /// What is there of an open string value from `from` on, as far as it can be decoded.
    pub(super) fn open_value(&self, from: usize) -> Option<Range<usize>> {
        if !self.state.is_in_string() || self.state.expects_key() {
            return None;
        }
        let from = from.max(self.state.content_start);
        Some(from..from + whole_len(self.text.get(from..).unwrap_or_default()))
    }

    /// The same of what was not told yet.
    fn open_piece(&self) -> Option<Range<usize>> {
        self.open_value(self.told).filter(|piece| !piece.is_empty())
    }

    /// Where in the completion a place of the settled text comes from: the start of a value, or its end.
    fn source_of(&self, at: usize, is_end: bool) -> usize {
        let from = self.seams.partition_point(|seam| seam.at.start < at || seam.at.start == at && !is_end);
        match self.seams[..from].last() {
            None => self.start + at,
            Some(seam) if at >= seam.at.end => seam.source.end + (at - seam.at.end),
            Some(seam) if is_end => seam.source.end,
            Some(seam) => seam.source.start,
        }
    }
}

/// How much of the content of an open string can be decoded: not an escape that is cut, nor the first half of a surrogate pair.
fn whole_len(content: &str) -> usize {
    // An escape has six bytes and a pair twelve, so nothing before them matters, but for the parity of backslashes.
    let bytes = content.as_bytes();
    let mut at = bytes.len().saturating_sub(12);
    while at > 0 && bytes[at - 1] == b'\\' {
        at -= 1;
    }
    let mut whole = at;
    while at < bytes.len() {
        let rest = &bytes[at..];
        let is_half = matches!(rest, [b'\\', b'u', b'd' | b'D', b'8' | b'9' | b'a' | b'b' | b'A' | b'B', ..]);
        at += match rest {
            [b'\\', b'u', ..] => 6,
            [b'\\', ..] => 2,
            _ => 1,
        };
        // With the other half, or whatever follows the first one alone, it is whole.
        if at > bytes.len() || is_half && at + 6 > bytes.len() {
            break;
        }
        if !is_half {
            whole = at;
        }
    }
    floor_char_boundary(content, whole)
}

/// What a piece of a string says, with U+FFFD for a lone half of a surrogate pair.
fn decoded(raw: &str) -> Cow<'_, str> {
    if !raw.contains('\\') {
        return Cow::Borrowed(raw);
    }
    Cow::Owned(Name::of(raw).to_text())
}
