//! What the engine remembers of the tokens behind it: the last few, and the key or index in each open container.
//!
//! Invariant: every token can be taken back in reverse order, so the record is always that of the text read so far, edits included.

use std::ops::Range;

use crate::recognise::{State, TokenKind, Trace};

/// How many tokens back an edit may start (DESIGN 3: with a reach of one, most key faults were refused; with two, none).
pub(crate) const REACH: usize = 4;

/// How many tokens are remembered: more than the reach, so that it is not shortened by what an edit takes back.
const HELD: usize = 8;

/// A complete token, in bytes of the source. A token that stands wholly in a replacement has the place of that edit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Held {
    pub(crate) kind: TokenKind,
    pub(crate) start: usize,
    pub(crate) end: usize,
    /// The state in which the token started.
    pub(crate) before: State,
    /// The frame this token changed or removed, as it was.
    undo: Frame,
}

/// One open container: where its latest key stands, or how many elements it has behind it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub(crate) struct Frame {
    pub(crate) key: Option<(usize, usize)>,
    pub(crate) index: usize,
}

/// The record itself.
#[derive(Debug)]
pub(crate) struct Recorder {
    ring: [Held; HELD],
    /// Tokens recorded and not taken back; the newest has the place `(count - 1) % HELD`.
    count: usize,
    /// How many of them the ring still holds.
    held: usize,
    frames: Vec<Frame>,
    /// While a replacement is read: the span it replaces.
    pub(crate) within: Option<Range<usize>>,
}

impl Recorder {
    pub(crate) fn new() -> Self {
        let none = Held { kind: TokenKind::Comma, start: 0, end: 0, before: State::START, undo: Frame::default() };
        Self { ring: [none; HELD], count: 0, held: 0, frames: Vec::new(), within: None }
    }

    /// The token `back` places behind: 0 is the newest. `None` beyond what is remembered.
    pub(crate) fn behind(&self, back: usize) -> Option<&Held> {
        (back < self.held).then(|| &self.ring[(self.count - 1 - back) % HELD])
    }

    /// Takes back every token that ends after `pos`.
    pub(crate) fn take_back(&mut self, pos: usize) {
        while let Some(&token) = self.behind(0) {
            if token.end <= pos {
                break;
            }
            match token.kind {
                TokenKind::ObjectStart | TokenKind::ArrayStart => {
                    self.frames.pop();
                }
                TokenKind::ObjectEnd | TokenKind::ArrayEnd => self.frames.push(token.undo),
                _ => {
                    if let Some(top) = self.frames.last_mut() {
                        *top = token.undo;
                    }
                }
            }
            self.count -= 1;
            self.held -= 1;
        }
    }

    /// The open containers, outermost first.
    pub(crate) fn frames(&self) -> &[Frame] {
        &self.frames
    }
}

impl Trace for Recorder {
    #[inline]
    fn token(&mut self, before: State, kind: TokenKind, start: usize, end: usize) {
        let mut undo = self.frames.last().copied().unwrap_or_default();
        match kind {
            TokenKind::ObjectStart | TokenKind::ArrayStart => self.frames.push(Frame::default()),
            TokenKind::ObjectEnd | TokenKind::ArrayEnd => undo = self.frames.pop().unwrap_or_default(),
            TokenKind::Key => {
                if let Some(top) = self.frames.last_mut() {
                    top.key = Some((start, end));
                }
            }
            TokenKind::Comma => {
                if let Some(top) = self.frames.last_mut() {
                    top.index += 1;
                }
            }
            TokenKind::Colon | TokenKind::String | TokenKind::Number | TokenKind::Literal => {}
        }
        self.ring[self.count % HELD] = Held { kind, start, end, before, undo };
        self.count += 1;
        self.held = (self.held + 1).min(HELD);
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
