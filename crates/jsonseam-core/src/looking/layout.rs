//! How lines are laid out before a fault, and where one of them is not as its siblings.

use crate::reading::recognise::TokenKind;
use crate::reading::token::{Container, Token};

/// A place before the fault where a line is not laid out as its siblings or its opener: a bracket may be wrong there.
///
/// An edit may start at a suspect however far back it is.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Suspect {
    /// The token that begins the line: a key, an element or a closer.
    pub kind: TokenKind,
    /// Where it starts.
    pub pos: usize,
    /// How far its line is indented, in bytes.
    pub indent: usize,
    /// The token before it.
    pub previous: Option<Token>,
    /// The token before that one.
    pub second: Option<Token>,
    /// The containers that are open before the token, the innermost first.
    pub open: Vec<Layout>,
}

impl Suspect {
    /// Where the earliest edit may start: with the second token before it.
    pub(crate) fn start(&self) -> usize {
        let earliest = self.second.as_ref().or(self.previous.as_ref());
        earliest.map_or(self.pos, |token| token.span.start)
    }
}

/// How an open container is laid out.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub struct Layout {
    /// What it is.
    pub kind: Container,
    /// How far the line is indented on which it opens; `None` if that line begins before the payload, or the opener was inserted.
    pub line: Option<usize>,
    /// How far its first member or element that begins a line is indented.
    pub member: Option<usize>,
}
