//! The structure ahead, read to its end under a supposition: if this bracket were mended so, would everything close where it should?
//!
//! Only brackets, commas, colons and whole scalars are looked at, with the tolerance of the rest of the look-ahead.
//! Each supposition reads on from the fault, so all of them together have a budget; where it is spent, nothing is known.

use super::Peek;
use super::strings::is_quote;
use crate::recognise::{Next, State};

/// How often the payload may be read in foresight, all suppositions together.
const READINGS: usize = 6;

/// What any payload may cost.
const FLOOR: usize = 4 << 10;

/// The open containers at a place, and what may come next there.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Nesting {
    containers: u128,
    depth: u8,
    next: Next,
}

impl Nesting {
    pub(crate) fn of(state: &State) -> Self {
        Self { containers: state.containers, depth: state.depth, next: state.next }
    }

    /// Inside one array or object and nothing else.
    pub(crate) fn within(is_object: bool) -> Self {
        let next = if is_object { Next::KeyOrClose } else { Next::ValueOrClose };
        Self { containers: u128::from(is_object), depth: 1, next }
    }

    pub(crate) fn expecting(self, next: Next) -> Self {
        Self { next, ..self }
    }

    pub(crate) fn is_in_object(self) -> bool {
        self.depth > 0 && self.containers & 1 == 1
    }

    /// One bit for each of the innermost `count` containers, set for an object.
    pub(crate) fn kinds(self, count: u8) -> u128 {
        self.containers & !(u128::MAX.checked_shl(u32::from(count)).unwrap_or(0))
    }

    pub(crate) fn depth(self) -> u8 {
        self.depth
    }

    /// After the innermost container has closed.
    pub(crate) fn popped(self) -> Option<Self> {
        let depth = self.depth.checked_sub(1)?;
        let next = if depth == 0 { Next::End } else { Next::CommaOrClose };
        Some(Self { containers: self.containers >> 1, depth, next })
    }

    /// After `count` of them have.
    pub(crate) fn popped_by(self, count: u8) -> Option<Self> {
        (0..count).try_fold(self, |nesting, _| nesting.popped())
    }

    /// After another container has opened.
    pub(crate) fn pushed(self, is_object: bool) -> Self {
        let next = if is_object { Next::KeyOrClose } else { Next::ValueOrClose };
        Self { containers: self.containers << 1 | u128::from(is_object), depth: self.depth.saturating_add(1), next }
    }

    fn after_value(self) -> Self {
        self.expecting(if self.depth == 0 { Next::End } else { Next::CommaOrClose })
    }
}

/// How a reading ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Foresight {
    /// The container in which it began, and all around it that were asked for, closed before this position.
    Closes(usize),
    /// The text ends first.
    Ends,
    /// Something does not fit, or the budget is spent.
    Fails,
}

impl Peek<'_> {
    /// Whether the payload, in `nesting` at `pos`, reads on to where its root closes, and ends there.
    pub(crate) fn is_whole_from(&self, nesting: Nesting, pos: usize) -> bool {
        match self.foresee(nesting, pos, 0) {
            Foresight::Closes(end) => {
                let next = self.skip_blanks(end);
                !matches!(self.char_at(next), Some(',' | ':' | '}' | ']' | ')')) && self.root_has_ended(end)
            }
            _ => false,
        }
    }

    /// Reads on from `pos` until no more than `depth` containers are open.
    pub(crate) fn foresee(&self, mut nesting: Nesting, mut pos: usize, depth: u8) -> Foresight {
        let start = pos;
        let mut charged = pos;
        while nesting.depth > depth {
            pos = self.skip_blanks(pos);
            if !self.may_foresee(pos.saturating_sub(charged) + 1) {
                return Foresight::Fails;
            }
            charged = pos;
            let Some(char) = self.char_at(pos) else {
                return Foresight::Ends;
            };
            let Some((next, after)) = self.step(nesting, pos, char, pos > start) else {
                return Foresight::Fails;
            };
            (nesting, pos) = (next, after);
        }
        Foresight::Closes(pos)
    }

    /// The position after the value at `pos`, brackets and all.
    fn value_end(&self, pos: usize) -> Option<usize> {
        let char = self.char_at(pos)?;
        if !matches!(char, '{' | '[' | '(') {
            return self.text_end(pos, char, false);
        }
        match self.foresee(Nesting::within(char == '{'), pos + 1, 0) {
            Foresight::Closes(end) => Some(end),
            Foresight::Ends | Foresight::Fails => None,
        }
    }

    /// How many values stand in a row from `pos` on, parted by commas, up to `closer`, and whether a comma follows the last one.
    /// `None` if anything else stands among them.
    pub(crate) fn row_len(&self, mut pos: usize, closer: char) -> Option<(usize, bool)> {
        let (mut len, mut has_comma) = (0, false);
        loop {
            let start = self.skip_blanks(pos);
            if self.char_at(start)? == closer {
                return Some((len, has_comma));
            }
            let end = self.skip_blanks(self.value_end(start)?);
            if !self.may_foresee(end - pos) {
                return None;
            }
            (len, has_comma) = (len + 1, self.starts_with(end, ","));
            pos = end + usize::from(has_comma);
            if !has_comma && self.char_at(end)? != closer {
                return None;
            }
        }
    }

    /// The next token, if it fits: what holds behind it, and where.
    fn step(&self, nesting: Nesting, pos: usize, char: char, is_later: bool) -> Option<(Nesting, usize)> {
        let is_object = nesting.is_in_object();
        let after = pos + char.len_utf8();
        match (char, nesting.next) {
            ('{', Next::Value | Next::ValueOrClose) => Some((nesting.pushed(true), after)),
            ('[' | '(', Next::Value | Next::ValueOrClose) => Some((nesting.pushed(false), after)),
            ('}', Next::CommaOrClose | Next::KeyOrClose | Next::Key) if is_object => Some((nesting.popped()?, after)),
            (']' | ')', Next::CommaOrClose | Next::ValueOrClose | Next::Value) if !is_object => {
                Some((nesting.popped()?, after))
            }
            (',' | '，' | ';', Next::CommaOrClose) => {
                Some((nesting.expecting(if is_object { Next::Key } else { Next::Value }), after))
            }
            (':' | '：', Next::Colon) => Some((nesting.expecting(Next::Value), after)),
            (_, Next::Key | Next::KeyOrClose) => {
                Some((nesting.expecting(Next::Colon), self.text_end(pos, char, true)?))
            }
            (_, Next::Value | Next::ValueOrClose) => Some((nesting.after_value(), self.text_end(pos, char, false)?)),
            // One missing comma between lines is mended by others, but not right where the supposition begins.
            (_, Next::CommaOrClose) if is_object && is_later && self.key_is_at(pos) => {
                Some((nesting.expecting(Next::Key), pos))
            }
            _ => None,
        }
    }

    /// The position after the key or scalar at `pos`. A text in double quotes may span lines.
    fn text_end(&self, pos: usize, char: char, is_key: bool) -> Option<usize> {
        match char {
            '"' => self.double_quoted_end(pos),
            quote if is_quote(quote) => self.quoted_end(pos, quote),
            _ if is_key => self.identifier_at(pos).map(|name| pos + name.len()),
            _ => self.scalar_end(pos),
        }
    }

    fn double_quoted_end(&self, pos: usize) -> Option<usize> {
        let bytes = self.ahead(pos + 1).as_bytes();
        let mut end = 0;
        while let Some(found) = memchr::memchr2(b'"', b'\\', bytes.get(end..)?) {
            end += found;
            if bytes.get(end) == Some(&b'"') {
                self.charge(end + 1);
                return Some(pos + 1 + end + 1);
            }
            end += 2;
        }
        self.charge(bytes.len());
        None
    }

    /// Takes `bytes` from the budget of foresight. Reading is charged where it happens.
    fn may_foresee(&self, bytes: usize) -> bool {
        let spent = self.foreseen.get() + bytes;
        self.foreseen.set(spent);
        spent <= READINGS * self.end + FLOOR
    }
}
