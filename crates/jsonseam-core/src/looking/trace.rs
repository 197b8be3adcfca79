//! What the engine remembers of the tokens it has read: the last few, and the frames of the open containers.
//!
//! Invariant: offsets fit in 32 bits (the configuration refuses a larger input limit), and every token can be taken
//! back in reverse order, so the record is always that of the text read so far, edits included.

pub(crate) mod checkpoints;

use std::ops::Range;

use super::frames::{Closed, Frames, Guide};
use super::layout::Suspect;
use super::ledger::Ledger;
use crate::derived::copied;
use crate::edits::reach::{COMMA, QUOTE};
use crate::reading::recognise::{Next, State, TokenKind, Trace};
use crate::reading::token::{Container, REMEMBERED, Token};

/// A complete token, in bytes of the source. A token that is wholly in a replacement has the place of that edit.
///
/// One is written for every token of a text that is being repaired. Offsets fit in 32 bits, as the input limit does.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RecordedToken {
    containers: u128,
    start: u32,
    end: u32,
    content_start: u32,
    pub(crate) kind: TokenKind,
    next: Next,
    depth: u8,
}

/// What it takes to take a token back, beside the token. What a place holds of a token of another kind is never looked at.
#[derive(Debug, Clone, Default)]
struct Former {
    /// Of a key, the one before it in its object.
    key: Option<(u32, u32)>,
    /// Of a closer, what it closed.
    closed: Option<Closed>,
}

impl RecordedToken {
    #[inline]
    fn new(before: &State, kind: TokenKind, span: Range<usize>, content_start: usize) -> Self {
        let State { next, depth, containers, .. } = *before;
        let (start, end) = (narrow(span.start), narrow(span.end));
        Self { containers, start, end, content_start: narrow(content_start), kind, next, depth }
    }

    pub(crate) fn start(&self) -> usize {
        self.start as usize
    }

    pub(crate) fn end(&self) -> usize {
        self.end as usize
    }

    /// Where the content starts, of a string.
    pub(crate) fn content_start(&self) -> usize {
        self.content_start as usize
    }

    /// Whether an edit that starts at `pos`, in the token, reaches no more than a comma or a closing quote, and which.
    pub(crate) fn last_at(&self, pos: usize) -> u8 {
        match self.kind {
            TokenKind::Comma => COMMA,
            TokenKind::Key | TokenKind::String if pos >= self.last_start() => QUOTE,
            _ => 0,
        }
    }

    /// Where the closing quote is, of a string; of an empty one, or of a bracket or separator, its start.
    pub(crate) fn last_start(&self) -> usize {
        if self.end - self.start > 2 { self.end() - 1 } else { self.start() }
    }

    /// The state in which the token started.
    pub(crate) fn before(&self) -> State {
        State {
            next: self.next,
            depth: self.depth,
            containers: self.containers,
            token_start: self.start(),
            content_start: self.content_start(),
            ..State::START
        }
    }
}

/// A place that holds no token yet.
impl Default for RecordedToken {
    fn default() -> Self {
        Self::new(&State::START, TokenKind::Comma, 0..0, 0)
    }
}

/// The record itself.
#[derive(Debug, Default)]
pub(crate) struct Recorder {
    ring: [RecordedToken; REMEMBERED],
    before: [Former; REMEMBERED],
    /// Tokens recorded and not taken back; the newest has the place `(count - 1) % REMEMBERED`.
    count: usize,
    /// The most that there were when tokens were taken back: what the ring had lost then, it has not got back.
    most: usize,
    pub(crate) frames: Frames,
    /// While a replacement is read: the span it replaces.
    pub(crate) within: Option<Range<usize>>,
    /// What the tokens say about the reading, once there are several.
    pub(crate) ledger: Option<Box<Ledger>>,
}

copied! { Recorder: ring, before, count, most, frames, within, ledger }

impl Recorder {
    /// The ledger, once it counts.
    pub(crate) fn ledger(&self) -> Option<&Ledger> {
        self.ledger.as_deref().filter(|ledger| !ledger.is_early)
    }

    /// The token `back` places before the end of what was read: 0 is the newest. `None` beyond what is remembered.
    pub(crate) fn nth_back(&self, back: usize) -> Option<&RecordedToken> {
        self.place_of(back).map(|place| &self.ring[place])
    }

    /// Where the ring holds the token `back` places before the end.
    fn place_of(&self, back: usize) -> Option<usize> {
        let place = self.count.checked_sub(back + 1)?;
        let oldest = self.most.max(self.count).saturating_sub(REMEMBERED);
        (place >= oldest).then_some(place % REMEMBERED)
    }

    /// Takes back every token that ends after `pos`.
    pub(crate) fn take_back(&mut self, pos: usize) {
        self.most = self.most.max(self.count);
        while let Some(place) = self.place_of(0).filter(|&place| self.ring[place].end() > pos) {
            let (kind, before) = (self.ring[place].kind, &mut self.before[place]);
            match (kind, self.frames.stack.last_mut()) {
                (TokenKind::ObjectStart | TokenKind::ArrayStart, _) => drop(self.frames.stack.pop()),
                (TokenKind::ObjectEnd | TokenKind::ArrayEnd, _) => {
                    if let Some(closed) = before.closed.take() {
                        self.frames.reopen(closed);
                    }
                }
                (TokenKind::Key, Some(top)) => top.key = before.key,
                _ => {}
            }
            if let Some(ledger) = &mut self.ledger {
                ledger.take_back(place, kind, &mut self.frames);
            }
            self.count -= 1;
        }
    }

    /// How many more tokens are recorded here than in an earlier copy.
    pub(crate) fn count_since(&self, earlier: &Self) -> usize {
        self.count.saturating_sub(earlier.count)
    }

    /// Whether the tokens to come are recorded alike in both, and tell the same of both.
    pub(crate) fn goes_on_as(&self, other: &Self) -> bool {
        let ledgers = self.ledger.as_ref().zip(other.ledger.as_ref());
        ledgers.is_some_and(|(own, others)| own.goes_on_as(others))
            && self.frames.are_those_of(&other.frames)
            && (0..2).all(|back| self.token_at(back) == other.token_at(back))
    }

    /// Goes on to `end`, as another record did that goes on from `start` as this one: what it summed up so far stays its own.
    pub(crate) fn take_over(&mut self, start: &Self, end: &Self) {
        let ledgers = self.ledger.as_ref().zip(start.ledger.as_ref());
        let lead = ledgers.map(|(own, others)| own.lead_of(others));
        self.clone_from(end);
        if let Some((ledger, lead)) = self.ledger.as_mut().zip(lead) {
            ledger.shift(lead);
        }
    }

    /// The token `back` places before, as rules see it.
    pub(crate) fn token_at(&self, back: usize) -> Option<Token> {
        let place = self.place_of(back)?;
        let (token, closed) = (&self.ring[place], &self.before[place].closed);
        Some(Token {
            kind: token.kind,
            span: token.start()..token.end(),
            opens: closed.as_ref().filter(|_| token.kind.is_closer()).map(|closed| closed.frame.opened),
        })
    }

    /// The record, as the recogniser's listener to this text.
    pub(crate) fn of<'r, 'e>(&'r mut self, guide: Guide<'e>) -> Recording<'r, 'e> {
        Recording { recorder: self, guide }
    }

    #[cold]
    #[inline(never)]
    fn weigh(&mut self, kind: TokenKind, span: &Range<usize>, guide: Guide<'_>) {
        let place = self.count % REMEMBERED;
        let Some(ledger) = &mut self.ledger else { return };
        let Some(indent) = ledger.token(kind, (span.start, span.end), &mut self.frames, guide, place) else {
            return;
        };
        let (previous, second) = (self.token_at(0), self.token_at(1));
        let open = || self.frames.layouts();
        if let Some(ledger) = &mut self.ledger {
            let indent = indent as usize;
            ledger.suspect(|| Suspect { kind, pos: span.start, indent, previous, second, open: open() });
        }
    }
}

/// A record that listens to the recogniser, and the text and the contract that are read.
pub(crate) struct Recording<'r, 'e> {
    recorder: &'r mut Recorder,
    guide: Guide<'e>,
}

#[allow(clippy::inline_always, reason = "measured: what is known of the kind of a token saves most of this")]
impl Trace for Recording<'_, '_> {
    #[inline(always)]
    fn token(&mut self, before: &State, kind: TokenKind, span: Range<usize>, content_start: usize) {
        self.enter(kind, span.clone(), || RecordedToken::new(before, kind, span, content_start));
    }

    #[inline]
    fn within(&self) -> Option<&Range<usize>> {
        self.recorder.within.as_ref()
    }
}

#[allow(clippy::inline_always, reason = "measured: what is known of the kind of a token saves most of this")]
impl Recording<'_, '_> {
    #[inline(always)]
    fn enter(&mut self, kind: TokenKind, span: Range<usize>, token: impl FnOnce() -> RecordedToken) {
        let (start, end) = (narrow(span.start), narrow(span.end));
        let record = &mut *self.recorder;
        let place = record.count % REMEMBERED;
        if let Some(ledger) = &mut record.ledger
            && !ledger.passes(kind, &span, self.guide, place)
        {
            record.weigh(kind, &span, self.guide);
        }
        match kind {
            TokenKind::ObjectStart | TokenKind::ArrayStart => {
                let is_object = kind == TokenKind::ObjectStart;
                let container = if is_object { Container::Object } else { Container::Array };
                let line = record.ledger.as_ref().and_then(|ledger| ledger.line());
                record.frames.open(container, span.start, line.filter(|_| end > start), self.guide);
            }
            TokenKind::ObjectEnd | TokenKind::ArrayEnd => record.before[place].closed = record.frames.close(),
            TokenKind::Key => {
                if let Some(top) = record.frames.stack.last_mut() {
                    record.before[place].key = top.key.replace((start, end));
                }
            }
            _ => {}
        }
        record.ring[place] = token();
        record.count += 1;
    }
}

/// The tokens that a group of edits completes, kept while it is tried, so that it is not read again when it is made.
#[derive(Debug, Clone, Default)]
pub(crate) struct GroupTokens {
    /// While a replacement is read: the span it replaces.
    pub(crate) within: Option<Range<usize>>,
    tokens: [Option<RecordedToken>; MOST_TOKENS],
    count: usize,
}

/// How many tokens of a group are kept: most complete one.
const MOST_TOKENS: usize = 2;

impl GroupTokens {
    /// Whether every token was kept.
    pub(crate) fn is_whole(&self) -> bool {
        self.count <= MOST_TOKENS
    }

    /// Enters the tokens in the record.
    pub(crate) fn enter_in(&self, mut recording: Recording<'_, '_>) {
        for token in self.tokens.iter().flatten() {
            recording.enter(token.kind, token.start()..token.end(), || *token);
        }
    }
}

impl Trace for GroupTokens {
    fn token(&mut self, before: &State, kind: TokenKind, span: Range<usize>, content_start: usize) {
        if let Some(slot) = self.tokens.get_mut(self.count) {
            *slot = Some(RecordedToken::new(before, kind, span, content_start));
        }
        self.count += 1;
    }

    fn within(&self) -> Option<&Range<usize>> {
        self.within.as_ref()
    }
}

/// Offsets fit: the configuration refuses an input limit beyond 32 bits.
#[allow(clippy::cast_possible_truncation, reason = "see above")]
fn narrow(offset: usize) -> u32 {
    offset as u32
}
