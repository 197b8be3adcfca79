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
    /// Whether the damage is only plain to see while what is around it is as it was.
    pub(super) is_fragile: bool,
}

impl Piece {
    /// A blank piece that a damage adds between tokens.
    pub(super) fn added(truth: &str, damaged: &str) -> Self {
        Self {
            kind: TokenKind::Blank,
            truth: truth.to_owned(),
            damaged: damaged.to_owned(),
            is_touched: true,
            is_fragile: false,
        }
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

    /// Respells the piece in a way that is only plain to see while its neighbours are as they were.
    pub(super) fn respell_fragile(&mut self, truth: String, damaged: String) {
        self.respell(truth, damaged);
        self.is_fragile = true;
    }

    /// The content of a string as it is between the quotes of the truth.
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
            is_fragile: false,
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

    /// Whether a string holds a backslash before one of these letters.
    pub(super) fn holds_escape(&self, letters: &[u8]) -> bool {
        let holds = |text: &str| text.as_bytes().windows(2).any(|two| two[0] == b'\\' && letters.contains(&two[1]));
        self.pieces.iter().any(|piece| holds(&piece.damaged))
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

    /// Whether the next token is of this kind.
    pub(super) fn next_is(&self, index: usize, kind: TokenKind) -> bool {
        self.next_piece(index).is_some_and(|piece| piece.kind == kind)
    }

    /// How many containers are open just before the piece.
    pub(super) fn depth_of(&self, index: usize) -> usize {
        index.checked_sub(1).map_or(0, |before| self.open_after(before).len())
    }

    /// Whether the piece is in an object, as one of its members or beside them.
    pub(super) fn is_in_object(&self, index: usize) -> bool {
        let mut closed = 0_usize;
        for piece in self.pieces.get(..index).unwrap_or_default().iter().rev() {
            if piece.kind.closes() {
                closed += 1;
            } else if piece.kind.opens() {
                match closed.checked_sub(1) {
                    Some(rest) => closed = rest,
                    None => return piece.kind == TokenKind::OpenObject,
                }
            }
        }
        false
    }

    /// The closer of the container that opens at `index`.
    pub(super) fn closer_of(&self, index: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (offset, piece) in self.pieces.get(index..)?.iter().enumerate() {
            if piece.kind.opens() {
                depth += 1;
            } else if piece.kind.closes() {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(index + offset);
                }
            }
        }
        None
    }

    /// The opener of the container that closes at `index`.
    pub(super) fn opener_of(&self, index: usize) -> Option<usize> {
        let mut depth = 0_usize;
        for (at, piece) in self.pieces.get(..=index)?.iter().enumerate().rev() {
            if piece.kind.closes() {
                depth += 1;
            } else if piece.kind.opens() {
                depth = depth.checked_sub(1)?;
                if depth == 0 {
                    return Some(at);
                }
            }
        }
        None
    }

    /// Whether there is a line feed between the two pieces.
    pub(super) fn has_newline(&self, from: usize, to: usize) -> bool {
        self.pieces.get(from + 1..to).is_some_and(|gap| gap.iter().any(|piece| piece.damaged.contains('\n')))
    }

    /// Whether the piece, but for a comma, is the last on its line.
    pub(super) fn ends_its_line(&self, index: usize) -> bool {
        let Some(next) = self.next(index) else {
            return false;
        };
        if self.piece(next).is_some_and(|piece| piece.kind == TokenKind::Comma) {
            return !self.has_newline(index, next)
                && self.next(next).is_some_and(|after| self.has_newline(next, after));
        }
        self.has_newline(index, next)
    }

    /// How far the line that begins in the blank piece at `index` is indented, if one does.
    pub(super) fn indent(&self, index: usize) -> Option<usize> {
        let blank = self.piece(index).filter(|piece| piece.is_blank() && !piece.is_touched)?;
        let (_, indent) = blank.damaged.rsplit_once('\n')?;
        indent.chars().all(|character| character == ' ').then_some(indent.len())
    }

    /// The pieces from `reach` tokens before `index` to `reach` tokens after it, blank ones included.
    fn around(&self, index: usize, reach: usize) -> &[Piece] {
        let start = (0..reach).try_fold(index, |at, _| self.previous(at)).unwrap_or(0);
        let end = (0..reach).try_fold(index, |at, _| self.next(at)).unwrap_or(self.pieces.len().saturating_sub(1));
        self.pieces.get(start..=end).unwrap_or_default()
    }

    /// Whether neither the piece nor anything up to three tokens away has been damaged.
    pub(super) fn is_calm(&self, index: usize) -> bool {
        self.around(index, 3).iter().all(|piece| !piece.is_touched)
    }

    /// Whether something fragile is at most three tokens away.
    pub(super) fn is_by_fragile(&self, index: usize) -> bool {
        self.around(index, 3).iter().any(|piece| piece.is_fragile)
    }
}
