//! A document on its way to being damaged: each token with the spelling it should have and the spelling it gets.
//!
//! Text and truth are two readings of the same pieces, so a damage cannot change one and forget the other.

use crate::generate::{Document, TokenKind};

/// A token with both of its spellings.
#[derive(Debug, Clone)]
pub(super) struct Piece {
    pub(super) kind: TokenKind,
    /// The spelling in the truth; empty for what the damage added.
    pub(super) truth: String,
    /// The spelling in the damaged text; empty for what the damage removed.
    pub(super) damaged: String,
    /// Whether a damage has been here. A piece is damaged once at most.
    pub(super) is_touched: bool,
}

impl Piece {
    /// A blank piece that a damage adds between tokens.
    pub(super) fn added(truth: &str, damaged: &str) -> Self {
        Self { kind: TokenKind::Blank, truth: truth.to_owned(), damaged: damaged.to_owned(), is_touched: true }
    }

    pub(super) const fn is_blank(&self) -> bool {
        matches!(self.kind, TokenKind::Blank)
    }

    /// Whether the damaged spelling is a word without quotes, which whatever is put beside it could join.
    pub(super) fn is_bare(&self) -> bool {
        self.is_touched
            && matches!(self.kind, TokenKind::Key | TokenKind::Literal)
            && self.damaged.starts_with(|first: char| first.is_ascii_alphabetic() || "_$".contains(first))
    }

    pub(super) fn is_missing(&self) -> bool {
        self.damaged.is_empty() && !self.truth.is_empty()
    }

    pub(super) fn respell(&mut self, truth: String, damaged: String) {
        self.truth = truth;
        self.damaged = damaged;
        self.is_touched = true;
    }

    /// The content of a string as it stands between the quotes of the truth.
    pub(super) fn content(&self) -> Option<&str> {
        if !matches!(self.kind, TokenKind::Key | TokenKind::String) {
            return None;
        }
        self.truth.strip_prefix('"')?.strip_suffix('"')
    }
}

/// The pieces between what surrounds them.
#[derive(Debug, Clone)]
pub(super) struct Draft {
    pub(super) pieces: Vec<Piece>,
    /// Text before the payload: prose, a fence, a byte order mark.
    pub(super) before: String,
    /// Text after the payload.
    pub(super) after: String,
    /// Whether the payload's end is missing, so that nothing may follow it.
    pub(super) is_cut: bool,
}

impl Draft {
    /// A draft of the document without its outer white space.
    pub(super) fn new(document: &Document) -> Self {
        let piece = |token: &crate::generate::Token| Piece {
            kind: token.kind,
            truth: token.text.clone(),
            damaged: token.text.clone(),
            is_touched: false,
        };
        let mut pieces: Vec<Piece> = document.tokens.iter().map(piece).skip_while(Piece::is_blank).collect();
        while pieces.pop_if(|piece| piece.is_blank()).is_some() {}
        Self { pieces, before: String::new(), after: String::new(), is_cut: false }
    }

    pub(super) fn piece(&self, index: usize) -> Option<&Piece> {
        self.pieces.get(index)
    }

    /// The payload as damaged so far.
    pub(super) fn payload(&self) -> String {
        self.pieces.iter().map(|piece| piece.damaged.as_str()).collect()
    }

    pub(super) fn text(&self) -> String {
        format!("{}{}{}", self.before, self.payload(), self.after)
    }

    pub(super) fn truth(&self) -> String {
        let whole: String = self.pieces.iter().map(|piece| piece.truth.as_str()).collect();
        whole.trim_matches([' ', '\t', '\r', '\n']).to_owned()
    }

    pub(super) fn has_container_root(&self) -> bool {
        self.pieces.first().is_some_and(|piece| piece.kind.opens())
    }

    /// The nearest piece after `index` that is not blank.
    pub(super) fn next(&self, index: usize) -> Option<usize> {
        let rest = self.pieces.get(index + 1..)?;
        rest.iter().position(|piece| !piece.is_blank()).map(|offset| index + 1 + offset)
    }

    /// The nearest piece before `index` that is not blank.
    pub(super) fn previous(&self, index: usize) -> Option<usize> {
        self.pieces.get(..index)?.iter().rposition(|piece| !piece.is_blank())
    }

    pub(super) fn next_piece(&self, index: usize) -> Option<&Piece> {
        self.piece(self.next(index)?)
    }

    pub(super) fn previous_piece(&self, index: usize) -> Option<&Piece> {
        self.piece(self.previous(index)?)
    }

    /// How many containers are open just before each piece.
    pub(super) fn depths(&self) -> Vec<usize> {
        let mut depth = 0_usize;
        let step = |piece: &Piece| {
            let before = depth;
            if piece.kind.opens() {
                depth += 1;
            } else if piece.kind.closes() {
                depth = depth.saturating_sub(1);
            }
            before
        };
        self.pieces.iter().map(step).collect()
    }

    /// The openers, innermost last, of the containers that are open just after the piece at `index`.
    pub(super) fn open_after(&self, index: usize) -> Vec<TokenKind> {
        let mut open = Vec::new();
        for piece in self.pieces.iter().take(index + 1) {
            if piece.kind.opens() {
                open.push(piece.kind);
            } else if piece.kind.closes() {
                open.pop();
            }
        }
        open
    }

    /// Whether the piece is an empty string or a bracket of an empty container.
    pub(super) fn is_empty_value(&self, index: usize) -> bool {
        let Some(piece) = self.piece(index) else {
            return false;
        };
        piece.content() == Some("")
            || piece.kind.opens() && self.next_piece(index).is_some_and(|next| next.kind.closes())
            || piece.kind.closes() && self.previous_piece(index).is_some_and(|previous| previous.kind.opens())
    }

    /// Whether the piece is an empty value or one is at most two tokens away.
    pub(super) fn is_by_empty(&self, index: usize) -> bool {
        let before = self.previous(index);
        let after = self.next(index);
        let near = [
            Some(index),
            before,
            before.and_then(|place| self.previous(place)),
            after,
            after.and_then(|place| self.next(place)),
        ];
        near.into_iter().flatten().any(|place| self.is_empty_value(place))
    }

    /// Whether a damage has added something between the piece and its neighbours.
    pub(super) fn is_beside_addition(&self, index: usize) -> bool {
        let is_added = |piece: &Piece| piece.is_touched;
        let after = self.pieces.iter().skip(index + 1).take_while(|piece| piece.is_blank()).any(is_added);
        let before = self.pieces.iter().take(index).rev().take_while(|piece| piece.is_blank()).any(is_added);
        after || before
    }
}
