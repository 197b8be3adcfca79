//! What the engine remembers of the tokens it has read: the last few, and the key or index in each open container.
//!
//! Invariant: offsets fit in 32 bits (the configuration refuses a larger input limit), and every token can be taken
//! back in reverse order, so the record is always that of the text read so far, edits included.

use std::ops::Range;

use crate::engine::ledger::Ledger;
use crate::recognise::{Next, State, TokenKind, Trace};
use crate::token::{REMEMBERED, Token};

/// A complete token, in bytes of the source. A token that is wholly in a replacement has the place of that edit.
///
/// Kept small: one is written for every token of a text that is being repaired. Offsets fit in 32 bits, as the input limit does.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct RecordedToken {
    containers: u128,
    start: u32,
    end: u32,
    content_start: u32,
    /// What this token changed: the whole frame of a closer, which it removed; of a key, the one before it.
    undo: Frame,
    pub(crate) kind: TokenKind,
    next: Next,
    depth: u8,
}

impl RecordedToken {
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

    /// The frame that a closer removed.
    pub(crate) fn closed(&self) -> Frame {
        self.undo
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

/// One open container: where its latest key is, or how many elements it has had.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Frame {
    key: (u32, u32),
    pub(crate) index: u32,
    opened: u32,
}

impl Frame {
    /// No key can stand here: it has two quotes at least.
    const NEW: Self = Self { key: (0, 0), index: 0, opened: 0 };

    /// Where the container opens.
    pub(crate) fn opened(&self) -> usize {
        self.opened as usize
    }

    /// Where the latest key is, quotes included.
    pub(crate) fn key(&self) -> Option<(usize, usize)> {
        (self.key != Self::NEW.key).then_some((self.key.0 as usize, self.key.1 as usize))
    }
}

/// The record itself.
#[derive(Debug, Clone)]
pub(crate) struct Recorder<'e> {
    ring: [RecordedToken; REMEMBERED],
    /// Tokens recorded and not taken back; the newest has the place `(count - 1) % REMEMBERED`.
    count: usize,
    /// How many of them the ring still holds.
    remembered: usize,
    frames: Vec<Frame>,
    /// While a replacement is read: the span it replaces.
    pub(crate) within: Option<Range<usize>>,
    /// What the tokens say about the reading, once there are several.
    pub(crate) ledger: Option<Box<Ledger<'e>>>,
}

impl Recorder<'_> {
    pub(crate) fn new() -> Self {
        let unused = RecordedToken {
            containers: 0,
            start: 0,
            end: 0,
            content_start: 0,
            undo: Frame::NEW,
            kind: TokenKind::Comma,
            next: Next::Value,
            depth: 0,
        };
        Self {
            ring: [unused; REMEMBERED],
            count: 0,
            remembered: 0,
            frames: Vec::with_capacity(8),
            within: None,
            ledger: None,
        }
    }

    /// Makes `room` a copy of this record, in the memory that it has.
    pub(crate) fn copy_into(&self, room: &mut Self) {
        let Self { ring, count, remembered, frames, within, ledger } = self;
        (room.ring, room.count, room.remembered) = (*ring, *count, *remembered);
        room.frames.clone_from(frames);
        room.within.clone_from(within);
        match (ledger, &mut room.ledger) {
            (Some(ledger), Some(room)) => ledger.copy_into(room),
            (ledger, room) => room.clone_from(ledger),
        }
    }

    /// The token `back` places before the end of what was read: 0 is the newest. `None` beyond what is remembered.
    pub(crate) fn nth_back(&self, back: usize) -> Option<&RecordedToken> {
        (back < self.remembered).then(|| &self.ring[(self.count - 1 - back) % REMEMBERED])
    }

    /// Takes back every token that ends after `pos`.
    pub(crate) fn take_back(&mut self, pos: usize) {
        while let Some(token) = self.nth_back(0) {
            if token.end() <= pos {
                break;
            }
            let (kind, undo) = (token.kind, &token.undo);
            match kind {
                TokenKind::ObjectStart | TokenKind::ArrayStart => {
                    self.frames.pop();
                }
                TokenKind::ObjectEnd | TokenKind::ArrayEnd => {
                    let frame = *undo;
                    self.frames.push(frame);
                }
                TokenKind::Key => {
                    let key = undo.key;
                    if let Some(top) = self.frames.last_mut() {
                        top.key = key;
                    }
                }
                TokenKind::Comma => {
                    if let Some(top) = self.frames.last_mut() {
                        top.index -= 1;
                    }
                }
                TokenKind::Colon | TokenKind::String | TokenKind::Number | TokenKind::Literal => {}
            }
            self.count -= 1;
            self.remembered -= 1;
            if let Some(ledger) = &mut self.ledger {
                ledger.take_back(kind);
            }
        }
    }

    /// The open containers, outermost first.
    pub(crate) fn frames(&self) -> &[Frame] {
        &self.frames
    }

    /// The token `back` places before, as rules see it.
    pub(crate) fn token_at(&self, back: usize) -> Option<Token> {
        self.nth_back(back).map(|token| Token {
            kind: token.kind,
            span: token.start()..token.end(),
            opens: token.kind.is_closer().then(|| token.closed().opened()),
        })
    }

    #[cold]
    #[inline(never)]
    fn enter_in_ledger(&mut self, kind: TokenKind, span: &Range<usize>) {
        if let Some(mut ledger) = self.ledger.take() {
            ledger.token(kind, span.start, span.end, &|back| self.token_at(back));
            self.ledger = Some(ledger);
        }
    }
}

#[allow(clippy::inline_always, reason = "measured: what is known of the kind of a token saves most of this")]
impl Trace for Recorder<'_> {
    #[inline(always)]
    fn token(&mut self, before: &State, kind: TokenKind, span: Range<usize>, content_start: usize) {
        if self.ledger.is_some() {
            self.enter_in_ledger(kind, &span);
        }
        let (start, end) = (narrow(span.start), narrow(span.end));
        // A frame is only read where it has to be: it was written in parts a moment ago, for which a load of the whole would wait.
        let mut undo = Frame::NEW;
        match kind {
            TokenKind::ObjectStart | TokenKind::ArrayStart => self.frames.push(Frame { opened: start, ..Frame::NEW }),
            TokenKind::ObjectEnd | TokenKind::ArrayEnd => undo = self.frames.pop().unwrap_or(Frame::NEW),
            TokenKind::Key => {
                if let Some(top) = self.frames.last_mut() {
                    undo.key = std::mem::replace(&mut top.key, (start, end));
                }
            }
            TokenKind::Comma => {
                if let Some(top) = self.frames.last_mut() {
                    top.index += 1;
                }
            }
            TokenKind::Colon | TokenKind::String | TokenKind::Number | TokenKind::Literal => {}
        }
        self.ring[self.count % REMEMBERED] = RecordedToken {
            containers: before.containers,
            start,
            end,
            content_start: narrow(content_start),
            undo,
            kind,
            next: before.next,
            depth: before.depth,
        };
        self.count += 1;
        self.remembered += usize::from(self.remembered < REMEMBERED);
    }

    #[inline]
    fn start(&self, pos: usize) -> usize {
        self.within.as_ref().map_or(pos, |span| span.start)
    }

    #[inline]
    fn end(&self, pos: usize) -> usize {
        self.within.as_ref().map_or(pos, |span| span.end)
    }
}

/// The tokens that a group of edits completes, kept while it is tried, so that it is not read again when it is made.
#[derive(Debug, Clone, Default)]
pub(crate) struct GroupTokens {
    /// While a replacement is read: the span it replaces.
    pub(crate) within: Option<Range<usize>>,
    tokens: [Option<GroupToken>; MOST_TOKENS],
    count: usize,
}

/// How many tokens of a group are kept: most complete one.
const MOST_TOKENS: usize = 2;

/// A token as the recogniser reported it.
#[derive(Debug, Clone)]
struct GroupToken {
    containers: u128,
    start: u32,
    end: u32,
    content_start: u32,
    kind: TokenKind,
    next: Next,
    depth: u8,
}

impl GroupTokens {
    /// Whether every token was kept.
    pub(crate) fn is_whole(&self) -> bool {
        self.count <= MOST_TOKENS
    }

    /// Enters the tokens in `recorder`.
    pub(crate) fn enter_in(&self, recorder: &mut Recorder<'_>) {
        for token in self.tokens.iter().flatten() {
            let GroupToken { containers, kind, next, depth, .. } = *token;
            let before = State { next, depth, containers, ..State::START };
            recorder.token(&before, kind, token.start as usize..token.end as usize, token.content_start as usize);
        }
    }
}

impl Trace for GroupTokens {
    fn token(&mut self, before: &State, kind: TokenKind, span: Range<usize>, content_start: usize) {
        if let Some(slot) = self.tokens.get_mut(self.count) {
            *slot = Some(GroupToken {
                containers: before.containers,
                start: narrow(span.start),
                end: narrow(span.end),
                content_start: narrow(content_start),
                kind,
                next: before.next,
                depth: before.depth,
            });
        }
        self.count += 1;
    }

    fn start(&self, pos: usize) -> usize {
        self.within.as_ref().map_or(pos, |span| span.start)
    }

    fn end(&self, pos: usize) -> usize {
        self.within.as_ref().map_or(pos, |span| span.end)
    }
}

/// Offsets fit: the configuration refuses an input limit beyond 32 bits.
#[allow(clippy::cast_possible_truncation, reason = "see above")]
fn narrow(offset: usize) -> u32 {
    offset as u32
}
